//! Every cluster that could do the job: accelerator × network × number of nodes, each with its best layout.

use super::acquire::{self, Acquired};
use crate::answer::TierPlan;
use crate::catalog::{Accelerator, Basis, Calibration, Catalog};
use crate::economics::bill;
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;
use crate::economics::rental::{Rental, rentals};
use crate::operation::network::{self, NetworkBuild};
use crate::operation::storage::{StorageNeed, storage_need};
use crate::operation::{power, reliability};
use crate::performance::{
    BatchRule, Found, Job, Links, Machine, Pipelines, Search, domain, effective_precision, estimate_of,
    reference_network,
};
use crate::request::{Acquisition, LayoutRequest, PlanRequest, Precision};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// A cluster with its best layout and every way of having it.
pub(super) struct Sized {
    pub accelerator: &'static Accelerator,
    pub fabric: String,
    pub network_gbps: f64,
    pub gpus: u32,
    pub nodes: u32,
    pub found: Found,
    pub estimate: crate::Estimate,
    pub mfu: f64,
    pub tokens_per_second: f64,
    /// Failures and checkpoints when no machine is taken away.
    pub reliability: reliability::Reliability,
    pub network: Option<NetworkBuild>,
    pub storage: StorageNeed,
    pub own: Option<Ownership>,
    /// Draw at the facility while training, kW.
    pub power_kw: f64,
    pub options: Vec<Acquired>,
    /// Index into the field's rentals.
    pub group: usize,
}

/// All clusters of a request.
pub(super) struct Field {
    pub sized: Vec<Sized>,
    pub job: Job,
    pub evaluated: u64,
    /// Accelerators that lack the precision that was asked for.
    pub precision_fallbacks: Vec<(&'static Accelerator, Precision)>,
    groups: Vec<Group>,
    pipelines: Pipelines,
}

/// What the search of one group has found.
#[derive(Default)]
struct Searched {
    sized: Vec<Sized>,
    evaluated: u64,
}

/// An accelerator on one network, with the numbers of nodes that it can be had in.
struct Group {
    accelerator: &'static Accelerator,
    profile: Profile,
    nodes: Vec<u32>,
}

/// A network that clusters of an accelerator can be had with.
struct Profile {
    fabric: String,
    gbps: f64,
    owned: bool,
    rentals: Vec<Rental>,
}

impl Profile {
    /// What can cross the worst halving of a bought network over what half the devices can send: all of their traffic
    /// is held to it, though neighbors in a ring do better. Below 1 only for a topology or an oversubscription that the
    /// request asks for.
    fn open_share(&self, request: &PlanRequest, accelerator: &Accelerator, gpus: u32) -> f64 {
        if !self.owned || !request.overrides.shapes_network() {
            return 1.0;
        }
        let network = network::build(request, accelerator, &self.fabric, self.gbps, gpus);
        network.map_or(1.0, |n| (n.bisection_gbps() / n.half_of_devices_gbps().max(1e-9)).min(1.0))
    }
}

/// Clusters that are computed again, without a search for others.
pub(super) struct Held {
    /// Accelerator and number of nodes of each.
    pub clusters: Vec<(String, u32)>,
    /// Times the price of every rental.
    pub rental_factor: f64,
}

impl Held {
    fn holds(&self, accelerator: &Accelerator, nodes: u32) -> bool {
        self.clusters.iter().any(|(id, held)| *id == accelerator.id && *held == nodes)
    }
}

impl Field {
    /// Searches everything that the request allows.
    pub(super) fn search(request: &PlanRequest, inputs: &Inputs) -> Self {
        Self::among(request, inputs, None)
    }

    /// Computes the clusters that are held, on every network and in every way that the request allows.
    pub(super) fn hold(request: &PlanRequest, inputs: &Inputs, held: &Held) -> Self {
        Self::among(request, inputs, Some(held))
    }

    fn among(request: &PlanRequest, inputs: &Inputs, held: Option<&Held>) -> Self {
        let catalog = Catalog::get();
        let job = Job::new(
            request.model.architecture(),
            request.context_length,
            request.method,
            request.optimizer,
            request.global_batch_sequences(),
        )
        .with_host_offload(request.host_offload);
        let open = LayoutRequest::default();
        let largest = u32::try_from(request.max_gpus).unwrap_or(u32::MAX);
        let pipelines = Pipelines::new(&job, &open, BatchRule::Nearest, largest);
        let mut field = Self {
            sized: Vec::new(),
            job,
            evaluated: 0,
            precision_fallbacks: Vec::new(),
            groups: Vec::new(),
            pipelines,
        };
        for accelerator in &catalog.accelerators {
            let measured = Calibration::get().gemm(&accelerator.id).basis == Basis::Measured;
            // without a published run behind its efficiency, an accelerator is planned only when it is named
            let wanted =
                if request.accelerators.is_empty() { measured } else { request.accelerators.contains(&accelerator.id) };
            if !wanted {
                continue;
            }
            let precision = effective_precision(accelerator, request.precision);
            if precision != request.precision {
                field.precision_fallbacks.push((accelerator, precision));
            }
            for mut profile in profiles(request, accelerator) {
                for rental in &mut profile.rentals {
                    rental.price = rental.price.map(|usd| usd * held.map_or(1.0, |h| h.rental_factor));
                }
                let of = |nodes: &u32| {
                    let gpus = nodes * accelerator.gpus_per_node;
                    held.is_none_or(|h| h.holds(accelerator, *nodes))
                        && (profile.owned || profile.rentals.iter().any(|r| r.can_hold(gpus)))
                };
                let nodes = node_counts(accelerator, request.max_gpus).into_iter().filter(of).collect();
                field.groups.push(Group { accelerator, profile, nodes });
            }
        }
        // groups know nothing of each other; their order is kept
        let searched: Vec<Searched> = (0..field.groups.len())
            .into_par_iter()
            .map(|index| field.search_group(request, inputs, index, None))
            .collect();
        searched.into_iter().for_each(|searched| field.take(searched));
        for tier in &catalog.tiers {
            field.come_nearest(request, inputs, tier.min_nodes..=tier.max_nodes.unwrap_or(u32::MAX));
        }
        field
    }

