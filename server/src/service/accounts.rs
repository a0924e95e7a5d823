//! Accounts and sessions: signing up, logging in and out, changing and resetting passwords.
//!
//! A wrong password and an unknown address get the same answer for the same effort. Signing up does say that an address
//! is taken, since no mail is sent that could say it instead; its rate is limited.

mod data;
pub mod email;

use super::actor::Actor;
use super::{ServiceError, clock};
use crate::auth::password::{self, Password, Passwords, Verdict};
use crate::auth::secret::{InvitationToken, OwnerToken, ResetToken, SessionToken, TokenHash};
use crate::auth::session::summary;
use crate::config::accounts::{AccountSettings, Registration};
use crate::id::{PublicId, plausible};
use crate::store::Store;
use crate::store::accounts::{Account, AccountId, Listed, Made, NewAccount};
use crate::store::sessions::{Ends, Member, NewSession, Session};
use crate::store::teams::TeamId;
use engine::FieldProblem;
use std::time::Duration;

/// A session is written down as in use no more often than this.
const TOUCH: i64 = 5 * 60 * 1000;
/// How long a link that an administrator makes for someone who has forgotten the password opens.
pub const RESET_LIFE: Duration = Duration::from_secs(60 * 60);
/// How long the first link of an account opens.
pub const WELCOME_LIFE: Duration = Duration::from_secs(72 * 60 * 60);

/// What a browser brings when it is logged in.
#[derive(Clone, Debug, Default)]
pub struct Device {
    /// What it says that it is.
    pub user_agent: String,
    /// The session that it has; it ends.
    pub session: Option<SessionToken>,
    /// Owner of what it has saved, which moves to the account.
    pub owner: Option<OwnerToken>,
}

/// The account service.
#[derive(Clone, Debug)]
pub struct Accounts {
    store: Store,
    passwords: Passwords,
    settings: AccountSettings,
}

impl Accounts {
    /// Over a store.
    pub fn new(store: Store, settings: AccountSettings) -> Self {
        Self::at_cost(store, settings, password::OWASP)
    }

    /// With passwords that cost more or less.
    pub fn at_cost(store: Store, settings: AccountSettings, cost: password::Cost) -> Self {
        Self { store, passwords: Passwords::new(cost), settings }
    }

    /// Seconds for which a browser keeps its session cookie.
    pub fn session_seconds(&self) -> u64 {
        self.settings.session_life.as_secs()
    }

    /// Who may make an account.
    pub fn registration(&self) -> Registration {
        self.settings.registration
    }

    /// Who asks, by the tokens of a request.
    ///
    /// # Errors
    /// Reading failed.
    pub async fn actor(
        &self,
        session: Option<&SessionToken>,
        owner: Option<OwnerToken>,
    ) -> Result<Actor, ServiceError> {
        let Some(token) = session else { return Ok(Actor::Browser(owner)) };
        let ends = self.ends();
        let Some(member) = self.store.member(token.hash(), ends).await? else { return Ok(Actor::Browser(owner)) };
        if ends.now - member.last_seen_at > TOUCH
            && let Err(error) = self.store.touch_session(member.session, ends.now).await
        {
            // who can't write can still read
            tracing::warn!(%error, "a session is not noted as in use");
        }
        Ok(Actor::Member(Box::new(member)))
    }

    /// Makes an account and logs the browser in; with an invitation it is in that team too.
    ///
    /// # Errors
    /// Registration is not open, the invitation can't be used, the address or the password can't be used, or storing failed.
    pub async fn sign_up(
        &self,
        email: &str,
        password: &str,
        invitation: Option<&str>,
        device: Device,
    ) -> Result<SessionToken, ServiceError> {
        let invitation = match invitation {
            Some(text) => Some(InvitationToken::parse(text).ok_or(ServiceError::NotFound)?.hash()),
            None => None,
        };
        match (self.settings.registration, invitation) {
            (Registration::Open, None) => {}
            // before anything costly is done for who holds none
            (Registration::Open | Registration::Invitation, Some(token)) => {
                self.store.invitation(token, clock::now()).await?.ok_or(ServiceError::NotFound)?;
            }
            _ => {
                return Err(ServiceError::Forbidden(
                    "Accounts are made by an administrator here. Ask yours for a link that sets your password.",
                ));
            }
        }
        let (email, password) = chosen(email, password)?;
        let hash = self.passwords.hash(password).await?;
        let (account, team) = self.insert(&email, Some(&hash), invitation).await?;
        self.enter(account, team, device).await
    }

