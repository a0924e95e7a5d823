//! Which quotes are shown, and in which order: choices of a plain GET form.

use super::Entry;
use crate::format;
use engine::quotables;
use leptos::prelude::*;

/// What is asked for; empty is everything, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    find: String,
    group: String,
    sort: String,
}

const SORTS: [(&str, &str); 4] = [
    ("", "Name"),
    ("changed", "Last changed first"),
    ("difference", "Farthest from the catalog first"),
    ("ends", "Ending first"),
];

impl Filter {
    pub(super) fn from_query(query: &str) -> Self {
        let mut filter = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let value: String = value.trim().chars().take(80).collect();
            match key.as_ref() {
                "find" => filter.find = value,
                "group" => filter.group = value,
                "sort" => filter.sort = value,
                _ => {}
            }
        }
        filter
    }

    fn keeps(&self, entry: &Entry) -> bool {
        let find = self.find.to_lowercase();
        let texts = [entry.label(), &entry.row.key, &entry.row.supplier, &entry.row.note];
        let found = find.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&find));
        found && (self.group.is_empty() || self.group == entry.group())
    }

    /// The quotes that are shown, in their order.
    pub(super) fn apply<'e>(&self, entries: &'e [Entry]) -> Vec<&'e Entry> {
        let mut shown: Vec<&Entry> = entries.iter().filter(|entry| self.keeps(entry)).collect();
        shown.sort_by(|a, b| a.label().cmp(b.label()));
        match self.sort.as_str() {
            "changed" => shown.sort_by(|a, b| b.row.at.cmp(&a.row.at)),
            "difference" => {
                let distance = |entry: &Entry| entry.difference().map_or(-1.0, f64::abs);
                shown.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
            }
            // those that hold until they are changed come last
            "ends" => shown.sort_by_key(|entry| (entry.row.valid_until.is_none(), entry.row.valid_until.clone())),
            _ => {}
        }
        shown
    }

    pub(super) fn form(&self, shown: usize, all: usize) -> AnyView {
        let mut groups: Vec<&str> = Vec::new();
        for known in quotables() {
            if !groups.contains(&known.group) {
                groups.push(known.group);
            }
        }
        let groups: Vec<_> = groups
            .into_iter()
            .map(|group| view! { <option value=group selected=self.group == group>{group}</option> })
            .collect();
        let sorts: Vec<_> = SORTS
            .iter()
            .map(|(id, words)| view! { <option value=*id selected=*id == self.sort>{*words}</option> })
            .collect();
        let clear =
            (*self != Self::default()).then(|| view! { <a class="button" href="/price-book#quotes">"Show all"</a> });
        let count = if shown == all {
            format::plural(all as f64, "quote", "quotes")
        } else {
            format!("{shown} of {}", format::plural(all as f64, "quote", "quotes"))
        };
        view! {
            <form class="inline-form filter-form" id="filter" method="get" action="/price-book#quotes" aria-label="Filter of the quotes">
                <div class="field">
                    <label for="filter-find">"Find"</label>
                    <input class="input" id="filter-find" name="find" type="search" maxlength="80" value=self.find.clone() />
                </div>
                <div class="field">
                    <label for="filter-group">"Group"</label>
                    <select class="input select" id="filter-group" name="group"><option value="">"All groups"</option>{groups}</select>
                </div>
                <div class="field">
                    <label for="filter-sort">"Order"</label>
                    <select class="input select" id="filter-sort" name="sort">{sorts}</select>
                </div>
                <button class="button button-primary" type="submit">"Show"</button>
                {clear}
            </form>
            <p class="quiet">{count}</p>
        }
        .into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::prices::QuoteRow;

    fn entry(key: &str, value: f64, supplier: &str, at: &str, valid_until: Option<&str>) -> Entry {
        let row = QuoteRow {
            key: key.into(),
            version: 1,
            value: Some(value),
            supplier: supplier.into(),
            valid_until: valid_until.map(str::to_owned),
            expired: false,
            note: String::new(),
            who: None,
            at: at.into(),
        };
        Entry { known: quotables().into_iter().find(|known| known.key == key), row }
    }

    #[test]
    fn quotes_are_found_and_put_in_order() {
        let entries = [
            entry("pue", 2.6, "Hall Ltd", "2026-01-01", None),
            entry("electricity_usd_per_kwh", 0.081, "Utility", "2026-03-01", Some("2027-01-01")),
            entry("retired", 1.0, "Nobody", "2026-02-01", Some("2026-12-01")),
        ];
        let keys = |query: &str| -> Vec<String> {
            Filter::from_query(query).apply(&entries).into_iter().map(|entry| entry.row.key.clone()).collect()
        };
        assert_eq!(keys(""), ["electricity_usd_per_kwh", "pue", "retired"]);
        assert_eq!(keys("sort=changed"), ["electricity_usd_per_kwh", "retired", "pue"]);
        assert_eq!(keys("sort=ends"), ["retired", "electricity_usd_per_kwh", "pue"]);
        assert_eq!(keys("sort=difference")[0], "pue");
        assert_eq!(keys("find=HALL"), ["pue"]);
        assert_eq!(keys("group=No+longer+known"), ["retired"]);
        assert_eq!(keys("find=nothing"), Vec::<String>::new());
    }
}
