//! Stopping the real program, and not starting it where it must not.

use crate::database;
use crate::process::{Process, database as database_of, fail, succeed};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const BODY: &str = r#"{"model": {"preset": "llama-3.2-1b"}, "max_gpus": 8}"#;

fn head(length: usize) -> String {
    format!(
        "POST /api/v1/plans HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
}

#[tokio::test]
async fn who_is_being_answered_gets_the_answer() {
    let directory = tempfile::tempdir().unwrap();
    let mut process = Process::start(directory.path(), &[]);
    let mut stream = TcpStream::connect(process.address()).await.unwrap();
    stream.write_all(head(BODY.len()).as_bytes()).await.unwrap();
    stream.write_all(&BODY.as_bytes()[..10]).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let idle = process.caller();
    assert_eq!(idle.get("/readyz").await.status, 200);

    process.terminate();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(TcpStream::connect(process.address()).await.is_err(), "nobody new is let in");
    stream.write_all(&BODY.as_bytes()[10..]).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"headline\""), "{answer}");
    assert!(process.ended(Duration::from_secs(5)).success());
    let left = std::fs::metadata(database_of(directory.path()).with_extension("sqlite-wal")).map_or(0, |log| log.len());
    assert_eq!(left, 0, "the log is folded in");
}

#[tokio::test]
async fn who_never_finishes_does_not_keep_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut process = Process::start(directory.path(), &["--body-seconds", "600", "--answer-seconds", "600"]);
    let mut stream = TcpStream::connect(process.address()).await.unwrap();
    stream.write_all(head(BODY.len()).as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    process.terminate();
    let start = Instant::now();
    assert!(process.ended(Duration::from_secs(23)).success());
    assert!(start.elapsed() > Duration::from_secs(15), "it waited for the one who is being answered");
    assert!(process.log().contains("stopped with callers unanswered"), "{}", process.log());
}

#[tokio::test]
async fn a_newer_schema_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    succeed(directory.path(), &["migrate"]);
    assert!(succeed(directory.path(), &["check"]).contains("up to date"));
    let file = database_of(directory.path());
    let mut connection = database::open(&file).await;
    sqlx::query("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'x', 1, x'00', 0)")
        .execute(&mut connection)
        .await
        .unwrap();
    drop(connection);
    let before = database::dump(&file).await;
    for args in [&["serve"][..], &["serve", "--migrate"], &["migrate"], &["check"]] {
        let said = fail(directory.path(), args);
        assert!(said.contains("schema 9999") && said.contains("restore a backup"), "{args:?}: {said}");
    }
    assert_eq!(database::dump(&file).await, before);
}
