//! The work: a model's architecture counted into parameters, FLOPs and bytes.

mod architecture;
mod by_size;
mod count;
mod huggingface;
#[cfg(test)]
mod tests;

pub use architecture::{Architecture, AttentionWindow, Biases, LowRankAttention, MixtureOfExperts, Norm, QkNorm};
pub use by_size::from_parameters_billion;
pub use count::{LayerShape, ModelShape};
pub use huggingface::{HuggingFaceModel, from_huggingface};
