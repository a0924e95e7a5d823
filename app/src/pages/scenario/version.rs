//! One version of a scenario, as it was; two of them beside one another; and the inputs planned again today.

use super::history::{restore_form, time, who_and_why};
use crate::backend::UiError;
use crate::backend::scenarios::{AgainView, DifferenceView, VersionView};
use crate::comparison::Comparison;
use crate::components::{Purpose, Results, comparison_table};
use crate::flash;
use crate::inputs::Origin;
use crate::pages::Description;
use crate::pages::compare::rows_switch;
use crate::pages::not_found::{NotFound, PrivateScenario};
use crate::pages::{explained, has_flag, problem, query_value};
use crate::server_functions::{scenarios, set_status};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;
use std::sync::Arc;

fn param(name: &str) -> String {
    use_params_map().get_untracked().get(name).unwrap_or_default()
}

/// What can't be shown.
fn failed(error: &UiError) -> AnyView {
    match error.code.as_str() {
        "not_found" => view! { <PrivateScenario /> }.into_any(),
        _ => problem(error),
    }
}

/// The planner with the inputs of a version, and where they began.
pub(crate) fn planner(query: &str, scenario: &str, current: i64) -> String {
    let origin = u32::try_from(current).ok().map(|version| Origin { scenario: scenario.to_owned(), version });
    match origin {
        Some(origin) => format!("/?{query}&{}", origin.query()),
        None => format!("/?{query}"),
    }
}

fn crumbs(id: &str, name: &str) -> AnyView {
    let href = format!("/scenarios/{}", flash::segment(id));
    view! {
        <nav class="crumbs" aria-label="Breadcrumb"><a href="/scenarios">"Scenarios"</a>" / "<a href=href dir="auto">{name.to_owned()}</a></nav>
    }
    .into_any()
}

/// A version of a scenario, read only.
#[component]
pub fn VersionPage() -> impl IntoView {
    let (id, number) = (param("id"), param("number").parse::<i64>().ok().filter(|number| *number > 0));
    let (figure, here) = (explained::asked_for(), explained::here());
    Suspend::new(async move {
        let Some(number) = number else { return view! { <NotFound /> }.into_any() };
        let found = match scenarios() {
            Ok(scenarios) => scenarios.version(id, Some(number)).await,
            Err(error) => Err(error),
        };
        match (found, figure) {
            (Ok(found), Some(key)) => explained::page(Arc::new(found.plan), &key, here, Purpose::Frozen).await,
            (Ok(found), None) => version(found),
            (Err(error), _) => failed(&error),
        }
    })
}

fn version(found: VersionView) -> AnyView {
    let VersionView { scenario, version, plan, may_change } = found;
    let title = format!("{}, version {}", scenario.name, version.number);
    let is_current = version.number == scenario.number;
    let versions = format!("Plan with engine {}, catalog {}", version.engine_version, version.catalog_version);
    let query = version.query.clone();
    let files = format!("/scenarios/{}/versions/{}/plan", flash::segment(&scenario.id), version.number);
    let open = planner(&query, &scenario.id, scenario.number);
    let difference = (!is_current).then(|| {
        let href = format!(
            "/scenarios/{}/difference?from={}&to={}",
            flash::segment(&scenario.id),
            version.number,
            scenario.number
        );
        view! { <a class="button" href=href>{format!("Compare with version {}", scenario.number)}</a> }
    });
    let restore = (may_change && !is_current).then(|| restore_form(&scenario.id, version.number));
    let standing = if is_current { "This is the current version." } else { "This is an earlier version." };
    view! {
        <Title text=format!("{title} · Clusterwright") />
        <Description text=plan.headline.clone() />
        <main class="page" id="main">
            {crumbs(&scenario.id, &scenario.name)}
            <div class="page-head">
                <div>
                    <p class="eyebrow">{versions}", frozen on "{time(&version.frozen_at)}</p>
                    <h1 dir="auto">{title}</h1>
                </div>
                <div class="actions">
                    <a class="button button-primary" href=open>"Open these inputs in the planner"</a>
                    {difference}
                    {restore}
                </div>
            </div>
            <p class="quiet">{standing}" Saved on "{time(&version.saved_at)}". "{who_and_why(&version)}"."</p>
            <div id="results"><Results plan=Arc::new(plan) query=query purpose=Purpose::Frozen files=files /></div>
            <p class="visually-hidden" role="status" id="announcer"></p>
        </main>
    }
    .into_any()
}

