//! Owning against renting: curves, useful hours, break-evens, the mix and resale.
//!
//! Each figure is an expression over prices and sums of the months' demand: month m, from 0, has the demand
//! (1 + growth)^m × (1 + seasonality × sin(2π·m ÷ 12)) of a steady month, and the price (1 + trend)^(m ÷ 12) of the first.

use super::{Book, Lists, REQUEST, input, term};
use crate::answer::{CostCurve, Hybrid, Plan, Term};
use crate::economics::comparison::{Crossing, Parts, Point, RivalParts, Sums};
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;

pub(super) fn comparison(plan: &Plan, inputs: &Inputs, lists: &Lists<'_>, parts: &Parts, book: &mut Book<'_>) {
    let c = &plan.cloud_vs_on_prem;
    let whole = Whole { plan, inputs, own: lists.own, goodput: lists.goodput, parts };
    for curve in &c.curves {
        whole.curve(curve, book);
    }
    for rival in &c.break_even {
        let of = parts.rivals.get(&rival.against);
        if let Some(value) = rival.months {
            let (formula, mut terms) = months(of);
            terms.extend(whole.behind());
            let title = format!("Months until buying beats {}", rival.label);
            let formula = format!("{formula}. {BEHIND}");
            book.put(&format!("break_even.{}.months", rival.against), &title, value, "months", &formula, terms);
        }
        if let Some(value) = rival.utilization {
            let (formula, mut terms) = utilization(plan, of);
            terms.extend(whole.behind().into_iter().filter(|t| t.name != "utilization"));
            let title = format!("Utilization from which buying beats {}", rival.label);
            let formula = format!("{formula}. {BEHIND_USE}");
            book.put(&format!("break_even.{}.utilization", rival.against), &title, value, "share", &formula, terms);
        }
    }
    if let Some(h) = &c.hybrid {
        whole.hybrid(h, book);
    }
    if let (Some(usd), Some(o)) = (c.owned_useful_hour_usd, &plan.ownership) {
        let mut terms = whole.useful_hour("buy", &parts.asked);
        let other = "over the life and with resale";
        terms.push(term(other, o.usd_per_useful_gpu_hour, "USD/GPU-hour", "what owning costs"));
        book.put(
            "cloud_vs_on_prem.owned_useful_hour_usd",
            "Per device-hour that trains, paid in full over the horizon, without resale",
            usd,
            "USD/GPU-hour",
            &format!("{USEFUL}; as the chart by utilization. The other measure, over the life and with resale, spreads the purchase as an annuity and takes resale off"),
            terms,
        );
    }
    if let (Some(resale), Some(own)) = (&c.resale_usd, lists.own) {
        let months = f64::from(plan.request.horizon_months);
        let share = inputs.residual_at.at(months / 12.0).typical;
        book.put(
            "cloud_vs_on_prem.resale_usd",
            "Resale at the end of the horizon",
            resale.typical,
            "USD",
            "purchase × residual share; at the age of the horizon, and in none of the curves and break-evens",
            vec![
                term("purchase", own.capital.typical, "USD", "bill of materials"),
                term("residual share", share, "share", "resale values by age, catalog, or your request"),
                term("horizon", months, "months", REQUEST),
            ],
        );
    }
}

const OWN: &str = "purchase × (1 + cost of capital ÷ 12 × (i − i^2 ÷ (2 × life) × (1 − residual share))) + idle × horizon + (busy − idle) × months worked + rent above the capacity";
const RENT: &str = "devices × 730 × price × (1 + storage, egress and support) × hours of it for one hour";
const USEFUL: &str = "paid over the horizon ÷ (device-hours of work × goodput)";
const BEHIND: &str = "Buying: purchase, interest at the cost of capital on what is not written off over the life to the residual share, running cost at your utilization; demand by growth of demand and seasonality, rents by the trend of rental prices; resale is not counted";
const BEHIND_USE: &str = "Buying: purchase, interest at the cost of capital on what is not written off over the life to the residual share, running cost at your utilization; demand by growth of demand and seasonality, rents by the trend of rental prices, over the horizon; resale is not counted";

struct Whole<'a> {
    plan: &'a Plan,
    inputs: &'a Inputs,
    own: Option<&'a Ownership>,
    goodput: f64,
    parts: &'a Parts,
}

