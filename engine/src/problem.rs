//! What is wrong with a request, field by field, in words that say what to do.

use serde::{Deserialize, Serialize};

/// One field of a request that can't be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldProblem {
    /// JSON pointer (RFC 6901) to the field, such as `/model/preset`.
    pub pointer: String,
    /// Stable code, such as `out_of_range`, `unknown_key`, `unknown_id`, `wrong_type`, `required`, `does_not_divide`.
    pub code: String,
    /// Names the field, the value and the remedy.
    pub message: String,
}

/// A request that can't be answered, with every field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Stable code of the whole: `invalid_request` or `impossible_layout`.
    pub code: String,
    /// One sentence for a person.
    pub detail: String,
    /// Each bad field; never empty.
    pub errors: Vec<FieldProblem>,
}

impl Problem {
    /// A problem from the bad fields of a request.
    pub fn invalid(errors: Vec<FieldProblem>) -> Self {
        let detail = match errors.as_slice() {
            [only] => only.message.clone(),
            many => format!("{} fields need attention: {}", many.len(), many[0].message),
        };
        Self { code: "invalid_request".into(), detail, errors }
    }

    /// A layout that breaks a rule, with the rule in the message.
    pub fn impossible_layout(errors: Vec<FieldProblem>) -> Self {
        Self { code: "impossible_layout".into(), ..Self::invalid(errors) }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Problem {}

impl FieldProblem {
    /// Builds one from its three parts.
    pub fn new(pointer: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code: code.into(), message: message.into() }
    }
}
