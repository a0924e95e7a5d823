//! Failures, checkpoints, and the productive share of the calendar.

use crate::units::HOURS_PER_YEAR;

/// What failures and checkpoints cost a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reliability {
    /// Mean time between interruptions of the whole job, hours.
    pub mtbf_hours: f64,
    /// Size of one checkpoint, bytes.
    pub checkpoint_bytes: f64,
    /// Time to write one, seconds.
    pub write_seconds: f64,
    /// Best interval between checkpoints, seconds.
    pub interval_seconds: f64,
    /// Share of the calendar that trains.
    pub goodput: f64,
    /// Share lost to writing checkpoints.
    pub checkpoint_share: f64,
    /// Share lost to work done again and restarts.
    pub failure_share: f64,
}

/// Inputs of the calculation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailureInputs {
    pub gpus: f64,
    /// Unexpected interruptions per device and year.
    pub failures_per_gpu_year: f64,
    /// Further interruptions of the job per hour (spot machines taken away).
    pub taken_away_per_hour: f64,
    /// From a failure to training again, hours.
    pub restart_hours: f64,
    pub checkpoint_bytes: f64,
    /// Write rate of the shared storage, bytes per second.
    pub write_bytes_per_second: f64,
}

/// Best interval and productive share.
///
/// Interval by Daly 2006: √(2δM) − δ for δ < 2M, else M, with δ the write time and M the mean time between
/// interruptions. For one unit of training, δ/τ is written, and each interruption (one per M) loses half an
/// interval, the write and the restart: goodput = 1/(1 + δ/τ + (τ/2 + δ + R)/M).
pub(crate) fn reliability(inputs: &FailureInputs) -> Reliability {
    let per_hour = inputs.failures_per_gpu_year * inputs.gpus / HOURS_PER_YEAR + inputs.taken_away_per_hour;
    let write_seconds = inputs.checkpoint_bytes / inputs.write_bytes_per_second.max(1.0);
    if per_hour <= 0.0 {
        // nothing ever fails: one checkpoint a day is kept all the same
        let interval_seconds = 86_400.0;
        let written = write_seconds / interval_seconds;
        let goodput = 1.0 / (1.0 + written);
        return Reliability {
            mtbf_hours: f64::MAX,
            checkpoint_bytes: inputs.checkpoint_bytes,
            write_seconds,
            interval_seconds,
            goodput,
            checkpoint_share: written * goodput,
            failure_share: 0.0,
        };
    }
    let mtbf_seconds = 3_600.0 / per_hour;
    let interval_seconds = if write_seconds < 2.0 * mtbf_seconds {
        ((2.0 * write_seconds * mtbf_seconds).sqrt() - write_seconds).max(write_seconds).max(60.0)
    } else {
        mtbf_seconds
    };
    let written = write_seconds / interval_seconds;
    let lost = (interval_seconds / 2.0 + write_seconds + inputs.restart_hours * 3_600.0) / mtbf_seconds;
    let goodput = 1.0 / (1.0 + written + lost);
    Reliability {
        mtbf_hours: 1.0 / per_hour,
        checkpoint_bytes: inputs.checkpoint_bytes,
        write_seconds,
        interval_seconds,
        goodput,
        checkpoint_share: written * goodput,
        failure_share: lost * goodput,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(gpus: f64) -> FailureInputs {
        FailureInputs {
            gpus,
            failures_per_gpu_year: 0.1729,
            taken_away_per_hour: 0.0,
            restart_hours: 0.1,
            checkpoint_bytes: 405e9 * 14.0,
            write_bytes_per_second: 2e12,
        }
    }

    #[test]
    fn llama_3_405b_is_interrupted_every_three_hours_and_keeps_nine_tenths() {
        // 419 unexpected interruptions in 54 days on 16,384 devices; more than 90 % effective time
        let result = reliability(&inputs(16_384.0));
        assert!((result.mtbf_hours - 3.09).abs() < 0.05, "{}", result.mtbf_hours);
        assert!(result.goodput > 0.90 && result.goodput < 0.98, "{}", result.goodput);
    }

    #[test]
    fn shares_sum_to_one_and_larger_clusters_lose_more() {
        let mut last = 1.0;
        for gpus in [8.0, 64.0, 1_024.0, 16_384.0, 131_072.0] {
            let r = reliability(&inputs(gpus));
            assert!((r.goodput + r.checkpoint_share + r.failure_share - 1.0).abs() < 1e-12);
            assert!(r.goodput <= last);
            last = r.goodput;
        }
    }

    #[test]
    fn nothing_failing_is_no_division_by_zero() {
        let r = reliability(&FailureInputs { failures_per_gpu_year: 0.0, ..inputs(8.0) });
        assert!(r.goodput > 0.99 && r.goodput <= 1.0);
    }
}
