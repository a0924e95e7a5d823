//! Bill of materials: what is bought, how many of it, and why that many.

use super::cents;
use super::inputs::Inputs;
use crate::answer::BillLine;
use crate::catalog::{Accelerator, Catalog, Range};
use crate::operation::network::NetworkBuild;
use crate::operation::storage::{KEPT_CHECKPOINTS, StorageNeed};
use crate::request::PlanRequest;

/// What is bought.
#[derive(Clone, Debug)]
pub(crate) struct Bill {
    pub lines: Vec<BillLine>,
    /// Price of the servers without spares, USD.
    pub servers: Range,
    /// Everything, USD.
    pub total: Range,
}

/// Meters of cable of a link, on average.
const CABLE_METERS: f64 = 20.0;

/// Counts what a cluster of `gpus` devices takes; `None` where no price of the servers is known.
pub(crate) fn bill(
    request: &PlanRequest,
    inputs: &Inputs,
    accelerator: &Accelerator,
    gpus: u32,
    network: Option<&NetworkBuild>,
    storage: &StorageNeed,
) -> Option<Bill> {
    let (unit, source, as_of) = server_price(request, accelerator)?;
    let systems = f64::from(gpus.div_ceil(accelerator.system_gpus));
    let mut lines = Vec::new();
    let mut add =
        |item: String, quantity: f64, unit_name: &str, price: Range, source: &str, as_of: &str, why: String| {
            if quantity > 0.0 && price.high > 0.0 {
                lines.push(BillLine {
                    item,
                    quantity,
                    unit: unit_name.into(),
                    unit_usd: price.map(cents),
                    total_usd: cents(quantity * price.typical),
                    source: source.into(),
                    as_of: as_of.into(),
                    why,
                });
            }
        };
    let why = format!("{gpus} devices, {} in each", accelerator.system_gpus);
    add(accelerator.system.clone(), systems, "system", unit, &source, &as_of, why);
    let servers = unit.map(|u| u * systems);
    let share = inputs.spare_share.value();
    let spares = (systems * share).ceil();
    if share > 0.0 {
        let why = format!("{:.1}% of {systems} systems, rounded up", share * 100.0);
        add(format!("Spare: {}", accelerator.system), spares, "system", unit, &source, &as_of, why);
    }
    if let Some(share) = inputs.network_share {
        let price = servers.map(|s| s * share / (1.0 - share));
        add(
            "Network".into(),
            1.0,
            "lot",
            price,
            "your request",
            "",
            format!("{:.1}% of servers and network", share * 100.0),
        );
    } else if let Some(network) = network.filter(|_| systems > 1.0) {
        let switch = &network.switch.usd;
        add(
            network.switch.label.clone(),
            network.switches() as f64,
            "switch",
            switch.range(),
            &switch.source,
            &switch.date,
            network.why(),
        );
        if let Some(optic) = network.optic
            && let Some(each) = &optic.usd_each
        {
            let links = network.device_links + network.switch_links;
            let cable = optic.cable_usd.value + CABLE_METERS * optic.cable_usd_per_meter.value;
            let why = format!(
                "two for each of {links} links: {} to devices, {} between switches",
                network.device_links, network.switch_links
            );
            add(optic.label.clone(), 2.0 * links as f64, "transceiver", each.range(), &each.source, &each.date, why);
            let why = format!("one for each link, {CABLE_METERS} m on average");
            add(
                format!("Cables for {}", optic.label),
                links as f64,
                "cable",
                Range::exactly(cable),
                &optic.cable_usd.source,
                &optic.cable_usd.date,
                why,
            );
        }
    }
    let tb = &inputs.storage_usd_per_tb;
    let why = format!(
        "data set of {:.1} TB and {KEPT_CHECKPOINTS} checkpoints of {:.2} TB, twice for work",
        storage.dataset_tb, storage.checkpoint_tb
    );
    add("Shared flash storage".into(), storage.usable_tb.ceil(), "TB usable", tb.range, &tb.source, &tb.as_of, why);
    let install = &inputs.installation_share;
    let hardware: f64 = lines.iter().map(|l| l.total_usd).sum();
    let mut lot = |item: &str, input: &super::inputs::Input, why: &str| {
        let price = input.range.map(|s| s * hardware);
        if price.high > 0.0 && price.typical > 0.0 {
            lines.push(BillLine {
                item: item.into(),
                quantity: 1.0,
                unit: "lot".into(),
                unit_usd: price.map(cents),
                total_usd: cents(price.typical),
                source: input.source.clone(),
                as_of: input.as_of.clone(),
                why: why.into(),
            });
        }
    };
    lot(
        "Racks, power distribution, installation, freight",
        install,
        &format!("{:.1}% of the hardware above", install.value() * 100.0),
    );
    lot("Tax and duty", &inputs.tax_share, &format!("{:.1}% of the hardware above", inputs.tax_share.value() * 100.0));
    let total = lines.iter().fold(Range::exactly(0.0), |sum, line| sum.plus(line.unit_usd.map(|u| u * line.quantity)));
    Some(Bill { lines, servers, total: total.map(cents) })
}

/// Price of one system with source and date: the caller's, or the catalog's.
fn server_price(request: &PlanRequest, accelerator: &Accelerator) -> Option<(Range, String, String)> {
    if let Some(usd) = request.overrides.server_usd.get(&accelerator.id) {
        return Some((Range::exactly(*usd), "your request".into(), String::new()));
    }
    let figure = accelerator.system_usd.as_ref()?;
    let title = Catalog::get()
        .sources
        .iter()
        .find(|s| s.id == figure.source)
        .map_or_else(|| figure.source.clone(), |s| s.title.clone());
    Some((figure.range(), title, figure.date.clone()))
}
