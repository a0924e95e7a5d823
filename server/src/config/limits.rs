//! Limits: settings and their defaults.

use crate::limits::rate::Bucket;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use ipnet::IpNet;
use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// A rate as people write it: `1200:200` is 1,200 a minute with 200 at once, `off` is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(pub Option<Bucket>);

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is no rate; write 1200:200 for 1,200 a minute with 200 at once, or `off`");
        if text.eq_ignore_ascii_case("off") {
            return Ok(Self(None));
        }
        let (per_minute, burst) = text.split_once(':').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<NonZeroU32>().ok().filter(|n| n.get() <= RATE_MAX);
        match (number(per_minute), number(burst)) {
            (Some(per_minute), Some(burst)) => Ok(Self(Some(Bucket { per_minute, burst }))),
            _ => Err(wrong()),
        }
    }
}

/// Beyond it, an interval would be too short to count.
const RATE_MAX: u32 = 1_000_000;

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bucket) => write!(f, "{}:{}", bucket.per_minute, bucket.burst),
            None => f.write_str("off"),
        }
    }
}

/// Proxy addresses as people write them: `10.0.0.0/8` or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proxy(pub IpNet);

impl FromStr for Proxy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let network = text.parse::<IpNet>().ok();
        let found = network.or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
        found.map(Self).ok_or_else(|| format!("`{text}` is neither an address nor a network such as 10.0.0.0/8"))
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn seconds() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..=600)
}

fn count() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..=100_000)
}

/// Limits as given. Rates are by address, and by process.
#[derive(Args, Clone, Debug)]
pub struct LimitSettings {
    /// Plans and estimates of one address: so many a minute, so many at once; or `off`
    #[arg(long, env = "CLUSTERWRIGHT_RATE_COMPUTE", default_value_t = Self::default().rate_compute, global = true)]
    pub rate_compute: Rate,
    /// Saves, changes and links of one address; or `off`
    #[arg(long, env = "CLUSTERWRIGHT_RATE_WRITES", default_value_t = Self::default().rate_writes, global = true)]
    pub rate_writes: Rate,
    /// Share links of one address that do not open; or `off`
    #[arg(long, env = "CLUSTERWRIGHT_RATE_MISSED_LINKS", default_value_t = Self::default().rate_missed_links, global = true)]
    pub rate_missed_links: Rate,
    /// Passwords that one address tries; or `off`
    #[arg(long, env = "CLUSTERWRIGHT_RATE_LOG_IN", default_value_t = Self::default().rate_log_in, global = true)]
    pub rate_log_in: Rate,
    /// Passwords that are tried at one account, from all addresses; or `off`
    #[arg(long, env = "CLUSTERWRIGHT_RATE_LOG_IN_ACCOUNT", default_value_t = Self::default().rate_log_in_account, global = true)]
    pub rate_log_in_account: Rate,
    /// Accounts that one address tries to make; or `off`
    #[arg(long, env = "CLUSTERWRIGHT_RATE_SIGN_UP", default_value_t = Self::default().rate_sign_up, global = true)]
    pub rate_sign_up: Rate,
    /// Requests of one token of the API; or `off`
    #[arg(long, env = "CLUSTERWRIGHT_RATE_TOKENS", default_value_t = Self::default().rate_tokens, global = true)]
    pub rate_tokens: Rate,
    /// Proxies whose X-Forwarded-For is believed: addresses or networks, with commas between them
    #[arg(long, env = "CLUSTERWRIGHT_TRUSTED_PROXIES", value_delimiter = ',', global = true)]
    pub trusted_proxies: Vec<Proxy>,
    /// Requests that are answered at once; beyond it 503
    #[arg(long, env = "CLUSTERWRIGHT_MAX_REQUESTS", default_value_t = Self::default().max_requests, value_parser = count(), global = true)]
    pub max_requests: u64,
    /// Open connections; beyond it callers wait for one to close. Each takes a file of the process (`ulimit -n`)
    #[arg(long, env = "CLUSTERWRIGHT_MAX_CONNECTIONS", default_value_t = Self::default().max_connections, value_parser = count(), global = true)]
    pub max_connections: u64,
    /// Open connections of one address that is no trusted proxy; beyond it they are closed
    #[arg(long, env = "CLUSTERWRIGHT_MAX_CONNECTIONS_PER_ADDRESS", default_value_t = Self::default().max_connections_per_address, value_parser = count(), global = true)]
    pub max_connections_per_address: u64,
    /// Seconds in which the headers of a request must arrive, and for which an idle connection stays open
    #[arg(long, env = "CLUSTERWRIGHT_HEADER_SECONDS", default_value_t = Self::default().header_seconds, value_parser = seconds(), global = true)]
    pub header_seconds: u64,
    /// Seconds in which the body of a request must arrive, and for which an answer waits for its reader to go on
    #[arg(long, env = "CLUSTERWRIGHT_BODY_SECONDS", default_value_t = Self::default().body_seconds, value_parser = seconds(), global = true)]
    pub body_seconds: u64,
    /// Seconds in which a request that has arrived must be answered
    #[arg(long, env = "CLUSTERWRIGHT_ANSWER_SECONDS", default_value_t = Self::default().answer_seconds, value_parser = seconds(), global = true)]
    pub answer_seconds: u64,
}

