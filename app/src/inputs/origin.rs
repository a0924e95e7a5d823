//! The scenario that inputs began from, and its version: two more pairs of the planner's address.

/// Name of the pair that holds the scenario; the API ignores keys that begin so.
pub const SCENARIO: &str = "_scenario";
/// Name of the pair that holds the number of the version.
pub const VERSION: &str = "_version";

/// A version of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Public id of the scenario.
    pub scenario: String,
    /// Number of the version.
    pub version: u32,
}

impl Origin {
    /// The origin that an address has, if it has one that may be one.
    pub fn of_query(query: &str) -> Option<Self> {
        let value = |name: &str| {
            form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
        };
        let scenario = value(SCENARIO).filter(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric()))?;
        let version = value(VERSION)?.parse().ok().filter(|version| *version > 0)?;
        Some(Self { scenario, version })
    }

    /// As it stands in an address.
    pub fn query(&self) -> String {
        form_urlencoded::Serializer::new(String::new())
            .append_pair(SCENARIO, &self.scenario)
            .append_pair(VERSION, &self.version.to_string())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Inputs;

    #[test]
    fn inputs_remember_where_they_began() {
        let query = "model.preset=llama-3.2-1b&_scenario=abcdefghijkl&_version=3";
        let inputs = Inputs::from_query(query);
        let origin = Origin { scenario: "abcdefghijkl".into(), version: 3 };
        assert_eq!(inputs.origin(), Some(&origin));
        assert_eq!(inputs.query(), query);
        assert_eq!(inputs.plain_query(), "model.preset=llama-3.2-1b");
        assert!(inputs.request().is_ok() && inputs.others().count() == 0);
        assert_eq!(Inputs::of_page(&origin.query()).origin(), Some(&origin), "beside the worked example");
        for odd in [
            "_scenario=abc",
            "_scenario=a/b&_version=1",
            "_scenario=abc&_version=0",
            "_scenario=&_version=1",
            "_version=1",
        ] {
            assert_eq!(Origin::of_query(odd), None, "{odd}");
        }
    }
}
