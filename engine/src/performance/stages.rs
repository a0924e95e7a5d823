//! Layers over the pipeline: which device holds which layers.

use crate::workload::ModelShape;

/// Devices of the pipeline that hold the same: layers by kind, and whether embedding and head.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    /// Layers of each kind.
    pub layers: Vec<f64>,
    /// Holds the embedding.
    pub embedding: bool,
    /// Holds the output head.
    pub head: bool,
    /// First device of the pipeline that holds this: it keeps the most micro-batches in flight.
    pub first: u32,
    /// How many devices hold this.
    pub devices: u32,
}

/// All stages of one pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub stages: u32,
    pub virtual_stages: u32,
    pub distinct: Vec<Stage>,
}

impl Pipeline {
    /// Places the layers of a model on `p` devices with `v` virtual stages each.
    ///
    /// Where p·v divides the layers, all chunks are equal. Where it divides layers + 2, embedding and head each
    /// take one layer's place. Otherwise, without interleaving, stages differ by one layer and the last ones,
    /// which also hold the head, get the fewer; no layer is ever dropped. `None`: no legal placing.
    pub(crate) fn place(shape: &ModelShape, p: u32, v: u32) -> Option<Self> {
        Self::place_chunks(shape, p, v, Unequal::Refused)
    }

    /// The same where interleaved chunks may differ by one layer: a layout written by hand, as some recipes have it.
    pub(crate) fn place_by_hand(shape: &ModelShape, p: u32, v: u32) -> Option<Self> {
        Self::place_chunks(shape, p, v, Unequal::Allowed)
    }

    fn place_chunks(shape: &ModelShape, p: u32, v: u32, unequal: Unequal) -> Option<Self> {
        let layers = shape.order.len() as u32;
        let chunks = p.checked_mul(v)?;
        if p == 0 || v == 0 || chunks > layers + 2 || p > layers || (v > 1 && p == 1) {
            return None;
        }
        let sizes = chunk_sizes(layers, p, v, unequal)?;
        let mut starts = Vec::with_capacity(sizes.len());
        let mut next = 0;
        for size in &sizes {
            starts.push(next);
            next += size;
        }
        let mut distinct: Vec<Stage> = Vec::new();
        for device in 0..p {
            let mut counts = vec![0.0; shape.kinds.len()];
            for chunk in (device..chunks).step_by(p as usize) {
                let from = starts[chunk as usize] as usize;
                let to = from + sizes[chunk as usize] as usize;
                for kind in &shape.order[from..to] {
                    counts[usize::from(*kind)] += 1.0;
                }
            }
            let (embedding, head) = (device == 0, device == p - 1);
            match distinct.iter_mut().find(|s| s.layers == counts && s.embedding == embedding && s.head == head) {
                Some(same) => same.devices += 1,
                None => distinct.push(Stage { layers: counts, embedding, head, first: device, devices: 1 }),
            }
        }
        Some(Self { stages: p, virtual_stages: v, distinct })
    }

    /// Micro-batches that device `first` of a stage keeps in flight, as a multiple of its whole share of layers.
    ///
    /// One forward, one backward: p − i. Interleaved: (2(p − i − 1) + (v − 1)p + 1)/v
    /// (Narayanan et al. 2021, arXiv 2104.04473).
    pub(crate) fn in_flight(&self, first: u32, micro_batches: f64) -> f64 {
        let behind = f64::from(self.stages - first);
        if self.virtual_stages == 1 {
            return behind.min(micro_batches);
        }
        let (p, v) = (f64::from(self.stages), f64::from(self.virtual_stages));
        let chunks = 2.0 * (behind - 1.0) + (v - 1.0) * p + 1.0;
        (chunks / v).min(micro_batches)
    }
}

/// Layers of each chunk of a searched layout, first to last; `None` where there is no legal placing.
pub(crate) fn chunk_layers(layers: u32, p: u32, v: u32) -> Option<Vec<u32>> {
    chunk_sizes(layers, p, v, Unequal::Refused)
}

/// Whether interleaved chunks may differ in layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unequal {
    Refused,
    Allowed,
}

/// Layers of each chunk, first to last.
fn chunk_sizes(layers: u32, p: u32, v: u32, unequal: Unequal) -> Option<Vec<u32>> {
    let chunks = p * v;
    if layers.is_multiple_of(chunks) {
        return Some(vec![layers / chunks; chunks as usize]);
    }
    // embedding and head each take one layer's place, and the chunk that only they fill holds no layer
    let with_ends = |units: u32| {
        let mut sizes: Vec<u32> = (0..chunks).map(|i| units / chunks + u32::from(i < units % chunks)).collect();
        sizes[0] -= 1;
        sizes[chunks as usize - 1] -= 1;
        sizes
    };
    if chunks > 1 && (layers + 2).is_multiple_of(chunks) && (v > 1 || layers + 2 > chunks) {
        return Some(with_ends(layers + 2));
    }
    if v > 1 {
        return (unequal == Unequal::Allowed && layers + 2 >= chunks).then(|| with_ends(layers + 2));
    }
    let (small, extra) = (layers / p, layers % p);
    Some((0..p).map(|i| small + u32::from(i < extra)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Architecture;

    fn shape(layers: u32) -> ModelShape {
        ModelShape::of(&Architecture::dense(layers, 1024, 16, 16, 4096, 32_000))
    }

    #[test]
    fn no_layer_is_dropped() {
        for layers in [1, 7, 8, 30, 62, 80, 126] {
            for p in 1..=layers {
                for v in 1..=8 {
                    for pipeline in
                        [Pipeline::place(&shape(layers), p, v), Pipeline::place_by_hand(&shape(layers), p, v)]
                            .into_iter()
                            .flatten()
                    {
                        let placed: f64 =
                            pipeline.distinct.iter().map(|s| s.layers.iter().sum::<f64>() * f64::from(s.devices)).sum();
                        assert_eq!(placed, f64::from(layers), "{layers} layers, p {p}, v {v}");
                        let devices: u32 = pipeline.distinct.iter().map(|s| s.devices).sum();
                        assert_eq!(devices, p);
                    }
                }
            }
        }
    }

    #[test]
    fn layers_that_do_not_divide_are_spread() {
        assert_eq!(chunk_sizes(31, 4, 1, Unequal::Refused), Some(vec![8, 8, 8, 7]));
        // 30 + 2 divides by 4: embedding and head take a layer's place
        assert_eq!(chunk_sizes(30, 4, 1, Unequal::Refused), Some(vec![7, 8, 8, 7]));
        assert_eq!(chunk_sizes(126, 16, 1, Unequal::Refused).map(|s| (s[0], s[1], s[15])), Some((7, 8, 7)));
    }

    #[test]
    fn interleaving_keeps_more_in_flight() {
        let plain = Pipeline::place(&shape(32), 8, 1).expect("legal");
        let interleaved = Pipeline::place(&shape(32), 8, 4).expect("legal");
        assert_eq!(plain.in_flight(0, 64.0), 8.0);
        assert!((interleaved.in_flight(0, 64.0) - 8.0 * (1.0 + 7.0 / 32.0)).abs() < 1e-12);
        assert_eq!(plain.in_flight(0, 2.0), 2.0);
    }
}
