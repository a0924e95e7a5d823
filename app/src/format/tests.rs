use super::*;

#[test]
fn money_has_three_significant_digits() {
    let cases = [
        (0.0, "$0"),
        (0.1234, "$0.123"),
        (2.49, "$2.49"),
        (14.2, "$14.20"),
        (960.4, "$960"),
        (1_234.0, "$1.23K"),
        (707_000.0, "$707K"),
        (999_600.0, "$1.00M"),
        (1_234_567.0, "$1.23M"),
        (12_345_678.0, "$12.3M"),
        (4.6e9, "$4.60B"),
        (-1_500_000.0, "\u{2212}$1.50M"),
    ];
    for (usd, text) in cases {
        assert_eq!(money(usd), text);
    }
    assert_eq!(money_full(1_234_567.4), "$1,234,567");
    assert_eq!(money_full(2.495), "$2.495");
    assert_eq!(money_range(580_000.0, 890_000.0), "$580K–$890K");
    assert_eq!(money(f64::NAN), "—");
}

#[test]
fn durations_say_their_unit() {
    assert_eq!(days(41.32), "41.3 days");
    assert_eq!(days(388.4), "388 days");
    assert_eq!(days(1.3), "31.2 hours");
    assert_eq!(days(2_650.0), "2,650 days");
    assert_eq!(days_range(77.2, 95.1), "77.2–95.1 days");
    assert_eq!(seconds(12.34), "12.3 s");
    assert_eq!(seconds(0.85), "850 ms");
    assert_eq!(seconds(0.000_045), "45.0 µs");
    assert_eq!(months(17.34), "17 months");
    assert_eq!(months(1.0), "1 month");
}

#[test]
fn counts_have_separators_and_suffixes() {
    assert_eq!(count(1_234_567.0), "1,234,567");
    assert_eq!(count(-0.2), "0");
    assert_eq!(compact(1e12), "1T");
    assert_eq!(compact(70.6e9), "70.6B");
    assert_eq!(compact(8_192.0), "8,192");
    assert_eq!(compact(999_999.0), "1M");
    assert_eq!(exact(0.0826), "0.0826");
    assert_eq!(plural(1.0, "node", "nodes"), "1 node");
    assert_eq!(plural(1_024.0, "node", "nodes"), "1,024 nodes");
}

#[test]
fn shares_and_sizes() {
    assert_eq!(percent(0.462), "46.2%");
    assert_eq!(percent_signed(0.032), "+3.2%");
    assert_eq!(percent_signed(-0.032), "\u{2212}3.2%");
    assert_eq!(percent_signed(0.0), "0%");
    assert_eq!(percent(0.46), "46%");
    assert_eq!(percent(1.0), "100%");
    assert_eq!(percent(0.0), "0%");
    assert_eq!(percent(0.0042), "0.42%");
    assert_eq!(percent_fixed(0.54), "54.0%");
    assert_eq!(gib(103.46), "103 GiB");
    assert_eq!(gib(8.25), "8.25 GiB");
    assert_eq!(kilowatts(130.4), "130 kW");
    assert_eq!(kilowatts(1_200.0), "1.2 MW");
}

#[test]
fn measures_are_told_in_the_unit_that_people_say() {
    let cases = [
        (19_100.0, "s", "5.3 h"),
        (14.9, "s", "14.9 s"),
        (0.85, "s", "850 ms"),
        (119.96, "s", "2 min"),
        (3_186.0, "s", "53.1 min"),
        (7_198.0, "s", "2 h"),
        (172_790.0, "s", "2 days"),
        (302_400.0, "s", "3.5 days"),
        (0.0, "s", "0 s"),
        (0.0952, "share of step", "9.5%"),
        (0.988, "share of calendar", "98.8%"),
        (0.549, "share", "54.9%"),
        (1.0, "share", "100%"),
        (0.0, "share of step", "0%"),
        (170.5, "GiB", "171 GiB"),
        (2_748.4, "tokens/s/GPU", "2,750 tokens/s/GPU"),
        (0.2986, "per week", "0.3 per week"),
        (1.94, "per week", "1.9 per week"),
        (f64::NAN, "share of step", "—"),
        (8.0, "", "8"),
    ];
    for (value, unit, text) in cases {
        assert_eq!(measure(value, unit), text, "{value} {unit}");
    }
}

