//! Scenarios with a history, by the forms that a browser without scripts sends: versions, conflicts, texts, the list,
//! comparing.

use crate::accounts::{follow, save, signed_up};
use crate::support::{Answer, Caller, Server};
use crate::teams::{field_values, joined, status};

pub const SECOND: &str =
    "model.preset=llama-3.2-1b&max_gpus=16&accelerators=h100-sxm&budget_usd=3M&training_tokens=50B";
const THIRD: &str = "model.preset=llama-3.2-1b&max_gpus=32&accelerators=h100-sxm&deadline_days=33&training_tokens=90B";

pub async fn save_version(caller: &mut Caller, id: &str, base: &str, query: &str) -> Answer {
    caller.post_form("/api/fn/save_version", &[("id", id), ("base", base), ("query", query)]).await
}

pub fn text_of(page: &str, css: &str) -> Vec<String> {
    let document = scraper::Html::parse_document(page);
    let wanted = scraper::Selector::parse(css).unwrap();
    let plain = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    document.select(&wanted).map(|element| plain(element.text().collect())).collect()
}

pub fn attributes(page: &str, css: &str, name: &str) -> Vec<String> {
    let document = scraper::Html::parse_document(page);
    let wanted = scraper::Selector::parse(css).unwrap();
    document.select(&wanted).filter_map(|element| element.value().attr(name).map(str::to_owned)).collect()
}

