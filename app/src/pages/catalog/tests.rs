use super::*;

fn page(query: &str) -> String {
    Owner::new().with(|| body(&listing::query(query)).to_html())
}

/// Rows of the table of a section.
fn rows(html: &str, section: &str) -> usize {
    let rest = html.split(&format!("<section id=\"{section}\"")).nth(1).expect("a section");
    rest.split("</section>").next().map_or(0, |section| section.matches("<th scope=\"row\"").count())
}

#[test]
fn every_list_is_whole_and_nothing_is_styled_inline() {
    let html = page("");
    for (name, _, list) in SECTIONS {
        let list = list(Catalog::get());
        assert_eq!(name, list.name);
        assert!(!list.rows.is_empty() && rows(&html, name) == list.rows.len(), "{name}");
        let columns = list.columns.len();
        assert!(
            list.rows.iter().all(|row| row.entries.len() == columns && row.kinds.len() == list.choices.len()),
            "{name}"
        );
        for (place, choice) in list.choices.iter().enumerate() {
            let is_known = |row: &crate::listing::Row| choice.kinds.iter().any(|(id, _)| *id == row.kinds[place]);
            assert!(list.rows.iter().all(is_known), "{name}: every kind of `{}` can be chosen", choice.id);
        }
    }
    assert_eq!(SECTIONS.map(|(name, ..)| name), LISTS);
    assert!(!html.contains(" style=") && !html.contains("NaN") && !html.contains(">inf<"));
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique");
}

#[test]
fn one_list_is_narrowed_and_the_others_stay() {
    let catalog = Catalog::get();
    let html =
        page("clouds.accelerator=h100-sxm&clouds.term=on_demand&clouds.sort=-usd_per_gpu_hour&models.kind=experts");
    let offers =
        catalog.offers.iter().filter(|o| o.accelerator == "h100-sxm" && o.term == engine::catalog::OfferTerm::OnDemand);
    assert_eq!(rows(&html, "clouds"), offers.count());
    assert_eq!(rows(&html, "models"), catalog.models.iter().filter(|m| m.architecture.moe.is_some()).count());
    assert_eq!(rows(&html, "accelerators"), catalog.accelerators.len());
    // the form of one list keeps what is said of the other
    assert!(html.contains("<input type=\"hidden\" name=\"models.kind\" value=\"experts\""), "kept");
    assert!(
        shorter(&listing::query("clouds.q=&clouds.columns=provider&clouds.columns=term&models.kind=experts"))
            == "/catalog?clouds.columns=accelerator,provider,term&models.kind=experts"
    );
}
