//! Clusters counted part by part, whatever the planner would recommend.

use super::cases::Cases;
use super::check::{Span, compare};
use super::data::{BuildData, Data};
use super::{Case, Outcome};
use crate::catalog::{Catalog, Range};
use crate::decisions::{job_of, storage_of};
use crate::economics::bill;
use crate::economics::cents;
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;
use crate::operation::network;
use crate::operation::power;
use crate::performance::reference_network;
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a counted cluster costs today.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildCost {
    /// Purchase of everything, USD.
    pub capital_usd: Range,
    /// Of it, the servers without spares, USD.
    pub servers_usd: Range,
    /// Of it, switches, transceivers and cables between servers with their installation, USD; 0 for one server.
    pub network_usd: Range,
    /// Capital as an annuity over the life of the hardware, less its residual value, USD per month.
    pub annuity_usd_per_month: Range,
    /// Electricity of the IT and its cooling at the utilization of the case, USD per month.
    pub energy_usd_per_month: Range,
    /// Of it, what the facility takes on top of the IT, USD per month.
    pub cooling_usd_per_month: Range,
    /// Of it, the IT alone, USD per month.
    pub it_energy_usd_per_month: Range,
    /// Hardware support, USD per month.
    pub support_usd_per_month: Range,
    /// Everything but the capital: electricity, place, support, insurance, software, staff, USD per month.
    pub running_usd_per_month: Range,
    /// Capital and running cost per device-hour that is owned, used or not, USD.
    pub usd_per_owned_gpu_hour: Range,
    /// Capital and running cost per device-hour that holds work, USD.
    pub usd_per_used_gpu_hour: Range,
    /// Maximum draw of the servers, kW.
    pub servers_kw: f64,
    /// Memory of all devices, GB (1e9 bytes).
    pub memory_gb: f64,
    /// Switches between the servers.
    pub switches: f64,
}

/// A cluster that a field report recommends, with its price then and its cost today.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReferenceBuild {
    /// Stable identifier.
    pub id: String,
    /// Name for people, such as `4 nodes of 8 H200 with 400 Gb/s Ethernet`.
    pub name: String,
    /// What the field report says it is for, in our words.
    pub said_for: String,
    /// Accelerator id.
    pub accelerator: String,
    /// Devices.
    pub gpus: u32,
    /// Servers.
    pub nodes: u32,
    /// Fabric id.
    pub fabric: String,
    /// Opens the planner on this cluster.
    pub planner: Case,
    /// What a reader of that page must know.
    pub note: Option<String>,
    /// Cost today, by this engine and catalog.
    pub cost: BuildCost,
    /// Purchase price that the field report gives, USD.
    pub said_usd: Option<Span>,
    /// How that price stands to `cost.capital_usd`.
    pub outcome: Outcome,
    /// The larger over the smaller; null where they agree.
    pub ratio: Option<f64>,
}

/// The clusters with their costs, each counted at most once.
pub(super) struct Builds<'a> {
    data: &'a Data,
    cases: &'a Cases<'a>,
    costs: RefCell<BTreeMap<String, Option<BuildCost>>>,
}

impl<'a> Builds<'a> {
    pub(super) fn new(data: &'a Data, cases: &'a Cases<'a>) -> Self {
        Self { data, cases, costs: RefCell::default() }
    }

    fn build(&self, id: &str) -> Option<&'a BuildData> {
        self.data.builds.iter().find(|b| b.id == id)
    }

    pub(super) fn name(&self, id: &str) -> Option<&'a str> {
        self.build(id).map(|b| b.name.as_str())
    }

    fn cost(&self, id: &str) -> Option<BuildCost> {
        if let Some(known) = self.costs.borrow().get(id) {
            return *known;
        }
        let cost = self.build(id).and_then(|b| count(b, &self.cases.plan_request(&b.case)?));
        self.costs.borrow_mut().insert(id.to_owned(), cost);
        cost
    }

    /// A figure of a cluster by its field, with its unit.
    pub(super) fn figure(&self, id: &str, field: &str) -> Option<(Range, &'static str)> {
        let cost = self.cost(id)?;
        let per_month = |range| Some((range, "USD/month"));
        match field {
            "capital_usd" => Some((cost.capital_usd, "USD")),
            "servers_usd" => Some((cost.servers_usd, "USD")),
            "network_usd" => Some((cost.network_usd, "USD")),
            "annuity_usd_per_month" => per_month(cost.annuity_usd_per_month),
            "energy_usd_per_month" => per_month(cost.energy_usd_per_month),
            "cooling_usd_per_month" => per_month(cost.cooling_usd_per_month),
            "it_energy_usd_per_month" => per_month(cost.it_energy_usd_per_month),
            "support_usd_per_month" => per_month(cost.support_usd_per_month),
            "running_usd_per_month" => per_month(cost.running_usd_per_month),
            "usd_per_owned_gpu_hour" => Some((cost.usd_per_owned_gpu_hour, "USD/GPU-h")),
            "usd_per_used_gpu_hour" => Some((cost.usd_per_used_gpu_hour, "USD/GPU-h")),
            "servers_kw" => Some((Range::exactly(cost.servers_kw), "kW")),
            "memory_gb" => Some((Range::exactly(cost.memory_gb), "GB")),
            "switches" => Some((Range::exactly(cost.switches), "")),
            _ => None,
        }
    }
}