/// Two versions of a scenario.
#[component]
pub fn DifferencePage() -> impl IntoView {
    let id = param("id");
    let number = |name: &str| query_value(name).parse::<i64>().ok().filter(|number| *number > 0);
    let pair = number("from").zip(number("to"));
    let all = has_flag("all");
    Suspend::new(async move {
        let Some((from, to)) = pair else {
            // what belongs to others is not there, whatever is asked of it
            let found = match scenarios() {
                Ok(scenarios) => scenarios.version(id, None).await,
                Err(error) => Err(error),
            };
            return failed(&found.err().unwrap_or_else(|| {
                UiError::new(
                    "invalid_request",
                    "Choose two versions on the page of the scenario: one to compare from, one to compare with.",
                )
            }));
        };
        let found = match scenarios() {
            Ok(scenarios) => scenarios.difference(id, from, to).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(found) => difference(found, all),
            Err(error) => failed(&error),
        }
    })
}

fn difference(found: DifferenceView, all: bool) -> AnyView {
    let DifferenceView { from, to, comparison } = found;
    let (id, name) = (from.scenario.id.clone(), from.scenario.name.clone());
    let title = format!("Version {} and version {}", from.version.number, to.version.number);
    let here =
        format!("/scenarios/{}/difference?from={}&to={}", flash::segment(&id), from.version.number, to.version.number);
    let told: Vec<_> = [&from, &to]
        .into_iter()
        .map(|one| {
            let href = format!("/scenarios/{}/versions/{}", flash::segment(&id), one.version.number);
            view! {
                <li>
                    <a href=href>{format!("Version {}", one.version.number)}</a>
                    <p>{one.version.headline.clone()}</p>
                    <p class="quiet">{time(&one.version.saved_at)}". "{who_and_why(&one.version)}</p>
                </li>
            }
        })
        .collect();
    view! {
        <Title text=format!("{title} · {name} · Clusterwright") />
        <Description text=format!("{name}: what differs between two of its versions, inputs and figures.") />
        <main class="page" id="main">
            {crumbs(&id, &name)}
            <div class="page-head"><h1>{title}</h1></div>
            <ul class="compared">{told}</ul>
            <section class="section section-first" aria-labelledby="table-heading">
                <h2 id="table-heading">"What differs"</h2>
                {all_switch(&here, all, &comparison)}
                {table(comparison, all)}
            </section>
        </main>
    }
    .into_any()
}

/// Here only differences show unless all is asked for.
fn all_switch(here: &str, all: bool, comparison: &Comparison) -> AnyView {
    let differences = comparison.differences();
    let text = match differences {
        0 => "Nothing differs: inputs and figures are the same.".to_owned(),
        1 => "One row differs.".into(),
        many => format!("{many} rows differ."),
    };
    let current = |on: bool| on.then_some("true");
    let join = if here.contains('?') { '&' } else { '?' };
    view! {
        <p class="rows-switch">
            <span class="quiet">{text}</span>
            <a class="button button-small" href=here.to_owned() aria-current=current(!all)>"Only differences"</a>
            <a class="button button-small" href=format!("{here}{join}all=1") aria-current=current(all)>"All rows"</a>
        </p>
    }
    .into_any()
}

fn table(comparison: Comparison, all: bool) -> Option<AnyView> {
    let shown = if all { comparison } else { comparison.only_differences() };
    (!shown.groups.is_empty()).then(|| comparison_table(&shown, "Two plans beside one another", &[]))
}

/// The frozen plan beside the same inputs planned today.
#[component]
pub fn AgainPage() -> impl IntoView {
    let id = param("id");
    let only = has_flag("only");
    Suspend::new(async move {
        let found = match scenarios() {
            Ok(scenarios) => scenarios.again(id.clone()).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(found) => again(found, only),
            Err(error) if error.code == "invalid_request" => outdated(&id, &error),
            Err(error) => failed(&error),
        }
    })
}

