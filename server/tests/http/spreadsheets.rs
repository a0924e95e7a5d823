//! Tables as CSV, workbook and JSON rows; batches and sheets that are sent.

use crate::support::{Answer, Server};
use serde_json::{Value, json};

const QUERY: &str = "model.preset=llama-3.1-70b&budget_usd=50M&deadline_days=90";

/// The cells of a CSV answer, the first row first.
fn cells(answer: &Answer) -> Vec<Vec<String>> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    parse(&answer.body, b',')
}

fn parse(bytes: &[u8], delimiter: u8) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(bytes);
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn every_table_is_the_same_in_csv_and_in_json() {
    let server = Server::start().await;
    let caller = server.caller();
    let all = caller.get(&format!("/api/v1/plans.json?{QUERY}")).await.json();
    let tables = all.as_object().unwrap();
    assert_eq!(tables.len(), server::tables::plan::TABLES.len());
    for (name, rows) in tables {
        let answer = caller.get(&format!("/api/v1/plans.csv?table={name}&{QUERY}")).await;
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8; header=present");
        let read = cells(&answer);
        assert!(answer.text().ends_with("\r\n") && !answer.text().replace("\r\n", "").contains('\r'), "{name}");
        let (head, body) = read.split_first().unwrap();
        let rows = rows.as_array().unwrap();
        assert_eq!(body.len(), rows.len(), "{name}");
        for (cells, row) in body.iter().zip(rows) {
            for (column, cell) in head.iter().zip(cells) {
                let same = match &row[column] {
                    Value::Null => cell.is_empty(),
                    Value::Bool(flag) => cell == if *flag { "TRUE" } else { "FALSE" },
                    Value::Number(number) => cell.parse::<f64>().ok() == number.as_f64(),
                    Value::String(text) => cell == text || cell.strip_prefix('\'') == Some(text),
                    other => panic!("{other}"),
                };
                assert!(same, "{name}.{column}: {cell} is not {}", row[column]);
            }
        }
        let one = caller.get(&format!("/api/v1/plans.json?table={name}&{QUERY}")).await.json();
        assert_eq!(&one, &tables[name]);
    }
}

#[tokio::test]
async fn figures_are_those_of_the_plan() {
    let server = Server::start().await;
    let caller = server.caller();
    let plan = caller.get(&format!("/api/v1/plans?{QUERY}")).await.json();
    let rows = caller.get(&format!("/api/v1/plans.json?{QUERY}")).await.json();
    let shown = plan["tiers"].as_array().unwrap().iter().find(|tier| tier["tier"] == plan["shown_tier"]).unwrap();
    let summary = &rows["summary"][0];
    assert_eq!(summary["total_usd"], shown["cost"]["total_usd"]["typical"]);
    assert_eq!(summary["gpus"], shown["cluster"]["gpus"]);
    assert_eq!(summary["days"], shown["days"]["typical"]);
    let line = |row: &Value| row["total_usd"].as_f64().unwrap_or(0.0);
    let sum: f64 = rows["bill_of_materials"].as_array().unwrap().iter().map(line).sum();
    assert!((sum - shown["cost"]["capital_usd"]["typical"].as_f64().unwrap()).abs() < 0.01, "{sum}");
    for month in rows["utilization_by_month"].as_array().unwrap() {
        let hours = |name: &str| month[name].as_f64().unwrap();
        let met = hours("capacity_gpu_hours") - hours("idle_gpu_hours") + hours("burst_gpu_hours");
        assert!((met - hours("demand_gpu_hours")).abs() < 1e-6 * met.max(1.0), "the parts are the whole: {month}");
    }
    let curves = plan["cloud_vs_on_prem"]["curves"].as_array().unwrap();
    let months = plan["cloud_vs_on_prem"]["months"].as_array().unwrap().len();
    assert_eq!(rows["curves"].as_array().unwrap().len(), curves.len() * months);
    assert_eq!(rows["curves_wide"].as_array().unwrap().len(), months);
}