pub async fn page(caller: &mut Caller, path: &str) -> String {
    let answer = caller.browse(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.text()
}

#[tokio::test]
async fn every_save_is_a_version_that_can_be_looked_at_compared_and_restored() {
    let server = Server::start().await;
    let mut caller = signed_up(&server, "ada@a.b").await;
    let id = save(&mut caller, "Autumn").await;
    let first = page(&mut caller, &format!("/scenarios/{id}")).await;
    let headline = text_of(&first, "p.headline");
    let answer = save_version(&mut caller, &id, "1", SECOND).await;
    assert_eq!(answer.header("location"), format!("/scenarios/{id}?saved=1"));
    let second = page(&mut caller, &format!("/scenarios/{id}")).await;
    assert_ne!(text_of(&second, "p.headline"), headline, "another plan");
    assert_eq!(text_of(&second, ".history tbody th"), ["Version 2current", "Version 1"]);
    let told = text_of(&second, ".history tbody td:nth-of-type(3)").join("|");
    assert!(told.contains("ada@a.b: saved") && told.contains("UTC"), "{told}");
    let iso = attributes(&second, ".history time", "datetime");
    assert!(iso.len() == 2 && iso.iter().all(|time| time.len() == 20 && time.ends_with('Z')), "{iso:?}");

    let old = page(&mut caller, &format!("/scenarios/{id}/versions/1")).await;
    assert_eq!(text_of(&old, "p.headline"), headline, "as it was");
    assert!(old.contains("This is an earlier version.") && old.contains("Restore version 1"));

    let difference = page(&mut caller, &format!("/scenarios/{id}/difference?from=1&to=2")).await;
    let rows = text_of(&difference, ".comparison tbody tr:not(.comparison-group)");
    assert!(
        rows.iter()
            .any(|row| row.starts_with("Budget for the run") && row.contains("no limit") && row.contains("$3,000,000")),
        "{rows:?}"
    );
    assert!(
        rows.iter().any(|row| row.starts_with("Largest cluster") && row.contains("8 GPUs") && row.contains("16 GPUs")),
        "{rows:?}"
    );
    assert!(rows.iter().all(|row| row.contains("≠ differs")), "only differences: {rows:?}");
    let all = page(&mut caller, &format!("/scenarios/{id}/difference?from=1&to=2&all=1")).await;
    assert!(text_of(&all, ".comparison tbody tr").len() > rows.len());
    let same = page(&mut caller, &format!("/scenarios/{id}/difference?from=2&to=2")).await;
    assert!(same.contains("Nothing differs"));

    let answer = caller.post_form("/api/fn/restore_version", &[("id", &id), ("number", "1")]).await;
    let third = follow(&mut caller, &answer).await;
    assert_eq!(text_of(&third, "p.headline"), headline);
    assert_eq!(text_of(&third, ".history tbody th"), ["Version 3current", "Version 2", "Version 1"], "nothing is gone");
    assert!(third.contains("restored from 1"));
    for wrong in ["3", "9", "0", "-1"] {
        assert!(
            matches!(status(&caller, "/api/fn/restore_version", &[("id", &id), ("number", wrong)]).await, 404 | 422),
            "{wrong}"
        );
    }
    for nowhere in ["versions/9", "versions/x", "versions/-1", "difference?from=1&to=9"] {
        assert_eq!(caller.get(&format!("/scenarios/{id}/{nowhere}")).await.status, 404, "{nowhere}");
    }
    assert_eq!(caller.get(&format!("/scenarios/{id}/difference?from=1")).await.status, 422);
    let log = page(&mut caller, "/team").await;
    for line in ["saved a new version of “Autumn”", "restored an earlier version of “Autumn”"] {
        assert!(log.contains(line), "{line}");
    }
}

#[tokio::test]
async fn the_planner_knows_the_scenario_that_its_inputs_began_from() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let id = save(&mut caller, "Plan <b>&\"x\"").await;
    let scenario = page(&mut caller, &format!("/scenarios/{id}")).await;
    let open = attributes(&scenario, ".page-head a.button-primary", "href").remove(0);
    assert!(open.ends_with(&format!("&_scenario={id}&_version=1")), "{open}");
    let planner = page(&mut caller, &open).await;
    let buttons = text_of(&planner, "form.save button");
    assert_eq!(buttons, ["Save as a new version of Plan <b>&\"x\"", "Save as a new scenario"]);
    assert_eq!(
        field_values(&planner, "#planner input[name='_scenario']"),
        [id.as_str()],
        "it goes along with the form"
    );
    assert!(!planner.contains("Also in the address"), "it is no input");
    let copied = attributes(&planner, "a[data-copy]", "data-copy").remove(0);
    assert!(!copied.contains("_scenario"), "{copied}");
    let data = server.caller().get(&open.replacen("/?", "/api/v1/plans?", 1)).await;
    assert_eq!(data.status, 200, "the address is one of the API, too");
    let stranger = server.caller().browse(&open).await.text();
    assert!(!stranger.contains("new version of") && stranger.contains("Save scenario"), "nothing leaks");
    // what scripts get when a person types
    let replanned = caller
        .post_text(
            "/api/fn/replan",
            "application/x-www-form-urlencoded",
            form_urlencoded::Serializer::new(String::new())
                .append_pair("query", open.trim_start_matches("/?"))
                .finish(),
        )
        .await
        .json();
    assert!(replanned["parts"][0]["html"].as_str().unwrap().contains("Save as a new version of"), "{replanned}");
    assert!(replanned["query"].as_str().unwrap().ends_with(&format!("&_scenario={id}&_version=1")));

    save_version(&mut caller, &id, "1", SECOND).await;
    let behind = page(&mut caller, &open).await;
    assert!(behind.contains("Version 2 has been saved since version 1"), "it says so before saving");
}

