use super::super::scenarios::{Keeper, NewScenario, Scenario};
use super::super::tests::fresh;
use super::super::versions::{Change, Changed, Content, Expected};
use super::*;
use crate::auth::secret::{OwnerToken, ShareToken};

fn new_scenario(name: &str) -> NewScenario {
    NewScenario {
        public_id: PublicId::random().expect("random"),
        name: name.into(),
        content: Content {
            headline: "h".into(),
            query: "q".into(),
            request: "{}".into(),
            plan: "{\"a\": 1}".into(),
            engine_version: "1".into(),
            catalog_version: "1".into(),
            cost_usd: None,
            days: None,
        },
    }
}

fn new_link(kind: LinkKind, expires_at: Option<i64>) -> (ShareToken, NewLink) {
    let token = ShareToken::random().expect("random");
    let id = || PublicId::random().expect("random");
    let link =
        NewLink { public_id: id(), token: token.hash(), card: id(), kind, label: "for the board".into(), expires_at };
    (token, link)
}

async fn saved(store: &Store, name: &str) -> (TokenHash, Scenario) {
    let token = OwnerToken::random().expect("random").hash();
    let scenario = new_scenario(name);
    assert_eq!(store.insert_scenario(Keeper::Browser(token), &scenario, None, 1, 10).await.ok(), Some(Inserted::Done));
    let found = store.scenario(scenario.public_id.as_str()).await.expect("reads").expect("there");
    (token, found)
}

async fn renamed(store: &Store, scenario: &Scenario, name: &str, now: i64) {
    let change = Change { name: Some(name), ..Change::default() };
    let changed = store.change_scenario(scenario.id, &change, Expected::default(), None, now).await;
    assert!(matches!(changed, Ok(Changed::Done(_))), "even when the clock went back");
}

#[tokio::test]
async fn there_are_at_most_so_many() {
    let (_directory, store) = fresh().await;
    let (token, scenario) = saved(&store, "one").await;
    assert_eq!(
        store.insert_scenario(Keeper::Browser(token), &new_scenario("two"), None, 1, 10).await.ok(),
        Some(Inserted::TooMany)
    );
    assert_eq!(store.scenarios(scenario.owner_id).await.expect("reads").len(), 1);
    for (most, expected) in [(1, Inserted::Done), (1, Inserted::TooMany), (2, Inserted::Done)] {
        let (_, link) = new_link(LinkKind::Frozen, None);
        assert_eq!(store.insert_link(scenario.id, &link, None, most, 20).await.ok(), Some(expected));
    }
}

#[tokio::test]
async fn a_link_lives_as_long_as_its_scenario_and_revoking_is_final() {
    let (_directory, store) = fresh().await;
    let (_, scenario) = saved(&store, "one").await;
    let (token, link) = new_link(LinkKind::Frozen, None);
    let _ = store.insert_link(scenario.id, &link, None, 9, 20).await.expect("kept");
    renamed(&store, &scenario, "other", 5).await;
    let page = LinkKey::Page(token.hash());
    let opened = store.open_link(page, 25).await.expect("reads").expect("opens");
    assert_eq!((opened.name.as_str(), opened.as_of), ("one", 10), "the snapshot is its own");
    for now in [30, 40] {
        store.change_link(opened.id, LinkChange::Revoke, None, now).await.expect("revokes");
    }
    assert!(store.open_link(page, 50).await.expect("reads").is_none());
    for change in [LinkChange::Pause, LinkChange::Resume] {
        assert!(!store.change_link(opened.id, change, None, 45).await.expect("answers"), "{change:?}");
    }
    let (other, card) = (ShareToken::random().expect("random"), PublicId::random().expect("random"));
    assert!(!store.rotate_link(opened.id, other.hash(), &card, None, 45).await.expect("answers"));
    assert!(store.open_link(LinkKey::Page(other.hash()), 50).await.expect("reads").is_none());
    assert_eq!(store.links(scenario.id).await.expect("reads")[0].revoked_at, Some(30), "the first time counts");
    assert!(store.delete_scenario(scenario.id, None, 60).await.expect("deletes"));
    assert!(store.link_owner(link.public_id.as_str()).await.expect("reads").is_none());
    let gone = store.insert_link(scenario.id, &link, None, 9, 50).await;
    assert_eq!(gone.ok(), Some(Inserted::Gone));
}

#[tokio::test]
async fn each_kind_opens_where_it_belongs_until_it_ends() {
    let (_directory, store) = fresh().await;
    let (_, scenario) = saved(&store, "one").await;
    let opens = async |key: LinkKey<'_>, now| store.open_link(key, now).await.expect("reads").map(|found| found.name);
    for kind in [LinkKind::Frozen, LinkKind::Live, LinkKind::Feed] {
        assert_eq!(LinkKind::parse(kind.name()), Some(kind));
        let (token, link) = new_link(kind, Some(1_000));
        let _ = store.insert_link(scenario.id, &link, None, 99, 20).await.expect("kept");
        let (page, feed, card) =
            (LinkKey::Page(token.hash()), LinkKey::Feed(token.hash()), LinkKey::Card(link.card.as_str()));
        for (key, right) in
            [(page, kind != LinkKind::Feed), (feed, kind == LinkKind::Feed), (card, kind != LinkKind::Feed)]
        {
            assert_eq!(opens(key, 999).await.is_some(), right, "{kind:?} {key:?}");
            assert_eq!(opens(key, 1_000).await, None, "{kind:?} {key:?} has ended");
        }
        let id = store.link_owner(link.public_id.as_str()).await.expect("reads").expect("there").id;
        let there = if kind == LinkKind::Feed { feed } else { page };
        assert!(store.change_link(id, LinkChange::Pause, None, 30).await.expect("pauses"));
        assert_eq!(opens(there, 40).await, None, "{kind:?} is paused");
        assert!(store.change_link(id, LinkChange::Resume, None, 50).await.expect("resumes"));
        assert!(opens(there, 60).await.is_some(), "{kind:?} is resumed");
        store.count_view(id, 70).await.expect("counts");
        let listed = store.links(scenario.id).await.expect("reads").remove(0);
        assert_eq!((listed.views, listed.last_view_at, listed.label.as_str()), (1, Some(70), "for the board"));
        let (other, new_card) = (ShareToken::random().expect("random"), PublicId::random().expect("random"));
        assert!(store.rotate_link(id, other.hash(), &new_card, None, 80).await.expect("rotates"));
        assert!(opens(there, 90).await.is_none() && opens(card, 90).await.is_none(), "the old ones are forgotten");
    }
    renamed(&store, &scenario, "other", 500).await;
    let (token, link) = new_link(LinkKind::Live, None);
    let _ = store.insert_link(scenario.id, &link, None, 99, 600).await.expect("kept");
    let live = store.open_link(LinkKey::Page(token.hash()), 9_999_999).await.expect("reads").expect("never ends");
    assert_eq!((live.name.as_str(), live.as_of, live.number, live.version), ("other", 10, 1, 2));
}

#[tokio::test]
async fn the_schema_refuses_what_no_program_should_write() {
    let (_directory, store) = fresh().await;
    let token = OwnerToken::random().expect("random").hash();
    for spoil in [
        |s: &mut NewScenario| s.name = String::new(),
        |s: &mut NewScenario| s.name = "a".repeat(121),
        |s: &mut NewScenario| s.content.plan = "no JSON".into(),
    ] {
        let mut scenario = new_scenario("x");
        spoil(&mut scenario);
        assert!(store.insert_scenario(Keeper::Browser(token), &scenario, None, 9, 10).await.is_err(), "{scenario:?}");
    }
}
