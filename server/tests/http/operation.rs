//! Starting, being ready, and stopping.

use crate::support::Server;
use server::ServeError;
use server::config::Config;
use server::store::SchemaState;
use tokio::net::TcpListener;

#[tokio::test]
async fn it_lives_and_is_ready() {
    let server = Server::start().await;
    let (lives, ready) = (server.caller().get("/healthz").await, server.caller().get("/readyz").await);
    assert_eq!((lives.status, lives.text().as_str()), (200, "ok\n"));
    assert_eq!((ready.status, ready.text().as_str()), (200, "ready\n"));
}

#[tokio::test]
async fn it_is_not_ready_on_the_schema_of_another_program() {
    let server = Server::start().await;
    assert_eq!(server.caller().get("/readyz").await.status, 200, "it has started");
    let mut connection = crate::database::open(&server.config.database).await;
    for (sql, expected) in [
        ("UPDATE _sqlx_migrations SET version = version + 9000", "the database has another schema\n"),
        ("UPDATE _sqlx_migrations SET version = version - 9000", "ready\n"),
        ("ALTER TABLE _sqlx_migrations RENAME TO elsewhere", "the database has another schema\n"),
    ] {
        sqlx::query(sql).execute(&mut connection).await.unwrap();
        let answer = server.caller().get("/readyz").await;
        assert_eq!(answer.text(), expected, "{sql}");
        assert_eq!(answer.status == 200, expected == "ready\n", "{sql}");
        assert_eq!(server.caller().get("/healthz").await.status, 200, "the process lives all the same");
    }
}

#[tokio::test]
async fn it_does_not_start_on_a_database_that_is_missing_or_behind() {
    let directory = tempfile::tempdir().unwrap();
    let config = Config::for_database(&directory.path().join("t.sqlite"));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let missing = server::serve(listener, config.clone(), async {}).await;
    assert!(matches!(missing, Err(ServeError::Open(_))), "{missing:?}");
    assert!(missing.unwrap_err().to_string().contains("clusterwright migrate"));
    assert!(!config.database.exists(), "looking makes no file");

    std::fs::write(&config.database, "").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let behind = server::serve(listener, config.clone(), async {}).await;
    assert!(matches!(behind, Err(ServeError::Schema(SchemaState::Pending { .. }))), "{behind:?}");

    server::migrate(&config).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    server::serve(listener, config, async {}).await.unwrap();
}

#[tokio::test]
async fn stopping_lets_the_answer_finish_and_folds_the_log_in() {
    let server = Server::start().await;
    let caller = server.caller();
    let asked = tokio::spawn(async move { caller.get("/api/v1/plans?model.preset=llama-3.1-405b").await });
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    let log = server.config.database.with_extension("sqlite-wal");
    let directory = server.directory.path().to_owned();
    let (answer, ()) = tokio::join!(asked, server.stop());
    assert_eq!(answer.unwrap().status, 200);
    let left = std::fs::metadata(&log).map(|file| file.len()).unwrap_or(0);
    assert_eq!(left, 0, "{} in {}", log.display(), directory.display());
}