/// The inputs name what today's catalog does not have.
fn outdated(id: &str, error: &UiError) -> AnyView {
    set_status(error.status());
    let href = format!("/scenarios/{}", flash::segment(id));
    view! {
        <Title text="Plan again · Clusterwright" />
        <Description text="These inputs can't be planned for with today's catalog." />
        <main class="page page-narrow" id="main">
            <h1>"These inputs can't be planned for today"</h1>
            <p class="message message-critical" role="alert">{error.message.clone()}</p>
            <p class="actions"><a class="button" href=href>"Back to the frozen plan"</a></p>
        </main>
    }
    .into_any()
}

/// Whether the figures are others, and what has changed since: catalog, engine, or the price book of the team.
fn finding(comparison: &Comparison) -> String {
    let mut figures = comparison.groups.iter().filter(|group| group.id != "inputs").flat_map(|group| &group.rows);
    if figures.all(|row| !row.differs) {
        return "Today's catalog, engine and prices give the same figures as the frozen plan.".into();
    }
    let mut causes = Vec::new();
    if let [then, today] = comparison.columns.as_slice() {
        let pairs = [
            ("catalog", &then.catalog_version, &today.catalog_version),
            ("engine", &then.engine_version, &today.engine_version),
        ];
        let changed = pairs.iter().filter(|(_, then, today)| then != today);
        causes.extend(changed.map(|(what, then, today)| format!("{what} {then} then, {today} today")));
    }
    // the inputs are the same: what differs among the own figures is of the price book
    let inputs = comparison.groups.iter().filter(|group| group.id == "inputs").flat_map(|group| &group.rows);
    let quotes: Vec<&str> =
        inputs.filter(|row| row.differs && row.key.starts_with("overrides.")).map(|row| row.label.as_str()).collect();
    match quotes.as_slice() {
        [] => {}
        [first] => causes.push(format!("a quote in your team's price book ({first})")),
        [first, more @ ..] => causes.push(format!("your team's price book ({first}, and {} more)", more.len())),
    }
    if causes.is_empty() {
        return "The plan of today has other figures than the frozen one.".into();
    }
    format!("The plan of today has other figures than the frozen one. What has changed since: {}.", causes.join("; "))
}

fn again(found: AgainView, only: bool) -> AnyView {
    let AgainView { scenario, today, comparison, may_change } = found;
    let here = format!("/scenarios/{}/again", flash::segment(&scenario.id));
    let differences = comparison.differences();
    let finding = finding(&comparison);
    let keep = may_change.then(|| {
        view! {
            <form method="post" action="/api/fn/keep_again">
                <input type="hidden" name="id" value=scenario.id.clone() />
                <input type="hidden" name="base" value=scenario.number />
                <button class="button button-primary" type="submit">"Keep as a new version"</button>
            </form>
        }
    });
    let shown = if only { comparison.only_differences() } else { comparison };
    let table = (!shown.groups.is_empty()).then(|| comparison_table(&shown, "The frozen plan and today's", &[]));
    view! {
        <Title text=format!("Planned again · {} · Clusterwright", scenario.name) />
        <Description text=format!("A frozen plan beside the same inputs planned today. {}", today.headline) />
        <main class="page" id="main">
            {crumbs(&scenario.id, &scenario.name)}
            <div class="page-head">
                <div>
                    <p class="eyebrow">"Version "{scenario.number}", frozen on "{time(&scenario.frozen_at)}</p>
                    <h1>"The same inputs, planned today"</h1>
                </div>
                <div class="actions">{keep}</div>
            </div>
            <p class="lead">{finding}</p>
            <ul class="compared">
                <li><b>"Frozen"</b><p>{scenario.headline.clone()}</p></li>
                <li><b>"Today"</b><p>{today.headline.clone()}</p></li>
            </ul>
            <section class="section section-first" aria-labelledby="table-heading">
                <h2 id="table-heading">"Key figures"</h2>
                {rows_switch(&here, only, differences)}
                {table}
            </section>
        </main>
    }
    .into_any()
}
