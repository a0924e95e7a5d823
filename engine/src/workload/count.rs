//! Exact parameter counts and FLOPs per token of an architecture.
//!
//! Symbols as in the method: h hidden, a query heads, k key/value heads, n head size, f feed-forward,
//! V vocabulary, E experts, q experts a token visits. A bias adds the output width of its matrix.

mod flops;
mod layer;
mod order;

use super::{Architecture, Norm};

/// What one layer of a kind holds and does. All counts are of one layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerShape {
    /// How many layers of the model are of this kind.
    pub count: u32,
    /// Attention weights and biases (split by tensor parallel), without norms.
    pub attention_parameters: u64,
    /// Dense feed-forward and shared experts (split by tensor parallel).
    pub dense_ffn_parameters: u64,
    /// All routed experts (split by expert parallel).
    pub expert_parameters: u64,
    /// Router, its biases and the shared expert's gate (replicated).
    pub router_parameters: u64,
    /// Norms, sinks (replicated).
    pub norm_parameters: u64,
    /// Parameters of the routed experts that one token uses.
    pub active_expert_parameters: u64,
    /// Window of attention in tokens; `u64::MAX` for all.
    pub window: u64,
    /// The window is a fixed chunk instead of sliding along.
    pub chunked: bool,
    /// Width of the dense feed-forward plus shared experts as computed for every token.
    pub dense_ffn_width: u64,
    /// Width computed in routed experts for one token: experts_per_token × expert_ffn.
    pub active_expert_width: u64,
    /// The layer has routed experts.
    pub has_experts: bool,
    /// Weights that one token is multiplied with: every projection, visited experts and the router,
    /// without norms and biases.
    pub active_matmul_weights: u64,
}

/// An architecture counted.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelShape {
    /// The kinds of layers.
    pub kinds: Vec<LayerShape>,
    /// Kind (index into `kinds`) of each layer, first to last.
    pub order: Vec<u8>,
    /// Token embedding, positions and embedding norm.
    pub embedding_parameters: u64,
    /// Output head weights and bias; 0 when tied.
    pub head_parameters: u64,
    /// Last norm.
    pub final_norm_parameters: u64,
    /// Every parameter.
    pub parameters: u64,
    /// Parameters that one token uses (all but the experts it does not visit); embedding and head included.
    pub active_parameters: u64,
    /// Weights outside the layers that one token is multiplied with: the head, even when it is the
    /// embedding, and the projections around an embedding of another width.
    pub head_matmul_weights: u64,
}

impl ModelShape {
    /// Counts an architecture.
    ///
    /// - Embedding: V·h, learned positions rows·h, a norm after it where the family has one. An embedding
    ///   of another width e holds V·e, and two projections e·h and h·e without bias.
    /// - Layers: see `layer`.
    /// - Last norm: one of width h, unless the family has none.
    /// - Head: V·h and its bias, unless it is the embedding (then only the bias).
    ///
    /// Sums saturate instead of overflowing, so that absurd input can't panic; [`Architecture::check`]
    /// refuses such input in words.
    pub fn of(architecture: &Architecture) -> Self {
        let (kinds, order) = order::kinds_and_order(architecture);
        let hidden = u64::from(architecture.hidden);
        let width = u64::from(architecture.embedding_width.unwrap_or(architecture.hidden));
        let vocab = u64::from(architecture.vocab);
        let norm = architecture.norm.parameters(hidden);

        let table = vocab * width;
        let projections = if architecture.embedding_width.is_some() { width * hidden * 2 } else { 0 };
        let positions = u64::from(architecture.learned_positions) * hidden;
        let embedding_norm = if architecture.embedding_norm { norm } else { 0 };
        let embedding_parameters = total([table, projections, positions, embedding_norm]);
        let head_weights = if architecture.tied_embeddings { 0 } else { table };
        let head_bias = if architecture.biases.head { vocab } else { 0 };
        let head_parameters = head_weights.saturating_add(head_bias);
        let final_norm_parameters = if architecture.no_final_norm { 0 } else { norm };

        let outside = total([embedding_parameters, head_parameters, final_norm_parameters]);
        let layers = total(kinds.iter().map(|kind| kind.parameters().saturating_mul(kind.count.into())));
        let active = total(kinds.iter().map(|kind| kind.active_parameters().saturating_mul(kind.count.into())));
        Self {
            kinds,
            order,
            embedding_parameters,
            head_parameters,
            final_norm_parameters,
            parameters: outside.saturating_add(layers),
            active_parameters: outside.saturating_add(active),
            head_matmul_weights: table.saturating_add(projections),
        }
    }

    /// Active parameters as papers that leave the embedding table out count them (gpt-oss does).
    pub fn active_parameters_without_embedding(&self) -> u64 {
        self.active_parameters - self.embedding_parameters
    }
}

impl LayerShape {
    /// Every parameter of one layer of this kind.
    pub fn parameters(&self) -> u64 {
        total([
            self.attention_parameters,
            self.dense_ffn_parameters,
            self.expert_parameters,
            self.router_parameters,
            self.norm_parameters,
        ])
    }

    /// The parameters of one layer that one token uses.
    pub fn active_parameters(&self) -> u64 {
        total([
            self.attention_parameters,
            self.dense_ffn_parameters,
            self.active_expert_parameters,
            self.router_parameters,
            self.norm_parameters,
        ])
    }
}

impl Norm {
    /// Parameters of a norm over `width` channels.
    pub fn parameters(self, width: u64) -> u64 {
        match self {
            Self::Rms | Self::LayerNoBias => width,
            Self::Layer => width.saturating_mul(2),
            Self::Parameterless => 0,
        }
    }
}

/// Sum that stops at the largest number instead of overflowing.
fn total(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts.into_iter().fold(0, u64::saturating_add)
}
