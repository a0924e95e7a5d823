//! The price book of a team: who may see and change it, and which plans are made with it.

use crate::accounts::{follow, signed_up};
use crate::database;
use crate::links::make;
use crate::sharing::save;
use crate::support::{Answer, Caller, Server};
use crate::teams::{field_values, joined, status};
use scraper::{Html, Selector};
use serde_json::Value;

const PLAN: &str =
    "model.preset=llama-3.1-8b&training_tokens=200B&budget_usd=2000000&accelerators=b200&acquisition=buy";

async fn put(caller: &mut Caller, key: &str, value: &str) -> Answer {
    put_all(caller, &[("key", key), ("value", value)]).await
}

async fn put_all(caller: &mut Caller, fields: &[(&str, &str)]) -> Answer {
    caller.post_form("/api/fn/put_quote", fields).await
}

fn texts(page: &str, css: &str) -> Vec<String> {
    let document = Html::parse_document(page);
    let selector = Selector::parse(css).unwrap();
    document.select(&selector).map(|element| element.text().collect::<String>()).collect()
}

/// The line that says which quotes a plan was made with, on the planner.
async fn line(caller: &mut Caller, query: &str) -> String {
    texts(&caller.browse(&format!("/?{query}")).await.text(), "#book").concat()
}

/// The headline and the figures of the tiers on the planner.
async fn figures(caller: &mut Caller, query: &str) -> Vec<String> {
    texts(&caller.browse(&format!("/?{query}")).await.text(), "#headline, .tier .facts dd")
}

/// What the planner shows when it plans again as somebody types.
async fn replanned(caller: &Caller, query: &str) -> Value {
    let body = form_urlencoded::Serializer::new(String::new()).append_pair("query", query).finish();
    caller.post_text("/api/fn/replan", "application/x-www-form-urlencoded", body).await.json()
}

