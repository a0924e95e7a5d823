//! A server on a port of its own with a database of its own, and callers of it.

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use serde_json::Value;
use server::config::Config;
use server::config::limits::Rate;
use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A running server; it stops when dropped.
pub struct Server {
    pub base: String,
    pub config: Config,
    pub directory: tempfile::TempDir,
    stop: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<()>>,
}

impl Server {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        capture_logs();
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config::for_database(&directory.path().join("data/t.sqlite"));
        config.site_root = directory.path().join("site");
        // tests ask faster than people do
        let limits = &mut config.limits;
        (limits.compute, limits.writes, limits.missed_links) = (Rate(None), Rate(None), Rate(None));
        (limits.log_ins, limits.account_log_ins, limits.sign_ups) = (Rate(None), Rate(None), Rate(None));
        limits.tokens = Rate(None);
        std::fs::create_dir_all(config.site_root.join("pkg")).unwrap();
        change(&mut config);
        server::migrate(&config).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = server::serve(listener, config.clone(), async { drop(stopped.await) });
        let task = tokio::spawn(async { serving.await.unwrap() });
        Self { base, config, directory, stop: Some(stop), task: Some(task) }
    }

    /// Stops as on SIGTERM, and waits until it has.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        self.task.take().unwrap().await.unwrap();
    }

    /// Stops, and shows what it leaves: the database and the files beside it.
    pub async fn stop_keeping(mut self, look: impl FnOnce(&[std::path::PathBuf])) {
        drop(self.stop.take());
        self.task.take().unwrap().await.unwrap();
        let files = std::fs::read_dir(self.config.database.parent().unwrap()).unwrap();
        look(&files.map(|file| file.unwrap().path()).collect::<Vec<_>>());
    }

    /// Where it listens, for those who speak TCP.
    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// A caller without cookies.
    pub fn caller(&self) -> Caller {
        Caller::of(&self.base)
    }
}

/// Someone who asks, with the cookies that were given.
#[derive(Clone)]
pub struct Caller {
    http: reqwest::Client,
    base: String,
    pub cookies: Vec<(String, String)>,
    /// A token of the API.
    pub bearer: Option<String>,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{} is no JSON: {error}: {}", self.status, self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// The nonce that the policy allows.
    pub fn nonce(&self) -> &str {
        self.header("content-security-policy").split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap()
    }

    /// A problem document of this status; returns it.
    pub fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text());
        let value = self.json();
        assert_eq!(value["status"], status);
        for key in ["type", "title", "code", "detail"] {
            assert!(value[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {value}");
        }
        assert!(value["errors"].is_array(), "{value}");
        value
    }
}

impl Caller {
    /// A caller without cookies.
    pub fn of(base: &str) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        Self { http, base: base.to_owned(), cookies: Vec::new(), bearer: None }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[]).await
    }

    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("GET", path, headers, Vec::new()).await
    }

    pub async fn post_json(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, "application/json", body.to_string()).await
    }

    pub async fn post_text(&self, path: &str, media_type: &str, body: impl Into<Vec<u8>>) -> Answer {
        self.send("POST", path, &[("content-type", media_type)], body.into()).await
    }

    /// Posts a form as a browser without scripts does, and keeps the cookies of the answer.
    pub async fn post_form(&mut self, path: &str, pairs: &[(&str, &str)]) -> Answer {
        self.try_post_form(path, pairs).await.unwrap()
    }

    /// As [`Self::post_form`], to a server that may die meanwhile.
    pub async fn try_post_form(&mut self, path: &str, pairs: &[(&str, &str)]) -> reqwest::Result<Answer> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let referer = format!("{}/", self.base);
        let origin = self.base.clone();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
            ("referer", referer.as_str()),
            ("origin", origin.as_str()),
            ("sec-fetch-site", "same-origin"),
        ];
        let answer = self.try_send("POST", path, &headers, body.into_bytes()).await?;
        self.keep_cookies(&answer);
        Ok(answer)
    }

    /// Opens a page as a browser does, and keeps the cookies of the answer.
    pub async fn browse(&mut self, path: &str) -> Answer {
        let answer = self.get_with(path, &[("accept", "text/html,*/*;q=0.8"), ("sec-fetch-site", "none")]).await;
        self.keep_cookies(&answer);
        answer
    }

    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
        self.try_send(method, path, headers, body).await.unwrap()
    }

    /// As [`Self::send`], to a server that may die meanwhile.
    pub async fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> reqwest::Result<Answer> {
        let mut request = self.http.request(method.parse().unwrap(), format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.bearer {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !self.cookies.is_empty() {
            let line: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", HeaderValue::from_str(&line.join("; ")).unwrap());
        }
        if !body.is_empty() {
            request = request.body(body);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Answer { status, headers, body: response.bytes().await?.to_vec() })
    }

    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    fn keep_cookies(&mut self, answer: &Answer) {
        for line in answer.headers.get_all("set-cookie") {
            let line = line.to_str().unwrap();
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(n, _)| n != name);
            if !line.contains("Max-Age=0") {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
    }
}

static LOGS: LazyLock<Arc<Mutex<Vec<u8>>>> = LazyLock::new(Arc::default);

struct LogWriter;

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOGS.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Collects the logs of all servers of this process, more talkative than any operator would have them.
fn capture_logs() {
    static ONCE: LazyLock<()> = LazyLock::new(|| {
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter("debug,server=trace,app=trace,sqlx=trace")
            .with_ansi(false)
            .with_writer(|| LogWriter)
            .finish();
        drop(tracing::subscriber::set_global_default(subscriber));
    });
    LazyLock::force(&ONCE);
}

pub fn logs() -> String {
    String::from_utf8_lossy(&LOGS.lock().unwrap()).into_owned()
}
