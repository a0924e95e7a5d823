//! Predicted against measured.

use super::fit::Observed;
use super::measurement::{Measurement, measurements};
use crate::catalog::{Calibration, Catalog};
use crate::performance::{BatchRule, Found, Job, Links, Machine, Pipelines, Search, domain, reference_network};
use crate::request::{HostOffload, LayoutRequest, Optimizer, Recompute};
use serde::{Deserialize, Serialize};

/// One measurement with its prediction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// Id of the measurement.
    pub id: String,
    /// Measured tokens per second and device.
    pub measured: f64,
    /// Predicted tokens per second and device.
    pub predicted: f64,
    /// predicted/measured − 1.
    pub error: f64,
    /// The engine says that it fits in memory.
    pub fits: bool,
}

/// Errors of a group.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Rows.
    pub rows: usize,
    /// Median of |error|.
    pub median: f64,
    /// 90th percentile of |error|.
    pub p90: f64,
    /// Mean of |error|.
    pub mean: f64,
    /// Median of error: above 0 is optimistic.
    pub bias: f64,
}

/// A measurement made ready to be predicted many times.
pub struct Case {
    /// The row.
    pub row: &'static Measurement,
    job: Job,
    pipelines: Pipelines,
    /// Measured tokens per second and device.
    pub measured: f64,
}

impl Case {
    /// `None` for a row that is not predicted.
    pub fn of(row: &'static Measurement) -> Option<Self> {
        if row.excluded.is_some() {
            return None;
        }
        let context = row.context_length?;
        let ranks = u64::from(
            row.gpus / (row.tensor.unwrap_or(1) * row.pipeline.unwrap_or(1) * row.context.unwrap_or(1)).max(1),
        );
        let micro = u64::from(row.micro_batch_sequences.unwrap_or(1));
        let batch = row.global_batch_sequences.unwrap_or_else(|| {
            // where it is not stated: about half a million tokens, in whole rounds of micro-batches
            let once = ranks.max(1) * micro * u64::from(row.pipeline.unwrap_or(1));
            once * (524_288 / context / once).max(1)
        });
        let job = Job::new(row.architecture()?, context, row.method, row.optimizer.unwrap_or(Optimizer::Adamw), batch)
            .with_host_offload(row.host_offload.unwrap_or(HostOffload::None));
        let measured = match (row.tokens_per_second_per_gpu, row.model_tflops_per_gpu) {
            (Some(tokens), _) => tokens,
            (None, Some(tflops)) => {
                let flops = if row.basis == "tflops_full" { job.flops_per_token_full } else { job.flops_per_token };
                tflops * 1e12 / flops
            }
            (None, None) => return None,
        };
        let pipelines = Pipelines::new(&job, &row.layout(), BatchRule::Nearest, row.gpus);
        Some(Self { row, job, pipelines, measured })
    }

    /// Predicts with given constants; `None` where no legal layout matches the row.
    pub(crate) fn predict(&self, calibration: &Calibration) -> Option<Found> {
        let row = self.row;
        let catalog = Catalog::get();
        let accelerator = catalog.accelerator(&row.accelerator)?;
        let fabric = catalog.fabric(&row.fabric)?;
        let network = row.network_gbps_per_gpu.unwrap_or_else(|| reference_network(accelerator));
        let domain = domain(accelerator, row.gpus_per_node.max(1));
        let links = Links { fabric, network_gbps: network, domain };
        let machine = Machine::new(calibration, accelerator, &links, row.precision(), row.software(), 1.0);
        let machine = machine.with_software_of(row.year());
        let machine = if row.is_block_scaled() { machine.with_block_scaling() } else { machine };
        let search = |layout: LayoutRequest| Search::new(&machine, &self.job, layout, &self.pipelines, row.gpus);
        let stated = row.layout();
        // "selective" names many policies: where the cheap one has no room, more than it was computed again
        let more = LayoutRequest { recompute: Some(Recompute::Full), ..stated };
        let fits = search(stated).best(row.gpus).or_else(|| {
            (stated.recompute == Some(Recompute::Selective)).then(|| search(more).best(row.gpus)).flatten()
        });
        fits.or_else(|| search(stated).leanest(row.gpus))
    }

    /// Predicted tokens per second and device.
    pub fn tokens(&self, calibration: &Calibration) -> Option<(f64, bool)> {
        let found = self.predict(calibration)?;
        Some((found.tokens_per_second(&self.job) / f64::from(self.row.gpus), found.fits))
    }
}

impl Observed for Case {
    fn log_ratio(&self, calibration: &Calibration) -> f64 {
        self.tokens(calibration).map_or(0.0, |(tokens, _)| (tokens / self.measured).ln())
    }

    /// Rows of experts move with software releases and tell less about the constants.
    fn weight(&self) -> f64 {
        if self.job.experts().is_some() { 0.3 } else { 1.0 }
    }
}

/// Compares all measurements with the committed constants.
pub fn compare() -> Vec<Comparison> {
    compare_with(Calibration::get())
}

/// Compares all measurements with given constants.
pub fn compare_with(calibration: &Calibration) -> Vec<Comparison> {
    measurements()
        .iter()
        .filter_map(|row| {
            let case = Case::of(row)?;
            let (predicted, fits) = case.tokens(calibration)?;
            let error = predicted / case.measured - 1.0;
            Some(Comparison { id: row.id.clone(), measured: case.measured, predicted, error, fits })
        })
        .collect()
}

/// Median, 90th percentile, mean and bias of errors.
pub fn summarize(errors: impl Iterator<Item = f64>) -> Summary {
    let mut signed: Vec<f64> = errors.collect();
    if signed.is_empty() {
        return Summary::default();
    }
    signed.sort_by(f64::total_cmp);
    let mut sizes: Vec<f64> = signed.iter().map(|e| e.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let at = |sorted: &[f64], share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    Summary {
        rows: sizes.len(),
        median: at(&sizes, 0.5),
        p90: at(&sizes, 0.9),
        mean: sizes.iter().sum::<f64>() / sizes.len() as f64,
        bias: at(&signed, 0.5),
    }
}