/// The HTML of what a plan made while typing shows.
fn results(typed: &Value) -> String {
    let parts = typed["parts"].as_array().unwrap();
    parts.iter().map(|part| part["html"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_teams_plans_are_made_with_its_quotes_and_nobody_elses() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let mut viewer = joined(&server, &mut owner, "viewer@a.b", "viewer").await;
    let (mut outsider, mut stranger) = (signed_up(&server, "outsider@a.b").await, server.caller());
    let catalog = figures(&mut stranger, PLAN).await;
    assert_eq!(figures(&mut owner, PLAN).await, catalog, "without quotes everyone plans alike");
    assert_eq!(line(&mut owner, PLAN).await, "");

    let answer = put(&mut owner, "server_usd.b200", "$1.5M").await;
    assert_eq!(answer.header("location"), "/price-book?saved=1");
    let own = figures(&mut owner, PLAN).await;
    assert_ne!(own, catalog);
    assert_eq!(figures(&mut viewer, PLAN).await, own, "all of the team plan alike");
    for other in [&mut outsider, &mut stranger] {
        assert_eq!(figures(other, PLAN).await, catalog, "and nobody else, although plans are kept for all");
        assert_eq!(line(other, PLAN).await, "");
    }
    let said = line(&mut viewer, PLAN).await;
    assert!(
        said.starts_with("1 quote of your team's price book is used: ") && said.contains("Plan without it"),
        "{said}"
    );

    let typed = replanned(&owner, PLAN).await;
    let html = results(&typed);
    assert!(html.contains("1 quote of your team") && html.contains("$1,500,000"), "{html}");
    assert_eq!(texts(&html, ".tier .facts dd"), own[1..], "typing plans with it too");
    assert!(!results(&replanned(&stranger, PLAN).await).contains("price-book"));

    let without = format!("{PLAN}&_price_book=off");
    assert_eq!(figures(&mut owner, &without).await, catalog, "the switch");
    let said = line(&mut owner, &without).await;
    assert!(said.contains("without your team's price book") && said.contains("Plan with it"), "{said}");
    let typed = replanned(&owner, &without).await;
    assert!(typed["query"].as_str().unwrap().ends_with("_price_book=off"), "the address keeps it: {}", typed["query"]);
    assert_eq!(texts(&results(&typed), ".tier .facts dd"), catalog[1..]);

    // what is data of the same plan has the quote in its address, as programs have no price book
    let page = owner.browse(&format!("/?{PLAN}")).await.text();
    let links = Html::parse_document(&page);
    let selector = Selector::parse("#notes a[href^='/api/v1/plans?']").unwrap();
    let data = links.select(&selector).next().unwrap().value().attr("href").unwrap().to_owned();
    assert!(data.contains("overrides.server_usd.b200=1500000"), "{data}");
    assert_eq!(stranger.get(&data).await.json()["headline"], own[0].as_str());

    owner.post_form("/api/fn/remove_quote", &[("key", "server_usd.b200"), ("version", "1")]).await;
    assert_eq!(figures(&mut owner, PLAN).await, catalog, "removed");
}

#[tokio::test]
async fn what_the_inputs_say_goes_before_the_book() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let own = format!("{PLAN}&overrides.server_usd.b200=600000");
    let alone = figures(&mut server.caller(), &own).await;
    put(&mut owner, "server_usd.b200", "1.5M").await;
    assert_eq!(figures(&mut owner, &own).await, alone);
    assert_eq!(line(&mut owner, &own).await, "", "the quote is not used");
    put(&mut owner, "electricity_usd_per_kwh", "0.31").await;
    assert!(line(&mut owner, &own).await.starts_with("1 quote of your team's price book is used: Electricity"));
}

#[tokio::test]
async fn an_expired_quote_is_flagged_and_not_used() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let catalog = figures(&mut owner, PLAN).await;
    put_all(&mut owner, &[("key", "server_usd.b200"), ("value", "1.5M"), ("valid_until", "2099-12-31")]).await;
    assert_ne!(figures(&mut owner, PLAN).await, catalog);
    let mut database = database::open(&server.config.database).await;
    sqlx::query("UPDATE quote SET valid_until = '2026-11-29'").execute(&mut database).await.unwrap();
    assert_eq!(figures(&mut owner, PLAN).await, catalog);
    assert!(line(&mut owner, PLAN).await.starts_with("One quote has expired and is not used."));
    let page = owner.browse("/price-book").await.text();
    assert!(page.contains("Expired") && page.contains("29 November 2026, not used in plans"), "{page}");
}

#[tokio::test]
async fn roles_decide_who_sees_and_who_changes() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let mut viewer = joined(&server, &mut owner, "viewer@a.b", "viewer").await;
    let mut editor = joined(&server, &mut owner, "editor@a.b", "editor").await;
    let mut outsider = signed_up(&server, "outsider@a.b").await;
    put_all(&mut editor, &[("key", "pue"), ("value", "1.15"), ("supplier", "Hall <Ltd>"), ("note", "by mail")]).await;
    for caller in [&mut owner, &mut editor, &mut viewer] {
        let page = caller.browse("/price-book").await.text();
        assert!(page.contains("Hall &lt;Ltd&gt;") && page.contains("by mail") && page.contains("editor@a.b"), "{page}");
    }
    let page = viewer.browse("/price-book?key=pue").await.text();
    assert!(!page.contains("/api/fn/put_quote") && !page.contains("/api/fn/remove_quote"), "no forms for viewers");
    assert!(page.contains("History of PUE"));
    let form = [("key", "pue"), ("value", "1.2"), ("version", "1")];
    for action in ["put_quote", "remove_quote"] {
        let path = format!("/api/fn/{action}");
        assert_eq!(status(&viewer, &path, &form).await, 403, "{action}");
        assert_eq!(status(&server.caller(), &path, &form).await, 401, "{action}");
    }
    assert_eq!(status(&outsider, "/api/fn/remove_quote", &form).await, 404, "of another team there is none");
    let page = outsider.browse("/price-book?key=pue").await.text();
    assert!(page.contains("No quotes yet.") && !page.contains("History of") && !page.contains("Hall"), "{page}");
    let led = server.caller().browse("/price-book").await;
    assert_eq!((led.status, led.header("location")), (302, "/log-in?next=%2Fprice-book"));
    assert_eq!(status(&owner, "/api/fn/remove_quote", &form).await, 200);
    let log = owner.browse("/team").await.text();
    assert!(log.contains("changed the quote pue of the price book") && log.contains("removed the quote pue"), "{log}");
}

