//! One formatter for every figure that is shown: three significant digits, a unit, thousands separators.

/// A number to `digits` significant digits, without exponent and with thousands separators.
pub fn significant(value: f64, digits: u32) -> String {
    if !value.is_finite() {
        return "—".into();
    }
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = digits as i32 - 1 - magnitude;
    let scale = 10f64.powi(decimals.clamp(-300, 300));
    let rounded = (value * scale).round() / scale;
    // rounding may have carried into the next magnitude: 9.996 becomes 10.0
    let decimals = digits as i32 - 1 - (rounded.abs().log10() + 1e-12).floor() as i32;
    group(&format!("{rounded:.*}", decimals.clamp(0, 12) as usize))
}

/// Puts commas between the thousands of a plain decimal number, and a true minus before it.
fn group(text: &str) -> String {
    engine::request::group_digits(text).replacen('-', "\u{2212}", 1)
}

/// A whole number: `1,234,567`.
pub fn count(value: f64) -> String {
    if value.is_finite() { group(&format!("{:.0}", value.round() + 0.0)) } else { "—".into() }
}

/// A number as short as it can be told exactly: `0.0826`, `1,000`, `2.5`.
pub fn exact(value: f64) -> String {
    if value.is_finite() { group(&format!("{value}")) } else { "—".into() }
}

/// A number told exactly where six digits do, else to six digits.
pub fn exact_or_six(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { count(value) } else { trim_zeros(&significant(value, 6)) }
}

