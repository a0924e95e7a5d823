//! The quotes as a list: what they are narrowed and ordered by, and what files of them hold.

use super::Entry as Quote;
use super::table::{amount, person};
use crate::components::with_unit;
use crate::format;
use crate::listing::{Choice, Column, Entry, Kind, Listing, Place, Row, Value};
use engine::quotables;

/// Where the list stands.
pub(super) const PLACE: Place = Place { path: "/price-book", anchor: "quotes", lists: &[], kept: &[] };

const COLUMNS: [Column; 12] = [
    Column::new("figure", "Figure", Kind::Text),
    Column::more("key", "Key", Kind::Text),
    Column::new("yours", "Yours", Kind::Number),
    Column::new("catalog", "Catalog", Kind::Number),
    Column::more("unit", "Unit", Kind::Text),
    Column::new("difference_share", "Difference", Kind::Share),
    Column::new("supplier", "Supplier", Kind::Text),
    Column::new("valid_until", "Holds until", Kind::Date),
    Column::more("expired", "Expired", Kind::Flag),
    Column::new("changed_at", "Changed", Kind::Date),
    Column::more("changed_by", "Changed by", Kind::Text),
    Column::more("note", "Note", Kind::Text),
];

/// The list, by name.
pub(super) fn list(quotes: &[Quote]) -> Listing {
    let mut groups: Vec<&str> = Vec::new();
    for group in quotables().iter().map(|known| known.group).chain(quotes.iter().map(Quote::group)) {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    Listing {
        name: "quotes",
        files: "/price-book",
        caption: "Quotes of the team beside the catalog's figures",
        noun: ("quote", "quotes"),
        columns: COLUMNS.to_vec(),
        choices: vec![Choice {
            id: "group",
            label: "Group",
            all: "All groups",
            kinds: groups.into_iter().map(|group| (group.to_owned(), group.to_owned())).collect(),
        }],
        rows: quotes.iter().map(row).collect(),
    }
}

/// The orders of earlier versions, and what they are called now.
const SORTED: [(&str, &str); 3] =
    [("changed", "-changed_at"), ("difference", "-difference_share"), ("ends", "valid_until")];

/// The pairs of an address, those of earlier versions as they are said now.
pub(super) fn query(text: &str) -> Vec<(String, String)> {
    let now = |(key, value): (String, String)| match key.as_str() {
        "find" => ("q".to_owned(), value),
        "sort" => {
            let named = SORTED.iter().find(|(before, _)| *before == value);
            let now = named.map(|(_, now)| (*now).to_owned());
            (key, now.unwrap_or(value))
        }
        _ => (key, value),
    };
    crate::listing::query(text).into_iter().map(now).collect()
}

/// A day for people that is ordered and written to files as it is.
fn day(iso: &str) -> Entry {
    Entry { value: Value::Text(iso.to_owned()), ..Entry::text(format::date(iso)) }
}

fn row(quote: &Quote) -> Row {
    let (row, known) = (&quote.row, quote.known.as_ref());
    let typical = known.and_then(|known| known.catalog).map(|range| range.typical);
    let number = |value: Option<f64>, text: String| match value {
        Some(value) => Entry { value: Value::Number(value), ..Entry::text(text) },
        None => Entry::unknown(),
    };
    let unit = known.map_or("", |known| known.unit);
    Row {
        entries: vec![
            Entry::text(quote.label()).note(row.key.clone()),
            Entry::text(&row.key),
            number(row.value, row.value.map(|value| amount(value, known)).unwrap_or_default()),
            number(typical, typical.map(|value| with_unit(value, unit)).unwrap_or_default()),
            Entry::text(unit),
            Entry::number(quote.difference(), format::percent_signed),
            Entry::text(&row.supplier),
            row.valid_until.as_deref().map_or_else(Entry::unknown, day),
            Entry::flag(row.expired),
            day(&row.at),
            Entry::text(person(row.who.as_ref())),
            Entry::text(&row.note),
        ],
        kinds: vec![quote.group().to_owned()],
        ..Row::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::prices::QuoteRow;
    use crate::listing::View;

    fn entry(key: &str, value: f64, supplier: &str, at: &str, valid_until: Option<&str>) -> Quote {
        let row = QuoteRow {
            key: key.into(),
            version: 1,
            value: Some(value),
            supplier: supplier.into(),
            valid_until: valid_until.map(str::to_owned),
            expired: false,
            note: String::new(),
            who: None,
            at: at.into(),
        };
        Quote { known: quotables().into_iter().find(|known| known.key == key), row }
    }

    #[test]
    fn quotes_are_found_and_put_in_order() {
        let entries = [
            entry("electricity_usd_per_kwh", 0.081, "Utility", "2026-03-01", Some("2027-01-01")),
            entry("pue", 2.6, "Hall Ltd", "2026-01-01", None),
            entry("retired", 1.0, "Nobody", "2026-02-01", Some("2026-12-01")),
        ];
        let list = list(&entries);
        assert!(list.rows.iter().all(|row| row.entries.len() == list.columns.len()));
        let keys = |text: &str| -> Vec<String> {
            let shown = list.shown(&View::read(&list, PLACE, &query(text)));
            shown.into_iter().map(|place| entries[place].row.key.clone()).collect()
        };
        assert_eq!(keys("sort=-changed_at"), ["electricity_usd_per_kwh", "retired", "pue"]);
        // those that hold until they are changed come last
        assert_eq!(keys("sort=valid_until"), ["retired", "electricity_usd_per_kwh", "pue"]);
        assert_eq!(keys("sort=-difference_share")[0], "pue");
        assert_eq!(keys("q=HALL"), ["pue"]);
        assert_eq!(keys("find=hall&sort=changed"), ["pue"], "as addresses said it before");
        assert_eq!(keys("sort=changed"), keys("sort=-changed_at"));
        assert_eq!(keys("group=No+longer+known"), ["retired"]);
        assert_eq!(keys("q=nothing"), Vec::<String>::new());
    }
}