#[tokio::test]
async fn every_change_is_kept_and_two_people_do_not_overwrite_each_other() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    put_all(&mut owner, &[("key", "pue"), ("value", "1.15"), ("supplier", "First Ltd")]).await;
    let stale = [("key", "pue"), ("value", "1.3")];
    assert_eq!(status(&owner, "/api/fn/put_quote", &stale).await, 412, "who saw none");
    put_all(&mut owner, &[("key", "pue"), ("value", "1.2"), ("supplier", "Second Ltd"), ("version", "1")]).await;
    assert_eq!(status(&owner, "/api/fn/put_quote", &[stale[0], stale[1], ("version", "1")]).await, 412);
    assert_eq!(status(&owner, "/api/fn/remove_quote", &[("key", "pue"), ("version", "1")]).await, 412);
    let answer = put_all(&mut owner, &[stale[0], stale[1], ("version", "1")]).await;
    let page = follow(&mut owner, &answer).await;
    assert!(page.contains("This quote has been changed meanwhile, by someone else or by you in another tab"), "{page}");
    assert_eq!(field_values(&page, "#quote input[name='version']"), ["2"], "what holds now can be changed");
    assert_eq!(status(&owner, "/api/fn/remove_quote", &[("key", "pue"), ("version", "2")]).await, 200);
    put_all(&mut owner, &[("key", "pue"), ("value", "1.25")]).await;
    let page = owner.browse("/price-book?key=pue").await.text();
    let history: Vec<String> = texts(&page, "#history tbody tr td:nth-child(2)");
    assert_eq!(history, ["1.25", "removed", "1.2", "1.15"]);
    assert!(page.contains("First Ltd") && page.contains("Second Ltd"));
    assert_eq!(field_values(&page, "#quote input[name='value']"), ["1.25"]);
    assert_eq!(field_values(&page, "#quote input[name='version']"), ["4"]);
}

/// Who puts a figure in once more sees the book, and means a new quote in place of the old one.
#[tokio::test]
async fn a_second_quote_of_a_figure_replaces_the_first_unless_someone_else_did() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    put_all(&mut owner, &[("figure", "B200 server"), ("value", "450k"), ("supplier", "First Ltd")]).await;
    let page = owner.browse("/price-book").await.text();
    let seen = field_values(&page, "#quote input[name='version']").remove(0);
    assert_eq!(seen, "server_usd.b200:1");
    let second = [("figure", "server b200"), ("value", "430k"), ("supplier", "Second Ltd"), ("version", seen.as_str())];
    let answer = put_all(&mut owner, &second).await;
    assert_eq!(answer.header("location"), "/price-book?replaced=1");
    assert!(follow(&mut owner, &answer).await.contains("in place of the quote that the figure had"));
    let page = owner.browse("/price-book?key=server_usd.b200").await.text();
    assert_eq!(texts(&page, "#history tbody tr td:nth-child(2)"), ["$430,000", "$450,000"], "both are kept");
    // a page that shows the first one only
    assert_eq!(status(&owner, "/api/fn/put_quote", &second).await, 412);
}

