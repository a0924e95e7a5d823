//! Numbers as people write them: `70B`, `15T`, `2.5M`, `1,024`, `40%`, `$5m`, `8k`.

use serde::{Deserialize, Serialize};

/// What a number counts: `k` means 1,024 for a context length and 1,000 for everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QuantityKind {
    /// Decimal suffixes.
    Decimal,
    /// Binary `k` and `m` (context lengths).
    Binary,
}

/// Reads a number with an optional sign, thousands separators, currency sign, suffix or percent sign.
///
/// # Errors
/// A sentence that says what could not be read.
pub fn parse_quantity(text: &str, kind: QuantityKind) -> Result<f64, String> {
    let compact: String =
        text.trim().chars().filter(|c| !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '_' | '$')).collect();
    if compact.is_empty() {
        return Err("it is empty".into());
    }
    let lower = compact.to_ascii_lowercase();
    let lower = lower.strip_prefix("usd").unwrap_or(&lower);
    let lower = lower.strip_suffix("usd").unwrap_or(lower);
    // dividing by 100 keeps 70 % at 0.7 to the last digit
    let (lower, percent) = lower.strip_suffix('%').map_or((lower, 1.0), |body| (body, 100.0));
    let (body, factor) = if percent > 1.0 { (lower, 1.0) } else { split_suffix(lower, kind) };
    let number = remove_thousands(body).ok_or_else(|| format!("`{}` is not a number", text.trim()))?;
    let value: f64 = number.parse().map_err(|_| format!("`{}` is not a number", text.trim()))?;
    let value = value * factor / percent;
    if !value.is_finite() {
        return Err(format!("`{}` is not a finite number", text.trim()));
    }
    // never negative zero
    Ok(value + 0.0)
}

fn split_suffix(text: &str, kind: QuantityKind) -> (&str, f64) {
    let (kilo, mega) = match kind {
        QuantityKind::Decimal => (1e3, 1e6),
        QuantityKind::Binary => (1024.0, 1024.0 * 1024.0),
    };
    let suffixes = [
        ("thousand", 1e3),
        ("million", 1e6),
        ("billion", 1e9),
        ("trillion", 1e12),
        ("bn", 1e9),
        ("mn", 1e6),
        ("k", kilo),
        ("m", mega),
        ("b", 1e9),
        ("g", 1e9),
        ("t", 1e12),
        ("q", 1e15),
    ];
    for (suffix, factor) in suffixes {
        if let Some(body) = text.strip_suffix(suffix) {
            return (body, factor);
        }
    }
    (text, 1.0)
}

/// Takes commas away where they group thousands; refuses where they can't.
fn remove_thousands(text: &str) -> Option<String> {
    let digits_only = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if text.bytes().any(|b| !(b.is_ascii_digit() || matches!(b, b'.' | b',' | b'-' | b'+' | b'e'))) {
        return None;
    }
    if !text.contains(',') {
        return Some(text.to_owned());
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let unsigned = whole.trim_start_matches(['-', '+']);
    let mut groups = unsigned.split(',');
    let first = groups.next()?;
    if !digits_only(first) || first.len() > 3 || !groups.all(|g| g.len() == 3 && digits_only(g)) {
        return None;
    }
    let joined = whole.replace(',', "");
    Some(if fraction.is_empty() { joined } else { format!("{joined}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let cases = [
            ("70B", 70e9),
            ("15T", 15e12),
            ("2.5M", 2.5e6),
            ("1,024", 1024.0),
            ("1 024", 1024.0),
            ("40%", 0.4),
            ("$5m", 5e6),
            ("$5,000,000", 5e6),
            ("8k", 8000.0),
            ("1e12", 1e12),
            ("-3", -3.0),
            ("5 million", 5e6),
            ("1,234.5", 1234.5),
            ("2 USD", 2.0),
        ];
        for (text, value) in cases {
            let read = parse_quantity(text, QuantityKind::Decimal).expect(text);
            assert!((read - value).abs() <= 1e-9 * value.abs(), "{text}: {read}");
        }
        assert_eq!(parse_quantity("8k", QuantityKind::Binary), Ok(8192.0));
        assert_eq!(parse_quantity("1M", QuantityKind::Binary), Ok(1_048_576.0));
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in ["", "NaN", "inf", "abc", "1,23", "1,2345", "--3", "7x", "1e999", "1.2.3", "٣"] {
            assert!(parse_quantity(text, QuantityKind::Decimal).is_err(), "{text}");
        }
    }
}