    /// Where nothing fits in a tier, says how near the cluster with the most memory comes.
    fn come_nearest(&mut self, request: &PlanRequest, inputs: &Inputs, tier: RangeInclusive<u32>) {
        if self.sized.iter().any(|s| tier.contains(&s.nodes)) {
            return;
        }
        let memory = |group: &Group, nodes: u32| {
            f64::from(nodes * group.accelerator.gpus_per_node) * group.accelerator.usable_gib.value
        };
        let largest = |group: &Group| group.nodes.iter().rev().find(|n| tier.contains(n)).copied();
        let candidates = self.groups.iter().enumerate().filter_map(|(i, g)| largest(g).map(|n| (i, n, memory(g, n))));
        if let Some((index, nodes, _)) = candidates.max_by(|a, b| a.2.total_cmp(&b.2)) {
            let searched = self.search_group(request, inputs, index, Some(nodes));
            self.take(searched);
        }
    }

    /// Finds the best layout for each size of a group, or the leanest for one size of which none fits.
    fn search_group(&self, request: &PlanRequest, inputs: &Inputs, index: usize, leanest: Option<u32>) -> Searched {
        let mut searched = Searched::default();
        let group = &self.groups[index];
        let accelerator = group.accelerator;
        let sizes = leanest.map_or_else(|| group.nodes.clone(), |nodes| vec![nodes]);
        let fabric = Catalog::get().fabric(&group.profile.fabric);
        let (Some(fabric), Some(most)) = (fabric, sizes.last()) else { return searched };
        let factor = request.overrides.efficiency.get(&accelerator.id).copied().unwrap_or(1.0);
        let machine = |open_share: f64| {
            let (network_gbps, domain) =
                (group.profile.gbps * open_share, domain(accelerator, accelerator.gpus_per_node));
            let links = Links { fabric, network_gbps, domain };
            Machine::new(Calibration::get(), accelerator, &links, request.precision, request.software, factor)
        };
        let open = LayoutRequest::default();
        let unblocked = machine(1.0);
        let largest = most * accelerator.gpus_per_node;
        let mut for_all = Search::new(&unblocked, &self.job, open, &self.pipelines, largest);
        let mut take = |machine: &Machine, search: &mut Search<'_>, gpus: u32| {
            let before = search.evaluated;
            let found = if leanest.is_some() { search.leanest(gpus) } else { search.best(gpus) };
            let here = search.evaluated - before;
            searched.evaluated += here;
            let Some(found) = found else { return };
            let estimate = estimate_of(machine, &self.job, &found, here);
            searched.sized.push(size(request, inputs, group, &self.job, gpus, found, estimate, index));
        };
        for nodes in sizes {
            let gpus = nodes * accelerator.gpus_per_node;
            let open_share = group.profile.open_share(request, accelerator, gpus);
            if open_share < 1.0 {
                let blocked = machine(open_share);
                let mut search = Search::new(&blocked, &self.job, open, &self.pipelines, gpus);
                take(&blocked, &mut search, gpus);
            } else {
                take(&unblocked, &mut for_all, gpus);
            }
        }
        searched
    }

    fn take(&mut self, searched: Searched) {
        self.evaluated += searched.evaluated;
        self.sized.extend(searched.sized);
    }

    /// Rental offers of a cluster's profile.
    pub(super) fn rentals(&self, sized: &Sized) -> &[Rental] {
        &self.groups[sized.group].profile.rentals
    }

    /// The cluster behind a tier of the answer: of those that look alike, the one that is had as the tier says.
    pub(super) fn find(&self, tier: &TierPlan) -> Option<&Sized> {
        let cluster = tier.cluster.as_ref()?;
        let alike = |s: &&Sized| {
            s.fabric == cluster.fabric
                && s.network_gbps == cluster.network_gbps_per_gpu
                && s.accelerator.id == cluster.accelerator
                && s.gpus == cluster.gpus
        };
        let had = |s: &&Sized| {
            let cost = tier.cost.as_ref();
            cost.is_none_or(|c| s.options.iter().any(|o| o.label == c.label))
        };
        let alike = || self.sized.iter().filter(alike);
        alike().find(had).or_else(|| alike().next())
    }
}