#[tokio::test]
async fn words_that_fit_no_figure_or_several_are_said_beside_the_field() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let form = [("figure", "h100 server"), ("value", "250k"), ("supplier", "Kept Ltd")];
    assert_eq!(status(&owner, "/api/fn/put_quote", &form).await, 422);
    let answer = put_all(&mut owner, &form).await;
    let page = follow(&mut owner, &answer).await;
    assert!(texts(&page, "#figure-error").concat().contains("“h100 server” fits "), "{page}");
    let offered = field_values(&page, "#quote input[type='radio'][name='key']");
    assert!(offered.len() > 1 && offered.contains(&"server_usd.h100-sxm".to_owned()), "{offered:?}");
    assert_eq!(field_values(&page, "#quote input[name='supplier']"), ["Kept Ltd"], "nothing is typed twice");
    let answer = put_all(&mut owner, &[form[0], form[1], ("key", "server_usd.h100-sxm")]).await;
    assert_eq!(answer.header("location"), "/price-book?saved=1");
    let answer = put_all(&mut owner, &[("figure", "h900 <b>"), ("value", "1")]).await;
    let page = follow(&mut owner, &answer).await;
    assert!(texts(&page, "#figure-error").concat().contains("“h900 <b>” fits no figure"), "{page}");
}

#[tokio::test]
async fn what_can_not_be_read_is_said_beside_its_field_and_changes_nothing() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    for (key, value, more, words) in [
        ("pue", "9", ("note", "n"), "The value is 9, above 5: use 1 to 5"),
        ("server_usd.b200", "a lot", ("note", "n"), "can't be read"),
        ("server_usd.b200", "", ("note", "n"), "Type a price or rate"),
        ("server_usd.b999", "1", ("note", "n"), "is no figure that can be replaced"),
        ("topology", "auto", ("note", "n"), "is no figure that can be replaced"),
        ("pue", "1.2", ("valid_until", "next week"), "is no date"),
        ("pue", "1.2", ("supplier", &"a".repeat(81)), "The supplier has 81 characters; use at most 80."),
    ] {
        let form = [("key", key), ("value", value), more];
        assert_eq!(status(&owner, "/api/fn/put_quote", &form).await, 422, "{key} {value}");
        let answer = put_all(&mut owner, &form).await;
        let page = follow(&mut owner, &answer).await;
        assert!(texts(&page, ".field-error, .message").concat().contains(words), "{key} {value}: {words}: {page}");
        assert!(page.contains("No quotes yet."), "nothing was kept");
    }
    assert!(!owner.browse("/price-book").await.text().contains("NaN"));
}

#[tokio::test]
async fn a_saved_plan_keeps_its_prices_and_a_copy_takes_those_of_the_day() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    put(&mut owner, "server_usd.b200", "1.5M").await;
    let own = figures(&mut owner, PLAN).await;
    let answer = owner.post_form("/api/fn/save_scenario", &[("name", "With quotes"), ("query", PLAN)]).await;
    let path = answer.header("location").split('?').next().unwrap().to_owned();
    let id = path.trim_start_matches("/scenarios/").to_owned();
    let page = owner.browse(&path).await.text();
    assert_eq!(texts(&page, ".tier .facts dd"), own[1..]);
    let copy = field(&page, ".page-head a.button-primary", "href");
    assert!(copy.starts_with("/?") && !copy.contains("server_usd"), "quotes are no inputs: {copy}");
    let shared = make(&mut owner, &id, &[]).await;
    owner.post_form("/api/fn/remove_quote", &[("key", "server_usd.b200"), ("version", "1")]).await;
    assert_eq!(texts(&owner.browse(&path).await.text(), ".tier .facts dd"), own[1..], "what is frozen stays");
    assert_eq!(
        texts(&server.caller().get(&shared).await.text(), ".tier .facts dd"),
        own[1..],
        "for those it is shared with too"
    );
    assert_ne!(figures(&mut owner, copy.trim_start_matches("/?")).await, own, "a copy is planned with today's prices");

    put_all(&mut owner, &[("key", "server_usd.b200"), ("value", "1.5M")]).await;
    let without = format!("{PLAN}&_price_book=off");
    let answer = owner.post_form("/api/fn/save_scenario", &[("name", "Without"), ("query", &without)]).await;
    let page = follow(&mut owner, &answer).await;
    assert_eq!(texts(&page, ".tier .facts dd"), figures(&mut server.caller(), PLAN).await[1..]);
    assert!(field(&page, ".page-head a.button-primary", "href").contains("&_price_book=off&"));

    // who is in no team: a scenario of a browser, and a team's book that another account does not see
    let mut browser = server.caller();
    let id = save(&mut browser, "Of a browser").await;
    assert_eq!(browser.browse(&format!("/scenarios/{id}")).await.status, 200);
}

