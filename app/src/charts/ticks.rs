//! Round values for axes.

use super::{Scale, time};

/// About `count` round values that cover the range; the last is at or above `high`.
pub(super) fn ticks(scale: Scale, low: f64, high: f64, count: usize) -> Vec<f64> {
    match scale {
        Scale::Linear => linear(low.min(0.0), high, count),
        Scale::Log => log(low, high, count),
        Scale::Time => time::ticks(low, high, count),
    }
}

fn linear(low: f64, high: f64, count: usize) -> Vec<f64> {
    let span = (high - low).max(f64::MIN_POSITIVE);
    let rough = span / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(power * 10.0);
    let first = (low / step).floor();
    let last = (high / step - 1e-9).ceil();
    (0..=((last - first) as usize).min(40)).map(|i| (first + i as f64) * step).collect()
}

fn log(low: f64, high: f64, count: usize) -> Vec<f64> {
    let (low, high) = (low.max(f64::MIN_POSITIVE), high.max(low * 1.01).max(f64::MIN_POSITIVE));
    let (from, to) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let steps: &[f64] = match (to - from).max(1) as usize {
        decades if decades * 3 <= count + 3 => &[1.0, 2.0, 5.0],
        decades if decades * 2 <= count + 2 => &[1.0, 3.0],
        _ => &[1.0],
    };
    let all: Vec<f64> = (from..=to).flat_map(|decade| steps.iter().map(move |m| m * 10f64.powi(decade))).collect();
    // from the last at or below `low` to the first at or above `high`
    let start = all.iter().rposition(|t| *t <= low * 1.0001).unwrap_or(0);
    let end = all.iter().position(|t| *t >= high * 0.9999).unwrap_or(all.len().saturating_sub(1));
    all.into_iter().skip(start).take(end + 1 - start.min(end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_range() {
        assert_eq!(linear(0.0, 9.3, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(linear(0.0, 36.0, 6), [0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(log(4.6, 176.0, 6), [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
        assert_eq!(log(8.0, 1024.0, 4), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
    }

    #[test]
    fn odd_ranges_do_not_hang() {
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (0.0, 1e30), (1e-9, 1e-9)] {
            assert!(!ticks(Scale::Linear, low, high, 5).is_empty());
            assert!(!ticks(Scale::Log, low, high, 5).is_empty());
        }
    }
}
