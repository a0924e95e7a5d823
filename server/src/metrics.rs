//! What is measured, and the listener that gives it: Prometheus text at `/metrics`, apart from what the world reaches.
//!
//! Labels come from fixed lists (route templates, statuses, actions), so nobody can make up series.

use crate::limits::Action;
use crate::store::Store;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::{EncodeLabelSet, prometheus_text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;
use std::time::Duration;

/// Upper bounds, seconds: from a file in the cache of the system to a search that is given up.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Limited {
    action: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Connections {
    pool: &'static str,
    state: &'static str,
}

/// What is measured. Clones share their counts.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    registry: Registry,
    store: Store,
    answered: Family<Answered, Counter>,
    latency: Family<Route, Histogram, fn() -> Histogram>,
    limited: Family<Limited, Counter>,
    shed: Counter,
    cache_hits: Counter,
    cache_misses: Counter,
    computing: Histogram,
    connections: Family<Connections, Gauge>,
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

impl Metrics {
    /// Nothing measured yet.
    pub fn new(store: Store) -> Self {
        let mut registry = Registry::with_prefix("clusterwright");
        let answered = Family::default();
        let latency = Family::new_with_constructor(histogram as fn() -> Histogram);
        let (limited, connections) = (Family::default(), Family::default());
        let (shed, cache_hits, cache_misses) = (Counter::default(), Counter::default(), Counter::default());
        let computing = histogram();
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION")), ("engine", engine::ENGINE_VERSION)]);
        registry.register("build", "The program that runs", version);
        registry.register("http_requests", "Answers by route template, method and status", answered.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time from the head of a request to the head of its answer",
            Unit::Seconds,
            latency.clone(),
        );
        registry.register("rate_limited", "Requests answered 429, by action", limited.clone());
        registry.register("shed", "Requests answered 503 because too many were under way", shed.clone());
        registry.register("plan_cache_hits", "Plans that were kept or being computed", cache_hits.clone());
        registry.register("plan_cache_misses", "Plans that had to be computed", cache_misses.clone());
        registry.register_with_unit("plan_compute", "Time to compute a plan", Unit::Seconds, computing.clone());
        registry.register("sqlite_connections", "Connections to the database", connections.clone());
        Self(Arc::new(Inner {
            registry,
            store,
            answered,
            latency,
            limited,
            shed,
            cache_hits,
            cache_misses,
            computing,
            connections,
        }))
    }

    /// A request was answered.
    pub fn answered(&self, route: &str, method: &axum::http::Method, status: StatusCode, took: Duration) {
        let route = route.to_owned();
        self.0.latency.get_or_create(&Route { route: route.clone() }).observe(took.as_secs_f64());
        let labels = Answered { route, method: known(method), status: status.as_u16() };
        self.0.answered.get_or_create(&labels).inc();
    }

    /// A caller came too soon.
    pub fn rate_limited(&self, action: Action) {
        self.0.limited.get_or_create(&Limited { action: action.name() }).inc();
    }

    /// A request found no place.
    pub fn shed(&self) {
        self.0.shed.inc();
    }

    /// A plan need not be computed.
    pub fn plan_kept(&self) {
        self.0.cache_hits.inc();
    }

    /// A plan has to be computed.
    pub fn plan_missed(&self) {
        self.0.cache_misses.inc();
    }

    /// A plan was computed.
    pub fn plan_computed(&self, took: Duration) {
        self.0.computing.observe(took.as_secs_f64());
    }

    /// Everything as Prometheus text.
    ///
    /// # Errors
    /// Never: writing into memory does not fail.
    pub fn text(&self) -> Result<String, std::fmt::Error> {
        for (pool, open, idle) in self.0.store.connections() {
            let gauge = |state, number: i64| {
                self.0.connections.get_or_create(&Connections { pool, state }).set(number);
            };
            gauge("idle", idle);
            gauge("busy", open - idle);
        }
        let mut text = String::new();
        prometheus_text::encode(&mut text, &self.0.registry)?;
        Ok(text)
    }

    /// What the listener of metrics answers.
    pub fn router(&self) -> Router {
        Router::new().route("/metrics", get(scrape)).with_state(self.clone())
    }
}

async fn scrape(State(metrics): State<Metrics>) -> Response {
    match metrics.text() {
        Ok(text) => ([(CONTENT_TYPE, prometheus_text::CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// A method may be any word; only those that mean something become a label.
fn known(method: &axum::http::Method) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|name| *name == method.as_str())
        .unwrap_or("other")
}
