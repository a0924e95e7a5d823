//! What a reader of the plan must know.

use super::candidates::{Field, Sized};
use super::compare;
use super::headline::{days_text, limit_days, thousands};
use super::money_notices::{money_notices, purchase_notices, reach_notices};
use crate::answer::{Notice, Plan, Severity, Verdict};
use crate::catalog::{Basis, Calibration, Catalog};
use crate::operation::network::NetworkBuild;
use crate::operation::network::shape::Design;
use crate::request::{Method, ModelChoice, PlanRequest};
use crate::units::grouped;

/// Margin of memory below which a plan is tight.
const TIGHT_SHARE: f64 = 0.05;

/// More tokens than this are no usual fine-tuning, a judgement: published instruction sets stay below a few billion.
const MOST_TUNING_TOKENS: u64 = 20_000_000_000;

/// Everything worth saying about a plan, the gravest first.
pub(super) fn notices(request: &PlanRequest, field: &Field, plan: &Plan, sized: Option<&Sized>) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut say = |code: &str, severity: Severity, text: String, source: &str| {
        notices.push(Notice { code: code.into(), severity, text, source: source.into() });
    };
    // of equal weight, what may break a limit comes first
    deadline_notices(request, plan, &mut say);
    step_notices(request, &mut say);
    model_notices(request, field, &mut say);
    tuning_notices(request, &mut say);
    region_notices(request, &mut say);
    if let Some(sized) = sized {
        cluster_notices(request, field, sized, &mut say);
        purchase_notices(request, plan, sized, &mut say);
        reach_notices(request, plan, &compare::out_of_reach(request, field, sized), &mut say);
    }
    money_notices(plan, &mut say);
    if request.deadline_days.is_none() && plan.tiers.iter().any(|t| t.verdict == Verdict::Fits) {
        let text = "No deadline is given, so the cheapest cluster is recommended however long it takes; give `deadline_days` to bound it.".into();
        say("no_deadline", Severity::Info, text, "your request");
    }
    say(
        "calibration",
        Severity::Info,
        "Throughput comes from a physical model whose constants are fitted to published runs; its band is stated with each figure, how far off it was under Validation. Measure a short run before committing money.".into(),
        "engine/catalog/calibration.toml",
    );
    notices.sort_by_key(|n| std::cmp::Reverse(n.severity));
    notices
}

/// A run ends with a whole step.
fn step_notices(request: &PlanRequest, say: &mut impl FnMut(&str, Severity, String, &str)) {
    let (tokens, step) = (request.training_tokens as f64, request.global_batch_tokens as f64);
    if tokens < step {
        let text = format!(
            "The run has {} tokens, less than one global batch of {}: even one step takes longer and costs more than is said here. Lower the global batch.",
            thousands(tokens),
            thousands(step)
        );
        say("less_than_a_step", Severity::Warning, text, "your request");
    }
}

fn model_notices(request: &PlanRequest, field: &Field, say: &mut impl FnMut(&str, Severity, String, &str)) {
    let parameters = field.job.shape.active_parameters as f64;
    let ratio = request.training_tokens as f64 / parameters;
    if request.method == Method::Pretraining && ratio < 5.0 {
        let text = format!(
            "{ratio:.1} tokens for each active parameter is far below the 20 at which compute is best spent: a smaller model would end up better."
        );
        say("few_tokens", Severity::Warning, text, "Hoffmann et al. 2022, arXiv 2203.15556");
    }
    if let ModelChoice::Size { parameters_billion, .. } = &request.model {
        let a = &field.job.architecture;
        let text = format!(
            "Only a size is given ({} billion): the figures assume {} layers, hidden {}, {} heads. Give the architecture for exact ones.",
            grouped(parameters_billion),
            a.layers,
            grouped(a.hidden),
            a.heads
        );
        say("assumed_architecture", Severity::Info, text, "width and depth of published models");
    }
    if let ModelChoice::Preset { preset } = &request.model
        && let Some(model) = Catalog::get().model(preset)
        && request.context_length > model.max_context
    {
        let text = format!(
            "{} was published for {} tokens of context; {} needs its positions extended.",
            model.label,
            thousands(model.max_context as f64),
            thousands(request.context_length as f64)
        );
        say("long_context", Severity::Warning, text, &model.source);
    }
    let used: Vec<String> = field
        .precision_fallbacks
        .iter()
        .filter(|(a, _)| field.sized.iter().any(|s| s.accelerator.id == a.id))
        .map(|(a, p)| format!("{} ({})", a.short, p.label()))
        .collect();
    if !used.is_empty() {
        let text = format!(
            "{} is not there on every accelerator; planned with what they have: {}.",
            request.precision.label(),
            used.join(", ")
        );
        say("precision_fallback", Severity::Info, text, "accelerator catalog");
    }
}

