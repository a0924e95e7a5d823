//! The physical build of a cluster, in the answer to a plan.

use super::{choice, number, object, of, physical, text, whole};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Build", build()),
        ("NetworkDesign", network()),
        ("NetworkLinks", links()),
        ("StorageDesign", storage()),
        ("RackDesign", racks()),
        ("PowerDesign", power()),
    ]
}

fn build() -> Value {
    let mut fields = vec![
        ("network?", of("NetworkDesign", "The scale-out network; absent where there is none")),
        ("no_network?", text("Why there is no scale-out network; absent where there is one")),
        ("storage", of("StorageDesign", "The shared storage")),
        ("racks", of("RackDesign", "The racks")),
        ("power", of("PowerDesign", "Power at full load")),
    ];
    fields.extend(physical::fields());
    object("The physical build of a cluster", &fields)
}

fn network() -> Value {
    object(
        "The scale-out network",
        &[
            (
                "topology",
                choice(
                    "How the switches are joined",
                    &["single_switch", "fat_tree", "rail_optimized", "dragonfly", "torus"],
                ),
            ),
            ("tiers", whole("Levels of switches; 1 for dragonfly and torus")),
            ("switch", text("Switch model")),
            ("switch_ports", whole("Ports of one switch")),
            ("switch_port_gbps", whole("Rate of one switch port, Gb/s")),
            ("ports_per_node", whole("Network ports of one server")),
            ("leaves", whole("Switches that devices are plugged into")),
            ("spines", whole("Switches of the second tier")),
            ("cores", whole("Switches of the third tier")),
            ("switches", whole("All switches")),
            ("links", of("NetworkLinks", "Links by where they run")),
            (
                "oversubscription",
                number(
                    "What half the devices can send over what can cross the worst halving, a ratio; 1 is non-blocking",
                ),
            ),
            ("bisection_gbps", number("Traffic per direction that can cross the worst halving of the devices, Gb/s")),
            ("why", text("How the counts came about")),
            ("bisection_why", text("How the bisection bandwidth came about")),
        ],
    )
}

fn links() -> Value {
    object(
        "Links by where they run",
        &[
            ("device", whole("From devices to switches")),
            ("near", whole("Leaf to spine, inside a dragonfly group, or along a torus")),
            ("far", whole("Spine to core, or between dragonfly groups")),
        ],
    )
}

fn storage() -> Value {
    object(
        "The shared storage",
        &[
            ("needed_tb", number("Usable capacity that is needed, TB")),
            ("usable_tb", number("Usable capacity of the drives, TB")),
            ("read_gb_per_second", number("Read rate that is needed, GB/s")),
            ("write_gb_per_second", number("Write rate that is needed, GB/s")),
            ("nodes", whole("Nodes")),
            ("drives", whole("Drives in all nodes")),
            ("binds", choice("What sets the number of drives", &["capacity", "read_rate", "write_rate"])),
            ("why", text("How the counts came about")),
        ],
    )
}

fn racks() -> Value {
    object(
        "The racks",
        &[
            ("count", whole("All racks")),
            ("server_racks", whole("Racks of servers")),
            ("service_racks", whole("Racks of switches and storage alone")),
            ("servers_per_rack", whole("Servers in a full rack; 1 for a rack system")),
            ("kw_each?", number("Nameplate of a full rack of servers, kW; absent where unknown")),
            ("cooling", choice("How a full rack is cooled", &["air", "rear_door", "direct_liquid"])),
            ("why", text("How the counts came about")),
        ],
    )
}

fn power() -> Value {
    object(
        "Power at full load",
        &[
            ("servers_kw?", number("Nameplate of the servers, kW; absent where unknown")),
            (
                "network_kw?",
                number("Typical draw of switches and transceivers, kW, as a part of it_kw; absent where unknown"),
            ),
            ("it_kw?", number("Servers, network, storage and hosts, kW; absent where servers_kw is")),
            ("facility_kw?", number("At the facility with its overhead, kW; absent where servers_kw is")),
            (
                "training_kw?",
                number("Of it, drawn while training, kW: what a cluster's power_kw is; absent where servers_kw is"),
            ),
            ("why", text("How the figures came about")),
        ],
    )
}
