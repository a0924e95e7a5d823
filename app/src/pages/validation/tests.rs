use super::*;

fn shown(query: &str) -> (Listing, View) {
    let list = measurements::list(report());
    let shown = View::read(&list, measurements::PLACE, &listing::query(query));
    (list, shown)
}

fn page(query: &str) -> String {
    let (list, shown) = shown(query);
    Owner::new().with(|| body(report(), &list, &shown).to_html())
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
        let (list, shown) = shown(query);
        list.shown(&shown).len()
    };
    for query in ["accelerator=b200", "kind=experts", "precision=fp8", "accelerator=h100-sxm&kind=dense&precision=bf16"]
    {
        let html = page(query);
        assert!(of(query) > 0 && of(query) < report().rows.len(), "{query}");
        assert_eq!(rows(&html), of(query), "{query}");
        assert!(html.contains("Clear filters"), "{query}");
    }
    assert_eq!(of("accelerator=&kind=&precision="), report().rows.len());
    let dense = report().rows.iter().filter(|r| r.kind == Some(engine::validation::ModelKind::Dense)).count();
    assert_eq!(of("kind=dense"), dense);
}

#[test]
fn what_is_not_known_is_kept_in_sight_and_escaped() {
    let html = page("accelerator=%3Cb%3E&strange=1");
    assert_eq!(rows(&html), 0);
    assert!(html.contains("No measurement has all of that"));
    assert!(!html.contains("<b>") && html.contains("&lt;b&gt; (not known)"));
}

#[test]
fn addresses_are_short() {
    assert_eq!(shown("accelerator=&kind=&precision=").1.page(), "/validation");
    assert_eq!(shown("kind=dense&accelerator=&x=1").1.page(), "/validation?kind=dense");
}

#[test]
fn the_table_is_ordered_by_error_where_its_head_leads() {
    let html = page("kind=dense&sort=-error");
    assert!(html.contains("href=\"/validation?kind=dense&amp;sort=error#measurements\""), "the other way round");
    let (list, shown) = shown("kind=dense&sort=-error");
    let errors: Vec<f64> = list.shown(&shown).into_iter().filter_map(|place| report().rows[place].error).collect();
    assert!(errors.len() > 100 && errors.windows(2).all(|pair| pair[0] >= pair[1]));
}
