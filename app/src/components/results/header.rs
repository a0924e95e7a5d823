//! The sentence, what matters under it, and what can be done with the plan.

use super::Purpose;
use crate::backend::prices::BookUse;
use crate::backend::scenarios::Saving;
use crate::components::icons::{Icon, icon};
use engine::Plan;
use engine::answer::{Notice, Severity};
use leptos::prelude::*;

/// Headline, reasons, notices that matter, and actions.
pub(super) fn header(plan: &Plan, book: Option<&BookUse>, query: &str, purpose: Purpose, saving: &Saving) -> AnyView {
    let headline = match purpose {
        Purpose::Planner => view! { <h1 class="headline" id="headline">{plan.headline.clone()}</h1> }.into_any(),
        Purpose::Frozen => view! { <p class="headline">{plan.headline.clone()}</p> }.into_any(),
    };
    let reasons = match &plan.recommended {
        Some(recommended) => recommended.reasons.iter().map(|r| r.text.clone()).collect::<Vec<_>>(),
        None => plan.no_recommendation.iter().map(|r| r.text.clone()).collect(),
    };
    let reasons: Vec<_> = reasons.into_iter().map(|text| view! { <li>{text}</li> }).collect();
    let class = if plan.recommended.is_some() { "reasons" } else { "reasons reasons-none" };
    let mut notices: Vec<&Notice> = plan.notices.iter().filter(|n| n.severity > Severity::Info).collect();
    notices.sort_by_key(|n| std::cmp::Reverse(n.severity));
    let notices: Vec<_> = notices.into_iter().take(3).map(notice).collect();
    let notices = (!notices.is_empty()).then(|| view! { <ul class="notices" aria-label="Notices">{notices}</ul> });
    view! {
        <div class="answer">
            {headline}
            <ul class=class>{reasons}</ul>
            {notices}
            {super::yours::line(plan)}
            {book.and_then(|book| super::book::line(plan, book, query))}
            {super::given::given(plan, query)}
            {(purpose == Purpose::Planner).then(|| super::save::actions(plan, book, query, saving))}
        </div>
    }
    .into_any()
}

/// One notice with its sign.
pub(super) fn notice(notice: &Notice) -> AnyView {
    let (tone, sign, word) = match notice.severity {
        Severity::Info => ("info", Icon::Info, "Good to know"),
        Severity::Warning => ("warning", Icon::Warning, "Warning"),
        Severity::Critical => ("critical", Icon::Critical, "Critical"),
    };
    view! { <li class=format!("notice notice-{tone}")>{icon(sign)}<span><b>{word}": "</b>{notice.text.clone()}</span></li> }.into_any()
}
