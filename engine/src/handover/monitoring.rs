//! Recording and alert rules of Prometheus, with thresholds from the plan.

use super::Text;
use super::run::{Run, Vendor};
use super::text::{comments, duration, number, title};
use crate::answer::HealthMetric;

pub(super) const NAME: &str = "prometheus-rules.yaml";

/// One alert.
struct Alert {
    name: &'static str,
    expression: String,
    minutes: u32,
    severity: &'static str,
    summary: String,
}

fn alert(name: &'static str, expression: String, minutes: u32, severity: &'static str, summary: String) -> Alert {
    Alert { name, expression, minutes, severity, summary }
}

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    let mut top = title(run, "Prometheus rules");
    top.push("What the training job has to export: training_consumed_tokens (gauge: tokens of the run so far; it falls back with a restart), training_step_seconds (gauge), training_input_wait_seconds_total and training_all_reduce_seconds_total (counters: seconds that computation waited), training_last_checkpoint_timestamp_seconds and training_start_timestamp_seconds (gauges).".into());
    top.push(devices_from(run).into());
    if run.vendor == Vendor::Nvidia {
        top.push("No threshold of temperature has a source here: the alarm is the device's own, when it slows down for heat.".into());
    }
    let mut text = comments(&top);
    text += "groups:\n  - name: training_recorded\n    interval: 30s\n    rules:\n";
    for (record, expression) in recorded(run) {
        text += &format!("      - record: {record}\n        expr: '{expression}'\n");
    }
    text += "  - name: training_alerts\n    rules:\n";
    let mut alerts = of_job(run);
    alerts.extend(of_devices(run));
    alerts.extend(of_links(run));
    for a in &alerts {
        text += &format!(
            "      - alert: {}\n        expr: '{}'\n        for: {}m\n        labels:\n          severity: {}\n        annotations:\n          summary: \"{}\"\n",
            a.name, a.expression, a.minutes, a.severity, a.summary
        );
    }
    let note = format!(
        "{} alerts. The job exports the training_ metrics named at the top of the file; without them those alerts stay silent.",
        alerts.len()
    );
    Ok(Text { text, note })
}

