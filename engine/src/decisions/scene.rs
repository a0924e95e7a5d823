//! The plan that is decided about, and searches of single clusters beside it.

use crate::answer::{Cluster, Estimate, Plan, TierPlan};
use crate::catalog::{Accelerator, Calibration, Catalog, Fabric};
use crate::economics::bill;
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;
use crate::operation::network::{self, NetworkBuild};
use crate::operation::power;
use crate::operation::storage::{StorageNeed, storage_need};
use crate::performance::{BatchRule, Found, Job, Links, Machine, Pipelines, Search, domain, reference_network};
use crate::request::{LayoutRequest, PlanRequest, Precision, Sharding};
use crate::units::Bytes;

/// What all decisions look at.
pub(super) struct Scene<'a> {
    pub plan: &'a Plan,
    pub request: &'a PlanRequest,
    pub inputs: Inputs,
    pub job: Job,
    pub tier: &'a TierPlan,
    pub cluster: &'a Cluster,
    pub estimate: &'a Estimate,
    pub accelerator: &'static Accelerator,
}

/// One cluster to search.
pub(super) struct Ask<'a> {
    pub accelerator: &'a Accelerator,
    pub fabric: &'a Fabric,
    /// Rate per device, Gb/s.
    pub gbps: f64,
    pub gpus: u32,
    pub precision: Precision,
}

impl<'a> Scene<'a> {
    /// `None` where the plan shows no cluster that fits, or a stored plan names what is no longer known.
    pub(super) fn of(plan: &'a Plan) -> Option<Self> {
        let tier = plan.shown()?;
        let cluster = tier.cluster.as_ref()?;
        let estimate = tier.estimate.as_ref().filter(|e| e.fits)?;
        let request = &plan.request;
        Some(Self {
            plan,
            request,
            inputs: Inputs::of(request),
            job: job_of(request),
            tier,
            cluster,
            estimate,
            accelerator: Catalog::get().accelerator(&cluster.accelerator)?,
        })
    }

    /// The fastest layout of a cluster that fits; `None` where none does.
    pub(super) fn search(&self, ask: &Ask<'_>) -> Option<Found> {
        search(self.request, &self.job, ask)
    }

    /// Tokens per second of a cluster; `None` where the model doesn't fit.
    pub(super) fn tokens_per_second(&self, ask: &Ask<'_>) -> Option<f64> {
        self.search(ask).map(|found| found.tokens_per_second(&self.job))
    }

    /// The cluster of the plan on another fabric.
    pub(super) fn on<'b>(&'b self, fabric: &'b Fabric) -> Ask<'b> {
        Ask {
            accelerator: self.accelerator,
            fabric,
            gbps: self.cluster.network_gbps_per_gpu,
            gpus: self.cluster.gpus,
            precision: self.request.precision,
        }
    }

    /// One server or rack domain of an accelerator, which needs no network.
    pub(super) fn one_node<'b>(&self, accelerator: &'b Accelerator, gpus: u32) -> Option<Ask<'b>> {
        Some(Ask {
            accelerator,
            fabric: Catalog::get().fabric(&self.cluster.fabric)?,
            gbps: reference_network(accelerator),
            gpus,
            precision: self.request.precision,
        })
    }

    pub(super) fn nodes(&self) -> f64 {
        f64::from(self.cluster.nodes)
    }

    /// Days at a rate, with the goodput of the plan.
    pub(super) fn days(&self, tokens_per_second: f64) -> f64 {
        let goodput = self.tier.goodput.unwrap_or(1.0).max(1e-9);
        self.request.training_tokens as f64 / (tokens_per_second * goodput) / 86_400.0
    }

    fn storage(&self) -> StorageNeed {
        storage_of(self.request, &self.inputs, &self.job, self.cluster.gpus)
    }

    /// The network of the cluster on a fabric, as a request shapes it.
    pub(super) fn network(&self, request: &PlanRequest, fabric: &str) -> Option<NetworkBuild> {
        let gbps = self.cluster.network_gbps_per_gpu;
        network::build(request, self.accelerator, fabric, gbps, self.cluster.gpus)
    }

    /// Owning the cluster with a network; `None` where its servers have no price.
    pub(super) fn own(&self, network: Option<&NetworkBuild>) -> Option<Ownership> {
        let gpus = self.cluster.gpus;
        let bill = bill::bill(self.request, &self.inputs, self.accelerator, gpus, network, &self.storage())?;
        let kw = power::nameplate_kw(self.accelerator, f64::from(gpus))?;
        Some(Ownership::new(&self.inputs, &bill, f64::from(gpus), self.nodes(), kw))
    }

    /// Weights, gradients and optimizer states, each once, GiB.
    pub(super) fn state_gib(&self) -> f64 {
        let bytes = self.job.state_bytes(Sharding::Full, self.request.software.stack);
        Bytes(self.job.shape.parameters as f64 * (bytes.weights + bytes.gradients + bytes.optimizer)).gib()
    }

    /// The data set, TB.
    pub(super) fn dataset_tb(&self) -> f64 {
        self.storage().dataset_tb
    }
}

/// What a request trains.
pub(crate) fn job_of(request: &PlanRequest) -> Job {
    Job::new(
        request.model.architecture(),
        request.context_length,
        request.method,
        request.optimizer,
        request.global_batch_sequences(),
    )
    .with_host_offload(request.host_offload)
}

/// The shared storage of a cluster that trains it.
pub(crate) fn storage_of(request: &PlanRequest, inputs: &Inputs, job: &Job, gpus: u32) -> StorageNeed {
    storage_need(
        request.training_tokens as f64,
        Catalog::get().costs.bytes_per_token.value,
        job.checkpoint_bytes(),
        inputs.storage_rates(f64::from(gpus)),
    )
}

/// The fastest layout of one cluster that fits, as the plan searches it.
pub(super) fn search(request: &PlanRequest, job: &Job, ask: &Ask<'_>) -> Option<Found> {
    let a = ask.accelerator;
    let links = Links { fabric: ask.fabric, network_gbps: ask.gbps, domain: domain(a, a.gpus_per_node) };
    let factor = request.overrides.efficiency.get(&a.id).copied().unwrap_or(1.0);
    let machine = Machine::new(Calibration::get(), a, &links, ask.precision, request.software, factor);
    let open = LayoutRequest::default();
    let pipelines = Pipelines::new(job, &open, BatchRule::Nearest, ask.gpus);
    Search::new(&machine, job, open, &pipelines, ask.gpus).best(ask.gpus)
}
