//! What handlers share.

use crate::auth::owner::Transport;
use crate::config::{Config, OUTPUT_NAME};
use crate::limits::Gates;
use crate::metrics::Metrics;
use crate::service::accounts::Accounts;
use crate::service::cards::Cards;
use crate::service::once::Once;
use crate::service::planning::Planning;
use crate::service::price_books::PriceBooks;
use crate::service::scenarios::Scenarios;
use crate::service::teams::Teams;
use crate::service::tokens::Tokens;
use crate::store::Store;
use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What handlers share; clones are cheap.
#[derive(Clone, Debug)]
pub struct AppState {
    /// Checked settings.
    pub config: Arc<Config>,
    /// Plans and estimates.
    pub planning: Planning,
    /// Scenarios and links.
    pub scenarios: Scenarios,
    /// Price books of teams.
    pub price_books: PriceBooks,
    /// Pictures of shared plans.
    pub cards: Cards,
    /// Accounts and sessions.
    pub accounts: Accounts,
    /// Teams, members and invitations.
    pub teams: Teams,
    /// Tokens of the API.
    pub tokens: Tokens,
    /// Requests that are done once.
    pub once: Once,
    /// The database, for readiness only: operations go through the services.
    pub(crate) store: Store,
    /// What callers may ask, and have asked.
    pub gates: Gates,
    /// What is measured.
    pub metrics: Metrics,
    /// What Leptos needs to know of the built site.
    pub leptos: LeptosOptions,
    stopping: Arc<AtomicBool>,
}

impl AppState {
    /// Over an open and current store.
    pub fn new(config: Config, store: Store) -> Self {
        let metrics = Metrics::new(store.clone());
        let planning = Planning::new(metrics.clone());
        Self {
            gates: Gates::new(&config.limits),
            metrics,
            leptos: leptos_options(&config),
            scenarios: Scenarios::new(store.clone(), planning.clone()),
            teams: Teams::new(store.clone()),
            tokens: Tokens::new(store.clone()),
            once: Once::new(store.clone()),
            accounts: Accounts::new(store.clone(), config.accounts),
            price_books: PriceBooks::new(store.clone()),
            cards: Cards::default(),
            planning,
            store,
            config: Arc::new(config),
            stopping: Arc::new(AtomicBool::new(false)),
        }
    }

    /// How cookies travel.
    pub fn transport(&self) -> Transport {
        self.config.transport
    }

    /// From now on it is not ready for new callers.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// It is on its way down.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos.clone()
    }
}

impl FromRef<AppState> for Planning {
    fn from_ref(state: &AppState) -> Self {
        state.planning.clone()
    }
}

/// Built by hand: a program that is installed has no `Cargo.toml` to read.
fn leptos_options(config: &Config) -> LeptosOptions {
    let options = LeptosOptions::builder()
        .output_name(OUTPUT_NAME)
        .site_root(config.site_root.to_string_lossy().into_owned())
        .site_pkg_dir("pkg")
        .hash_files(config.hash_file.is_some());
    match &config.hash_file {
        // an absolute path stays one when Leptos joins it to the directory of the program
        Some(path) => options
            .hash_file(Arc::from(std::path::absolute(path).unwrap_or_else(|_| path.clone()).to_string_lossy()))
            .build(),
        None => options.build(),
    }
}
