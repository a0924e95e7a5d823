use super::*;

fn page(query: &str) -> String {
    Owner::new().with(|| body(report(), &Filter::from_query(query)).to_html())
}

/// Rows of the table of measurements.
fn rows(html: &str) -> usize {
    html.split("id=\"measurements\"").nth(1).map_or(0, |rest| rest.matches("<th scope=\"row\"").count())
}

#[test]
fn the_page_holds_every_row_and_no_inline_style() {
    let html = page("");
    assert_eq!(rows(&html), report().rows.len());
    assert!(!html.contains(" style=") && !html.contains("NaN") && !html.contains(">inf"));
    assert!(html.contains(&headline(report())));
    assert!(html.contains("href=\"/api/v1/validation\"") && html.contains("href=\"/method\""));
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique");
}

#[test]
fn the_filter_keeps_what_is_asked_for() {
    let of = |query: &str| {
        let filter = Filter::from_query(query);
        report().rows.iter().filter(|row| filter.keeps(row)).count()
    };
    for query in ["accelerator=b200", "kind=experts", "precision=fp8", "accelerator=h100-sxm&kind=dense&precision=bf16"]
    {
        let html = page(query);
        assert!(of(query) > 0 && of(query) < report().rows.len(), "{query}");
        assert_eq!(rows(&html), of(query), "{query}");
        assert!(html.contains("Show all"), "{query}");
    }
    assert_eq!(of("accelerator=&kind=&precision="), report().rows.len());
    let dense = report().rows.iter().filter(|r| r.kind == Some(engine::validation::ModelKind::Dense)).count();
    assert_eq!(of("kind=dense"), dense);
}

#[test]
fn what_is_not_known_is_kept_in_sight_and_escaped() {
    let html = page("accelerator=%3Cb%3E&strange=1");
    assert_eq!(rows(&html), 0);
    assert!(html.contains("No measurement that is predicted matches"));
    assert!(!html.contains("<b>") && html.contains("&lt;b&gt; (not known)"));
}

#[test]
fn addresses_are_short() {
    assert_eq!(Filter::from_query("accelerator=&kind=&precision=").address(), "/validation");
    assert_eq!(Filter::from_query("kind=dense&accelerator=&x=1").address(), "/validation?kind=dense");
}
