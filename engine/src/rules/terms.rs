//! The factors of a check: where each value comes from.

use super::builds::Builds;
use super::cases::Cases;
use super::data::TermData;
use crate::answer::Term;
use crate::catalog::{Catalog, Figure, OfferTerm, Range};
use serde_json::Value;

/// What checks are evaluated in.
pub(super) struct Scope<'a> {
    pub cases: &'a Cases<'a>,
    pub builds: &'a Builds<'a>,
    catalog: Value,
}

/// A factor with its range and what to show of it.
pub(super) struct Factor {
    pub range: Range,
    pub term: Term,
}

impl<'a> Scope<'a> {
    pub(super) fn new(cases: &'a Cases<'a>, builds: &'a Builds<'a>) -> Self {
        let c = Catalog::get();
        let catalog = serde_json::json!({
            "accelerators": c.accelerators,
            "fabrics": c.fabrics,
            "switches": c.switches,
            "costs": c.costs,
            "racks": c.racks,
        });
        Self { cases, builds, catalog }
    }

    /// Evaluates a factor; `None` where what it names is not there.
    pub(super) fn factor(&self, data: &TermData) -> Option<Factor> {
        match data {
            TermData::Catalog(t) => {
                let segments: Vec<&str> = t.catalog.split('.').collect();
                let value = find(&self.catalog, &segments)?;
                let field = segments.last().copied().unwrap_or_default();
                let (range, source) = match serde_json::from_value::<Figure>(value.clone()) {
                    Ok(figure) => (figure.range(), format!("{}, {}", figure.source, figure.date)),
                    Err(_) => (Range::exactly(value.as_f64()?), "catalog".to_owned()),
                };
                let name = t.of.clone().unwrap_or_else(|| name_of(&segments));
                Some(factor(range, name, unit_of(field), source))
            }
            TermData::Result(t) => {
                let answer = self.cases.answer(&t.case)?;
                let segments: Vec<&str> = t.at.split('/').filter(|s| !s.is_empty()).collect();
                let label = self.cases.case(&t.case)?.label;
                Some(factor(read(&answer, &segments)?, t.of.clone(), &t.unit, format!("this engine: {label}")))
            }
            TermData::Build(t) => {
                let (range, unit) = self.builds.figure(&t.build, &t.at)?;
                let name = self.builds.name(&t.build)?;
                Some(factor(range, t.of.clone(), unit, format!("this engine: {name}")))
            }
            TermData::Offers(t) => offers(&t.offers, t.term),
            TermData::Claimed(t) => Some(factor(Range::exactly(t.claimed), t.of.clone(), "", "the rule".into())),
            TermData::Known(t) => Some(factor(Range::exactly(t.known), t.of.clone(), "", "arithmetic".into())),
            TermData::Cited(t) => {
                let range = Range { low: t.low.unwrap_or(t.cited), typical: t.cited, high: t.high.unwrap_or(t.cited) };
                Some(factor(range, t.of.clone(), &t.unit, format!("{}, {}", t.source, t.date)))
            }
        }
    }

    /// Product over product; ends go with ends.
    pub(super) fn quotient(&self, times: &[TermData], over: &[TermData]) -> Option<(Range, Vec<Term>)> {
        let mut range = Range::exactly(1.0);
        let mut terms = Vec::with_capacity(times.len() + over.len());
        for data in times {
            let Factor { range: r, term } = self.factor(data)?;
            range = Range { low: range.low * r.low, typical: range.typical * r.typical, high: range.high * r.high };
            terms.push(term);
        }
        for data in over {
            let Factor { range: r, term } = self.factor(data)?;
            range = Range { low: range.low / r.high, typical: range.typical / r.typical, high: range.high / r.low };
            terms.push(term);
        }
        let finite = [range.low, range.typical, range.high].iter().all(|v| v.is_finite());
        finite.then_some((range, terms))
    }
}

fn factor(range: Range, name: String, unit: &str, source: String) -> Factor {
    Factor { range, term: Term { name, value: range.typical, unit: unit.into(), source } }
}

/// Walks names of objects and ids of lists.
fn find<'v>(value: &'v Value, segments: &[&str]) -> Option<&'v Value> {
    let Some((first, rest)) = segments.split_first() else { return Some(value) };
    let next = match value {
        Value::Array(items) => items.iter().find(|i| i.get("id").and_then(Value::as_str) == Some(first)),
        other => other.get(first),
    };
    find(next?, rest)
}

/// Reads a number, or an object with low, typical and high.
fn read(value: &Value, segments: &[&str]) -> Option<Range> {
    let Some((first, rest)) = segments.split_first() else {
        return value.as_f64().map(Range::exactly).or_else(|| serde_json::from_value(value.clone()).ok());
    };
    match value {
        Value::Array(items) if *first == "*" => {
            // what is null in an item (never, unknown) is left out of the range
            let mut all: Vec<Range> = items.iter().filter_map(|i| read(i, rest)).collect();
            all.sort_by(|a, b| a.typical.total_cmp(&b.typical));
            spread(&all)
        }
        Value::Array(items) => match first.split_once('=') {
            Some((key, wanted)) => {
                let number = wanted.parse::<f64>().ok();
                let is = |v: &Value| v.as_str().map_or(number.is_some() && v.as_f64() == number, |text| text == wanted);
                read(items.iter().find(|i| i.get(key).is_some_and(is))?, rest)
            }
            None => read(items.get(first.parse::<usize>().ok()?)?, rest),
        },
        other => read(other.get(first)?, rest),
    }
}

