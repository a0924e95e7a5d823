//! The command line: `clusterwright serve | migrate | backup | restore | user | openapi | check`.

mod check;
mod user;

use crate::config::file::FileSettings;
use crate::config::{Config, Settings};
use crate::store::SchemaState;
use crate::store::backup::Existing;
use crate::{ServeError, migrate, open, rest, run, store, telemetry};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tokio::net::TcpListener;

/// Sizes and prices GPU clusters that train large language models
#[derive(Debug, Parser)]
#[command(name = "clusterwright", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the dashboard and the API
    Serve {
        /// Create the database if there is none, and bring it up to date first
        #[arg(long)]
        migrate: bool,
    },
    /// Create the database if there is none, and bring it up to date
    Migrate,
    /// Write a copy of the database into a new file, also while the server runs
    Backup {
        /// The file to write; it must not be there
        file: PathBuf,
    },
    /// Put a copy of the database in its place; the server must not run
    Restore {
        /// A file that `backup` wrote
        file: PathBuf,
        /// Overwrite the database that is there
        #[arg(long)]
        force: bool,
    },
    /// Add accounts, let them back in, list them
    User {
        #[command(subcommand)]
        command: user::Command,
    },
    /// Print the OpenAPI document of the API
    Openapi,
    /// Explain the settings and say whether the server would start
    Check,
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let Given { cli, matches, file } = match read(std::env::args_os()) {
        Ok(given) => given,
        Err(error) => error.exit(),
    };
    let outcome = match cli.command {
        Command::Openapi => print_openapi(),
        Command::Serve { migrate } => with_runtime(&cli.settings, serve(&cli.settings, migrate)),
        Command::Migrate => with_runtime(&cli.settings, migrate_only(&cli.settings)),
        Command::Backup { file } => with_runtime(&cli.settings, backup(&cli.settings, &file)),
        Command::Restore { file, force } => {
            let existing = if force { Existing::Overwrite } else { Existing::Keep };
            with_runtime(&cli.settings, restore(&cli.settings, &file, existing))
        }
        Command::User { command } => with_runtime(&cli.settings, user::run(&cli.settings, command)),
        Command::Check => with_runtime(&cli.settings, check::run(&cli.settings, &matches, &file)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("clusterwright: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The command line with what it was read from.
struct Given {
    cli: Cli,
    matches: ArgMatches,
    file: FileSettings,
}

/// Reads flags and environment, and again with what the settings file says as defaults, if one is named.
fn read(args: impl IntoIterator<Item = OsString>) -> Result<Given, clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    let matches = Cli::command().try_get_matches_from(&args)?;
    let cli = Cli::from_arg_matches(&matches)?;
    let Some(path) = &cli.settings.config else {
        return Ok(Given { cli, matches, file: FileSettings::default() });
    };
    let file = FileSettings::read(path, &Cli::command())
        .map_err(|text| Cli::command().error(clap::error::ErrorKind::InvalidValue, text))?;
    let matches = file.apply(Cli::command()).try_get_matches_from(&args)?;
    Ok(Given { cli: Cli::from_arg_matches(&matches)?, matches, file })
}

fn with_runtime(settings: &Settings, work: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    telemetry::start(settings.log_format, &settings.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("can't start: {error}"))?;
    let outcome = runtime.block_on(work);
    // a plan that is still computed for a caller who has left does not keep the program
    runtime.shutdown_background();
    outcome
}

async fn serve(settings: &Settings, migrate_first: bool) -> Result<(), String> {
    let config = Config::check(settings).map_err(text)?;
    if migrate_first {
        migrate(&config).await.map_err(text)?;
    }
    let database = config.database.display().to_string();
    let (public_url, given) = (config.public_url.clone(), settings.public_url.is_some());
    let state = open(config).await.map_err(text)?;
    let listener = TcpListener::bind(settings.address)
        .await
        .map_err(|error| format!("can't listen on {}: {error}", settings.address))?;
    let address = listener.local_addr().map_err(text)?;
    let shown = if given { public_url } else { format!("http://{address}") };
    println!("Clusterwright is serving on {shown} (database {database})");
    run(listener, state, stop_signal()).await.map_err(text)
}

async fn migrate_only(settings: &Settings) -> Result<(), String> {
    let config = Config::check(settings).map_err(text)?;
    let schema: SchemaState = migrate(&config).await.map_err(text)?;
    println!("{}: {schema}", config.database.display());
    Ok(())
}

async fn backup(settings: &Settings, file: &Path) -> Result<(), String> {
    let schema = store::backup::backup(&settings.database, file).await.map_err(text)?;
    let bytes = std::fs::metadata(file).map_err(text)?.len();
    println!("{}: {bytes} bytes, {schema}", file.display());
    Ok(())
}

async fn restore(settings: &Settings, file: &Path, existing: Existing) -> Result<(), String> {
    let schema = store::backup::restore(&settings.database, file, existing).await.map_err(text)?;
    println!("{}: restored from {}, {schema}", settings.database.display(), file.display());
    Ok(())
}

fn print_openapi() -> Result<(), String> {
    println!("{}", openapi_text()?);
    Ok(())
}

/// The OpenAPI document as it is kept in the repository.
///
/// # Errors
/// It can't be written as JSON.
pub fn openapi_text() -> Result<String, String> {
    serde_json::to_string_pretty(&rest::openapi::document()).map_err(text)
}

/// Resolves at the first SIGTERM or Ctrl-C; the second ends the program at once.
async fn stop_signal() {
    wait_for_signal().await;
    tracing::info!("stopping");
    tokio::spawn(async {
        wait_for_signal().await;
        tracing::warn!("stopped at once");
        std::process::exit(130);
    });
}

#[cfg(unix)]
async fn wait_for_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals can't be watched; stop the program with SIGKILL");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

#[cfg(not(unix))]
async fn wait_for_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl From<ServeError> for String {
    fn from(error: ServeError) -> Self {
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn settings_may_follow_the_command() {
        let cli = Cli::try_parse_from([
            "clusterwright",
            "serve",
            "--migrate",
            "--address",
            "127.0.0.1:0",
            "--database",
            "x.sqlite",
        ])
        .expect("parsed");
        assert!(matches!(cli.command, Command::Serve { migrate: true }));
        assert_eq!(cli.settings.address.port(), 0);
    }

    fn read_with(file: &str, flags: &[&str]) -> Result<Given, String> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("clusterwright.toml");
        std::fs::write(&path, file).expect("written");
        let config = format!("--config={}", path.display());
        let args = ["clusterwright", "check", &config].into_iter().chain(flags.iter().copied());
        read(args.map(OsString::from)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_gives_defaults_and_flags_go_before_it() {
        let file = "address = \"127.0.0.1:4000\"\ninsecure_dev = true\nmax_requests = 7\n\
                    trusted_proxies = [\"10.0.0.0/8\", \"::1\"]\nrate_compute = \"off\"\nlog_format = \"json\"\n";
        let given = read_with(file, &["--max-requests", "9"]).expect("read");
        let settings = &given.cli.settings;
        assert_eq!((settings.address.port(), settings.insecure_dev), (4000, true));
        assert_eq!((settings.limits.max_requests, settings.limits.rate_compute.to_string().as_str()), (9, "off"));
        assert_eq!(settings.limits.trusted_proxies.len(), 2);
        assert_eq!(settings.log_format, crate::config::LogFormat::Json);
        assert_eq!(settings.limits.rate_writes.to_string(), "60:30", "what the file does not say keeps its default");
        let source = |name| check::source(&given.matches, &given.file, name);
        assert_eq!((source("max_requests"), source("address"), source("log")), ("flag", "file", "default"));
    }

    #[test]
    fn a_file_with_a_mistake_is_refused_by_name() {
        for (file, expected) in [
            ("adress = \"127.0.0.1:1\"", "`adress` is no setting; there are address,"),
            ("config = \"x\"", "`config` is no setting"),
            ("max_requests = 1.5", "`max_requests` is float"),
            ("max_requests = 0", "0 is not in 1..=100000"),
            ("rate_compute = \"fast\"", "`fast` is no rate"),
            ("trusted_proxies = [\"proxy\"]", "neither an address nor a network"),
            ("address = ", "line 1"),
        ] {
            let error = read_with(file, &[]).err().unwrap_or_else(|| file.to_owned());
            assert!(error.contains(expected), "{file}: {error}");
        }
        let missing = read(["clusterwright", "check", "--config=/nothing/x.toml"].map(OsString::from));
        assert!(missing.err().is_some_and(|error| error.to_string().contains("can't read /nothing/x.toml")));
    }
}
