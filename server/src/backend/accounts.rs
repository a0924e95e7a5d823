//! Accounts and sessions, as pages and forms need them.

use super::{RequestBackend, ui_error};
use crate::auth::secret::SessionToken;
use crate::auth::session;
use crate::service::accounts::Device;
use crate::service::actor::Actor;
use crate::service::{ServiceError, clock};
use app::backend::UiError;
use app::backend::accounts::{AccountBackend, AccountDetail, SessionSummary, Viewer};

impl RequestBackend {
    fn device(&self) -> Device {
        Device { user_agent: self.user_agent.clone(), session: self.session.clone(), owner: self.owner.clone() }
    }

    fn logged_in(&self, token: &SessionToken) {
        let seconds = self.state.accounts.session_seconds();
        self.give(session::set(token, seconds, self.state.transport()));
    }

    fn logged_out(&self) {
        self.give(session::forget(self.state.transport()));
    }

    /// Guesses at one account count together, wherever they come from.
    fn try_account(&self, email: &str) -> Result<(), UiError> {
        self.state.gates.try_account(email).map_err(|wait| self.failed(ServiceError::TooSoon(wait)))
    }
}

fn viewer(actor: &Actor) -> Option<Viewer> {
    let member = actor.member().ok()?;
    Some(Viewer { email: member.email.clone(), team: member.team_name.clone(), role: member.role.name().to_owned() })
}

#[async_trait::async_trait]
impl AccountBackend for RequestBackend {
    async fn viewer(&self) -> Result<Option<Viewer>, UiError> {
        // a page that can be shown is not worse for not knowing who looks
        self.known().await.map(viewer).map_err(ui_error)
    }

    fn registration(&self) -> &'static str {
        self.state.accounts.registration().name()
    }

    async fn sign_up(&self, email: String, password: String, invitation: Option<String>) -> Result<(), UiError> {
        let made = self.state.accounts.sign_up(&email, &password, invitation.as_deref(), self.device()).await;
        self.logged_in(&made.map_err(|error| self.failed(error))?);
        Ok(())
    }

    async fn log_in(&self, email: String, password: String) -> Result<(), UiError> {
        self.try_account(&email)?;
        let entered = self.state.accounts.log_in(&email, &password, self.device()).await;
        self.logged_in(&entered.map_err(|error| self.failed(error))?);
        Ok(())
    }

    async fn log_out(&self) -> Result<(), UiError> {
        self.state.accounts.log_out(self.actor().await?).await.map_err(|error| self.failed(error))?;
        self.logged_out();
        Ok(())
    }

    async fn log_out_everywhere(&self) -> Result<(), UiError> {
        self.state.accounts.log_out_everywhere(self.actor().await?).await.map_err(|error| self.failed(error))?;
        self.logged_out();
        Ok(())
    }

    async fn end_session(&self, id: String) -> Result<(), UiError> {
        self.state.accounts.end_session(self.actor().await?, &id).await.map_err(|error| self.failed(error))
    }

    async fn account(&self) -> Result<AccountDetail, UiError> {
        let actor = self.actor().await?;
        let (member, sessions) = self.state.accounts.sessions(actor).await.map_err(|error| self.failed(error))?;
        let sessions = sessions.into_iter().map(|found| SessionSummary {
            current: found.id == member.session,
            id: found.public_id,
            user_agent: found.user_agent,
            created_at: clock::iso(found.created_at),
            last_seen_at: clock::iso(found.last_seen_at),
        });
        Ok(AccountDetail { email: member.email.clone(), sessions: sessions.collect() })
    }

    async fn change_password(&self, old: String, new: String) -> Result<(), UiError> {
        let actor = self.actor().await?;
        let email = actor.member().map_err(|error| self.failed(error))?.email.clone();
        self.try_account(&email)?;
        let changed = self.state.accounts.change_password(actor, &old, &new, self.device()).await;
        self.logged_in(&changed.map_err(|error| self.failed(error))?);
        Ok(())
    }

    async fn delete_account(&self, password: String) -> Result<(), UiError> {
        let actor = self.actor().await?;
        let email = actor.member().map_err(|error| self.failed(error))?.email.clone();
        self.try_account(&email)?;
        self.state.accounts.delete(actor, &password).await.map_err(|error| self.failed(error))?;
        self.logged_out();
        Ok(())
    }

    async fn reset_email(&self, token: String) -> Result<String, UiError> {
        self.state.accounts.reset_email(&token).await.map_err(|error| self.failed(error))
    }

    async fn reset_password(&self, token: String, password: String) -> Result<(), UiError> {
        let set = self.state.accounts.reset_password(&token, &password, self.device()).await;
        self.logged_in(&set.map_err(|error| self.failed(error))?);
        Ok(())
    }
}