#[test]
fn a_range_tells_its_unit_once() {
    assert_eq!(measure_range(28.1, 34.8, "s"), "28.1 to 34.8 s");
    assert_eq!(measure_range(0.85, 1.2, "s"), "850 ms to 1.20 s");
    assert_eq!(measure_range(1_060.0, 1_310.0, "tokens/s/GPU"), "1,060 to 1,310 tokens/s/GPU");
    assert_eq!(measure_range(0.0, 0.143, "share of step"), "0% to 14.3%");
    assert_eq!(measure_range(0.0, 2.1, "per week"), "0 to 2.1 per week");
}

#[test]
fn quantities_agree_with_their_unit() {
    let cases = [
        (1.0, "system", "1 system"),
        (15.0, "system", "15 systems"),
        (6.0, "switch", "6 switches"),
        (1_024.0, "transceiver", "1,024 transceivers"),
        (18.5, "TB usable", "18.5 TB usable"),
        (0.0, "cable", "0 cables"),
    ];
    for (n, unit, text) in cases {
        assert_eq!(quantity(n, unit), text);
    }
}

#[test]
fn a_negative_number_has_a_true_minus() {
    assert_eq!(exact(-1_234.5), "\u{2212}1,234.5");
    assert_eq!(count(-12_345.0), "\u{2212}12,345");
}

#[test]
fn significant_digits_carry() {
    assert_eq!(significant(9.996, 3), "10.0");
    assert_eq!(significant(99.96, 3), "100");
    assert_eq!(significant(0.000_123_45, 3), "0.000123");
    assert_eq!(significant(123_456.0, 3), "123,000");
}

#[test]
fn dates_are_written_out() {
    assert_eq!(date("2026-11-30T08:00:00Z"), "30 November 2026");
    assert_eq!(date("2026-09"), "September 2026");
    assert_eq!(date("2026"), "2026");
}

#[test]
fn energy_mass_and_rates_take_the_unit_that_fits() {
    assert_eq!(energy(980.0), "980 kWh");
    assert_eq!(energy(332_529.4), "333 MWh");
    assert_eq!(energy(999_600.0), "1 GWh");
    assert_eq!(mass(4_182.4), "4.18 t");
    assert_eq!(mass(0.0), "0 kg");
    assert_eq!(gigabits(24_000.0), "24 Tb/s");
    assert_eq!(terabytes(17.877), "17.9 TB");
}

#[test]
fn times_are_told_as_people_say_them() {
    assert_eq!(moment("2026-11-30T10:05:59Z"), "30 November 2026, 10:05 UTC");
    assert_eq!(moment("never"), "never");
    for (seconds, text) in [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7_199, "1 hour ago"),
        (2 * 86_400, "2 days ago"),
        (59 * 86_400, "59 days ago"),
        (61 * 86_400, "2 months ago"),
        (400 * 86_400, "1 year ago"),
        (800 * 86_400, "2 years ago"),
    ] {
        assert_eq!(ago(seconds), text);
    }
}

#[test]
fn one_thing_is_named_in_the_singular() {
    for (n, unit, text) in [
        (1.0, "devices", "device"),
        (2.0, "devices", "devices"),
        (0.0, "devices", "devices"),
        (1.0, "switches", "switch"),
        (1.0, "people", "person"),
        (1.0, "USD/kWh", "USD/kWh"),
        (1.0, "GiB", "GiB"),
    ] {
        assert_eq!(unit_of(n, unit), text);
    }
    assert_eq!(measure(1.0, "ports"), "1.00 port");
}

#[test]
fn durations_of_a_column_have_one_unit() {
    let told = |column: &[f64]| -> Vec<String> {
        let write = days_together(column.iter().copied());
        column.iter().map(|days| write(*days)).collect()
    };
    assert_eq!(told(&[41.26, 12.0]), ["41.3 days", "12.0 days"]);
    assert_eq!(told(&[41.26, 0.853, 0.01]), ["41.3 days", "0.85 days", "0.010 days"]);
    assert_eq!(told(&[1.3, 0.02]), ["31.2 hours", "0.48 hours"]);
    assert_eq!(told(&[0.01]), ["14.4 minutes"]);
    assert_eq!(told(&[]), Vec::<String>::new());
}