fn field(page: &str, css: &str, attribute: &str) -> String {
    let document = Html::parse_document(page);
    let selector = Selector::parse(css).unwrap();
    document
        .select(&selector)
        .next()
        .and_then(|found| found.value().attr(attribute))
        .unwrap_or_else(|| panic!("{page}"))
        .to_owned()
}

#[tokio::test]
async fn quotes_are_found_sorted_and_filtered_by_a_plain_form() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let page = owner.browse("/price-book").await.text();
    assert!(page.contains("No quotes yet.") && page.contains("the catalog plans with $"), "an example: {page}");
    assert!(texts(&page, "#quote datalist option").len() > 200, "every figure by name");
    for (key, value) in [("pue", "1.2"), ("electricity_usd_per_kwh", "0.31"), ("server_usd.b200", "450k")] {
        put(&mut owner, key, value).await;
    }
    let mut database = database::open(&server.config.database).await;
    sqlx::query("UPDATE quote SET at = id * 1000000").execute(&mut database).await.unwrap();
    let keys = async |query: &str| {
        let page = owner.get(&format!("/price-book{query}")).await.text();
        texts(&page, ".data-quotes tbody th small")
    };
    assert_eq!(keys("").await.len(), 3);
    assert_eq!(keys("?sort=changed").await[0], "server_usd.b200");
    assert_eq!(keys("?find=electr").await, ["electricity_usd_per_kwh"]);
    assert_eq!(keys("?group=Servers").await, ["server_usd.b200"]);
    assert_eq!(keys("?find=nothing").await.len(), 0);
}

/// Whoever reads a plan sees which quote a figure is from: on pages, in files, and in what programs get.
#[tokio::test]
async fn a_figure_of_a_quote_names_the_quote() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let quote =
        [("key", "server_usd.b200"), ("value", "500k"), ("supplier", "Dell & Co"), ("valid_until", "2099-12-31")];
    put_all(&mut owner, &quote).await;
    put_all(&mut owner, &[("key", "item_usd.rack"), ("value", "5000")]).await;
    let (source, unnamed) =
        ("price book quote of Dell & Co, valid until 2099-12-31", "price book quote without a supplier");

    let page = owner.browse(&format!("/?{PLAN}")).await.text();
    let bill = texts(&page, "#bill").concat();
    assert!(bill.contains(source) && bill.contains(unnamed), "{bill}");
    assert!(
        bill.contains("quote: ") && !bill.contains("your request") && !bill.contains("set in the inputs: "),
        "{bill}"
    );
    assert!(texts(&page, "#yours").concat().contains(source));
    let why = owner.browse(&format!("/?{PLAN}&_figure=bill_of_materials.total_usd")).await.text();
    assert!(texts(&why, "main").concat().contains(source));

    let document = Html::parse_document(&page);
    let selector = Selector::parse("#bill .data-links a").unwrap();
    let links: Vec<String> =
        document.select(&selector).map(|link| link.value().attr("href").unwrap().to_owned()).collect();
    let stranger = server.caller();
    let csv = stranger.get(links.iter().find(|link| link.contains("plans.csv")).unwrap()).await.text();
    let selector = Selector::parse("#notes a[href^='/api/v1/plans?']").unwrap();
    let data = document.select(&selector).next().unwrap().value().attr("href").unwrap().to_owned();
    let json = stranger.get(&data).await.json();
    let server_line = &json["bill_of_materials"][0];
    assert_eq!(server_line["source"], source);
    let recorded = server_line["as_of"].as_str().unwrap();
    assert!(recorded.len() == 10 && csv.contains(&format!("\"{source}\",{recorded}")), "{csv}");
    assert_eq!(json["overridden"][0]["source"], source);
    assert_eq!(json["request"]["quotes"]["server_usd.b200"]["supplier"], "Dell & Co");

    // a plan that is kept keeps them, also after the quote is gone
    let saved = owner.post_form("/api/fn/save_scenario", &[("name", "With quotes"), ("query", PLAN)]).await;
    owner.post_form("/api/fn/remove_quote", &[("key", "server_usd.b200"), ("version", "1")]).await;
    let frozen = follow(&mut owner, &saved).await;
    assert!(texts(&frozen, "#bill").concat().contains(source));
    // what the inputs say is of the inputs
    let own = owner.browse(&format!("/?{PLAN}&overrides.server_usd.b200=500k")).await.text();
    assert!(texts(&own, "#bill").concat().contains("your request"));
}

