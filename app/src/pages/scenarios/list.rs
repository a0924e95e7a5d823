//! The scenarios as a list: what they are narrowed and ordered by, and what files of them hold.

use crate::backend::ScenarioSummary;
use crate::backend::scenarios::{ListSearch, ScenarioList, Shelf};
use crate::components::Cell;
use crate::flash;
use crate::format;
use crate::listing::{Choice, Column, Entry, Kind, Listing, Place, Row, Value, View};

/// Where the list stands.
pub(super) const PLACE: Place = Place { path: "/scenarios", anchor: "list", lists: &[], kept: &[] };

const COLUMNS: [Column; 11] = [
    Column::new("name", "Scenario", Kind::Text),
    Column::new("plan", "Plan", Kind::Text),
    Column::new("cost_usd", "Cost of the run", Kind::Usd),
    Column::new("days", "Time", Kind::Number),
    Column::new("changed_at", "Changed", Kind::Date),
    Column::more("version", "Version", Kind::Number),
    Column::more("frozen_at", "Plan of", Kind::Date),
    Column::more("tags", "Tags", Kind::Text),
    Column::more("notes", "Notes", Kind::Text),
    Column::more("archived", "Archived", Kind::Flag),
    Column::more("id", "Id", Kind::Text),
];

/// What was found, newest change first. Words, tag and shelf have been looked for already: each row is of every kind.
pub fn list(found: &ScenarioList) -> Listing {
    let shelves = [(Shelf::All, "In use and archived"), (Shelf::Archived, "Archived only")];
    let shelves = shelves.map(|(shelf, name)| (shelf.name().to_owned(), name.to_owned()));
    let tags = found.tags.iter().map(|tag| (tag.clone(), tag.clone())).collect();
    Listing {
        name: "scenarios",
        files: "/scenarios/files",
        caption: "Scenarios",
        noun: ("scenario", "scenarios"),
        columns: COLUMNS.to_vec(),
        choices: vec![
            Choice { id: "tag", label: "Tag", all: "Any", kinds: tags },
            Choice { id: "archived", label: "Which", all: "In use", kinds: shelves.to_vec() },
        ],
        rows: found.scenarios.iter().map(row).collect(),
    }
}

/// What the pairs of an address look for.
pub fn search(pairs: &[(String, String)]) -> ListSearch {
    let view = View::read(&list(&ScenarioList::default()), PLACE, pairs);
    ListSearch {
        text: view.words.clone(),
        tag: view.kind("tag").to_owned(),
        shelf: Shelf::of_name(view.kind("archived")),
    }
}

fn time(iso: &str, cell: Cell) -> Entry {
    Entry { cell, value: Value::Text(iso.to_owned()), origin: None }
}

fn row(scenario: &ScenarioSummary) -> Row {
    let version = format!("version {}, plan of {}", scenario.number, format::date(&scenario.frozen_at));
    let changed = Cell { title: Some(scenario.updated_at.clone()), ..Cell::text(format::ago(scenario.age_seconds)) };
    let name = Cell::text(&scenario.name).link(format!("/scenarios/{}", flash::segment(&scenario.id)));
    Row {
        entries: vec![
            Entry { value: Value::Text(scenario.name.clone()), ..Entry::from(name) },
            Entry::text(&scenario.headline),
            Entry::number(scenario.cost_usd, format::money),
            Entry::number(scenario.days, format::days),
            time(&scenario.updated_at, changed.note(version)),
            Entry::number(Some(scenario.number as f64), format::count),
            time(&scenario.frozen_at, Cell::text(format::date(&scenario.frozen_at))),
            Entry::text(scenario.tags.join(", ")),
            Entry::text(&scenario.notes),
            Entry::flag(scenario.archived),
            Entry::text(&scenario.id),
        ],
        ..Row::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::query;

    fn scenario(name: &str, cost_usd: Option<f64>, days: Option<f64>, updated_at: &str) -> ScenarioSummary {
        ScenarioSummary {
            id: format!("id-of-{name}"),
            name: name.into(),
            headline: "Rent 64 H100".into(),
            query: String::new(),
            notes: "Ask Kim".into(),
            tags: vec!["board".into()],
            number: 2,
            edition: 1,
            archived: false,
            frozen_at: "2026-11-01T00:00:00Z".into(),
            created_at: "2026-11-01T00:00:00Z".into(),
            updated_at: updated_at.into(),
            age_seconds: 60,
            cost_usd,
            days,
        }
    }

    #[test]
    fn scenarios_are_put_in_order_by_what_is_shown_and_what_is_unknown_comes_last() {
        let scenarios = vec![
            scenario("b", Some(2e6), None, "2026-11-30T00:00:00Z"),
            scenario("A", Some(1.5e6), Some(40.0), "2026-11-20T00:00:00Z"),
            scenario("c", None, Some(1.0), "2026-11-25T00:00:00Z"),
        ];
        let list = list(&ScenarioList { scenarios: scenarios.clone(), all: 3, tags: vec!["board".into()] });
        assert!(list.rows.iter().all(|row| row.entries.len() == list.columns.len()));
        let names = |text: &str| -> String {
            let shown = list.shown(&View::read(&list, PLACE, &query(text)));
            shown.into_iter().map(|place| scenarios[place].name.as_str()).collect()
        };
        for (text, expected) in [
            ("", "bAc"),
            ("sort=name", "Abc"),
            ("sort=-name", "cbA"),
            ("sort=cost_usd", "Abc"),
            ("sort=-cost_usd", "bAc"),
            ("sort=days", "cAb"),
            ("sort=-days", "Acb"),
            ("sort=changed_at", "Acb"),
            // what the service has looked for is not looked for again
            ("tag=other&archived=only&sort=name", "Abc"),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn an_address_says_what_is_looked_for() {
        let asked = search(&query("q=+kim+&tag=board&archived=only&sort=-days&page=2"));
        assert_eq!(asked, ListSearch { text: "kim".into(), tag: "board".into(), shelf: Shelf::Archived });
    }
}
