//! A dense model of a given size.

use crate::workload::Architecture;

/// Size of a head.
const HEAD_DIM: u32 = 128;
/// Feed-forward widths over the hidden width: the aim and how far it may bend to hit the size.
const FFN_RATIO: f64 = 3.5;
/// Hidden width over layers, the aim.
const ASPECT: f64 = 110.0;

/// One candidate: its widths before the feed-forward is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub layers: u32,
    pub hidden: u32,
    pub heads: u32,
    pub kv_heads: u32,
    pub head_dim: u32,
    pub vocab: u32,
    pub tied: bool,
    /// Parameters outside the layers, and of all layers without their feed-forward.
    pub fixed: f64,
}

impl Frame {
    /// Parameters of all layers for one more unit of gated feed-forward width.
    pub fn per_width(&self) -> f64 {
        3.0 * f64::from(self.hidden) * f64::from(self.layers)
    }

    /// How far the shape is from the law, and from numbers that divide over devices; 0 is on it.
    pub fn strangeness(&self, active_width: f64) -> f64 {
        let hidden = f64::from(self.hidden);
        let ffn = (active_width / hidden / FFN_RATIO).ln();
        let aspect = (hidden / f64::from(self.layers) / ASPECT).ln();
        let heads = match self.heads.trailing_zeros() {
            0 if self.heads > 1 => 0.5,
            0 | 1 => 0.1,
            2 => 0.02,
            _ => 0.0,
        };
        let layers = match self.layers.trailing_zeros() {
            0 => 0.1,
            1 => 0.02,
            _ => 0.0,
        };
        ffn * ffn + 0.5 * aspect * aspect + heads + layers
    }

    /// The architecture with a feed-forward of this width.
    pub fn with_ffn(&self, ffn: u32) -> Architecture {
        let mut architecture =
            Architecture::dense(self.layers, self.hidden, self.heads, self.kv_heads, ffn, self.vocab);
        architecture.head_dim = self.head_dim;
        architecture.tied_embeddings = self.tied;
        architecture
    }
}

/// The dense model nearest to the law among those within half a percent of `total`.
pub(super) fn of_size(total: f64) -> Architecture {
    // a coarse step of the feed-forward is what models have; tiny ones need a finer one to hit the size
    for step in [256, 64, 16, 4, 1] {
        let mut best: Option<(f64, Frame, u32)> = None;
        for frame in frames(total) {
            let exact = (total - frame.fixed) / frame.per_width();
            let ffn = ((exact / f64::from(step)).round() * f64::from(step)).max(f64::from(step));
            let count = frame.fixed + frame.per_width() * ffn;
            let strangeness = frame.strangeness(ffn);
            if (count / total - 1.0).abs() <= 0.005 && best.is_none_or(|(least, ..)| strangeness < least) {
                best = Some((strangeness, frame, ffn as u32));
            }
        }
        if let Some((_, frame, ffn)) = best {
            return frame.with_ffn(ffn);
        }
    }
    Architecture::dense(2, 16, 1, 1, 56, 4_096)
}

/// Depths and widths around the law for a model of this many parameters.
pub(super) fn frames(parameters: f64) -> Vec<Frame> {
    let vocab: u32 = match parameters {
        small if small < 1e7 => 4_096,
        small if small < 5e7 => 32_000,
        _ => 128_256,
    };
    // as in Llama 3.2, small models share embedding and head
    let tied = parameters < 4e9;
    // widths that keep eight key/value heads from 8 B on (with room for the 1 % below), and an even number of
    // heads before
    let step = match parameters {
        large if large >= 7.9e9 => 8 * HEAD_DIM,
        small if small < 5e7 => 64,
        _ => 2 * HEAD_DIM,
    };
    let tables = if tied { 1.0 } else { 2.0 };
    let law = solve_width(parameters, tables * f64::from(vocab));
    let low = ((0.75 * law / f64::from(step)).floor() as u32).max(1);
    let high = ((1.3 * law / f64::from(step)).ceil() as u32).max(low + 1);
    let mut frames = Vec::new();
    for hidden in (low..=high).map(|n| n * step) {
        let head_dim = if hidden.is_multiple_of(HEAD_DIM) { HEAD_DIM } else { 32 };
        let heads = hidden / head_dim;
        // a power of two, as in published models: it divides over devices
        let kv_heads = 1 << heads.trailing_zeros().min(3);
        let h = f64::from(hidden);
        let kv = f64::from(kv_heads * head_dim);
        let attention_and_norms = 2.0 * h * h + 2.0 * h * kv + 2.0 * h;
        // narrow models are deeper for their width (Qwen2.5 0.5B: 37)
        let narrowest = if h < 2_048.0 { 30.0 } else { 70.0 };
        let deepest = (h / narrowest).clamp(12.0, 1_000.0) as u32;
        let shallowest = ((h / 170.0) as u32).max(2);
        // a step of one layer is more than the size asks for once there are many
        let stride = if deepest > 80 { 4 } else { 1 };
        for layers in (shallowest.next_multiple_of(stride)..=deepest).step_by(stride as usize) {
            let fixed = tables * f64::from(vocab) * h + h + f64::from(layers) * attention_and_norms;
            frames.push(Frame { layers, hidden, heads, kv_heads, head_dim, vocab, tied, fixed });
        }
    }
    frames
}

/// The width at which 12.75·h³/110 + tables·h is the size, by bisection.
fn solve_width(parameters: f64, tables: f64) -> f64 {
    let (mut low, mut high) = (1.0_f64, 131_072.0_f64);
    for _ in 0..60 {
        let h = (low + high) / 2.0;
        if 12.75 * h * h * h / ASPECT + tables * h < parameters {
            low = h;
        } else {
            high = h;
        }
    }
    high
}
