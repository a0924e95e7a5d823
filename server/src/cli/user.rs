//! `clusterwright user`: what an administrator does for those who have accounts, also while the server runs.

use super::text;
use crate::auth::secret::ResetToken;
use crate::config::{Config, Settings};
use crate::service::ServiceError;
use crate::service::accounts::{Accounts, RESET_LIFE, WELCOME_LIFE};
use crate::service::clock;
use crate::{ServeError, open};
use clap::Subcommand;
use std::time::Duration;

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make an account, and print the link that sets its password
    Add {
        /// Email address
        email: String,
    },
    /// Print a link that sets a new password, once
    ResetLink {
        /// Email address
        email: String,
    },
    /// List all accounts
    List,
}

/// Runs one.
///
/// # Errors
/// There is no such account, there is one already, or the database fails.
pub(super) async fn run(settings: &Settings, command: Command) -> Result<(), String> {
    let config = Config::check(settings).map_err(text)?;
    let public_url = config.public_url.clone();
    let state = open(config).await.map_err(|error: ServeError| error.to_string())?;
    let done = act(&state.accounts, &public_url, command).await;
    state.store.close().await;
    done
}

async fn act(accounts: &Accounts, public_url: &str, command: Command) -> Result<(), String> {
    match command {
        Command::Add { email } => {
            let token = accounts.add(&email).await.map_err(|error| said(&email, error))?;
            print_link(public_url, &token, WELCOME_LIFE);
        }
        Command::ResetLink { email } => {
            let token = accounts.reset_link(&email).await.map_err(|error| said(&email, error))?;
            print_link(public_url, &token, RESET_LIFE);
        }
        Command::List => {
            for account in accounts.list().await.map_err(text)? {
                let seen = match account.last_seen_at {
                    Some(at) => format!("last seen {}", clock::iso(at)),
                    None if account.has_password => "not logged in".to_owned(),
                    None => "has set no password yet".to_owned(),
                };
                println!("{}  since {}, {seen}", account.email, clock::iso(account.created_at));
            }
        }
    }
    Ok(())
}

fn print_link(public_url: &str, token: &ResetToken, life: Duration) {
    println!("{public_url}/reset/{}", token.expose());
    eprintln!("It sets the password once, within {} hours. Give it to its owner only.", life.as_secs() / 3600);
}

fn said(email: &str, error: ServiceError) -> String {
    match error {
        ServiceError::NotFound => format!("there is no account `{email}`; `clusterwright user list` shows all"),
        ServiceError::Invalid(problems) => {
            let words: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
            format!("`{email}`: {}", words.join(" "))
        }
        other => other.to_string(),
    }
}