#[expect(clippy::too_many_arguments, reason = "one cluster is put together from everything around it")]
fn size(
    request: &PlanRequest,
    inputs: &Inputs,
    group: &Group,
    job: &Job,
    gpus: u32,
    found: Found,
    estimate: crate::Estimate,
    index: usize,
) -> Sized {
    let (accelerator, profile) = (group.accelerator, &group.profile);
    let nodes = gpus / accelerator.gpus_per_node;
    let devices = f64::from(gpus);
    let checkpoint_bytes = job.checkpoint_bytes();
    let failures = acquire::failures(inputs, devices, checkpoint_bytes);
    let storage = storage_need(
        request.training_tokens as f64,
        Catalog::get().costs.bytes_per_token.value,
        checkpoint_bytes,
        inputs.storage_rates(devices),
    );
    let network = network::build(request, accelerator, &profile.fabric, profile.gbps, gpus);
    let nameplate = power::nameplate_kw(accelerator, devices);
    let own = (profile.owned && request.allows(Acquisition::Buy))
        .then(|| bill::bill(request, inputs, accelerator, gpus, network.as_ref(), &storage))
        .flatten()
        .zip(nameplate)
        .map(|(bill, kw)| Ownership::new(inputs, &bill, devices, f64::from(nodes), kw));
    let tokens_per_second = found.tokens_per_second(job);
    let mut sized = Sized {
        accelerator,
        fabric: profile.fabric.clone(),
        network_gbps: profile.gbps,
        gpus,
        nodes,
        mfu: estimate.mfu,
        tokens_per_second,
        reliability: reliability::reliability(&failures),
        network,
        storage,
        power_kw: nameplate.unwrap_or(0.0)
            * inputs.server_overhead.value()
            * inputs.load_factor.value()
            * inputs.pue.value(),
        own,
        found,
        estimate,
        options: Vec::new(),
        group: index,
    };
    if sized.found.fits {
        sized.options = acquire::options(request, inputs, &sized, &profile.rentals, &failures);
    }
    sized
}

/// The networks that an accelerator can be had with: the reference one when bought, and those of the offers.
fn profiles(request: &PlanRequest, accelerator: &'static Accelerator) -> Vec<Profile> {
    let mut profiles: Vec<Profile> = Vec::new();
    let reference = reference_network(accelerator);
    let buyable = request.allows(Acquisition::Buy)
        && (accelerator.system_usd.is_some() || request.overrides.server_usd.contains_key(&accelerator.id));
    if buyable {
        let fabric = if accelerator.vendor == "NVIDIA" { "infiniband" } else { "roce" };
        profiles.push(Profile { fabric: fabric.into(), gbps: reference, owned: true, rentals: Vec::new() });
    }
    for rental in rentals(request, accelerator) {
        // an offer that doesn't say has the network of the reference system
        let owned_fabric = profiles.first().filter(|p| p.owned).map(|p| p.fabric.clone());
        let (fabric, gbps) = match (&rental.fabric, rental.fabric_assumed) {
            (_, true) => (owned_fabric.unwrap_or_else(|| "infiniband".into()), reference),
            (Some(fabric), false) => (fabric.clone(), rental.network_gbps),
            (None, false) => (owned_fabric.unwrap_or_else(|| "infiniband".into()), reference),
        };
        // a network of the request's own shape is the buyer's, not the provider's
        let shared = |p: &&mut Profile| !(p.owned && request.overrides.shapes_network());
        match profiles.iter_mut().filter(shared).find(|p| p.fabric == fabric && (p.gbps - gbps).abs() < 0.5) {
            Some(profile) => profile.rentals.push(rental),
            None => profiles.push(Profile { fabric, gbps, owned: false, rentals: vec![rental] }),
        }
    }
    profiles
}

/// Numbers of nodes: each of the two small tiers, then steps of a quarter to a third; whole racks for racks.
fn node_counts(accelerator: &Accelerator, max_gpus: u64) -> Vec<u32> {
    let per_node = u64::from(accelerator.gpus_per_node);
    let limit = (max_gpus / per_node).min(u64::from(u32::MAX)) as u32;
    let mut counts: Vec<u32> = (1..=16).collect();
    let mut size = 16;
    while size < limit {
        for step in [size * 5 / 4, size * 3 / 2, size * 7 / 4, size * 2] {
            counts.push(step);
        }
        size *= 2;
    }
    if accelerator.scale_up_domain > accelerator.gpus_per_node {
        let trays = accelerator.scale_up_domain / accelerator.gpus_per_node;
        let mut racks = 1;
        while racks * trays <= limit {
            counts.push(racks * trays);
            racks = (racks * 5).div_ceil(4).max(racks + 1);
        }
    }
    counts.retain(|n| *n <= limit);
    counts.sort_unstable();
    counts.dedup();
    counts
}
