//! How well the cluster is used: by size, by month, and on the dashboards.

use super::{explanation, nothing, section as wrap, tables, yours};
use crate::charts::build;
use crate::components::FigureView;
use crate::format;
use engine::Plan;
use leptos::prelude::*;

/// Two charts, the next block of capacity, and what to watch.
pub(super) fn section(plan: &Plan) -> AnyView {
    let size = build::by_size(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let month = build::by_month(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let empty = (size.is_none() && month.is_none())
        .then(|| nothing("No cluster is shown, so there is no utilization to show."));
    let body = view! { {size}{month}{next_block(plan)}{empty}{tables::health(plan)} };
    wrap("utilization", "Utilization", body.into_any())
}

/// When demand passes the capacity, and what to order until then.
fn next_block(plan: &Plan) -> Option<AnyView> {
    if plan.utilization.by_month.is_empty() {
        return None;
    }
    let (title, text) = match (plan.utilization.saturates_in_month, &plan.utilization.next_block) {
        (Some(month), Some(block)) => {
            let title = format!("Demand passes the owned capacity in month {month}");
            let gpus = format::count(f64::from(block.gpus));
            let lead = format::months(block.lead_time_months);
            let text = if block.overdue {
                format!(
                    "The next {gpus} GPUs are needed in month {}, sooner than the {lead} from order to work: order now, and rent what is above the capacity until they work.",
                    block.needed_in_month
                )
            } else {
                let order = match block.order_in_months {
                    months if months <= 0.0 => "now".to_owned(),
                    months => format!("in {}", format::months(months)),
                };
                format!(
                    "Order the next {gpus} GPUs {order}: they are needed in month {}, and take {lead} from order to work.",
                    block.needed_in_month
                )
            };
            (title, text)
        }
        (Some(month), None) => (format!("Demand passes the owned capacity in month {month}"), String::new()),
        (None, _) => {
            let text = "At this growth, demand stays within the owned capacity for ten years, so there is no next block to order.";
            ("Demand does not pass the owned capacity".into(), text.into())
        }
    };
    let how = explanation::key(plan, "utilization.next_block")
        .map(|key| explanation::button(key, "How this came about".into(), None));
    let own = yours::mark(plan, &["lead_time_months"]);
    Some(
        view! { <div class="block findings" id="next-block"><h3>{title}</h3><p>{text}</p><p class="quiet">{own}" "{how}</p></div> }
            .into_any(),
    )
}
