//! Tables of the catalog, and the rows of those that are lists of things. What is priced by a figure alone is in
//! [`super::figures`].

use super::figures::{figure, figures};
use super::{choice, flag, list, number, object, of, text, whole};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("CatalogTable", table()),
        ("Accelerator", accelerator()),
        ("Fabric", fabric()),
        ("Provider", provider()),
        ("Offer", offer()),
        ("ModelPreset", model()),
        ("Region", region()),
        ("Tier", tier()),
        ("Switch", switch()),
        ("Nic", nic()),
        ("Optic", optic()),
        ("StorageBlocks", storage()),
        ("Source", source()),
    ]
}

fn table() -> Value {
    object(
        "One table of the catalog: its list or object, two lists for clouds and three for network and rules",
        &[
            ("catalog_version", text("Year and month of the newest figure")),
            ("sources", list("The sources that this table cites", of("Source", "A source"))),
            ("accelerators?", list("Of accelerators", of("Accelerator", "An accelerator"))),
            ("fabrics?", list("Of fabrics", of("Fabric", "A fabric"))),
            ("providers?", list("Of clouds", of("Provider", "A cloud provider"))),
            ("offers?", list("Of clouds", of("Offer", "A price point"))),
            ("models?", list("Of models", of("ModelPreset", "A model"))),
            ("regions?", list("Of regions", of("Region", "A region"))),
            ("tiers?", list("Of tiers", of("Tier", "A size class"))),
            ("switches?", list("Of network", of("Switch", "A switch"))),
            ("nics?", list("Of network", of("Nic", "A network card"))),
            ("optics?", list("Of network", of("Optic", "A transceiver or cable"))),
            ("storage?", of("StorageBlocks", "Of storage")),
            ("racks?", of("RackFigures", "Of racks")),
            ("costs?", of("CostDefaults", "Of costs")),
            ("groups?", list("Of rules", of("RuleGroup", "A group"))),
            ("rules?", list("Of rules", of("Rule", "A rule"))),
            ("contradictions?", list("Of rules", of("Contradiction", "A contradiction"))),
            ("reference_builds?", list("Of reference-builds", of("ReferenceBuild", "A cluster"))),
        ],
    )
}

fn id() -> (&'static str, Value) {
    ("id", text("Stable id"))
}

fn label() -> (&'static str, Value) {
    ("label", text("Name for people"))
}

pub(super) fn confidence() -> Value {
    choice("How far to trust it", &["high", "medium", "low"])
}