fn devices_from(run: &Run<'_>) -> &'static str {
    match run.vendor {
        Vendor::Nvidia => {
            "Devices: dcgm-exporter with DCGM_FI_PROF_SM_ACTIVE, DCGM_FI_DEV_XID_ERRORS, DCGM_FI_DEV_ECC_DBE_VOL_TOTAL, DCGM_FI_DEV_THERMAL_VIOLATION and DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL in its list of counters. Ports: node_exporter."
        }
        Vendor::Amd => {
            "Devices: AMD's device-metrics-exporter (gpu_gfx_activity, gpu_ecc_uncorrect_total, with or without the prefix amd_). Ports: node_exporter."
        }
        _ => "Devices: no exporter of this accelerator was checked, so there are alarms of the job only.",
    }
}

/// Tokens per second of the whole cluster that the plan expects.
fn tokens_per_second(run: &Run<'_>) -> f64 {
    run.estimate.tokens_per_second_per_gpu * f64::from(run.cluster.gpus)
}

fn recorded(run: &Run<'_>) -> Vec<(&'static str, String)> {
    let e = run.estimate;
    let peak = f64::from(run.cluster.gpus) * e.peak_tflops * 1e12;
    let mut all = vec![
        ("training:tokens_per_second", "max(delta(training_consumed_tokens[5m])) / 300".to_owned()),
        (
            "training:mfu",
            // FLOPs of a token, causal attention and no recompute, over the dense peak of all devices
            format!("training:tokens_per_second * {:e} / {:e}", e.flops_per_token, peak),
        ),
        ("training:input_wait:share", "max(rate(training_input_wait_seconds_total[10m]))".into()),
        ("training:all_reduce:share", "max(rate(training_all_reduce_seconds_total[10m]))".into()),
        ("training:checkpoint_age_seconds", "time() - max(training_last_checkpoint_timestamp_seconds)".into()),
        (
            "training:goodput",
            format!("max(delta(training_consumed_tokens[1d])) / 86400 / {}", number(tokens_per_second(run))),
        ),
    ];
    match run.vendor {
        Vendor::Nvidia => all.push(("training:device_busy", "avg(DCGM_FI_PROF_SM_ACTIVE)".into())),
        Vendor::Amd => all.push(("training:device_busy", "avg({__name__=~\"(amd_)?gpu_gfx_activity\"}) / 100".into())),
        _ => {}
    }
    all
}

fn of_job(run: &Run<'_>) -> Vec<Alert> {
    let below = |name, metric: &str, expression: &str, scale: f64, minutes, what: &str| {
        let h: &HealthMetric = run.health(metric)?;
        let (low, expected) = (number(h.low * scale), number(h.expected * scale));
        Some(alert(
            name,
            format!("{expression} < {low}"),
            minutes,
            "warning",
            format!("{what}: {{{{ $value }}}}, the plan expects {expected} and at least {low}"),
        ))
    };
    let above = |name, metric: &str, expression: &str, minutes, what: &str| {
        let h: &HealthMetric = run.health(metric)?;
        let (high, expected) = (number(h.high), number(h.expected));
        Some(alert(
            name,
            format!("{expression} > {high}"),
            minutes,
            "warning",
            format!("{what}: {{{{ $value }}}}, the plan expects {expected} and at most {high}"),
        ))
    };
    let gpus = f64::from(run.cluster.gpus);
    let mut all: Vec<Alert> = [
        below(
            "TokensPerSecondLow",
            "tokens_per_second_per_gpu",
            "training:tokens_per_second",
            gpus,
            15,
            "Tokens per second",
        ),
        above("StepTimeHigh", "step_seconds", "max(training_step_seconds)", 15, "Seconds of a step"),
        below("MfuLow", "mfu", "training:mfu", 1.0, 15, "MFU"),
        above("InputWaitHigh", "input_wait", "training:input_wait:share", 15, "Share of time waiting for input"),
        above(
            "AllReduceShareHigh",
            "all_reduce_share",
            "training:all_reduce:share",
            15,
            "Share of time waiting for gradients",
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    let oldest = 2.0 * run.reliability.interval_seconds + run.reliability.write_seconds;
    all.push(alert(
        "CheckpointOld",
        format!("training:checkpoint_age_seconds > {}", number(oldest)),
        1,
        "critical",
        format!(
            "The last checkpoint is {{{{ $value }}}} s old; one is due every {}",
            duration(run.reliability.interval_seconds)
        ),
    ));
    let goodput = run.tier.goodput.unwrap_or(run.reliability.goodput);
    // five points under what is expected, as the plan's own metric has it
    let margin = run.health("goodput").map_or(0.05, |h| h.expected - h.low);
    let low = number((goodput - margin).max(0.0));
    all.push(alert(
        "GoodputLow",
        format!("training:goodput < {low}"),
        60,
        "warning",
        format!("Goodput of a day: {{{{ $value }}}}, the plan expects {} and at least {low}", number(goodput)),
    ));
    let per_week = 168.0 / run.reliability.mtbf_hours;
    // a Poisson count is rarely above its mean by three deviations, as the plan's own metric has it
    let most = number(per_week + 3.0 * per_week.sqrt());
    all.push(alert(
        "InterruptionsMany",
        format!("max(changes(training_start_timestamp_seconds[7d])) > {most}"),
        1,
        "warning",
        format!(
            "Restarts in a week: {{{{ $value }}}}, the plan expects {} and rarely more than {most}",
            number(per_week)
        ),
    ));
    all
}

fn of_devices(run: &Run<'_>) -> Vec<Alert> {
    let gpus = run.cluster.gpus;
    let (series, uncorrected) = match run.vendor {
        Vendor::Nvidia => ("DCGM_FI_PROF_SM_ACTIVE", "increase(DCGM_FI_DEV_ECC_DBE_VOL_TOTAL[10m]) > 0"),
        Vendor::Amd => (
            "{__name__=~\"(amd_)?gpu_gfx_activity\"}",
            "increase({__name__=~\"(amd_)?gpu_ecc_uncorrect_total\"}[10m]) > 0",
        ),
        _ => return Vec::new(),
    };
    let mut all = vec![
        alert(
            "DeviceMissing",
            format!("count({series}) < {gpus}"),
            2,
            "critical",
            format!("{{{{ $value }}}} of {gpus} devices report"),
        ),
        alert(
            "DeviceMemoryError",
            uncorrected.into(),
            0,
            "critical",
            "Memory error that could not be corrected on {{ $labels.instance }}".into(),
        ),
    ];
    if let Some(busy) = run.health("device_busy") {
        let low = number(busy.low);
        all.push(alert(
            "DeviceBusyLow",
            format!("training:device_busy < {low}"),
            15,
            "warning",
            format!(
                "Devices are busy {{{{ $value }}}} of the time, the plan expects {} and at least {low}",
                number(busy.expected)
            ),
        ));
    }
    if run.vendor == Vendor::Nvidia {
        all.push(alert(
            "DeviceXid",
            "DCGM_FI_DEV_XID_ERRORS > 0".into(),
            0,
            "critical",
            "XID {{ $value }} on {{ $labels.instance }}".into(),
        ));
        all.push(alert(
            "DeviceHot",
            "increase(DCGM_FI_DEV_THERMAL_VIOLATION[10m]) > 0".into(),
            10,
            "warning",
            "A device slows down for heat on {{ $labels.instance }}".into(),
        ));
        if run.accelerator.scale_up_link.starts_with("NVLink") {
            all.push(alert(
                "NvlinkErrors",
                "increase(DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL[10m]) > 0".into(),
                0,
                "warning",
                "An NVLink recovers from errors on {{ $labels.instance }}".into(),
            ));
        }
    }
    all
}

fn of_links(run: &Run<'_>) -> Vec<Alert> {
    if run.is_inside() {
        return Vec::new();
    }
    let verbs = matches!(run.fabric.id.as_str(), "infiniband" | "roce" | "omnipath");
    let mut all = Vec::new();
    if verbs {
        all.push(alert(
            "LinkDown",
            "increase(node_infiniband_link_downed_total[10m]) > 0".into(),
            0,
            "critical",
            "A port of {{ $labels.instance }} went down".into(),
        ));
    }
    if run.fabric.id == "infiniband" {
        all.push(alert(
            "LinkErrors",
            "increase(node_infiniband_symbol_error_total[10m]) > 0".into(),
            10,
            "warning",
            "A port of {{ $labels.instance }} keeps counting symbol errors: look at the cable and its plugs".into(),
        ));
    } else {
        all.push(alert(
            "LinkErrors",
            "rate(node_network_receive_errs_total[10m]) > 0".into(),
            10,
            "warning",
            "A port of {{ $labels.instance }} keeps counting receive errors: look at the cable and its plugs".into(),
        ));
    }
    all
}
