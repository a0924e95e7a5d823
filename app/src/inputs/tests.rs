use super::*;

#[test]
fn the_example_is_a_valid_request() {
    let request = Inputs::example().request().expect("valid");
    assert_eq!(request.training_tokens, 1_000_000_000_000);
    assert_eq!(request.budget_usd, Some(5e6));
    assert!((request.utilization - 0.7).abs() < 1e-9);
}

#[test]
fn an_address_survives_a_round_trip() {
    let inputs = Inputs::from_query(
        "accelerators=h100-sxm&training_tokens=15T&accelerators=b200&model.preset=llama-3.1-8b&budget_usd=&_=1",
    );
    assert_eq!(inputs.query(), "model.preset=llama-3.1-8b&training_tokens=15T&accelerators=h100-sxm%2Cb200");
    assert_eq!(Inputs::from_query(&inputs.query()), inputs);
    assert!(inputs.lists("accelerators", "b200"));
}

#[test]
fn every_input_of_the_form_survives_request_and_address() {
    let query = [
        "model.preset=llama-3.1-70b&context_length=8k&training_tokens=2T&budget_usd=$5M&deadline_days=90&utilization=70%25",
        "method=pretraining&precision=fp8&optimizer=adamw_bf16&host_offload=optimizer&software.stack=pytorch-fsdp",
        "global_batch_tokens=8M&accelerators=h100-sxm,b200&max_gpus=1024&max_power_kw=900&acquisition=buy,on_demand",
        "providers=aws&monthly_budget_usd=400000&horizon_months=48&demand_growth_per_month=2%25&demand_seasonality=30%25",
        "team_size=3&region=us-average&facility=own&overrides.topology=rail_optimized&overrides.oversubscription=2",
    ]
    .join("&");
    let mut query = query;
    for known in engine::request::Overrides::SCALARS.iter().filter(|known| known.name != "oversubscription") {
        query.push_str(&format!("&overrides.{}={}", known.name, (known.min + known.max.min(known.min + 1.0)) / 2.0));
    }
    let inputs = Inputs::from_query(&query);
    let strangers: Vec<_> = inputs.others().collect();
    assert!(strangers.is_empty(), "the form has a place for each: {strangers:?}");
    let request = inputs.request().expect("valid");
    assert_eq!(Inputs::from_query(&inputs.query()).request().expect("valid"), request, "by the address");
    let pairs = engine::request::plan_request_to_pairs(&request);
    let address = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    assert_eq!(Inputs::from_query(&address).request().expect("valid"), request, "by the address of the API");
    assert_eq!(request.demand_seasonality, 0.3);
    assert_eq!(request.facility, engine::request::Facility::Own);
    assert_eq!(request.overrides.topology, Some(engine::request::Topology::RailOptimized));
    assert_eq!(request.overrides.scalars.len(), engine::request::Overrides::SCALARS.len());
}

#[test]
fn machine_numbers_are_written_as_people_do() {
    let inputs = Inputs::from_query(
        "training_tokens=1000000000000&budget_usd=5000000&utilization=0.7&context_length=8192&max_gpus=1234567",
    );
    let shown: Vec<String> =
        ["training_tokens", "budget_usd", "utilization", "context_length", "max_gpus"].map(|k| inputs.shown(k)).into();
    assert_eq!(shown, ["1T", "$5M", "70%", "8,192", "1234567"]);
}

#[test]
fn errors_name_the_field_of_the_form() {
    let errors = Inputs::from_query("model.preset=llama-3.1-8b&context_length=5&accelerators=h100-sxm,nope")
        .request()
        .expect_err("wrong");
    let keys: Vec<&str> = errors.all().iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["context_length", "accelerators"]);
    assert!(errors.of("context_length").is_some_and(|m| m.starts_with("Context length is 5")), "{errors:?}");
    let missing = Inputs::from_query("context_length=8k").request().expect_err("no model");
    assert!(missing.of("model.preset").is_some_and(|m| m.contains("Choose a model")));
}

#[test]
fn echoes_tell_what_was_understood() {
    let inputs =
        Inputs::from_query("model.preset=llama-3.1-70b&training_tokens=1T&context_length=8k&budget_usd=5000000");
    let echoes = inputs.echoes();
    let echo = |key: &str| echoes.iter().find(|e| e.field == key).cloned().unwrap_or_default();
    assert_eq!(echo("training_tokens").text, "= 1,000,000,000,000 tokens");
    assert_eq!(echo("context_length").text, "= 8,192 tokens");
    assert_eq!(echo("context_length").slider, Some(300));
    assert_eq!(echo("budget_usd").text, "");
    assert_eq!(echo("utilization").text, "Default: 70%");
    assert_eq!(echo("max_gpus").text, "Default: 2,048 GPUs");
}

#[test]
fn a_share_is_in_percent_with_and_without_its_sign() {
    for (text, shown, echo, place) in [
        ("70", "70%", "= 70%", Some(684)),
        ("70%", "70%", "", Some(684)),
        ("0.7", "70%", "= 70%", Some(684)),
        ("1", "100%", "= 100%; write 1% for one percent", Some(1000)),
        // what can't be is kept as typed, and moves no slider
        ("150", "150%", "= 150%", None),
        ("7x", "7x", "", None),
        ("0.", "0%", "", None),
    ] {
        let inputs = Inputs::from_query(&format!("model.preset=llama-3.1-70b&utilization={text}"));
        assert_eq!(inputs.shown("utilization"), shown, "{text}");
        let found = inputs.echoes().into_iter().find(|e| e.field == "utilization").expect("there");
        assert_eq!((found.text.as_str(), found.slider), (echo, place), "{text}");
    }
}