impl Whole<'_> {
    fn horizon(&self) -> Term {
        term("horizon", f64::from(self.plan.request.horizon_months), "months", REQUEST)
    }

    /// Inputs behind both curves.
    fn behind(&self) -> Vec<Term> {
        let r = &self.plan.request;
        let mut terms = self.own.map_or_else(Vec::new, |own| {
            let running = own.running_month(r.utilization);
            vec![
                term("purchase", own.capital.typical, "USD", "bill of materials"),
                term("running cost at your utilization", running, "USD/month", "sum of its parts"),
                input("cost of capital", &self.inputs.cost_of_capital, "per year"),
                self.life(own),
                residual(own),
            ]
        });
        terms.extend(self.demand());
        terms
    }

    fn demand(&self) -> Vec<Term> {
        let r = &self.plan.request;
        vec![
            term("growth of demand", r.demand_growth_per_month, "per month", REQUEST),
            term("seasonality", r.demand_seasonality, "amplitude", REQUEST),
            input("trend of rental prices", &self.inputs.price_trend_per_year, "per year"),
        ]
    }

    fn life(&self, own: &Ownership) -> Term {
        term("life", own.life_months, "months", &super::source_of(&self.inputs.hardware_life_years))
    }

    fn curve(&self, curve: &CostCurve, book: &mut Book<'_>) {
        let end = curve.cumulative_usd.last().copied().unwrap_or(0.0);
        let rival = self.parts.rivals.get(&curve.id);
        let found = match (curve.id.as_str(), self.own, rival) {
            ("buy", Some(own), _) => Some(self.buying(own)),
            ("hybrid", ..) => self.mixed(),
            (_, _, Some(rival)) => Some(self.renting(rival)),
            _ => None,
        };
        let Some((formula, terms)) = found else { return };
        let key = format!("cloud_vs_on_prem.curves.{}", curve.id);
        book.put(&key, &format!("Cumulative cost at the horizon: {}", curve.label), end, "USD", &formula, terms);
        // the last row that this way has: machines that are taken away have none at the highest use
        let points = &self.plan.cloud_vs_on_prem.by_utilization;
        let rows = points.iter().zip(&self.parts.rows).rev();
        let row = rows.filter_map(|(p, sums)| Some((p.usd_per_useful_gpu_hour.get(&curve.id)?, sums))).next();
        if let Some((usd, sums)) = row {
            book.put(
                &format!("cloud_vs_on_prem.by_utilization.{}", curve.id),
                &format!("Hour that trains at {:.0}% use: {}", 100.0 * sums.utilization, curve.label),
                *usd,
                "USD/GPU-hour",
                &format!("{USEFUL}; the last row that this way has"),
                self.useful_hour(&curve.id, sums),
            );
        }
    }

    fn buying(&self, own: &Ownership) -> (String, Vec<Term>) {
        let sums = &self.parts.asked;
        let horizon = f64::from(self.plan.request.horizon_months);
        let mut terms = vec![
            term("purchase", own.capital.typical, "USD", "bill of materials"),
            input("cost of capital", &self.inputs.cost_of_capital, "per year"),
            term("i, months of interest", horizon.min(own.life_months), "months", "the horizon, at most the life"),
            self.life(own),
            residual(own),
            term("idle, running cost without work", own.running_month(0.0), "USD/month", "sum of its parts"),
            term("busy, running cost when every hour works", own.running_month(1.0), "USD/month", "sum of its parts"),
            self.horizon(),
            term(
                "months worked",
                sums.worked_months,
                "months",
                "sum of each month's demand × utilization, at most 1 each",
            ),
            term("rent above the capacity", sums.above_usd, "USD", "demand of each month above 1, on demand"),
            term("utilization", self.plan.request.utilization, "share", REQUEST),
        ];
        terms.extend(self.demand());
        (
            format!(
                "{OWN}; demand by utilization, growth of demand and seasonality, rent by the trend of rental prices; resale is not counted"
            ),
            terms,
        )
    }

    fn renting(&self, rival: &RivalParts) -> (String, Vec<Term>) {
        let mut terms = vec![
            term("devices", f64::from(self.plan.cloud_vs_on_prem.gpus), "devices", "the compared cluster"),
            term("price", rival.price, "USD/GPU-hour", "price of the offer"),
            input("storage, egress and support", &self.inputs.cloud_extras_share, "share"),
            term(
                "hours of it for one hour",
                rival.hours_per_useful_hour,
                "hours",
                "that do the work of one steady hour of the compared cluster",
            ),
        ];
        let utilization = term("utilization", self.plan.request.utilization, "share", REQUEST);
        let formula = if rival.committed {
            let source = "sum over the horizon of the price of the month in which the term began, over the first";
            terms.push(term("months paid", rival.paid_months, "months", source));
            terms.push(term("rent above the capacity", self.parts.asked.above_usd, "USD", "on demand"));
            terms.push(utilization);
            format!(
                "{RENT} × months paid + rent above the capacity; every hour is paid, whatever the utilization, and demand above it by growth of demand and seasonality is rented; prices by the trend of rental prices"
            )
        } else {
            terms.push(utilization);
            let source = "sum over the horizon of each month's demand × price, over those of a steady first month";
            terms.push(term("months paid", rival.paid_months, "months", source));
            format!(
                "{RENT} × utilization × months paid; each month's demand by growth of demand and seasonality, at prices by the trend of rental prices; low and high by the range of the price"
            )
        };
        terms.extend(self.demand());
        (formula, terms)
    }

    fn mixed(&self) -> Option<(String, Vec<Term>)> {
        let split = self.parts.split.as_ref()?;
        let terms = vec![
            term(
                "purchase of the base",
                split.bought,
                "USD",
                "owned nodes × purchase of one, with interest as in buying",
            ),
            term(
                "running it",
                split.running,
                "USD",
                "owned nodes × running cost of one, and of the work that they hold",
            ),
            term("rent above it", split.rented, "USD", "demand above the owned base × price of each month"),
        ];
        Some(("purchase of the base + running it + rent above it".to_owned(), terms))
    }

    fn hybrid(&self, h: &Hybrid, book: &mut Book<'_>) {
        let Some((formula, mut terms)) = self.mixed() else { return };
        terms.extend([
            term("owned nodes", f64::from(h.owned_nodes), "nodes", h.assumption.as_str()),
            term("nodes of the compared cluster", self.own.map_or(0.0, |own| own.nodes), "nodes", "shown cluster"),
            term("work", h.work_gpu_hours, "GPU-hours", "demand over the horizon"),
            term("rented", h.rented_gpu_hours, "GPU-hours", "demand above the owned base"),
            term("everything rented", h.own_nothing_usd, "USD", "the same rental"),
            term("utilization", self.plan.request.utilization, "share", REQUEST),
        ]);
        terms.extend(self.demand());
        let formula = format!(
            "{formula}; the least over every number of owned nodes, everything rented among them; nodes of the compared cluster at its utilization have the work of the horizon by growth of demand and seasonality, of which is rented what the base does not hold, by the trend of rental prices"
        );
        book.put("cloud_vs_on_prem.hybrid", "Own the base, rent the peak", h.total_usd, "USD", &formula, terms);
    }

    /// Terms of what an hour that trains costs, by one curve at sums of one utilization.
    fn useful_hour(&self, id: &str, sums: &Sums) -> Vec<Term> {
        let paid = match (id, self.own) {
            ("buy", Some(own)) => {
                let horizon = f64::from(self.plan.request.horizon_months);
                let (idle, busy) = (own.running_month(0.0), own.running_month(1.0));
                own.purchase_and_interest(own.capital.typical, horizon)
                    + idle * horizon
                    + (busy - idle) * sums.worked_months
                    + sums.above_usd
            }
            _ => self.parts.rivals.get(id).map_or(0.0, |rival| self.rent(rival, sums)),
        };
        vec![
            term("paid over the horizon", paid, "USD", "the curve at its end, at this utilization"),
            term("device-hours of work", sums.work_gpu_hours, "GPU-hours", "devices × 730 h × demand of each month"),
            term("goodput", self.goodput, "share", "failures and checkpoints"),
        ]
    }

    fn rent(&self, rival: &RivalParts, sums: &Sums) -> f64 {
        let gpus = f64::from(self.plan.cloud_vs_on_prem.gpus);
        let share = 1.0 + self.inputs.cloud_extras_share.value();
        let month = gpus * crate::units::HOURS_PER_MONTH * rival.price * share * rival.hours_per_useful_hour;
        if rival.committed {
            month * rival.paid_months + sums.above_usd
        } else {
            month * rival.paid_months * sums.utilization
        }
    }
}

