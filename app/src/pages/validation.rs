//! Predicted against measured: how far off the engine is, and every row behind that.

pub(super) mod measurements;
mod tables;

use crate::charts::build;
use crate::components::FigureView;
use crate::format;
use crate::listing::{self, Listing, View};
use crate::pages::Description;
use engine::validation::{Report, Row, Summary, report};
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// The page.
#[component]
pub fn ValidationPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let pairs = listing::query(&query);
    let list = measurements::list(report());
    let shown = View::read(&list, measurements::PLACE, &pairs);
    if listing::is_wordy(&pairs) {
        leptos_axum::redirect(&shown.page());
    }
    view! {
        <Title text="Predicted against measured · Clusterwright" />
        <Description text="How far the engine's predictions are from published training measurements, with every row and its source." />
        {body(report(), &list, &shown)}
    }
}

/// Everything under the head of the document.
fn body(report: &'static Report, list: &Listing, shown: &View) -> AnyView {
    let rows: Vec<&Row> = list.shown(shown).into_iter().filter_map(|place| report.rows.get(place)).collect();
    let described =
        if shown.is_narrowed() { shown.described(list) } else { "all rows, fine-tuning and sweeps too".to_owned() };
    let figure = match build::predicted_against_measured(&rows, &described) {
        Some(figure) => view! { <FigureView figure=figure full=true table_at="#measurements" /> }.into_any(),
        None if rows.is_empty() => listing::empty(list, shown),
        None => view! { <p class="nothing" role="status">"None of these measurements can be predicted: each says why in its remark below."</p> }.into_any(),
    };
    let paragraphs: Vec<_> = explanation(report).into_iter().map(|text| view! { <p>{text}</p> }).collect();
    let change = shown.is_narrowed().then(|| view! { " "<a href="#scatter-filter">"Change the filter"</a> });
    let in_table = shown.at("measurements");
    view! {
        <main class="page page-wide" id="main">
            <h1>"Predicted against measured"</h1>
            <p class="lead">{headline(report)}</p>
            <nav class="subnav" aria-label="Sections of the validation">
                <ul>
                    <li><a href="#errors">"Errors"</a></li>
                    <li><a href="#scatter">"Chart"</a></li>
                    <li><a href="#groups">"Errors by group"</a></li>
                    <li><a href="#measurements">"Every measurement"</a></li>
                    <li><a href="/method">"Method"</a></li>
                    <li><a href="/api/v1/validation">"JSON"</a></li>
                </ul>
            </nav>
            <div class="prose-part">{paragraphs}</div>
            <section class="section" id="errors" aria-labelledby="errors-heading">
                <h2 id="errors-heading">"Errors"</h2>
                {tables::overall(report)}
            </section>
            <section class="section" id="scatter" aria-labelledby="scatter-heading">
                <h2 id="scatter-heading">"Each prediction against its measurement"</h2>
                {listing::form(list, shown, rows.len())}
                {figure}
            </section>
            <section class="section" id="groups" aria-labelledby="groups-heading">
                <h2 id="groups-heading">"Errors by group"</h2>
                {tables::groups(&report.summaries)}
            </section>
            <section class="section" id="measurements" aria-labelledby="measurements-heading">
                <h2 id="measurements-heading">"Every measurement"</h2>
                <p class="quiet">{shown_of(list, shown, rows.len())}{change}</p>
                {(!rows.is_empty()).then(|| listing::table(list, &in_table))}
            </section>
        </main>
    }
    .into_any()
}

/// How many are in the table, and which.
fn shown_of(list: &Listing, shown: &View, rows: usize) -> String {
    let all = list.rows.len();
    match shown.is_narrowed() {
        true => format!("{} of {}: {}.", format::count(rows as f64), list.count(all), shown.described(list)),
        false => format!("All {}.", list.count(all)),
    }
}

/// The finding.
fn headline(report: &Report) -> String {
    let within = |s: &Summary| (format::percent(s.median), format::percent(s.p90));
    let (median, p90) = within(&report.summaries.overall.dense.unwrap_or_default());
    let (held_median, held_p90) = within(&report.held_out.coarse.dense);
    let experts = format::percent(report.held_out.coarse.experts.median);
    format!(
        "Half of all dense predictions are within {median} of what was measured; 9 of 10 within {p90}. For a model and accelerator that the constants never saw, it is {held_median} and {held_p90}. Mixtures of experts are harder: half are within {experts}."
    )
}

/// What is compared and how, in plain words.
fn explanation(report: &Report) -> [String; 4] {
    [
        format!(
            "{} published training runs, each with its model, layout, software and number format, are given to the same engine that makes plans, and its tokens per second are compared with what was published; {} can be predicted. The figures above count pretraining only, and one row for each configuration of a source, so that no long sweep outweighs the rest.",
            format::count(report.measurements as f64),
            format::count(report.predicted as f64)
        ),
        "Held out means that the constants were fitted again without the row's whole group, and the row was then predicted by constants that had never seen it. That is what to expect for a run that is not in this table.".to_owned(),
        format!(
            "{} rows have no prediction, because a part of the configuration is not published or is a kind of model that the engine does not know; a few more are predicted and counted, but no constant is fitted to them, because the publication contradicts itself. Each says so in its remark.",
            format::count(report.excluded as f64)
        ),
        "Mixtures of experts move between releases: the same layout on the same devices has become several times faster within months, so a prediction for them says what mature software of that date should do, and is kept apart from the rest.".to_owned(),
    ]
}

#[cfg(test)]
mod tests;
