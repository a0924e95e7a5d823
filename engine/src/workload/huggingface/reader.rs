//! Reads keys of a configuration and keeps account of what was read, assumed and wrong.

use super::ignored::is_ignored;
use crate::problem::FieldProblem;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Keys that name the longest context.
const CONTEXT_KEYS: &[&str] =
    &["max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length", "n_ctx"];

/// A configuration being read.
pub(super) struct Reader<'a> {
    pub map: &'a Map<String, Value>,
    /// JSON pointer of the object.
    pub pointer: String,
    /// What stands before its keys in lists for people, such as `text_config.`.
    prefix: String,
    /// Its `model_type`, for sentences.
    pub family: String,
    pub problems: Vec<FieldProblem>,
    pub notes: Vec<String>,
    used: BTreeSet<String>,
    /// Which of their keys became which of our fields.
    names: Vec<(&'static str, String)>,
    nested_unknown: Vec<String>,
}

impl<'a> Reader<'a> {
    pub fn new(map: &'a Map<String, Value>, pointer: &str, prefix: &str) -> Self {
        Self {
            map,
            pointer: pointer.into(),
            prefix: prefix.into(),
            family: String::new(),
            problems: Vec::new(),
            notes: Vec::new(),
            used: BTreeSet::new(),
            names: Vec::new(),
            nested_unknown: Vec::new(),
        }
    }

    /// A problem at a key.
    pub fn problem(&self, key: &str, code: &str, message: impl Into<String>) -> FieldProblem {
        FieldProblem::new(format!("{}/{key}", self.pointer), code, message)
    }

    /// Records a problem at a key.
    pub fn wrong(&mut self, key: &str, code: &str, message: impl Into<String>) {
        let problem = self.problem(key, code, message);
        self.problems.push(problem);
    }

    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Counts a key as read.
    pub fn mark(&mut self, key: &str) {
        self.used.insert(key.into());
    }

