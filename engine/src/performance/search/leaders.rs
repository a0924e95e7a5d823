//! The fastest layouts that a search has found so far.

use super::Found;
use crate::answer::Layout;

/// The fastest layouts so far, with those that tie with it.
pub(super) struct Leaders {
    /// Index of the shard and the layout, in no order.
    tied: Vec<(usize, Found)>,
    /// Seconds per sequence of the fastest.
    fastest: f64,
    /// Seconds per sequence above which nothing is of interest.
    pub bound: f64,
}

impl Default for Leaders {
    fn default() -> Self {
        Self { tied: Vec::new(), fastest: f64::INFINITY, bound: f64::INFINITY }
    }
}

/// Layouts that are closer than this are as fast as each other.
const TIE: f64 = 1e-6;

impl Leaders {
    /// So many seconds per sequence would lead or tie.
    pub(super) fn want(&self, seconds: f64) -> bool {
        seconds <= self.bound
    }

    /// A layout that is wanted.
    pub(super) fn take(&mut self, shard: usize, found: Found) {
        let seconds = found.step_seconds / found.batch;
        if seconds < self.fastest {
            self.fastest = seconds;
            self.bound = seconds * (1.0 + TIE);
            let bound = self.bound;
            self.tied.retain(|(_, f)| f.step_seconds / f.batch <= bound);
        }
        self.tied.push((shard, found));
    }

    /// The simplest of those that are fastest.
    pub(super) fn simplest(self) -> Option<(usize, Found)> {
        self.tied.into_iter().min_by_key(|(_, found)| complexity(&found.layout))
    }
}

/// What makes a layout simpler than another that is as fast.
fn complexity(layout: &Layout) -> impl Ord + use<> {
    let l = layout;
    ((l.pipeline, l.virtual_pipeline, l.context, l.tensor, l.expert), l.sharding, l.recompute, l.micro_batch_sequences)
}
