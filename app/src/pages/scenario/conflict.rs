//! Someone else was faster: both are shown, and nothing that was typed is lost.

use super::history::{time, who_and_why};
use super::texts::describe_fields;
use super::version::planner;
use crate::backend::ScenarioSummary;
use crate::backend::scenarios::VersionView;
use crate::comparison::{Side, compare};
use crate::components::{Message, comparison_table, scenario_name};
use crate::flash;
use crate::inputs::Inputs;
use crate::pages::Description;
use crate::pages::not_found::PrivateScenario;
use crate::pages::{problem, query_value};
use crate::server_functions::{accounts, backend, scenarios};
use engine::Plan;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;
use std::sync::Arc;

/// Name of the pair of the address that says why texts can't be saved, where nobody else was faster.
pub(crate) const WHY: &str = "why";

/// The form that met a newer version, as it was sent: the server puts it into the extensions of the request.
#[derive(Clone, Debug, Default)]
pub struct Posted(pub Vec<(String, String)>);

impl Posted {
    fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Both sides of a conflict; without a form that was sent it leads to the scenario.
#[component]
pub fn ConflictPage() -> impl IntoView {
    let id = use_params_map().get_untracked().get("id").unwrap_or_default();
    let posted = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Posted>().cloned());
    let why = Some(query_value(WHY)).filter(|why| !why.is_empty());
    Suspend::new(async move {
        let theirs = match scenarios() {
            Ok(scenarios) => scenarios.version(id.clone(), None).await,
            Err(error) => Err(error),
        };
        let theirs = match theirs {
            Ok(theirs) => theirs,
            Err(error) if error.code == "not_found" => return view! { <PrivateScenario /> }.into_any(),
            Err(error) => return problem(&error),
        };
        let Some(posted) = posted else {
            leptos_axum::redirect(&format!("/scenarios/{}", flash::segment(&id)));
            return ().into_any();
        };
        if let Some(name) = posted.value("name") {
            return names(&theirs.scenario, name, why);
        }
        if posted.value("notes").is_some() || posted.value("tags").is_some() {
            let value = |name: &str| posted.value(name).unwrap_or_default();
            return descriptions(&theirs.scenario, value("notes"), value("tags"), why);
        }
        let inputs = match posted.value("query") {
            Some(query) => Inputs::from_query(query),
            None => planned_again(&id, &posted, &theirs).await,
        };
        let mine = match (inputs.request(), backend()) {
            (Ok(request), Ok(backend)) => backend.plan(request, inputs.prices()).await.ok().map(|planned| planned.plan),
            _ => None,
        };
        let viewer = match accounts() {
            Ok(accounts) => accounts.viewer().await.ok().flatten(),
            Err(_) => None,
        };
        let saver = Saver::of(&theirs.version.who, viewer.as_ref().map(|viewer| viewer.email.as_str()));
        match mine {
            Some(mine) => plans(&theirs, &mine, &inputs, &saver),
            None => {
                leptos_axum::redirect(&format!("/?{}", inputs.query()));
                ().into_any()
            }
        }
    })
}

/// Who saved the version that was faster.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Saver {
    /// Who looks: in another tab, or on another machine.
    Self_,
    /// Someone else of the team, by their address or in other words.
    Other(String),
}

impl Saver {
    /// Without an account only the same browser may save.
    fn of(who: &str, viewer: Option<&str>) -> Self {
        match viewer {
            Some(email) if email != who => Self::Other(who.to_owned()),
            _ => Self::Self_,
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Self_ => "You have saved a version since, in another tab or window".into(),
            Self::Other(who) => format!("{who} has saved a version since"),
        }
    }

    /// Whose the saved version is, before its number, and in a sentence.
    fn whose(&self) -> (&'static str, &'static str) {
        match self {
            Self::Self_ => ("Saved", "The saved one"),
            Self::Other(_) => ("Theirs", "Theirs"),
        }
    }
}

/// The inputs that were planned again: those of the version that the page showed.
async fn planned_again(id: &str, posted: &Posted, theirs: &VersionView) -> Inputs {
    let base = posted.value("base").and_then(|number| number.parse().ok());
    let shown = match (scenarios(), base) {
        (Ok(scenarios), Some(base)) => scenarios.version(id.to_owned(), Some(base)).await.ok(),
        _ => None,
    };
    Inputs::from_query(&shown.as_ref().unwrap_or(theirs).version.query)
}

/// The page. A step back from what follows can't show it again, because what was sent is not kept: scripts leave the
/// address of the scenario in its place.
fn frame(scenario: &ScenarioSummary, title: String, children: AnyView) -> AnyView {
    let href = format!("/scenarios/{}", flash::segment(&scenario.id));
    let leave = href.clone();
    view! {
        <Title text=format!("{title} · Clusterwright") />
        <Description text="A scenario was changed by two at once: what each has, and the ways out." />
        <main class="page" id="main" data-leave=leave>
            <nav class="crumbs" aria-label="Breadcrumb"><a href=href dir="auto">{scenario.name.clone()}</a></nav>
            <div class="page-head"><h1>{title}</h1></div>
            {children}
        </main>
    }
    .into_any()
}

