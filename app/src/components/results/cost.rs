//! Buying against renting.

use super::{nothing, section as wrap};
use crate::charts::build;
use crate::components::{Cell, DataTable, FigureView};
use crate::format;
use engine::Plan;
use leptos::prelude::*;

/// Curves and break-evens.
pub(super) fn section(plan: &Plan) -> AnyView {
    let by_month = build::cost_by_month(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let useful = build::useful_hour(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let empty = (by_month.is_none() && useful.is_none()).then(|| nothing("No price is known for the shown cluster, so buying and renting can't be compared. Set a price under “Site and own figures”."));
    wrap("cost", "Cost", view! { {by_month}{break_even(plan)}{useful}{empty} }.into_any())
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
            let months = match even.months {
                Some(months) if months > horizon => Cell::text(format::months(months)).note("after the horizon"),
                Some(months) => Cell::text(format::months(months)),
                None => Cell::text("never"),
            };
            let share = match even.utilization {
                Some(share) if share < 0.005 => "at any use".to_owned(),
                Some(share) => format!("above {} use", format::percent(share)),
                None => "at no use".into(),
            };
            vec![Cell::from(even.label.clone()), months, Cell::text(share)]
        })
        .collect();
    let head = ["Buying against", "#Pays back after", "#Cheaper over the horizon"].map(str::to_owned).to_vec();
    let caption = format!(
        "When buying pays back, at {} use and over {}",
        format::percent(plan.request.utilization),
        format::months(horizon)
    );
    Some(
        view! { <div class="block"><h3>{caption.clone()}</h3><DataTable caption=caption head=head rows=rows /></div> }
            .into_any(),
    )
}
