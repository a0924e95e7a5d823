//! Callers that send slowly, or nothing, do not keep others out.

use crate::support::Server;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address()).await.unwrap()
}

/// Writes one byte after the other until the other end closes or all is written; then reads what was answered.
async fn drip(stream: &mut TcpStream, text: &[u8], pause: Duration) -> String {
    for byte in text {
        if stream.write_all(&[*byte]).await.is_err() {
            break;
        }
        let mut seen = [0; 1];
        match tokio::time::timeout(pause, stream.peek(&mut seen)).await {
            Err(_) => {}
            Ok(_) => break,
        }
    }
    let mut answer = Vec::new();
    drop(tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await.expect("it is closed"));
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn headers_that_drip_are_cut_off() {
    let server = Server::start_with(|config| config.limits.header_time = Duration::from_millis(400)).await;
    let mut stream = connect(&server).await;
    let start = Instant::now();
    let head = format!("GET /healthz HTTP/1.1\r\nhost: x\r\nx-filler: {}", "a".repeat(5_000));
    let answer = drip(&mut stream, head.as_bytes(), Duration::from_millis(20)).await;
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(!answer.contains(" 200 "), "{answer}");
}

#[tokio::test]
async fn a_connection_that_is_silent_or_idle_is_closed() {
    let server = Server::start_with(|config| config.limits.header_time = Duration::from_millis(400)).await;
    let mut silent = connect(&server).await;
    let mut idle = connect(&server).await;
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    for stream in [&mut silent, &mut idle] {
        let mut answer = Vec::new();
        let closed = tokio::time::timeout(Duration::from_secs(3), stream.read_to_end(&mut answer)).await;
        closed.expect("it is closed").unwrap();
    }
}

#[tokio::test]
async fn a_body_that_drips_is_answered_408() {
    let server = Server::start_with(|config| config.limits.body_time = Duration::from_millis(400)).await;
    for (path, media_type, form) in [
        ("/api/v1/plans", "application/json", "application/problem+json"),
        ("/api/fn/save_scenario", "application/x-www-form-urlencoded", "application/problem+json"),
    ] {
        let mut stream = connect(&server).await;
        let head =
            format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {media_type}\r\ncontent-length: 9999\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let start = Instant::now();
        let answer = drip(&mut stream, &[b' '; 9_000], Duration::from_millis(20)).await;
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains(form), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_of_slow_callers_does_not_keep_others_out() {
    let server = Server::start_with(|config| {
        config.limits.header_time = Duration::from_millis(600);
        config.limits.connections = 20;
    })
    .await;
    let mut crowd = Vec::new();
    for _ in 0..60 {
        let mut stream = connect(&server).await;
        stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n").await.unwrap();
        crowd.push(stream);
    }
    let start = Instant::now();
    assert_eq!(server.caller().get("/healthz").await.status, 200, "it waits in the queue of the system, and gets in");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[tokio::test]
async fn one_address_has_only_so_many_connections() {
    let server = Server::start_with(|config| config.limits.connections_per_address = 3).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut stream = connect(&server).await;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        held.push(stream);
    }
    let mut fourth = connect(&server).await;
    drop(fourth.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await);
    let mut answer = Vec::new();
    drop(fourth.read_to_end(&mut answer).await);
    assert!(answer.is_empty(), "{}", String::from_utf8_lossy(&answer));
    held.clear();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.caller().get("/healthz").await.status, 200, "places are given back");
}

#[tokio::test]
async fn a_head_without_end_is_refused() {
    let server = Server::start().await;
    let mut stream = connect(&server).await;
    let mut text = b"GET /?".to_vec();
    text.extend(std::iter::repeat_n(b'a', 300_000));
    drop(stream.write_all(&text).await);
    let mut answer = Vec::new();
    drop(tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_is_cut_off() {
    let server = Server::start_with(|config| config.limits.body_time = Duration::from_millis(500)).await;
    let mut stream = connect(&server).await;
    // far more answers than the buffers of both ends hold
    let one = b"GET /api/v1/validation HTTP/1.1\r\nhost: x\r\n\r\n";
    stream.write_all(&one.repeat(200)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut read = 0usize;
    let mut buffer = vec![0; 1 << 20];
    let whole = server.caller().get("/api/v1/validation").await.body.len();
    while let Ok(Ok(n @ 1..)) = tokio::time::timeout(Duration::from_secs(5), stream.read(&mut buffer)).await {
        read += n;
    }
    assert!(read > 0 && read < 150 * whole, "{read} of {} bytes", 200 * whole);
}
