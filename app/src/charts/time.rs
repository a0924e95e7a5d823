//! Days as numbers along an axis: counted from 1 January 1970, in the calendar that everyone uses.

use engine::days_from_civil;

/// Short names of months, for ticks.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The number of an ISO 8601 day; of a month or a year its first day. None where the text is no date.
pub fn day(iso: &str) -> Option<f64> {
    let mut parts = iso.get(..10).unwrap_or(iso).split('-').map(|part| part.parse::<i64>().ok());
    let year = parts.next()??;
    let month = parts.next().map_or(Some(1), |month| month.filter(|m| (1..=12).contains(m)))?;
    let day = parts.next().map_or(Some(1), |day| day.filter(|d| (1..=31).contains(d)))?;
    Some(days_from_civil(year, month, day) as f64)
}

/// The ISO 8601 day of a number.
pub(super) fn iso(day: f64) -> String {
    let (year, month, day) = parts(day as i64);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The month of a number: `Sep 2026`.
pub(super) fn month(day: f64) -> String {
    let (year, month, _) = parts(day as i64);
    let name = usize::try_from(month - 1).ok().and_then(|place| MONTHS.get(place)).copied().unwrap_or_default();
    format!("{name} {year}")
}

/// At most about `count` firsts of months at even distances; the first is at or before `low`.
pub(super) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let months = |day: f64| {
        let (year, month, _) = parts(day as i64);
        year * 12 + month - 1
    };
    let (first, last) = (months(low), months(high));
    let step = [1, 2, 3, 6, 12, 24, 60, 120].into_iter().find(|step| (last - first) / step < count.max(1) as i64);
    let step = step.unwrap_or(240);
    let start = first.div_euclid(step) * step;
    let end = (last + 1).max(start + step);
    let all = (0..).map(|place| start + place * step).take_while(|month| *month <= end).take(40);
    all.map(|month| days_from_civil(month.div_euclid(12), month.rem_euclid(12) + 1, 1) as f64).collect()
}

/// Year, month and day of a number.
fn parts(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_and_told() {
        for (text, count) in
            [("1970-01-01", 0.0), ("2000-02-29", 11_016.0), ("2024-03-01", 19_783.0), ("1969-12-31", -1.0)]
        {
            assert_eq!(day(text), Some(count), "{text}");
            assert_eq!(iso(count), text);
        }
        for count in (-100_000..100_000).step_by(97) {
            assert_eq!(day(&iso(f64::from(count))), Some(f64::from(count)));
        }
        assert_eq!(day("2026-09"), day("2026-09-01"));
        assert_eq!(day("2026"), day("2026-01-01"));
        assert!(day("soon").is_none() && day("2026-13").is_none() && day("").is_none());
    }

    #[test]
    fn ticks_are_firsts_of_months_and_cover_the_range() {
        let (low, high) = (day("2023-06-20").unwrap(), day("2026-11-09").unwrap());
        let all: Vec<String> = ticks(low, high, 8).into_iter().map(iso).collect();
        assert_eq!(all.first().map(String::as_str), Some("2023-01-01"));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]) && all.len() <= 9, "{all:?}");
        assert!(all.iter().all(|text| text.ends_with("-01")));
        assert!(ticks(low, low, 5).len() > 1);
        assert_eq!(month(low), "Jun 2023");
    }
}
