//! The team: who is in it, who may come in, what was done.

mod invite;
mod log;
mod tokens;

pub use invite::InvitePage;
pub use tokens::TokensPage;

use super::account::{done, to_log_in};
use crate::backend::teams::{InvitationSummary, MemberSummary, TeamDetail, TeamSummary};
use crate::components::flash_message;
use crate::flash::{self, Flash};
use crate::format;
use crate::pages::Description;
use crate::pages::{origin, problem, query_value};
use crate::server_functions::teams;
use leptos::prelude::*;
use leptos_meta::Title;

/// What the last form did, by the flag that the address carries.
const DONE: [(&str, &str); 8] = [
    ("made", "The team is made. What you save from now on belongs to it."),
    ("switched", "You work in this team now. What you save belongs to it."),
    ("renamed", "Renamed."),
    ("withdrawn", "The invitation is withdrawn: it no longer opens."),
    ("joined", "You are in. What you save from now on belongs to this team."),
    ("changed", "The role is changed."),
    ("removed", "The member is removed."),
    ("left", "You have left the team."),
];

/// Roles, with what each may do.
pub(super) const ROLES: [(&str, &str); 3] = [
    ("viewer", "Viewer: sees everything"),
    ("editor", "Editor: saves, changes and shares scenarios too"),
    ("owner", "Owner: decides who is in the team too"),
];

/// The team that who is logged in works in.
#[component]
pub fn TeamPage() -> impl IntoView {
    let flash = flash::take();
    let origin = origin();
    let done = done(&DONE);
    let log_from = Some(query_value(log::FROM)).filter(|from| !from.is_empty());
    Suspend::new(async move {
        let team = match teams() {
            Ok(teams) => teams.team(log_from).await,
            Err(error) => Err(error),
        };
        let team = match team {
            Ok(team) => team,
            Err(error) if error.code == "not_logged_in" => return to_log_in("/team"),
            Err(error) => return problem(&error),
        };
        let link = match &flash {
            Some(Flash::Token(token)) => Some(format!("{origin}/invite/{token}")),
            _ => None,
        };
        let owner = team.role == "owner";
        let editor = team.role != "viewer";
        view! {
            <Title text=format!("{} · Clusterwright", team.name) />
            <Description text="Members, roles, invitations and what was done in a team." />
            <main class="page page-prose" id="main">
                {flash_message(flash.as_ref())}
                {done}
                <div class="page-head">
                    <div>
                        <p class="eyebrow">{format!("Team, you are {}", role_article(&team.role))}</p>
                        <h1 class="account-title">{team.name.clone()}</h1>
                    </div>
                    <p class="actions"><a class="button" href="/scenarios">"Its scenarios"</a><a class="button" href="/price-book">"Its price book"</a>{editor.then(|| view! { <a class="button" href="/team/tokens">"Tokens"</a> })}</p>
                </div>
                {manage(&team)}
                {members(&team)}
                {owner.then(|| invitations(&team.invitations, link))}
                {log::log(&team.log)}
            </main>
        }
        .into_any()
    })
}

fn role_article(role: &str) -> String {
    let article = if role == "viewer" { "a" } else { "an" };
    format!("{article} {role}")
}

/// Renaming, leaving, other teams.
fn manage(team: &TeamDetail) -> AnyView {
    let rename = (team.role == "owner").then(|| {
        view! {
            <details class="manage-item" id="rename">
                <summary>"Rename"</summary>
                <form method="post" action="/api/fn/rename_team">
                    <label for="rename-name">"New name"</label>
                    <input class="input" id="rename-name" name="name" type="text" required maxlength="120" value=team.name.clone() />
                    <button class="button button-primary" type="submit">"Rename"</button>
                </form>
            </details>
        }
    });
    let others: Vec<_> = team.teams.iter().filter(|team| !team.current).map(other).collect();
    let switch = (!others.is_empty()).then(|| {
        view! {
            <details class="manage-item" id="switch">
                <summary>"Your other teams"</summary>
                <ul class="team-list">{others}</ul>
            </details>
        }
    });
    view! {
        <div class="manage">
            {rename}
            {switch}
            <details class="manage-item" id="new-team">
                <summary>"New team"</summary>
                <form method="post" action="/api/fn/create_team">
                    <label for="team-name">"Name of the new team"</label>
                    <input class="input" id="team-name" name="name" type="text" required maxlength="120" />
                    <button class="button button-primary" type="submit">"Make the team"</button>
                </form>
            </details>
            <details class="manage-item" id="leave">
                <summary>"Leave"</summary>
                <form method="post" action="/api/fn/leave_team">
                    <p>"You will no longer see the scenarios of this team. A team can't be left by its last owner."</p>
                    <button class="button button-danger" type="submit">"Leave the team"</button>
                </form>
            </details>
        </div>
    }
    .into_any()
}

