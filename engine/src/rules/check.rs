//! What is calculated, and how it stands to what the rule says.

use super::data::{CheckData, FigureData, PossibleData, Said};
use super::terms::Scope;
use crate::answer::Term;
use crate::catalog::Range;
use crate::request::group_digits;
use serde::{Deserialize, Serialize};

/// What a rule says: one figure, or two ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Low end.
    pub low: f64,
    /// High end; null where it is open.
    pub high: Option<f64>,
}

/// How a calculation stands to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Within the range of the calculation and the tolerance.
    Agrees,
    /// The rule says too little.
    TooLow,
    /// The rule says too much.
    TooHigh,
    /// The rule says possible and it isn't, or the other way round.
    Contradicted,
    /// Nothing to compare with: the figure is for information.
    Shown,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Finding {
    /// A figure.
    Figure {
        /// Unit of both figures.
        unit: String,
        /// What the rule says, in that unit; null where it gives no figure.
        said: Option<Span>,
        /// What the engine computes, in that unit, with its range.
        computed: Range,
        /// The larger over the smaller of the two, by the nearest ends; null where they agree or nothing is said.
        ratio: Option<f64>,
        /// The calculation in names and symbols.
        formula: String,
        /// The values put in, each with its source.
        terms: Vec<Term>,
    },
    /// Whether something is possible.
    Possible {
        /// What the rule says.
        said: bool,
        /// What the engine finds: a layout that is legal and fits in memory.
        computed: bool,
        /// Why, in a sentence of the engine.
        reason: String,
    },
}

/// One calculation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// What is calculated.
    pub what: String,
    /// How it stands to the rule.
    pub outcome: Outcome,
    /// The result in one line for people, such as `Said 80 GB, computed 180 GB: 2.3 times too low`.
    pub text: String,
    /// What was found.
    pub finding: Finding,
}

/// Evaluates a check; `None` where something that it names is missing, which a test refuses.
pub(super) fn evaluate(data: &CheckData, scope: &Scope<'_>) -> Option<Check> {
    match data {
        CheckData::Figure(figure) => evaluate_figure(figure, scope),
        CheckData::Possible(possible) => evaluate_possible(possible, scope),
    }
}

fn evaluate_figure(data: &FigureData, scope: &Scope<'_>) -> Option<Check> {
    let (computed, mut terms) = scope.quotient(&data.computed, &data.over)?;
    let mut formula = written(&terms, data.computed.len());
    let said = match data.said {
        Some(said) => {
            let (scale, given) = scope.quotient(&data.said_times, &data.said_over)?;
            if !given.is_empty() {
                let scaling = written(&given, data.said_times.len());
                formula = format!("{formula}, against what is said scaled by {scaling}");
                terms.extend(given);
            }
            let [low, high] = match said {
                Said::One(value) => [value, value],
                Said::Range(ends) => ends,
            };
            Some(Span { low: low * scale.typical, high: Some(high * scale.typical) })
        }
        None => None,
    };
    let (outcome, ratio) = said.map_or((Outcome::Shown, None), |said| compare(said, computed, data.within));
    let text = text_of(said, computed, &data.unit, outcome, ratio);
    let finding = Finding::Figure { unit: data.unit.clone(), said, computed, ratio, formula, terms };
    Some(Check { what: data.what.clone(), outcome, text, finding })
}

/// Agrees where the two ranges meet within the tolerance; else how many times the nearest ends are apart from the
/// typical value.
pub(super) fn compare(said: Span, computed: Range, within: f64) -> (Outcome, Option<f64>) {
    let high = said.high.unwrap_or(f64::INFINITY);
    if high * (1.0 + within) < computed.low {
        return (Outcome::TooLow, Some(computed.typical / high));
    }
    if said.low > computed.high * (1.0 + within) {
        return (Outcome::TooHigh, Some(said.low / computed.typical));
    }
    (Outcome::Agrees, None)
}

fn evaluate_possible(data: &PossibleData, scope: &Scope<'_>) -> Option<Check> {
    let request = scope.cases.estimate_request(&data.possible)?;
    let (computed, reason) = match crate::estimate(&request) {
        Ok(e) => {
            let m = e.memory_gib;
            let layout = e.layout.short();
            let held = format!("{layout}: the fullest device needs {:.0} of {:.0} GiB", m.total, m.usable);
            (e.fits, held)
        }
        Err(problem) => (false, problem.detail),
    };
    let outcome = if computed == data.said { Outcome::Agrees } else { Outcome::Contradicted };
    let word = |possible: bool| if possible { "possible" } else { "impossible" };
    let text = format!("Said {}, found {}. {reason}.", word(data.said), word(computed));
    let finding = Finding::Possible { said: data.said, computed, reason };
    Some(Check { what: data.what.clone(), outcome, text, finding })
}

/// `a × b ÷ (c × d)` by name; the first `times` terms are multiplied.
fn written(terms: &[Term], times: usize) -> String {
    let names = |part: &[Term]| part.iter().map(|t| t.name.as_str()).collect::<Vec<_>>().join(" × ");
    let (times, over) = terms.split_at(times.min(terms.len()));
    let top = if times.is_empty() { "1".to_owned() } else { names(times) };
    match over {
        [] => top,
        [one] => format!("{top} ÷ {}", one.name),
        many => format!("{top} ÷ ({})", names(many)),
    }
}

fn text_of(said: Option<Span>, computed: Range, unit: &str, outcome: Outcome, ratio: Option<f64>) -> String {
    let found = with_unit(computed.low, Some(computed.high), unit);
    let middle = if three_digits(computed.low) != three_digits(computed.high) {
        format!(", typically {}", with_unit(computed.typical, Some(computed.typical), unit))
    } else {
        String::new()
    };
    let Some(said) = said else { return format!("Computed {found}{middle}") };
    let said = with_unit(said.low, said.high, unit);
    let verdict = match (outcome, ratio) {
        (Outcome::TooLow, Some(ratio)) => format!("{} too low", times_text(ratio)),
        (Outcome::TooHigh, Some(ratio)) => format!("{} too high", times_text(ratio)),
        _ => "agrees".to_owned(),
    };
    format!("Said {said}, computed {found}{middle}: {verdict}")
}

/// `2.3 times`, and `15% ` below one and a half.
fn times_text(ratio: f64) -> String {
    match ratio {
        r if r < 1.5 => format!("{:.0}%", (r - 1.0) * 100.0),
        r if r < 10.0 => format!("{r:.1} times"),
        r => format!("{} times", three_digits(r)),
    }
}

/// A figure or a range with its unit; money with its sign in front.
pub(super) fn with_unit(low: f64, high: Option<f64>, unit: &str) -> String {
    let ends = match high {
        Some(high) if three_digits(low) == three_digits(high) => three_digits(low),
        Some(high) => format!("{} to {}", three_digits(low), three_digits(high)),
        None => format!("{} and more", three_digits(low)),
    };
    match unit {
        "" => ends,
        "%" | "×" => format!("{ends}{unit}"),
        _ => format!("{ends} {unit}"),
    }
}

/// Three significant digits, thousands grouped.
pub(super) fn three_digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".into();
    }
    let digits = 2 - value.abs().log10().floor() as i32;
    if digits <= 0 {
        let scale = 10f64.powi(-digits);
        return group_digits(&format!("{:.0}", (value / scale).round() * scale));
    }
    let text = format!("{value:.*}", digits.min(12) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