/// Source, date and confidence of a row that is no figure.
fn provenance() -> [(&'static str, Value); 3] {
    [
        ("source", text("Key into sources")),
        ("date", text("Date of the source: 2026-09-01, 2026-09 or 2026")),
        ("confidence", confidence()),
    ]
}

fn note() -> (&'static str, Value) {
    ("note?", text("What a reader must know"))
}

fn accelerator() -> Value {
    object(
        "One accelerator as it is sold, inside the node it comes in",
        &[
            id(),
            label(),
            ("short", text("Short name, such as H100")),
            ("vendor", text("Maker")),
            ("form", text("sxm, oam, pcie, workstation, consumer, rack or cloud-only")),
            ("memory_gb", figure("Memory as the vendor states it, GB (1e9 bytes)")),
            ("usable_gib", figure("Memory that a training process can allocate, GiB (2^30 bytes)")),
            ("memory_tb_per_second", figure("Memory bandwidth, TB/s")),
            (
                "bf16_tflops",
                figure("Dense (not 2:4 sparse) bf16 peak, TFLOP/s; fp16 tensor rate where the part has no bf16"),
            ),
            ("fp8_tflops?", figure("Dense fp8 peak, TFLOP/s; absent where the part has none")),
            ("fp4_tflops?", figure("Dense fp4 peak, TFLOP/s; absent where the part has none")),
            ("board_watts?", figure("Board power of one device, W; absent where unknown")),
            ("scale_up_link", text("Name of the link inside the scale-up domain")),
            (
                "scale_up_gb_per_second",
                figure("One-direction bandwidth of one device into its scale-up domain, GB/s; PCIe rate without one"),
            ),
            (
                "host_gb_per_second?",
                figure(
                    "One-direction bandwidth between one device and its host's memory, GB/s; absent where it is the link of a PCIe card or is not known",
                ),
            ),
            ("scale_up_domain", whole("Devices joined by the scale-up link")),
            ("gpus_per_node", whole("Devices in one server (tray)")),
            (
                "network_gbps_per_gpu?",
                figure("Scale-out network rate per device in the reference system, Gb/s; absent where unknown"),
            ),
            ("system", text("Name of the system that the price and the power are of")),
            ("system_gpus", whole("Devices in that system")),
            ("system_max_kw?", figure("Maximum draw of that system, kW; absent where unknown")),
            ("system_kg?", figure("Weight of that system, kg; absent where no data sheet gives it")),
            (
                "system_liquid_share?",
                figure("Share of that system's heat that its cold plates give to water; absent where none or unknown"),
            ),
            ("power_supplies?", figure("Power supplies of that system; absent where unknown")),
            ("power_supplies_needed?", figure("Power supplies that it needs at full load; absent where unknown")),
            ("system_usd?", figure("Purchase price of that system, USD; absent means no price is known, never free")),
            note(),
        ],
    )
}

fn fabric() -> Value {
    object(
        "One kind of scale-out fabric",
        &[
            id(),
            label(),
            ("efficiency", figure("Share of the line rate that large collectives reach")),
            ("latency_us", figure("Time of one step of a collective between nodes, microseconds")),
            ("rdma", flag("Remote direct memory access: without it, collectives cross the host")),
            ("in_network_reduction", flag("In-network reduction of all-reduce")),
            note(),
        ],
    )
}

fn provider() -> Value {
    object(
        "A cloud provider",
        &[id(), label(), ("class", choice("Its class", &["marketplace", "specialist", "hyperscaler"]))],
    )
}

fn offer() -> Value {
    object(
        "One price point: provider, accelerator, way of paying and region at a date",
        &[
            ("provider", text("Provider id")),
            ("accelerator", text("Accelerator id")),
            ("instance", text("The provider's name for the machine")),
            ("gpus", whole("Devices in one such machine")),
            ("term", choice("How it is paid", super::cost::TERMS)),
            ("months?", whole("Months of commitment; absent where there is none")),
            ("max_days?", number("Longest time that can be booked at this price, days; absent for no bound")),
            ("region", text("The provider's region, in its words")),
            ("usd_per_gpu_hour", figure("Price, USD per device-hour")),
            ("fabric?", text("Fabric id between machines; absent where the offer has none or it is unknown")),
            ("network_gbps_per_gpu?", number("Network rate per device, Gb/s; absent where unknown")),
        ],
    )
}

fn model() -> Value {
    let mut fields = vec![
        id(),
        label(),
        ("maker", text("Maker")),
        ("max_context", whole("Longest context the published model was trained for, tokens")),
        (
            "published_parameters?",
            whole("Parameters of the published checkpoint, to the last one; absent where unknown"),
        ),
    ];
    fields.extend(provenance());
    fields.extend([note(), ("architecture", of("Architecture", "The architecture"))]);
    object("A published model", &fields)
}

fn region() -> Value {
    object(
        "A region where a cluster can stand",
        &[
            id(),
            label(),
            (
                "electricity_usd_per_kwh?",
                figure("Industrial electricity price, USD/kWh; absent where no price in USD is known"),
            ),
            (
                "electricity_eur_per_kwh?",
                figure("Industrial electricity price, EUR/kWh, where the source prints euros"),
            ),
            (
                "colocation_usd_per_kw_month?",
                figure("Colocation, USD per contracted kW and month, power apart; absent where unknown"),
            ),
            ("carbon_g_per_kwh?", figure("Carbon of the grid, g CO2e/kWh; absent where unknown")),
        ],
    )
}

fn tier() -> Value {
    let mut fields = vec![
        id(),
        label(),
        ("min_nodes", whole("Smallest number of nodes")),
        ("max_nodes?", whole("Largest number of nodes; absent for no limit")),
        ("description", text("What it is for")),
    ];
    fields.extend(provenance());
    object("A size class by number of nodes: 8-GPU servers, or trays of a rack", &fields)
}

fn switch() -> Value {
    object(
        "A switch",
        &[
            id(),
            label(),
            ("fabric", text("Fabric id that it is of")),
            ("ports", whole("Ports at port_gbps, after breakout where that is usual")),
            ("port_gbps", whole("Rate of one port, Gb/s")),
            ("links_per_cage", whole("Links that one plug of the switch carries")),
            ("rack_units?", whole("Height, rack units; absent where unknown")),
            ("usd", figure("Price, USD")),
            ("watts?", figure("Typical draw, W; absent where unknown")),
        ],
    )
}

fn nic() -> Value {
    object(
        "A network card with one port",
        &[
            id(),
            label(),
            ("fabrics", list("Fabric ids that it speaks", text("Fabric id"))),
            ("vendors", list("Makers of accelerators that it is paired with; empty for any", text("Maker"))),
            ("gbps", whole("Rate, Gb/s")),
            ("usd", figure("Price, USD")),
            ("watts", figure("Typical draw, W")),
        ],
    )
}

fn optic() -> Value {
    object(
        "A transceiver with its share of the cable",
        &[
            id(),
            label(),
            ("gbps", whole("Rate, Gb/s")),
            (
                "medium",
                choice(
                    "What carries the signal",
                    &["copper", "active-copper", "active-optical", "multimode", "single-mode"],
                ),
            ),
            ("usd_each?", figure("Price of one transceiver (two per link), USD; absent for cables with fixed ends")),
            ("cable_usd", figure("Price of the cable whatever its length, USD")),
            ("cable_usd_per_meter", figure("Price of the cable, USD per meter")),
            ("watts_each", figure("Draw of one end, W")),
            ("reach_meters?", number("Longest reach, m; absent where unknown")),
        ],
    )
}

fn storage() -> Value {
    let drive = object("The drive that capacity is counted in", &[label(), ("tb", figure("Raw capacity, TB"))]);
    let mut fields = vec![label(), ("rack_units", whole("Height, rack units"))];
    fields.extend(figures(&[
        ("drives", "Drives it holds"),
        ("read_gb_per_second", "Read rate that clients get with all drives in, GB/s"),
        ("write_gb_per_second", "Write rate that clients get with all drives in, GB/s"),
    ]));
    let node = object("The node that rates are counted in", &fields);
    object("Building blocks of the shared storage", &[("drive", drive), ("node", node)])
}

fn source() -> Value {
    object(
        "A source of figures",
        &[
            ("id", text("Key that figures cite")),
            ("title", text("Title for people")),
            ("url?", text("Address, where public")),
            ("license", text("License of the source, or what we may do with its values")),
        ],
    )
}
