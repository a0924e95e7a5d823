//! Works out the formula of an explanation with the values of its terms.
//!
//! A formula is an expression over the names of its terms, and after a semicolon what else is to be said. A name is a
//! term's own, or what stands before its first comma: `τ` of `τ, interval`. `sum of the terms` adds all of them up.
//! Whole numbers from rounding up are taken a billionth early, as the engine counts them.

use super::explanation::{Explanation, Term};
use crate::units::grouped;

/// Adds up all terms.
const SUM: &str = "sum of the terms";
/// Rounding up starts here above a whole number.
const WHOLE: f64 = 1e-9;

/// A formula with the values put in.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// The result.
    pub value: f64,
    /// The expression with each name replaced by its value, in the units of the terms.
    pub line: String,
    /// Names of terms that the expression does not hold.
    pub unused: Vec<String>,
}

impl Explanation {
    /// The formula worked out with the values of its terms; `None` where it is words and no expression.
    pub fn computed(&self) -> Option<Computed> {
        let mut reader = Reader { rest: &self.formula, terms: &self.terms, line: String::new(), used: Vec::new() };
        let value = reader.sum()?;
        reader.space();
        if !(reader.rest.is_empty() || reader.rest.starts_with(';')) {
            return None;
        }
        let unused = self.terms.iter().enumerate().filter(|(i, _)| !reader.used.contains(i));
        let unused = unused.map(|(_, t)| t.name.clone()).collect();
        Some(Computed { value, line: reader.line.trim().to_owned(), unused })
    }
}

