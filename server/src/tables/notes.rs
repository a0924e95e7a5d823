//! Where figures come from, and what a reader must know.

use super::Kind::{Link, Text};
use super::{Table, field, id, table};
use engine::Plan;
use engine::answer::Notice;
use engine::catalog::Catalog;
use std::collections::BTreeMap;

/// One source, with what of the plan it stands behind.
struct Cited<'a> {
    source: &'a str,
    title: Option<&'a str>,
    url: Option<&'a str>,
    license: Option<&'a str>,
    /// Newest date that is cited, if the plan has one.
    as_of: &'a str,
    used_for: String,
}

/// What one place of a plan cites.
struct Citation<'a> {
    source: &'a str,
    as_of: &'a str,
    used_for: &'static str,
}

pub(super) fn sources(plan: &Plan) -> Table {
    let catalog = &Catalog::get().sources;
    let mut cited: BTreeMap<&str, Cited<'_>> = BTreeMap::new();
    for citation in citations(plan).into_iter().filter(|citation| !citation.source.is_empty()) {
        // a price of a server is cited by the title of its source
        let known = catalog.iter().find(|s| s.id == citation.source || s.title == citation.source);
        let entry = cited.entry(known.map_or(citation.source, |s| s.id.as_str())).or_insert_with(|| Cited {
            source: known.map_or(citation.source, |s| s.id.as_str()),
            title: known.map(|s| s.title.as_str()),
            url: known.and_then(|s| s.url.as_deref()),
            license: known.map(|s| s.license.as_str()),
            as_of: "",
            used_for: String::new(),
        });
        entry.as_of = entry.as_of.max(citation.as_of);
        if !entry.used_for.contains(citation.used_for) {
            let comma = if entry.used_for.is_empty() { "" } else { ", " };
            entry.used_for = format!("{}{comma}{}", entry.used_for, citation.used_for);
        }
    }
    table(
        "sources",
        cited.into_values(),
        &[
            field("source", "Source", Text, |c: &Cited<'_>| c.source.into()),
            field("title", "Title", Text, |c| c.title.into()),
            field("url", "Address", Link, |c| c.url.into()),
            field("license", "License", Text, |c| c.license.into()),
            field("as_of", "Newest date cited", Text, |c| c.as_of.into()),
            field("used_for", "Used for", Text, |c| c.used_for.as_str().into()),
        ],
    )
}

fn citations(plan: &Plan) -> Vec<Citation<'_>> {
    let bill = plan.bill_of_materials.iter().map(|line| Citation {
        source: &line.source,
        as_of: &line.as_of,
        used_for: "bill of materials",
    });
    let options = plan.tiers.iter().filter_map(|tier| tier.cost.as_ref()).flat_map(|cost| &cost.options);
    let options = options.map(|option| Citation { source: &option.source, as_of: &option.as_of, used_for: "options" });
    let notices = plan.notices.iter().map(|notice| Citation { source: &notice.source, as_of: "", used_for: "notices" });
    bill.chain(options).chain(notices).collect()
}

pub(super) fn notices(plan: &Plan) -> Table {
    table(
        "notices",
        plan.notices.iter(),
        &[
            field("code", "Code", Text, |n: &&Notice| (&n.code).into()),
            field("severity", "Severity", Text, |n| id(n.severity)),
            field("text", "Notice", Text, |n| (&n.text).into()),
            field("source", "Source", Text, |n| (&n.source).into()),
        ],
    )
}
