//! A Hugging Face `config.json` read into an architecture.
//!
//! Nothing that changes the count is assumed in silence: a key is read, or the default that Transformers
//! documents is taken and named in the notes, or its absence is a problem. Keys that don't affect size are
//! listed as ignored, and keys that we don't know are listed as unknown.

mod decoder;
mod experts;
mod families;
mod gpt;
mod ignored;
mod latent;
mod reader;
mod windows;

use super::Architecture;
use crate::problem::{FieldProblem, Problem};
use reader::Reader;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// JSON pointer of the configuration in a request.
const POINTER: &str = "/model/huggingface";

/// What a configuration says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HuggingFaceModel {
    /// The architecture.
    pub architecture: Architecture,
    /// Its `model_type`.
    pub model_type: String,
    /// Longest context that it names, tokens.
    pub max_context: Option<u64>,
    /// Keys that don't affect size.
    pub ignored: Vec<String>,
    /// Keys that we don't know.
    pub unknown: Vec<String>,
    /// Defaults taken and parts left out, in sentences.
    pub notes: Vec<String>,
}

/// Reads a parsed `config.json`.
pub fn from_huggingface(config: &Value) -> Result<HuggingFaceModel, Problem> {
    let Some(map) = config.as_object() else {
        let message = "the configuration is not a JSON object; paste the whole config.json, from { to }";
        return Err(Problem::invalid(vec![FieldProblem::new(POINTER, "wrong_type", message)]));
    };
    let mut outer = Reader::new(map, POINTER, "");
    let model_type = match map.get("model_type") {
        Some(Value::String(name)) if !name.trim().is_empty() => name.trim().to_owned(),
        Some(Value::Null) | None => {
            let message = format!("model_type is missing; add it, one of {}", families::names());
            return Err(Problem::invalid(vec![outer.problem("model_type", "required", message)]));
        }
        Some(other) => {
            let message = format!("model_type is {other}, not a name; use one of {}", families::names());
            return Err(Problem::invalid(vec![outer.problem("model_type", "wrong_type", message)]));
        }
    };
    outer.mark("model_type");
    match map.get("text_config") {
        Some(Value::Object(text)) => wrapped(&mut outer, &model_type, map, text),
        _ if families::is_wrapper(&model_type) => {
            let message = format!("text_config is missing; a {model_type} configuration keeps its text model there");
            Err(Problem::invalid(vec![outer.problem("text_config", "required", message)]))
        }
        _ => read(&mut outer, &model_type),
    }
}

/// Reads a configuration of one model.
fn read(reader: &mut Reader<'_>, model_type: &str) -> Result<HuggingFaceModel, Problem> {
    let Some(family) = families::find(model_type) else {
        let message = families::unsupported(model_type);
        return Err(Problem::invalid(vec![reader.problem("model_type", "unknown_id", message)]));
    };
    reader.family = model_type.to_owned();
    let architecture = family(reader);
    let max_context = reader.longest_context();
    if reader.map.get("quantization_config").is_some_and(|value| !value.is_null()) {
        reader.note("quantization_config: the count is of the weights, not of their packed form or its scales".into());
    }
    if reader.problems.is_empty() {
        let wrong = architecture.check(&reader.pointer);
        let named = wrong.into_iter().map(|problem| reader.in_their_words(problem)).collect::<Vec<_>>();
        reader.problems.extend(named);
    }
    if !reader.problems.is_empty() {
        return Err(Problem::invalid(std::mem::take(&mut reader.problems)));
    }
    let (ignored, unknown) = reader.rest();
    Ok(HuggingFaceModel {
        architecture,
        model_type: model_type.to_owned(),
        max_context,
        ignored,
        unknown,
        notes: std::mem::take(&mut reader.notes),
    })
}

/// Reads the text model of a multimodal configuration.
fn wrapped(
    outer: &mut Reader<'_>,
    model_type: &str,
    map: &Map<String, Value>,
    text: &Map<String, Value>,
) -> Result<HuggingFaceModel, Problem> {
    outer.mark("text_config");
    let text_type = match text.get("model_type").and_then(Value::as_str) {
        Some(name) => name.to_owned(),
        None => families::text_type(model_type).unwrap_or(model_type).to_owned(),
    };
    let mut merged = text.clone();
    // the outer configuration decides on tying where the inner one is silent
    if let Some(tied) = map.get("tie_word_embeddings") {
        outer.mark("tie_word_embeddings");
        merged.entry("tie_word_embeddings").or_insert_with(|| tied.clone());
    }
    let pointer = format!("{POINTER}/text_config");
    let mut inner = Reader::new(&merged, &pointer, "text_config.");
    inner.mark("model_type");
    let mut model = read(&mut inner, &text_type)?;
    let (ignored, unknown) = outer.rest();
    model.ignored.extend(ignored);
    model.unknown.extend(unknown);
    if model_type != text_type {
        model.notes.push(format!("only the text model of {model_type} is counted, without vision or other towers"));
    }
    model_type.clone_into(&mut model.model_type);
    Ok(model)
}
