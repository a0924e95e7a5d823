//! Where the two field reports contradict each other, and what to use instead.

use engine::rules::{Contradiction, Rule, contradictions};
use leptos::prelude::*;

/// All of them.
pub(super) fn list(rules: &'static [Rule]) -> AnyView {
    let items: Vec<_> = contradictions().iter().map(|c| item(c, rules)).collect();
    view! { <ul class="contradictions">{items}</ul> }.into_any()
}

fn item(contradiction: &'static Contradiction, rules: &'static [Rule]) -> AnyView {
    let concerned: Vec<&Rule> =
        contradiction.rules.iter().filter_map(|id| rules.iter().find(|rule| rule.id == *id)).collect();
    let is_within_one = concerned.iter().all(|rule| rule.report == 2);
    let (first, second) =
        if is_within_one { ("Report 2 says", "and later") } else { ("Report 1 says", "Report 2 says") };
    // the rule may be filtered out of this page
    let links: Vec<_> = concerned
        .iter()
        .enumerate()
        .map(|(index, rule)| {
            let separator = (index > 0).then_some(", ");
            view! { {separator}<a href=format!("/rules#{}", rule.id)>{rule.id.clone()}</a> }
        })
        .collect();
    let id = format!("contradiction-{}", contradiction.id);
    view! {
        <li class="contradiction" id=id>
            <h3>{contradiction.topic.clone()}</h3>
            <dl>
                <div><dt>{first}</dt><dd>{contradiction.first.clone()}</dd></div>
                <div><dt>{second}</dt><dd>{contradiction.second.clone()}</dd></div>
                <div><dt>"Use instead"</dt><dd><b>{contradiction.use_instead.clone()}</b></dd></div>
            </dl>
            <p class="rule-foot">"Rules: "{links}</p>
        </li>
    }
    .into_any()
}
