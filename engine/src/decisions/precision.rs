//! FP8 or not.

use super::Decision;
use super::scene::{Ask, Scene};
use crate::catalog::Catalog;
use crate::performance::effective_precision;
use crate::request::Precision;

const QUESTION: &str = "FP8 or not?";

/// Throughput of the plan's cluster in both formats.
pub(super) fn decide(scene: &Scene<'_>) -> Option<Decision> {
    let a = scene.accelerator;
    if effective_precision(a, Precision::Fp8) != Precision::Fp8 {
        let answer = format!("No: {} has no fp8.", a.short);
        return Some(Decision::new("fp8", QUESTION, answer).turning("An accelerator that has it."));
    }
    let fabric = Catalog::get().fabric(&scene.cluster.fabric)?;
    let at = |precision| scene.tokens_per_second(&Ask { precision, ..scene.on(fabric) });
    let (bf16, fp8) = (at(Precision::Bf16)?, at(Precision::Fp8)?);
    let gain = fp8 / bf16;
    let peak = a.fp8_tflops.as_ref().map_or(f64::NAN, |f| f.value / a.bf16_tflops.value);
    let answer = match gain {
        g if g >= 1.05 => format!(
            "Try it: a step is {g:.2} times as fast. Whether the loss stays the same can't be computed: compare both on a short run."
        ),
        g => format!("No: a step is only {g:.2} times as fast here, as other work sets its time."),
    };
    Some(
        Decision::new("fp8", QUESTION, answer)
            .with("gain", "Throughput in fp8 over that in bf16", gain, "times")
            .with("peak", "The same of the peaks", peak, "times")
            .with("days_bf16", "Days in bf16", scene.days(bf16), "days")
            .with("days_fp8", "Days in fp8", scene.days(fp8), "days")
            .turning(format!(
                "It stops paying when fp8 needs {:.0}% more tokens to the same loss.",
                100.0 * (gain - 1.0).max(0.0)
            )),
    )
}
