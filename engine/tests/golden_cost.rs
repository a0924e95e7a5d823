//! The worked cost example by hand: B200, no interest, residual value, staff or tax.

mod support;

use serde_json::json;
use support::plan;

/// Capital 60,625 × 1.2 = 72,750.00 USD per device; running 759.94 USD a month; break-even against four rates at 80 %
/// and 50 % use.
#[test]
fn break_even_of_the_hand_calculation_comes_out() {
    let expected = [
        (0.8, 14.24, 9.6),
        (0.8, 8.60, 17.1),
        (0.8, 6.69, 23.1),
        (0.8, 5.50, 29.7),
        (0.5, 14.24, 16.4),
        (0.5, 8.60, 30.6),
        (0.5, 6.69, 43.247),
        (0.5, 5.50, 58.3),
    ];
    for (utilization, rate, months) in expected {
        let plan = plan(json!({
            "model": {"preset": "llama-3.1-8b"},
            "accelerators": ["b200"],
            "providers": ["lambda"],
            "acquisition": ["buy", "on_demand"],
            "max_gpus": 8,
            "utilization": utilization,
            "overrides": {
                "server_usd": {"b200": 485_000},
                "gpu_hour_usd": {"lambda": {"b200": rate}},
                "installation_share": 0.2, "network_share_of_capital": 0, "spare_share": 0, "tax_share": 0,
                "storage_usd_per_tb": 0, "cost_of_capital": 0, "residual_value": 0, "staff_fte": 0,
                "insurance_share_per_year": 0, "cloud_extras_share": 0,
                "electricity_usd_per_kwh": 0.0826, "pue": 1.3, "load_factor": 0.75, "idle_factor": 0.75,
                "server_overhead": 1.14 * 1.833 * 8.0 / 14.3, "colocation_usd_per_kw_month": 184,
                "support_share_per_year": 0.05,
            }
        }));
        let capital = plan.tiers[0].cost.as_ref().and_then(|c| c.capital_usd).expect("a purchase price");
        assert_eq!(capital.typical, 8.0 * 72_750.0);
        let rival =
            plan.cloud_vs_on_prem.break_even.iter().find(|b| b.against == "on_demand-lambda").expect("compared");
        let found = rival.months.expect("pays back");
        assert!((found - months).abs() < 0.05, "{utilization} at {rate}: {found}, by hand {months}");
        // the exact solution: capital ÷ (rate × 730 × utilization − running)
        let running = 122.85 + 384.49 + 252.60;
        let exact = 72_750.0 / (rate * 730.0 * utilization - running);
        assert!((found - exact).abs() < 0.01 * exact, "{found} {exact}");
        // by the same measure over 36 months: (capital ÷ 36 + running) ÷ (rate × 730)
        let even = (72_750.0 / 36.0 + running) / (rate * 730.0);
        match rival.utilization {
            Some(share) => assert!((share - even).abs() < 1e-4, "{share} {even}"),
            None => assert!(even > 1.0, "{even}"),
        }
    }
}

#[test]
fn running_cost_of_a_month_is_that_of_the_hand_calculation() {
    // per device: 1.833 kW × 1.14 × 0.75 × 1.3 × 0.0826 × 730 = 122.85; 1.833 × 1.14 × 184 = 384.49; 5 %/12 × 60,625 = 252.60
    let plan = plan(json!({
        "model": {"preset": "llama-3.1-8b"}, "accelerators": ["b200"], "max_gpus": 8,
        "overrides": {
            "server_usd": {"b200": 485_000}, "staff_fte": 0, "insurance_share_per_year": 0,
            "electricity_usd_per_kwh": 0.0826, "pue": 1.3, "load_factor": 0.75, "idle_factor": 0.75,
            "server_overhead": 1.14 * 1.833 * 8.0 / 14.3, "colocation_usd_per_kw_month": 184,
            "support_share_per_year": 0.05,
        }
    }));
    let terms = &plan.explanations.expect("explained")["tiers.starter.owned_hour_usd"].terms;
    let part = |name: &str| terms.iter().find(|t| t.name == name).map(|t| t.value / 8.0).expect(name);
    for (name, usd) in [("energy", 122.85), ("colocation", 384.49), ("support", 252.60)] {
        assert!((part(name) - usd).abs() < 0.005, "{name}: {}", part(name));
    }
}
