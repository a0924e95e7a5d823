//! What one device and its links do, with the calibration put in.

use crate::catalog::{Accelerator, Calibration, Constants, Fabric};
use crate::request::{AttentionKernel, Precision, Software};
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, GB, GIB, Seconds};

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
    /// One direction into the scale-up domain, as a collective reaches it.
    pub scale_up_rate: BytesPerSecond,
    /// Devices of the scale-up domain.
    pub domain: u32,
    /// One device's network rate, as a collective reaches it.
    pub network_rate: BytesPerSecond,
    /// Start of a collective inside the domain.
    pub scale_up_latency: Seconds,
    /// Start of one step of a collective over the network.
    pub network_latency: Seconds,
    /// The linear layers run in fp8 or fp4.
    pub low_precision: bool,
    /// Attention maps go through memory.
    pub unfused_attention: bool,
    /// Software options.
    pub software: Software,
    /// Global constants.
    pub constants: &'static Constants,
}

/// Which precision the accelerator really has: the asked one, or the next that it has.
pub(crate) fn effective_precision(accelerator: &Accelerator, asked: Precision) -> Precision {
    let fp8 = accelerator.fp8_tflops.is_some();
    match asked {
        Precision::Fp4 if accelerator.fp4_tflops.is_some() => Precision::Fp4,
        Precision::Fp4 | Precision::Fp8 if fp8 => Precision::Fp8,
        _ => Precision::Bf16,
    }
}

impl Machine {
    /// Puts the calibration into the data sheet.
    ///
    /// `network_gbps` is the rate per device; `factor` is a caller's measured over predicted throughput.
    pub(crate) fn new(
        accelerator: &Accelerator,
        fabric: &Fabric,
        network_gbps: f64,
        domain: u32,
        precision: Precision,
        software: Software,
        factor: f64,
    ) -> Self {
        let calibration = Calibration::get();
        let constants = &calibration.constants;
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
            AttentionKernel::Flash2 if newer => constants.flash2_relative.value,
            _ => 1.0,
        };
        Self {
            linear_rate: FlopsPerSecond(peak * efficiency * factor),
            bf16_rate: FlopsPerSecond(bf16_peak * gemm.bf16 * factor),
            attention_rate: FlopsPerSecond(bf16_peak * calibration.attention(&accelerator.id) * kernel * factor),
            peak: FlopsPerSecond(peak),
            memory_rate: BytesPerSecond(
                accelerator.memory_tb_per_second.value * 1e12 * constants.memory_bandwidth_share.value * factor,
            ),
            usable: Bytes(accelerator.usable_gib.value * GIB),
            scale_up_rate: BytesPerSecond(
                accelerator.scale_up_gb_per_second.value * GB * constants.scale_up_share.value,
            ),
            domain: domain.max(1),
            network_rate: BytesPerSecond(network_gbps * 1e9 / 8.0 * fabric.efficiency.value),
            scale_up_latency: Seconds(constants.collective_latency_us.value * 1e-6),
            network_latency: Seconds((constants.collective_latency_us.value + fabric.latency_us.value) * 1e-6),
            low_precision: precision != Precision::Bf16,
            unfused_attention: software.attention_kernel == AttentionKernel::None,
            software,
            constants,
        }
    }
}

fn tflops(figure: Option<&crate::catalog::Figure>, otherwise: f64) -> f64 {
    figure.map_or(otherwise, |f| f.value * 1e12)
}