/// Least, median and largest of a sorted list.
fn spread(sorted: &[Range]) -> Option<Range> {
    let (first, last) = (sorted.first()?, sorted.last()?);
    let middle = sorted.len() / 2;
    let typical = match sorted.len() % 2 {
        0 => 0.5 * (sorted[middle - 1].typical + sorted[middle].typical),
        _ => sorted[middle].typical,
    };
    Some(Range { low: first.low, typical, high: last.high })
}

fn offers(accelerator: &str, term: OfferTerm) -> Option<Factor> {
    let catalog = Catalog::get();
    let mut found: Vec<&Figure> = catalog
        .offers
        .iter()
        .filter(|o| o.accelerator == accelerator && o.term == term)
        .map(|o| &o.usd_per_gpu_hour)
        .collect();
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    let ranges: Vec<Range> = found.iter().map(|f| Range::exactly(f.value)).collect();
    let dates = || found.iter().map(|f| f.date.as_str());
    let (oldest, newest) = (dates().min()?, dates().max()?);
    let short = &catalog.accelerator(accelerator)?.short;
    let (how, count) = (words_of(term), found.len());
    let name = format!("{short} {how}, median of {count}");
    let source = format!("cloud catalog, {oldest} to {newest}");
    Some(factor(spread(&ranges)?, name, "USD/GPU-h", source))
}

fn words_of(term: OfferTerm) -> &'static str {
    match term {
        OfferTerm::OnDemand => "on demand",
        OfferTerm::Reserved => "reserved",
        OfferTerm::CapacityBlock => "in capacity blocks",
        OfferTerm::Spot => "on spot",
    }
}

/// `accelerators.b200.memory_gb` → `B200 memory`.
fn name_of(segments: &[&str]) -> String {
    let field = segments.last().copied().unwrap_or_default();
    const UNITS: [&str; 8] =
        ["_gbps_per_gpu", "_gb_per_second", "_tb_per_second", "_gb", "_usd", "_kw", "_watts", "_us"];
    let bare = UNITS.iter().find_map(|unit| field.strip_suffix(unit)).unwrap_or(field);
    let words = bare.replace('_', " ");
    let catalog = Catalog::get();
    let owner = match segments {
        ["accelerators", id, _] => catalog.accelerator(id).map(|a| a.short.clone()),
        ["fabrics", id, _] => catalog.fabric(id).map(|f| f.label.clone()),
        _ => None,
    };
    owner.map_or_else(|| words.clone(), |owner| format!("{owner} {words}"))
}

/// Unit that the name of a catalog field ends in.
fn unit_of(field: &str) -> &'static str {
    const UNITS: [(&str, &str); 14] = [
        ("gb_per_second", "GB/s"),
        ("gb_per_second_per_gpu", "GB/s per GPU"),
        ("tb_per_second", "TB/s"),
        ("gbps_per_gpu", "Gb/s per GPU"),
        ("tflops", "TFLOP/s"),
        ("usd_per_kwh", "USD/kWh"),
        ("watts", "W"),
        ("kw", "kW"),
        ("gib", "GiB"),
        ("_gb", "GB"),
        ("_usd", "USD"),
        ("_us", "µs"),
        ("per_gpu_year", "per GPU-year"),
        ("per_token", "B per token"),
    ];
    UNITS.iter().find(|(end, _)| field.ends_with(end)).map_or("", |(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_find_figures_ranges_and_items() {
        let answer = json!({
            "list": [{ "id": "a", "n": 8, "v": 3.0 }, { "id": "b", "n": 64, "v": 1.0 }, { "id": "c", "v": null }],
            "days": { "low": 1.0, "typical": 2.0, "high": 3.0 },
        });
        let at = |path: &str| read(&answer, &path.split('/').collect::<Vec<_>>());
        assert_eq!(at("list/0/v"), Some(Range::exactly(3.0)));
        assert_eq!(at("list/n=64/v"), Some(Range::exactly(1.0)));
        assert_eq!(at("list/id=a/v"), Some(Range::exactly(3.0)));
        assert_eq!(at("list/*/v"), Some(Range { low: 1.0, typical: 2.0, high: 3.0 }));
        assert_eq!(at("days"), Some(Range { low: 1.0, typical: 2.0, high: 3.0 }));
        assert_eq!((at("list/9/v"), at("list/id=z/v"), at("nothing"), at("list/2/v")), (None, None, None, None));
    }

    #[test]
    fn offers_have_a_range_and_a_date() {
        let price = offers("h100-sxm", OfferTerm::OnDemand).expect("offers");
        assert!(price.range.low < price.range.typical && price.range.typical < price.range.high);
        assert!(price.term.source.contains("20"), "{}", price.term.source);
        assert!(offers("no-such-device", OfferTerm::Spot).is_none());
    }
}
