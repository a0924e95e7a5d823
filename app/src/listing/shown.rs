//! Which rows and columns of a list a view shows.

use super::{Column, Entry, Listing, Order, Row, Value, View};
use std::cmp::Ordering;

impl Listing {
    /// Places of the rows that a view shows, in its order.
    pub fn shown(&self, view: &View) -> Vec<usize> {
        let words = view.words.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut shown: Vec<usize> = (0..self.rows.len())
            .filter(|place| self.rows.get(*place).is_some_and(|row| keeps(row, view, &words)))
            .collect();
        if let Some((column, order)) = view.sort
            && let Some(at) = self.columns.iter().position(|known| known.id == column)
        {
            let value =
                |place: &usize| self.rows.get(*place).and_then(|row| row.entries.get(at)).map(|entry| &entry.value);
            shown.sort_by(|a, b| compare(value(a), value(b), order));
        }
        shown
    }

    /// Places of the columns that a view shows.
    pub fn shown_columns(&self, view: &View) -> Vec<usize> {
        let is_shown = |column: &Column| {
            if view.columns.is_empty() { column.usual } else { view.columns.contains(&column.id) }
        };
        self.columns.iter().enumerate().filter(|(_, column)| is_shown(column)).map(|(place, _)| place).collect()
    }
}

fn keeps(row: &Row, view: &View, words: &[&str]) -> bool {
    let is_chosen = view.chosen.iter().zip(&row.kinds).all(|((_, wanted), kind)| wanted.is_empty() || wanted == kind);
    if !is_chosen || words.is_empty() {
        return is_chosen;
    }
    let text = text(row);
    words.iter().all(|word| text.contains(word))
}

/// Everything that the row says, in lower case.
fn text(row: &Row) -> String {
    let cells = row.entries.iter().flat_map(|Entry { cell, .. }| [Some(cell.text.as_str()), cell.note.as_deref()]);
    let texts: Vec<&str> = cells.flatten().chain([row.words.as_str()]).collect();
    texts.join(" ").to_lowercase()
}

/// Unknown values come last, whichever way the others go.
fn compare(a: Option<&Value>, b: Option<&Value>, order: Order) -> Ordering {
    let rank = |value: Option<&Value>| matches!(value, None | Some(Value::Unknown));
    let known = match (a, b) {
        (Some(Value::Number(a)), Some(Value::Number(b))) => a.total_cmp(b),
        (Some(Value::Flag(a)), Some(Value::Flag(b))) => a.cmp(b),
        (Some(Value::Text(a)), Some(Value::Text(b))) => a.to_lowercase().cmp(&b.to_lowercase()),
        // a column holds one kind of value, apart from what is unknown
        _ => return rank(a).cmp(&rank(b)),
    };
    if order == Order::Down { known.reverse() } else { known }
}
