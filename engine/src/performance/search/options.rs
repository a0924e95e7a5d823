//! Which degrees, micro-batches and policies a search tries.

use crate::performance::job::Job;

/// Largest micro-batch tried, sequences.
const LARGEST_MICRO_BATCH: u32 = 64;

/// The given degree, or every legal one of those offered.
pub(super) fn degrees(given: Option<u32>, offered: impl Iterator<Item = u32>, legal: impl Fn(u32) -> bool) -> Vec<u32> {
    match given {
        Some(degree) => vec![degree],
        None => offered.filter(|n| legal(*n)).collect(),
    }
}

pub(super) fn powers_of_two(limit: u32) -> impl Iterator<Item = u32> {
    (0..32).map(|i| 1u32 << i).take_while(move |n| *n <= limit.max(1))
}

pub(super) fn divisors(n: u32) -> impl Iterator<Item = u32> {
    (1..=n).filter(move |d| n.is_multiple_of(*d))
}

pub(super) fn choices<T: Copy>(given: Option<T>, all: &[T]) -> Vec<T> {
    given.map_or_else(|| all.to_vec(), |one| vec![one])
}

pub(super) fn micro_batches(given: Option<u32>, batch: u64) -> Vec<u32> {
    match given {
        Some(micro_batch) => vec![micro_batch],
        None => (0..).map(|i| 1u32 << i).take_while(|b| *b <= LARGEST_MICRO_BATCH && u64::from(*b) <= batch).collect(),
    }
}

/// A context-parallel rank keeps at least 1,024 tokens: below that attention has no rate left.
pub(super) fn longest_context(job: &Job) -> u32 {
    u32::try_from(job.context_length / 1_024).unwrap_or(u32::MAX).clamp(1, 512)
}