#[tokio::test]
async fn two_tabs_meet_and_nothing_is_lost() {
    let server = Server::start().await;
    let mut ada = signed_up(&server, "ada@a.b").await;
    let id = save(&mut ada, "Shared").await;
    let mut eva = joined(&server, &mut ada, "eva@a.b", "editor").await;
    save_version(&mut eva, &id, "1", SECOND).await;
    assert_eq!(status(&ada, "/api/fn/save_version", &[("id", &id), ("base", "1"), ("query", THIRD)]).await, 412);
    let answer = save_version(&mut ada, &id, "1", THIRD).await;
    assert_eq!((answer.status, answer.header("location")), (412, ""), "{}", answer.text());
    assert!(
        answer.header("content-security-policy").contains("nonce")
            && answer.header("cache-control").contains("no-store")
    );
    let both = answer.text();
    assert!(both.contains(&format!("nonce=\"{}\"", answer.nonce())), "the page has the nonce of its policy");
    assert_eq!(text_of(&both, "h1"), ["eva@a.b has saved a version since"]);
    assert!(both.contains("eva@a.b: saved") && both.contains("Theirs: version 2") && both.contains("Yours, not saved"));
    let rows = text_of(&both, ".comparison tbody tr:not(.comparison-group)");
    assert!(
        rows.iter().any(|row| row.starts_with("Deadline") && row.contains("no limit") && row.contains("33 days")),
        "{rows:?}"
    );
    assert!(
        rows.iter().any(|row| row.starts_with("Largest cluster") && row.contains("16 GPUs") && row.contains("32 GPUs")),
        "{rows:?}"
    );
    assert_eq!(
        text_of(&both, ".ways button, .ways a.button"),
        ["Save mine as the newest version", "Save mine as a new scenario", "Drop mine"]
    );
    assert!(
        text_of(&page(&mut ada, &format!("/scenarios/{id}")).await, ".history tbody th").len() == 2,
        "nothing was saved"
    );

    let mine = field_values(&both, ".ways form[action='/api/fn/save_version'] input[name='query']").remove(0);
    let base = field_values(&both, ".ways input[name='base']").remove(0);
    assert_eq!(save_version(&mut ada, &id, &base, &mine).await.status, 302);
    let after = page(&mut ada, &format!("/scenarios/{id}")).await;
    assert!(after.contains("deadline 33 days"), "mine is the newest: {after}");
    assert_eq!(text_of(&after, ".history tbody th").len(), 3, "theirs is in the history");
    let anew = field_values(&both, ".ways form[action='/api/fn/save_scenario'] input[name='query']").remove(0);
    let answer = ada.post_form("/api/fn/save_scenario", &[("name", "Mine"), ("query", &anew)]).await;
    assert!(follow(&mut ada, &answer).await.contains("deadline 33 days"));
    // without a form that was sent there is nothing to show
    let alone = ada.browse(&format!("/scenarios/{id}/conflict")).await;
    assert_eq!((alone.status, alone.header("location")), (302, format!("/scenarios/{id}").as_str()));
    let mut outsider = signed_up(&server, "x@a.b").await;
    assert_eq!(save_version(&mut outsider, &id, "1", SECOND).await.status, 302);
    assert_eq!(status(&outsider, "/api/fn/save_version", &[("id", &id), ("query", SECOND)]).await, 404);
}

