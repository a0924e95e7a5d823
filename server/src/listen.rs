//! Accepts connections and speaks HTTP/1.1 on them, each against limits of time and number.
//!
//! In place of `axum::serve`, which waits for headers without end and takes any number of connections: a caller that
//! sends a byte now and then (slow loris) would keep others out. HTTP/2 and TLS are the business of a proxy in front.

use crate::config::limits::Limits;
use crate::limits::address::{Network, Peer};
use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// Longest head of a request: the address of a plan with everything in it is a tenth of it.
const HEAD_MAX: usize = 64 * 1024;
/// Pause after the system refused a connection, such as when the process has no more files.
const REFUSED_PAUSE: Duration = Duration::from_millis(500);

/// Whether all callers got their answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// All.
    All,
    /// Time ran out.
    OutOfTime,
}

/// Serves until `stop`, then lets those who are being answered finish, at most for `patience`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    stop: impl Future<Output = ()>,
    patience: Duration,
) -> Drained {
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(limits.connections));
    let crowd = Crowd::default();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = accept(&listener, &connections) => accepted,
        };
        let Some((stream, address, place)) = accepted else { continue };
        let is_proxy = limits.trusted_proxies.iter().any(|network| network.contains(&address.ip().to_canonical()));
        let most = if is_proxy { limits.connections } else { limits.connections_per_address };
        let Some(guest) = crowd.enter(Network::of(address.ip()), most) else {
            tracing::debug!("closed a connection: its address has too many");
            continue;
        };
        let connection = talk(stream, address, router.clone(), limits.clone(), graceful.watcher());
        tokio::spawn(async move {
            connection.await;
            drop((place, guest));
        });
    }
    // from here on, who connects is refused and not kept waiting
    drop(listener);
    match tokio::time::timeout(patience, graceful.shutdown()).await {
        Ok(()) => Drained::All,
        Err(_) => Drained::OutOfTime,
    }
}

/// The next connection, once there is a place for it: beyond, callers queue in the system.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(connections).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, address)) => Some((stream, address, place)),
        // the caller has gone again
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => None,
        Err(error) => {
            tracing::warn!(%error, "can't accept connections");
            tokio::time::sleep(REFUSED_PAUSE).await;
            None
        }
    }
}

/// Answers the requests of one connection.
async fn talk(stream: TcpStream, address: SocketAddr, router: Router, limits: Limits, watcher: Watcher) {
    // an answer leaves at once, and not when the next one has filled its packet
    drop(stream.set_nodelay(true));
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(address.ip()));
        router.clone().oneshot(request)
    });
    let mut stream = TimeoutStream::new(stream);
    // who has asked and does not read holds the answer in memory
    stream.set_write_timeout(Some(limits.body_time));
    // the time for headers also runs between two requests, and so ends idle connections
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(HEAD_MAX)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::trace!(%error, "a connection ended early");
    }
}

/// Open connections by network.
#[derive(Clone, Debug, Default)]
struct Crowd(Arc<Mutex<HashMap<Network, usize>>>);

/// One open connection; leaving the crowd when dropped.
struct Guest {
    crowd: Crowd,
    network: Network,
}

impl Crowd {
    fn enter(&self, network: Network, most: usize) -> Option<Guest> {
        let mut crowd = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = crowd.entry(network).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        drop(crowd);
        Some(Guest { crowd: self.clone(), network })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut crowd = self.crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = crowd.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                crowd.remove(&self.network);
            }
        }
    }
}
