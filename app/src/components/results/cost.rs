//! Buying against renting.

use super::{explanation, nothing, ownership, ranges, section as wrap};
use crate::charts::build;
use crate::components::{Cell, DataTable, FigureView};
use crate::format;
use engine::Plan;
use engine::answer::Hybrid;
use leptos::prelude::*;

/// Curves, break-evens, the split between owning and renting, and what owning takes.
pub(super) fn section(plan: &Plan) -> AnyView {
    let by_month = build::cost_by_month(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let useful = build::useful_hour(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let empty = (by_month.is_none() && useful.is_none()).then(|| nothing("No price is known for the shown cluster, so buying and renting can't be compared. Set a price under “Site and own figures”."));
    let body = view! {
        {ranges::block(plan)}
        {by_month}
        {split(plan)}
        {break_even(plan)}
        {useful}
        {ownership::block(plan)}
        {empty}
    };
    wrap("cost", "Cost", body.into_any())
}

/// The least-cost split, and what the hardware would fetch, each in a sentence.
fn split(plan: &Plan) -> Option<AnyView> {
    let comparison = &plan.cloud_vs_on_prem;
    let months = format::months(f64::from(plan.request.horizon_months));
    let hybrid = comparison.hybrid.as_ref().map(|hybrid| {
        let key = explanation::key(plan, "cloud_vs_on_prem.hybrid");
        let total = explanation::figure(key, format::money(hybrid.total_usd));
        let other = format!(
            " over {months} at the least cost of owning and of this rental, against {} when everything is rented from {}. {}",
            format::money(hybrid.own_nothing_usd),
            build::in_sentence(&hybrid.label),
            hybrid.assumption
        );
        view! { <h3>{split_in_words(hybrid)}</h3><p>{total}{other}</p> }
    });
    let resale = comparison.resale_usd.map(|usd| {
        let key = explanation::key(plan, "cloud_vs_on_prem.resale_usd");
        let typical = explanation::figure(key, format::money(usd.typical));
        let ends = format!(
            " ({}) if all of it is bought. The curves and break-evens leave this out.",
            format::money_range(usd.low, usd.high)
        );
        view! { <p>"After "{months.clone()}" the hardware may be sold for "{typical}{ends}</p> }
    });
    (hybrid.is_some() || resale.is_some())
        .then(|| view! { <div class="block findings" id="split">{hybrid}{resale}</div> }.into_any())
}

fn split_in_words(hybrid: &Hybrid) -> String {
    let nodes = format::plural(f64::from(hybrid.owned_nodes), "node", "nodes");
    let gpus = format::plural(f64::from(hybrid.owned_gpus), "GPU", "GPUs");
    let rival = build::in_sentence(&hybrid.label);
    match hybrid.owned_nodes {
        0 => format!("Own nothing, rent everything from {rival}"),
        _ if hybrid.rented_gpu_hours <= 0.0 => format!("Own {nodes} ({gpus}), rent nothing"),
        _ => format!(
            "Own {nodes} ({gpus}), rent the rest from {rival}, {} of the work",
            format::percent(hybrid.rented_gpu_hours / hybrid.work_gpu_hours.max(f64::MIN_POSITIVE))
        ),
    }
}

fn break_even(plan: &Plan) -> Option<AnyView> {
    let rivals = &plan.cloud_vs_on_prem.break_even;
    if rivals.is_empty() {
        return None;
    }
    let horizon = f64::from(plan.request.horizon_months);
    let rows = rivals
        .iter()
        .map(|even| {
            let key = |part: &str| explanation::key(plan, format!("break_even.{}.{part}", even.against));
            let months = match even.months {
                Some(months) => {
                    let late = if months > horizon { "after the horizon" } else { "" };
                    let worn = if even.within_life { "" } else { "after the hardware's life" };
                    Cell::text(format::months(months)).note(late).also(worn)
                }
                None => Cell::text("never"),
            };
            let share = match even.utilization {
                Some(share) if share < 0.005 => "at any use".to_owned(),
                Some(share) => format!("above {} use", format::percent(share)),
                None => "at no use".into(),
            };
            let share = Cell::text(share).explained(key("utilization"));
            vec![Cell::from(even.label.clone()), months.explained(key("months")), share]
        })
        .collect();
    let head = ["Buying against", "#Pays back after", "#Cheaper over the horizon"].map(str::to_owned).to_vec();
    let caption = format!(
        "When buying pays back, at {} use and over {}",
        format::percent(plan.request.utilization),
        format::months(horizon)
    );
    let note = "Soonest first, never last. “Never” is within ten years; resale is not counted.";
    Some(
        view! { <div class="block"><h3>{caption.clone()}</h3><p class="quiet">{note}</p><DataTable caption=caption head=head rows=rows class="data-cards" /></div> }
            .into_any(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_is_one_sentence() {
        let mut hybrid = Hybrid {
            assumption: String::new(),
            owned_nodes: 10,
            owned_gpus: 80,
            against: "on_demand-lambda".into(),
            label: "Lambda, on demand".into(),
            upfront_usd: 1.0,
            total_usd: 1.0,
            own_nothing_usd: 2.0,
            work_gpu_hours: 100.0,
            rented_gpu_hours: 5.0,
        };
        assert_eq!(
            split_in_words(&hybrid),
            "Own 10 nodes (80 GPUs), rent the rest from Lambda (on demand), 5% of the work"
        );
        hybrid.rented_gpu_hours = 0.0;
        assert_eq!(split_in_words(&hybrid), "Own 10 nodes (80 GPUs), rent nothing");
        hybrid.owned_nodes = 0;
        assert_eq!(split_in_words(&hybrid), "Own nothing, rent everything from Lambda (on demand)");
    }
}
