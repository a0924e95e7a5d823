//! The lines of a bill, each with its source and why it is that many.

use super::items::{Item, Kind, Level, Place};
use super::{Bill, Cluster};
use crate::answer::BillLine;
use crate::catalog::{Catalog, Figure, Optic};
use crate::economics::inputs::{GIVEN, Input, Inputs};
use crate::operation::describe;
use crate::operation::network::cabling::LinkClass;
use crate::operation::network::why;
use crate::request::PlanRequest;
use crate::request::overrides::items as id;
use crate::units::grouped;

/// The line for what is a share of the hardware.
const INSTALLATION: &str = "Racks, power distribution, installation, freight";
/// The line that holds drives and nodes.
const STORAGE: &str = "Shared flash storage";
/// Spares above this share of the systems, percent, are there because they are whole (judgement).
const MUCH_SPARE: f64 = 10.0;
/// Source of a quantity without a price.
const NO_PRICE: &str = "no price found";

/// Name, unit, source, date and reason of one line.
struct Words {
    item: String,
    unit: &'static str,
    source: String,
    as_of: String,
    included_in: Option<&'static str>,
    why: String,
}

impl Bill {
    /// The lines, in the order of the counts.
    pub(crate) fn lines(&self, request: &PlanRequest, inputs: &Inputs) -> Vec<BillLine> {
        let line = |item: &Item| {
            let mut words = words(request, inputs, &self.cluster, item);
            let price_key = price_key(&self.cluster, item);
            if item.quoted {
                let (source, as_of) = request.quotes.source(price_key.as_deref().unwrap_or_default());
                words = Words { source, as_of, included_in: None, ..words };
            }
            BillLine {
                price_key,
                item: words.item,
                quantity: item.quantity,
                unit: words.unit.into(),
                unit_usd: item.unit,
                total_usd: item.total(),
                included_in: words.included_in.map(str::to_owned),
                source: words.source,
                as_of: words.as_of,
                why: words.why,
            }
        };
        self.items.iter().map(line).collect()
    }
}

/// Path under `overrides` of the price of one.
fn price_key(cluster: &Cluster, item: &Item) -> Option<String> {
    match item.kind {
        Kind::Servers | Kind::Spares => Some(format!("server_usd.{}", cluster.accelerator.id)),
        Kind::NetworkShare(_) => Some("network_share_of_capital".into()),
        Kind::Storage => Some("storage_usd_per_tb".into()),
        Kind::Installation if !item.quoted => Some("installation_share".into()),
        Kind::Tax => Some("tax_share".into()),
        kind => kind.price_id(cluster).map(|id| format!("item_usd.{id}")),
    }
}

