//! The versions of a scenario: looking at one, comparing two, restoring one.

use crate::backend::ScenarioDetail;
use crate::backend::scenarios::VersionSummary;
use crate::flash;
use crate::format;
use leptos::prelude::*;

/// Id of the form that the choices of two versions belong to.
const FORM: &str = "versions";

/// All versions, newest first.
pub(super) fn history(scenario: &ScenarioDetail) -> AnyView {
    let id = flash::segment(&scenario.summary.id);
    let several = scenario.versions.len() > 1;
    let rows: Vec<_> =
        scenario.versions.iter().enumerate().map(|(place, version)| row(scenario, place, version)).collect();
    let choose = several.then(|| view! { <th scope="col">"From"</th><th scope="col">"To"</th> });
    let form = several.then(|| {
        let action = format!("/scenarios/{id}/difference");
        view! {
            <form id=FORM class="inline-form" method="get" action=action>
                <button class="button" type="submit">"Compare the two chosen versions"</button>
            </form>
        }
    });
    let count = format::plural(scenario.versions.len() as f64, "version", "versions");
    let oldest = scenario.versions.last().map_or(1, |version| version.number);
    let dropped = (oldest > 1).then(|| format!(" The newest 100 are kept; those before {oldest} are gone."));
    view! {
        <section class="section" id="history" aria-labelledby="history-heading">
            <h2 id="history-heading">"History"</h2>
            <p class="quiet">{count}". Saving adds one and changes none."{dropped}</p>
            <div class="block-tall">
                <div class="scroll" role="region" tabindex="0" aria-label="Versions">
                    <table class="data history">
                        <caption class="visually-hidden">"Versions of this scenario, newest first"</caption>
                        <thead><tr><th scope="col">"Version"</th>{choose}<th scope="col">"Saved"</th><th scope="col">"Plan"</th></tr></thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </div>
            {form}
        </section>
    }
    .into_any()
}

fn row(scenario: &ScenarioDetail, place: usize, version: &VersionSummary) -> AnyView {
    let number = version.number;
    let id = &scenario.summary.id;
    let href = format!("/scenarios/{}/versions/{number}", flash::segment(id));
    let is_current = number == scenario.summary.number;
    let current = is_current.then(|| view! { <small>"current"</small> });
    let choose = (scenario.versions.len() > 1).then(|| {
        let radio = |name: &'static str, chosen: bool, word: &str| {
            let label = format!("Compare {word} version {number}");
            view! { <td><input type="radio" form=FORM name=name value=number checked=chosen aria-label=label /></td> }
        };
        view! { {radio("from", place == 1, "from")}{radio("to", place == 0, "with")} }
    });
    let restore = (scenario.may_change && !is_current).then(|| restore_form(id, number));
    view! {
        <tr>
            <th scope="row"><a href=href>{format!("Version {number}")}</a>{current}</th>
            {choose}
            <td>{time(&version.saved_at)}<small>{who_and_why(version)}</small></td>
            <td>{version.headline.clone()}{restore}</td>
        </tr>
    }
    .into_any()
}

/// A time for people and for programs.
pub(super) fn time(iso: &str) -> AnyView {
    view! { <time datetime=iso.to_owned() title=iso.to_owned()>{format::moment(iso)}</time> }.into_any()
}

/// `ada@example.com: restored from 2`.
pub(super) fn who_and_why(version: &VersionSummary) -> String {
    format!("{}: {}", version.who, version.reason)
}

/// The button that makes a version the newest.
pub(super) fn restore_form(id: &str, number: i64) -> AnyView {
    view! {
        <form class="row-form" method="post" action="/api/fn/restore_version">
            <input type="hidden" name="id" value=id.to_owned() />
            <input type="hidden" name="number" value=number />
            <button class="button button-small" type="submit">{format!("Restore version {number}")}</button>
        </form>
    }
    .into_any()
}
