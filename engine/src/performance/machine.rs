//! What one device and its links do, with the calibration put in.

use crate::catalog::{Accelerator, Band, Basis, Calibration, Fabric, Numbers};
use crate::request::{AttentionKernel, Precision, Software, SoftwareStack};
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, GB, GIB, Seconds};
use crate::validation::refit::band_key;

/// A device, its scale-up domain and its network, as the performance model sees them.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Linear layers, sustained.
    pub linear_rate: FlopsPerSecond,
    /// bf16 matrix multiplications (head, attention projections stay with linear), sustained.
    pub bf16_rate: FlopsPerSecond,
    /// Forward attention, sustained, before the penalty of short chunks.
    pub attention_rate: FlopsPerSecond,
    /// Dense peak of the request's precision, for utilization.
    pub peak: FlopsPerSecond,
    /// Streaming memory bandwidth.
    pub memory_rate: BytesPerSecond,
    /// What a training process can allocate.
    pub usable: Bytes,
    /// One direction between the device and its host's memory.
    pub host_rate: BytesPerSecond,
    /// One direction into the scale-up domain, as a collective reaches it.
    pub scale_up_rate: BytesPerSecond,
    /// Devices of the scale-up domain.
    pub domain: u32,
    /// One device's network rate, as a collective reaches it.
    pub network_rate: BytesPerSecond,
    /// Start of a collective inside the domain.
    pub scale_up_latency: Seconds,
    /// What each doubling of a message adds to its start, over 8 ranks.
    pub chunk_latency: Seconds,
    /// Speed of an all-reduce inside the domain over its two passes apart.
    pub in_switch_gain: f64,
    /// Start of one step of a collective over the network.
    pub network_latency: Seconds,
    /// The linear layers run in fp8 or fp4.
    pub low_precision: bool,
    /// Casting traffic, bytes per element.
    pub cast_bytes: f64,
    /// Attention maps go through memory.
    pub unfused_attention: bool,
    /// Grouped multiplications of experts over large ones.
    pub grouped: f64,
    /// Host and exchange costs of experts, over those of software of 2026.
    pub expert_software: f64,
    /// Software options.
    pub software: Software,
    /// Band of dense models and of those with experts: measured over predicted.
    pub bands: [Band; 2],
    /// Global constants.
    pub constants: Numbers,
}

/// The band of similar configurations; twice as wide where no run on the accelerator stands behind its efficiency.
fn band(calibration: &Calibration, experts: bool, precision: Precision, basis: Basis) -> Band {
    let widest = Band { low: 0.5, high: 2.0 };
    let band = calibration.band.get(band_key(experts, precision)).copied().unwrap_or(widest);
    match basis {
        Basis::Measured => band,
        Basis::Assumed => Band { low: band.low * band.low, high: band.high * band.high },
    }
}

/// The band of estimates of an accelerator, low and high over typical.
pub(crate) fn band_of(accelerator: &Accelerator, experts: bool, asked: Precision) -> Band {
    let calibration = Calibration::get();
    let precision = effective_precision(accelerator, asked);
    band(calibration, experts, precision, calibration.gemm(&accelerator.id).basis)
}

/// Year of the software that plans assume.
const SOFTWARE_YEAR: f64 = 2026.5;

/// Which precision the accelerator really has: the asked one, or the next that it has.
pub(crate) fn effective_precision(accelerator: &Accelerator, asked: Precision) -> Precision {
    let fp8 = accelerator.fp8_tflops.is_some();
    match asked {
        Precision::Fp4 if accelerator.fp4_tflops.is_some() => Precision::Fp4,
        Precision::Fp4 | Precision::Fp8 if fp8 => Precision::Fp8,
        _ => Precision::Bf16,
    }
}

/// How devices are joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links<'a> {
    pub fabric: &'a Fabric,
    /// Rate per device, Gb/s.
    pub network_gbps: f64,
    /// Devices joined by the scale-up link.
    pub domain: u32,
}

