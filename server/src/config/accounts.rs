//! Who may sign up, and how long a log-in lasts.

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Who may make an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Registration {
    /// Anyone.
    #[default]
    Open,
    /// Who has been invited to a team, and who an administrator adds.
    Invitation,
    /// Only who an administrator adds.
    Closed,
}

impl Registration {
    /// As the setting is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Invitation => "invitation",
            Self::Closed => "closed",
        }
    }
}

fn days() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..=400)
}

/// Settings of accounts as given.
#[derive(Args, Clone, Debug)]
pub struct AccountArgs {
    /// Who may make an account
    #[arg(long, env = "CLUSTERWRIGHT_REGISTRATION", value_enum, default_value_t, global = true)]
    pub registration: Registration,
    /// Days after which a log-in that is not used ends
    #[arg(long, env = "CLUSTERWRIGHT_SESSION_IDLE_DAYS", default_value_t = Self::default().session_idle_days, value_parser = days(), global = true)]
    pub session_idle_days: u64,
    /// Days after which a log-in ends in any case
    #[arg(long, env = "CLUSTERWRIGHT_SESSION_DAYS", default_value_t = Self::default().session_days, value_parser = days(), global = true)]
    pub session_days: u64,
}

impl Default for AccountArgs {
    fn default() -> Self {
        Self { registration: Registration::Open, session_idle_days: 14, session_days: 90 }
    }
}

/// Checked settings of accounts.
#[derive(Clone, Copy, Debug)]
pub struct AccountSettings {
    /// Who may make an account.
    pub registration: Registration,
    /// A session that has not been used for so long has ended.
    pub session_idle: Duration,
    /// A session ends then in any case.
    pub session_life: Duration,
}

impl From<&AccountArgs> for AccountSettings {
    fn from(args: &AccountArgs) -> Self {
        let days = |n: u64| DAY * u32::try_from(n).unwrap_or(400);
        Self {
            registration: args.registration,
            session_idle: days(args.session_idle_days),
            session_life: days(args.session_days),
        }
    }
}
