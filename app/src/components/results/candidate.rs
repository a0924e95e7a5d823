//! A cluster of the search: how it is acquired, and the planner on it.

use engine::answer::Candidate;
use engine::catalog::Catalog;

/// How a candidate is acquired, in words.
pub(super) fn how(candidate: &Candidate) -> String {
    let way = match candidate.minimum_months {
        months if months > 0.0 => format!("{} for {months:.0} months", candidate.acquisition.label()),
        _ => candidate.acquisition.label().to_owned(),
    };
    match &candidate.provider {
        Some(id) => {
            format!("{}, {}", Catalog::get().provider(id).map_or(id.as_str(), |p| p.label.as_str()), way.to_lowercase())
        }
        None => way,
    }
}

/// The planner with the same inputs, but for these.
pub(super) fn with(query: &str, own: &[(&str, String)]) -> String {
    let kept = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| own.iter().all(|(name, _)| name != key));
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.extend_pairs(kept).extend_pairs(own);
    format!("/?{}", pairs.finish())
}

/// The planner with only this accelerator, no more of them than these, and these inputs.
pub(super) fn only(query: &str, candidate: &Candidate, own: &[(&str, String)]) -> String {
    let mut all = vec![("accelerators", candidate.accelerator.clone()), ("max_gpus", candidate.gpus.to_string())];
    all.extend_from_slice(own);
    with(query, &all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_replaced_not_repeated() {
        let own = [("utilization", "62%".to_owned())];
        assert_eq!(with("a=1&utilization=70%25&b=2", &own), "/?a=1&b=2&utilization=62%25");
    }
}