/// Tokens that are an amount for pretraining, where a model is tuned.
fn tuning_notices(request: &PlanRequest, say: &mut impl FnMut(&str, Severity, String, &str)) {
    if request.method == Method::Pretraining || request.training_tokens <= MOST_TUNING_TOKENS {
        return;
    }
    let text = format!(
        "{} tokens are an amount for pretraining: sets for {} mostly hold millions to a few billion tokens. Check the training tokens, or choose pretraining.",
        thousands(request.training_tokens as f64),
        if request.method == Method::Lora { "LoRA" } else { "fine-tuning" }
    );
    say("pretraining_tokens", Severity::Warning, text, "judgement");
}

fn region_notices(request: &PlanRequest, say: &mut impl FnMut(&str, Severity, String, &str)) {
    let Some(region) = Catalog::get().region(&request.region) else { return };
    let own = request.overrides.scalar("electricity_usd_per_kwh").is_some();
    if region.electricity_usd_per_kwh.is_none() && !own {
        let euros = region
            .electricity_eur_per_kwh
            .as_ref()
            .map(|f| format!(" ({} EUR/kWh in {})", f.value, f.date))
            .unwrap_or_default();
        let text = format!(
            "No electricity price in USD is known for {}{euros}; the United States average stands in. Set overrides.electricity_usd_per_kwh.",
            region.label
        );
        say("electricity_unknown", Severity::Warning, text, "region catalog");
    }
}

fn cluster_notices(
    request: &PlanRequest,
    field: &Field,
    sized: &Sized,
    say: &mut impl FnMut(&str, Severity, String, &str),
) {
    let memory = &sized.found.memory;
    let left = memory.usable - memory.total;
    if sized.found.fits && left < TIGHT_SHARE * memory.usable {
        let text = format!(
            "Memory is tight: {left:.1} of {:.1} GiB are left on the fullest device. A longer document or another framework version may not fit.",
            memory.usable
        );
        say("memory_tight", Severity::Warning, text, "memory model");
    }
    let wanted = request.global_batch_sequences() as f64;
    if (sized.found.batch - wanted).abs() > 0.5 {
        let text = format!(
            "The batch is rounded from {} to {} sequences so that it divides by the layout.",
            thousands(wanted),
            thousands(sized.found.batch)
        );
        say("batch_rounded", Severity::Info, text, "layout search");
    }
    if field.rentals(sized).iter().any(|r| r.fabric_assumed && r.can_hold(sized.gpus)) && sized.nodes > 1 {
        let text = format!(
            "Some offers of {} don't state their network; they are planned with {:.0} Gb/s per device. Ask before you sign.",
            sized.accelerator.short, sized.network_gbps
        );
        say("network_assumed", Severity::Warning, text, "cloud catalog");
    }
    let blocks = |n: &&NetworkBuild| n.bisection_gbps() < 0.999 * n.half_of_devices_gbps();
    let owned = compare::owned(field, sized);
    if let Some((owned, network)) = owned.and_then(|s| Some((s, s.network.as_ref().filter(blocks)?))) {
        let held = if std::ptr::eq(owned, sized) {
            "the throughput of this plan holds all traffic between servers to that"
        } else {
            "the cluster shown is rented with the provider's network, and only the purchase is held to that"
        };
        let text = format!(
            "The network that is bought carries {:.0}% of what half the devices can send across its middle; {held}.",
            100.0 * network.bisection_gbps() / network.half_of_devices_gbps()
        );
        say("network_blocks", Severity::Warning, text, "bisection of the network");
    }
    let alone = |n: &&NetworkBuild| matches!(n.shape.design, Design::RailOnly { .. });
    if owned.and_then(|s| s.network.as_ref()).filter(alone).is_some() {
        let text = "A network of rails alone has no path between devices of unlike index but the scale-up link of a server; no measurement of what that costs was found, and the throughput here is that of a network without it. All-to-all of experts across servers is where it would show.";
        say("rail_only", Severity::Warning, text.into(), "judgement");
    }
    if Calibration::get().gemm(&sized.accelerator.id).basis == Basis::Assumed {
        let text = format!(
            "No published training run on {} stands behind its throughput: the efficiency is carried over from a relative. Measure before you rely on it.",
            sized.accelerator.label
        );
        say("efficiency_assumed", Severity::Critical, text, "engine/catalog/calibration.toml");
    }
    if let Some(note) = &sized.accelerator.note {
        say(
            "accelerator_note",
            Severity::Info,
            format!("{}: {note}", sized.accelerator.label),
            &sized.accelerator.memory_gb.source,
        );
    }
}

/// A recommendation that is in time by its typical throughput, but not by all of its band.
fn deadline_notices(request: &PlanRequest, plan: &Plan, say: &mut impl FnMut(&str, Severity, String, &str)) {
    let (Some(deadline), true) = (request.deadline_days, plan.recommended.is_some()) else { return };
    let Some(days) = plan.shown().and_then(|t| t.days) else { return };
    if days.typical <= deadline && days.high > deadline {
        let text = format!(
            "At the low end of its throughput the run takes {}, past the deadline of {}: take a larger cluster, or measure a short run first.",
            days_text(days.high),
            limit_days(deadline)
        );
        say("band_passes_deadline", Severity::Warning, text, "engine/catalog/calibration.toml");
    }
}
