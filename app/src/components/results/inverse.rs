//! The questions the other way round: what the limits allow.

use super::{Purpose, candidate, explanation, section as wrap};
use crate::charts::build;
use crate::format;
use engine::Plan;
use engine::answer::Candidate;
use engine::request::Acquisition;
use leptos::prelude::*;

/// One answer: its question, itself with its figure, what goes with it, and the address of the planner on it.
struct Answer {
    question: &'static str,
    figure: Option<(Option<String>, String)>,
    text: String,
    planner: Option<(String, String)>,
}

/// Three answers.
pub(super) fn section(plan: &Plan, query: &str, purpose: Purpose) -> AnyView {
    let [smallest, most, buying] =
        [smallest(plan, query), most_tokens(plan, query), buying(plan, query)].map(|a| answer(a, purpose));
    wrap("inverse", "The other way round", view! { <div class="answers">{smallest}{most}{buying}</div> }.into_any())
}

fn answer(answer: Answer, purpose: Purpose) -> AnyView {
    let figure =
        answer.figure.map(|(key, text)| view! { <p class="answer-figure">{explanation::figure(key, text)}</p> });
    let planner = answer
        .planner
        .filter(|_| purpose == Purpose::Planner)
        .map(|(href, text)| view! { <p><a href=href>{text}</a></p> });
    view! { <div class="answer-box"><h3>{answer.question}</h3>{figure}<p class="quiet">{answer.text}</p>{planner}</div> }
        .into_any()
}

fn described(candidate: &Candidate) -> String {
    format!(
        "{}, {}; {} MFU as {}",
        format::money(candidate.total_usd),
        candidate::how(candidate),
        format::percent_fixed(candidate.mfu),
        candidate.layout.short()
    )
}

fn smallest(plan: &Plan, query: &str) -> Answer {
    let question = "The smallest cluster for the deadline";
    let key = explanation::key(plan, "inverse.smallest_for_deadline");
    match (&plan.inverse.smallest_for_deadline, plan.request.deadline_days) {
        (Some(found), _) => Answer {
            question,
            figure: Some((key, format!("{} in {}", build::candidate_name(found), format::days(found.days)))),
            text: format!("The fewest GPUs that finish in time, whatever they cost: {}.", described(found)),
            planner: Some((candidate::only(query, found, &[]), format!("Plan on {}", build::candidate_name(found)))),
        },
        (None, Some(days)) => Answer {
            question,
            figure: None,
            text: format!("No cluster that is allowed finishes within {}.", engine::limit_days(days)),
            planner: None,
        },
        (None, None) => Answer { question, figure: None, text: "Set a deadline to see it.".into(), planner: None },
    }
}

fn most_tokens(plan: &Plan, query: &str) -> Answer {
    let question = "The most tokens within the limits";
    let key = explanation::key(plan, "inverse.most_tokens");
    let limits: Vec<String> =
        [plan.request.budget_usd.map(engine::limit_usd), plan.request.deadline_days.map(engine::limit_days)]
            .into_iter()
            .flatten()
            .collect();
    let text = |text: String| Answer { question, figure: None, text, planner: None };
    match &plan.inverse.most_tokens {
        Some(most) => {
            let found = &most.candidate;
            let tokens = format::compact(most.training_tokens as f64);
            let own = [("training_tokens", most.training_tokens.to_string())];
            Answer {
                question,
                figure: Some((key, format!("{tokens} tokens"))),
                text: format!(
                    "Within {}, on {} in {}: {}.",
                    limits.join(" and "),
                    build::candidate_name(found),
                    format::days(found.days),
                    described(found)
                ),
                planner: Some((candidate::only(query, found, &own), format!("Plan for {tokens} tokens"))),
            }
        }
        None if limits.is_empty() => text("Set a budget or a deadline to see them.".into()),
        None => text(format!("Nothing that is allowed trains within {}.", limits.join(" and "))),
    }
}

fn buying(plan: &Plan, query: &str) -> Answer {
    let question = "The use from which buying wins";
    let key = explanation::key(plan, "inverse.buying_wins_from_utilization");
    let comparison = &plan.cloud_vs_on_prem;
    let months = format::months(f64::from(plan.request.horizon_months));
    let has = |prefix: &str| comparison.curves.iter().any(|c| c.id.starts_with(prefix));
    let text = |text: String| Answer { question, figure: None, text, planner: None };
    match plan.inverse.buying_wins_from_utilization {
        Some(share) => {
            // the first whole percent at which it does
            let percent = (share * 100.0).ceil().clamp(1.0, 100.0);
            let own = [("utilization", format!("{percent}%"))];
            Answer {
                question,
                figure: Some((key, format::percent(share))),
                text: format!(
                    "Over {months}, of {}; from there on buying costs less than the cheapest rental on demand. This plan has {}.",
                    format::plural(f64::from(comparison.gpus), "GPU", "GPUs"),
                    format::percent(plan.request.utilization)
                ),
                planner: Some((candidate::with(query, &own), format!("Plan at {percent}% use"))),
            }
        }
        None if has("buy") && has(Acquisition::OnDemand.id()) => {
            text(format!("At no use is buying cheaper over {months} than the cheapest rental on demand."))
        }
        None => text("There is no purchase price or no rental on demand to compare.".into()),
    }
}
