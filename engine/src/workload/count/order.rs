//! Which kind each layer is.

use super::{LayerShape, layer::layer};
use crate::workload::Architecture;

/// The kinds of layers, and the kind of each layer from the first to the last.
///
/// Counting layers from 1, layer i has experts if it comes after the dense ones and i is a multiple of
/// `every` (Llama 4 Maverick: the even ones), and sees everything if it is a multiple of `global_every`
/// (Gemma 3: each sixth); the others see the window.
pub(super) fn kinds_and_order(architecture: &Architecture) -> (Vec<LayerShape>, Vec<u8>) {
    let mut kinds: Vec<LayerShape> = Vec::new();
    let mut order = Vec::new();
    for number in 1..=architecture.layers {
        let has_experts = architecture
            .moe
            .as_ref()
            .is_some_and(|moe| number > moe.dense_layers && number.is_multiple_of(moe.every.max(1)));
        let (window, chunked) = match &architecture.window {
            Some(window) if window.global_every == 0 || !number.is_multiple_of(window.global_every) => {
                (u64::from(window.tokens), window.chunked)
            }
            _ => (u64::MAX, false),
        };
        let same = |kind: &LayerShape| kind.has_experts == has_experts && kind.window == window;
        let index = kinds.iter().position(same).unwrap_or_else(|| {
            kinds.push(layer(architecture, has_experts, window, chunked));
            kinds.len() - 1
        });
        kinds[index].count += 1;
        // experts or not, windowed or not: four kinds at most
        order.push(index as u8);
    }
    (kinds, order)
}
