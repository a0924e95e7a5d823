//! Time and activations of one layer on one device, for one micro-batch.
//!
//! Depends on the layout only through tensor, context and expert degree, micro-batch and recompute, so that
//! a search computes it once for all pipelines, shardings and cluster sizes.

use super::activations::{Activations, logit_bytes};
use super::collectives::Group;
use super::job::Job;
use super::machine::Machine;
use super::memory::LayerParameters;
use crate::request::{Method, Recompute, SoftwareStack};
use crate::units::{Bytes, Flops, Seconds};
use crate::workload::LayerShape;

/// The part of a layout that shapes a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shard {
    pub tensor: u32,
    pub context: u32,
    pub expert: u32,
    pub micro_batch: u32,
    pub recompute: Recompute,
}

/// Seconds of one micro-batch in one layer (or in the head).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PassTime {
    /// Matrix multiplications and attention, forward and backward with recompute.
    pub compute: Seconds,
    /// Memory-bound work.
    pub memory_bound: Seconds,
    /// Exposed tensor-parallel communication.
    pub tensor: Seconds,
    /// Exposed context-parallel communication.
    pub context: Seconds,
    /// Exposed expert-parallel communication.
    pub expert: Seconds,
    /// Launches and host.
    pub overhead: Seconds,
    /// Of all that, the backward part.
    pub backward: Seconds,
}

impl PassTime {
    pub(crate) fn total(&self) -> Seconds {
        self.compute + self.memory_bound + self.tensor + self.context + self.expert + self.overhead
    }

    pub(crate) fn add(&mut self, other: &Self, times: f64) {
        self.compute += other.compute * times;
        self.memory_bound += other.memory_bound * times;
        self.tensor += other.tensor * times;
        self.context += other.context * times;
        self.expert += other.expert * times;
        self.overhead += other.overhead * times;
        self.backward += other.backward * times;
    }
}

/// What one layer of a kind costs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayerCost {
    pub time: PassTime,
    /// All of that.
    pub total: Seconds,
    /// Parameters on one device.
    pub parameters: LayerParameters,
    /// Activations kept of one micro-batch.
    pub kept: Bytes,
    /// Activations alive while the layer is computed again.
    pub working: Bytes,
    /// Forward FLOPs done again in the backward pass.
    pub recomputed: Flops,
}

/// What the output head and the loss cost on the last stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeadCost {
    pub time: PassTime,
    /// All of that.
    pub total: Seconds,
    /// Logits and their gradient.
    pub logits: Bytes,
}

/// Tokens of a micro-batch on one device.
fn tokens(job: &Job, shard: &Shard) -> f64 {
    f64::from(shard.micro_batch) * job.context_length as f64 / f64::from(shard.context)
}