#[tokio::test]
async fn a_quote_that_is_saved_after_its_last_day_is_said_to_be_unused() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    for (last_day, words) in [
        ("2020-01-31", "Saved, and not used: its last day is over"),
        ("2099-01-31", "Plans of your team are made with it from now on"),
        ("", "Plans of your team are made with it from now on"),
    ] {
        let version = match last_day {
            "2020-01-31" => "",
            "2099-01-31" => "1",
            _ => "2",
        };
        let fields = [("key", "pue"), ("value", "1.15"), ("valid_until", last_day), ("version", version)];
        let answer = put_all(&mut owner, &fields).await;
        let page = follow(&mut owner, &answer).await;
        let said = texts(&page, ".message").concat();
        assert!(said.contains(words) && said.contains("Saved"), "{last_day}: {said}");
    }
}

/// What has changed since a plan was frozen is named: here the price book, and neither catalog nor engine.
#[tokio::test]
async fn planning_again_names_the_price_book_where_that_has_changed() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let saved = owner.post_form("/api/fn/save_scenario", &[("name", "Before the quote"), ("query", PLAN)]).await;
    let again = format!("{}/again", saved.header("location").split('?').next().unwrap());
    let page = owner.browse(&again).await.text();
    assert!(page.contains("give the same figures as the frozen plan"), "{page}");
    put(&mut owner, "server_usd.b200", "1.5M").await;
    let page = owner.browse(&again).await.text();
    let said = texts(&page, ".lead").concat();
    assert!(said.contains("has other figures") && said.contains("a quote in your team's price book ("), "{said}");
    assert!(!said.contains("catalog") && !said.contains("engine"), "{said}");
    assert!(texts(&page, ".comparison th[scope='row']").concat().contains("Buying pays back after"));
}

/// Whoever is logged in finds the price book from every page, and from where prices are typed.
#[tokio::test]
async fn the_price_book_is_in_the_navigation() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let hrefs = |page: &str, css: &str| -> Vec<String> {
        let document = Html::parse_document(page);
        let selector = Selector::parse(css).unwrap();
        document.select(&selector).filter_map(|link| link.value().attr("href")).map(str::to_owned).collect()
    };
    for path in ["/", "/scenarios", "/catalog", "/team"] {
        let page = owner.browse(path).await.text();
        assert!(hrefs(&page, ".account-nav a").contains(&"/price-book".to_owned()), "{path}");
    }
    let planner = owner.browse("/").await.text();
    assert_eq!(hrefs(&planner, "#group-costs .help a"), ["/price-book"]);
    let stranger = server.caller().browse("/").await.text();
    assert!(!hrefs(&stranger, ".account-nav a").contains(&"/price-book".to_owned()));
}
