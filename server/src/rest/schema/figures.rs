//! Figures of the catalog, and the tables that hold nothing else.

use super::catalog::confidence;
use super::{list, number, object, of, text};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("Figure", schema()), ("RackFigures", racks()), ("CostDefaults", costs())]
}

/// A field that holds a figure.
pub(super) fn figure(description: &str) -> Value {
    of("Figure", description)
}

/// Fields that hold a figure.
pub(super) fn figures<'a>(fields: &[(&'a str, &str)]) -> Vec<(&'a str, Value)> {
    fields.iter().map(|(name, description)| (*name, figure(description))).collect()
}

fn schema() -> Value {
    object(
        "A figure with its range and provenance; its unit is in the name of the field that holds it",
        &[
            ("value", number("The typical value")),
            ("low?", number("The low end, where known")),
            ("high?", number("The high end, where known")),
            ("source", text("Key into sources")),
            ("date", text("Date of the figure: 2026-09-01, 2026-09 or 2026")),
            ("confidence", confidence()),
            ("note?", text("A remark that a reader of the figure needs")),
        ],
    )
}

fn racks() -> Value {
    let mut fields = figures(&[
        ("rear_door_rack_kw", "Density that a rear-door heat exchanger still cools, kW"),
        ("servers_per_rack", "Most 8-GPU servers in one rack"),
        ("server_rack_units", "Height of an 8-GPU server, rack units"),
        ("rack_units", "Height of a rack, rack units"),
        ("pdus_per_rack", "Power distribution units per rack"),
        ("coolant_unit_kw", "Heat that one coolant distribution unit carries, kW"),
        ("coolant_unit_usd", "Price of one coolant distribution unit, USD"),
        ("front_end_ports_per_node", "Ports of a server to the network for storage, management and users"),
    ]);
    fields.extend([("floor", floor()), ("heat", heat()), ("feeds", feeds())]);
    object("Racks: what fits in one, what cools it, what goes with it", &fields)
}

fn floor() -> Value {
    object(
        "Rows, aisles and cable trays",
        &figures(&[
            ("racks_per_row", "Most racks in a row"),
            ("rack_width_meters", "Width of a rack and its place, m"),
            ("rack_depth_meters", "Depth of a rack, m"),
            ("rack_system_width_meters", "Width of a system that is a rack, m"),
            ("rack_system_depth_meters", "Depth of a system that is a rack, m"),
            ("cold_aisle_meters", "Aisle in front of the racks, and between two blocks of rows, m"),
            ("hot_aisle_meters", "Aisle behind the racks, m"),
            ("cable_drop_meters", "Cable from the tray to a device, at each end, m"),
            ("cable_slack_meters", "Spare length of a cable, m"),
            ("rack_own_kg", "A rack with its power distribution and cables, kg"),
        ]),
    )
}

fn heat() -> Value {
    object(
        "What carries heat away",
        &figures(&[
            ("air_kg_per_m3", "Density of air, kg/m³"),
            ("air_kj_per_kg_kelvin", "Heat capacity of air, kJ/(kg K)"),
            ("air_rise_kelvin", "Rise of the air's temperature through a server, K"),
            ("water_kg_per_liter", "Density of water, kg/l"),
            ("water_kj_per_kg_kelvin", "Heat capacity of water, kJ/(kg K)"),
            ("water_rise_kelvin", "Rise of the water's temperature, K"),
            ("water_liters_per_kwh", "Water that a site uses for each kWh of IT, l"),
        ]),
    )
}

fn feeds() -> Value {
    object(
        "From the utility to the rack",
        &figures(&[
            ("volts", "Voltage between phases at the rack, V"),
            ("power_factor", "Real over apparent power"),
            ("breaker_share", "Share of its rating that a breaker carries all the time"),
            ("transformer_kva", "Largest transformer, kVA"),
            ("ups_kva", "Largest UPS, kVA"),
            ("generator_kw", "Largest generator, kW"),
        ]),
    )
}

fn costs() -> Value {
    let mut fields = figures(&[
        ("electricity_usd_per_kwh", "Electricity, USD/kWh, where neither request nor region says"),
        ("pue", "Power usage effectiveness of the facility, a ratio"),
        ("colocation_usd_per_kw_month", "Colocation, USD per contracted kW and month"),
        ("facility_usd_per_mw", "Own facility instead of colocation, USD per MW of IT"),
        ("facility_life_years", "Years over which an own facility is written off"),
        ("cost_of_capital", "Cost of capital, a share per year"),
        ("hardware_life_years", "Years that the hardware is used"),
        ("load_factor", "Draw while training as a share of the maximum"),
        ("idle_factor", "Draw while idle as a share of the maximum"),
        ("server_overhead", "Network, storage and host power on top of the servers, as a factor"),
        ("support_share_per_year", "Hardware support, share of hardware price per year"),
        ("insurance_share_per_year", "Insurance, share of hardware price per year"),
        ("software_usd_per_gpu_year", "Licensed software, USD per device and year; 0: none is bought"),
        ("lead_time_months", "Months from the order of hardware to its first work"),
        ("staff_usd_per_year", "Cost of one operations engineer, USD per year"),
        ("staff_fte_base", "Full-time engineers that any site needs"),
        ("staff_nodes_per_fte", "Nodes that one more engineer looks after"),
        ("network_share_of_capital", "Network as a share of the cluster price, where it isn't counted part by part"),
        ("storage_usd_per_tb", "Shared storage, USD per usable TB"),
        ("installation_share", "Racks, power distribution, installation, freight: share of hardware price"),
        ("tax_share", "Sales tax or duty, share of hardware price"),
        ("spare_share", "Spare servers, share of the servers"),
        ("cloud_extras_share", "Storage, egress and support that a cloud adds to the device price, as a share"),
        ("rental_price_ratio", "What is paid over a posted rental price that has no range of its own, a ratio"),
        ("egress_usd_per_gb", "Egress, USD/GB"),
        ("object_storage_usd_per_gb_month", "Object storage, USD per GB and month"),
        ("price_trend_per_year", "Change of rental prices, a signed share per year"),
        ("utilization", "Share of hours that hold billed work"),
        ("failures_per_gpu_year", "Unexpected interruptions per device and year in a mature cluster"),
        ("restart_hours", "Hours from a failure to training again"),
        ("spot_interruptions_per_hour", "Spot interruptions of one machine per hour"),
        ("storage_read_gb_per_second_per_gpu", "Shared storage read, GB/s per device"),
        ("storage_write_gb_per_second_per_gpu", "Shared storage write, GB/s per device"),
        ("storage_enhanced_read_gb_per_second_per_gpu", "Shared storage read of the enhanced class, GB/s per device"),
        ("storage_enhanced_write_gb_per_second_per_gpu", "Shared storage write of the enhanced class, GB/s per device"),
        ("storage_usable_share", "Usable share of raw storage"),
        ("bytes_per_token", "Bytes of stored text per token"),
        ("embodied_kg_per_server", "Embodied carbon of one 8-GPU server, kg CO2e"),
        ("air_cooled_rack_kw", "Rack density that air still cools, kW"),
    ]);
    fields.push((
        "residual_value_by_year",
        list(
            "Share of the purchase price that the hardware fetches at the end of year 1, 2, 3, 4, 5",
            figure("A share"),
        ),
    ));
    object(
        "Cost inputs that are not of one device or region; `overrides` of a request replaces those of the same name",
        &fields,
    )
}