/// Reads an expression from its start and writes it down with values.
struct Reader<'a> {
    rest: &'a str,
    terms: &'a [Term],
    line: String,
    /// Terms that were read, by index.
    used: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes a sign; it is written as it stands.
    fn takes(&mut self, sign: &str) -> bool {
        self.space();
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest;
        true
    }

    fn operator(&mut self, sign: &str) -> bool {
        let taken = self.takes(sign);
        if taken {
            self.line.push_str(&format!(" {sign} "));
        }
        taken
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.operator("+") {
                value += self.product()?;
            } else if self.operator("−") {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.power()?;
        loop {
            if self.operator("×") {
                value *= self.power()?;
            } else if self.operator("÷") {
                value /= self.power()?;
            } else {
                return Some(value);
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        if self.takes("−") {
            self.line.push('−');
            return Some(-self.power()?);
        }
        let base = self.single()?;
        if !self.takes("^") {
            return Some(base);
        }
        self.line.push('^');
        Some(base.powf(self.single()?))
    }

    /// A term, a number, or what stands between brackets.
    fn single(&mut self) -> Option<f64> {
        self.space();
        if let Some(value) = self.all_terms().or_else(|| self.term()) {
            return Some(value);
        }
        for (open, close, of) in BRACKETS {
            if self.takes(open) {
                return self.inside(open, close, of);
            }
        }
        self.number()
    }

    fn inside(&mut self, open: &str, close: &str, of: fn(&[f64]) -> f64) -> Option<f64> {
        self.line.push_str(open);
        let mut values = vec![self.sum()?];
        while self.takes(",") {
            self.line.push_str(", ");
            values.push(self.sum()?);
        }
        self.line.push_str(close);
        self.takes(close).then(|| of(&values))
    }

    fn all_terms(&mut self) -> Option<f64> {
        let rest = self.rest.strip_prefix(SUM)?;
        self.rest = rest;
        self.used = (0..self.terms.len()).collect();
        let values: Vec<String> = self.terms.iter().map(|t| plain(t.value)).collect();
        self.line.push_str(&values.join(" + "));
        Some(self.terms.iter().map(|t| t.value).sum())
    }

    /// The longest name that the rest begins with and that ends with a word.
    fn term(&mut self) -> Option<f64> {
        let named = |term: &'a Term| {
            let short = term.name.split(", ").next().unwrap_or_default();
            let names = [term.name.as_str(), short].into_iter().filter(|n| !n.is_empty());
            names.filter_map(|name| self.rest.strip_prefix(name).map(|rest| (name.len(), rest))).max_by_key(|n| n.0)
        };
        let whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
        let found = self.terms.iter().enumerate().filter_map(|(i, term)| named(term).map(|(n, rest)| (n, i, rest)));
        let (_, index, rest) = found.filter(|(_, _, rest)| whole(rest)).max_by_key(|(n, ..)| *n)?;
        self.rest = rest;
        self.used.push(index);
        let value = self.terms[index].value;
        let text = plain(value);
        self.line.push_str(&if value < 0.0 { format!("({text})") } else { text });
        Some(value)
    }

    fn number(&mut self) -> Option<f64> {
        if self.takes("π") {
            self.line.push('π');
            return Some(std::f64::consts::PI);
        }
        // a comma belongs to the number when three digits follow it at once
        let bytes = self.rest.as_bytes();
        let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
        let mut end = 0;
        while digit(end) || (end > 0 && digit(end + 1) && (bytes[end] == b'.' || thousands(bytes, end))) {
            end += 1;
        }
        let text = &self.rest[..end];
        self.rest = &self.rest[end..];
        self.line.push_str(text);
        text.replace(',', "").parse().ok()
    }
}

fn thousands(bytes: &[u8], comma: usize) -> bool {
    bytes[comma] == b',' && bytes.get(comma + 1..comma + 4).is_some_and(|d| d.iter().all(u8::is_ascii_digit))
}

type Bracket = (&'static str, &'static str, fn(&[f64]) -> f64);
const BRACKETS: [Bracket; 9] = [
    ("(", ")", |v| v[0]),
    ("⌈", "⌉", |v| (v[0] - WHOLE).ceil()),
    ("⌊", "⌋", |v| (v[0] + WHOLE).floor()),
    ("√(", ")", |v| v[0].sqrt()),
    ("sin(", ")", |v| v[0].sin()),
    ("log₂(", ")", |v| v[0].log2()),
    ("|", "|", |v| v[0].abs()),
    ("max(", ")", |v| v.iter().copied().fold(f64::MIN, f64::max)),
    ("min(", ")", |v| v.iter().copied().fold(f64::MAX, f64::min)),
];

/// A value with seven digits that count, and commas between its thousands.
fn plain(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs().log10().floor();
    if magnitude < -6.0 {
        return format!("{value:.6e}");
    }
    let decimals = (6.0 - magnitude).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    grouped(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(formula: &str, terms: &[(&str, f64)]) -> Explanation {
        let term = |(name, value): &(&str, f64)| Term {
            name: (*name).into(),
            value: *value,
            unit: "m".into(),
            source: "test".into(),
        };
        Explanation {
            title: "Test".into(),
            value: 0.0,
            unit: "m".into(),
            formula: formula.into(),
            terms: terms.iter().map(term).collect(),
        }
    }

    #[test]
    fn expressions_are_worked_out_by_their_rules() {
        let cases: [(&str, f64); 10] = [
            ("tokens ÷ (rate × devices) ÷ 86,400; and more", 1e9 / (50.0 * 8.0) / 86_400.0),
            ("rate of all − rate × 2 + 1", 70.0 - 100.0 + 1.0),
            ("(1 + r)^(−n)", 1.5f64.powf(-3.0)),
            ("⌈devices ÷ 3⌉ × max(rate, devices, 1)", 150.0),
            ("⌈devices ÷ 4⌉ + ⌊devices ÷ 3⌋", 4.0),
            ("|r − devices| × 10^2", 750.0),
            ("√(2 × devices) − min(r, 1,000)", 3.5),
            ("sin(π ÷ 2) + log₂(devices)", 4.0),
            ("−r + n", 2.5),
            ("sum of the terms", 1e9 + 50.0 + 70.0 + 8.0 + 0.5 + 3.0),
        ];
        let terms = [
            ("tokens", 1e9),
            ("rate", 50.0),
            ("rate of all", 70.0),
            ("devices", 8.0),
            ("r, rate of a month", 0.5),
            ("n, months", 3.0),
        ];
        for (formula, value) in cases {
            let found = explained(formula, &terms).computed().expect(formula);
            assert!((found.value - value).abs() <= 1e-12 * value.abs(), "{formula}: {} is not {value}", found.value);
        }
        for words in ["rate per device", "the sum of its parts", "", "rates", "rate ×", "(rate", "devices, at most"] {
            assert_eq!(explained(words, &terms).computed(), None, "{words}");
        }
    }

    #[test]
    fn a_line_has_the_values_and_says_what_it_leaves_out() {
        let found = explained(
            "tokens ÷ (rate × 24) − a; words",
            &[("tokens", 1_234_567.0), ("rate", 0.125), ("a", -2.0), ("low", 1.0)],
        );
        let found = found.computed().expect("an expression");
        assert_eq!(found.line, "1,234,567 ÷ (0.125 × 24) − (-2)");
        assert_eq!(found.unused, ["low"]);
        let texts = [1e12 + 0.4, 3.0, 0.000_123_456_78, 2.5e-9].map(plain);
        assert_eq!(texts, ["1,000,000,000,000", "3", "0.0001234568", "2.500000e-9"]);
    }
}