/// Counts a cluster; `None` where no price or power of its servers is known.
fn count(build: &BuildData, request: &PlanRequest) -> Option<BuildCost> {
    let catalog = Catalog::get();
    let accelerator = catalog.accelerator(&build.accelerator)?;
    let inputs = Inputs::of(request);
    let gpus = f64::from(build.gpus);
    let storage = storage_of(request, &inputs, &job_of(request), build.gpus);
    let gbps = reference_network(accelerator);
    let network = network::build(request, accelerator, &build.fabric, gbps, build.gpus);
    let bill = |n| bill::bill(request, &inputs, accelerator, build.gpus, n, &storage);
    let (with, without) = (bill(network.as_ref())?, bill(None)?);
    let nodes = build.gpus / accelerator.gpus_per_node.max(1);
    let kw = power::nameplate_kw(accelerator, gpus)?;
    let own = Ownership::new(&inputs, &with, gpus, f64::from(nodes), kw);
    let used = request.utilization;
    let part = |key: &str| own.parts.iter().find(|p| p.key == key).map_or(Range::exactly(0.0), |p| p.month).map(cents);
    let energy = own.energy_busy_month.map(|e| e * used).plus(own.energy_idle_month.map(|e| e * (1.0 - used)));
    let pue = inputs.pue.range;
    let it = Range { low: energy.low / pue.low, typical: energy.typical / pue.typical, high: energy.high / pue.high };
    let cooling = Range { low: energy.low - it.low, typical: energy.typical - it.typical, high: energy.high - it.high };
    let per_hour = |utilization: f64| own.month(used).map(|usd| usd / (gpus * HOURS_PER_MONTH * utilization));
    let (all, rest) = (with.total, without.total);
    let over = |a: f64, b: f64| cents((a - b).max(0.0));
    Some(BuildCost {
        capital_usd: all,
        servers_usd: with.servers.map(cents),
        network_usd: Range {
            low: over(all.low, rest.low),
            typical: over(all.typical, rest.typical),
            high: over(all.high, rest.high),
        },
        annuity_usd_per_month: own.annuity_month().map(cents),
        energy_usd_per_month: energy.map(cents),
        cooling_usd_per_month: cooling.map(cents),
        it_energy_usd_per_month: it.map(cents),
        support_usd_per_month: part("support"),
        running_usd_per_month: own.running_range(used).map(cents),
        usd_per_owned_gpu_hour: per_hour(1.0),
        usd_per_used_gpu_hour: per_hour(used),
        servers_kw: kw,
        memory_gb: gpus * accelerator.memory_gb.value,
        switches: network.map_or(0.0, |n| n.shape.switches() as f64),
    })
}

/// The clusters that the field reports recommend.
pub(super) fn references(data: &Data, cases: &Cases<'_>) -> Vec<ReferenceBuild> {
    let builds = Builds::new(data, cases);
    let reference = |b: &BuildData| {
        let cost = builds.cost(&b.id)?;
        let per_node = Catalog::get().accelerator(&b.accelerator)?.gpus_per_node.max(1);
        let said_usd = b.said_usd.as_deref().and_then(|ends| match ends {
            [least] => Some(Span { low: *least, high: None }),
            [low, high] => Some(Span { low: *low, high: Some(*high) }),
            _ => None,
        });
        // of an open end, the least is what a reader plans with
        let planned = said_usd.map(|s| Span { high: Some(s.high.unwrap_or(s.low)), ..s });
        let (outcome, ratio) = planned.map_or((Outcome::Shown, None), |s| compare(s, cost.capital_usd, 0.1));
        Some(ReferenceBuild {
            id: b.id.clone(),
            name: b.name.clone(),
            said_for: b.said_for.clone()?,
            accelerator: b.accelerator.clone(),
            gpus: b.gpus,
            nodes: b.gpus / per_node,
            fabric: b.fabric.clone(),
            planner: cases.case(&b.case)?,
            note: b.note.clone(),
            cost,
            said_usd,
            outcome,
            ratio,
        })
    };
    data.builds.iter().filter_map(reference).collect()
}
