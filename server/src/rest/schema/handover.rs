//! The files of a plan.

use super::plan::tier;
use super::{list, number, object, of, or_null, text};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("Handover", handover()), ("Artifact", artifact()), ("Refusal", refusal()), ("Operating", operating())]
}

fn handover() -> Value {
    object(
        "A plan as files to start from",
        &[
            ("tier", tier("Tier whose cluster the files are of: the one that the plan shows")),
            ("artifacts", list("The files", of("Artifact", "A file"))),
            ("refused", list("Files that can't be written for this plan", of("Refusal", "A file and the reason"))),
            ("operating", or_null(of("Operating", "What running the cluster takes; null without a cluster"))),
        ],
    )
}

fn artifact() -> Value {
    object(
        "A file",
        &[
            ("name", text("File name")),
            ("media_type", text("Media type")),
            ("text", text("The whole text")),
            ("note", text("What to know before using it")),
            ("validated_with", text("Parser that accepts it, with its version")),
        ],
    )
}

fn refusal() -> Value {
    object("A file that can't be written for this plan", &[("name", text("File name")), ("reason", text("Why"))])
}

fn operating() -> Value {
    let scratch = object(
        "A folder of each node's own drives",
        &[
            ("folder", text("Folder below the mount point")),
            ("bytes_per_node", number("Space of one node, bytes")),
            ("why", text("What it is for, and how the size came about")),
        ],
    );
    object(
        "What running the cluster takes",
        &[
            ("metrics", list("Metrics with expected value and alarm", of("HealthMetric", "A metric"))),
            ("interruptions_per_week", number("Interruptions of the job a week")),
            ("hours_between_interruptions", number("Hours between interruptions")),
            ("restart_hours", number("From an interruption to training again, hours")),
            ("lost_hours_per_interruption", number("Work done again, write and restart of one interruption, hours")),
            ("goodput", number("Productive share of the calendar")),
            ("checkpoint_interval_seconds", number("Seconds between checkpoints")),
            ("checkpoint_bytes", number("Size of one checkpoint, bytes")),
            ("spare_systems?", number("Spare systems of a bought cluster")),
            ("staff_fte", number("Engineers who run the cluster, full time")),
            ("scratch", list("Layout of each node's own drives", scratch)),
        ],
    )
}
