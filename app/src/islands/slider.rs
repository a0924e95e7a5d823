//! A slider and its text field are one value: here from the slider to the text.

use js_sys::Number;
use web_sys::HtmlInputElement;

/// What belongs in the field for the place of its slider.
pub(super) fn text(slider: &HtmlInputElement) -> String {
    let attribute = |name: &str| js_sys::parse_float(&slider.get_attribute(name).unwrap_or_default());
    let (min, max) = (attribute("data-min"), attribute("data-max"));
    let share = slider.value_as_number() / 1000.0;
    let factor = js_sys::Math::pow(max / min, share);
    let value = match slider.get_attribute("data-scale").as_deref() {
        Some("binary") => js_sys::Math::pow(2.0, js_sys::Math::round(js_sys::Math::log2(min * factor))),
        Some("log") => nice(min * factor),
        _ => min + share * (max - min),
    };
    match slider.get_attribute("data-format").as_deref() {
        Some("percent") => plain(js_sys::Math::round(value * 100.0)) + "%",
        Some("usd") => format!("${}", suffixed(value)),
        Some("suffix") => suffixed(value),
        Some("grouped") => String::from(Number::from(value).to_locale_string("en-US")),
        _ => plain(js_sys::Math::round(value)),
    }
}

/// Two significant digits, so that the slider stops at values people would type.
fn nice(value: f64) -> f64 {
    let step = js_sys::Math::pow(10.0, js_sys::Math::floor(js_sys::Math::log10(value)) - 1.0);
    js_sys::Math::round(value / step) * step
}

fn suffixed(value: f64) -> String {
    for (step, suffix) in [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K")] {
        if value >= step * 0.9999 {
            // one decimal at most, which two significant digits need
            return plain(js_sys::Math::round(value / step * 10.0) / 10.0) + suffix;
        }
    }
    plain(value)
}

fn plain(value: f64) -> String {
    Number::from(value).to_string_with_radix(10).map(String::from).unwrap_or_default()
}
