//! Teams, members and invitations: targets of plain forms.

use crate::UiError;
use leptos::prelude::*;

/// Makes a team, and works in it.
#[server(name = CreateTeam, prefix = "/api/fn", endpoint = "create_team")]
pub async fn create_team(name: String) -> Result<(), UiError> {
    done(super::teams()?.create_team(name).await, "/team?made=1")
}

/// Works in another team.
#[server(name = SwitchTeam, prefix = "/api/fn", endpoint = "switch_team")]
pub async fn switch_team(team: String) -> Result<(), UiError> {
    done(super::teams()?.switch_team(team).await, "/team?switched=1")
}

/// Renames the team.
#[server(name = RenameTeam, prefix = "/api/fn", endpoint = "rename_team")]
pub async fn rename_team(name: String) -> Result<(), UiError> {
    done(super::teams()?.rename_team(name).await, "/team?renamed=1")
}

/// Makes an invitation; its token is shown once, on the next page.
#[server(name = CreateInvitation, prefix = "/api/fn", endpoint = "create_invitation")]
pub async fn create_invitation(role: String) -> Result<(), UiError> {
    use crate::flash;
    match super::teams()?.create_invitation(role).await {
        Ok(token) => flash::go_with_token("/team#invitations", &token),
        Err(error) => done(Err(error), ""),
    }
}

/// Withdraws an invitation.
#[server(name = WithdrawInvitation, prefix = "/api/fn", endpoint = "withdraw_invitation")]
pub async fn withdraw_invitation(invitation: String) -> Result<(), UiError> {
    done(super::teams()?.withdraw_invitation(invitation).await, "/team?withdrawn=1#invitations")
}

/// Joins the team of an invitation.
#[server(name = AcceptInvitation, prefix = "/api/fn", endpoint = "accept_invitation")]
pub async fn accept_invitation(token: String) -> Result<(), UiError> {
    let page = format!("/invite/{}", crate::flash::segment(&token));
    match super::teams()?.accept_invitation(token).await {
        Ok(()) => crate::flash::go("/team?joined=1"),
        Err(error) => super::accounts::refused(&page, &error),
    }
}

/// Gives a member another role.
#[server(name = ChangeRole, prefix = "/api/fn", endpoint = "change_role")]
pub async fn change_role(member: String, role: String) -> Result<(), UiError> {
    done(super::teams()?.change_role(member, role).await, "/team?changed=1#members")
}

/// Takes a member out of the team.
#[server(name = RemoveMember, prefix = "/api/fn", endpoint = "remove_member")]
pub async fn remove_member(member: String) -> Result<(), UiError> {
    done(super::teams()?.remove_member(member).await, "/team?removed=1#members")
}

/// Leaves the team.
#[server(name = LeaveTeam, prefix = "/api/fn", endpoint = "leave_team")]
pub async fn leave_team() -> Result<(), UiError> {
    done(super::teams()?.leave_team().await, "/team?left=1")
}

/// On to a page that says that it is done, or back to the team with what went wrong.
#[cfg(feature = "ssr")]
fn done(outcome: Result<(), UiError>, page: &str) -> Result<(), UiError> {
    match outcome {
        Ok(()) => crate::flash::go(page),
        Err(error) => super::accounts::refused("/team", &error),
    }
}
