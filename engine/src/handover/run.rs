//! The figures that all files share, gathered from the plan once.

use crate::answer::{Build, Cluster, Estimate, HealthMetric, Layout, Plan, TierPlan};
use crate::catalog::{Accelerator, Catalog, Fabric};
use crate::economics::inputs::Inputs;
use crate::operation::reliability::{FailureInputs, Reliability, reliability};
use crate::performance::{Job, chunk_layers, domain, effective_precision};
use crate::request::{Acquisition, PlanRequest, Precision};
use crate::workload::Architecture;

/// Who makes the devices, as far as software differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vendor {
    Nvidia,
    Amd,
    Gaudi,
    Tpu,
    Trainium,
}

/// The shown cluster with everything that its files are written from.
pub(super) struct Run<'a> {
    pub plan: &'a Plan,
    pub tier: &'a TierPlan,
    pub cluster: &'a Cluster,
    pub estimate: &'a Estimate,
    pub build: &'a Build,
    pub layout: Layout,
    pub accelerator: &'static Accelerator,
    pub fabric: &'static Fabric,
    pub vendor: Vendor,
    pub architecture: Architecture,
    pub job: Job,
    /// Format of the linear layers that the device really has.
    pub precision: Precision,
    /// Sequences of one step.
    pub batch: u64,
    /// Micro-batches of one step and replica.
    pub micro_batches: u64,
    /// Optimizer steps of the run.
    pub steps: u64,
    /// Layers of each (virtual) stage, first to last.
    pub chunks: Vec<u32>,
    /// Failures and checkpoints of the way of acquiring that the plan counts.
    pub reliability: Reliability,
    pub inputs: Inputs,
}

impl<'a> Run<'a> {
    /// Gathers the figures, or says why there is nothing to hand over.
    pub(super) fn of(plan: &'a Plan) -> Result<Self, String> {
        let nothing = || format!("There is no cluster to write files for. {}", plan.headline);
        let tier = plan.shown().ok_or_else(nothing)?;
        let (Some(cluster), Some(estimate), Some(build)) = (&tier.cluster, &tier.estimate, &plan.build) else {
            return Err(nothing());
        };
        if !estimate.fits {
            return Err(format!("The model does not fit on the nearest cluster. {}", plan.headline));
        }
        let catalog = Catalog::get();
        let gone = |what: &str, id: &str| format!("The {what} {id} is not in the catalog any more; plan again.");
        let accelerator =
            catalog.accelerator(&cluster.accelerator).ok_or_else(|| gone("accelerator", &cluster.accelerator))?;
        let fabric = catalog.fabric(&cluster.fabric).ok_or_else(|| gone("fabric", &cluster.fabric))?;
        let request = &plan.request;
        let layout = estimate.layout;
        // tokens of a step over tokens of a sequence, from the two figures that the plan carries
        let tokens = estimate.tokens_per_second_per_gpu * f64::from(cluster.gpus) * estimate.step_seconds;
        let batch = (tokens / request.context_length as f64).round().max(1.0) as u64;
        let per_micro_batch = u64::from(layout.data) * u64::from(layout.micro_batch_sequences);
        if !batch.is_multiple_of(per_micro_batch) {
            return Err(format!("{batch} sequences are not whole micro-batches of {per_micro_batch}; plan again."));
        }
        let architecture = request.model.architecture();
        let chunks = chunk_layers(architecture.layers, layout.pipeline, layout.virtual_pipeline)
            .ok_or_else(|| format!("{} layers can't be placed on the stages; plan again.", architecture.layers))?;
        let job = Job::new(architecture.clone(), request.context_length, request.method, request.optimizer, batch);
        let inputs = Inputs::of(request);
        let failures = crate::advice::failures(&inputs, f64::from(cluster.gpus), job.checkpoint_bytes());
        Ok(Self {
            plan,
            tier,
            cluster,
            estimate,
            build,
            layout,
            accelerator,
            fabric,
            vendor: vendor(accelerator),
            precision: effective_precision(accelerator, request.precision),
            batch,
            micro_batches: batch / per_micro_batch,
            steps: request.training_tokens.div_ceil(batch * request.context_length),
            chunks,
            reliability: reliability(&taken_away(tier, &inputs, cluster, failures)),
            job,
            architecture,
            inputs,
        })
    }