    /// Logs a browser in.
    ///
    /// # Errors
    /// There is no such account with this password, or storing failed.
    pub async fn log_in(&self, email: &str, password: &str, device: Device) -> Result<SessionToken, ServiceError> {
        let account = match email::tidy(email) {
            Ok(email) => self.store.account_by_email(&email).await?,
            Err(_) => None,
        };
        let kept = account.as_ref().and_then(|account| account.password_hash.as_deref());
        let typed = Password::typed(password);
        let verdict = self.passwords.compare(typed.clone(), kept).await?;
        let (Some(account), Some(kept), Verdict::Right | Verdict::Outdated) = (&account, kept, verdict) else {
            return Err(invalid("/password", "wrong", "The email address or the password is wrong."));
        };
        if verdict == Verdict::Outdated {
            let hash = self.passwords.hash(typed).await?;
            self.store.rehash_password(account.id, kept, &hash).await?;
        }
        self.enter(account.id, None, device).await
    }

    /// Ends the caller's session.
    ///
    /// # Errors
    /// Nobody is logged in, or storing failed.
    pub async fn log_out(&self, caller: &Actor) -> Result<(), ServiceError> {
        Ok(self.store.end_session(caller.member()?.session).await?)
    }

    /// Ends all sessions of the caller, this one too.
    ///
    /// # Errors
    /// Nobody is logged in, or storing failed.
    pub async fn log_out_everywhere(&self, caller: &Actor) -> Result<(), ServiceError> {
        Ok(self.store.end_sessions(caller.member()?.account).await?)
    }

    /// Ends one session of the caller.
    ///
    /// # Errors
    /// It is not one of the caller's, or storing failed.
    pub async fn end_session(&self, caller: &Actor, id: &str) -> Result<(), ServiceError> {
        let member = caller.member()?;
        let ended = plausible(id) && self.store.end_session_of(member.account, id).await?;
        if ended { Ok(()) } else { Err(ServiceError::NotFound) }
    }

