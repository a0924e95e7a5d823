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

/// The planner on a cluster of the frontier: no other of its accelerator costs less within its time, so its time is the
/// deadline, rounded up.
pub(super) fn of_frontier(query: &str, candidate: &Candidate) -> String {
    let days = (candidate.days * 100.0).ceil() / 100.0;
    only(query, candidate, &[("deadline_days", days.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a point of the frontier leads to is that point.
    #[test]
    fn the_planner_on_a_cluster_of_the_frontier_plans_it() {
        let plan = crate::components::fixture::plan();
        let pairs = engine::request::plan_request_to_pairs(&plan.request);
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        assert!(plan.frontier.len() > 5);
        for candidate in &plan.frontier {
            let address = of_frontier(&query, candidate);
            let pairs: Vec<(String, String)> =
                form_urlencoded::parse(address.trim_start_matches("/?").as_bytes()).into_owned().collect();
            let request = engine::request::plan_request_from_pairs(pairs).expect("a valid request");
            let again = engine::plan(&request);
            let found = again.tiers.iter().filter_map(|t| t.cluster.as_ref()).any(|c| c.gpus == candidate.gpus);
            let shown = again.shown().and_then(|t| t.cluster.as_ref()).map(|c| (c.accelerator.clone(), c.gpus));
            let asked = Some((candidate.accelerator.clone(), candidate.gpus));
            let over = plan.request.budget_usd.is_some_and(|usd| candidate.total_usd > usd);
            assert!(shown == asked || (over && found), "{address}: {shown:?}, not {asked:?}");
        }
    }

    #[test]
    fn an_input_is_replaced_not_repeated() {
        let own = [("utilization", "62%".to_owned())];
        assert_eq!(with("a=1&utilization=70%25&b=2", &own), "/?a=1&b=2&utilization=62%25");
    }
}
