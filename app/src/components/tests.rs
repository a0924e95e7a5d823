use super::*;
use crate::inputs::{InputErrors, Inputs};
use engine::answer::{Severity, TierId, Verdict};
use leptos::prelude::*;

fn results() -> String {
    render_results(&fixture::plan())
}

fn form(query: &str) -> String {
    let inputs = Inputs::from_query(query);
    let errors = inputs.request().err().unwrap_or_else(|| InputErrors::new(Vec::new()));
    Owner::new().with(|| view! { <PlannerForm inputs=inputs errors=errors /> }.to_html())
}

/// The tags of a kind, in order, with their attributes.
fn tags<'h>(html: &'h str, name: &str) -> Vec<&'h str> {
    let open = format!("<{name}");
    html.split(&open)
        .skip(1)
        .filter(|rest| rest.starts_with([' ', '>']))
        .filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag))
        .collect()
}

#[test]
fn nothing_carries_inline_style_or_script() {
    for html in [results(), form("model.preset=llama-3.1-70b")] {
        assert!(!html.contains(" style="));
        assert!(!html.contains(" onclick="));
        assert!(tags(&html, "script").iter().all(|tag| tag.contains("application/json")));
    }
}

#[test]
fn headings_go_down_one_level_at_a_time() {
    let html = results();
    let levels: Vec<u8> = html
        .match_indices("<h")
        .filter_map(|(at, _)| html.as_bytes().get(at + 2).copied())
        .filter(u8::is_ascii_digit)
        .map(|d| d - b'0')
        .collect();
    assert_eq!(levels.first(), Some(&1), "the headline comes first");
    assert_eq!(levels.iter().filter(|l| **l == 1).count(), 1);
    assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
}

#[test]
fn every_figure_has_a_drawing_a_table_and_data() {
    let html = results();
    let figures: Vec<&str> =
        html.split("<figure").skip(1).map(|rest| rest.split("</figure>").next().unwrap_or("")).collect();
    // drawings have their words beside them, and no data
    let figures: Vec<&str> = figures.into_iter().filter(|figure| figure.contains("data-figure")).collect();
    assert_eq!(figures.len(), crate::charts::build::all(&fixture::plan()).len());
    for figure in figures {
        assert!(
            figure.contains("role=\"img\"") && figure.contains("<table") && figure.contains("figure-data"),
            "{figure}"
        );
    }
}

#[test]
fn ids_are_unique() {
    for html in [results(), form("model.preset=llama-3.1-70b")] {
        let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }
}

#[test]
fn every_field_has_a_label_and_its_text() {
    let html = form("model.preset=llama-3.1-70b&training_tokens=15T&overrides.pue=1.2&accelerators=h100-sxm,b200");
    for field in crate::inputs::fields() {
        assert!(html.contains(&format!("name=\"{}\"", field.key)), "{}", field.key);
        assert!(html.contains(&format!("for=\"{}\"", planner_form::field_id(field.key))), "{}", field.key);
    }
    assert!(html.contains("value=\"15T\"") && html.contains("value=\"1.2\""));
    let checked =
        tags(&html, "input").into_iter().filter(|tag| tag.contains("checkbox") && tag.contains("checked")).count();
    assert_eq!(checked, 2);
}

#[test]
fn wrong_fields_are_marked_and_named() {
    let html = form("model.preset=llama-3.1-70b&context_length=5&overrides.pue=99&strange=1");
    let invalid: Vec<&str> =
        tags(&html, "input").into_iter().filter(|tag| tag.contains("aria-invalid=\"true\"")).collect();
    assert_eq!(invalid.len(), 3, "{invalid:?}");
    assert!(html.contains("Context length is 5"));
    assert!(html.contains("name=\"strange\""), "what the form does not know is kept in sight");
}

#[test]
fn a_plan_that_meets_no_limit_says_why_and_shows_the_nearest() {
    let mut plan = fixture::plan();
    plan.recommended = None;
    plan.no_recommendation = vec![engine::answer::Reason::new("deadline", "No allowed cluster finishes in time.")];
    let html = render_results(&plan);
    assert!(html.contains("No allowed cluster finishes in time."));
    assert!(html.contains("Nearest plan"));
    assert!(!html.contains("Recommended<"));
}

