//! Accelerators: memory, speeds, power, the node they come in, and what it costs.

use super::Figure;
use serde::{Deserialize, Serialize};

/// One accelerator as it is sold, inside the node it comes in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accelerator {
    /// Stable identifier, such as `h100-sxm`.
    pub id: String,
    /// Name for people, such as `NVIDIA H100 SXM 80 GB`.
    pub label: String,
    /// Short name for charts and sentences, such as `H100`.
    pub short: String,
    /// Maker: `NVIDIA`, `AMD`, `Intel`, `Google`, `AWS`.
    pub vendor: String,
    /// `sxm`, `oam`, `pcie`, `workstation`, `consumer`, `rack`, `cloud-only`.
    pub form: String,
    /// Memory as the vendor states it, GB (1e9 bytes).
    pub memory_gb: Figure,
    /// Memory that a training process can allocate, GiB (2^30 bytes), before the framework takes its own.
    pub usable_gib: Figure,
    /// Memory bandwidth, TB/s.
    pub memory_tb_per_second: Figure,
    /// Dense (not 2:4 sparse) bf16 peak, TFLOP/s; fp16 tensor rate where the part has no bf16.
    pub bf16_tflops: Figure,
    /// Dense fp8 peak, TFLOP/s; absent where the part has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp8_tflops: Option<Figure>,
    /// Dense fp4 peak, TFLOP/s; absent where the part has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp4_tflops: Option<Figure>,
    /// Board power of one device, W.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_watts: Option<Figure>,
    /// Name of the link inside the scale-up domain, such as `NVLink 4 + NVSwitch` or `PCIe 4 x16`.
    pub scale_up_link: String,
    /// One-direction bandwidth of one device into its scale-up domain, GB/s; PCIe rate where there is no such link.
    pub scale_up_gb_per_second: Figure,
    /// One-direction bandwidth between one device and its host's memory, GB/s; absent where it is the link of a PCIe card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_gb_per_second: Option<Figure>,
    /// Devices joined by the scale-up link (8 in an NVSwitch node, 72 in an NVL72 rack, 1 if PCIe only).
    pub scale_up_domain: u32,
    /// Devices in one server (tray).
    pub gpus_per_node: u32,
    /// Scale-out network rate per device in the reference system, Gb/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_gbps_per_gpu: Option<Figure>,
    /// Name of the system that the price and the power are of, such as `DGX B200 (8 GPU)`.
    pub system: String,
    /// Devices in that system (8, or 72 for a rack).
    pub system_gpus: u32,
    /// Maximum draw of that system, kW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_max_kw: Option<Figure>,
    /// Weight of that system, kg; absent where no data sheet gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_kg: Option<Figure>,
    /// Share of that system's heat that its cold plates give to water; absent where it has none or none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_liquid_share: Option<Figure>,
    /// Power supplies of that system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_supplies: Option<Figure>,
    /// Power supplies that it needs at full load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_supplies_needed: Option<Figure>,
    /// Purchase price of that system, USD; absent means no price is known, never free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_usd: Option<Figure>,
    /// Anything a reader must know: a disputed figure, a domain that is no full mesh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
