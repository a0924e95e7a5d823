//! Which rows are shown: three choices of a plain GET form.

use crate::components::filter_select;
use engine::request::Precision;
use engine::validation::{ModelKind, Report, Row};
use leptos::prelude::*;

/// What is asked for; empty is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    accelerator: String,
    kind: String,
    precision: String,
}

const KINDS: [(&str, &str); 2] = [("dense", "Dense models"), ("experts", "Mixtures of experts")];

fn kind_id(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Dense => "dense",
        ModelKind::Experts => "experts",
    }
}

impl Filter {
    pub(super) fn from_query(query: &str) -> Self {
        let mut filter = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            // no id is longer
            let value: String = value.trim().chars().take(60).collect();
            match key.as_ref() {
                "accelerator" => filter.accelerator = value,
                "kind" => filter.kind = value,
                "precision" => filter.precision = value,
                _ => {}
            }
        }
        filter
    }

    /// The address of what it shows.
    pub(super) fn address(&self) -> String {
        let pairs = [("accelerator", &self.accelerator), ("kind", &self.kind), ("precision", &self.precision)];
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs.into_iter().filter(|(_, value)| !value.is_empty()))
            .finish();
        if query.is_empty() { "/validation".into() } else { format!("/validation?{query}") }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn keeps(&self, row: &Row) -> bool {
        let is = |wanted: &str, id: Option<&str>| wanted.is_empty() || id == Some(wanted);
        is(&self.accelerator, Some(row.accelerator))
            && is(&self.kind, row.kind.map(kind_id))
            && is(&self.precision, Some(row.precision.id()))
    }

    /// What it shows, in words: `dense models, h100-sxm, bf16`.
    pub(super) fn described(&self) -> String {
        let kind = KINDS.iter().find(|(id, _)| *id == self.kind);
        let kind = kind.map_or(self.kind.clone(), |(_, label)| label.to_lowercase());
        let parts: Vec<String> = [kind, self.accelerator.clone(), self.precision.clone()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        if parts.is_empty() { "all rows, fine-tuning and sweeps too".into() } else { parts.join(", ") }
    }

    pub(super) fn form(&self, report: &Report) -> AnyView {
        let mut accelerators: Vec<(&str, &str)> =
            report.rows.iter().map(|r| (r.accelerator, r.accelerator_label)).collect();
        accelerators.sort_unstable_by_key(|(_, label)| *label);
        accelerators.dedup();
        let precisions: Vec<(&str, &str)> = Precision::ALL.iter().map(|p| (p.id(), p.label())).collect();
        let clear = (!self.is_empty()).then(|| view! { <a class="button" href="/validation#scatter">"Show all"</a> });
        view! {
            <form class="inline-form filter-form" id="filter" method="get" action="/validation#scatter" aria-label="Filter of the measurements">
                {filter_select("accelerator", "Accelerator", "All accelerators", &accelerators, &self.accelerator)}
                {filter_select("kind", "Kind of model", "Dense and experts", &KINDS, &self.kind)}
                {filter_select("precision", "Number format", "All formats", &precisions, &self.precision)}
                <button class="button button-primary" type="submit">"Filter"</button>
                {clear}
            </form>
        }
        .into_any()
    }
}
