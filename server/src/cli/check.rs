//! `clusterwright check`: each setting, where it came from, and whether the server would start.

use crate::config::file::FileSettings;
use crate::config::{Config, Settings};
use crate::store::{SchemaState, Store};
use clap::ArgMatches;
use clap::parser::ValueSource;

/// Prints the report.
///
/// # Errors
/// The server would not start.
pub async fn run(settings: &Settings, matches: &ArgMatches, file: &FileSettings) -> Result<(), String> {
    let config = Config::check(settings);
    let shown = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    let limits = &settings.limits;
    let proxies: Vec<String> = limits.trusted_proxies.iter().map(ToString::to_string).collect();
    let rows = [
        ("address", settings.address.to_string()),
        ("database", settings.database.display().to_string()),
        ("public_url", shown(config.as_ref().ok().map(|c| c.public_url.clone()).or(settings.public_url.clone()))),
        ("insecure_dev", settings.insecure_dev.to_string()),
        ("site_root", shown(config.as_ref().ok().map(|c| c.site_root.display().to_string()))),
        ("log_format", format!("{:?}", settings.log_format).to_lowercase()),
        ("log", settings.log.clone()),
        ("metrics_address", shown(settings.metrics_address.map(|address| address.to_string()))),
        ("registration", settings.accounts.registration.name().to_owned()),
        ("session_idle_days", settings.accounts.session_idle_days.to_string()),
        ("session_days", settings.accounts.session_days.to_string()),
        ("rate_compute", limits.rate_compute.to_string()),
        ("rate_writes", limits.rate_writes.to_string()),
        ("rate_missed_links", limits.rate_missed_links.to_string()),
        ("rate_log_in", limits.rate_log_in.to_string()),
        ("rate_log_in_account", limits.rate_log_in_account.to_string()),
        ("rate_sign_up", limits.rate_sign_up.to_string()),
        ("trusted_proxies", shown(Some(proxies.join(", ")).filter(|text| !text.is_empty()))),
        ("max_requests", limits.max_requests.to_string()),
        ("max_connections", limits.max_connections.to_string()),
        ("max_connections_per_address", limits.max_connections_per_address.to_string()),
        ("header_seconds", limits.header_seconds.to_string()),
        ("body_seconds", limits.body_seconds.to_string()),
        ("answer_seconds", limits.answer_seconds.to_string()),
    ];
    if let Some(path) = &settings.config {
        println!("{:27} {}", "settings file", path.display());
    }
    for (name, value) in &rows {
        println!("{name:27} {value}  ({})", source(matches, file, name));
    }
    let config = config.map_err(|error| error.to_string())?;
    if !config.site_root.join("pkg").is_dir() {
        println!(
            "warning: {} holds no built site; pages will come without style and scripts",
            config.site_root.display()
        );
    }
    let store = Store::open(&config.database).await.map_err(|error| error.to_string())?;
    let schema = store.schema().await;
    store.close().await;
    match schema.map_err(|error| error.to_string())? {
        current @ SchemaState::Current { .. } => {
            println!("database is {current}");
            Ok(())
        }
        other => Err(other.to_string()),
    }
}

/// Where a setting came from. A flag may stand before or after the command.
pub(super) fn source(matches: &ArgMatches, file: &FileSettings, name: &str) -> &'static str {
    let inner = matches.subcommand().map(|(_, inner)| inner);
    let found = [Some(matches), inner].into_iter().flatten().filter_map(|m| m.value_source(name));
    match found.max() {
        Some(ValueSource::CommandLine) => "flag",
        Some(ValueSource::EnvVariable) => "environment",
        _ if file.sets(name) => "file",
        _ => "default",
    }
}