    /// The caller with all sessions, last used first.
    ///
    /// # Errors
    /// Nobody is logged in, or reading failed.
    pub async fn sessions<'a>(&self, caller: &'a Actor) -> Result<(&'a Member, Vec<Session>), ServiceError> {
        let member = caller.member()?;
        Ok((member, self.store.sessions(member.account, self.ends()).await?))
    }

    /// Changes the password of the caller, who has to know the old one. All sessions end; this browser gets a new one.
    ///
    /// # Errors
    /// The old password is wrong, the new one can't be used, or storing failed.
    pub async fn change_password(
        &self,
        caller: &Actor,
        old: &str,
        new: &str,
        device: Device,
    ) -> Result<SessionToken, ServiceError> {
        let member = caller.member()?;
        let account = self.store.account(member.account).await?.ok_or(ServiceError::NotLoggedIn)?;
        let new = Password::chosen(new, &account.email).map_err(|text| invalid("/new_password", "weak", text))?;
        let wrong = || invalid("/old_password", "wrong", "This is not your password.");
        let kept = account.password_hash.as_deref().ok_or_else(wrong)?;
        if self.passwords.compare(Password::typed(old), Some(kept)).await? == Verdict::Wrong {
            return Err(wrong());
        }
        let hash = self.passwords.hash(new).await?;
        if !self.store.change_password(account.id, kept, &hash, clock::now()).await? {
            return Err(wrong());
        }
        self.enter(account.id, None, device).await
    }

    /// The address of the account whose password a one-time link sets.
    ///
    /// # Errors
    /// The link is unknown, used or expired, or reading failed.
    pub async fn reset_email(&self, token: &str) -> Result<String, ServiceError> {
        Ok(self.reset_account(token).await?.1.email)
    }

    /// Sets a password by a one-time link and logs the browser in.
    ///
    /// # Errors
    /// The link is unknown, used or expired, the password can't be used, or storing failed.
    pub async fn reset_password(
        &self,
        token: &str,
        password: &str,
        device: Device,
    ) -> Result<SessionToken, ServiceError> {
        let (hash, account) = self.reset_account(token).await?;
        let chosen = Password::chosen(password, &account.email).map_err(|text| invalid("/password", "weak", text))?;
        let password = self.passwords.hash(chosen).await?;
        let used = self.store.use_reset_link(hash, &password, clock::now()).await?;
        self.enter(used.ok_or(ServiceError::NotFound)?.id, None, device).await
    }

    /// For administrators: makes an account without a password, and the link that sets it.
    ///
    /// # Errors
    /// The address can't be used, or storing failed.
    pub async fn add(&self, email: &str) -> Result<ResetToken, ServiceError> {
        let email = email::tidy(email).map_err(|text| invalid("/email", "invalid", text))?;
        let (account, _) = self.insert(&email, None, None).await?;
        self.link(account, WELCOME_LIFE).await
    }

    /// For administrators: a one-time link that sets the password of an account.
    ///
    /// # Errors
    /// There is no such account, or storing failed.
    pub async fn reset_link(&self, email: &str) -> Result<ResetToken, ServiceError> {
        let email = email::tidy(email).map_err(|text| invalid("/email", "invalid", text))?;
        let account = self.store.account_by_email(&email).await?.ok_or(ServiceError::NotFound)?;
        self.link(account.id, RESET_LIFE).await
    }

    /// For administrators: all accounts.
    ///
    /// # Errors
    /// Reading failed.
    pub async fn list(&self) -> Result<Vec<Listed>, ServiceError> {
        Ok(self.store.accounts().await?)
    }

    async fn insert(
        &self,
        email: &str,
        password_hash: Option<&str>,
        invitation: Option<TokenHash>,
    ) -> Result<(AccountId, Option<TeamId>), ServiceError> {
        let (id, team_id) = (PublicId::random()?, PublicId::random()?);
        let new = NewAccount { email, password_hash, id: &id, team_id: &team_id, invitation };
        match self.store.insert_account(new, clock::now()).await? {
            Made::Done(account, team) => Ok((account, team)),
            Made::NotInvited => Err(ServiceError::NotFound),
            Made::Taken => Err(invalid(
                "/email",
                "taken",
                "There is an account with this address already. Log in, or use another address.",
            )),
        }
    }

    /// A session is always a new one: nobody can have planted its token before.
    async fn enter(
        &self,
        account: AccountId,
        team: Option<TeamId>,
        device: Device,
    ) -> Result<SessionToken, ServiceError> {
        let (token, id, ends) = (SessionToken::random()?, PublicId::random()?, self.ends());
        let session = NewSession {
            id: &id,
            token: token.hash(),
            user_agent: &summary(&device.user_agent),
            expires_at: ends.now.saturating_add(millis(self.settings.session_life)),
            team,
            before: device.session.as_ref().map(SessionToken::hash),
            browser: device.owner.as_ref().map(OwnerToken::hash),
        };
        self.store.start_session(account, session, ends).await?;
        Ok(token)
    }

    async fn link(&self, account: AccountId, life: Duration) -> Result<ResetToken, ServiceError> {
        let (token, now) = (ResetToken::random()?, clock::now());
        self.store.insert_reset_link(account, token.hash(), now, now.saturating_add(millis(life))).await?;
        Ok(token)
    }

    async fn reset_account(&self, token: &str) -> Result<(TokenHash, Account), ServiceError> {
        let hash = ResetToken::parse(token).ok_or(ServiceError::NotFound)?.hash();
        let account = self.store.reset_link(hash, clock::now()).await?;
        account.map(|account| (hash, account)).ok_or(ServiceError::NotFound)
    }

    fn ends(&self) -> Ends {
        let now = clock::now();
        Ends { now, idle_since: now.saturating_sub(millis(self.settings.session_idle)) }
    }
}

/// An address and a password for a new account; all that is wrong with them is said at once.
fn chosen(email: &str, password: &str) -> Result<(String, Password), ServiceError> {
    let tidy = email::tidy(email);
    let chosen = Password::chosen(password, tidy.as_deref().unwrap_or_default());
    match (tidy, chosen) {
        (Ok(email), Ok(password)) => Ok((email, password)),
        (email, password) => {
            let email = email.err().map(|text| FieldProblem::new("/email", "invalid", text));
            let password = password.err().map(|text| FieldProblem::new("/password", "weak", text));
            Err(ServiceError::Invalid(email.into_iter().chain(password).collect()))
        }
    }
}

fn invalid(pointer: &str, code: &'static str, text: impl Into<String>) -> ServiceError {
    ServiceError::Invalid(vec![FieldProblem::new(pointer, code, text.into())])
}

fn millis(life: Duration) -> i64 {
    i64::try_from(life.as_millis()).unwrap_or(i64::MAX)
}