#[tokio::test]
async fn get_equals_post_and_who_has_it_gets_304() {
    let server = Server::start().await;
    let caller = server.caller();
    let body = json!({ "model": { "preset": "llama-3.1-70b" }, "budget_usd": 50_000_000, "deadline_days": 90 });
    for file in ["plans.csv", "plans.xlsx", "plans.json"] {
        let got = caller.get(&format!("/api/v1/{file}?{QUERY}&_=1")).await;
        let posted = caller.post_json(&format!("/api/v1/{file}"), &body).await;
        assert_eq!((got.status, posted.status), (200, 200), "{file}: {} {}", got.text(), posted.text());
        assert!(got.body == posted.body, "{file}");
        let tag = got.header("etag").to_owned();
        assert!(tag.starts_with('"') && got.header("cache-control").contains("max-age"), "{file}: {tag}");
        assert!(got.header("content-disposition").starts_with("attachment; filename=\"llama-3.1-70b "), "{file}");
        let again = caller.get_with(&format!("/api/v1/{file}?{QUERY}"), &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{file}");
        let other = caller.get_with(&format!("/api/v1/{file}?{QUERY}&max_gpus=64"), &[("if-none-match", &tag)]).await;
        assert_eq!(other.status, 200, "{file}: another plan");
    }
    assert!(caller.get(&format!("/api/v1/plans.xlsx?{QUERY}")).await.body.starts_with(b"PK"));
}

#[tokio::test]
async fn spreadsheets_of_other_locales_get_their_signs() {
    let server = Server::start().await;
    let caller = server.caller();
    let path = format!("/api/v1/plans.csv?table=bill_of_materials&{QUERY}");
    let plain = cells(&caller.get(&path).await);
    let german = caller.get(&format!("{path}&bom=true&delimiter=semicolon&decimal=comma")).await;
    let text = german.body.strip_prefix("\u{feff}".as_bytes()).expect("a mark");
    let read = parse(text, b';');
    assert_eq!(read[0], plain[0]);
    let total = plain[0].iter().position(|name| name == "total_usd").unwrap();
    for (a, b) in plain.iter().zip(&read).skip(1) {
        assert_eq!(a[total].replace('.', ","), b[total]);
        assert_eq!(a[0], b[0], "text keeps its signs");
    }
    for (query, pointer) in
        [("bom=maybe", "bom"), ("delimiter=x", "delimiter"), ("decimal=x", "decimal"), ("table=x", "table")]
    {
        let answer = caller.get(&format!("/api/v1/plans.csv?{query}&{QUERY}")).await;
        assert_eq!(answer.status, 422);
        assert!(
            answer.text().starts_with(&format!("Error 422: `{pointer}` is"))
                || answer.text().starts_with(&format!("\"Error 422: `{pointer}` is")),
            "{}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn what_went_wrong_is_one_readable_cell() {
    let server = Server::start().await;
    let caller = server.caller();
    let large = vec![b' '; 1_000_000];
    let json = [("content-type", "application/json")];
    for (what, status, answer) in [
        ("unknown preset", 422, caller.get("/api/v1/plans.csv?model.preset=lama-70b").await),
        ("two fields", 422, caller.get("/api/v1/plans.csv?model.preset=lama-70b&budget_usd=-1").await),
        ("malformed", 400, caller.post_text("/api/v1/plans.csv", "application/json", "{").await),
        ("type", 415, caller.post_text("/api/v1/plans.csv", "text/plain", "{}").await),
        ("large", 413, caller.send("POST", "/api/v1/estimates.csv", &json, large).await),
        ("method", 405, caller.send("DELETE", "/api/v1/plans.csv", &[], Vec::new()).await),
        ("table", 404, caller.get("/api/v1/catalog/acelerators.csv").await),
        ("nothing", 404, caller.get("/api/v1/nothing.csv").await),
        ("header", 422, caller.post_text("/api/v1/plans/batch.csv", "text/csv", "a,b\n1,2\n").await),
        (
            "code page",
            400,
            caller.post_text("/api/v1/plans/batch.csv", "text/csv", b"model.preset\nM\xfcnchen\n".to_vec()).await,
        ),
        ("type of a sheet", 415, caller.post_text("/api/v1/plans/batch.csv", "application/json", "{}").await),
    ] {
        assert_eq!(answer.status, status, "{what}: {}", answer.text());
        assert!(answer.header("content-type").starts_with("text/csv"), "{what}");
        let read = parse(&answer.body, b',');
        assert_eq!((read.len(), read[0].len()), (1, 1), "{what}: {read:?}");
        assert!(read[0][0].starts_with(&format!("Error {status}: ")) && read[0][0].len() > 20, "{what}: {read:?}");
    }
    // a long one is worth compressing, and is readable all the same
    let many: String = (0..40).map(|i| format!("&unknown_key_{i}=1")).collect();
    let packed =
        caller.get_with(&format!("/api/v1/plans.csv?model.preset=lama{many}"), &[("accept-encoding", "gzip")]).await;
    assert_eq!((packed.status, packed.header("content-encoding")), (422, "gzip"));
    assert!(packed.body.starts_with(&[0x1f, 0x8b]), "it is what it says");
    let both = caller.get("/api/v1/plans.csv?model.preset=lama-70b&budget_usd=-1").await.text();
    assert!(both.contains("did you mean") && both.contains("budget_usd"), "{both}");
    caller.get("/api/v1/plans.xlsx?model.preset=lama-70b").await.problem(422);
}

#[tokio::test]
async fn the_catalog_is_csv_too() {
    let server = Server::start().await;
    let caller = server.caller();
    let offers = caller.get("/api/v1/catalog/clouds").await.json()["offers"].as_array().unwrap().clone();
    let answer = caller.get("/api/v1/catalog/offers.csv").await;
    let read = cells(&answer);
    assert_eq!(read.len(), offers.len() + 1);
    let column = |name: &str| read[0].iter().position(|n| n == name).unwrap_or_else(|| panic!("{name}: {:?}", read[0]));
    for (row, offer) in read.iter().skip(1).zip(&offers) {
        let price = row[column("usd_per_gpu_hour")].parse::<f64>().ok();
        assert_eq!(price, offer["usd_per_gpu_hour"]["value"].as_f64());
        assert_eq!(row[column("usd_per_gpu_hour_source")], offer["usd_per_gpu_hour"]["source"].as_str().unwrap());
    }
    let tag = answer.header("etag").to_owned();
    assert_eq!(caller.get_with("/api/v1/catalog/offers.csv", &[("if-none-match", &tag)]).await.status, 304);
    for list in server::rest::catalog::LISTS {
        assert!(cells(&caller.get(&format!("/api/v1/catalog/{list}.csv")).await).len() > 1, "{list}");
    }
}

#[tokio::test]
async fn estimates_are_rows_with_what_is_wrong_beside_them() {
    let server = Server::start().await;
    let caller = server.caller();
    let good = json!({ "model": { "preset": "llama-3.1-8b" }, "accelerator": "h100-sxm", "gpus": 64 });
    let bad = json!({ "model": { "preset": "llama-3.1-8b" }, "accelerator": "h100-sxm", "gpus": 0 });
    let read = cells(&caller.post_json("/api/v1/estimates.csv", &json!([good, bad, good])).await);
    assert_eq!(read.len(), 4);
    let column = |name: &str| read[0].iter().position(|n| n == name).unwrap();
    let estimate = caller.post_json("/api/v1/estimates", &good).await.json();
    let step = estimate["step_seconds"].as_f64();
    assert_eq!(read[1][column("step_seconds")].parse::<f64>().ok(), step);
    assert_eq!(read[3][column("step_seconds")], read[1][column("step_seconds")]);
    assert_eq!((read[2][0].as_str(), read[2][column("step_seconds")].as_str()), ("2", ""));
    assert_eq!(read[2][column("error_field")], "gpus");
    let got = cells(&caller.get("/api/v1/estimates.csv?model.preset=llama-3.1-8b&accelerator=h100-sxm&gpus=64").await);
    assert_eq!(got[1], read[1]);
}

#[tokio::test]
async fn an_array_of_plans_is_answered_element_by_element() {
    let server = Server::start().await;
    let caller = server.caller();
    let small = json!({ "model": { "preset": "llama-3.2-1b" }, "max_gpus": 8 });
    let other = json!({ "model": { "preset": "llama-3.1-8b" }, "max_gpus": 8 });
    let answer =
        caller.post_json("/api/v1/plans", &json!([small, { "model": { "preset": "lama" } }, other, 7, small])).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let elements = answer.json();
    assert_eq!(elements.as_array().unwrap().len(), 5);
    assert_eq!(elements[0], caller.post_json("/api/v1/plans", &small).await.json());
    assert_eq!(elements[0], elements[4]);
    assert_eq!(elements[2]["request"]["model"]["preset"], "llama-3.1-8b");
    assert_eq!(elements[1]["errors"][0]["pointer"], "/model/preset");
    assert_eq!(elements[3]["errors"][0]["code"], "wrong_type");
    assert_eq!(caller.post_json("/api/v1/plans", &json!([])).await.json(), json!([]));
    let problem = caller.post_json("/api/v1/plans", &Value::Array(vec![json!({}); 51])).await.problem(422);
    assert_eq!(problem["errors"][0]["code"], "too_many");
}

#[tokio::test]
async fn a_sheet_of_scenarios_is_answered_row_by_row() {
    let server = Server::start().await;
    let caller = server.caller();
    let names = ["训练集群 α", "مجموعة, التدريب", "🚀 \"quoted\"\nline", "=HYPERLINK(\"http://x\")", "-5"];
    let mut sheet = csv::Writer::from_writer(Vec::new());
    sheet.write_record(["id", "name", "model.preset", "max_gpus", "budget_usd"]).unwrap();
    for (index, name) in names.iter().enumerate() {
        sheet.write_record([&format!("R{index}"), *name, "llama-3.2-1b", "8", "1M"]).unwrap();
    }
    sheet.write_record(["bad", "Bad", "lama-70b", "8", "-3"]).unwrap();
    let sheet = sheet.into_inner().unwrap();
    let answer = caller.post_text("/api/v1/plans/batch.csv", "text/csv; charset=utf-8", sheet).await;
    let read = cells(&answer);
    let column = |name: &str| read[0].iter().position(|n| n == name).unwrap();
    assert_eq!(read.len(), names.len() + 2);
    let plan =
        caller.get("/api/v1/plans.json?table=summary&model.preset=llama-3.2-1b&max_gpus=8&budget_usd=1M").await.json();
    for (index, name) in names.iter().enumerate() {
        let row = &read[index + 1];
        assert_eq!(row[column("row")], (index + 1).to_string());
        assert_eq!(row[column("id")], format!("R{index}"));
        let hidden = name.starts_with(['=', '-']);
        assert_eq!(row[column("name")], if hidden { format!("'{name}") } else { (*name).to_owned() });
        assert_eq!(row[column("status")], "ok");
        assert_eq!(row[column("total_usd")].parse::<f64>().ok(), plan[0]["total_usd"].as_f64());
    }
    let bad = read.last().unwrap();
    assert_eq!((bad[column("status")].as_str(), bad[column("total_usd")].as_str()), ("error", ""));
    assert!(bad[column("error_field")].contains("model.preset") && bad[column("error_field")].contains("budget_usd"));
    assert!(
        bad[column("error_value")].contains("lama-70b") && bad[column("error_remedy")].contains("did you mean"),
        "{bad:?}"
    );
}

#[tokio::test]
async fn a_sheet_from_german_excel_is_read_and_answered_in_its_own_signs() {
    let server = Server::start().await;
    let sheet =
        "\u{feff}name;model.preset;max_gpus;utilization;overrides.pue\r\nMünchen;llama-3.2-1b;8;0,6;1,25\r\n;;;;\r\n";
    let path = "/api/v1/plans/batch.csv?bom=true&delimiter=semicolon&decimal=comma";
    let answer = server.caller().post_text(path, "text/csv", sheet).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let read = parse(answer.body.strip_prefix("\u{feff}".as_bytes()).unwrap(), b';');
    assert_eq!(read.len(), 2, "an empty row asks for nothing");
    let column = |name: &str| read[0].iter().position(|n| n == name).unwrap();
    assert_eq!(
        (read[1][column("name")].as_str(), read[1][column("status")].as_str()),
        ("München", "ok"),
        "{:?}",
        read[1]
    );
    let cost = &read[1][column("total_usd")];
    assert!(cost.contains(',') && !cost.contains('.'), "{cost}");
}

#[tokio::test]
async fn many_rows_count_as_many_plans() {
    use server::config::limits::Rate;
    let server = Server::start_with(|config| config.limits.compute = "60:20".parse::<Rate>().unwrap()).await;
    let caller = server.caller();
    let row = "llama-3.2-1b,8\n";
    let sheet = format!("model.preset,max_gpus\n{}", row.repeat(15));
    assert_eq!(caller.post_text("/api/v1/plans/batch.csv", "text/csv", sheet.clone()).await.status, 200);
    let refused = caller.post_text("/api/v1/plans/batch.csv", "text/csv", sheet).await;
    assert_eq!(refused.status, 429, "{}", refused.text());
    assert!(!refused.header("retry-after").is_empty() && refused.text().starts_with("Error 429"), "{}", refused.text());
    let sheet = format!("model.preset,max_gpus\n{}", row.repeat(51));
    assert_eq!(server.caller().post_text("/api/v1/plans/batch.csv", "text/csv", sheet).await.status, 422);
}

#[tokio::test]
async fn the_planner_links_to_the_data_of_its_tables_and_a_frozen_plan_says_that_it_is_computed_anew() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let page = caller.browse("/?model.preset=llama-3.1-8b&budget_usd=5M&deadline_days=60").await.text();
    let links: Vec<String> = {
        let document = scraper::Html::parse_document(&page);
        let css = scraper::Selector::parse(".data-links a").unwrap();
        document.select(&css).map(|link| link.value().attr("href").unwrap().to_owned()).collect()
    };
    assert_eq!(links.len(), 7 * 3, "{links:?}");
    for link in &links {
        let answer = caller.get(link).await;
        assert_eq!(answer.status, 200, "{link}: {}", answer.text());
        assert!(answer.body.len() > 20, "{link}");
    }
    let id = crate::accounts::save(&mut caller, "Frozen").await;
    let page = caller.browse(&format!("/scenarios/{id}")).await.text();
    assert!(page.contains("today's catalog, which may give other figures"));
    // its tables are files of its own: of the plan as it is frozen, for the owner and for whoever has a link
    let mut database = crate::database::open(&server.config.database).await;
    sqlx::query("UPDATE scenario SET plan = json_set(plan, '$.bill_of_materials[0].source', 'As it was frozen')")
        .execute(&mut database)
        .await
        .unwrap();
    let shared = crate::links::make(&mut caller, &id, &[]).await;
    let stranger = server.caller();
    for (reader, page, base) in [
        (&caller, format!("/scenarios/{id}"), format!("/scenarios/{id}/plan")),
        (&caller, format!("/scenarios/{id}/versions/1"), format!("/scenarios/{id}/versions/1/plan")),
        (&stranger, shared.clone(), format!("{shared}/plan")),
    ] {
        let html = reader.get_with(&page, &[("accept", "text/html")]).await.text();
        let links: Vec<String> = {
            let document = scraper::Html::parse_document(&html);
            let css = scraper::Selector::parse(".data-links a").unwrap();
            document.select(&css).map(|link| link.value().attr("href").unwrap().to_owned()).collect()
        };
        assert_eq!(links.len(), 7 * 2, "{links:?}");
        for link in &links {
            assert!(link.starts_with(&base), "{link}");
            let answer = reader.get(link).await;
            assert!(answer.status == 200 && answer.body.len() > 20, "{link}: {}", answer.status);
            assert!(answer.header("content-disposition").contains("Frozen"), "{link}");
        }
        let bill = reader.get(&format!("{base}.csv?table=bill_of_materials")).await.text();
        assert!(bill.contains("As it was frozen"), "{bill}");
        assert_eq!(reader.get(&format!("{base}.csv?table=nothing")).await.status, 422);
    }
    assert_eq!(stranger.get(&format!("/scenarios/{id}/plan.csv")).await.status, 404, "another's does not exist");
    assert_eq!(stranger.get(&format!("/scenarios/{id}/versions/1/plan.csv")).await.status, 404);
    for version in ["0", "9", "x"] {
        let path = format!("/scenarios/{id}/versions/{version}/plan.csv");
        assert_eq!(caller.get(&path).await.status, 404, "{version}");
    }
    for file in ["plan.csv", "plan.xlsx"] {
        let answer = stranger.get(&format!("/s/{}/{file}", "A".repeat(27))).await;
        assert_eq!(answer.status, 404);
        assert!(
            answer.text().contains("This link doesn't open") && answer.text().contains("revoked"),
            "as its page says"
        );
    }
    let private = stranger.get(&format!("/scenarios/{id}/plan.csv")).await.text();
    assert!(private.contains("This scenario is private, or there is none"), "{private}");
}

#[tokio::test]
async fn one_figure_is_bare_text() {
    let server = Server::start().await;
    let caller = server.caller();
    let summary = caller.get(&format!("/api/v1/plans.json?table=summary&{QUERY}")).await.json();
    for (field, value) in summary[0].as_object().unwrap() {
        let answer = caller.get(&format!("/api/v1/plans/value/{field}?{QUERY}")).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/plain; charset=utf-8"), "{field}");
        match value {
            Value::Number(number) => assert_eq!(answer.text().parse::<f64>().ok(), number.as_f64(), "{field}"),
            Value::String(text) => assert_eq!(&answer.text(), text),
            Value::Bool(flag) => assert_eq!(answer.text(), if *flag { "TRUE" } else { "FALSE" }),
            _ => assert_eq!(answer.text(), "", "{field}: unknown is empty"),
        }
    }
    let missing = caller.get(&format!("/api/v1/plans/value/total?{QUERY}")).await;
    assert!(
        missing.status == 404 && missing.text().starts_with("Error 404: there is no figure `total`"),
        "{}",
        missing.text()
    );
    let wrong = caller.get("/api/v1/plans/value/total_usd?model.preset=lama").await;
    assert!(wrong.status == 422 && wrong.text().contains("did you mean"), "{}", wrong.text());
    assert_eq!(wrong.header("content-type"), "text/plain; charset=utf-8");
}