#[tokio::test]
async fn texts_that_were_changed_meanwhile_are_shown_beside_mine() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let id = save(&mut caller, "Before").await;
    let edition = |page: &str| field_values(page, "#rename input[name='edition']").remove(0);
    let stale = edition(&page(&mut caller, &format!("/scenarios/{id}")).await);
    let rename = |name, edition| [("id", id.clone()), ("name", String::from(name)), ("edition", edition)];
    let send = async |caller: &mut Caller, function: &str, form: &[(&str, String)]| {
        let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
        caller.post_form(&format!("/api/fn/{function}"), &form).await
    };
    assert_eq!(send(&mut caller, "rename_scenario", &rename("Theirs", stale.clone())).await.status, 302);
    let answer = send(&mut caller, "rename_scenario", &rename("My <name>", stale.clone())).await;
    assert_eq!(answer.status, 412);
    assert_eq!(field_values(&answer.text(), "input[name='name']"), ["My <name>"]);
    assert_eq!(text_of(&answer.text(), ".sides .notes"), ["Theirs"]);

    // far longer than an address may be
    let long = "深".repeat(4_000);
    let describe = |notes: &str, tags: &str, edition| {
        [("id", id.clone()), ("notes", notes.to_owned()), ("tags", tags.to_owned()), ("edition", edition)]
    };
    let answer = send(&mut caller, "describe_scenario", &describe(&long, "Board, 中文", stale.clone())).await;
    assert_eq!(answer.status, 412);
    assert_eq!(text_of(&answer.text(), "textarea[name='notes']"), [long.as_str()], "nothing typed is lost");
    assert_eq!(field_values(&answer.text(), "input[name='tags']"), ["Board, 中文"]);
    let newest = field_values(&answer.text(), ".sides input[name='edition']").remove(0);
    assert_eq!(
        send(&mut caller, "describe_scenario", &describe(&long, "Board, 中文", newest.clone())).await.status,
        302
    );
    let shown = page(&mut caller, &format!("/scenarios/{id}")).await;
    assert_eq!(text_of(&shown, "p.notes"), [long.as_str()]);
    assert_eq!(text_of(&shown, ".tags a"), ["board", "中文"]);

    let too_many: Vec<String> = (0..11).map(|n| n.to_string()).collect();
    let answer = send(&mut caller, "describe_scenario", &describe("typed", &too_many.join(","), String::new())).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("There are 11 tags; use at most 10."));
    assert_eq!(text_of(&answer.text(), "textarea[name='notes']"), ["typed"], "what was typed is kept");
    assert_eq!(
        text_of(&page(&mut caller, &format!("/scenarios/{id}")).await, ".tags a").len(),
        2,
        "nothing was changed"
    );
    // a new plan and a new name do not stand in each other's way
    assert_eq!(save_version(&mut caller, &id, "1", SECOND).await.status, 302);
}

#[tokio::test]
async fn names_notes_and_tags_are_text_in_every_script() {
    let server = Server::start().await;
    let mut caller = server.caller();
    for name in [
        "训练计划：四十天",
        "خطة التدريب",
        "👩‍💻🚀 plan",
        &"ü".repeat(120),
        "</title></textarea><script>alert(1)</script>",
    ] {
        let id = save(&mut caller, name).await;
        let notes = format!("{name}\n<img src=x onerror=alert(1)></textarea>\n\tsecond");
        caller
            .post_form(
                "/api/fn/describe_scenario",
                &[
                    ("id", &id),
                    ("notes", &notes),
                    ("tags", &format!("{},a<b", name.chars().take(20).collect::<String>())),
                ],
            )
            .await;
        let shown = page(&mut caller, &format!("/scenarios/{id}")).await;
        assert_eq!(text_of(&shown, "h1"), [name]);
        assert_eq!(text_of(&shown, "img, svg script, h1 *, .notes *"), Vec::<String>::new(), "shown as text");
        assert!(text_of(&shown, "script").iter().all(|script| !script.contains("alert(1)")), "{name}");
        assert_eq!(text_of(&shown, "textarea[name='notes']"), text_of(&shown, "p.notes"), "the form has the same text");
        assert!(shown.contains("&lt;img src=x onerror=alert(1)&gt;&lt;/textarea&gt;\n\tsecond"), "line breaks stay");
        assert_eq!(text_of(&shown, ".tags a").len(), 2);
        let word = form_urlencoded::byte_serialize(name.as_bytes()).collect::<String>();
        let found = page(&mut caller, &format!("/scenarios?q={word}")).await;
        assert_eq!(text_of(&found, ".scenarios tbody th > a"), [name]);
        save_version(&mut caller, &id, "1", SECOND).await;
        let answer = save_version(&mut caller, &id, "1", THIRD).await;
        assert_eq!(answer.status, 412);
        let copy = caller.post_form("/api/fn/duplicate_scenario", &[("id", &id)]).await;
        assert!(follow(&mut caller, &copy).await.contains("(copy)"));
    }
}

