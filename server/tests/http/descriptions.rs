//! What pages say of themselves in their head, where search pages and chat programs look.

use crate::accounts::{save, signed_up};
use crate::history::{SECOND, attributes, save_version, text_of};
use crate::links::make;
use crate::support::Server;
use crate::teams::invite;
use server::router::table::ROUTES;

#[tokio::test]
async fn every_page_has_one_description_and_one_title() {
    let server = Server::start().await;
    let mut caller = signed_up(&server, "ada@a.b").await;
    let (id, other) = (save(&mut caller, "Autumn").await, save(&mut caller, "Spring").await);
    save_version(&mut caller, &id, "1", SECOND).await;
    let token = make(&mut caller, &id, &[]).await.trim_start_matches("/s/").to_owned();
    let invitation = invite(&mut caller, "viewer").await;
    let mut paths: Vec<String> = ROUTES
        .iter()
        .filter(|route| route.method == "GET" && !route.path.starts_with("/pkg"))
        .filter(|route| !route.path.starts_with("/api/v1") && !route.path.contains("{file}"))
        // a refused file is no page
        .filter(|route| !route.path.ends_with(".csv") && !route.path.ends_with(".xlsx"))
        .map(|route| route.path.replace("{id}", &id).replace("{number}", "1").replace("{card}", "none"))
        .map(|path| path.replace("/invite/{token}", &format!("/invite/{invitation}")).replace("{token}", &token))
        .map(|path| if path.ends_with("/difference") { format!("{path}?from=1&to=2") } else { path })
        .collect();
    paths.extend([
        format!("/compare?ids={id},{other}"),
        format!("/s/{token}?_figure=all"),
        "/?_figure=none".into(),
        "/?model.preset=none".into(),
        "/s/unknown".into(),
        "/scenarios/unknown".into(),
        "/nothing/here".into(),
    ]);
    let mut pages = 0;
    // who has no account sees some pages that members do not
    for mut caller in [caller, server.caller()] {
        for path in &paths {
            let answer = caller.get_with(path, &[("accept", "text/html")]).await;
            if answer.status == 302 || !answer.header("content-type").starts_with("text/html") {
                continue;
            }
            let page = answer.text();
            let described = attributes(&page, "head meta[name='description']", "content");
            assert_eq!((described.len(), text_of(&page, "head title").len()), (1, 1), "{path}: {described:?}");
            assert!((20..=400).contains(&described[0].chars().count()), "{path}: {described:?}");
            pages += 1;
        }
        caller.cookies.clear();
    }
    assert!(pages > 40, "{pages} pages");
}
