//! A range as a strip: from one draw in ten to nine in ten, the median on it, and the limit that it is held against.

use crate::charts::escape;
use engine::answer::Percentiles;
use std::fmt::Write;

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 58.0;
const EDGE: f64 = 28.0;
const BAR: (f64, f64) = (22.0, 14.0);

/// The limit of a range: its value and its name.
pub(super) type Limit<'a> = Option<(f64, &'a str)>;

/// The drawing; it says in words what it shows.
pub(super) fn draw(name: &str, p: &Percentiles, limit: Limit<'_>, show: fn(f64) -> String) -> String {
    let values = [p.p10, p.p50, p.p90].into_iter().chain(limit.map(|l| l.0));
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    let width = (high - low).max(f64::MIN_POSITIVE);
    let x = |value: f64| EDGE + (WIDTH - 2.0 * EDGE) * (value - low) / width;
    let against = limit.map(|(value, name)| format!(", {name} {}", show(value))).unwrap_or_default();
    let label = escape(&format!("{name}: from {} to {}, median {}{against}", show(p.p10), show(p.p90), show(p.p50)));
    let mut out =
        format!("<svg class=\"chart strip\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">");
    let (top, tall) = BAR;
    let middle = top + tall / 2.0;
    let _ = write!(
        out,
        "<line class=\"axis\" x1=\"0\" y1=\"{middle}\" x2=\"{WIDTH}\" y2=\"{middle}\"/>\
         <rect class=\"fl c1\" x=\"{:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{tall}\" rx=\"3\"/>\
         <circle class=\"ring\" cx=\"{:.1}\" cy=\"{middle}\" r=\"4\"/>",
        x(p.p10),
        (x(p.p90) - x(p.p10)).max(2.0),
        x(p.p50)
    );
    for (value, above) in ends(p, x) {
        let y = if above { top - 8.0 } else { top + tall + 14.0 };
        let _ = write!(
            out,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
            x(value),
            escape(&show(value))
        );
    }
    if let Some((value, name)) = limit {
        let (at, text) = (x(value), escape(&format!("{name} {}", show(value))));
        let anchor = if at > WIDTH / 2.0 { "end" } else { "start" };
        let _ = write!(
            out,
            "<line class=\"ref\" x1=\"{at:.1}\" y1=\"{}\" x2=\"{at:.1}\" y2=\"{}\"/>\
             <text class=\"note\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{text}</text>",
            top - 5.0,
            top + tall + 5.0,
            HEIGHT - 2.0,
        );
    }
    out.push_str("</svg>");
    out
}

/// Both ends below the bar, and none where they would run into each other.
fn ends(p: &Percentiles, x: impl Fn(f64) -> f64) -> Vec<(f64, bool)> {
    if x(p.p90) - x(p.p10) < 56.0 { vec![(p.p50, true)] } else { vec![(p.p10, true), (p.p90, true)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format;

    #[test]
    fn a_strip_says_what_it_shows_and_stays_inside() {
        let p = Percentiles { p10: 1.0e6, p50: 1.4e6, p90: 2.0e6 };
        for limit in [None, Some((5.0e6, "budget")), Some((1.0e5, "budget")), Some((1.5e6, "<b>"))] {
            let svg = draw("Cost", &p, limit, format::money);
            assert!(svg.contains("from $1M to $2M, median $1.4M") || svg.contains("from $1.00M to $2.00M"), "{svg}");
            assert!(!svg.contains("<b>") && !svg.contains("NaN"), "{svg}");
            for at in svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok()) {
                assert!((0.0..=WIDTH).contains(&at), "{at}: {svg}");
            }
        }
    }

    #[test]
    fn a_range_without_width_is_drawn_too() {
        let svg = draw("Time", &Percentiles { p10: 3.0, p50: 3.0, p90: 3.0 }, None, format::days);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