/// Cost of one layer of a kind.
pub(crate) fn layer_cost(machine: &Machine, job: &Job, kind: usize, shard: &Shard) -> LayerCost {
    let layer = &job.shape.kinds[kind];
    let widths = Widths::of(job, layer, machine, shard);
    let compute = compute_time(machine, job, &widths);
    let communication = communication_time(machine, job, layer, shard, &widths, compute.attention_forward);
    let memory_forward = widths.elementwise_bytes / machine.memory_rate;
    let casts = if machine.low_precision { widths.cast_bytes / machine.memory_rate } else { Seconds::ZERO };
    let exposed_forward = widths.weight_traffic / machine.memory_rate * machine.constants.gemm_traffic_exposed;
    let gradient_traffic = widths.gradient_traffic / machine.memory_rate * machine.constants.gemm_traffic_exposed;
    let once = memory_forward + casts + exposed_forward;
    let memory_bound = once * 3.0 + gradient_traffic;

    let (again_compute, again_memory, again_tensor) = match shard.recompute {
        Recompute::None => (Seconds::ZERO, Seconds::ZERO, Seconds::ZERO),
        // PyTorch's policy keeps attention and every second matrix's output
        Recompute::Selective if machine.software.stack == SoftwareStack::PytorchFsdp => {
            (compute.linear_forward * 0.5, memory_forward, communication.tensor_forward * 0.5)
        }
        // norms and activation functions; a fused attention kernel computes its scores again anyway
        Recompute::Selective => {
            let attention = if machine.unfused_attention { compute.attention_forward } else { Seconds::ZERO };
            (attention, memory_forward * 0.5, Seconds::ZERO)
        }
        Recompute::Full => (compute.forward, once, communication.tensor_forward),
    };
    let host = host_time(machine, job, layer, shard);
    let mut time = PassTime {
        compute: compute.forward + compute.backward + again_compute,
        memory_bound: memory_bound + again_memory,
        tensor: communication.tensor_forward * 2.0 + again_tensor,
        context: communication.context,
        expert: communication.expert,
        overhead: host,
        backward: Seconds::ZERO,
    };
    apply_launch_floor(machine, shard, &mut time);
    let forward = compute.forward
        + once
        + communication.tensor_forward
        + (communication.context + communication.expert + host) * 0.4;
    time.backward = (time.total() - forward).max(Seconds::ZERO);
    let activations = Activations::of(machine, job, layer, shard);
    let (kept, working) = activations.kept_and_working(shard.recompute, machine.software.stack);
    let recomputed = match shard.recompute {
        Recompute::Full => widths.linear_flops + widths.expert_flops + widths.attention_flops,
        Recompute::Selective if machine.software.stack == SoftwareStack::PytorchFsdp => {
            (widths.linear_flops + widths.expert_flops) * 0.5
        }
        Recompute::Selective if machine.unfused_attention => widths.attention_flops,
        _ => Flops::ZERO,
    };
    LayerCost {
        time,
        total: time.total(),
        parameters: LayerParameters::of(job, kind, shard),
        kept: Bytes(kept * widths.tokens),
        working: Bytes(working * widths.tokens),
        recomputed,
    }
}

/// Sizes of one layer on one device for one micro-batch.
struct Widths {
    tokens: f64,
    /// Forward FLOPs of projections and dense feed-forward.
    linear_flops: Flops,
    /// Forward FLOPs of visited experts.
    expert_flops: Flops,
    /// Forward FLOPs of scores and values.
    attention_flops: Flops,
    /// Memory-bound traffic, forward.
    elementwise_bytes: Bytes,
    /// Casting traffic, forward.
    cast_bytes: Bytes,
    /// Weights and activations read and written by the multiplications, forward.
    weight_traffic: Bytes,
    /// 32-bit gradient accumulation, read and written.
    gradient_traffic: Bytes,
    /// Factor of the rate of multiplications for few tokens and narrow matrices.
    gemm_factor: f64,
    /// The same for grouped multiplications of experts.
    expert_factor: f64,
    /// Factor of the attention rate for short chunks and small heads.
    attention_factor: f64,
}

