//! `/views/{file}`: what a table of a page shows, as a file.

use super::checked;
use super::files::{File, fault};
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::planning::Planning;
use crate::tables::{listing as tables, records, workbook};
use app::listing::{Listing, Place, View};
use app::pages::listings;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use engine::{FieldProblem, Problem};

/// How a view can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Text with delimiters.
    Csv,
    /// A workbook of one sheet.
    Xlsx,
    /// Rows as objects.
    Json,
}

const ENDINGS: [(&str, Ending); 3] = [("csv", Ending::Csv), ("xlsx", Ending::Xlsx), ("json", Ending::Json)];

/// What a table of a page shows, as a file
///
/// The tables of the catalog (`accelerators`, `clouds`, `regions`, `models`, `fabrics`, `network`, `sources`,
/// `price-history`), `measurements` of the validation and `rules`, each with the ending `.csv`, `.xlsx` or `.json`. The
/// keys are those of the page's address without the name of the table: `q` for words, `sort` for a column (`-` before it:
/// the other way round; unknown values last), `columns` with commas between them, and the choices of the page, such as
/// `accelerator` and `term`. A figure has its source, date and confidence in columns beside it. A CSV takes `bom`,
/// `delimiter` and `decimal`, too.
#[utoipa::path(get, path = "/views/{file}", operation_id = "getView", tag = "Catalog",
    params(("file" = String, Path, description = "Name of the table with its ending, such as clouds.csv")),
    responses(
        (status = 200, description = "The rows", content((ref("#/components/schemas/Rows") = "application/json"), (String = "text/csv"), (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag"),
        (status = 404, description = "There is no such table", content((ref("#/components/schemas/Problem") = "application/problem+json"), (String = "text/csv"))),
        (status = 422, description = "A column or key is none", content((ref("#/components/schemas/Problem") = "application/problem+json"), (String = "text/csv")))))]
pub async fn get_view(
    State(planning): State<Planning>,
    Path(file): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let (name, ending) = named(&file).ok_or_else(|| unknown(&file))?;
    if checked::is_checked(name) {
        // computed where it holds up nobody else; then it is kept
        planning.checked().await?;
    }
    let listing = listings::listing(name).ok_or_else(|| unknown(&file))?;
    Ok(answer(&listing, ending, query)?.respond(&headers))
}

/// The file of a view of a list, which the pairs of a query describe.
///
/// # Errors
/// A column or key is none.
pub fn answer(listing: &Listing, ending: Ending, mut query: Query) -> Result<File, ApiProblem> {
    let dialect = query.take_dialect()?;
    check(listing, &query)?;
    let table = tables::table(listing, &View::read(listing, Place::default(), &query.pairs));
    let name = format!("clusterwright {}", listing.name.replace('-', " "));
    let (body, media_type, ending) = match ending {
        Ending::Csv => return File::delimited(&table, dialect, name),
        Ending::Xlsx => (workbook::of_table(&table, listing.caption).map_err(fault)?, workbook::MEDIA_TYPE, "xlsx"),
        Ending::Json => (records::records(&table).to_string().into_bytes(), "application/json", "json"),
    };
    Ok(File { body, media_type, name, ending: ending.to_owned() })
}

/// The name of a file without its ending, and what that asks for.
pub fn named(file: &str) -> Option<(&str, Ending)> {
    let (name, ending) = file.rsplit_once('.')?;
    ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, ending)| (name, *ending))
}

