//! FLOPs that one token costs.

use super::{LayerShape, ModelShape};

impl ModelShape {
    /// Forward matmul FLOPs of one token: 2 for each weight it is multiplied with.
    ///
    /// Projections, visited experts, router and head (also when it is the embedding) count; the embedding
    /// look-up, norms and biases don't.
    pub fn forward_matmul_flops_per_token(&self) -> f64 {
        let layers: f64 = self.kinds.iter().map(|kind| f64::from(kind.count) * kind.active_matmul_weights as f64).sum();
        2.0 * (layers + self.head_matmul_weights as f64)
    }

    /// Forward FLOPs of scores and values for one token at a context: 2·a·(n_qk + n_v)·(tokens attended on
    /// average), summed over the layers with their windows.
    pub fn forward_attention_flops_per_token(&self, context: u64, heads: u32, qk_dim: f64, v_dim: f64) -> f64 {
        let attended: f64 =
            self.kinds.iter().map(|kind| f64::from(kind.count) * kind.mean_attended_tokens(context)).sum();
        2.0 * f64::from(heads) * (qk_dim + v_dim) * attended
    }
}

impl LayerShape {
    /// Tokens that a query sees on average at context `s`: s/2 causal, less with a window.
    ///
    /// Full causal: (s+1)/2, approximated as s/2. Sliding window w < s: w − w²/(2s). Chunks of w: w/2 in
    /// each whole chunk, r/2 in a last one of r tokens.
    pub fn mean_attended_tokens(&self, context: u64) -> f64 {
        let s = context as f64;
        if self.window >= context {
            return s / 2.0;
        }
        let w = self.window as f64;
        if self.chunked {
            let whole = (s / w).floor();
            let rest = s - whole * w;
            return (whole * w * w + rest * rest) / (2.0 * s);
        }
        w - w * w / (2.0 * s)
    }
}
