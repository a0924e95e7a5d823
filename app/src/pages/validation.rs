//! Predicted against measured: how far off the engine is, and every row behind that.

mod filter;
mod tables;

use crate::charts::build;
use crate::components::FigureView;
use crate::format;
use crate::pages::has_empty_fields;
use engine::validation::{Report, Row, Summary, report};
use filter::Filter;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};

/// The page.
#[component]
pub fn ValidationPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let filter = Filter::from_query(&query);
    if has_empty_fields(&query) {
        leptos_axum::redirect(&filter.address());
    }
    view! {
        <Title text="Predicted against measured · Clusterwright" />
        <Meta name="description" content="How far the engine's predictions are from published training measurements, with every row and its source." />
        {body(report(), &filter)}
    }
}

/// Everything under the head of the document.
fn body(report: &'static Report, filter: &Filter) -> AnyView {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| filter.keeps(row)).collect();
    let figure = build::predicted_against_measured(&rows, &filter.described());
    let figure = match figure {
        Some(figure) => view! { <FigureView figure=figure full=true table_at="#measurements" /> }.into_any(),
        None => view! { <p class="nothing" role="status">"No measurement that is predicted matches. "<a href="/validation">"Show all"</a></p> }.into_any(),
    };
    let paragraphs: Vec<_> = explanation(report).into_iter().map(|text| view! { <p>{text}</p> }).collect();
    let shown = if filter.is_empty() {
        format!("All {}.", format::plural(rows.len() as f64, "measurement", "measurements"))
    } else {
        format!(
            "{} of {}, {}.",
            format::count(rows.len() as f64),
            format::count(report.measurements as f64),
            filter.described()
        )
    };
    let change = (!filter.is_empty()).then(|| view! { " "<a href="#filter">"Change the filter"</a> });
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
                {filter.form(report)}
                {figure}
            </section>
            <section class="section" id="groups" aria-labelledby="groups-heading">
                <h2 id="groups-heading">"Errors by group"</h2>
                {tables::groups(&report.summaries)}
            </section>
            <section class="section" id="measurements" aria-labelledby="measurements-heading">
                <h2 id="measurements-heading">"Every measurement"</h2>
                <p class="quiet">{shown}{change}</p>
                {tables::measurements(&rows)}
            </section>
        </main>
    }
    .into_any()
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
