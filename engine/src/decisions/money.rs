//! From which use on to buy, and how many people it takes.

use super::Decision;
use super::scene::Scene;
use crate::advice::thousands;

/// From the comparison of the plan: the use from which on buying is cheaper over the horizon.
pub(super) fn buy_above(scene: &Scene<'_>) -> Option<Decision> {
    const QUESTION: &str = "Buy above which utilization?";
    let comparison = &scene.plan.cloud_vs_on_prem;
    let used = scene.request.utilization;
    let months = scene.request.horizon_months;
    if comparison.break_even.is_empty() {
        return None;
    }
    let lowest = comparison.break_even.iter().filter_map(|b| Some((b, b.utilization?)));
    let (first, last) =
        (lowest.clone().min_by(|a, b| a.1.total_cmp(&b.1)), lowest.clone().max_by(|a, b| a.1.total_cmp(&b.1)));
    let never = comparison.break_even.iter().find(|b| b.utilization.is_none());
    let cheapest = comparison.break_even.first()?;
    let answer = match (cheapest.utilization, first) {
        (Some(at), _) if used >= at => format!(
            "Above {:.0}% against {}, the cheapest rival over {months} months: at your {:.0}% buying is cheaper.",
            100.0 * at,
            cheapest.label,
            100.0 * used
        ),
        (Some(at), _) => format!(
            "Above {:.0}% against {}, the cheapest rival over {months} months: at your {:.0}% renting is cheaper.",
            100.0 * at,
            cheapest.label,
            100.0 * used
        ),
        (None, Some((rival, at))) => format!(
            "At none against {}, the cheapest rival over {months} months; above {:.0}% against {}.",
            cheapest.label,
            100.0 * at,
            rival.label
        ),
        (None, None) => format!("At none: every rental is cheaper over {months} months."),
    };
    let mut decision =
        Decision::new("buy_above", QUESTION, answer).with("utilization", "Your utilization", used, "share");
    for rival in &comparison.break_even {
        let Some(at) = rival.utilization else { continue };
        let label = format!("Buying is cheaper than {} from", rival.label);
        decision = decision.with(&rival.against, &label, at, "share");
    }
    let turn = match (first, last, never) {
        (Some((a, low)), Some((b, high)), _) if a.against != b.against => Some(format!(
            "The rival decides: {:.0}% against {}, {:.0}% against {}.",
            100.0 * low,
            a.label,
            100.0 * high,
            b.label
        )),
        (_, _, Some(rival)) => Some(format!("A price above that of {} for all {months} months.", rival.label)),
        _ => None,
    };
    Some(Decision { turns_at: turn, ..decision })
}

/// Engineers for the cluster: those of any site, and one more for so many servers. Both are judgement, and so is this.
pub(super) fn team(scene: &Scene<'_>) -> Option<Decision> {
    let nodes = scene.nodes();
    let (base, more) = (scene.inputs.staff_base(), scene.inputs.staff_of_nodes(nodes));
    let all = base.plus(more);
    let per_week = scene.plan.utilization.health.iter().find(|h| h.metric == "interruptions_per_week")?.expected;
    let hours = per_week * scene.inputs.restart_hours.value();
    let have = scene.request.team_size;
    let enough = match have {
        Some(n) if n + 1e-9 >= all.typical => format!(" Your {n} are enough."),
        Some(n) => format!(" You have {n}: {:.1} are missing.", all.typical - n),
        None => String::new(),
    };
    let answer = format!(
        "{:.1} engineers ({:.1} to {:.1}) to run {} {}, if you own them; a judgement, not a measurement.{enough}",
        all.typical,
        all.low,
        all.high,
        thousands(nodes),
        if nodes < 1.5 { "server" } else { "servers" }
    );
    let per = crate::catalog::Catalog::get().costs.staff_nodes_per_fte.value;
    let decision = Decision::new("team", "How many people does it take?", answer)
        .with("engineers", "Engineers", all.typical, "FTE")
        .with("base", "Of them, at any size", base.typical, "FTE")
        .with("interruptions", "Interruptions of the job", per_week, "per week")
        .with("restart_hours", "Hours of restarts", hours, "hours per week");
    Some(match scene.inputs.staff_fte {
        Some(_) => decision,
        None => decision.turning(format!("Each {} servers more take one more.", thousands(per))),
    })
}
