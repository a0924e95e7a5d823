//! The time, as stored and as shown.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 UTC.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// ISO 8601 in UTC with seconds, such as `2026-11-30T10:00:00Z`.
pub fn iso(milliseconds: i64) -> String {
    jiff::Timestamp::from_second(milliseconds.div_euclid(1_000)).map(|time| time.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_iso_8601_in_utc() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(1_796_032_800_999), "2026-11-30T10:00:00Z");
        assert!(now() > 1_700_000_000_000);
    }
}