impl Default for LimitSettings {
    fn default() -> Self {
        let rate = |per_minute, burst| {
            let number = |n| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
            Rate(Some(Bucket { per_minute: number(per_minute), burst: number(burst) }))
        };
        Self {
            // a person dragging sliders, or a sheet that recalculates
            rate_compute: rate(1_200, 200),
            rate_writes: rate(60, 30),
            rate_missed_links: rate(30, 30),
            // an office behind one address, and a person who mistypes
            rate_log_in: rate(20, 20),
            rate_log_in_account: rate(5, 10),
            rate_sign_up: rate(1, 5),
            rate_tokens: rate(600, 100),
            trusted_proxies: Vec::new(),
            max_requests: 512,
            // below the 1,024 files that a process may have open on most systems
            max_connections: 800,
            max_connections_per_address: 200,
            header_seconds: 10,
            body_seconds: 15,
            answer_seconds: 10,
        }
    }
}

/// Checked limits.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Plans and estimates of one address.
    pub compute: Rate,
    /// Changes by one address.
    pub writes: Rate,
    /// Share links of one address that do not open.
    pub missed_links: Rate,
    /// Passwords that one address tries.
    pub log_ins: Rate,
    /// Passwords that are tried at one account.
    pub account_log_ins: Rate,
    /// Accounts that one address tries to make.
    pub sign_ups: Rate,
    /// Requests of one token of the API.
    pub tokens: Rate,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Requests that are answered at once.
    pub requests: usize,
    /// Open connections.
    pub connections: usize,
    /// Open connections of one address.
    pub connections_per_address: usize,
    /// For the headers of a request, and idle between two.
    pub header_time: Duration,
    /// For the body of a request, and for a reader that has stopped.
    pub body_time: Duration,
    /// For an answer once the request has arrived. The engine's search is bounded, so this is a net below it.
    pub answer_time: Duration,
}

impl From<&LimitSettings> for Limits {
    fn from(settings: &LimitSettings) -> Self {
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        Self {
            compute: settings.rate_compute,
            writes: settings.rate_writes,
            missed_links: settings.rate_missed_links,
            log_ins: settings.rate_log_in,
            account_log_ins: settings.rate_log_in_account,
            sign_ups: settings.rate_sign_up,
            tokens: settings.rate_tokens,
            trusted_proxies: settings.trusted_proxies.iter().map(|proxy| proxy.0).collect(),
            requests: number(settings.max_requests),
            connections: number(settings.max_connections),
            connections_per_address: number(settings.max_connections_per_address),
            header_time: Duration::from_secs(settings.header_seconds),
            body_time: Duration::from_secs(settings.body_seconds),
            answer_time: Duration::from_secs(settings.answer_seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_they_are_written() {
        for text in ["1200:200", "1:1", "off"] {
            assert_eq!(text.parse::<Rate>().expect("a rate").to_string(), text);
        }
        for text in ["", "1200", "0:5", "5:0", "-1:5", "1:2:3", "a:b", "99999999:1"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        for (text, shown) in [("10.0.0.0/8", "10.0.0.0/8"), (" ::1", "::1/128"), ("192.0.2.1", "192.0.2.1/32")] {
            assert_eq!(text.parse::<Proxy>().expect("a proxy").to_string(), shown);
        }
        assert!("nginx".parse::<Proxy>().is_err());
    }
}