fn residual(own: &Ownership) -> Term {
    term("residual share", own.residual.typical, "share", "resale values by age, at the end of the life")
}

/// Formula and terms of the month at which two curves cross.
fn months(parts: Option<&RivalParts>) -> (String, Vec<Term>) {
    let Some(Crossing { before, after }) = parts.and_then(|p| p.months) else {
        return ("0; buying has paid less from the first month on".into(), Vec::new());
    };
    let [b, r, b2, r2] = points("a month later", &before, &after);
    let m = term("m, month", before.at, "months", "the last at which buying has paid more");
    ("m + (buying − renting) ÷ (buying − renting − (buying a month later − renting a month later)); between two months both curves are straight".into(), vec![m, b, r, b2, r2])
}

/// Formula and terms of the utilization at which both have paid the same by the horizon.
pub(super) fn utilization(plan: &Plan, parts: Option<&RivalParts>) -> (String, Vec<Term>) {
    let horizon = term("horizon", f64::from(plan.request.horizon_months), "months", REQUEST);
    let Some(Crossing { before, after }) = parts.and_then(|p| p.utilization) else {
        return ("0; buying has paid less by the horizon at every utilization".into(), vec![horizon]);
    };
    let [b, r, b2, r2] = points("above", &before, &after);
    let below = term("u, utilization below", before.at, "share", "buying has paid more by the horizon");
    let above = term("v, utilization above", after.at, "share", "buying has paid less by the horizon");
    (
        "u + (v − u) × (buying − renting) ÷ (buying − renting − (buying above − renting above)); by the horizon, and between the two utilizations both costs are straight lines".into(),
        vec![below, above, b, r, b2, r2, horizon],
    )
}

fn points(after_name: &str, before: &Point, after: &Point) -> [Term; 4] {
    let usd = |name: &str, value: f64| term(name, value, "USD", "paid until then, as the curves");
    [
        usd("buying", before.own),
        usd("renting", before.rent),
        usd(&format!("buying {after_name}"), after.own),
        usd(&format!("renting {after_name}"), after.rent),
    ]
}
