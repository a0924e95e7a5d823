//! How much one caller may ask, and how much all of them together.
//!
//! Rates are counted in this process: behind a balancer with several servers, each counts for itself.

pub mod account;
pub mod address;
pub mod body;
pub mod gate;
pub mod rate;
pub mod token;

use crate::config::limits::Limits;
use crate::store::tokens::TokenId;
use account::AccountKey;
use address::Network;
use rate::{Bucket, Limiter, Standing};
use std::sync::Arc;
use std::time::{Duration, Instant};
use token::TokenKey;
use tokio::sync::{Semaphore, SemaphorePermit};

/// What is counted, each with a rate of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Plans and estimates, on pages and in the API.
    Compute,
    /// Whatever changes the database on behalf of a caller.
    Write,
    /// Opening a share link; only those that do not open are counted.
    OpenLink,
    /// Trying a password; counted by account too.
    LogIn,
    /// Making an account.
    SignUp,
    /// Whatever a token of the API asks; counted by token and not by network.
    Token,
}

impl Action {
    /// As metrics and logs name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Write => "write",
            Self::OpenLink => "open_link",
            Self::LogIn => "log_in",
            Self::SignUp => "sign_up",
            Self::Token => "token",
        }
    }
}

/// The network that a request came from, as rates count it; an extension of each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client(pub Network);

/// The limits of a running server. Clones share their counts.
#[derive(Clone, Debug)]
pub struct Gates(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    compute: Option<Limiter<Network>>,
    writes: Option<Limiter<Network>>,
    missed_links: Option<Limiter<Network>>,
    log_ins: Option<Limiter<Network>>,
    account_log_ins: Option<Limiter<AccountKey>>,
    sign_ups: Option<Limiter<Network>>,
    tokens: Option<Limiter<TokenKey>>,
    requests: Semaphore,
}

impl Gates {
    /// Nothing counted yet.
    pub fn new(limits: &Limits) -> Self {
        let limiter = |bucket: Option<Bucket>| bucket.map(Limiter::new);
        Self(Arc::new(Inner {
            compute: limiter(limits.compute.0),
            writes: limiter(limits.writes.0),
            missed_links: limiter(limits.missed_links.0),
            log_ins: limiter(limits.log_ins.0),
            account_log_ins: limits.account_log_ins.0.map(Limiter::new),
            sign_ups: limiter(limits.sign_ups.0),
            tokens: limits.tokens.0.map(Limiter::new),
            requests: Semaphore::new(limits.requests),
        }))
    }

    /// Counts `times` of an action.
    ///
    /// # Errors
    /// It is too soon; the time until it is not.
    pub fn spend(&self, action: Action, client: Client, times: u32) -> Result<(), Duration> {
        self.limiter(action).map_or(Ok(()), |limiter| limiter.spend(client.0, times, Instant::now()))
    }

    /// Counts a password that is tried at an account, from wherever.
    ///
    /// # Errors
    /// It is too soon; the time until it is not.
    pub fn try_account(&self, email: &str) -> Result<(), Duration> {
        let key = AccountKey::of(email);
        self.0.account_log_ins.as_ref().map_or(Ok(()), |limiter| limiter.spend(key, 1, Instant::now()))
    }

    /// Counts a request of a token, and says how it stands afterwards.
    pub fn spend_token(&self, token: TokenId) -> (Option<Standing>, Result<(), Duration>) {
        let Some(limiter) = &self.0.tokens else { return (None, Ok(())) };
        let (key, now) = (TokenKey::of(token), Instant::now());
        let counted = limiter.spend(key, 1, now);
        (Some(limiter.standing(key, now)), counted)
    }

    /// Says whether an action would be counted now, and counts nothing.
    ///
    /// # Errors
    /// It is too soon; the time until it is not.
    pub fn ask(&self, action: Action, client: Client) -> Result<(), Duration> {
        self.limiter(action).map_or(Ok(()), |limiter| limiter.ask(client.0, Instant::now()))
    }

    /// A place among the requests that are answered at once, if there is one.
    pub fn slot(&self) -> Option<SemaphorePermit<'_>> {
        self.0.requests.try_acquire().ok()
    }

    fn limiter(&self, action: Action) -> Option<&Limiter<Network>> {
        match action {
            Action::Compute => self.0.compute.as_ref(),
            Action::Write => self.0.writes.as_ref(),
            Action::OpenLink => self.0.missed_links.as_ref(),
            Action::LogIn => self.0.log_ins.as_ref(),
            Action::SignUp => self.0.sign_ups.as_ref(),
            // not by network
            Action::Token => None,
        }
    }
}
