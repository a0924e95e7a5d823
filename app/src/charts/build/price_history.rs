//! Posted prices of an accelerator over time.

use crate::charts::{Axis, Figure, Format, Kind, Series, day};
use crate::format;

/// Lines beyond these are in the table only.
const MOST_LINES: usize = 8;
/// A change below this share is none.
const SAME: f64 = 0.005;

/// The dated prices of one provider and way of paying.
#[derive(Clone, Debug, PartialEq)]
pub struct Posted {
    /// Who, and how it is paid.
    pub label: String,
    /// ISO 8601 day and USD per device-hour, oldest first.
    pub prices: Vec<(String, f64)>,
}

impl Posted {
    /// From the first price to the last, as a share.
    fn change(&self) -> f64 {
        match (self.prices.first(), self.prices.last()) {
            (Some((_, first)), Some((_, last))) if *first > 0.0 => last / first - 1.0,
            _ => 0.0,
        }
    }

    fn ends(&self) -> String {
        let both = self.prices.first().zip(self.prices.last());
        both.map_or_else(String::new, |((_, first), (_, last))| {
            format!("{}, from {} to {}", self.label, format::money(*first), format::money(*last))
        })
    }
}

/// Lines through the dates that are known, of those with the most dates; none where nothing has two.
pub fn price_history(accelerator: &str, posted: &[Posted]) -> Option<Figure> {
    let mut lines: Vec<&Posted> = posted.iter().filter(|one| one.prices.len() > 1).collect();
    let dates = lines.iter().flat_map(|one| one.prices.iter().map(|(date, _)| date.as_str()));
    let (first, last) = (dates.clone().min()?, dates.max()?);
    let title = title(accelerator, &lines);
    lines.sort_by_key(|one| std::cmp::Reverse(one.prices.len()));
    let mut all: Vec<Series> = lines
        .iter()
        .enumerate()
        .map(|(index, one)| {
            let points = one.prices.iter().filter_map(|(date, usd)| day(date).map(|day| (day, *usd)));
            Series::new(&one.label, index + 1, points.collect())
        })
        .collect();
    let undrawn = all.split_off(all.len().min(MOST_LINES));
    Some(Figure {
        title,
        subtitle: format!(
            "USD per GPU-hour as posted, {} to {}. Each mark is a dated price; lines only join them",
            format::date(first),
            format::date(last)
        ),
        series: all,
        undrawn,
        ..Figure::new(
            "price-history-chart",
            Kind::Lines,
            Axis::time("Date of the price"),
            Axis::linear("USD per GPU-hour", Format::Usd),
        )
    })
}

/// How many rose and fell, and which the most.
fn title(accelerator: &str, lines: &[&Posted]) -> String {
    let most = |sign: f64| {
        let moved = lines.iter().filter(|one| one.change() * sign > SAME);
        let count = moved.clone().count();
        moved.max_by(|a, b| (a.change() * sign).total_cmp(&(b.change() * sign))).map(|one| (count, one.ends()))
    };
    let (rose, fell) = (most(1.0), most(-1.0));
    let all = lines.len();
    let of = format!("Of {} of {accelerator},", format::plural(all as f64, "posted price", "posted prices"));
    let extreme = |count: usize, text: String| if count > 1 { format!("most: {text}") } else { text };
    match (rose, fell) {
        (None, None) => format!("{of} none has changed between its first and its last known date"),
        (Some((up, text)), None) => format!("{of} {up} rose ({}) and none fell", extreme(up, text)),
        (None, Some((down, text))) => format!("{of} {down} fell ({}) and none rose", extreme(down, text)),
        (Some((up, risen)), Some((down, fallen))) => {
            format!("{of} {up} rose ({}) and {down} fell ({})", extreme(up, risen), extreme(down, fallen))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posted(label: &str, prices: &[(&str, f64)]) -> Posted {
        Posted { label: label.into(), prices: prices.iter().map(|(date, usd)| ((*date).to_owned(), *usd)).collect() }
    }

    #[test]
    fn the_title_counts_what_moved_and_one_date_is_no_line() {
        let all = [
            posted("A", &[("2024-01-01", 2.0), ("2025-01-01", 3.0)]),
            posted("B", &[("2024-01-01", 10.0), ("2026-01-01", 5.0)]),
            posted("C", &[("2024-01-01", 1.0), ("2026-02-01", 1.0)]),
            posted("D", &[("2026-03-01", 1.0)]),
        ];
        let figure = price_history("H100", &all).expect("a figure");
        assert_eq!(
            figure.title,
            "Of 3 posted prices of H100, 1 rose (A, from $2.00 to $3.00) and 1 fell (B, from $10.00 to $5.00)"
        );
        assert_eq!(figure.series.len(), 3);
        assert!(figure.subtitle.contains("1 January 2024 to 1 February 2026"), "{}", figure.subtitle);
        assert_eq!(price_history("H100", &all[3..]), None);
        let still = price_history("H100", &all[2..]).expect("a figure");
        assert!(still.title.ends_with("none has changed between its first and its last known date"));
    }

    #[test]
    fn lines_without_room_are_named_and_kept_for_the_table() {
        let many: Vec<Posted> =
            (0..10).map(|n| posted(&format!("P{n}"), &[("2024-01-01", 1.0), ("2025-01-01", 2.0)])).collect();
        let figure = price_history("X", &many).expect("a figure");
        assert_eq!((figure.series.len(), figure.undrawn.len()), (8, 2));
        assert_eq!(figure.left_out(), "In the table only, for room: P8; P9.");
    }
}
