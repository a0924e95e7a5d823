//! What was done in the team, in words.

use crate::backend::teams::{LOG_DAYS, Log, LogLine};
use crate::components::{Cell, DataTable};
use crate::flash::segment;
use leptos::prelude::*;

/// Name of the pair of the address that says where a page of the log begins.
pub(super) const FROM: &str = "from";

/// A page of the log, newest first.
pub(super) fn log(log: &Log) -> AnyView {
    let rows = log
        .lines
        .iter()
        .map(|line| {
            let who = line.who.clone().unwrap_or_else(|| "Someone whose account is deleted".to_owned());
            vec![Cell::text(time(&line.at)), Cell::text(who), Cell::text(words(line))]
        })
        .collect();
    let head = ["When (UTC)", "Who", "What"].map(str::to_owned).to_vec();
    let newest = log.is_later_page.then(|| view! { <a class="button" href="/team#log">"Newest"</a> });
    let older = log.next.as_ref().map(|next| {
        let href = format!("/team?{FROM}={}#log", segment(next));
        view! { <a class="button" href=href>"Older"</a> }
    });
    view! {
        <section class="section" id="log" aria-labelledby="log-heading">
            <h2 id="log-heading">"What was done"</h2>
            <p class="quiet">{format!("Newest first. What was done is kept for {LOG_DAYS} days.")}</p>
            <DataTable caption="What was done in the team, newest first" head=head rows=rows class="data-people" />
            <p class="actions">{newest}{older}</p>
        </section>
    }
    .into_any()
}

/// `2026-11-30 10:00` of `2026-11-30T10:00:00Z`.
fn time(iso: &str) -> String {
    iso.replace('T', " ").chars().take(16).collect()
}

fn words(line: &LogLine) -> String {
    let about = line.about.as_deref().unwrap_or("someone whose account is deleted");
    let object = &line.object;
    match line.action.as_str() {
        "saved_scenario" => format!("saved “{object}”"),
        "renamed_scenario" => format!("renamed a scenario to “{object}”"),
        "described_scenario" => format!("changed notes or tags of “{object}”"),
        "saved_version" => format!("saved a new version of “{object}”"),
        "restored_version" => format!("restored an earlier version of “{object}”"),
        "duplicated_scenario" => format!("made the copy “{object}”"),
        "archived_scenario" => format!("archived “{object}”"),
        "unarchived_scenario" => format!("took “{object}” out of the archive"),
        "deleted_scenario" => format!("deleted “{object}”"),
        "shared_scenario" => format!("made a share link to “{object}”"),
        "revoked_link" => format!("revoked a share link to “{object}”"),
        "paused_link" => format!("paused a share link to “{object}”"),
        "resumed_link" => format!("resumed a share link to “{object}”"),
        "rotated_link" => format!("gave a share link to “{object}” another address"),
        "changed_quote" => format!("changed the quote {object} of the price book"),
        "removed_quote" => format!("removed the quote {object} of the price book"),
        "brought_scenarios" => format!("brought scenarios saved before logging in: {object}"),
        "made_team" => "made the team".into(),
        "renamed_team" => format!("renamed the team to “{object}”"),
        "invited" => format!("made an invitation, role {object}"),
        "withdrew_invitation" => format!("withdrew an invitation, role {object}"),
        "joined" => format!("joined, role {object}"),
        "changed_role" => format!("gave {about} the role {object}"),
        "removed_member" => format!("removed {about}"),
        "left" => "left the team".into(),
        "made_token" => format!("made the token “{object}” of the API"),
        "revoked_token" => format!("revoked the token “{object}” of the API"),
        other => format!("{other} {object}"),
    }
}