fn words(request: &PlanRequest, inputs: &Inputs, cluster: &Cluster, item: &Item) -> Words {
    let accelerator = cluster.accelerator;
    let systems = cluster.systems();
    let catalog = Catalog::get();
    let own = |id: &str| request.overrides.item_usd.contains_key(id);
    let held = |name: &str, unit: &'static str, within: &'static str, price: &Input, of: &Figure, why: String| {
        if item.quoted {
            Words::of(name.into(), unit, of, why)
        } else {
            Words::held(name, unit, within, price, of, why)
        }
    };
    match item.kind {
        Kind::Servers => {
            let (source, as_of) = server_source(request, cluster);
            let cards = match accelerator.network_gbps_per_gpu {
                Some(_) => "; network cards are part of the system",
                None => "",
            };
            let why = format!("{} devices, {} in each{cards}", grouped(cluster.gpus), accelerator.system_gpus);
            Words::new(accelerator.system.clone(), "system", source, as_of, why)
        }
        Kind::Spares => {
            let (source, as_of) = server_source(request, cluster);
            let share = inputs.spare_share.value() * 100.0;
            let each = if systems == 1.0 { "1 system".to_owned() } else { format!("{} systems", grouped(systems)) };
            let more = 100.0 * item.quantity / systems;
            let small = if more >= MUCH_SPARE {
                format!(
                    "; a part of a system can't stand in for one, so this is {more:.0}% on top: set spare servers to 0 if support brings parts soon enough"
                )
            } else {
                String::new()
            };
            let why = format!(
                "{share:.1}% of {each}, rounded up{small}; kept unplugged, so they take no ports, racks or power"
            );
            Words::new(format!("Spare: {}", accelerator.system), "system", source, as_of, why)
        }
        Kind::NetworkShare(share) => {
            let why = format!("{:.1}% of servers and network, in place of counted parts", share * 100.0);
            let (source, as_of) = request.quotes.source("network_share_of_capital");
            Words::new("Network".into(), "lot", source, as_of, why)
        }
        Kind::NetworkQuote => {
            let why = "your price of the whole network between servers, in place of counted parts".into();
            Words::new("Network".into(), "lot", GIVEN.into(), String::new(), why)
        }
        Kind::NetworkUncounted => Words::unpriced("Network", "lot", describe::no_network(accelerator, cluster.gpus)),
        Kind::Nics(nic) => {
            let why = format!("one for each of {} ports; the system has none of its own", grouped(item.quantity));
            Words::of(nic.label.clone(), "card", &nic.usd, why)
        }
        Kind::Switches(level) => switches(cluster, level),
        Kind::SwitchPlugs(place) => plugs(cluster, place),
        Kind::DevicePlugs => links(cluster, Place::Device, |class| {
            let optic = class.device_plug?;
            let why = format!("the device end of each of {} links", grouped(class.links));
            Some(Words::of(format!("{}, devices", optic.label), "transceiver", optic.usd_each.as_ref()?, why))
        }),
        Kind::Cables(place) => cables(cluster, place),
        Kind::FrontEnd => Words::unpriced(
            "Network for storage, in-band management and users",
            "port",
            format!(
                "{} ports for each of {} servers{}",
                catalog.racks.front_end_ports_per_node.value,
                grouped(cluster.nodes()),
                if item.quoted { "" } else { "; its switches are not in the catalog, so ask for a quote" }
            ),
        ),
        Kind::Management(switch) => {
            let why = format!("one in each of {} racks", grouped(cluster.racks.count()));
            Words::of(switch.label.clone(), "switch", &switch.usd, why)
        }
        Kind::Storage => {
            let input = &inputs.storage_usd_per_tb;
            Words::input(STORAGE, "TB usable", input, describe::storage_why(&cluster.storage))
        }
        Kind::StorageNodes => {
            let node = &catalog.storage.node;
            let why = format!("{} drives, {} in a node", grouped(cluster.storage.drives), node.drives.value);
            if own(id::STORAGE_DRIVE) && !item.quoted {
                let why = format!(
                    "{why}; your price of drives leaves the nodes without one: give item_usd.{}",
                    id::STORAGE_NODE
                );
                return Words::unpriced(&node.label, "node", why);
            }
            let with = if item.quoted && !own(id::STORAGE_DRIVE) { "; its price holds the drives" } else { "" };
            held(&node.label, "node", STORAGE, &inputs.storage_usd_per_tb, &node.drives, format!("{why}{with}"))
        }
        Kind::Drives => {
            let drive = &catalog.storage.drive;
            let why = describe::storage_why(&cluster.storage);
            if own(id::STORAGE_NODE) && !item.quoted {
                let within = &catalog.storage.node.label;
                return Words { included_in: Some(within), ..Words::of(drive.label.clone(), "drive", &drive.tb, why) };
            }
            held(&drive.label, "drive", STORAGE, &inputs.storage_usd_per_tb, &drive.tb, why)
        }
        Kind::Coolant => {
            let figures = &catalog.racks;
            let why = format!(
                "one for each {} kW of liquid-cooled racks; colocation prices of the catalog are for air-cooled space. In an own facility priced per MW it is part of that price",
                grouped(figures.coolant_unit_kw.value)
            );
            Words::of("Coolant distribution unit".into(), "unit", &figures.coolant_unit_usd, why)
        }
        Kind::RearDoors => Words::unpriced(
            "Rear-door heat exchangers",
            "door",
            format!(
                "one for each of {} racks of servers above {} kW{}",
                grouped(cluster.racks.server_racks),
                catalog.costs.air_cooled_rack_kw.value,
                if item.quoted { "" } else { "; ask for a quote" }
            ),
        ),
        Kind::Racks => {
            let why = describe::racks_why(request, accelerator, cluster.gpus, &cluster.racks);
            let density = &catalog.costs.air_cooled_rack_kw;
            held("Racks", "rack", INSTALLATION, &inputs.installation_share, density, why)
        }
        Kind::Pdus => {
            let each = &catalog.racks.pdus_per_rack;
            let why = format!("{} for each of {} racks", each.value, grouped(cluster.racks.bought_apart(accelerator)));
            held("Power distribution units", "unit", INSTALLATION, &inputs.installation_share, each, why)
        }
        Kind::Installation => {
            let share = &inputs.installation_share;
            if item.quoted {
                return Words::input(INSTALLATION, "lot", share, "your price of the whole, in place of a share".into());
            }
            let apart: Vec<&str> = [id::RACK, id::PDU].into_iter().filter(|id| own(id)).collect();
            let holds = match apart.as_slice() {
                [] => "holds the racks and power distribution units counted above".to_owned(),
                _ => format!(
                    "lines with a price of yours above ({}) come on top: lower installation_share if it holds them too",
                    apart.join(", ")
                ),
            };
            Words::input(
                INSTALLATION,
                "lot",
                share,
                format!("{:.1}% of the hardware above; {holds}", share.value() * 100.0),
            )
        }
        Kind::Tax => {
            let why = format!("{:.1}% of the hardware above", inputs.tax_share.value() * 100.0);
            Words::input("Tax and duty", "lot", &inputs.tax_share, why)
        }
    }
}

