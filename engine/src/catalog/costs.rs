//! Cost inputs that are not of one device or region: each with low, typical, high, source and date.

use super::Figure;
use serde::{Deserialize, Serialize};

/// The default of every cost input; each can be overridden by a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostDefaults {
    /// Electricity, USD/kWh, where neither request nor region says.
    pub electricity_usd_per_kwh: Figure,
    /// Power usage effectiveness of the facility.
    pub pue: Figure,
    /// Colocation, USD per contracted kW and month.
    pub colocation_usd_per_kw_month: Figure,
    /// Own facility instead of colocation, USD per MW of IT.
    pub facility_usd_per_mw: Figure,
    /// Years over which an own facility is written off.
    pub facility_life_years: Figure,
    /// Annual cost of capital.
    pub cost_of_capital: Figure,
    /// Years that the hardware is used.
    pub hardware_life_years: Figure,
    /// Share of the purchase price that the hardware fetches at the end of year 1, 2, 3, 4, 5.
    pub residual_value_by_year: Vec<Figure>,
    /// Draw while training as a share of the maximum.
    pub load_factor: Figure,
    /// Draw while idle as a share of the maximum.
    pub idle_factor: Figure,
    /// Network, storage and host power on top of the servers, as a factor.
    pub server_overhead: Figure,
    /// Hardware support, share of hardware price per year.
    pub support_share_per_year: Figure,
    /// Insurance, share of hardware price per year.
    pub insurance_share_per_year: Figure,
    /// Licensed software, USD per device and year; 0: none is bought.
    pub software_usd_per_gpu_year: Figure,
    /// Months from the order of hardware to its first work.
    pub lead_time_months: Figure,
    /// Cost of one operations engineer, USD per year.
    pub staff_usd_per_year: Figure,
    /// Full-time engineers that any site needs.
    pub staff_fte_base: Figure,
    /// Nodes that one more engineer looks after.
    pub staff_nodes_per_fte: Figure,
    /// Network (switches, optics, cables; NICs where not included) as a share of the cluster price, where it isn't counted part by part.
    pub network_share_of_capital: Figure,
    /// Shared storage, USD per usable TB.
    pub storage_usd_per_tb: Figure,
    /// Racks, power distribution, installation, freight: share of hardware price.
    pub installation_share: Figure,
    /// Sales tax or duty, share of hardware price; the user's own.
    pub tax_share: Figure,
    /// Spare servers, share of the servers.
    pub spare_share: Figure,
    /// Storage, egress and support that a cloud adds to the device price, as a share.
    pub cloud_extras_share: Figure,
    /// What is paid over a posted rental price that has no range of its own.
    pub rental_price_ratio: Figure,
    /// Egress, USD/GB.
    pub egress_usd_per_gb: Figure,
    /// Object storage, USD per GB and month.
    pub object_storage_usd_per_gb_month: Figure,
    /// Change of prices per year, signed; flat by default.
    pub price_trend_per_year: Figure,
    /// Share of hours that hold billed work.
    pub utilization: Figure,
    /// Unexpected interruptions per device and year in a mature cluster.
    pub failures_per_gpu_year: Figure,
    /// Hours from a failure to training again.
    pub restart_hours: Figure,
    /// Spot interruptions of one machine per hour.
    pub spot_interruptions_per_hour: Figure,
    /// Shared storage read, GB/s per device (standard class).
    pub storage_read_gb_per_second_per_gpu: Figure,
    /// Shared storage write, GB/s per device (standard class).
    pub storage_write_gb_per_second_per_gpu: Figure,
    /// Shared storage read of the enhanced class, GB/s per device.
    pub storage_enhanced_read_gb_per_second_per_gpu: Figure,
    /// Shared storage write of the enhanced class, GB/s per device.
    pub storage_enhanced_write_gb_per_second_per_gpu: Figure,
    /// Usable share of raw storage.
    pub storage_usable_share: Figure,
    /// Bytes of stored text per token.
    pub bytes_per_token: Figure,
    /// Embodied carbon of one 8-GPU server, kg CO2e.
    pub embodied_kg_per_server: Figure,
    /// Rack density that air still cools, kW.
    pub air_cooled_rack_kw: Figure,
}
