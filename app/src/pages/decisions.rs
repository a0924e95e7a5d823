//! Which, and why: what people decide by rules of thumb, computed for one plan.

use crate::backend::Decided;
use crate::format;
use crate::inputs::Inputs;
use crate::pages::Description;
use crate::pages::{has_empty_fields, problem};
use crate::server_functions::{backend, set_status};
use engine::decisions::{Decision, DecisionFigure};
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// The page; its address is that of the planner with another path.
#[component]
pub fn DecisionsPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let inputs = Inputs::of_page(&query);
    if has_empty_fields(&query) {
        leptos_axum::redirect(&format!("/decisions?{}", inputs.query()));
        return ().into_any();
    }
    let planner = format!("/?{}", inputs.query());
    let page = Suspend::new(async move {
        let Ok(request) = inputs.request() else { return sent_back(&planner) };
        let decided = match backend() {
            Ok(backend) => backend.decisions(request, inputs.prices()).await,
            Err(error) => Err(error),
        };
        match decided {
            Ok(decided) => body(&decided, &planner),
            Err(error) if error.code == "invalid_request" => sent_back(&planner),
            Err(error) => problem(&error),
        }
    });
    view! {
        <Title text="Which, and why · Clusterwright" />
        <Description text="Fabric, accelerator, topology, precision, buying and team: each choice of a plan computed, with what would turn it." />
        {page}
    }
    .into_any()
}

/// The form says what is wrong, beside each field: a browser is led there.
fn sent_back(planner: &str) -> AnyView {
    set_status(422);
    leptos_axum::redirect(planner);
    view! {
        <main class="page page-narrow" id="main">
            <h1>"Some inputs need attention before there is a plan"</h1>
            <p class="actions"><a class="button" href=planner.to_owned()>"See which"</a></p>
        </main>
    }
    .into_any()
}

/// Everything under the head of the document.
fn body(decided: &Decided, planner: &str) -> AnyView {
    let content = if decided.decisions.is_empty() { nothing(planner) } else { choices(&decided.decisions) };
    view! {
        <main class="page page-prose" id="main">
            <nav class="crumbs" aria-label="Breadcrumb"><a href=planner.to_owned()>"Back to the plan"</a></nav>
            <h1>"Which, and why"</h1>
            <p class="lead">{decided.plan.headline.clone()}</p>
            {content}
            <p class="quiet">"What practitioners say of the same questions: "<a href="/rules">"rules of thumb, checked"</a>"."</p>
        </main>
    }
    .into_any()
}

fn choices(decisions: &[Decision]) -> AnyView {
    let links: Vec<_> =
        decisions.iter().map(|d| view! { <li><a href=format!("#{}", d.key)>{d.question.clone()}</a></li> }).collect();
    let parts: Vec<_> = decisions.iter().map(decision).collect();
    let count = format::plural(decisions.len() as f64, "choice", "choices");
    view! {
        <p>{format!("{count} behind this plan, each computed for its own cluster rather than taken from a rule. A choice that can’t be computed here is left out.")}</p>
        <nav class="contents" aria-label="Choices"><ul>{links}</ul></nav>
        {parts}
    }
    .into_any()
}

fn decision(decision: &Decision) -> AnyView {
    let heading = format!("{}-heading", decision.key);
    let figures: Vec<_> = decision.because.iter().map(figure).collect();
    let figures = (!figures.is_empty()).then(|| view! { <dl class="because">{figures}</dl> });
    let turns = match &decision.turns_at {
        Some(at) => view! { <p class="turns"><b>"What would turn it: "</b>{at.clone()}</p> }.into_any(),
        None => view! { <p class="quiet">"Nothing that is computed here would turn it."</p> }.into_any(),
    };
    view! {
        <section class="prose-part" id=decision.key.clone() aria-labelledby=heading>
            <h2 id=heading.clone()>{decision.question.clone()}</h2>
            <p>{decision.answer.clone()}</p>
            {figures}
            {turns}
        </section>
    }
    .into_any()
}

fn figure(figure: &DecisionFigure) -> AnyView {
    view! { <div><dt>{figure.label.clone()}</dt><dd>{value(figure)}</dd></div> }.into_any()
}

/// The value with its unit: what is counted is counted whole.
fn value(figure: &DecisionFigure) -> String {
    match figure.unit.as_str() {
        unit @ ("devices" | "ports" | "switches") => {
            format!("{} {}", format::count(figure.value), format::unit_of(figure.value, unit))
        }
        unit => format::measure(figure.value, unit),
    }
}

/// The plan shows no cluster: there is nothing to choose about.
fn nothing(planner: &str) -> AnyView {
    view! {
        <div class="empty">
            <p>"The plan shows no cluster that fits, so there is nothing to choose between yet. The planner says what is in the way."</p>
            <p class="actions"><a class="button button-primary" href=planner.to_owned()>"Back to the plan"</a></p>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::fixture;
    use std::sync::Arc;

    fn page(plan: engine::Plan) -> String {
        let decisions = engine::decisions(&plan);
        let decided = Decided { plan: Arc::new(plan), decisions };
        Owner::new().with(|| body(&decided, "/?a=1&b=2").to_html())
    }

    #[test]
    fn each_choice_has_its_answer_its_figures_and_what_turns_it() {
        let html = page(fixture::plan());
        let decisions = engine::decisions(&fixture::plan());
        assert!(decisions.len() > 5);
        for decision in &decisions {
            assert!(html.contains(&format!("id=\"{}\"", decision.key)), "{}", decision.key);
            for figure in &decision.because {
                assert!(html.contains(&value(figure)), "{}: {figure:?}", decision.key);
            }
        }
        let turned = decisions.iter().filter(|d| d.turns_at.is_some()).count();
        assert_eq!(html.matches("What would turn it").count(), turned);
        assert!(html.contains("href=\"/?a=1&amp;b=2\""));
        assert!(!html.contains(" style=") && !html.contains("NaN"));
    }

    #[test]
    fn a_plan_without_a_cluster_leads_back() {
        let inputs = Inputs::from_query("model.preset=llama-3.1-405b&accelerators=rtx-4090&max_gpus=8");
        let html = page(engine::plan(&inputs.request().unwrap()));
        assert!(html.contains("nothing to choose between") && html.contains("Back to the plan"), "{html}");
    }
}
