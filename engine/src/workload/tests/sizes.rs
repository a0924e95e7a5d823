//! Architectures for a bare size.

use crate::workload::{ModelShape, from_parameters_billion};
use proptest::prelude::*;

fn off(parameters: u64, billions: f64) -> f64 {
    (parameters as f64 / (billions * 1e9) - 1.0).abs()
}

#[test]
fn the_law_meets_the_models_it_comes_from() {
    let eight = from_parameters_billion(8.0, None);
    assert_eq!((eight.layers, eight.hidden, eight.kv_heads, eight.vocab), (32, 4_096, 8, 128_256));
    let seventy = from_parameters_billion(70.0, None);
    assert_eq!((seventy.layers, seventy.hidden, seventy.heads, seventy.kv_heads), (80, 8_192, 64, 8));
}

#[test]
fn nearly_all_active_is_dense() {
    assert!(from_parameters_billion(10.0, Some(10.0)).moe.is_none());
    assert!(from_parameters_billion(10.0, Some(3.0)).moe.is_some());
}

#[test]
fn nonsense_gives_a_model_and_no_panic() {
    for size in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 0.001, 0.003, 0.02] {
        let architecture = from_parameters_billion(size, Some(size / 2.0));
        assert_eq!(architecture.check(""), [], "{size}");
        assert_eq!(from_parameters_billion(size, None).check(""), [], "{size}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn dense_within_one_percent(log in (0.05_f64).ln()..(10_000.0_f64).ln()) {
        let billions = log.exp();
        let architecture = from_parameters_billion(billions, None);
        prop_assert!(off(ModelShape::of(&architecture).parameters, billions) < 0.01, "{billions}: {architecture:?}");
        prop_assert!(architecture.check("").is_empty(), "{billions}: {architecture:?}");
        if billions >= 8.0 {
            prop_assert_eq!((architecture.kv_heads, architecture.head_dim), (8, 128));
        }
        // two stages and two-way tensor parallelism must always be possible
        prop_assert!(architecture.heads.is_multiple_of(2), "{billions}: {architecture:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn experts_within_three_percent(log in (0.5_f64).ln()..(10_000.0_f64).ln(), ratio in 1.1_f64..64.0) {
        let billions = log.exp();
        let active = (billions / ratio).max(0.1);
        let architecture = from_parameters_billion(billions, Some(active));
        let shape = ModelShape::of(&architecture);
        prop_assert!(off(shape.parameters, billions) < 0.03, "{billions} {active}: {architecture:?}");
        prop_assert!(off(shape.active_parameters, active) < 0.03, "{billions} {active}: {architecture:?}");
        prop_assert!(architecture.check("").is_empty());
    }
}