    /// The value of the first key that is there and not null, and that key.
    pub fn value<'k>(&mut self, keys: &[&'k str]) -> Option<(&'k str, &'a Value)> {
        let mut found = None;
        for key in keys {
            let Some(value) = self.map.get(*key) else { continue };
            self.mark(key);
            if found.is_none() && !value.is_null() {
                found = Some((*key, value));
            }
        }
        found
    }

    /// A whole number of at least `least`; a problem and nothing where it is something else.
    fn number(&mut self, keys: &[&str], least: u64) -> Option<(String, u32)> {
        let (key, value) = self.value(keys)?;
        let number = value.as_u64().or_else(|| {
            // some configurations write 4096.0
            value.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0 && *n < 1e15).map(|n| n as u64)
        });
        match number {
            Some(n) if n >= least && n <= u64::from(u32::MAX) => Some((key.into(), n as u32)),
            Some(n) => {
                self.wrong(key, "out_of_range", format!("{key} is {n}; give a whole number from {least}"));
                None
            }
            None if value.is_number() => {
                self.wrong(key, "out_of_range", format!("{key} is {value}; give a whole number from {least}"));
                None
            }
            None => {
                self.wrong(key, "wrong_type", format!("{key} is {value}, not a number; give a whole number"));
                None
            }
        }
    }

    /// A number that must be there; 1 stands in after a problem, so that reading can go on.
    pub fn size(&mut self, field: &'static str, keys: &[&str]) -> u32 {
        let before = self.problems.len();
        match self.number(keys, 1) {
            Some((key, n)) => {
                self.names.push((field, key));
                n
            }
            None => {
                if self.problems.len() == before {
                    let key = keys.first().copied().unwrap_or(field);
                    let message = format!(
                        "{key} is missing; {} configurations need it: copy it from the config.json",
                        self.family
                    );
                    self.wrong(key, "required", message);
                }
                1
            }
        }
    }

    /// A number that may be absent or null.
    pub fn optional(&mut self, field: &'static str, keys: &[&str]) -> Option<u32> {
        let (key, n) = self.number(keys, 1)?;
        self.names.push((field, key));
        Some(n)
    }

    /// A number that may be absent, null or zero, all of which mean none.
    pub fn count(&mut self, field: &'static str, keys: &[&str]) -> u32 {
        match self.number(keys, 0) {
            Some((key, n)) => {
                self.names.push((field, key));
                n
            }
            None => 0,
        }
    }

    /// A number, or the documented default with a note that names it.
    pub fn size_or(&mut self, field: &'static str, keys: &[&str], default: u32, why: &str) -> u32 {
        let before = self.problems.len();
        if let Some(n) = self.optional(field, keys) {
            return n;
        }
        if self.problems.len() == before {
            let key = keys.first().copied().unwrap_or(field);
            self.names.push((field, key.into()));
            self.note(format!("{}{key} is not given: {default}, {why}", self.prefix));
        }
        default
    }

    /// A switch, or the default of Transformers with a note that names it.
    pub fn flag(&mut self, key: &str, default: bool) -> bool {
        match self.value(&[key]) {
            Some((_, Value::Bool(flag))) => *flag,
            Some((_, other)) => {
                self.wrong(key, "wrong_type", format!("{key} is {other}; give true or false"));
                default
            }
            None => {
                let note = format!("{}{key} is not given: {default}, the default of {}", self.prefix, self.family);
                self.note(note);
                default
            }
        }
    }

    /// Refuses a switch that would change the count in a way that is not counted.
    pub fn refuse_if(&mut self, key: &str, unsupported: bool, why: &str) {
        if let Some((_, Value::Bool(flag))) = self.value(&[key])
            && *flag == unsupported
        {
            self.wrong(
                key,
                "unsupported",
                format!("{key} {flag} is not supported: {why}; describe the model as an architecture"),
            );
        }
    }

    /// An object under a key, as its own reader. Give it back to `absorb`.
    pub fn child(&mut self, key: &'static str) -> Option<Reader<'a>> {
        match self.value(&[key]) {
            Some((_, Value::Object(map))) => {
                let pointer = format!("{}/{key}", self.pointer);
                let mut child = Reader::new(map, &pointer, &format!("{}{key}.", self.prefix));
                child.family = self.family.clone();
                Some(child)
            }
            Some((_, other)) => {
                self.wrong(key, "wrong_type", format!("{key} is {other}, not an object; copy it from the config.json"));
                None
            }
            None => {
                let message = format!("{key} is missing; {} configurations need it", self.family);
                self.wrong(key, "required", message);
                None
            }
        }
    }

    /// Takes over what a child found.
    pub fn absorb(&mut self, child: Reader<'a>) {
        let (_, unknown) = child.rest();
        self.nested_unknown.extend(unknown);
        self.problems.extend(child.problems);
        self.notes.extend(child.notes);
    }

    /// The longest context that is named.
    pub fn longest_context(&mut self) -> Option<u64> {
        self.value(CONTEXT_KEYS).and_then(|(_, value)| value.as_u64())
    }

    /// A problem of the architecture, with the name that the configuration has for the field.
    pub fn in_their_words(&self, problem: FieldProblem) -> FieldProblem {
        let field = problem.pointer.strip_prefix(&format!("{}/", self.pointer)).unwrap_or_default().to_owned();
        match self.names.iter().find(|(ours, _)| *ours == field) {
            Some((_, key)) if *key != field => {
                let message = format!("{key}: {}", problem.message);
                self.problem(key, &problem.code, message)
            }
            _ => problem,
        }
    }

    /// Keys not read: those that don't affect size, and those that we don't know.
    pub fn rest(&self) -> (Vec<String>, Vec<String>) {
        let (ignored, mut unknown): (Vec<_>, Vec<_>) =
            self.map.keys().filter(|key| !self.used.contains(*key)).partition(|key| is_ignored(key));
        let name = |key: &String| format!("{}{key}", self.prefix);
        let ignored = ignored.into_iter().map(name).collect();
        let mut unknown: Vec<String> = unknown.drain(..).map(name).collect();
        unknown.extend(self.nested_unknown.iter().cloned());
        (ignored, unknown)
    }
}
