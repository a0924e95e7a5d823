//! Sliding and chunked attention in the ways that configurations say it.

use super::reader::Reader;
use crate::workload::AttentionWindow;
use serde_json::Value;

/// A window on every layer, or on none where it is absent.
pub(super) fn everywhere(tokens: Option<u32>) -> Option<AttentionWindow> {
    tokens.map(|tokens| AttentionWindow { tokens, global_every: 0, chunked: false })
}

/// A window on the layers that `layer_types` names, else on all but each `every`-th layer.
pub(super) fn by_layer(
    reader: &mut Reader<'_>,
    layers: u32,
    tokens: Option<u32>,
    every: u32,
) -> Option<AttentionWindow> {
    let types = layer_types(reader, layers);
    let tokens = tokens?;
    match types {
        Some(full) => from_pattern(reader, &full, tokens, false),
        None => Some(AttentionWindow { tokens, global_every: every, chunked: false }),
    }
}

/// `layer_types`: which layers see everything.
pub(super) fn layer_types(reader: &mut Reader<'_>, layers: u32) -> Option<Vec<bool>> {
    let key = "layer_types";
    let (_, value) = reader.value(&[key])?;
    let Some(list) = value.as_array() else {
        reader.wrong(key, "wrong_type", "layer_types is not a list; give one kind of attention for each layer");
        return None;
    };
    if list.len() != layers as usize {
        let message = format!("layer_types has {} entries for {layers} layers; give one for each layer", list.len());
        reader.wrong(key, "out_of_range", message);
        return None;
    }
    let mut full = Vec::with_capacity(list.len());
    for entry in list {
        match entry.as_str() {
            Some("full_attention") => full.push(true),
            Some("sliding_attention" | "chunked_attention") => full.push(false),
            _ => {
                let message = format!(
                    "layer_types has {entry}; full_attention, sliding_attention and chunked_attention are supported"
                );
                reader.wrong(key, "unsupported", message);
                return None;
            }
        }
    }
    Some(full)
}

/// The window of a list that says which layers see everything.
///
/// An [`AttentionWindow`] places a full layer at each n-th; where the list places as many elsewhere, parameters
/// are the same and FLOPs nearly so, and a note says it.
pub(super) fn from_pattern(
    reader: &mut Reader<'_>,
    full: &[bool],
    tokens: u32,
    chunked: bool,
) -> Option<AttentionWindow> {
    let layers = full.len() as u32;
    let everywhere = full.iter().filter(|full| **full).count() as u32;
    if everywhere == layers {
        return None;
    }
    if everywhere == 0 {
        return Some(AttentionWindow { tokens, global_every: 0, chunked });
    }
    let matches = |every: u32| full.iter().enumerate().all(|(i, full)| *full == (i as u32 + 1).is_multiple_of(every));
    let global_every = (2..=layers).find(|every| matches(*every)).unwrap_or_else(|| {
        let every = ((f64::from(layers) / f64::from(everywhere)).round() as u32).max(2);
        reader.note(format!(
            "{everywhere} of {layers} layers see the whole context; they are taken as the last of every {every}, which changes no parameter"
        ));
        every
    });
    Some(AttentionWindow { tokens, global_every, chunked })
}

/// The window of Qwen: off unless `use_sliding_window`, then on the layers from `max_window_layers` on.
pub(super) fn qwen(reader: &mut Reader<'_>, layers: u32) -> Option<AttentionWindow> {
    let on = matches!(reader.value(&["use_sliding_window"]), Some((_, Value::Bool(true))));
    let tokens = reader.optional("window/tokens", &["sliding_window"]);
    let first = reader.count("max_window_layers", &["max_window_layers"]);
    let types = layer_types(reader, layers);
    let tokens = tokens.filter(|_| on)?;
    let full = types.unwrap_or_else(|| (0..layers).map(|layer| layer < first).collect());
    from_pattern(reader, &full, tokens, false)
}
