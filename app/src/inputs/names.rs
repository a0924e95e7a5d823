//! What each input is called, also those that the form has no field for.

use super::label;
use engine::catalog::Catalog;
use engine::request::Overrides;

/// The name of an input: that of its field, or one made of its key.
pub fn name(key: &str) -> String {
    if let Some(label) = label(key) {
        return label.to_owned();
    }
    let catalog = Catalog::get();
    let parts: Vec<&str> = key.split('.').collect();
    let device = |id: &str| catalog.accelerator(id).map_or_else(|| id.to_owned(), |a| a.label.clone());
    match parts.as_slice() {
        ["overrides", "server_usd", id] => format!("Price of a server, {}", device(id)),
        ["overrides", "efficiency", id] => format!("Measured over predicted, {}", device(id)),
        ["overrides", "gpu_hour_usd", provider, id] => {
            let provider = catalog.provider(provider).map_or(*provider, |p| p.label.as_str());
            format!("Price per GPU-hour, {provider}, {}", device(id))
        }
        ["overrides", "item_usd", ..] => {
            let path = Overrides::path(key.trim_start_matches("overrides."));
            path.map_or_else(|| capitalized(&key.replace(['.', '_'], " ")), |known| format!("Price, {}", known.label))
        }
        ["quotes", .., part] => {
            let path = key.trim_start_matches("quotes.").trim_end_matches(part).trim_end_matches('.');
            let of = Overrides::path(path).map_or(path, |known| known.label.as_str());
            format!("Quote of {of}: {}", part.replace('_', " "))
        }
        ["software", option] => format!("Software: {}", option.replace('_', " ")),
        ["model", "architecture", rest @ ..] => format!("Architecture: {}", rest.join(" ").replace('_', " ")),
        _ => capitalized(&key.replace(['.', '_'], " ")),
    }
}

pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_that_can_be_replaced_has_a_name_in_words() {
        for known in Overrides::paths() {
            let named = name(&format!("overrides.{}", known.key));
            assert!(!named.contains(['_', '.']) || known.label.contains('.'), "{}: {named}", known.key);
            let quote = name(&format!("quotes.{}.supplier", known.key));
            assert!(quote.starts_with("Quote of ") && quote.ends_with(": supplier"), "{quote}");
        }
        assert_eq!(name("deadline_days"), "Deadline");
        assert_eq!(name("overrides.server_usd.b200"), "Price of a server, NVIDIA B200 180 GB");
    }
}
