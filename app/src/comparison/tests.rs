use super::*;
use crate::inputs::Inputs;

fn plan(query: &str) -> Plan {
    engine::plan(&Inputs::from_query(query).request().expect("a request"))
}

fn row_of<'c>(comparison: &'c Comparison, key: &str) -> &'c Row {
    let all = comparison.groups.iter().flat_map(|group| &group.rows);
    all.into_iter().find(|row| row.key == key).unwrap_or_else(|| panic!("no row {key}: {comparison:#?}"))
}

const SMALL: &str = "model.preset=llama-3.2-1b&max_gpus=16&training_tokens=10B";

#[test]
fn a_plan_does_not_differ_from_itself() {
    let one = plan(SMALL);
    let comparison = compare(&[Side::new("a", &one), Side::new("b", &one)]);
    assert_eq!(comparison.differences(), 0, "{comparison:#?}");
    assert!(comparison.clone().only_differences().groups.is_empty());
    assert!(comparison.groups.iter().flat_map(|g| &g.rows).all(|row| row.values.iter().all(|v| !v.best)));
}

#[test]
fn every_input_that_differs_is_told_with_its_name_and_unit() {
    let one = plan(SMALL);
    let other = plan(&format!(
        "{SMALL}&training_tokens=&budget_usd=2M&deadline_days=40&precision=fp8&accelerators=h100-sxm&overrides.pue=1.2&software.stack=deepspeed&overrides.gpu_hour_usd.aws.h100-sxm=3.5"
    ));
    let comparison = compare(&[Side::new("a", &one), Side::new("b", &other)]);
    for (key, label, texts) in [
        ("budget_usd", "Budget for the run", ["no limit", "$2,000,000"]),
        ("deadline_days", "Deadline", ["no limit", "40 days"]),
        ("overrides.pue", "PUE", ["from the catalog", "1.2 ratio"]),
    ] {
        let row = row_of(&comparison, key);
        assert!(row.differs && row.label == label, "{row:?}");
        assert_eq!(row.values.iter().map(|v| v.text.as_str()).collect::<Vec<_>>(), texts, "{key}");
    }
    assert_eq!(row_of(&comparison, "accelerators").values[0].text, "all");
    assert!(row_of(&comparison, "overrides.gpu_hour_usd.aws.h100-sxm").values[1].text.starts_with("$3.5"));
    assert!(row_of(&comparison, "precision").differs && row_of(&comparison, "software.stack").differs);
    assert!(!row_of(&comparison, "context_length").differs);
    // whatever the request holds is in one row or another
    let (a, b) =
        (serde_json::to_value(&one.request).expect("JSON"), serde_json::to_value(&other.request).expect("JSON"));
    for (key, value) in a.as_object().expect("an object") {
        if b.get(key) != Some(value) && !["overrides", "software", "model"].contains(&key.as_str()) {
            assert!(row_of(&comparison, key).differs, "{key}");
        }
    }
}

#[test]
fn differences_are_from_the_first_and_the_best_is_marked() {
    let plans = [plan(SMALL), plan(&SMALL.replace("10B", "20B")), plan(&SMALL.replace("10B", "40B"))];
    let sides: Vec<Side<'_>> = plans.iter().zip(["a", "b", "c"]).map(|(plan, title)| Side::new(title, plan)).collect();
    let comparison = compare(&sides);
    assert_eq!(comparison.columns.len(), 3);
    let total = row_of(&comparison, "total_usd");
    let amounts: Vec<f64> = total.values.iter().map(|v| v.number.expect("a cost")).collect();
    assert!(amounts[0] < amounts[1] && amounts[1] < amounts[2], "{amounts:?}");
    assert_eq!(total.values.iter().map(|v| v.best).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(total.values[0].difference, None);
    let second = &total.values[1];
    assert_eq!(second.difference, Some(amounts[1] - amounts[0]));
    assert!(second.difference_text.as_deref().is_some_and(|t| t.starts_with("+$") && t.contains('%')), "{second:?}");
    let tokens = row_of(&comparison, "training_tokens");
    assert_eq!(tokens.values[2].text, "40,000,000,000 tokens");
}

#[test]
fn differences_read_as_people_say_them() {
    for (measure, value, base, text) in [
        (Measure::Usd, 1_100_000.0, 1_000_000.0, "+$100K (+10%)"),
        (Measure::Usd, 900_000.0, 1_000_000.0, "\u{2212}$100K (\u{2212}10%)"),
        (Measure::Share, 0.48, 0.5, "\u{2212}2.0 points"),
        (Measure::Days, 44.0, 40.0, "+4.0 days (+10%)"),
        (Measure::Count, 64.0, 0.0, "+64"),
    ] {
        assert_eq!(measure.difference(value, base), text);
    }
}

#[test]
fn a_comparison_survives_json() {
    let one = plan("model.preset=llama-3.1-405b&training_tokens=15T&budget_usd=100000&deadline_days=10");
    let other = plan(SMALL);
    let comparison = compare(&[Side::new("none fits", &one), Side::new("fits", &other)]);
    let text = serde_json::to_string(&comparison).expect("JSON");
    assert_eq!(serde_json::from_str::<Comparison>(&text).expect("reads").columns, comparison.columns);
    assert!(!text.contains("NaN") && !text.contains("Infinity"));
    assert!(row_of(&comparison, "tier").values[0].text.contains("nothing meets the limits"), "{comparison:#?}");
}

#[test]
fn when_buying_pays_back_is_compared_too() {
    let busy = plan(&format!("{SMALL}&accelerators=h100-sxm&providers=azure&utilization=90"));
    let idle = plan(&format!("{SMALL}&accelerators=h100-sxm&providers=azure&utilization=2"));
    let comparison = compare(&[Side::new("busy", &busy), Side::new("idle", &idle)]);
    let row = row_of(&comparison, "pays_back_months");
    assert!(row.differs && row.values[0].text.ends_with("months") && row.values[0].number.is_some(), "{row:?}");
    assert_eq!((row.values[1].text.as_str(), row.values[1].number), ("never", None));
    assert!(row_of(&comparison, "pays_back_against").values.iter().all(|v| v.text.len() > 3));
}