#[tokio::test]
async fn the_list_is_searched_filtered_and_cleared_of_what_is_archived() {
    let server = Server::start().await;
    let mut caller = server.caller();
    assert!(page(&mut caller, "/scenarios?q=x").await.contains("No scenario is saved yet"));
    let mut ids = Vec::new();
    for (name, notes, tags) in [("Größe", "Ask Kim", "board"), ("Other", "", "board, late"), ("Third", "", "")] {
        let id = save(&mut caller, name).await;
        caller.post_form("/api/fn/describe_scenario", &[("id", &id), ("notes", notes), ("tags", tags)]).await;
        ids.push(id);
    }
    let listed = async |caller: &mut Caller, query: &str| {
        let mut names = text_of(&page(caller, &format!("/scenarios{query}")).await, ".scenarios tbody th > a");
        names.sort();
        names
    };
    for (query, names) in [
        ("", vec!["Größe", "Other", "Third"]),
        ("?q=gr%C3%B6%C3%9Fe", vec!["Größe"]),
        ("?q=KIM+gr%C3%B6%C3%9Fe", vec!["Größe"]),
        ("?q=late", vec!["Other"]),
        ("?tag=board", vec!["Größe", "Other"]),
        ("?tag=board&q=other", vec!["Other"]),
        ("?q=h100", vec!["Größe", "Other", "Third"]),
        ("?q=%3Cb%3E", vec![]),
    ] {
        assert_eq!(listed(&mut caller, query).await, names, "{query}");
    }
    assert!(page(&mut caller, "/scenarios?q=nothing").await.contains("No scenario matches"));
    let shown = page(&mut caller, "/scenarios").await;
    assert!(shown.contains("just now") && text_of(&shown, "#list-tag option") == ["Any", "board", "late"]);

    let link = caller.post_form("/api/fn/create_link", &[("scenario", &ids[0])]).await;
    let with_link = follow(&mut caller, &link).await;
    let token: String = with_link.split("/s/").nth(1).unwrap().chars().take(27).collect();
    caller.post_form("/api/fn/archive_scenario", &[("id", &ids[0])]).await;
    assert_eq!(listed(&mut caller, "").await, ["Other", "Third"]);
    assert_eq!(listed(&mut caller, "?archived=only").await, ["Größe"]);
    assert_eq!(listed(&mut caller, "?archived=also").await, ["Größe", "Other", "Third"]);
    assert!(page(&mut caller, &format!("/scenarios/{}", ids[0])).await.contains("This scenario is archived"));
    assert_eq!(server.caller().get(&format!("/s/{token}")).await.status, 200, "its links go on working");
    caller.post_form("/api/fn/unarchive_scenario", &[("id", &ids[0])]).await;
    assert_eq!(listed(&mut caller, "").await, ["Größe", "Other", "Third"]);
    assert!(page(&mut caller, "/scenarios?archived=only").await.contains("Nothing is archived"));
}

#[tokio::test]
async fn a_copy_has_the_plan_and_a_history_of_its_own() {
    let server = Server::start().await;
    let mut caller = signed_up(&server, "ada@a.b").await;
    let id = save(&mut caller, "Original").await;
    caller.post_form("/api/fn/describe_scenario", &[("id", &id), ("notes", "n"), ("tags", "t")]).await;
    save_version(&mut caller, &id, "1", SECOND).await;
    let answer = caller.post_form("/api/fn/duplicate_scenario", &[("id", &id)]).await;
    let copy = follow(&mut caller, &answer).await;
    assert_eq!(text_of(&copy, "h1"), ["Original (copy)"]);
    assert_eq!(text_of(&copy, ".history tbody th"), ["Version 1current"]);
    assert!(copy.contains("copied from “Original”, version 2") && copy.contains("budget for the run $3M"));
    assert_eq!((text_of(&copy, "p.notes"), text_of(&copy, ".tags a")), (vec!["n".to_owned()], vec!["t".to_owned()]));
    let copied = answer.header("location").split('?').next().unwrap().to_owned();
    caller.post_form("/api/fn/delete_scenario", &[("id", &id)]).await;
    assert_eq!(caller.get(&copied).await.status, 200);
    assert!(page(&mut caller, "/team").await.contains("made the copy “Original (copy)”"));
}