#[test]
fn missing_parts_are_said_not_left_out() {
    let mut plan = fixture::plan();
    let shown = plan.shown_tier;
    for tier in &mut plan.tiers {
        match tier.tier {
            tier_id if tier_id == shown => tier.cost = None,
            TierId::Beast => {
                tier.cluster = None;
                tier.estimate = None;
                tier.days = None;
                tier.cost = None;
                tier.verdict = Verdict::TooSmall;
            }
            _ => {}
        }
    }
    plan.bill_of_materials.clear();
    plan.cloud_vs_on_prem.curves.clear();
    plan.cloud_vs_on_prem.by_utilization.clear();
    plan.cloud_vs_on_prem.break_even.clear();
    plan.frontier.clear();
    let html = render_results(&plan);
    for text in [
        "no price known",
        "Nothing that is allowed comes in this size",
        "No price is known for the shown cluster",
        "Too small",
        "No purchase price is known",
    ] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn notices_that_matter_stand_under_the_headline() {
    let mut plan = fixture::plan();
    plan.notices = vec![engine::answer::Notice {
        code: "x".into(),
        severity: Severity::Critical,
        text: "Look <here>.".into(),
        source: "test".into(),
    }];
    let html = render_results(&plan);
    let answer = html.split("class=\"tiers\"").next().unwrap_or("");
    assert!(answer.contains("Look &lt;here&gt;."), "{answer}");
    assert!(answer.contains("Critical"));
}

#[test]
fn the_answer_fits_one_line() {
    let mut plan = fixture::plan();
    let text = brief(&plan);
    assert!(text.contains(" × ") && text.contains(" · $") && text.ends_with("days"), "{text}");
    assert!(text.chars().count() < 40, "{text}");
    plan.recommended = None;
    assert!(brief(&plan).starts_with("Limits not met; nearest: "));
    for tier in &mut plan.tiers {
        tier.cluster = None;
    }
    assert_eq!(brief(&plan), "Nothing that is allowed can hold this model");
}

#[test]
fn an_option_says_its_time_its_term_and_the_age_of_its_price() {
    let mut plan = fixture::plan();
    let shown = plan.shown_tier;
    let tier = plan.tiers.iter_mut().find(|t| t.tier == shown).expect("shown");
    let option = tier.cost.as_mut().and_then(|c| c.options.first_mut()).expect("an option");
    option.days.typical = 206.0;
    option.term = Some(engine::catalog::OfferTerm::CapacityBlock);
    option.minimum_months = 3.0;
    option.max_days = Some(182.0);
    option.age_days = Some(400);
    option.stale = true;
    option.note = Some("Paid up front.".into());
    let html = render_results(&plan);
    for text in [
        "206 days",
        "Prepaid block",
        "at least 3 months; at most 182 days",
        "400 days old; older than six months",
        "Paid up front.",
    ] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn figures_open_only_explanations_that_there_are() {
    let plan = fixture::plan();
    let html = render_results(&plan);
    let all = plan.explanations.as_ref().expect("explained");
    let keys: Vec<&str> = tags(&html, "button")
        .into_iter()
        .filter(|tag| tag.contains("name=\"_figure\""))
        .filter_map(|tag| tag.split("value=\"").nth(1)?.split('"').next())
        .collect();
    assert!(keys.len() > 60, "{}", keys.len());
    for key in keys {
        assert!(all.contains_key(key), "{key}");
    }
    let asked = Owner::new().with(|| super::results::explanation::form(Some("model.preset=x")).to_html());
    assert!(
        asked.starts_with("<form id=\"why\" method=\"get\"><input type=\"hidden\" name=\"model.preset\""),
        "{asked}"
    );
    // without explanations there is nothing to open
    assert!(!render_results(&plan.without_explanations()).contains("_figure"));
}

#[test]
fn the_first_choices_stand_before_what_opens() {
    let html = form("model.preset=llama-3.1-8b&method=lora");
    let at = |text: &str| html.find(text).unwrap_or(usize::MAX);
    assert!(at("id=\"f-model-preset\"") < at("id=\"f-method\""));
    assert!(at("id=\"f-method\"") < at("id=\"f-context_length\"") && at("id=\"f-method\"") < at("<details"));
    assert_eq!(html.matches("name=\"method\"").count(), 1);
}

#[test]
fn own_figures_are_marked_where_they_are_used() {
    let query = "model.preset=llama-3.1-70b&training_tokens=1T&deadline_days=90&overrides.pue=1.15&overrides.staff_fte=2&overrides.facility_usd_per_mw=9000000";
    let plan = engine::plan(&Inputs::from_query(query).request().expect("valid"));
    let html = render_results(&plan);
    assert!(html.contains("set in the inputs: PUE 1.15 (catalog: 1.3)"), "at the energy");
    assert!(html.contains("set in the inputs: Operations staff 2 FTE"), "at the staff");
    assert!(html.contains("id=\"yours\""), "and all of them in a table");
    assert!(html.contains("nothing in this plan is computed with it"), "an own facility is not in use");
    let none = results();
    assert!(
        !none.contains("set in the inputs:") && !none.contains("id=\"yours\"") && !none.contains("class=\"yours\"")
    );
}

#[test]
fn a_bill_says_what_its_total_leaves_out() {
    let mut plan = fixture::plan();
    let html = render_results(&plan);
    assert!(html.contains("without the lines that have no price: Network for storage"), "the example has such a line");
    plan.bill_of_materials.retain(|line| line.total_usd.is_some());
    assert!(!render_results(&plan).contains("without the lines"));
}

#[test]
fn the_other_way_round_leads_to_the_planner() {
    let plan = fixture::plan();
    let html = render_results(&plan);
    let most = plan.inverse.most_tokens.as_ref().expect("limits are set");
    assert!(html.contains(&format!("training_tokens={}", most.training_tokens)));
    assert!(html.contains("max_gpus="));
    let query = "model.preset=llama-3.1-8b";
    let free = render_results(&engine::plan(&Inputs::from_query(query).request().expect("valid")));
    assert!(free.contains("Set a deadline to see it.") && free.contains("Set a budget or a deadline to see them."));
}

#[test]
fn missing_parts_of_the_money_and_the_build_are_left_out() {
    let mut plan = fixture::plan();
    plan.ownership = None;
    plan.ranges = None;
    plan.build = None;
    plan.cloud_vs_on_prem.hybrid = None;
    plan.cloud_vs_on_prem.resale_usd = None;
    plan.inverse = engine::answer::Inverse::default();
    let html = render_results(&plan);
    for id in ["ownership", "ranges", "split"] {
        assert!(!html.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert!(html.contains("there is nothing to build"));
    assert!(html.contains("No cluster that is allowed finishes within"));
    let mut plan = fixture::plan();
    let build = plan.build.as_mut().expect("a build");
    build.network = None;
    build.no_network = Some("One server needs no network.".into());
    build.racks.kw_each = None;
    build.power.facility_kw = None;
    let html = render_results(&plan);
    for text in ["One server needs no network.", "The power is not known", "not known"] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn the_build_stands_on_a_floor_and_hangs_on_two_feeds() {
    let plan = |query: &str| engine::plan(&Inputs::from_query(query).request().expect("valid"));
    let bought = "model.preset=llama-3.1-70b&acquisition=buy&accelerators=h100-sxm&max_gpus=1024&deadline_days=1";
    let html = render_results(&plan(bought));
    for text in [
        "seen from above: servers, switches (N) in the middle",
        "Places of the racks",
        "Two paths, each: Utility",
        "m on average",
        "cubic feet a minute",
        "of which 4 are needed",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert!(!html.contains("the provider builds what you rent"));
    let rented = "model.preset=llama-3.1-8b&acquisition=on_demand&max_gpus=64";
    assert!(render_results(&plan(rented)).contains("the provider builds what you rent"));
    // neither power nor weight of the system is known
    let unknown = render_results(&plan("model.preset=llama-3.2-1b&accelerators=tpu-v5e&max_gpus=64"));
    for text in ["The weight is not known", "The feeds of a rack are not known", "What carries the heat is not known"] {
        assert!(unknown.contains(text), "{text}");
    }
}

#[test]
fn a_title_says_which_way_compute_goes() {
    let mut plan = fixture::plan();
    let title = |plan: &engine::Plan| crate::charts::build::by_size(plan).expect("sizes").title;
    assert!(title(&plan).starts_with("Compute falls from"));
    plan.utilization.by_cluster_size.reverse();
    assert!(title(&plan).starts_with("Compute rises from"));
}

#[test]
fn the_next_block_is_told_in_words() {
    let mut plan = fixture::plan();
    plan.utilization.saturates_in_month = Some(14);
    plan.utilization.next_block = Some(engine::answer::NextBlock {
        needed_in_month: 14,
        lead_time_months: 6.0,
        order_in_months: 7.0,
        overdue: false,
        gpus: 40,
    });
    let html = render_results(&plan);
    assert!(html.contains("Demand passes the owned capacity in month 14"));
    assert!(html.contains("Order the next 40 GPUs in 7 months"), "{html}");
}

#[test]
fn the_name_of_a_scenario_is_proposed() {
    assert_eq!(scenario_name(&Inputs::example().request().expect("valid")), "Llama 3.1 70B, 1T tokens");
}

#[test]
fn what_is_pasted_stays_in_its_field() {
    let html = form("model.huggingface=%3C%2Ftextarea%3E%3Cb%3Ex%3C%2Fb%3E");
    assert!(!html.contains("</textarea><b>"), "{html}");
    assert!(html.contains("&lt;/textarea>&lt;b>x"), "{html}");
}

#[test]
fn each_part_is_one_element_of_its_id_and_together_they_are_the_page() {
    let plan = fixture::plan();
    let parts = super::render_parts(&plan, None, "model.preset=llama-3.1-70b", &Default::default(), |_| true);
    for (id, html) in &parts {
        let tag = html.split('>').next().unwrap_or_default();
        assert!(tag.contains(&format!("id=\"{id}\"")), "{id}: {tag}");
        let name = tag.trim_start_matches('<').split(' ').next().unwrap_or_default();
        assert!(html.ends_with(&format!("</{name}>")), "{id} ends with its own element");
    }
    let ids: std::collections::BTreeSet<_> = parts.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), parts.len());
    let page = render_results(&plan);
    for (id, _) in super::results::SECTIONS {
        assert!(parts.iter().any(|(part, _)| *part == id) && page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
}
