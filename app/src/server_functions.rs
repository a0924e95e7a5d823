//! Server functions: thin, over the `Backend` port.
//!
//! `replan` serves the planner's island. The others are the targets of plain forms: they answer with a redirect,
//! so that they work without scripts.

mod accounts;
mod replan;
mod scenarios;
mod teams;
mod tokens;

pub use accounts::{
    change_password, delete_account, end_session, log_in, log_out, log_out_everywhere, reset_password, sign_up,
};
pub use replan::{Echo, Replan, replan};
pub use scenarios::{create_link, delete_scenario, rename_scenario, revoke_link, save_scenario};
pub use teams::{
    accept_invitation, change_role, create_invitation, create_team, leave_team, remove_member, rename_team,
    switch_team, withdraw_invitation,
};
pub use tokens::{create_token, revoke_token};

/// The types of the server functions, for explicit registration.
#[cfg(feature = "ssr")]
pub mod types {
    pub use super::accounts::{
        ChangePassword, DeleteAccount, EndSession, LogIn, LogOut, LogOutEverywhere, ResetPassword, SignUp,
    };
    pub use super::replan::ReplanQuery;
    pub use super::scenarios::{CreateLink, DeleteScenario, RenameScenario, RevokeLink, SaveScenario};
    pub use super::teams::{
        AcceptInvitation, ChangeRole, CreateInvitation, CreateTeam, LeaveTeam, RemoveMember, RenameTeam, SwitchTeam,
        WithdrawInvitation,
    };
    pub use super::tokens::{CreateToken, RevokeToken};
}

#[cfg(feature = "ssr")]
pub(crate) use accounts::with_next;
#[cfg(feature = "ssr")]
pub(crate) use support::*;

#[cfg(feature = "ssr")]
mod support {
    use crate::backend::accounts::AccountBackend;
    use crate::backend::teams::TeamBackend;
    use crate::backend::tokens::TokenBackend;
    use crate::backend::{Backend, UiError};
    use leptos::prelude::use_context;
    use std::sync::Arc;

    /// The server behind the pages.
    pub(crate) fn backend() -> Result<Arc<dyn Backend>, UiError> {
        use_context::<Arc<dyn Backend>>()
            .ok_or_else(|| UiError::new("internal", "Something went wrong on the server. Try again in a moment."))
    }

    /// The accounts behind the pages.
    pub(crate) fn accounts() -> Result<Arc<dyn AccountBackend>, UiError> {
        use_context::<Arc<dyn AccountBackend>>()
            .ok_or_else(|| UiError::new("internal", "Something went wrong on the server. Try again in a moment."))
    }

    /// The teams behind the pages.
    pub(crate) fn teams() -> Result<Arc<dyn TeamBackend>, UiError> {
        use_context::<Arc<dyn TeamBackend>>()
            .ok_or_else(|| UiError::new("internal", "Something went wrong on the server. Try again in a moment."))
    }

    /// The tokens of the API behind the pages.
    pub(crate) fn tokens() -> Result<Arc<dyn TokenBackend>, UiError> {
        use_context::<Arc<dyn TokenBackend>>()
            .ok_or_else(|| UiError::new("internal", "Something went wrong on the server. Try again in a moment."))
    }

    /// Sets the status of the answer.
    pub(crate) fn set_status(status: u16) {
        if let (Some(options), Ok(status)) =
            (use_context::<leptos_axum::ResponseOptions>(), http::StatusCode::from_u16(status))
        {
            options.set_status(status);
        }
    }
}
