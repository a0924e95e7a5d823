//! What was understood of what a person typed.

use super::{Field, Inputs, Slider, Unit, fields};
use crate::format;
use crate::server_functions::Echo;
use engine::PlanRequest;
use engine::request::parse_quantity;

/// The echo of each field: the number behind the text, or the default of an empty one; and its slider's place.
pub(super) fn echoes(inputs: &Inputs) -> Vec<Echo> {
    let (request, errors) = match inputs.request() {
        Ok(request) => (Some(request), None),
        // what is wrong in one field leaves the defaults of the others
        Err(errors) => (inputs.without(&errors).request().ok(), Some(errors)),
    };
    let is_wrong = |key: &str| errors.as_ref().is_some_and(|e| e.of(key).is_some());
    fields()
        .map(|field| {
            let echo = echo(field, inputs.text(field.key), request.as_ref());
            // a slider follows only what is valid: half a word or half a number leaves it where it is
            if is_wrong(field.key) { Echo { slider: None, ..echo } } else { echo }
        })
        .collect()
}

fn echo(field: &Field, text: &str, request: Option<&PlanRequest>) -> Echo {
    let typed = (!text.is_empty()).then(|| parse_quantity(text, field.unit.quantity()).ok()).flatten();
    let default = if text.is_empty() { request.and_then(|r| default_of(field.key, r)) } else { None };
    let shown = match (typed, default) {
        (Some(value), _) if is_bare_share(field.unit, text, value) => bare_share(text, value),
        (Some(value), _) if !says_it_already(text, value) => format!("= {}", full(field.unit, value)),
        (None, Some(value)) => format!("Default: {}", full(field.unit, value)),
        _ => String::new(),
    };
    // no limit stands at the far end
    let no_limit = || (text.is_empty() && request.is_some()).then_some(Slider::END);
    let slider = field.slider.and_then(|slider| typed.or(default).map(|value| slider.place(value)).or_else(no_limit));
    Echo { field: field.key.to_owned(), text: shown, slider }
}

/// A share typed as a bare number from 0 to 1: whether that is percent is to be said.
fn is_bare_share(unit: Unit, text: &str, value: f64) -> bool {
    let is_share = match unit {
        Unit::Share => true,
        Unit::Plain(unit) => unit.starts_with("share") || unit == "per year",
        _ => false,
    };
    is_share && value != 0.0 && value.abs() <= 1.0 && text.trim().parse::<f64>() == Ok(value)
}

/// What was understood of it, and how to write the other: `= 100%; write 1% for one percent`.
fn bare_share(text: &str, value: f64) -> String {
    let read = format!("= {}", format::percent(value));
    if value == 1.0 { format!("{read}; write {}% for one percent", text.trim()) } else { read }
}

/// The value that an empty field stands for.
fn default_of(key: &str, request: &PlanRequest) -> Option<f64> {
    Some(match key {
        "context_length" => request.context_length as f64,
        "training_tokens" => request.training_tokens as f64,
        "global_batch_tokens" => request.global_batch_tokens as f64,
        "max_gpus" => request.max_gpus as f64,
        "utilization" => request.utilization,
        "demand_growth_per_month" => request.demand_growth_per_month,
        "demand_seasonality" => request.demand_seasonality,
        "horizon_months" => f64::from(request.horizon_months),
        _ => return None,
    })
}

/// A value in full with its unit.
pub(crate) fn full(unit: Unit, value: f64) -> String {
    let counted = |unit| format!("{} {}", format::exact(value), format::unit_of(value, unit));
    match unit {
        Unit::Tokens | Unit::Context => counted("tokens"),
        Unit::Usd => format::money_full(value),
        Unit::Share => format::percent(value),
        Unit::Days => counted("days"),
        Unit::Months => counted("months"),
        Unit::Gpus => counted("GPUs"),
        Unit::Billion => format!("{}B parameters", format::exact(if value >= 1e6 { value / 1e9 } else { value })),
        Unit::Kilowatts => format!("{} kW", format::exact(value)),
        Unit::Plain(unit) => counted(unit),
    }
}

/// The text is the number, give or take separators and its unit sign.
fn says_it_already(text: &str, value: f64) -> bool {
    let bare: String = text.chars().filter(|c| !matches!(c, ',' | ' ' | '_' | '$')).collect();
    bare.parse::<f64>() == Ok(value)
        || bare.strip_suffix('%').and_then(|b| b.parse::<f64>().ok()).is_some_and(|b| (b / 100.0 - value).abs() < 1e-9)
}

/// A machine number the way a person writes it, where that loses nothing: `1000000000000` is `1T`, `0.7` is `70%`.
pub(super) fn humanize(field: &Field, text: &str) -> String {
    let number = text.parse::<f64>().ok().and_then(|_| parse_quantity(text, field.unit.quantity()).ok());
    let Some(value) = number else { return text.to_owned() };
    let shown = match field.unit {
        Unit::Share => format::percent(value),
        Unit::Usd => format!("${}", if value >= 1e4 { format::compact(value) } else { format::exact(value) }),
        Unit::Context => format::exact(value),
        Unit::Tokens | Unit::Gpus => format::compact(value),
        _ => return text.to_owned(),
    };
    let same =
        parse_quantity(&shown, field.unit.quantity()).is_ok_and(|read| (read - value).abs() <= 1e-12 * value.abs());
    if same { shown } else { text.to_owned() }
}
