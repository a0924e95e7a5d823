//! Whether an architecture is one that could be built, in words that say what to change.

use super::Architecture;
use crate::problem::FieldProblem;

/// Largest width of a feed-forward or of a projection.
const WIDEST: u32 = 1 << 20;

/// The bad fields found so far.
struct Findings<'a> {
    pointer: &'a str,
    problems: Vec<FieldProblem>,
}

impl Findings<'_> {
    fn push(&mut self, field: &str, code: &str, message: String) {
        self.problems.push(FieldProblem::new(format!("{}/{field}", self.pointer), code, message));
    }

    fn range(&mut self, field: &str, value: u32, low: u32, high: u32) -> bool {
        let fits = (low..=high).contains(&value);
        if !fits {
            let nearest = value.clamp(low, high);
            let message = format!("{field} {value} is outside {low} to {high}; the nearest legal value is {nearest}");
            self.push(field, "out_of_range", message);
        }
        fits
    }
}

impl Architecture {
    /// The fields that can't be used; empty when all can. `pointer` is the JSON pointer of the architecture,
    /// such as `/model/architecture`.
    pub fn check(&self, pointer: &str) -> Vec<FieldProblem> {
        let mut findings = Findings { pointer, problems: Vec::new() };
        let layers_fit = findings.range("layers", self.layers, 1, 1_000);
        let hidden_fits = findings.range("hidden", self.hidden, 16, 131_072);
        let heads_fit = findings.range("heads", self.heads, 1, 1_024);
        let kv_heads_fit = findings.range("kv_heads", self.kv_heads, 1, 1_024);
        let head_dim_fits = findings.range("head_dim", self.head_dim, 1, 4_096);
        findings.range("ffn", self.ffn, 1, WIDEST);
        findings.range("vocab", self.vocab, 16, 4_000_000);
        findings.range("norms_per_layer", self.norms_per_layer, 0, 8);
        findings.range("learned_positions", self.learned_positions, 0, 1 << 24);
        if let Some(width) = self.embedding_width {
            findings.range("embedding_width", width, 16, 131_072);
        }
        if heads_fit && kv_heads_fit && self.low_rank_attention.is_none() {
            self.check_groups(&mut findings);
        }
        if hidden_fits && heads_fit && head_dim_fits {
            self.check_width(&mut findings);
        }
        // measured against the layers
        if layers_fit {
            self.check_experts(&mut findings);
        }
        self.check_window(&mut findings);
        self.check_low_rank(&mut findings);
        findings.problems
    }

    /// Each key/value head serves the same number of query heads.
    fn check_groups(&self, findings: &mut Findings<'_>) {
        if self.heads.is_multiple_of(self.kv_heads) {
            return;
        }
        let message = format!(
            "kv_heads {} does not divide heads {}; use one of {}",
            self.kv_heads,
            self.heads,
            divisors(self.heads)
        );
        findings.push("kv_heads", "does_not_divide", message);
    }

    /// A width that is neither heads × head size nor aligned is a misprint (GPT-3 13B's 5140 for 5120).
    fn check_width(&self, findings: &mut Findings<'_>) {
        let product = self.heads * self.head_dim;
        if self.hidden == product || self.hidden.is_multiple_of(8) {
            return;
        }
        let message = format!(
            "hidden {} is neither heads {} x head_dim {} = {product} nor a multiple of 8; use {product}, or {}",
            self.hidden,
            self.heads,
            self.head_dim,
            self.hidden.next_multiple_of(8)
        );
        findings.push("hidden", "does_not_divide", message);
    }

    fn check_experts(&self, findings: &mut Findings<'_>) {
        let Some(moe) = &self.moe else { return };
        if findings.range("experts", moe.experts, 1, 4_096) {
            findings.range("experts_per_token", moe.experts_per_token, 1, moe.experts);
        }
        findings.range("expert_ffn", moe.expert_ffn, 1, WIDEST);
        findings.range("shared_experts", moe.shared_experts, 0, 64);
        if let Some(width) = moe.shared_expert_ffn {
            findings.range("shared_expert_ffn", width, 1, WIDEST);
        }
        findings.range("dense_layers", moe.dense_layers, 0, self.layers);
        findings.range("every", moe.every, 1, self.layers);
        if findings.range("expert_groups", moe.expert_groups, 1, moe.experts) {
            findings.range("groups_per_token", moe.groups_per_token, 1, moe.expert_groups);
        }
    }

    fn check_window(&self, findings: &mut Findings<'_>) {
        let Some(window) = &self.window else { return };
        findings.range("window/tokens", window.tokens, 1, 1 << 30);
        findings.range("window/global_every", window.global_every, 0, 1_000);
    }

    fn check_low_rank(&self, findings: &mut Findings<'_>) {
        let Some(low) = &self.low_rank_attention else { return };
        if let Some(rank) = low.query_rank {
            findings.range("low_rank_attention/query_rank", rank, 1, 131_072);
        }
        findings.range("low_rank_attention/kv_rank", low.kv_rank, 1, 131_072);
        findings.range("low_rank_attention/rope_head_dim", low.rope_head_dim, 0, 4_096);
        findings.range("low_rank_attention/nope_head_dim", low.nope_head_dim, 1, 4_096);
        findings.range("low_rank_attention/value_head_dim", low.value_head_dim, 1, 4_096);
    }
}

/// The divisors of a number, as a list for a sentence.
fn divisors(number: u32) -> String {
    let all: Vec<String> = (1..=number).filter(|d| number.is_multiple_of(*d)).map(|d| d.to_string()).collect();
    all.join(", ")
}
