//! What a plan has from the price book of the team.

use crate::backend::prices::{BookUse, Prices};
use crate::format;
use crate::inputs::Inputs;
use engine::Plan;
use leptos::prelude::*;

/// Most quotes that are named.
const NAMED: usize = 4;

/// How many quotes are used and which, with the ways to the book and to a plan without it.
pub(super) fn line(plan: &Plan, book: &BookUse, query: &str) -> Option<AnyView> {
    let (without, with) = addresses(query);
    let (text, switch) = match book.prices {
        Prices::Catalog => ("This plan is made without your team's price book. ".to_owned(), (with, "Plan with it")),
        Prices::Team => (words(plan, book)?, (without, "Plan without it")),
    };
    let switch = (book.prices == Prices::Catalog || !book.keys.is_empty())
        .then(|| view! { " · "<a href=switch.0>{switch.1}</a> });
    Some(view! { <p class="yours" id="book">{text}<a href="/price-book">"Price book"</a>{switch}</p> }.into_any())
}

fn words(plan: &Plan, book: &BookUse) -> Option<String> {
    // under the names that the price book has for them
    let known = if book.keys.is_empty() { Vec::new() } else { engine::quotables() };
    let name = |key: &str| known.iter().find(|known| known.key == key).map(|known| known.label.as_str());
    let used: Vec<&str> = plan
        .overridden
        .iter()
        .filter(|own| own.used && book.keys.contains(&own.key))
        .map(|own| name(&own.key).unwrap_or(&own.label))
        .collect();
    let expired = match book.expired.len() {
        0 => String::new(),
        1 => "One quote has expired and is not used. ".into(),
        many => format!("{many} quotes have expired and are not used. "),
    };
    let names = used.iter().take(NAMED).copied().collect::<Vec<_>>().join("; ");
    let more = if used.len() > NAMED { format!("; {} more", used.len() - NAMED) } else { String::new() };
    let text = match used.len() {
        0 if book.keys.is_empty() => String::new(),
        0 => "Your team's price book is in force; nothing in this plan is computed with it. ".into(),
        n => {
            let quotes = format::plural(n as f64, "quote", "quotes");
            let verb = if n == 1 { "is" } else { "are" };
            format!("{quotes} of your team's price book {verb} used: {names}{more}. ")
        }
    };
    let all = text + &expired;
    (!all.is_empty()).then_some(all)
}

/// The address of the same inputs without the price book, and with it.
fn addresses(query: &str) -> (String, String) {
    let others = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key != Inputs::PRICE_BOOK);
    let with = form_urlencoded::Serializer::new(String::new()).extend_pairs(others).finish();
    (format!("/?{with}&{}={}", Inputs::PRICE_BOOK, Inputs::WITHOUT), format!("/?{with}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::fixture;

    #[test]
    fn it_names_what_is_used_and_what_has_expired() {
        let request = "model.preset=llama-3.1-70b&overrides.pue=1.2&overrides.electricity_usd_per_kwh=0.05";
        let plan = engine::plan(&Inputs::from_query(request).request().expect("a request"));
        let book = |keys: &[&str], expired: &[&str]| BookUse {
            prices: Prices::Team,
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            expired: expired.iter().map(|key| (*key).to_owned()).collect(),
        };
        let text = words(&plan, &book(&["pue"], &["staff_fte"])).expect("words");
        assert_eq!(text, "1 quote of your team's price book is used: PUE. One quote has expired and is not used. ");
        let text = words(&plan, &book(&["pue", "electricity_usd_per_kwh"], &[])).expect("words");
        assert!(text.starts_with("2 quotes of your team's price book are used: "), "{text}");
        assert_eq!(words(&fixture::plan(), &book(&[], &[])), None);
        assert!(words(&fixture::plan(), &book(&["pue"], &[])).expect("words").contains("nothing in this plan"));
    }

    #[test]
    fn the_switch_keeps_the_inputs() {
        let (without, with) = addresses("model.preset=x&_price_book=off");
        assert_eq!((without.as_str(), with.as_str()), ("/?model.preset=x&_price_book=off", "/?model.preset=x"));
        assert_eq!(Inputs::from_query("model.preset=x&_price_book=off&_=1").query(), "model.preset=x&_price_book=off");
    }
}
