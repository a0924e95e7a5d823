//! Settings: flags, environment and a file, checked before anything starts.

pub mod accounts;
pub mod file;
pub mod limits;

use crate::auth::owner::Transport;
use accounts::{AccountArgs, AccountSettings};
use clap::{Args, ValueEnum};
use http::Uri;
use limits::{LimitSettings, Limits};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

/// Name of the browser library and the style sheet, as cargo-leptos writes them.
pub const OUTPUT_NAME: &str = "clusterwright";

/// How logs are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line, for machines.
    Json,
}

/// Settings as given: each is a flag, or the environment variable in brackets, or a line of the settings file.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Settings file (TOML): the names of the flags with `_` for `-`. Flags and variables go before it
    #[arg(long, env = "CLUSTERWRIGHT_CONFIG", global = true)]
    pub config: Option<PathBuf>,
    /// Address to listen on
    #[arg(long, env = "CLUSTERWRIGHT_ADDRESS", default_value = "127.0.0.1:3000", global = true)]
    pub address: SocketAddr,
    /// Database file (SQLite)
    #[arg(long, env = "CLUSTERWRIGHT_DATABASE", default_value = "data/clusterwright.sqlite", global = true)]
    pub database: PathBuf,
    /// Address that people type, such as <https://clusterwright.example.com>; by default http:// and the address
    #[arg(long, env = "CLUSTERWRIGHT_PUBLIC_URL", global = true)]
    pub public_url: Option<String>,
    /// Serve over plain http beyond this machine; cookies then travel unprotected
    #[arg(long, env = "CLUSTERWRIGHT_INSECURE_DEV", global = true)]
    pub insecure_dev: bool,
    /// Directory of the built site; by default `site` beside the program or one level above it
    #[arg(long, env = "CLUSTERWRIGHT_SITE_ROOT", global = true)]
    pub site_root: Option<PathBuf>,
    /// How logs are written
    #[arg(long, env = "CLUSTERWRIGHT_LOG_FORMAT", value_enum, default_value_t, global = true)]
    pub log_format: LogFormat,
    /// What is logged, such as `info` or `server=debug`
    #[arg(long, env = "CLUSTERWRIGHT_LOG", default_value = "info", global = true)]
    pub log: String,
    /// Address on which metrics are given, such as 127.0.0.1:9464, to anyone who can reach it; none by default
    #[arg(long, env = "CLUSTERWRIGHT_METRICS_ADDRESS", global = true)]
    pub metrics_address: Option<SocketAddr>,
    /// Accounts.
    #[command(flatten)]
    pub accounts: AccountArgs,
    /// Limits.
    #[command(flatten)]
    pub limits: LimitSettings,
}

/// What is wrong with the settings, in words that say what to do.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The public address can't be read.
    #[error("the public URL `{0}` is not an address such as https://clusterwright.example.com (no path, no query)")]
    PublicUrl(String),
    /// Plain http for others than this machine.
    #[error(
        "the public URL `{0}` is plain http: cookies would travel unprotected. Put https in front and set --public-url https://…, \
         or accept it for a trial with --insecure-dev"
    )]
    PlainHttp(String),
}

/// Checked settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// Database file.
    pub database: PathBuf,
    /// Scheme, host and port that people type; no slash at the end.
    pub public_url: String,
    /// How cookies travel.
    pub transport: Transport,
    /// Directory of the built site.
    pub site_root: PathBuf,
    /// List of the hashed names of the built files; absent when names are not hashed.
    pub hash_file: Option<PathBuf>,
    /// Address on which metrics are given.
    pub metrics_address: Option<SocketAddr>,
    /// Who may sign up, and how long a log-in lasts.
    pub accounts: AccountSettings,
    /// Limits.
    pub limits: Limits,
}

impl Config {
    /// Checks settings.
    ///
    /// # Errors
    /// The public address can't be read, or is plain http without leave.
    pub fn check(settings: &Settings) -> Result<Self, ConfigError> {
        let given = settings.public_url.clone().unwrap_or_else(|| format!("http://{}", settings.address));
        let (public_url, host, secure) = origin(&given).ok_or_else(|| ConfigError::PublicUrl(given.clone()))?;
        if !secure && !is_loopback(&host) && !settings.insecure_dev {
            return Err(ConfigError::PlainHttp(public_url));
        }
        let site_root = settings.site_root.clone().unwrap_or_else(find_site_root);
        Ok(Self {
            database: settings.database.clone(),
            public_url,
            transport: if secure { Transport::Secure } else { Transport::PlainHttp },
            hash_file: find_hash_file(&site_root),
            site_root,
            metrics_address: settings.metrics_address,
            accounts: AccountSettings::from(&settings.accounts),
            limits: Limits::from(&settings.limits),
        })
    }

