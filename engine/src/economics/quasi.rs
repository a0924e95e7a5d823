//! Draws for ranges: the same quasi-random points each time, with correlated prices.

use std::f64::consts::{PI, SQRT_2};
use std::sync::LazyLock;

/// Draws of one range: a power of two, so that each dimension is even.
pub(crate) const DRAWS: usize = 2_048;

/// Deviates of one draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    /// Throughput, a standard normal deviate.
    pub throughput: f64,
    /// Uniform and independent: failures, restart, the other running cost and the extras of a rental.
    pub failures: f64,
    pub restart: f64,
    pub other: f64,
    /// Uniform, with a rank correlation of one half among each other: devices (purchase or rent), electricity, place.
    pub devices: f64,
    pub electricity: f64,
    pub place: f64,
}

/// Rank correlation between prices (Epoch AI, rising costs of training, arXiv 2405.21015).
const RANK_CORRELATION: f64 = 0.5;

const DIMENSIONS: usize = 8;

/// The draws, computed once.
pub(crate) fn draws() -> &'static [Draw] {
    static ALL: LazyLock<Vec<Draw>> = LazyLock::new(|| points().iter().map(draw).collect());
    &ALL
}

/// Degree, coefficients and first direction numbers of each dimension after the first (Joe and Kuo 2008, "Constructing
/// Sobol sequences with better two-dimensional projections", table new-joe-kuo-6).
const DIRECTIONS: [(u32, u32, &[u32]); DIMENSIONS - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
];

const BITS: usize = 32;

/// Direction numbers of one dimension as fractions of 2^32 (Sobol 1967; Bratley and Fox 1988).
fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0u32; BITS];
    let Some((degree, coefficients, first)) = dimension.checked_sub(1).map(|d| DIRECTIONS[d]) else {
        return std::array::from_fn(|i| 1 << (31 - i));
    };
    let s = degree as usize;
    for i in 0..BITS {
        v[i] = if i < s {
            first[i] << (31 - i)
        } else {
            let next = v[i - s] ^ (v[i - s] >> s);
            (1..s).filter(|k| (coefficients >> (s - 1 - k)) & 1 == 1).fold(next, |x, k| x ^ v[i - k])
        };
    }
    v
}

/// The Sobol sequence, each point moved to the middle of its cell so that none lies at 0.
fn points() -> Vec<[f64; DIMENSIONS]> {
    let all: [[u32; BITS]; DIMENSIONS] = std::array::from_fn(directions);
    let middle = 0.5 / DRAWS as f64;
    (0..DRAWS)
        .map(|n| {
            std::array::from_fn(|d| {
                let x = (0..BITS).filter(|bit| (n >> bit) & 1 == 1).fold(0, |x, bit| x ^ all[d][bit]);
                f64::from(x) / 2f64.powi(32) + middle
            })
        })
        .collect()
}

/// Prices by a one-factor Gaussian copula: x = √ρ·z + √(1−ρ)·e with ρ = 2·sin(π·rank/6), u = Φ(x).
pub(crate) fn draw(u: &[f64; DIMENSIONS]) -> Draw {
    let rho = 2.0 * (PI * RANK_CORRELATION / 6.0).sin();
    let common = rho.sqrt() * normal_quantile(u[1]);
    let price = |own: f64| normal_cumulative(common + (1.0 - rho).sqrt() * normal_quantile(own));
    // the first dimensions are the most even: they go to what moves the answer most
    Draw {
        throughput: normal_quantile(u[0]),
        devices: price(u[2]),
        failures: u[3],
        other: u[4],
        restart: u[5],
        electricity: price(u[6]),
        place: price(u[7]),
    }
}

/// Φ(x), by Abramowitz and Stegun 7.1.26; error below 1e-7.
fn normal_cumulative(x: f64) -> f64 {
    let z = x.abs() / SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = series.iter().fold(0.0, |sum, c| (sum + c) * t) * (-z * z).exp() / 2.0;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

/// Φ⁻¹(u), by halving and Newton on Φ: it runs once a draw in a program's life, so it may be slow and plain.
fn normal_quantile(u: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if normal_cumulative(middle) < u {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A linear congruential generator (Knuth's MMIX), for the reference only.
    pub(crate) fn pseudo_random(count: usize) -> Vec<Draw> {
        let mut state = 20_261_130u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as f64 + 0.5) / (1u64 << 53) as f64
        };
        (0..count).map(|_| draw(&std::array::from_fn(|_| next()))).collect()
    }

    fn ranks(values: &[f64]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut ranks = vec![0.0; values.len()];
        order.iter().enumerate().for_each(|(rank, index)| ranks[*index] = rank as f64);
        ranks
    }

    fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
        let (a, b) = (ranks(a), ranks(b));
        let mean = (a.len() as f64 - 1.0) / 2.0;
        let covariance: f64 = a.iter().zip(&b).map(|(x, y)| (x - mean) * (y - mean)).sum();
        let variance: f64 = a.iter().map(|x| (x - mean).powi(2)).sum();
        covariance / variance
    }

    #[test]
    fn the_normal_law_is_that_of_the_tables() {
        for (x, u) in [(0.0, 0.5), (1.2816, 0.9), (-1.2816, 0.1), (1.96, 0.975), (-3.0, 0.001_35)] {
            assert!((normal_cumulative(x) - u).abs() < 2e-5, "{x}");
            assert!((normal_quantile(u) - x).abs() < 2e-3, "{u}");
        }
    }

    #[test]
    fn prices_correlate_by_one_half_and_the_rest_does_not() {
        let all = draws();
        let of = |pick: fn(&Draw) -> f64| all.iter().map(pick).collect::<Vec<f64>>();
        let prices = [of(|d| d.devices), of(|d| d.electricity), of(|d| d.place)];
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let found = rank_correlation(&prices[i], &prices[j]);
            assert!((found - RANK_CORRELATION).abs() < 0.03, "{i} {j}: {found}");
        }
        let alone = [of(|d| d.throughput), of(|d| d.failures), of(|d| d.restart), of(|d| d.other)];
        for (i, a) in alone.iter().enumerate() {
            for b in alone[i + 1..].iter().chain(&prices) {
                assert!(rank_correlation(a, b).abs() < 0.05);
            }
        }
    }

    #[test]
    fn each_dimension_and_pair_is_even() {
        let all = points();
        for dimension in 0..DIMENSIONS {
            let mut cells: Vec<usize> = all.iter().map(|p| (p[dimension] * DRAWS as f64) as usize).collect();
            cells.sort_unstable();
            assert!(cells.into_iter().eq(0..DRAWS), "each cell of dimension {dimension} holds one point");
        }
        // and each pair of dimensions: 16 × 16 boxes hold eight points each, give or take
        for (a, b) in (0..DIMENSIONS).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let mut boxes = [0usize; 256];
            all.iter().for_each(|p| boxes[(p[a] * 16.0) as usize * 16 + (p[b] * 16.0) as usize] += 1);
            assert!(boxes.iter().all(|n| (4..=12).contains(n)), "{a} {b}: {boxes:?}");
        }
    }
}
