//! The caller's scenarios: looked for by words and tag, page by page.
//!
//! An owner has at most 500, so they are looked through here, where letters of every script are compared without case.

use super::Scenarios;
use super::changes::normal_tag;
use crate::service::ServiceError;
use crate::service::actor::Actor;
use crate::store::scenarios::Scenario;
use app::backend::scenarios::{ListSearch, Shelf};
use std::collections::BTreeSet;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Search {
    /// Words, each of which is in the name, the notes, a tag or the headline.
    pub text: String,
    /// A tag; any when empty.
    pub tag: String,
    /// In use or archived.
    pub shelf: Shelf,
    /// Most of them at once.
    pub limit: usize,
    /// Where to go on: `next` of the listing before.
    pub cursor: Option<String>,
}

impl Search {
    /// Everything that a page looks for, at once.
    pub fn whole(search: ListSearch) -> Self {
        let ListSearch { text, tag, shelf } = search;
        Self { text, tag, shelf, limit: usize::MAX, cursor: None }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Newest change first.
    pub scenarios: Vec<Scenario>,
    /// How many there are, on all pages.
    pub found: usize,
    /// How many the caller has at all.
    pub all: usize,
    /// Every tag of the caller's scenarios, sorted.
    pub tags: Vec<String>,
    /// Where the next page begins; none on the last.
    pub next: Option<String>,
}

impl Scenarios {
    /// The caller's scenarios that are looked for, newest change first.
    ///
    /// # Errors
    /// Reading failed.
    pub async fn list(&self, caller: &Actor, search: &Search) -> Result<Listing, ServiceError> {
        let owner = match caller {
            Actor::Member(member) => Some(member.owner),
            Actor::Browser(Some(token)) => self.store.owner(token.hash()).await?,
            Actor::Browser(None) => None,
        };
        match owner {
            Some(owner) => Ok(listing(self.store.scenarios(owner).await?, search)),
            None => Ok(Listing::default()),
        }
    }
}

fn listing(scenarios: Vec<Scenario>, search: &Search) -> Listing {
    let all = scenarios.len();
    let tags: BTreeSet<String> = scenarios.iter().flat_map(|s| s.tags.0.iter().cloned()).collect();
    let words: Vec<String> = search.text.split_whitespace().map(str::to_lowercase).collect();
    let tag = normal_tag(&search.tag);
    let mut found: Vec<Scenario> =
        scenarios.into_iter().filter(|scenario| is_meant(scenario, search.shelf, &tag, &words)).collect();
    let count = found.len();
    let start = search.cursor.as_deref().map_or(0, |cursor| start(&found, cursor));
    let mut page = found.split_off(start);
    let more = page.len() > search.limit;
    page.truncate(search.limit);
    let next = page.last().filter(|_| more).map(|s| format!("{}.{}", s.updated_at, s.public_id));
    Listing { scenarios: page, found: count, all, tags: tags.into_iter().collect(), next }
}

fn is_meant(scenario: &Scenario, shelf: Shelf, tag: &str, words: &[String]) -> bool {
    let on_shelf = match shelf {
        Shelf::InUse => scenario.archived_at.is_none(),
        Shelf::Archived => scenario.archived_at.is_some(),
        Shelf::All => true,
    };
    let tagged = tag.is_empty() || scenario.tags.0.iter().any(|own| own == tag);
    if !on_shelf || !tagged {
        return false;
    }
    let texts = [scenario.name.as_str(), &scenario.notes, &scenario.headline, &scenario.tags.0.join(" ")];
    let text = texts.join("\n").to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

/// The place after the scenario of a cursor, or where that stood if it has moved since.
fn start(found: &[Scenario], cursor: &str) -> usize {
    let Some((time, id)) = cursor.split_once('.') else { return 0 };
    let Ok(time) = time.parse::<i64>() else { return 0 };
    let same = found.iter().position(|s| s.public_id == id && s.updated_at == time).map(|place| place + 1);
    same.unwrap_or_else(|| found.iter().position(|s| s.updated_at < time).unwrap_or(found.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::scenarios::{OwnerId, ScenarioId, Tags};

    fn scenario(number: i64, name: &str, tags: &[&str]) -> Scenario {
        Scenario {
            id: ScenarioId::for_tests(number),
            public_id: format!("id{number:010}"),
            owner_id: OwnerId::for_tests(1),
            name: name.into(),
            headline: "Rent 64 H100 for 41 days".into(),
            query: String::new(),
            notes: String::new(),
            tags: Tags(tags.iter().map(|t| (*t).to_owned()).collect()),
            number: 1,
            edition: 1,
            archived_at: None,
            engine_version: "1".into(),
            catalog_version: "1".into(),
            frozen_at: 1,
            created_at: 1,
            updated_at: 1_000 - number,
            cost_usd: None,
            days: None,
        }
    }

    fn search(text: &str) -> Search {
        Search { text: text.into(), tag: String::new(), shelf: Shelf::InUse, limit: 100, cursor: None }
    }

    fn names(listing: &Listing) -> Vec<&str> {
        listing.scenarios.iter().map(|s| s.name.as_str()).collect()
    }

    #[test]
    fn words_are_looked_for_everywhere_in_every_script() {
        let mut all = vec![
            scenario(1, "Größe ÄB", &["board"]),
            scenario(2, "训练计划", &["中文"]),
            scenario(3, "خطة التدريب", &[]),
            scenario(4, "🚀 moon", &["board", "late"]),
        ];
        all[3].notes = "Ask Kim".into();
        for (text, expected) in [
            ("grösse", vec![]),
            ("GRÖßE äb", vec!["Größe ÄB"]),
            ("训练", vec!["训练计划"]),
            ("التدريب", vec!["خطة التدريب"]),
            ("🚀", vec!["🚀 moon"]),
            ("kim late", vec!["🚀 moon"]),
            ("h100 41", vec!["Größe ÄB", "训练计划", "خطة التدريب", "🚀 moon"]),
        ] {
            assert_eq!(names(&listing(all.clone(), &search(text))), expected, "{text}");
        }
        let tagged = listing(all, &Search { tag: " #Board".into(), ..search("") });
        assert_eq!(names(&tagged), ["Größe ÄB", "🚀 moon"]);
        assert_eq!(tagged.tags, ["board", "late", "中文"]);
    }

    #[test]
    fn what_is_put_away_shows_only_when_asked_for() {
        let mut all = vec![scenario(1, "a", &[]), scenario(2, "b", &[])];
        all[1].archived_at = Some(5);
        for (shelf, expected) in [(Shelf::InUse, vec!["a"]), (Shelf::Archived, vec!["b"]), (Shelf::All, vec!["a", "b"])]
        {
            assert_eq!(names(&listing(all.clone(), &Search { shelf, ..search("") })), expected);
        }
    }

    #[test]
    fn pages_follow_one_another_also_when_something_moves() {
        let all: Vec<Scenario> = (1..=5).map(|n| scenario(n, &n.to_string(), &[])).collect();
        let page = |all: &[Scenario], cursor: Option<String>| {
            listing(all.to_vec(), &Search { limit: 2, cursor, ..search("") })
        };
        let first = page(&all, None);
        assert_eq!((names(&first), first.found), (vec!["1", "2"], 5));
        let second = page(&all, first.next.clone());
        assert_eq!(names(&second), ["3", "4"]);
        let third = page(&all, second.next);
        assert_eq!((names(&third), third.next.clone()), (vec!["5"], None));
        let without: Vec<Scenario> = all.iter().filter(|s| s.name != "2").cloned().collect();
        assert_eq!(names(&page(&without, first.next)), ["3", "4"]);
        for odd in ["", "x", "x.y", "99999999999999999999.a"] {
            assert_eq!(names(&page(&all, Some(odd.into()))), ["1", "2"], "{odd}");
        }
    }
}
