//! Who asks: the address of the caller, also behind proxies that are trusted, and the network it is counted by.

use super::rate::Key;
use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The other end of the connection; an extension of each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// What rates count by: an IPv4 address, or the /64 that one subscriber of IPv6 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    base: IpAddr,
    bits: u8,
}

impl Network {
    /// The network of an address.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(v4) => Self { base: IpAddr::V4(v4), bits: 32 },
            IpAddr::V6(v6) => Self { base: IpAddr::V6(masked(v6, 64)), bits: 64 },
        }
    }
}

impl Key for Network {
    /// The network around it that one provider has: a /16 of IPv4, a /32 of IPv6.
    fn wider(self) -> Self {
        match self.base {
            IpAddr::V4(v4) => Self { base: IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & 0xffff_0000)), bits: 16 },
            IpAddr::V6(v6) => Self { base: IpAddr::V6(masked(v6, 32)), bits: 32 },
        }
    }
}

fn masked(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits)))
}

/// The address of the caller. Proxies that are trusted add theirs at the end of `X-Forwarded-For`, so the last
/// address that is not of one of them is the caller's; whatever stands before it the caller may have made up.
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer.to_canonical();
    if trusted.is_empty() {
        return client;
    }
    let lines: Vec<&str> = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok()).collect();
    for hop in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        if !is_trusted(&client) {
            break;
        }
        // what can't be read was not written by a proxy that is trusted
        let Some(address) = parse(hop) else { break };
        client = address;
    }
    client
}

/// An address, also with a port or in brackets, as some proxies write it.
fn parse(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim().trim_matches('"');
    let bare = hop.strip_prefix('[').and_then(|rest| rest.split(']').next());
    let plain = || hop.parse::<IpAddr>().ok();
    let with_port = || hop.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    let found = match bare {
        Some(bare) => bare.parse().ok(),
        None => plain().or_else(with_port),
    };
    found.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn found(peer: &str, lines: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, HeaderValue::from_str(line).expect("a header"));
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|text| text.parse().expect("a network")).collect();
        client(peer.parse().expect("an address"), &headers, &trusted).to_string()
    }

    #[test]
    fn without_trust_the_header_means_nothing() {
        assert_eq!(found("198.51.100.7", &["203.0.113.9"], &[]), "198.51.100.7");
        assert_eq!(found("198.51.100.7", &["203.0.113.9"], &["10.0.0.0/8"]), "198.51.100.7");
        assert_eq!(found("::ffff:198.51.100.7", &[], &[]), "198.51.100.7");
    }

    #[test]
    fn the_last_address_that_is_no_proxy_counts() {
        let trusted = &["10.0.0.0/8", "::1/128"];
        assert_eq!(found("10.0.0.1", &["203.0.113.9"], trusted), "203.0.113.9");
        assert_eq!(
            found("10.0.0.1", &["1.1.1.1, 203.0.113.9, 10.2.3.4"], trusted),
            "203.0.113.9",
            "the first is made up"
        );
        assert_eq!(found("10.0.0.1", &["1.1.1.1", "203.0.113.9"], trusted), "203.0.113.9", "lines are one list");
        assert_eq!(found("::1", &["203.0.113.9:5555"], trusted), "203.0.113.9");
        assert_eq!(found("::1", &["[2001:db8::5]:443"], trusted), "2001:db8::5");
        assert_eq!(found("::1", &["[2001:db8::5]"], trusted), "2001:db8::5");
    }

    #[test]
    fn what_can_not_be_read_ends_the_list() {
        let trusted = &["10.0.0.0/8"];
        assert_eq!(found("10.0.0.1", &["203.0.113.9, unknown"], trusted), "10.0.0.1");
        assert_eq!(found("10.0.0.1", &["203.0.113.9, unknown, 10.0.0.2"], trusted), "10.0.0.2");
        assert_eq!(found("10.0.0.1", &[""], trusted), "10.0.0.1");
        assert_eq!(found("10.0.0.1", &["10.0.0.2, 10.0.0.3"], trusted), "10.0.0.2", "all are proxies");
    }

    #[test]
    fn a_subscriber_of_ipv6_is_one() {
        let network = |text: &str| Network::of(text.parse().expect("an address"));
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("192.0.2.1").wider(), network("192.0.9.9").wider());
        assert_ne!(network("192.0.0.0").wider(), network("192.0.0.0"), "a wide network is not its first address");
    }
}
