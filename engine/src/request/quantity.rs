//! Numbers as people write them: `70B`, `15T`, `2.5M`, `1,024`, `40%`, `$5m`, `8k`.

use serde::{Deserialize, Serialize};

/// What a number counts: `k` means 1,024 for a context length and 1,000 for everything else; a share may be written
/// in percent without its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QuantityKind {
    /// Decimal suffixes.
    Decimal,
    /// Binary `k` and `m` (context lengths).
    Binary,
    /// A share of one whose field shows a percent sign: `70%`, `70` and `0.7` are the same. A bare number beyond one
    /// is in percent; exactly `1` is the whole, 100 %.
    Share,
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
    let number = remove_thousands(body).ok_or_else(|| no_number(text))?;
    let value: f64 = number.parse().map_err(|_| no_number(text))?;
    let bare = percent == 1.0 && factor == 1.0;
    let percent = if kind == QuantityKind::Share && bare && value.abs() > 1.0 { 100.0 } else { percent };
    let value = value * factor / percent;
    if !value.is_finite() {
        return Err(format!("`{}` is not a finite number", text.trim()));
    }
    // never negative zero
    Ok(value + 0.0)
}

fn split_suffix(text: &str, kind: QuantityKind) -> (&str, f64) {
    let (kilo, mega) = match kind {
        QuantityKind::Decimal | QuantityKind::Share => (1e3, 1e6),
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

/// Says what was typed, as far as a line holds it.
fn no_number(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("`{}…` is not a number", &text[..end]),
        None => format!("`{text}` is not a number"),
    }
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

/// A number as people write it, which [`parse_quantity`] reads back: `1,048,576`, `10.5M`, `70 %`.
pub(crate) fn written(number: f64, kind: QuantityKind) -> String {
    match kind {
        QuantityKind::Share => format!("{} %", group_digits(&plain(rounded(number * 100.0)))),
        // `M` would mean 1,048,576 here
        QuantityKind::Binary => group_digits(&plain(number)),
        QuantityKind::Decimal => [(1e12, "T"), (1e9, "B"), (1e6, "M")]
            .into_iter()
            .find(|(step, _)| number.abs() >= *step)
            .map(|(step, suffix)| (rounded(number / step), suffix))
            // a suffix only where it shortens
            .filter(|(scaled, _)| (scaled * 1e3).fract() == 0.0)
            .map_or_else(
                || group_digits(&plain(number)),
                |(scaled, suffix)| format!("{}{suffix}", group_digits(&plain(scaled))),
            ),
    }
}

/// Without the last digits, which a multiplication may have made up.
fn rounded(number: f64) -> f64 {
    format!("{number:.9e}").parse().unwrap_or(number)
}

/// A number as it would be typed: no exponent where digits fit.
pub(crate) fn plain(number: f64) -> String {
    if number != 0.0 && (number.abs() >= 1e21 || number.abs() < 1e-6) {
        format!("{number:e}")
    } else {
        format!("{number}")
    }
}

/// Puts commas between the thousands of a plain decimal number; one with an exponent stays as it is.
pub fn group_digits(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let end = rest.find('.').unwrap_or(rest.len());
    let (whole, fraction) = rest.split_at(end);
    if !whole.bytes().all(|b| b.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut grouped = String::with_capacity(text.len() + whole.len() / 3);
    grouped.push_str(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
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
    fn a_share_may_leave_its_percent_sign_out() {
        let cases = [
            ("0.7", 0.7),
            ("70", 0.7),
            ("70%", 0.7),
            ("70 %", 0.7),
            ("1", 1.0),
            ("1%", 0.01),
            ("1.5", 0.015),
            ("100", 1.0),
            ("150", 1.5),
            ("150%", 1.5),
            ("-20", -0.2),
            ("-0.2", -0.2),
            ("0", 0.0),
        ];
        for (text, value) in cases {
            assert_eq!(parse_quantity(text, QuantityKind::Share), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let cases = [
            (1_048_576.0, QuantityKind::Binary, "1,048,576"),
            (10_500_000.0, QuantityKind::Decimal, "10.5M"),
            (1e12, QuantityKind::Decimal, "1T"),
            (1_048_576.0, QuantityKind::Decimal, "1,048,576"),
            (1e15, QuantityKind::Decimal, "1,000T"),
            (8_192.5, QuantityKind::Decimal, "8,192.5"),
            (-1_234.0, QuantityKind::Decimal, "-1,234"),
            (0.01, QuantityKind::Decimal, "0.01"),
            (0.7, QuantityKind::Share, "70 %"),
            (0.07, QuantityKind::Share, "7 %"),
            (1.5, QuantityKind::Share, "150 %"),
            (70.0, QuantityKind::Share, "7,000 %"),
        ];
        for (number, kind, text) in cases {
            assert_eq!(written(number, kind), text);
            let read = parse_quantity(text, kind).expect(text);
            assert!((read - number).abs() <= 1e-12 * number.abs(), "{text}: {read}");
        }
        assert_eq!(written(1e30, QuantityKind::Decimal), "1,000,000,000,000,000,000T");
        assert_eq!(written(1e300, QuantityKind::Binary), "1e300");
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in ["", "NaN", "inf", "abc", "1,23", "1,2345", "--3", "7x", "1e999", "1.2.3", "٣"] {
            assert!(parse_quantity(text, QuantityKind::Decimal).is_err(), "{text}");
        }
    }
}