#[test]
fn a_slider_stands_still_while_its_field_is_not_valid() {
    let place = |query: &str, key: &str| {
        let inputs = Inputs::from_query(&format!("model.preset=llama-3.1-70b&{query}"));
        inputs.echoes().into_iter().find(|e| e.field == key).and_then(|e| e.slider)
    };
    for (key, wrong) in [
        ("context_length", "8kk"),
        ("context_length", "1"),
        ("training_tokens", "1e"),
        ("training_tokens", "1"),
        ("budget_usd", "$"),
        ("budget_usd", "0"),
        ("deadline_days", "9O"),
        ("horizon_months", "3.6"),
    ] {
        assert_eq!(place(&format!("{key}={wrong}"), key), None, "{key}={wrong}");
    }
    // no limit stands at the far end
    assert_eq!(place("", "budget_usd"), Some(1000));
    // and a default stays where it is while another field is wrong
    assert_eq!(place("training_tokens=few", "utilization"), Some(684));
    assert_eq!(place("training_tokens=few", "budget_usd"), Some(1000));
}

#[test]
fn a_page_opens_with_its_address_or_else_with_the_example() {
    let queries = ["", "budget_usd=&training_tokens=", "utm_source=mail"];
    for query in queries {
        assert_eq!(Inputs::of_page(query).text("model.preset"), "llama-3.1-70b", "{query}");
    }
    // a stranger is named; that the address has no model is no fault of its own
    let errors = Inputs::of_page("foo=1").request().expect_err("unknown");
    assert_eq!(errors.all().len(), 1, "{errors:?}");
    assert!(errors.of("foo").is_some_and(|m| m.contains("not a known field")), "{errors:?}");
    let errors = Inputs::of_page("budget=1").request().expect_err("unknown");
    assert!(errors.of("budget").is_some_and(|m| m.contains("did you mean “budget_usd”")), "{errors:?}");
    // with another input of the planner, the model is missed
    let errors = Inputs::of_page("foo=1&budget_usd=5M").request().expect_err("no model");
    assert_eq!(errors.all().len(), 2, "{errors:?}");
    assert!(errors.of("model.preset").is_some());
    for query in ["overrides.pue=1.2", "software.compiled=true", "model.preset=llama-3.1-8b"] {
        assert_eq!(Inputs::of_page(query).query(), query);
    }
}

#[test]
fn a_size_may_carry_its_suffix() {
    let request = Inputs::from_query("model.parameters_billion=13B").request().expect("valid");
    assert_eq!(request.model.label(), "13B model");
}

#[test]
fn every_key_of_the_form_has_one_place() {
    let mut keys: Vec<&str> = fields().map(|f| f.key).collect();
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all);
}

/// A bare number from 0 to 1 is a share: it is said as percent, and of a whole how to write one percent.
#[test]
fn a_bare_share_is_told_in_percent() {
    let echo = |query: &str, key: &str| {
        let echoes = Inputs::from_query(query).echoes();
        echoes.into_iter().find(|echo| echo.field == key).expect("a field").text
    };
    let whole = "= 100%; write 1% for one percent";
    for (query, key, text) in [
        ("utilization=1", "utilization", whole),
        ("utilization=0.7", "utilization", "= 70%"),
        ("utilization=70", "utilization", "= 70%"),
        ("utilization=1%25", "utilization", ""),
        ("demand_growth_per_month=1", "demand_growth_per_month", whole),
        ("overrides.tax_share=1", "overrides.tax_share", whole),
        ("overrides.cost_of_capital=0.08", "overrides.cost_of_capital", "= 8%"),
        ("overrides.pue=1", "overrides.pue", ""),
    ] {
        assert_eq!(echo(&format!("model.preset=llama-3.1-8b&{query}"), key), text, "{query}");
    }
    let request = |query: &str| Inputs::from_query(&format!("model.preset=llama-3.1-8b&{query}")).request();
    let read = |query: &str| request(query).expect("a request").utilization;
    assert_eq!((read("utilization=1"), read("utilization=1%25")), (1.0, 0.01), "of programs it stays a share");
}

/// What stands in an empty field is either words or an example that says so.
#[test]
fn no_placeholder_looks_like_a_value() {
    for field in fields() {
        let text = field.placeholder();
        assert!(text.starts_with("for example ") || !text.contains(|c: char| c.is_ascii_digit()), "{text}");
    }
}

/// The tokens of the worked example are for pretraining: who only chooses another method gets the default of that.
#[test]
fn the_tokens_of_the_example_do_not_stay_when_the_method_changes() {
    let example = Inputs::of_page("").query();
    let tokens = |query: &str| Inputs::from_query(query).request().expect("a request").training_tokens;
    assert_eq!(tokens(&format!("{example}&_example=1")), 1_000_000_000_000);
    for method in ["lora", "full_fine_tuning"] {
        let changed = Inputs::from_query(&format!("{example}&method={method}&_example=1"));
        assert_eq!(changed.request().expect("a request").training_tokens, 100_000_000);
        assert!(!changed.query().contains("_example") && !changed.query().contains("training_tokens"));
        assert_eq!(tokens(&format!("{example}&method={method}")), 1_000_000_000_000, "what is in an address stays");
        let typed = example.replace("training_tokens=1T", "training_tokens=2T");
        assert_eq!(tokens(&format!("{typed}&method={method}&_example=1")), 2_000_000_000_000);
    }
}

#[test]
fn tags_of_mail_programs_are_no_inputs() {
    let inputs = Inputs::from_query("training_tokens=2T&utm_source=mail&gclid=x");
    assert_eq!(inputs.query(), "training_tokens=2T");
    assert!(Inputs::of_page("utm_source=mail").is_example());
}