#[tokio::test]
async fn the_same_inputs_are_planned_again_and_kept_when_wanted() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let id = save(&mut caller, "Old").await;
    let again = page(&mut caller, &format!("/scenarios/{id}/again")).await;
    assert!(again.contains("give the same figures as the frozen plan"), "{again}");
    // as if it had been saved with the catalog of another time
    let mut database = crate::database::open(&server.config.database).await;
    sqlx::query("UPDATE scenario SET plan = json_set(plan, '$.catalog_version', '2020-01', '$.tiers[0].cost.total_usd.typical', 12345.0, '$.tiers[1].cost.total_usd.typical', 12345.0, '$.tiers[2].cost.total_usd.typical', 12345.0)")
        .execute(&mut database)
        .await
        .unwrap();
    let again = page(&mut caller, &format!("/scenarios/{id}/again?only=1")).await;
    assert!(
        again.contains("has other figures") && again.contains("catalog 2020-01 then") && again.contains("$12.3K"),
        "{again}"
    );
    assert_eq!(text_of(&again, ".comparison thead th").len(), 3);
    let answer = caller.post_form("/api/fn/keep_again", &[("id", &id), ("base", "1")]).await;
    let kept = follow(&mut caller, &answer).await;
    assert!(kept.contains("planned again") && !text_of(&kept, ".eyebrow").join("").contains("2020-01"));
    let meanwhile = caller.post_form("/api/fn/keep_again", &[("id", &id), ("base", "1")]).await;
    assert_eq!(meanwhile.status, 412);
    assert!(meanwhile.text().contains("You have saved a version since, in another tab or window"));
    let first = page(&mut caller, &format!("/scenarios/{id}/versions/1")).await;
    assert!(first.contains("catalog 2020-01"), "the frozen one stays in the history");
}

#[tokio::test]
async fn two_to_four_scenarios_are_compared() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let mut ids = Vec::new();
    for (name, query) in [("Alpha", SECOND), ("Two", THIRD), ("Three", SECOND)] {
        let answer = caller.post_form("/api/fn/save_scenario", &[("name", name), ("query", query)]).await;
        ids.push(answer.header("location").split('?').next().unwrap().trim_start_matches("/scenarios/").to_owned());
    }
    let all = ids.join(",");
    let compared = page(&mut caller, &format!("/compare?ids={all}")).await;
    let heads = text_of(&compared, ".comparison thead th");
    assert!(heads.len() == 4 && heads[1].starts_with("A: Alpha") && heads[3].starts_with("C: Three"), "{heads:?}");
    assert_eq!(
        text_of(&compared, ".comparison-group"),
        ["Inputs", "Result", "Cost", "Layout and memory", "Utilization"]
    );
    assert!(compared.contains("✓ best") && compared.contains("≠ differs"));
    assert!(text_of(&compared, "#fig-compared-cost h3").len() == 1, "the curves are on the same axes");
    let boxes = format!("/compare?ids={}&ids={}", ids[0], ids[1]);
    assert_eq!(text_of(&page(&mut caller, &boxes).await, ".comparison thead th").len(), 3, "as check boxes send it");
    let only = page(&mut caller, &format!("/compare?ids={}&only=1", ids[..2].join(","))).await;
    let rows = text_of(&only, ".comparison tbody tr:not(.comparison-group)");
    assert!(!rows.is_empty() && rows.iter().all(|row| row.contains("≠ differs")), "{rows:?}");
    let same = page(&mut caller, &format!("/compare?ids={},{}&only=1", ids[0], ids[2])).await;
    assert!(same.contains("No row differs."));

    let five = format!("{all},abcdefghijkl,abcdefghijkm");
    for (query, status, words) in [
        (String::new(), 422, "No scenario is chosen"),
        (format!("?ids={}", ids[0]), 422, "Only one scenario is chosen"),
        (format!("?ids={0},{0}", ids[0]), 422, "Only one scenario is chosen"),
        (format!("?ids={five}"), 422, "5 scenarios are chosen"),
        (format!("?ids={},abcdefghijkl", ids[0]), 404, "can&#39;t be found"),
        (format!("?ids={},%3Cscript%3E", ids[0]), 404, "can&#39;t be found"),
    ] {
        let answer = caller.browse(&format!("/compare{query}")).await;
        assert_eq!(answer.status, status, "{query}");
        assert!(answer.text().replace("can't", "can&#39;t").contains(words), "{query}: {}", answer.text());
    }
    let stranger = server.caller().browse(&format!("/compare?ids={all}")).await;
    assert!(stranger.status == 404 && !stranger.text().contains("Alpha"), "what belongs to others is not there");
}

