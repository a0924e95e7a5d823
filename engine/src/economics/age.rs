//! How old a price is, measured from the version of the catalog and never from a clock.

use crate::catalog::Catalog;

/// Older than this, days, a price is stale: six months.
const STALE_DAYS: i64 = 183;

/// Days from a date of the catalog (`2026`, `2026-11` or `2026-11-30`) to the end of the month of its version.
///
/// A date that is not to the day counts from its first day, so that doubt makes a price older. `None` for the
/// caller's own price, which has no date.
pub fn age_days(date: &str) -> Option<i64> {
    let now = end_of_month(&Catalog::get().version)?;
    Some((now - first_day(date)?).max(0))
}

/// The price is older than six months.
pub fn is_stale(date: &str) -> bool {
    age_days(date).is_some_and(|days| days > STALE_DAYS)
}

fn first_day(date: &str) -> Option<i64> {
    let mut parts = date.split('-').map(|p| p.parse::<i64>().ok());
    let year = parts.next()??;
    let month = parts.next().unwrap_or(Some(1))?;
    let day = parts.next().unwrap_or(Some(1))?;
    Some(days_from_civil(year, month, day))
}

fn end_of_month(version: &str) -> Option<i64> {
    let mut parts = version.split('-').map(|p| p.parse::<i64>().ok());
    let (year, month) = (parts.next()??, parts.next()??);
    let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    Some(days_from_civil(next_year, next, 1) - 1)
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar (Hinnant 2013, "chrono-compatible low-level date
/// algorithms").
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_a_calendar_does() {
        assert_eq!(days_from_civil(1970, 1, 1), 0);
        assert_eq!(days_from_civil(2000, 3, 1), 11_017);
        assert_eq!(days_from_civil(2026, 11, 30) - days_from_civil(2026, 5, 31), 183);
        assert_eq!(days_from_civil(2024, 3, 1) - days_from_civil(2024, 2, 28), 2);
    }

    #[test]
    fn six_months_is_the_bound_and_doubt_makes_a_price_older() {
        let version = &Catalog::get().version;
        assert_eq!(age_days(&format!("{version}-30")).map(|d| d < 2), Some(true));
        assert!(is_stale("2024") && is_stale("2025-03") && !is_stale(version));
        assert_eq!(age_days(""), None);
        assert!(!is_stale(""), "the caller's own price has no date and is not called old");
    }
}