impl Widths {
    fn of(job: &Job, layer: &LayerShape, machine: &Machine, shard: &Shard) -> Self {
        let a = &job.architecture;
        let c = &machine.constants;
        let tokens = tokens(job, shard);
        let t = f64::from(shard.tensor);
        let hidden = f64::from(a.hidden);
        let ffn = (layer.dense_ffn_width + layer.active_expert_width) as f64;
        let experts = layer.active_expert_parameters as f64;
        let linear_flops = Flops(2.0 * (layer.active_matmul_weights as f64 - experts).max(0.0) * tokens / t);
        let expert_flops = Flops(2.0 * experts * tokens / t);
        let attention_per_token = 2.0
            * f64::from(a.heads)
            * f64::from(a.qk_head_dim() + a.v_head_dim())
            * layer.mean_attended_tokens(job.context_length);
        let split_hidden = if machine.software.sequence_parallel { t } else { 1.0 };
        let eager = match machine.software.stack {
            SoftwareStack::CudaNative => c.native_traffic,
            _ if machine.software.compiled => 1.0,
            _ => c.eager_factor,
        };
        // each copy of a token is written where its expert finds it, and its outputs are gathered again
        let visits =
            if layer.has_experts { a.moe.as_ref().map_or(0.0, |m| f64::from(m.experts_per_token)) } else { 0.0 };
        let scores = if machine.unfused_attention {
            // scores, softmax, mask: written and read by separate kernels
            8.0 * f64::from(a.heads) / t * layer.mean_attended_tokens(job.context_length) * 2.0
        } else {
            0.0
        };
        let elements = (c.elementwise_hidden + c.permute_hidden * visits) * hidden / split_hidden
            + c.elementwise_ffn * ffn / t
            + scores;
        let q_width = f64::from(a.heads) * f64::from(a.qk_head_dim());
        let gemm_elements = (4.0 * hidden + 2.0 * q_width + 3.0 * ffn + 2.0 * visits * hidden) / t;
        let local_weights = (layer.attention_parameters + layer.dense_ffn_parameters) as f64 / t
            + layer.expert_parameters as f64 / f64::from(shard.expert) / expert_tensor(job, shard);
        let gradients = if job.method == Method::Lora { 0.0 } else { local_weights * 8.0 };
        let narrowest = (if layer.dense_ffn_width > 0 { layer.dense_ffn_width as f64 } else { ffn } / t).min(hidden);
        // tokens that one expert sees: those of its expert-parallel group that visit it
        let (per_expert, expert_width) = a.moe.as_ref().map_or((tokens, hidden), |m| {
            let share = f64::from(m.experts_per_token) * f64::from(shard.expert) / f64::from(m.experts);
            ((tokens / t * share).max(1.0), f64::from(m.expert_ffn) / expert_tensor(job, shard))
        });
        let head = f64::from(a.qk_head_dim().max(a.v_head_dim()));
        let chunk = job.context_length as f64 / f64::from(shard.context);
        Self {
            tokens,
            linear_flops,
            expert_flops,
            attention_flops: Flops(attention_per_token * tokens / t),
            elementwise_bytes: Bytes(2.0 * eager * tokens * elements),
            cast_bytes: Bytes(machine.cast_bytes * tokens * gemm_elements),
            weight_traffic: Bytes(2.0 * local_weights + 2.0 * tokens * gemm_elements),
            gradient_traffic: Bytes(gradients),
            expert_factor: 1.0 / ((1.0 + c.gemm_tokens / per_expert) * (1.0 + c.gemm_width / expert_width)),
            gemm_factor: 1.0 / ((1.0 + c.gemm_tokens / tokens) * (1.0 + c.gemm_width / narrowest)),
            attention_factor: 1.0 / ((1.0 + c.attention_chunk_tokens / chunk) * (1.0 + 16.0 / head)),
        }
    }
}

fn expert_tensor(job: &Job, shard: &Shard) -> f64 {
    f64::from(job.expert_tensor(shard.tensor, shard.expert))
}

struct ComputeTime {
    forward: Seconds,
    backward: Seconds,
    linear_forward: Seconds,
    attention_forward: Seconds,
}

fn compute_time(machine: &Machine, job: &Job, widths: &Widths) -> ComputeTime {
    let rate = machine.linear_rate * widths.gemm_factor;
    let linear = widths.linear_flops / rate
        + widths.expert_flops / (machine.linear_rate * (widths.expert_factor * machine.grouped));
    let rate = machine.attention_rate * widths.attention_factor;
    let attention = widths.attention_flops / rate;
    let linear_backward = if job.method == Method::Lora { 1.0 } else { 2.0 };
    ComputeTime {
        forward: linear + attention,
        backward: linear * linear_backward + attention * machine.constants.attention_backward,
        linear_forward: linear,
        attention_forward: attention,
    }
}

struct CommunicationTime {
    /// Exposed, forward; the backward pass has as much.
    tensor_forward: Seconds,
    /// Exposed, both passes.
    context: Seconds,
    /// Exposed, both passes.
    expert: Seconds,
}

