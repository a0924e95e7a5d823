//! So many a minute, with so many at once, for each network or account.
//!
//! The generic cell rate algorithm (ITU-T I.371, annex A): one instant a key, the time at which all that it has
//! spent is earned again. Written here and not taken from a crate because opening a share link has to be judged
//! before it is known whether it counts ([`Limiter::ask`]), which the known crates can't do.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is counted by.
pub trait Key: Copy + Eq + Hash {
    /// A group around it, by which newcomers are counted when there are too many.
    fn wider(self) -> Self;
}

/// Keys that are remembered. Beyond it, newcomers are counted by wider ones; beyond twice that they are refused.
const REMEMBERED: usize = 65_536;
/// The table is first swept when it has grown to this.
const FIRST_SWEEP: usize = 1_024;
const SWEEP_PAUSE: Duration = Duration::from_secs(1);

/// A rate: so many a minute, and so many at once after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// In the long run.
    pub per_minute: NonZeroU32,
    /// At once.
    pub burst: NonZeroU32,
}

impl Bucket {
    /// Time in which one is earned.
    fn interval(self) -> Duration {
        Duration::from_secs(60) / self.per_minute.get()
    }
}

/// How one stands: what callers are told in headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// At once after a pause.
    pub limit: u32,
    /// Left now.
    pub remaining: u32,
    /// Time until all are back.
    pub reset: Duration,
}

/// Counts one kind of action by key.
#[derive(Debug)]
pub struct Limiter<K> {
    bucket: Bucket,
    table: Mutex<Table<K>>,
}

#[derive(Debug)]
struct Table<K> {
    /// When all that a key spent is earned again; one in the past is as good as absent.
    earned: HashMap<K, Instant>,
    sweep_at: usize,
    not_before: Option<Instant>,
    remembered: usize,
}

impl<K: Key> Limiter<K> {
    /// Nothing counted yet.
    pub fn new(bucket: Bucket) -> Self {
        Self::remembering(bucket, REMEMBERED)
    }

    fn remembering(bucket: Bucket, remembered: usize) -> Self {
        let sweep_at = FIRST_SWEEP.min(remembered);
        let table = Table { earned: HashMap::new(), sweep_at, not_before: None, remembered };
        Self { bucket, table: Mutex::new(table) }
    }

    /// Counts `times`; more than can be had at once count as all that can.
    ///
    /// # Errors
    /// It is too soon; the time until it is not.
    pub fn spend(&self, key: K, times: u32, now: Instant) -> Result<(), Duration> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(key) = table.key(key, now) else { return Err(self.bucket.interval()) };
        let earned = self.after(table.earned.get(&key).copied(), times, now)?;
        table.earned.insert(key, earned);
        Ok(())
    }

    /// Says whether one could be counted, and counts nothing.
    ///
    /// # Errors
    /// It is too soon; the time until it is not.
    pub fn ask(&self, key: K, now: Instant) -> Result<(), Duration> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let known = table.earned.get(&key).or_else(|| table.earned.get(&key.wider())).copied();
        self.after(known, 1, now).map(drop)
    }

    /// How one stands now; counts nothing.
    pub fn standing(&self, key: K, now: Instant) -> Standing {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let known = table.earned.get(&key).or_else(|| table.earned.get(&key.wider())).copied();
        let reset = known.map_or(Duration::ZERO, |earned| earned.saturating_duration_since(now));
        let spent = reset.as_secs_f64() / self.bucket.interval().as_secs_f64().max(f64::MIN_POSITIVE);
        let limit = self.bucket.burst.get();
        // rounded up: what is said to be left can be had
        Standing { limit, remaining: limit.saturating_sub(spent.ceil() as u32), reset }
    }

    /// When all is earned again after `times` more.
    fn after(&self, earned: Option<Instant>, times: u32, now: Instant) -> Result<Instant, Duration> {
        let interval = self.bucket.interval();
        let burst = self.bucket.burst.get();
        let earned = earned.map_or(now, |earned| earned.max(now)) + interval * times.min(burst);
        let ahead = earned.duration_since(now);
        let most = interval * burst;
        if ahead > most { Err(ahead - most) } else { Ok(earned) }
    }
}

impl<K: Key> Table<K> {
    /// The key under which one is counted; none when there is no room, whoever asks.
    fn key(&mut self, key: K, now: Instant) -> Option<K> {
        if self.earned.contains_key(&key) {
            return Some(key);
        }
        if self.earned.len() >= self.sweep_at && self.not_before.is_none_or(|instant| now >= instant) {
            self.sweep(now);
        }
        if self.earned.len() < self.remembered {
            return Some(key);
        }
        let wider = key.wider();
        let has_room = self.earned.len() < 2 * self.remembered || self.earned.contains_key(&wider);
        has_room.then_some(wider)
    }