    /// For tests and trials: a database and nothing else.
    pub fn for_database(database: &Path) -> Self {
        Self {
            database: database.to_owned(),
            public_url: "http://127.0.0.1".into(),
            transport: Transport::PlainHttp,
            site_root: find_site_root(),
            hash_file: None,
            metrics_address: None,
            accounts: AccountSettings::from(&AccountArgs::default()),
            limits: Limits::from(&LimitSettings::default()),
        }
    }
}

/// Origin, host and whether it is https.
fn origin(text: &str) -> Option<(String, String, bool)> {
    let uri: Uri = text.parse().ok()?;
    let secure = match uri.scheme_str()? {
        "https" => true,
        "http" => false,
        _ => return None,
    };
    let authority = uri.authority()?;
    let bare = uri.path_and_query().is_none_or(|rest| rest.as_str() == "/");
    if !bare || authority.as_str().contains('@') {
        return None;
    }
    let scheme = if secure { "https" } else { "http" };
    Some((format!("{scheme}://{}", authority.as_str().to_ascii_lowercase()), authority.host().to_owned(), secure))
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A release unpacks as `clusterwright` beside `site`; a build of Cargo has it one level up from the program.
fn find_site_root() -> PathBuf {
    let beside = program_directory();
    let candidates = [beside.join("site"), beside.join("../site"), PathBuf::from("target/site")];
    let found = candidates.iter().find(|candidate| candidate.is_dir()).unwrap_or(&candidates[0]);
    found.canonicalize().unwrap_or_else(|_| found.clone())
}

/// Leptos panics on a list of hashes that is announced and missing, so it is announced only when it is there.
fn find_hash_file(site_root: &Path) -> Option<PathBuf> {
    let candidates = [site_root.join("hash.txt"), program_directory().join("hash.txt")];
    candidates.into_iter().find(|candidate| candidate.is_file())
}

fn program_directory() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.parent().map(Path::to_path_buf).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(address: &str, public_url: Option<&str>, insecure_dev: bool) -> Settings {
        Settings {
            config: None,
            address: address.parse().expect("an address"),
            database: "x.sqlite".into(),
            public_url: public_url.map(str::to_owned),
            insecure_dev,
            site_root: None,
            log_format: LogFormat::Text,
            log: "info".into(),
            metrics_address: None,
            accounts: AccountArgs::default(),
            limits: LimitSettings::default(),
        }
    }

    #[test]
    fn a_developer_needs_no_settings() {
        let config = Config::check(&settings("127.0.0.1:3000", None, false)).expect("accepted");
        assert_eq!((config.public_url.as_str(), config.transport), ("http://127.0.0.1:3000", Transport::PlainHttp));
        assert!(Config::check(&settings("[::1]:3000", None, false)).is_ok());
        assert!(Config::check(&settings("127.0.0.1:3000", Some("http://localhost:3000"), false)).is_ok());
    }

    #[test]
    fn https_means_secure_cookies() {
        let config =
            Config::check(&settings("0.0.0.0:80", Some("https://Plan.Example.com/"), false)).expect("accepted");
        assert_eq!((config.public_url.as_str(), config.transport), ("https://plan.example.com", Transport::Secure));
    }

    #[test]
    fn plain_http_for_others_needs_leave() {
        for (address, url) in [("0.0.0.0:3000", None), ("127.0.0.1:3000", Some("http://plan.example.com"))] {
            assert!(
                matches!(Config::check(&settings(address, url, false)), Err(ConfigError::PlainHttp(_))),
                "{address} {url:?}"
            );
            assert!(Config::check(&settings(address, url, true)).is_ok());
        }
    }

    #[test]
    fn an_address_with_more_than_an_origin_is_refused() {
        for url in
            ["plan.example.com", "ftp://a.b", "https://a.b/plan", "https://a.b?x=1", "https://me@a.b", "https://"]
        {
            assert!(
                matches!(Config::check(&settings("127.0.0.1:1", Some(url), true)), Err(ConfigError::PublicUrl(_))),
                "{url}"
            );
        }
    }
}