impl Machine {
    /// Puts the calibration into the data sheet.
    ///
    /// `factor` is a caller's measured over predicted speed of the device's own work: multiplications, attention, memory.
    pub(crate) fn new(
        calibration: &Calibration,
        accelerator: &Accelerator,
        links: &Links<'_>,
        precision: Precision,
        software: Software,
        factor: f64,
    ) -> Self {
        let Links { fabric, network_gbps, domain } = *links;
        let constants = calibration.constants.numbers();
        let gemm = calibration.gemm(&accelerator.id);
        let bf16_peak = accelerator.bf16_tflops.value * 1e12;
        let precision = effective_precision(accelerator, precision);
        let (peak, efficiency) = match precision {
            Precision::Bf16 => (bf16_peak, gemm.bf16),
            Precision::Fp8 => (tflops(accelerator.fp8_tflops.as_ref(), bf16_peak), gemm.fp8.unwrap_or(0.8 * gemm.bf16)),
            Precision::Fp4 => (tflops(accelerator.fp4_tflops.as_ref(), bf16_peak), gemm.fp4.unwrap_or(0.6 * gemm.bf16)),
        };
        // kernels written before Hopper lose most on what came after
        let newer =
            accelerator.id.starts_with('h') || accelerator.id.starts_with('b') || accelerator.id.starts_with("gb");
        let kernel = match software.attention_kernel {
            AttentionKernel::Flash2 if newer => constants.flash2_relative,
            _ => 1.0,
        };
        Self {
            linear_rate: FlopsPerSecond(peak * efficiency * factor),
            bf16_rate: FlopsPerSecond(bf16_peak * gemm.bf16 * factor),
            attention_rate: FlopsPerSecond(bf16_peak * calibration.attention(&accelerator.id) * kernel * factor),
            peak: FlopsPerSecond(peak),
            memory_rate: BytesPerSecond(
                accelerator.memory_tb_per_second.value * 1e12 * constants.memory_bandwidth_share * factor,
            ),
            usable: Bytes(accelerator.usable_gib.value * GIB),
            scale_up_rate: BytesPerSecond(accelerator.scale_up_gb_per_second.value * GB * constants.scale_up_share),
            domain: domain.max(1),
            network_rate: BytesPerSecond(network_gbps * 1e9 / 8.0 * fabric.efficiency.value),
            scale_up_latency: Seconds(constants.collective_latency_us * 1e-6),
            chunk_latency: Seconds(constants.collective_growth_us * 1e-6),
            in_switch_gain: if reduces_in_switch(accelerator) { constants.in_switch_gain } else { 1.0 },
            network_latency: Seconds((constants.collective_latency_us + fabric.latency_us.value) * 1e-6),
            low_precision: precision != Precision::Bf16,
            // hand-written kernels write what the multiplication reads
            cast_bytes: match software.stack {
                SoftwareStack::CudaNative => constants.cast_bytes * constants.native_traffic,
                _ => constants.cast_bytes,
            },
            host_rate: BytesPerSecond(host_gb_per_second(accelerator) * GB * constants.host_link_share),
            unfused_attention: software.attention_kernel == AttentionKernel::None,
            grouped: calibration.grouped(&accelerator.id),
            expert_software: (-constants.expert_maturity * (SOFTWARE_YEAR - 2026.0)).exp(),
            software,
            bands: [false, true].map(|experts| band(calibration, experts, precision, gemm.basis)),
            constants,
        }
    }

    /// Band of an estimate: measured over predicted in published configurations like this.
    pub(crate) fn band(&self, experts: bool) -> Band {
        self.bands[usize::from(experts)]
    }

    /// The same where the switches don't add up.
    pub(crate) fn without_in_switch_reduction(self) -> Self {
        Self { in_switch_gain: 1.0, ..self }
    }

    /// The same with software of another year.
    pub(crate) fn with_software_of(self, year: f64) -> Self {
        Self { expert_software: (-self.constants.expert_maturity * (year - 2026.0)).exp(), ..self }
    }

    /// The same with block-scaled formats (mxfp8, nvfp4, block- and row-wise fp8).
    pub(crate) fn with_block_scaling(self) -> Self {
        Self { cast_bytes: self.cast_bytes * self.constants.block_scaling_factor, ..self }
    }
}

/// Rate of the link to the host: the stated one, that of the only link that a PCIe card has, or PCIe 4 x16, which
/// every server with such devices has at least.
fn host_gb_per_second(accelerator: &Accelerator) -> f64 {
    match &accelerator.host_gb_per_second {
        Some(figure) => figure.value,
        None if accelerator.scale_up_link.starts_with("none (PCIe") => accelerator.scale_up_gb_per_second.value,
        None => 31.0,
    }
}

/// Switches of NVLink 4 and later add up what passes through them.
fn reduces_in_switch(accelerator: &Accelerator) -> bool {
    let link = accelerator.scale_up_link.as_str();
    ["NVLink 4 + NVSwitch", "NVLink 5"].iter().any(|l| link.starts_with(l))
}

fn tflops(figure: Option<&crate::catalog::Figure>, otherwise: f64) -> f64 {
    figure.map_or(otherwise, |f| f.value * 1e12)
}