/// The largest suffix of thousands that fits: `1.23M`, `70.6B`, `15T`.
fn scaled(value: f64, from: f64) -> Option<(f64, &'static str)> {
    // half a unit of the third digit below, so that 999,999 is 1M and not 1000K
    let steps = [(1e15, "Q"), (1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K")];
    let (step, suffix) = steps.into_iter().find(|(step, _)| value.abs() >= step * 0.9995)?;
    (value.abs() >= from).then_some((value / step, suffix))
}

/// Three significant digits with a suffix: `1.23M`; trailing zeros go.
pub fn compact(value: f64) -> String {
    match scaled(value, 1e4) {
        Some((scaled, suffix)) => format!("{}{suffix}", trim_zeros(&significant(scaled, 3))),
        None if value.fract() == 0.0 => count(value),
        None => trim_zeros(&significant(value, 3)),
    }
}

fn trim_zeros(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

/// Money, three significant digits: `$1.23M`, `$960`, `$2.49`.
pub fn money(usd: f64) -> String {
    if !usd.is_finite() {
        return "—".into();
    }
    let sign = if usd < 0.0 { "\u{2212}" } else { "" };
    let usd = usd.abs();
    match scaled(usd, 999.5) {
        Some((scaled, suffix)) => format!("{sign}${}{suffix}", significant(scaled, 3)),
        None if usd == 0.0 => "$0".into(),
        None if usd < 0.995 => format!("{sign}${}", significant(usd, 3)),
        None if usd < 99.995 => format!("{sign}${usd:.2}"),
        None => format!("{sign}${}", significant(usd, 3)),
    }
}

/// Money to the last dollar, for titles: `$1,234,567`.
pub fn money_full(usd: f64) -> String {
    if usd.abs() < 1000.0 {
        return format!("{}${}", if usd < 0.0 { "\u{2212}" } else { "" }, trim_zeros(&format!("{:.4}", usd.abs())));
    }
    format!("{}${}", if usd < 0.0 { "\u{2212}" } else { "" }, count(usd.abs()))
}

/// Money from low to high, the suffix told once: `$0.58M–$0.89M`.
pub fn money_range(low: f64, high: f64) -> String {
    let (low, high) = (money(low), money(high));
    if low == high { low } else { format!("{low}–{high}") }
}

/// A duration in days, as sentences of the engine tell it: `41.3 days`, `3,193 days`, below two days `31.2 hours`.
pub fn days(days: f64) -> String {
    if days.is_finite() { engine::days_text(days) } else { "—".into() }
}

/// Durations that stand in one column, in the one unit that the longest of them is told in: `41.3 days`, `0.85 days`.
pub fn days_together(column: impl IntoIterator<Item = f64>) -> impl Fn(f64) -> String {
    let (unit, each) = time_unit(column.into_iter().fold(0.0, f64::max));
    move |value| {
        let alone = days(value);
        if alone.ends_with(&unit) { alone } else { format!("{} {unit}", significant(value * each, 2)) }
    }
}

/// The unit that so many days are told in, and how many of it are a day.
fn time_unit(value: f64) -> (String, f64) {
    let unit = days(value).rsplit(' ').next().unwrap_or_default().to_owned();
    let each = match unit.as_str() {
        "seconds" => 86_400.0,
        "minutes" => 1_440.0,
        "hours" => 24.0,
        _ => 1.0,
    };
    (unit, each)
}

/// Days from low to high: `77–95 days`.
pub fn days_range(low: f64, high: f64) -> String {
    if high < 2.0 {
        let (unit, each) = time_unit(high);
        return format!("{}–{} {unit}", significant(low * each, 2), significant(high * each, 2));
    }
    // both ends to the same place, which the larger sets
    let decimals = if high >= 99.95 { 0 } else { 1 };
    format!("{}–{} days", group(&format!("{low:.decimals$}")), group(&format!("{high:.decimals$}")))
}

/// A share as a percentage: `46.2%`; small shares keep two digits.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if !value.is_finite() {
        return "—".into();
    }
    if value.abs() >= 99.95 || value == 0.0 {
        return format!("{}%", group(&format!("{value:.0}")));
    }
    if value.abs() >= 1.0 {
        format!("{}%", trim_zeros(&group(&format!("{value:.1}"))))
    } else {
        format!("{}%", significant(value, 2))
    }
}

/// A difference as a percentage with its sign: `+3.2%`.
pub fn percent_signed(share: f64) -> String {
    format!("{}{}", if share > 0.0 { "+" } else { "" }, percent(share))
}

/// A share with one decimal, for columns: `54.0%`.
pub fn percent_fixed(share: f64) -> String {
    if share.is_finite() { format!("{:.1}%", share * 100.0) } else { "—".into() }
}

/// Memory: `103 GiB`, `8.25 GiB`.
pub fn gib(gib: f64) -> String {
    format!("{} GiB", if gib.abs() < 0.005 { "0".into() } else { significant(gib, 3) })
}

/// A time in seconds: `12.3 s`, `850 ms`, `45 µs`.
pub fn seconds(seconds: f64) -> String {
    match seconds.abs() {
        0.0 => "0 s".into(),
        s if s < 0.000_999_5 => format!("{} µs", significant(seconds * 1e6, 3)),
        s if s < 0.999_5 => format!("{} ms", significant(seconds * 1e3, 3)),
        _ => format!("{} s", significant(seconds, 3)),
    }
}

/// How long something takes, in the unit that people say: `14.9 s`, `53.1 min`, `5.3 h`, `3.5 days`.
pub fn duration(length: f64) -> String {
    let one = |value: f64, unit: &str| format!("{} {unit}", trim_zeros(&group(&format!("{value:.1}"))));
    match length.abs() {
        s if s < 119.95 => seconds(length),
        s if s < 7_197.0 => one(length / 60.0, "min"),
        s if s < 172_620.0 => one(length / 3_600.0, "h"),
        _ => one(length / 86_400.0, "days"),
    }
}

/// A value with its unit as the engine names units: `share` and `share of step` as a percentage, `s` as a duration.
pub fn measure(value: f64, unit: &str) -> String {
    match unit {
        "" => exact_or_six(value),
        "s" => duration(value),
        "GiB" => gib(value),
        "USD" => money(value),
        unit if unit.split(' ').next() == Some("share") => percent(value),
        // rare events are counted to the second digit
        unit if unit.starts_with("per ") => format!("{} {unit}", trim_zeros(&significant(value, 2))),
        unit => format!("{} {}", significant(value, 3), unit_of(value, unit)),
    }
}

/// A measure from low to high, a unit that both share told once: `28.1 to 34.8 s`, `850 ms to 1.2 s`.
pub fn measure_range(low: f64, high: f64, unit: &str) -> String {
    let (low, high) = (measure(low, unit), measure(high, unit));
    let low = match (low.split_once(' '), high.split_once(' ')) {
        (Some((number, one)), Some((_, other))) if one == other => number,
        _ => low.as_str(),
    };
    format!("{low} to {high}")
}

/// Months: `17.3 months`, `1 month`.
pub fn months(months: f64) -> String {
    if months.is_finite() { engine::months_text(months) } else { "—".into() }
}

/// Power: `130 kW`, `1.2 MW`.
pub fn kilowatts(kw: f64) -> String {
    if kw >= 999.5 {
        format!("{} MW", trim_zeros(&significant(kw / 1e3, 3)))
    } else {
        format!("{} kW", trim_zeros(&significant(kw, 3)))
    }
}

/// Energy: `980 kWh`, `333 MWh`, `1.2 GWh`.
pub fn energy(kwh: f64) -> String {
    in_thousands(kwh, ["kWh", "MWh", "GWh"])
}

/// Mass: `980 kg`, `127 t`, `1.2 kt`.
pub fn mass(kg: f64) -> String {
    in_thousands(kg, ["kg", "t", "kt"])
}

/// A rate of a network: `400 Gb/s`, `24 Tb/s`.
pub fn gigabits(gbps: f64) -> String {
    in_thousands(gbps, ["Gb/s", "Tb/s", "Pb/s"])
}

/// Storage in powers of ten: `17.9 TB`, `1.2 PB`.
pub fn terabytes(tb: f64) -> String {
    in_thousands(tb, ["TB", "PB", "EB"])
}

/// Three digits in the first of three units, each a thousand of the one before, that leaves fewer than a thousand.
fn in_thousands(value: f64, units: [&str; 3]) -> String {
    let [small, medium, large] = units;
    let (value, unit) = match value.abs() {
        v if v >= 999_500.0 => (value / 1e6, large),
        v if v >= 999.5 => (value / 1e3, medium),
        _ => (value, small),
    };
    format!("{} {unit}", trim_zeros(&significant(value, 3)))
}

/// The date of an ISO 8601 time: `30 November 2026`; anything else as it is.
pub fn date(iso: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let mut parts = iso.get(..10).unwrap_or(iso).split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let name = month.and_then(|m| m.parse::<usize>().ok()).and_then(|m| MONTHS.get(m.wrapping_sub(1)));
    match (year, name, day.and_then(|d| d.parse::<u32>().ok())) {
        (Some(year), Some(name), Some(day)) => format!("{day} {name} {year}"),
        (Some(year), Some(name), None) => format!("{name} {year}"),
        _ => iso.to_owned(),
    }
}

/// An ISO 8601 time in UTC for people: `30 November 2026, 10:00 UTC`; anything else as it is.
pub fn moment(iso: &str) -> String {
    match iso.get(11..16) {
        Some(time) => format!("{}, {time} UTC", date(iso)),
        None => iso.to_owned(),
    }
}

/// How long ago something was, in the largest whole unit: `just now`, `5 minutes ago`, `2 days ago`, `1 year ago`.
pub fn ago(seconds: i64) -> String {
    const DAY: i64 = 86_400;
    let (length, one, many) = match seconds {
        ..60 => return "just now".into(),
        60..3_600 => (60, "minute", "minutes"),
        3_600..DAY => (3_600, "hour", "hours"),
        DAY..5_184_000 => (DAY, "day", "days"),
        // 60 days and more, in months of 30.4 days
        5_184_000..31_557_600 => (2_629_800, "month", "months"),
        _ => (31_557_600, "year", "years"),
    };
    format!("{} ago", plural((seconds / length) as f64, one, many))
}

/// A quantity with its unit, which is named in the singular: `1 system`, `6 switches`, `18.5 TB usable`.
pub fn quantity(n: f64, unit: &str) -> String {
    let countable = unit.bytes().all(|b| b.is_ascii_lowercase());
    let plural = match unit {
        unit if n == 1.0 || !countable => unit.to_owned(),
        unit if unit.ends_with(['s', 'x', 'h']) => format!("{unit}es"),
        unit => format!("{unit}s"),
    };
    format!("{} {plural}", exact_or_six(n))
}

/// A unit that is named in the plural, as it stands behind a number: `devices`, and `device` behind one.
pub fn unit_of(n: f64, unit: &str) -> &str {
    const ENDINGS: [(&str, &str); 3] = [("people", "person"), ("switches", "switch"), ("replicas", "replica")];
    const COUNTED: [&str; 22] = [
        "GPUs",
        "cables",
        "days",
        "devices",
        "drives",
        "engineers",
        "feeds",
        "hours",
        "layers",
        "links",
        "months",
        "nodes",
        "ports",
        "racks",
        "rows",
        "sequences",
        "servers",
        "stages",
        "steps",
        "systems",
        "tokens",
        "years",
    ];
    if n != 1.0 {
        return unit;
    }
    let irregular = ENDINGS.iter().find(|(many, _)| *many == unit).map(|(_, one)| *one);
    let regular = COUNTED.contains(&unit).then(|| &unit[..unit.len() - 1]);
    irregular.or(regular).unwrap_or(unit)
}

/// One thing or several: `1 node`, `8 nodes`.
pub fn plural(n: f64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1.0 { one } else { many })
}

#[cfg(test)]
mod tests;