/// Two plans, and three ways out.
fn plans(theirs: &VersionView, mine: &Arc<Plan>, inputs: &Inputs, saver: &Saver) -> AnyView {
    let scenario = &theirs.scenario;
    let version = &theirs.version;
    let (whose, stays) = saver.whose();
    let title = format!("{whose}: version {}", version.number);
    let comparison = compare(&[Side::new(title.clone(), &theirs.plan), Side::new("Yours, not saved", mine)]);
    let differences = comparison.differences();
    let table =
        (differences > 0).then(|| comparison_table(&comparison.only_differences(), "The saved plan and yours", &[]));
    let same = (differences == 0)
        .then(|| view! { <p class="nothing">"The two have the same inputs and the same figures."</p> });
    let query = inputs.plain_query();
    let back = planner(&query, &scenario.id, scenario.number);
    let id = scenario.id.clone();
    let page = format!("/scenarios/{}", flash::segment(&id));
    let body = view! {
        <p class="lead">"Nothing is saved yet, and nothing is lost. Choose what becomes of yours."</p>
        <ul class="compared">
            <li>
                <b>{title}</b>
                <p>{version.headline.clone()}</p>
                <p class="quiet">{time(&version.saved_at)}". "{who_and_why(version)}</p>
            </li>
            <li><b>"Yours, not saved"</b><p>{mine.headline.clone()}</p></li>
        </ul>
        <section class="section section-first" aria-labelledby="ways-heading">
            <h2 id="ways-heading">"Three ways out"</h2>
            <div class="ways">
                <form method="post" action="/api/fn/save_version">
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="base" value=scenario.number />
                    <input type="hidden" name="query" value=inputs.query() />
                    <p>{format!("Yours becomes the newest version. {stays} stays in the history.")}</p>
                    <button class="button button-primary" type="submit">"Save mine as the newest version"</button>
                </form>
                <form method="post" action="/api/fn/save_scenario">
                    <input type="hidden" name="query" value=query />
                    <label for="conflict-name">"Yours becomes a scenario of its own, named"</label>
                    <input class="input" id="conflict-name" name="name" type="text" maxlength="120" autocomplete="off" value=scenario_name(&mine.request) />
                    <button class="button" type="submit">"Save mine as a new scenario"</button>
                </form>
                <div>
                    <p>{format!("{stays} stays as it is, and yours is not kept.")}</p>
                    <a class="button" href=page>"Drop mine"</a>
                    <p class="quiet">"Or "<a href=back>"go on with your inputs in the planner"</a>"."</p>
                </div>
            </div>
        </section>
        <section class="section" aria-labelledby="table-heading">
            <h2 id="table-heading">"What differs"</h2>
            {same}
            {table}
        </section>
    };
    frame(scenario, saver.title(), body.into_any())
}

/// Two names.
fn names(theirs: &ScenarioSummary, mine: &str, why: Option<String>) -> AnyView {
    let fields = view! {
        <label for="mine-name">"Name"</label>
        <input class="input" id="mine-name" name="name" type="text" required maxlength="120" value=mine.to_owned() />
    };
    let shown = view! { <p class="notes" dir="auto">{theirs.name.clone()}</p> };
    texts(theirs, "/api/fn/rename_scenario", (shown.into_any(), fields.into_any()), why)
}

/// Two notes, with tags.
fn descriptions(theirs: &ScenarioSummary, notes: &str, tags: &str, why: Option<String>) -> AnyView {
    let their_notes = if theirs.notes.is_empty() { "No notes".to_owned() } else { theirs.notes.clone() };
    let their_tags =
        if theirs.tags.is_empty() { "No tags".to_owned() } else { format!("Tags: {}", theirs.tags.join(", ")) };
    let shown = view! { <p class="notes" dir="auto">{their_notes}</p><p class="quiet" dir="auto">{their_tags}</p> };
    texts(theirs, "/api/fn/describe_scenario", (shown.into_any(), describe_fields("mine", notes, tags)), why)
}

/// What is saved beside what is not: someone else was faster, or what was typed can't be used.
fn texts(
    theirs: &ScenarioSummary,
    action: &'static str,
    (shown, fields): (AnyView, AnyView),
    why: Option<String>,
) -> AnyView {
    let page = format!("/scenarios/{}", flash::segment(&theirs.id));
    let title = match why {
        Some(_) => "This can't be saved as it is",
        None => "This has been changed since you opened it",
    };
    let lead = match &why {
        Some(_) => "Nothing is saved yet, and nothing is lost. Mend yours and save it again.",
        None => {
            "Someone else has changed it, or you have in another tab or window. Nothing of yours is saved yet, and nothing is lost: take over what you like into yours before you save."
        }
    };
    let saved = if why.is_some() { "As it is saved" } else { "As it is saved now" };
    let body = view! {
        {why.map(|text| view! { <Message tone="critical" text=text /> })}
        <p class="lead">{lead}</p>
        <div class="sides">
            <section aria-labelledby="theirs-heading">
                <h2 id="theirs-heading">{saved}</h2>
                <p class="quiet">{time(&theirs.updated_at)}</p>
                {shown}
            </section>
            <section aria-labelledby="mine-heading">
                <h2 id="mine-heading">"Yours, not saved"</h2>
                <form class="sides-form" method="post" action=action>
                    <input type="hidden" name="id" value=theirs.id.clone() />
                    <input type="hidden" name="edition" value=theirs.edition />
                    {fields}
                    <p class="actions">
                        <button class="button button-primary" type="submit">"Save mine"</button>
                        <a class="button" href=page>"Drop mine"</a>
                    </p>
                </form>
            </section>
        </div>
    };
    frame(theirs, title.to_owned(), body.into_any())
}