fn other(team: &TeamSummary) -> AnyView {
    view! {
        <li>
            <form method="post" action="/api/fn/switch_team">
                <input type="hidden" name="team" value=team.id.clone() />
                <button class="button button-small" type="submit">{format!("Work in {}", team.name)}</button>
                <span class="quiet">{format!("as {}", role_article(&team.role))}</span>
            </form>
        </li>
    }
    .into_any()
}

fn members(team: &TeamDetail) -> AnyView {
    let owner = team.role == "owner";
    let rows: Vec<_> = team.members.iter().map(|member| person(member, owner)).collect();
    let heads = owner.then(|| view! { <th scope="col">"Change"</th> });
    view! {
        <section class="section section-first" id="members" aria-labelledby="members-heading">
            <h2 id="members-heading">"Members"</h2>
            <div class="scroll" role="region" tabindex="0" aria-label="Members, email and role">
                <table class="data">
                    <caption class="visually-hidden">"Members of the team, oldest first"</caption>
                    <thead><tr><th scope="col">"Email"</th><th scope="col">"Role"</th><th scope="col">"Joined"</th>{heads}</tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

fn person(member: &MemberSummary, owner: bool) -> AnyView {
    let change = owner.then(|| {
        view! {
            <td>
                <div class="row-forms">
                    <form method="post" action="/api/fn/change_role" class="row-form">
                        <input type="hidden" name="member" value=member.id.clone() />
                        {role_select(format!("Role of {}", member.email), &member.role)}
                        <button class="button button-small" type="submit" aria-label=format!("Set the role of {}", member.email)>"Set"</button>
                    </form>
                    {(!member.me).then(|| view! {
                        <form method="post" action="/api/fn/remove_member">
                            <input type="hidden" name="member" value=member.id.clone() />
                            <button class="button button-small" type="submit" aria-label=format!("Remove {}", member.email)>"Remove"</button>
                        </form>
                    })}
                </div>
            </td>
        }
    });
    let name = if member.me { format!("{} (you)", member.email) } else { member.email.clone() };
    view! {
        <tr>
            <th scope="row" class="account-title">{name}</th>
            <td>{member.role.clone()}</td>
            <td>{format::date(&member.joined_at)}</td>
            {change}
        </tr>
    }
    .into_any()
}

fn role_select(label: String, current: &str) -> AnyView {
    let options: Vec<_> = ROLES
        .iter()
        .map(|(role, _)| view! { <option value=*role selected=*role == current>{*role}</option> })
        .collect();
    view! { <select class="input select" name="role" aria-label=label>{options}</select> }.into_any()
}

fn invitations(invitations: &[InvitationSummary], link: Option<String>) -> AnyView {
    let new = link.map(|address| {
        view! {
            <div class="new-link">
                <label for="new-link">"New invitation. Copy it now: it is shown only this once. It lets one person in, within 7 days."</label>
                <div class="field-input">
                    <input class="input" id="new-link" type="text" readonly value=address.clone() />
                    <a class="button" href=address.clone() data-copy=address>"Copy link"</a>
                </div>
            </div>
        }
    });
    let roles: Vec<_> = ROLES.iter().map(|(role, words)| view! { <option value=*role>{*words}</option> }).collect();
    let rows: Vec<_> = invitations
        .iter()
        .enumerate()
        .map(|(index, invitation)| {
            let label = format!("Withdraw invitation {}, {}", index + 1, role_article(&invitation.role));
            view! {
                <tr>
                    <th scope="row">{invitation.role.clone()}</th>
                    <td>{invitation.made_by.clone()}</td>
                    <td>{format::date(&invitation.expires_at)}</td>
                    <td>
                        <form method="post" action="/api/fn/withdraw_invitation">
                            <input type="hidden" name="invitation" value=invitation.id.clone() />
                            <button class="button button-small" type="submit" aria-label=label>"Withdraw"</button>
                        </form>
                    </td>
                </tr>
            }
        })
        .collect();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <div class="scroll" role="region" tabindex="0" aria-label="Invitations that nobody has used yet">
                <table class="data data-people">
                    <caption class="visually-hidden">"Invitations that nobody has used yet"</caption>
                    <thead><tr><th scope="col">"Role"</th><th scope="col">"Made by"</th><th scope="col">"Ends"</th><th scope="col">"Change"</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
    });
    view! {
        <section class="section" id="invitations" aria-labelledby="invitations-heading">
            <h2 id="invitations-heading">"Invite"</h2>
            {new}
            <form method="post" action="/api/fn/create_invitation" class="inline-form">
                <label for="invite-role">"Role"</label>
                <select class="input select invite-role" id="invite-role" name="role">{roles}</select>
                <button class="button" type="submit">"Create an invitation link"</button>
            </form>
            {table}
        </section>
    }
    .into_any()
}
