//! The plan as files to start from, and what can't be written for it.

use super::{Purpose, nothing, section as wrap};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::handover::{Handover, Operating, Refusal};
use leptos::prelude::*;

/// Files with what to know of each, the ones that were refused, and what running it takes.
pub(super) fn section(plan: &Plan, query: &str, purpose: Purpose) -> AnyView {
    let files = engine::handover(plan);
    let title = "Files to start from";
    if files.artifacts.is_empty() {
        return wrap("files", title, nothing("No cluster is shown, so there is nothing to configure."));
    }
    let rows = files.artifacts.iter().map(|file| {
        let name = Cell::text(&file.name).link(address(&file.name, query));
        vec![name, Cell::text(&file.note), Cell::text(&file.validated_with)]
    });
    let head = ["File", "What to know", "Checked by"].map(str::to_owned).to_vec();
    let today = (purpose == Purpose::Frozen)
        .then(|| view! { <p class="quiet">"The files are written for these inputs by today's engine and catalog; the plan above is as it was."</p> });
    let count = format::plural(files.artifacts.len() as f64, "file", "files");
    let body = view! {
        <div class="block">
            <h3>{format!("{count} with this plan's own numbers")}</h3>
            {today}
            <p class="actions"><a class="button" href=format!("/api/v1/plans/artifacts.zip?{query}") download>"All files as ZIP"</a></p>
            <DataTable caption="Files of the plan" head=head rows=rows.collect() class="data-wrap data-cards" />
            {refused(&files)}
        </div>
        {files.operating.as_ref().map(operating)}
    };
    wrap("files", title, body.into_any())
}

fn address(name: &str, query: &str) -> String {
    format!("/api/v1/plans/artifacts/{name}?{query}")
}

fn refused(files: &Handover) -> Option<AnyView> {
    let item = |r: &Refusal| view! { <li><b>{r.name.clone()}</b>": "{r.reason.clone()}</li> };
    let items: Vec<_> = files.refused.iter().map(item).collect();
    (!items.is_empty()).then(|| view! { <h4>"Not for this plan"</h4><ul class="refused">{items}</ul> }.into_any())
}

/// What the cluster needs of people once it runs.
fn operating(operating: &Operating) -> AnyView {
    let row = |name: &str, value: String| vec![Cell::text(name), Cell::text(value)];
    let hours = |hours: f64| format::measure(hours, "h");
    let mut rows = vec![
        row("Interruptions to expect a week", format::significant(operating.interruptions_per_week, 3)),
        row("Hours between interruptions", hours(operating.hours_between_interruptions)),
        row("Lost at each, with the restart", hours(operating.lost_hours_per_interruption)),
        row("Time to restart", hours(operating.restart_hours)),
        row("Checkpoint every", hours(operating.checkpoint_interval_seconds / 3600.0)),
        row("Size of a checkpoint", format::measure(operating.checkpoint_bytes / 1e9, "GB")),
        row("Goodput", format::percent(operating.goodput)),
        row("People to run it, full time", format::significant(operating.staff_fte, 3)),
    ];
    if let Some(spares) = operating.spare_systems {
        rows.push(row("Spare systems", format::count(spares)));
    }
    let scratch = operating.scratch.iter().map(|s| {
        let size = format::measure(s.bytes_per_node / 1e9, "GB");
        vec![Cell::text(&s.folder).note(&s.why), Cell::text(size)]
    });
    let scratch: Vec<_> = scratch.collect();
    let head = ["What", "#Figure"].map(str::to_owned).to_vec();
    let folders = ["Folder on each node's drives", "#Size"].map(str::to_owned).to_vec();
    view! {
        <div class="block">
            <h3>"Running it"</h3>
            <DataTable caption="What running the cluster takes" head=head rows=rows />
            {(!scratch.is_empty()).then(|| view! { <DataTable caption="Scratch layout of a node" head=folders rows=scratch /> })}
        </div>
    }
    .into_any()
}
