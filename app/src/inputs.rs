//! The inputs of the planner as a person typed them: the form, the address and the request are three views of them.
//!
//! Names of form fields are the dotted keys of the API, so the address of the page is a query of the API.

mod describe;
mod errors;
mod fields;
pub mod figures;
mod names;
pub(crate) mod origin;

pub(crate) use describe::full as full_value;
pub use errors::InputErrors;
pub(crate) use fields::position;
pub use fields::{ESSENTIAL, FIRST, Field, GROUPS, Group, Scale, Slider, Unit, field, fields, is_form_key, label};
pub(crate) use names::capitalized;
pub use names::name;
pub use origin::Origin;

use crate::backend::prices::Prices;
use engine::PlanRequest;
use engine::request::{Method, QuantityKind, parse_quantity, plan_request_from_pairs};

/// The worked example that the planner opens with.
pub const EXAMPLE: &[(&str, &str)] = &[
    ("model.preset", "llama-3.1-70b"),
    ("context_length", "8,192"),
    ("training_tokens", "1T"),
    ("budget_usd", "$5M"),
    ("deadline_days", "90"),
    ("utilization", "70%"),
];

const TOKENS: &str = "training_tokens";
/// More pairs than any form of ours sends, and any plan with a price book links to.
const MOST_PAIRS: usize = 1_000;

/// The inputs, each nonempty, in the order of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    pairs: Vec<(String, String)>,
    origin: Option<Origin>,
}

/// A tag that mail programs and search engines put on addresses.
fn is_tag(key: &str) -> bool {
    key.starts_with("utm_") || ["fbclid", "gclid", "msclkid", "mc_cid", "mc_eid"].contains(&key)
}

impl Inputs {
    /// The key that switches the price book of the team off. The API ignores keys that begin so, and has no price book:
    /// the address of a plan without it is the same plan there.
    pub const PRICE_BOOK: &'static str = "_price_book";
    /// Its one value.
    pub const WITHOUT: &'static str = "off";

    /// The key by which a form says that it began as the worked example, and that nobody has touched its tokens.
    pub const OF_EXAMPLE: &'static str = "_example";

    /// The worked example.
    pub fn example() -> Self {
        Self { pairs: EXAMPLE.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(), origin: None }
    }

    /// The inputs that a page opens with: those of its address. Where the address has none that the planner knows,
    /// they are those of the worked example, beside whatever else it has.
    pub fn of_page(query: &str) -> Self {
        let given = Self::from_query(query);
        if given.pairs.iter().any(|(key, _)| is_known(key)) {
            return given;
        }
        let mut inputs = Self::example();
        inputs.pairs.extend(given.pairs);
        inputs.origin = given.origin;
        inputs
    }

    /// They are those of the worked example, and nothing else.
    pub(crate) fn is_example(&self) -> bool {
        self.pairs == Self::example().pairs
    }

    /// Reads an address or a serialized form, without `?`.
    pub fn from_query(query: &str) -> Self {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut of_example = false;
        for (key, value) in form_urlencoded::parse(query.as_bytes()).take(MOST_PAIRS) {
            let value = value.trim();
            of_example |= key == Self::OF_EXAMPLE && !value.is_empty();
            let is_ignored = (key != Self::PRICE_BOOK && key.starts_with('_')) || is_tag(&key);
            if key.is_empty() || is_ignored || value.is_empty() {
                continue;
            }
            match pairs.iter_mut().find(|(k, _)| *k == key) {
                // check boxes repeat their key; a list is written with commas
                Some((_, list)) => {
                    list.push(',');
                    list.push_str(value);
                }
                None => pairs.push((key.into_owned(), value.to_owned())),
            }
        }
        if of_example {
            drop_tokens_of_example(&mut pairs);
        }
        pairs.sort_by_key(|(key, _)| fields::position(key));
        Self { pairs, origin: Origin::of_query(query) }
    }

    /// The text of a field; empty when it is not given.
    pub fn text(&self, key: &str) -> &str {
        self.pairs.iter().find(|(k, _)| k == key).map_or("", |(_, v)| v)
    }

    /// The text of a field as it stands in the form: machine numbers are written the way people do.
    pub fn shown(&self, key: &str) -> String {
        let text = self.text(key);
        field(key).map_or_else(|| text.to_owned(), |field| describe::humanize(field, text))
    }

    /// A field holds this id (check boxes).
    pub fn lists(&self, key: &str, id: &str) -> bool {
        self.text(key).split(',').any(|item| item.trim() == id)
    }

    /// The keys that are given, in the order of the form.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(key, _)| key.as_str())
    }

    /// What the address holds that the form has no field for.
    pub fn others(&self) -> impl Iterator<Item = &(String, String)> {
        self.pairs.iter().filter(|(key, _)| !is_form_key(key) && key != Self::PRICE_BOOK)
    }

    /// The inputs as they belong in the address of the planner, without `?`: with the scenario that they began from.
    pub fn query(&self) -> String {
        match &self.origin {
            Some(origin) => [self.plain_query(), origin.query()].join("&"),
            None => self.plain_query(),
        }
    }

    /// The inputs alone, as an address for others has them.
    pub fn plain_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.pairs).finish()
    }

    /// Which prices the plan is to be made with.
    pub fn prices(&self) -> Prices {
        if self.text(Self::PRICE_BOOK) == Self::WITHOUT { Prices::Catalog } else { Prices::Team }
    }

    /// The scenario that they began from.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// The request that the inputs make.
    ///
    /// # Errors
    /// Every field that is wrong.
    pub fn request(&self) -> Result<PlanRequest, InputErrors> {
        let pairs = self.pairs.iter().map(|(key, value)| (key.as_str(), in_billions(key, value)));
        plan_request_from_pairs(pairs).map_err(InputErrors::from)
    }

    /// The inputs that nothing is wrong with.
    fn without(&self, errors: &InputErrors) -> Self {
        Self {
            pairs: self.pairs.iter().filter(|(key, _)| errors.of(key).is_none()).cloned().collect(),
            origin: self.origin.clone(),
        }
    }

    /// What was understood of each field that the form has a place for.
    pub fn echoes(&self) -> Vec<crate::server_functions::Echo> {
        describe::echoes(self)
    }
}

/// The tokens of the example are an amount for pretraining: another method has a default of its own.
fn drop_tokens_of_example(pairs: &mut Vec<(String, String)>) {
    let tunes = pairs.iter().any(|(key, method)| key == "method" && method != Method::Pretraining.id());
    if tunes {
        pairs.retain(|(key, value)| key != TOKENS || !EXAMPLE.contains(&(TOKENS, value.as_str())));
    }
}

/// The planner knows the key, or the first part of it.
fn is_known(key: &str) -> bool {
    is_form_key(key) || matches!(key.split('.').next(), Some("model" | "software" | "overrides" | "quotes"))
}

/// A size may be written as `70B` although its field counts billions.
fn in_billions(key: &str, value: &str) -> String {
    if key.ends_with("parameters_billion")
        && let Ok(number) = parse_quantity(value, QuantityKind::Decimal)
        && number >= 1e6
    {
        return format!("{}", number / 1e9);
    }
    value.to_owned()
}

#[cfg(test)]
mod tests;