    /// Forgets those who have earned all again. The next sweep is due when the table has doubled or is full, and never
    /// within a second, so that its cost stays small whatever comes.
    fn sweep(&mut self, now: Instant) {
        self.earned.retain(|_, earned| *earned > now);
        self.earned.shrink_to(2 * self.earned.len());
        self.sweep_at = (2 * self.earned.len()).clamp(FIRST_SWEEP.min(self.remembered), self.remembered);
        self.not_before = Some(now + SWEEP_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::super::address::Network;
    use super::*;
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    fn bucket(per_minute: u32, burst: u32) -> Bucket {
        Bucket {
            per_minute: NonZeroU32::new(per_minute).expect("not 0"),
            burst: NonZeroU32::new(burst).expect("not 0"),
        }
    }

    fn network(last: u32) -> Network {
        Network::of(IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + last)))
    }

    #[test]
    fn a_burst_then_the_rate() {
        let limiter = Limiter::new(bucket(60, 5));
        let now = Instant::now();
        assert!((0..5).all(|_| limiter.spend(network(1), 1, now).is_ok()));
        assert_eq!(limiter.spend(network(1), 1, now), Err(Duration::from_secs(1)), "one a second");
        assert_eq!(limiter.spend(network(2), 1, now), Ok(()), "others are not touched");
        let later = now + Duration::from_secs(2);
        assert!((0..2).all(|_| limiter.spend(network(1), 1, later).is_ok()));
        assert!(limiter.spend(network(1), 1, later).is_err(), "two were earned");
        let rested = now + Duration::from_secs(600);
        assert_eq!(
            (0..20).filter(|_| limiter.spend(network(1), 1, rested).is_ok()).count(),
            5,
            "a pause earns a burst"
        );
    }

    #[test]
    fn the_wait_that_is_told_is_enough_and_not_too_long() {
        let limiter = Limiter::new(bucket(90, 3));
        let now = Instant::now();
        while limiter.spend(network(1), 1, now).is_ok() {}
        let wait = limiter.spend(network(1), 1, now).expect_err("spent");
        assert!(limiter.ask(network(1), now + wait - Duration::from_millis(1)).is_err());
        assert_eq!(limiter.ask(network(1), now + wait), Ok(()));
    }

    #[test]
    fn asking_counts_nothing() {
        let limiter = Limiter::new(bucket(60, 1));
        let now = Instant::now();
        assert!((0..100).all(|_| limiter.ask(network(1), now).is_ok()));
        assert_eq!(limiter.spend(network(1), 1, now), Ok(()));
        assert!(limiter.ask(network(1), now).is_err());
    }

    #[test]
    fn many_at_once_count_as_many_and_never_more_than_can_be_had() {
        let limiter = Limiter::new(bucket(60, 10));
        let now = Instant::now();
        assert_eq!(limiter.spend(network(1), 7, now), Ok(()));
        assert!(limiter.spend(network(1), 4, now).is_err());
        assert_eq!(limiter.spend(network(1), 3, now), Ok(()));
        assert_eq!(limiter.spend(network(2), 1_000, now), Ok(()));
        assert!(limiter.spend(network(2), 1, now).is_err());
    }

    #[test]
    fn memory_is_bounded_and_those_who_spent_are_not_forgotten() {
        let limiter = Limiter::remembering(bucket(60, 1), 1_000);
        let now = Instant::now();
        assert_eq!(limiter.spend(network(0), 1, now), Ok(()));
        for i in 0..200_000u32 {
            let prefix = u128::from(i) << 64 | 0x2001 << 112 | u128::from(i % 5_000) << 96;
            let _ = limiter.spend(Network::of(IpAddr::V6(Ipv6Addr::from_bits(prefix))), 1, now);
        }
        let size = |limiter: &Limiter<Network>| limiter.table.lock().expect("locks").earned.len();
        assert!(size(&limiter) <= 2_000, "{}", size(&limiter));
        assert!(limiter.spend(network(0), 1, now).is_err(), "a crowd does not wash a count away");

        let later = now + Duration::from_secs(60);
        assert_eq!(limiter.spend(network(7), 1, later), Ok(()));
        assert!(size(&limiter) <= 2, "what was earned again is forgotten: {}", size(&limiter));
        assert!(limiter.table.lock().expect("locks").earned.capacity() < 1_000, "and its memory given back");
    }

    #[test]
    fn a_crowd_in_one_network_leaves_room_for_others() {
        let limiter = Limiter::remembering(bucket(60, 3), 100);
        let now = Instant::now();
        for i in 0..10_000u128 {
            let _ = limiter.spend(Network::of(IpAddr::V6(Ipv6Addr::from_bits(0x2001_0db8 << 96 | i << 64))), 1, now);
        }
        assert_eq!(limiter.spend(network(1), 1, now), Ok(()));
        let refused = Network::of(IpAddr::V6(Ipv6Addr::from_bits(0x2001_0db8 << 96 | 99_999 << 64)));
        assert!(limiter.spend(refused, 1, now).is_err(), "the crowd shares one count");
    }
}
