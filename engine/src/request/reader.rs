//! Reads the fields of an object and collects everything that is wrong with them.

use super::quantity::{QuantityKind, parse_quantity, plain, written};
use crate::problem::FieldProblem;
use serde_json::{Map, Value};

/// How the values arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSON: numbers are numbers.
    Json,
    /// Query pairs or a form: everything is text, and numbers may carry suffixes.
    Text,
}

/// One object being read. Keys that nobody asked for are reported by [`Fields::finish`].
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    pointer: String,
    form: Form,
    asked: Vec<&'static str>,
}

/// What went wrong so far.
pub(crate) type Problems = Vec<FieldProblem>;

impl<'a> Fields<'a> {
    pub(crate) fn new(object: &'a Map<String, Value>, pointer: impl Into<String>, form: Form) -> Self {
        Self { object, pointer: pointer.into(), form, asked: Vec::new() }
    }

    /// The root of a request.
    pub(crate) fn root(value: &'a Value, form: Form, problems: &mut Problems) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Self::new(object, "", form)),
            other => {
                problems.push(FieldProblem::new(
                    "",
                    "wrong_type",
                    format!("the request is {}; send an object with at least `model`", kind_of(other)),
                ));
                None
            }
        }
    }

    pub(crate) fn form(&self) -> Form {
        self.form
    }

    pub(crate) fn pointer(&self, key: &str) -> String {
        format!("{}/{}", self.pointer, escape(key))
    }

    /// The value of a key; null and empty text count as absent.
    pub(crate) fn value(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        match self.object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if self.form == Form::Text && text.trim().is_empty() => None,
            some => some,
        }
    }

    fn wrong(&self, problems: &mut Problems, key: &str, code: &str, message: String) {
        problems.push(FieldProblem::new(self.pointer(key), code, message));
    }

    /// A finite number in a range.
    pub(crate) fn number(&mut self, problems: &mut Problems, key: &'static str, min: f64, max: f64) -> Option<f64> {
        let value = self.value(key)?;
        let number = self.to_number(problems, key, value, QuantityKind::Decimal)?;
        self.in_range(problems, key, number, (min, max), QuantityKind::Decimal)
    }

    /// A share: 0 to 1; as text also in percent, see [`QuantityKind::Share`].
    pub(crate) fn share(&mut self, problems: &mut Problems, key: &'static str, min: f64, max: f64) -> Option<f64> {
        let value = self.value(key)?;
        let number = self.to_number(problems, key, value, QuantityKind::Share)?;
        let in_percent = number > max && number > 1.0 && (min..=max).contains(&(number / 100.0));
        if self.form == Form::Json && in_percent {
            let share = plain(number / 100.0);
            let message = format!("`{key}` is {}; it is a share from {min} to {max}: write {share}", plain(number));
            self.wrong(problems, key, "out_of_range", message);
            return None;
        }
        self.in_range(problems, key, number, (min, max), QuantityKind::Share)
    }

    /// A whole number in a range.
    pub(crate) fn integer(&mut self, problems: &mut Problems, key: &'static str, min: u64, max: u64) -> Option<u64> {
        self.whole(problems, key, min, max, QuantityKind::Decimal)
    }

    /// A whole number where `8k` means 8,192.
    pub(crate) fn binary_integer(
        &mut self,
        problems: &mut Problems,
        key: &'static str,
        min: u64,
        max: u64,
    ) -> Option<u64> {
        self.whole(problems, key, min, max, QuantityKind::Binary)
    }

    fn whole(
        &mut self,
        problems: &mut Problems,
        key: &'static str,
        min: u64,
        max: u64,
        kind: QuantityKind,
    ) -> Option<u64> {
        let value = self.value(key)?;
        let number = self.to_number(problems, key, value, kind)?;
        let number = self.in_range(problems, key, number, (min as f64, max as f64), kind)?;
        // suffixes such as 1.1B can leave a fraction far below one
        let rounded = number.round();
        if (rounded - number).abs() > 1e-6 * number.abs().max(1e-3) {
            let (number, rounded) = (self.shown(number, kind), self.shown(rounded, kind));
            let message = format!("`{key}` is {number}; it is a whole number: write {rounded}");
            self.wrong(problems, key, "not_whole", message);
            return None;
        }
        Some(rounded as u64)
    }

    fn to_number(&self, problems: &mut Problems, key: &str, value: &Value, kind: QuantityKind) -> Option<f64> {
        match (value, self.form) {
            (Value::Number(number), _) => number.as_f64().filter(|n| n.is_finite()).or_else(|| {
                self.wrong(problems, key, "out_of_range", format!("`{key}` is {number}; it must be a finite number"));
                None
            }),
            (Value::String(text), Form::Text) => match parse_quantity(text, kind) {
                Ok(number) => Some(number),
                Err(why) => {
                    let examples = match kind {
                        QuantityKind::Share => "70%, 70 or 0.7",
                        QuantityKind::Binary => "8192 or 8k",
                        QuantityKind::Decimal => "8192, 70B, 1.5T, 40% or $5M",
                    };
                    let message = format!("`{key}` can't be read: {why}; write a number such as {examples}");
                    self.wrong(problems, key, "wrong_type", message);
                    None
                }
            },
            (other, _) => {
                let message = format!("`{key}` is {}; it must be a number", describe(other));
                self.wrong(problems, key, "wrong_type", message);
                None
            }
        }
    }

    fn in_range(
        &self,
        problems: &mut Problems,
        key: &str,
        number: f64,
        (min, max): (f64, f64),
        kind: QuantityKind,
    ) -> Option<f64> {
        if (min..=max).contains(&number) {
            return Some(number);
        }
        let (side, end) = if number < min { ("below", min) } else { ("above", max) };
        let [number, end, min, max] = [number, end, min, max].map(|n| self.shown(n, kind));
        let message = format!("`{key}` is {number}, {side} {end}: use {min} to {max}");
        self.wrong(problems, key, "out_of_range", message);
        None
    }

    /// A number the way its sender writes numbers.
    fn shown(&self, number: f64, kind: QuantityKind) -> String {
        match self.form {
            Form::Json => plain(number),
            Form::Text => written(number, kind),
        }
    }

    /// True or false.
    pub(crate) fn boolean(&mut self, problems: &mut Problems, key: &'static str) -> Option<bool> {
        match self.value(key)? {
            Value::Bool(value) => Some(*value),
            Value::String(text) if self.form == Form::Text => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "1" | "on" | "yes" => Some(true),
                "false" | "0" | "off" | "no" => Some(false),
                other => {
                    self.wrong(problems, key, "wrong_type", format!("`{key}` is `{other}`; write true or false"));
                    None
                }
            },
            other => {
                let message = format!("`{key}` is {}; it must be true or false", describe(other));
                self.wrong(problems, key, "wrong_type", message);
                None
            }
        }
    }

    /// Text.
    pub(crate) fn text(&mut self, problems: &mut Problems, key: &'static str) -> Option<&'a str> {
        match self.value(key)? {
            Value::String(text) => Some(text.trim()),
            other => {
                let message = format!("`{key}` is {}; it must be text", describe(other));
                self.wrong(problems, key, "wrong_type", message);
                None
            }
        }
    }

    /// One of some names.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        problems: &mut Problems,
        key: &'static str,
        all: &[T],
        id: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let text = self.text(problems, key)?;
        if let Some(found) = all.iter().copied().find(|t| id(*t) == text) {
            return Some(found);
        }
        let names: Vec<&str> = all.iter().map(|t| id(*t)).collect();
        self.wrong(problems, key, "unknown_id", unknown(key, text, &names));
        None
    }

    /// An id that must be known.
    pub(crate) fn known_id(&mut self, problems: &mut Problems, key: &'static str, known: &[&str]) -> Option<String> {
        let text = self.text(problems, key)?;
        if known.contains(&text) {
            return Some(text.to_owned());
        }
        self.wrong(problems, key, "unknown_id", unknown(key, text, known));
        None
    }

    /// A list of ids that must be known; as text, separated by commas.
    pub(crate) fn id_list(&mut self, problems: &mut Problems, key: &'static str, known: &[&str]) -> Vec<String> {
        let items: Vec<(String, String)> = match self.value(key) {
            None => return Vec::new(),
            Some(Value::Array(items)) => {
                let mut texts = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    match item {
                        Value::String(text) => {
                            texts.push((format!("{}/{index}", self.pointer(key)), text.trim().to_owned()))
                        }
                        other => problems.push(FieldProblem::new(
                            format!("{}/{index}", self.pointer(key)),
                            "wrong_type",
                            format!("`{key}` holds {}; each entry is an id in quotes", describe(other)),
                        )),
                    }
                }
                texts
            }
            Some(Value::String(text)) if self.form == Form::Text => text
                .split(',')
                .map(str::trim)
                .filter(|t| !t.is_empty())
                .map(|t| (self.pointer(key), t.to_owned()))
                .collect(),
            Some(other) => {
                let message = format!("`{key}` is {}; it must be a list of ids", describe(other));
                self.wrong(problems, key, "wrong_type", message);
                return Vec::new();
            }
        };
        let mut ids = Vec::new();
        for (pointer, text) in items {
            if !known.contains(&text.as_str()) {
                problems.push(FieldProblem::new(pointer, "unknown_id", unknown(key, &text, known)));
            } else if !ids.contains(&text) {
                ids.push(text);
            }
        }
        ids
    }

    /// An object inside.
    pub(crate) fn object(&mut self, problems: &mut Problems, key: &'static str) -> Option<Fields<'a>> {
        match self.value(key)? {
            Value::Object(object) => Some(Fields::new(object, self.pointer(key), self.form)),
            other => {
                let message = format!("`{key}` is {}; it must be an object", describe(other));
                self.wrong(problems, key, "wrong_type", message);
                None
            }
        }
    }

    /// A map from known ids to numbers in a range.
    pub(crate) fn number_map(
        &mut self,
        problems: &mut Problems,
        key: &'static str,
        known: &[&str],
        min: f64,
        max: f64,
    ) -> Vec<(String, f64)> {
        let Some(inner) = self.object(problems, key) else { return Vec::new() };
        inner.numbers_by_id(problems, known, min, max)
    }

    /// Reads every key of this object as a known id with a number.
    pub(crate) fn numbers_by_id(
        &self,
        problems: &mut Problems,
        known: &[&str],
        min: f64,
        max: f64,
    ) -> Vec<(String, f64)> {
        let mut numbers = Vec::new();
        for (id, value) in self.object {
            if !known.contains(&id.as_str()) {
                self.wrong(problems, id, "unknown_id", unknown("id", id, known));
                continue;
            }
            if value.is_null() {
                continue;
            }
            let number = self
                .to_number(problems, id, value, QuantityKind::Decimal)
                .and_then(|n| self.in_range(problems, id, n, (min, max), QuantityKind::Decimal));
            if let Some(number) = number {
                numbers.push((id.clone(), number));
            }
        }
        numbers
    }

    /// The keys and objects of a map of objects.
    pub(crate) fn objects(&self, problems: &mut Problems, known: &[&str]) -> Vec<(String, Fields<'a>)> {
        let mut found = Vec::new();
        for (id, value) in self.object {
            match value {
                _ if !known.contains(&id.as_str()) => self.wrong(problems, id, "unknown_id", unknown("id", id, known)),
                Value::Object(object) => found.push((id.clone(), Fields::new(object, self.pointer(id), self.form))),
                other => {
                    let message = format!("`{id}` is {}; it must be an object", describe(other));
                    self.wrong(problems, id, "wrong_type", message);
                }
            }
        }
        found
    }

    /// Reports keys that nobody asked for, each with the nearest known one.
    pub(crate) fn finish(self, problems: &mut Problems) {
        for key in self.object.keys() {
            if self.asked.contains(&key.as_str()) {
                continue;
            }
            let nearest = nearest(key, &self.asked).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            let message = format!("`{key}` is not a known field{nearest}");
            let message =
                if nearest.is_empty() { format!("{message}: known are {}", self.asked.join(", ")) } else { message };
            problems.push(FieldProblem::new(self.pointer(key), "unknown_key", message));
        }
    }
}

/// The known name nearest to a mistyped one, if it is near at all.
pub(crate) fn nearest<'k>(text: &str, known: &[&'k str]) -> Option<&'k str> {
    known
        .iter()
        .map(|k| (strsim::jaro_winkler(&text.to_ascii_lowercase(), k), *k))
        .filter(|(score, _)| *score >= 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k)
}

fn unknown(key: &str, text: &str, known: &[&str]) -> String {
    let shown: String = text.chars().take(60).collect();
    match nearest(text, known) {
        Some(near) => format!("`{key}` `{shown}` is not known; did you mean `{near}`?"),
        None if known.len() <= 16 => format!("`{key}` `{shown}` is not known; use one of {}", known.join(", ")),
        None => format!("`{key}` `{shown}` is not known; see the catalog for the {} known ids", known.len()),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the text `{}`", text.chars().take(60).collect::<String>()),
        Value::Number(number) => format!("the number {number}"),
        other => kind_of(other).to_owned(),
    }
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