fn communication_time(
    machine: &Machine,
    job: &Job,
    layer: &LayerShape,
    shard: &Shard,
    widths: &Widths,
    attention_forward: Seconds,
) -> CommunicationTime {
    let a = &job.architecture;
    let c = &machine.constants;
    let hidden_bytes = Bytes(2.0 * widths.tokens * f64::from(a.hidden));
    let overlap = machine.software.overlap_communication;

    let tensor_group = Group::strided(machine, shard.tensor, 1);
    // plain PyTorch waits for each tensor-parallel collective
    let interleaves =
        overlap && !matches!(machine.software.stack, SoftwareStack::PytorchFsdp | SoftwareStack::Deepspeed);
    let exposed = if interleaves && tensor_group.is_inside() { c.tensor_exposed } else { 1.0 };
    // one pair of all-gather and reduce-scatter, or one all-reduce, for attention and one for the feed-forward
    let pair = if machine.software.sequence_parallel {
        tensor_group.gather_or_scatter(machine, hidden_bytes) * 2.0
    } else {
        tensor_group.all_reduce(machine, hidden_bytes)
    };
    let tensor_forward = pair * 2.0 * exposed;

    let context_group = Group::strided(machine, shard.context, shard.tensor);
    let context = if shard.context > 1 {
        let kv = a.kv_values_per_token() as f64;
        // keys and values of the whole sequence pass by each device, then their gradients too
        let window = (layer.window.min(job.context_length)) as f64 / job.context_length as f64;
        let whole =
            Bytes(2.0 * kv * f64::from(shard.micro_batch) * job.context_length as f64 / f64::from(shard.tensor))
                * window;
        let forward = context_group.gather_or_scatter(machine, whole);
        let hidden_behind = if overlap { 0.8 } else { 0.0 };
        let behind = |comm: Seconds, work: Seconds| (comm - work * hidden_behind).max(machine.scale_up_latency);
        behind(forward, attention_forward) + behind(forward * 2.0, attention_forward * c.attention_backward)
    } else {
        Seconds::ZERO
    };

    let expert = match &a.moe {
        Some(moe) if layer.has_experts && shard.expert > 1 => {
            let group = Group::strided(machine, shard.expert, 1);
            let local = hidden_bytes / f64::from(shard.tensor);
            let exposed = if overlap { c.expert_exposed * machine.expert_software } else { 1.0 };
            // dispatch and combine, forward and backward
            group.dispatch(machine, local, moe) * 4.0 * exposed.min(1.0)
        }
        _ => Seconds::ZERO,
    };
    CommunicationTime { tensor_forward, context, expert }
}

fn host_time(machine: &Machine, job: &Job, layer: &LayerShape, shard: &Shard) -> Seconds {
    let c = &machine.constants;
    let graphs = if machine.software.cuda_graphs { 0.3 } else { 1.0 };
    let plain = 2.0 * c.layer_launch_us * 1e-6;
    let experts = match job.experts() {
        Some(experts) if layer.has_experts => {
            let local = f64::from(experts) / f64::from(shard.expert);
            2.0 * (c.expert_layer_ms * 1e-3 + c.local_expert_us * 1e-6 * local) * machine.expert_software
        }
        _ => 0.0,
    };
    Seconds((plain + experts) * graphs)
}

/// Kernels are launched one by one unless they are recorded as graphs: a layer can't be faster than its launches.
/// The backward pass launches twice as many as the forward, and a recomputed forward as many again.
fn apply_launch_floor(machine: &Machine, shard: &Shard, time: &mut PassTime) {
    let c = &machine.constants;
    let graphs = if machine.software.cuda_graphs { 1.0 / 3.0 } else { 1.0 };
    let compiled = machine.software.compiled && !machine.unfused_attention;
    let each = if compiled { c.fused_layer_floor_ms } else { c.eager_layer_floor_ms };
    let passes = if shard.recompute == Recompute::Full { 4.0 } else { 3.0 };
    let floor = passes * each * 1e-3 * graphs;
    let busy = time.compute + time.memory_bound;
    if busy.0 < floor {
        time.overhead += Seconds(floor - busy.0);
    }
}

/// Cost of the output head and the loss.
pub(crate) fn head_cost(machine: &Machine, job: &Job, shard: &Shard) -> HeadCost {
    let c = &machine.constants;
    let tokens = tokens(job, shard);
    let t = f64::from(shard.tensor);
    let weights = job.shape.head_matmul_weights as f64;
    let logits = tokens * f64::from(job.architecture.vocab) / t;
    let forward = Flops(2.0 * weights * tokens / t) / machine.bf16_rate;
    let passes = if job.method == Method::Lora { 2.0 } else { 3.0 };
    let loss_bytes = if machine.software.fused_loss { c.loss_bytes_fused } else { c.loss_bytes_unfused };
    let mut time = PassTime {
        compute: forward * passes,
        memory_bound: Bytes(loss_bytes * logits) / machine.memory_rate,
        overhead: Seconds(2.0 * c.layer_launch_us * 1e-6),
        ..PassTime::default()
    };
    time.backward = forward * (passes - 1.0) + time.memory_bound * 0.6;
    HeadCost { time, total: time.total(), logits: Bytes(logit_bytes(&machine.software) * logits) }
}