    pub(super) fn request(&self) -> &'a PlanRequest {
        &self.plan.request
    }

    /// Steps between checkpoints: the plan's interval in whole steps, at least one.
    pub(super) fn checkpoint_steps(&self) -> u64 {
        (self.reliability.interval_seconds / self.estimate.step_seconds).round().max(1.0) as u64
    }

    /// What the plan expects of a metric that a team watches.
    pub(super) fn health(&self, metric: &str) -> Option<&'a HealthMetric> {
        self.plan.utilization.health.iter().find(|h| h.metric == metric)
    }

    /// The scale-up link joins several servers.
    pub(super) fn is_rack(&self) -> bool {
        self.accelerator.scale_up_domain > self.accelerator.gpus_per_node && self.vendor == Vendor::Nvidia
    }

    /// All devices are in one scale-up domain or server: no network between servers carries training traffic.
    pub(super) fn is_inside(&self) -> bool {
        self.cluster.gpus <= domain(self.accelerator, self.cluster.gpus_per_node)
    }

    /// 16-bit format of everything that is not in fewer bits: bf16, or fp16 on devices without it.
    pub(super) fn is_fp16(&self) -> bool {
        self.accelerator.bf16_tflops.note.as_deref().is_some_and(|n| n.starts_with("fp16 tensor rate"))
    }

    /// Ranks that split the matrices of one expert.
    pub(super) fn expert_tensor(&self) -> u32 {
        self.job.expert_tensor(self.layout.tensor, self.layout.expert)
    }
}

/// Failures of the way of acquiring that the plan counts: on spot, machines are taken away too.
fn taken_away(tier: &TierPlan, inputs: &Inputs, cluster: &Cluster, failures: FailureInputs) -> FailureInputs {
    let spot = tier.cost.as_ref().is_some_and(|c| c.acquisition == Acquisition::Spot);
    if !spot {
        return failures;
    }
    let taken_away_per_hour = inputs.spot_interruptions_per_hour.value() * f64::from(cluster.nodes);
    FailureInputs { taken_away_per_hour, ..failures }
}

fn vendor(accelerator: &Accelerator) -> Vendor {
    match accelerator.vendor.as_str() {
        "AMD" => Vendor::Amd,
        "Intel" => Vendor::Gaudi,
        "Google" => Vendor::Tpu,
        "AWS" => Vendor::Trainium,
        _ => Vendor::Nvidia,
    }
}

impl Vendor {
    /// Why software of CUDA and ROCm can't be configured for it; `None` where it can.
    pub(super) fn refuses(self, software: &str) -> Option<String> {
        let instead = match self {
            Vendor::Nvidia | Vendor::Amd => return None,
            Vendor::Gaudi => "the maker's own forks of Megatron-LM and DeepSpeed",
            Vendor::Tpu => "JAX with MaxText",
            Vendor::Trainium => "the maker's Neuron libraries",
        };
        Some(format!(
            "{software} does not run on this accelerator; use {instead}, which no file here is checked against."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Form;
    use serde_json::{Value, json};

    fn plan(value: Value) -> Plan {
        crate::plan(&PlanRequest::parse(&value, Form::Json).expect("a request"))
    }

    #[test]
    fn failures_are_those_of_the_plan() {
        let plan = plan(json!({"model": {"parameters_billion": 7}, "accelerators": ["h100-sxm"], "max_gpus": 32,
            "acquisition": ["on_demand", "buy"], "deadline_days": 10}));
        let run = Run::of(&plan).expect("a cluster");
        let expected = |metric: &str| run.health(metric).expect("a metric").expected;
        assert_eq!(run.reliability.interval_seconds, expected("checkpoint_interval_seconds"));
        assert_eq!(168.0 / run.reliability.mtbf_hours, expected("interruptions_per_week"));
        assert_eq!(Some(run.reliability.goodput), run.tier.goodput);
    }

    #[test]
    fn on_spot_machines_are_taken_away_as_the_plan_counts_it() {
        let plan = plan(json!({"model": {"parameters_billion": 7}, "accelerators": ["h100-sxm"], "max_gpus": 64,
            "acquisition": ["spot"], "deadline_days": 20}));
        let run = Run::of(&plan).expect("a cluster");
        let goodput = run.tier.goodput.expect("a goodput");
        assert!((run.reliability.goodput - goodput).abs() < 1e-9, "{} and {goodput}", run.reliability.goodput);
        assert!(168.0 / run.reliability.mtbf_hours > run.health("interruptions_per_week").expect("a metric").expected);
    }

    #[test]
    fn the_batch_is_whole_micro_batches() {
        let plan = plan(json!({"model": {"preset": "mixtral-8x7b"}, "accelerators": ["h200-sxm"], "max_gpus": 64,
            "deadline_days": 30}));
        let run = Run::of(&plan).expect("a cluster");
        let l = run.layout;
        assert_eq!(run.batch, u64::from(l.data * l.micro_batch_sequences) * run.micro_batches);
        assert_eq!(run.chunks.iter().sum::<u32>(), run.architecture.layers);
    }
}
