//! What the page of the API shows: the operations of the API as data, made from its own description.

use std::sync::Arc;

/// Makes the description when it is asked for: no other page pays for it.
#[derive(Clone, Copy, Debug)]
pub struct DocsSource(pub fn() -> Arc<ApiDocs>);

/// The API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiDocs {
    /// Groups of operations, in the order of the description.
    pub groups: Vec<Group>,
    /// Keys that several operations share, such as those of a plan.
    pub keys: Vec<Keys>,
}

/// Operations about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name.
    pub name: String,
    /// Operations.
    pub operations: Vec<Operation>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Stable id.
    pub id: String,
    /// Method.
    pub method: String,
    /// Path; `{name}` stands for a segment.
    pub path: String,
    /// In a few words.
    pub summary: String,
    /// In sentences; `` ` `` around names.
    pub description: String,
    /// The scope of a token that it takes a token for; none for anyone.
    pub token: bool,
    /// Its own parameters.
    pub parameters: Vec<Parameter>,
    /// Names of the keys that it shares with others.
    pub keys: Vec<String>,
    /// Media types of its body.
    pub body: Vec<String>,
    /// Answers by status.
    pub answers: Vec<Answer>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Choices, if it is one of some.
    pub choices: Vec<String>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Status.
    pub status: String,
    /// What it says.
    pub description: String,
    /// Media types.
    pub media_types: Vec<String>,
}

/// Keys that several operations share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Name, such as `PlanRequest`.
    pub name: String,
    /// The keys.
    pub keys: Vec<Parameter>,
}
