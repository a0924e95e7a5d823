//! The page of a figure: how it came about, and what the inputs do to it.

use crate::support::Server;
use engine::PlanRequest;
use engine::request::plan_request_from_pairs;

fn request(query: &str) -> PlanRequest {
    let pairs: Vec<(String, String)> =
        query.split('&').filter_map(|pair| pair.split_once('=')).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    plan_request_from_pairs(pairs).unwrap()
}

#[tokio::test]
async fn a_figure_says_what_a_tenth_more_of_each_input_does() {
    let server = Server::start().await;
    let query = "model.preset=llama-3.1-70b&training_tokens=1000000000000&budget_usd=5000000";
    let plan = engine::plan(&request(query));
    for key in ["tiers.workhorse.days", "tiers.workhorse.total_usd", "tiers.beast.power_kw"] {
        let answer = server.caller().get(&format!("/?{query}&_figure={key}")).await;
        assert_eq!(answer.status, 200);
        let text = answer.text();
        let expected = engine::influences(&plan, key);
        assert!(!expected.is_empty(), "{key}");
        for influence in expected {
            assert!(text.contains(&influence.label), "{key}: {}", influence.label);
        }
    }
    let days = server.caller().get(&format!("/?{query}&_figure=tiers.workhorse.days")).await.text();
    assert!(days.contains("#f-training_tokens") && days.contains("+10%"), "an input leads to its field");
    assert!(!days.contains("Electricity"), "the price of power is no part of time");
    let all = server.caller().get(&format!("/?{query}&_figure=all")).await.text();
    assert!(!all.contains("What a tenth more"), "the list of all figures is no figure");
}