#[tokio::test]
async fn viewers_look_at_everything_and_change_nothing() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let id = save(&mut owner, "Of the team").await;
    save_version(&mut owner, &id, "1", SECOND).await;
    let mut viewer = joined(&server, &mut owner, "viewer@a.b", "viewer").await;
    for path in ["", "/versions/1", "/difference?from=1&to=2", "/again"] {
        let seen = page(&mut viewer, &format!("/scenarios/{id}{path}")).await;
        assert_eq!(attributes(&seen, "main form[method='post']", "action"), Vec::<String>::new(), "{path}");
    }
    for function in [
        "describe_scenario",
        "archive_scenario",
        "unarchive_scenario",
        "duplicate_scenario",
        "keep_again",
        "rename_scenario",
    ] {
        assert_eq!(
            status(&viewer, &format!("/api/fn/{function}"), &[("id", &id), ("name", "x")]).await,
            403,
            "{function}"
        );
    }
    let form =
        form_urlencoded::Serializer::new(String::new()).extend_pairs([("id", id.as_str()), ("query", SECOND)]).finish();
    let refused = viewer.post_text("/api/fn/save_version", "application/x-www-form-urlencoded", form).await;
    let problem = refused.problem(403);
    assert_eq!(problem["code"], "forbidden");
    assert!(problem["detail"].as_str().unwrap().contains("role in this team"), "{problem}");
    let planner = page(&mut viewer, "/").await;
    assert!(planner.contains("You are a viewer of Team of owner@a.b") && !planner.contains("/api/fn/save_"));
    assert!(planner.contains("Copy link to these inputs"));
    let open = attributes(&page(&mut viewer, &format!("/scenarios/{id}")).await, ".page-head a.button-primary", "href")
        .remove(0);
    assert!(!page(&mut viewer, &open).await.contains("/api/fn/save_"));
    assert_eq!(text_of(&page(&mut owner, &format!("/scenarios/{id}")).await, ".history tbody th").len(), 2);
}

#[tokio::test]
async fn who_saved_a_version_is_told_until_the_account_is_deleted() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let id = save(&mut owner, "Kept").await;
    let mut guest = joined(&server, &mut owner, "guest@a.b", "editor").await;
    save_version(&mut guest, &id, "1", SECOND).await;
    assert!(page(&mut owner, &format!("/scenarios/{id}")).await.contains("guest@a.b: saved"));
    let data = owner.get("/account/export").await.json();
    let kept = &data["scenarios"][0];
    assert_eq!((kept["version"].as_i64(), kept["versions"].as_array().map(Vec::len)), (Some(2), Some(2)), "{kept}");
    guest.post_form("/api/fn/delete_account", &[("delete_password", crate::accounts::PASSWORD)]).await;
    let after = page(&mut owner, &format!("/scenarios/{id}")).await;
    assert!(after.contains("Someone whose account is deleted: saved") && !after.contains("guest@a.b"), "{after}");
    let mut browser = server.caller();
    let own = save(&mut browser, "Without account").await;
    assert!(page(&mut browser, &format!("/scenarios/{own}")).await.contains("A browser without an account: saved"));
}
