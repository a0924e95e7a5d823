//! The answer in one line, for where there is no room for a sentence.

use crate::format;
use engine::Plan;

/// Cluster, cost of the run and time, such as `104 × B200 · $787K · 41.0 days`.
pub fn brief(plan: &Plan) -> String {
    let tier = plan.shown();
    let Some(cluster) = tier.and_then(|t| t.cluster.as_ref()) else {
        return "Nothing that is allowed can hold this model".into();
    };
    let cost = tier.and_then(|t| t.cost.as_ref()).map(|cost| format::money(cost.total_usd.typical));
    let days = tier.and_then(|t| t.days.as_ref()).map(|days| format::days(days.typical));
    let name = format!("{} × {}", format::count(f64::from(cluster.gpus)), cluster.accelerator_short);
    let parts: Vec<String> = [Some(name), cost, days].into_iter().flatten().collect();
    let limits = if plan.recommended.is_some() { "" } else { "Limits not met; nearest: " };
    format!("{limits}{}", parts.join(" · "))
}