/// Keys and columns are known; a kind that is none finds nothing, as in the page.
fn check(listing: &Listing, query: &Query) -> Result<(), ApiProblem> {
    let known: Vec<&str> = listing.columns.iter().map(|column| column.id).collect();
    let mut wrong = Vec::new();
    for (key, value) in &query.pairs {
        let asked: Vec<&str> = match key.as_str() {
            "sort" => vec![value.strip_prefix('-').unwrap_or(value)],
            "columns" => value.split(',').collect(),
            _ => continue,
        };
        wrong.extend(asked.into_iter().map(str::trim).filter(|id| !id.is_empty() && !known.contains(id)).map(|id| {
            let shown: String = id.chars().take(60).collect();
            let message = format!("`{key}` names the column `{shown}`, which is none; there are {}", known.join(", "));
            FieldProblem::new(format!("/{key}"), "unknown_id", message)
        }));
    }
    if !wrong.is_empty() {
        return Err(Problem::invalid(wrong).into());
    }
    let mut keys: Vec<&str> = listing.choices.iter().map(|choice| choice.id).collect();
    keys.extend(["q", "sort", "columns", "bom", "delimiter", "decimal"]);
    let left = Query { pairs: query.pairs.iter().filter(|(key, _)| !keys.contains(&key.as_str())).cloned().collect() };
    left.finish_known(&keys)
}

fn unknown(file: &str) -> ApiProblem {
    let shown: String = file.chars().take(60).collect();
    let message = format!(
        "there is no view `{shown}`; there are {}, each with the ending .csv, .xlsx or .json",
        listings::NAMES.join(", ")
    );
    ApiProblem::new(StatusCode::NOT_FOUND, "not_found", message.clone()).with(FieldProblem::new(
        "",
        "unknown_id",
        message,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Cell, Table};

    fn table(name: &str, pairs: &[(&str, &str)]) -> Table {
        let listing = listings::listing(name).expect("a list");
        let pairs: Vec<(String, String)> = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        tables::table(&listing, &View::read(&listing, Place::default(), &pairs))
    }

    #[test]
    fn every_view_is_a_table_with_names_of_its_own() {
        for name in listings::NAMES {
            let table = table(name, &[]);
            assert!(!table.rows.is_empty() && table.rows.iter().all(|row| row.len() == table.columns.len()), "{name}");
            let mut columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_ref()).collect();
            let all = columns.len();
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(columns.len(), all, "{name}: {columns:?}");
            let is_snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(columns.iter().all(|column| column.chars().all(is_snake)), "{name}: {columns:?}");
        }
    }

    #[test]
    fn a_view_holds_the_rows_the_order_the_columns_and_where_figures_come_from() {
        let table = table(
            "clouds",
            &[
                ("accelerator", "h100-sxm"),
                ("term", "on_demand"),
                ("sort", "-usd_per_gpu_hour"),
                ("columns", "provider,usd_per_gpu_hour"),
            ],
        );
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_ref()).collect();
        let price =
            ["usd_per_gpu_hour", "usd_per_gpu_hour_source", "usd_per_gpu_hour_date", "usd_per_gpu_hour_confidence"];
        assert_eq!(names, [&["accelerator", "provider"][..], &price].concat());
        let offers = &engine::catalog::Catalog::get().offers;
        let of_h100 = offers
            .iter()
            .filter(|offer| offer.accelerator == "h100-sxm" && offer.term == engine::catalog::OfferTerm::OnDemand);
        assert_eq!(table.rows.len(), of_h100.count());
        let prices: Vec<f64> = table
            .rows
            .iter()
            .filter_map(|row| if let Cell::Number(number) = row[2] { Some(number) } else { None })
            .collect();
        assert!(prices.len() == table.rows.len() && prices.windows(2).all(|pair| pair[0] >= pair[1]));
        assert!(
            table.rows.iter().all(|row| row[3..].iter().all(|cell| *cell != Cell::Empty)),
            "no figure without origin"
        );
    }

    #[test]
    fn what_is_no_column_or_key_is_refused_by_name() {
        let listing = listings::listing("clouds").expect("a list");
        let ask = |key: &str, value: &str| {
            answer(&listing, Ending::Csv, Query { pairs: vec![(key.to_owned(), value.to_owned())] }).is_ok()
        };
        assert!(ask("sort", "-usd_per_gpu_hour") && ask("columns", "term,class") && ask("accelerator", "none"));
        assert!(!ask("sort", "price") && !ask("columns", "term,prise") && !ask("acelerator", "h100-sxm"));
    }
}
