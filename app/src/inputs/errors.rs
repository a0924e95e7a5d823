//! What is wrong with the inputs, by form field, in words for a person.

use super::{is_form_key, label};
use engine::Problem;

/// Bad fields: name of the form field and message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputErrors {
    fields: Vec<(String, String)>,
}

impl From<Problem> for InputErrors {
    fn from(problem: Problem) -> Self {
        let fields = problem.errors.into_iter().map(|e| field_and_message(&e.pointer, &e.code, &e.message)).collect();
        Self { fields }
    }
}

impl InputErrors {
    /// Errors that the server reported.
    pub fn new(fields: Vec<(String, String)>) -> Self {
        Self { fields }
    }

    /// All of them.
    pub fn all(&self) -> &[(String, String)] {
        &self.fields
    }

    /// The message of one field.
    pub fn of(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, message)| message.as_str())
    }

    /// How many fields are wrong, in words.
    pub fn brief(&self) -> String {
        match self.fields.len() {
            1 => "One field needs attention".into(),
            n => format!("{n} fields need attention"),
        }
    }

    /// All of them, as a server function answers.
    pub fn shown(self) -> Vec<(String, String)> {
        self.fields
    }
}

/// The form field of a JSON pointer, and its message with the label instead of the key.
fn field_and_message(pointer: &str, code: &str, message: &str) -> (String, String) {
    if matches!(pointer, "/model" | "") && code == "required" {
        let message = "Choose a model, or give its size or its config.json under “Another model”.";
        return ("model.preset".into(), message.into());
    }
    let dotted = pointer.trim_start_matches('/').replace('/', ".");
    // `/accelerators/0` belongs to the check boxes, `/model` to the list of models
    let key = match dotted.as_str() {
        "" | "model" => "model.preset".to_owned(),
        path => [path, path.rsplit_once('.').map_or(path, |(parent, _)| parent)]
            .into_iter()
            .find(|k| is_form_key(k))
            .unwrap_or(if path.starts_with("model.huggingface") { "model.huggingface" } else { path })
            .to_owned(),
    };
    let last = key.rsplit('.').next().unwrap_or(&key);
    let label = label(&key).map_or_else(|| format!("`{last}`"), str::to_owned);
    let message = quoted(&message.replacen(&format!("`{last}`"), &label, 1));
    (key, message)
}

/// Quotation marks in place of the backticks around names.
fn quoted(message: &str) -> String {
    let mut parts = message.split('`');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        out.push(if index % 2 == 0 { '“' } else { '”' });
        out.push_str(part);
    }
    out
}
