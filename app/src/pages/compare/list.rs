//! The rows of a comparison as a list: what they are narrowed by, and what files of them hold.

use crate::comparison::{Comparison, Row as Compared, Value as Side};
use crate::listing::{Choice, Column, Entry, Kind, Listing, Place, Row, Value, View};

/// Where the list stands.
pub(super) fn place() -> Place {
    Place { path: "/compare", anchor: "figures", lists: &[], kept: &["ids", "only"] }
}

/// Columns of files: what each plan has, and its difference from the first.
const PLANS: [(&str, &str); 4] =
    [("plan_a", ""), ("plan_b", "difference_b"), ("plan_c", "difference_c"), ("plan_d", "difference_d")];

/// The list, in the order of the page.
pub fn list(comparison: &Comparison) -> Listing {
    let mut columns = vec![
        Column::new("figure", "Figure", Kind::Text),
        Column::new("group", "Group", Kind::Text),
        Column::new("differs", "Differs", Kind::Flag),
    ];
    for (plan, (value, difference)) in comparison.columns.iter().zip(PLANS) {
        let named = |id, label: String| Column { label: label.into(), ..Column::new(id, "", Kind::Text) };
        columns.push(named(value, plan.title.clone()));
        if !difference.is_empty() {
            columns.push(named(difference, format!("{}, less the first", plan.title)));
        }
    }
    let kinds = comparison.groups.iter().map(|group| (group.id.clone(), group.title.clone())).collect();
    let rows = comparison.groups.iter().flat_map(|group| {
        group.rows.iter().map(|compared| row(compared, &group.id, &group.title, comparison.columns.len()))
    });
    Listing {
        name: "comparison",
        files: "/compare",
        caption: "Figures beside one another",
        noun: ("figure", "figures"),
        columns,
        choices: vec![Choice { id: "group", label: "About", all: "Everything", kinds }],
        rows: rows.collect(),
    }
}

fn row(row: &Compared, group: &str, title: &str, plans: usize) -> Row {
    let mut entries = vec![Entry::text(&row.label), Entry::text(title), Entry::flag(row.differs)];
    let unknown = Side::default();
    for (place, (_, difference)) in PLANS.iter().enumerate().take(plans) {
        let side = row.values.get(place).unwrap_or(&unknown);
        let value = side.number.map(Value::Number);
        let entry = Entry::text(&side.text);
        entries.push(Entry { value: value.unwrap_or_else(|| entry.value.clone()), ..entry });
        if !difference.is_empty() {
            let entry = Entry::text(side.difference_text.clone().unwrap_or_default());
            entries.push(Entry { value: side.difference.map_or(Value::Unknown, Value::Number), ..entry });
        }
    }
    Row { entries, kinds: vec![group.to_owned()], words: row.key.clone(), ..Row::default() }
}

/// The rows that a view shows, in their groups.
pub(super) fn narrowed(mut comparison: Comparison, list: &Listing, view: &View) -> Comparison {
    let shown = list.shown(view);
    let mut place = 0;
    for group in &mut comparison.groups {
        group.rows.retain(|_| {
            place += 1;
            shown.contains(&(place - 1))
        });
    }
    comparison.groups.retain(|group| !group.rows.is_empty());
    comparison
}