impl Words {
    fn new(item: String, unit: &'static str, source: String, as_of: String, why: String) -> Self {
        Self { item, unit, source, as_of, included_in: None, why }
    }

    fn of(item: String, unit: &'static str, figure: &Figure, why: String) -> Self {
        Self::new(item, unit, figure.source.clone(), figure.date.clone(), why)
    }

    fn input(item: &str, unit: &'static str, input: &Input, why: String) -> Self {
        Self::new(item.into(), unit, input.source.clone(), input.as_of.clone(), why)
    }

    fn unpriced(item: &str, unit: &'static str, why: String) -> Self {
        Self::new(item.into(), unit, NO_PRICE.into(), String::new(), why)
    }

    /// A quantity whose price another line holds, or that the caller prices at nothing; the source is that of the
    /// quantity.
    fn held(item: &str, unit: &'static str, within: &'static str, price: &Input, figure: &Figure, why: String) -> Self {
        if price.value() > 0.0 {
            return Self { included_in: Some(within), ..Self::of(item.into(), unit, figure, why) };
        }
        let why = format!("{why}; its price is set to 0");
        Self::new(item.into(), unit, price.source.clone(), price.as_of.clone(), why)
    }
}

/// Source and date of the price of a system: the caller's, or the title of the catalog's.
fn server_source(request: &PlanRequest, cluster: &Cluster) -> (String, String) {
    let accelerator = cluster.accelerator;
    if request.overrides.server_usd.contains_key(&accelerator.id) {
        return request.quotes.source(&format!("server_usd.{}", accelerator.id));
    }
    let Some(figure) = accelerator.system_usd.as_ref() else { return (NO_PRICE.into(), String::new()) };
    let title = Catalog::get().sources.iter().find(|s| s.id == figure.source).map(|s| s.title.clone());
    (title.unwrap_or_else(|| figure.source.clone()), figure.date.clone())
}

fn switches(cluster: &Cluster, level: Level) -> Words {
    let Some(network) = &cluster.network else { return Words::unpriced("Switches", "switch", String::new()) };
    let (name, why) = match level {
        Level::Leaf if network.shape.tiers == 1 => ("", why::design(network)),
        Level::Leaf => (", leaves", why::leaves(network)),
        Level::Spine => (", spines", why::spines(network)),
        Level::Core => (", cores", why::cores(network)),
    };
    Words::of(format!("{}{name}", network.switch.label), "switch", &network.switch.usd, why)
}

/// Words about a class of links; an item of that class is on the bill only where the class exists.
fn links(cluster: &Cluster, place: Place, words: impl Fn(&LinkClass) -> Option<Words>) -> Words {
    cluster
        .links(place)
        .and_then(|class| words(&class))
        .unwrap_or_else(|| Words::unpriced("Links", "link", String::new()))
}

fn plugs(cluster: &Cluster, place: Place) -> Words {
    links(cluster, place, |class| {
        let (optic, carried) = class.switch_plug?;
        let shared = if carried > 1 { format!("; a plug carries {carried} links") } else { String::new() };
        let side = if class.device_ends > 0 { "the switch end" } else { "both ends" };
        let why = format!("{side} of each of {}{shared}", ends(class, place));
        let item = format!("{}, {}", optic.label, name(place));
        Some(Words::of(item, "transceiver", optic.usd_each.as_ref()?, why))
    })
}

fn cables(cluster: &Cluster, place: Place) -> Words {
    links(cluster, place, |class| {
        let Optic { label, cable_usd, .. } = class.cable;
        let (item, where_to) = match class.switch_plug {
            Some(_) => {
                let longest =
                    format!("on average by the places of the racks, the longest {:.1} m", class.lengths.longest);
                (format!("Cables for {label}, {}", name(place)), longest)
            }
            None => (format!("{label}, {}", name(place)), "inside one rack".to_owned()),
        };
        let meters = (class.lengths.mean * 10.0).round() / 10.0;
        let why = format!("each of {}, {meters} m {where_to}", ends(class, place));
        Some(Words::of(item, "cable", cable_usd, why))
    })
}

fn name(place: Place) -> &'static str {
    match place {
        Place::Device => "device links",
        Place::Near => "switch links",
        Place::Far => "long switch links",
    }
}

fn ends(class: &LinkClass, place: Place) -> String {
    let what = match place {
        Place::Device => "from devices to switches",
        Place::Near => "between neighboring switches",
        Place::Far => "between distant switches",
    };
    format!("{} links {what}", grouped(class.links))
}
