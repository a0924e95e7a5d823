//! Server functions: thin, over the `Backend` port.
//!
//! `replan` serves the planner's island. The others are the targets of plain forms: they answer with a redirect,
//! so that they work without scripts.

mod accounts;
mod links;
mod prices;
mod replan;
mod scenarios;
mod teams;
mod tokens;
mod versions;

pub use accounts::{
    change_password, delete_account, end_session, log_in, log_out, log_out_everywhere, reset_password, sign_up,
};
pub use links::{create_link, pause_link, resume_link, revoke_link, rotate_link};
pub use prices::{put_quote, remove_quote};
pub use replan::{Echo, Part, Replan, replan};
pub use scenarios::{
    archive_scenario, delete_scenario, describe_scenario, duplicate_scenario, rename_scenario, save_scenario,
    unarchive_scenario,
};
pub use teams::{
    accept_invitation, change_role, create_invitation, create_team, leave_team, remove_member, rename_team,
    switch_team, withdraw_invitation,
};
pub use tokens::{create_token, revoke_token};
pub use versions::{keep_again, restore_version, save_version};

/// The types of the server functions, for explicit registration.
#[cfg(feature = "ssr")]
pub mod types {
    pub use super::accounts::{
        ChangePassword, DeleteAccount, EndSession, LogIn, LogOut, LogOutEverywhere, ResetPassword, SignUp,
    };
    pub use super::links::{CreateLink, PauseLink, ResumeLink, RevokeLink, RotateLink};
    pub use super::prices::{PutQuote, RemoveQuote};
    pub use super::replan::ReplanQuery;
    pub use super::scenarios::{
        ArchiveScenario, DeleteScenario, DescribeScenario, DuplicateScenario, RenameScenario, SaveScenario,
        UnarchiveScenario,
    };
    pub use super::teams::{
        AcceptInvitation, ChangeRole, CreateInvitation, CreateTeam, LeaveTeam, RemoveMember, RenameTeam, SwitchTeam,
        WithdrawInvitation,
    };
    pub use super::tokens::{CreateToken, RevokeToken};
    pub use super::versions::{KeepAgain, RestoreVersion, SaveVersion};
}

#[cfg(feature = "ssr")]
pub(crate) use accounts::with_next;
#[cfg(feature = "ssr")]
pub(crate) use support::*;

#[cfg(feature = "ssr")]
mod support {
    use crate::backend::accounts::AccountBackend;
    use crate::backend::links::LinkBackend;
    use crate::backend::prices::PriceBackend;
    use crate::backend::scenarios::{Saving, ScenarioBackend};
    use crate::backend::teams::TeamBackend;
    use crate::backend::tokens::TokenBackend;
    use crate::backend::{Backend, UiError};
    use crate::inputs::Inputs;
    use leptos::prelude::use_context;
    use std::sync::Arc;

    /// A port that the server has put into the context.
    fn port<P: ?Sized + Send + Sync + 'static>() -> Result<Arc<P>, UiError> {
        let missing = || UiError::new("internal", "Something went wrong on the server. Try again in a moment.");
        use_context::<Arc<P>>().ok_or_else(missing)
    }

    /// The server behind the pages.
    pub(crate) fn backend() -> Result<Arc<dyn Backend>, UiError> {
        port()
    }

    /// The accounts behind the pages.
    pub(crate) fn accounts() -> Result<Arc<dyn AccountBackend>, UiError> {
        port()
    }

    /// The scenarios behind the pages.
    pub(crate) fn scenarios() -> Result<Arc<dyn ScenarioBackend>, UiError> {
        port()
    }

    /// The teams behind the pages.
    pub(crate) fn teams() -> Result<Arc<dyn TeamBackend>, UiError> {
        port()
    }

    /// The share links behind the pages.
    pub(crate) fn links() -> Result<Arc<dyn LinkBackend>, UiError> {
        port()
    }

    /// The price book behind the pages.
    pub(crate) fn prices() -> Result<Arc<dyn PriceBackend>, UiError> {
        port()
    }

    /// What can be done with the plan of these inputs; saving it anew where nobody knows.
    pub(crate) async fn saving(inputs: &Inputs) -> Saving {
        match scenarios() {
            Ok(scenarios) => scenarios.saving(inputs.origin().cloned()).await,
            Err(_) => Saving::default(),
        }
    }

    /// The tokens of the API behind the pages.
    pub(crate) fn tokens() -> Result<Arc<dyn TokenBackend>, UiError> {
        port()
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
