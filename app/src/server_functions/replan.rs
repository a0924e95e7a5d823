//! Plans again while a person types.

use crate::UiError;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What was understood of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Echo {
    /// Name of the field.
    pub field: String,
    /// What was understood, such as `= 1,000,000,000,000 tokens`; empty when the text says it already.
    pub text: String,
    /// Where the field's slider stands, 0 to 1000.
    pub slider: Option<u32>,
}

/// A part of the results that can be replaced by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Id of the element that holds it.
    pub id: String,
    /// The element.
    pub html: String,
}

/// The answer to [`replan`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replan {
    /// The inputs as they belong in the address, without `?`.
    pub query: String,
    /// Title of the page: the answer in one sentence.
    pub headline: String,
    /// The answer, or what is wrong, in one line: what belongs in `#brief`.
    pub brief: String,
    /// What belongs in `#results`, in order, of what was asked for; empty when there are errors.
    pub parts: Vec<Part>,
    /// Bad fields with their messages.
    pub errors: Vec<(String, String)>,
    /// What was understood of each field.
    pub echoes: Vec<Echo>,
}

/// Plans for the inputs of the form, given as a query string; renders the parts of the answer with the given ids, all of
/// them if none is given.
#[server(name = ReplanQuery, prefix = "/api/fn", endpoint = "replan")]
pub async fn replan(query: String, #[server(default)] parts: Vec<String>) -> Result<Replan, UiError> {
    use crate::inputs::Inputs;
    let inputs = Inputs::from_query(&query);
    let echoes = inputs.echoes();
    let canonical = inputs.query();
    let request = match inputs.request() {
        Ok(request) => request,
        Err(errors) => {
            let brief = errors.brief();
            return Ok(Replan { query: canonical, brief, errors: errors.shown(), echoes, ..Replan::default() });
        }
    };
    let planned = super::backend()?.plan(request, inputs.prices()).await;
    let planned = planned.inspect_err(|error| super::set_status(error.status()))?;
    let saving = super::saving(&inputs).await;
    let wanted = |id: &str| parts.is_empty() || parts.iter().any(|wanted| wanted == id);
    let parts = crate::components::render_parts(&planned.plan, planned.book.as_ref(), &canonical, &saving, wanted);
    let parts = parts.into_iter().map(|(id, html)| Part { id: id.to_owned(), html }).collect();
    let plan = planned.plan;
    let brief = crate::components::brief(&plan);
    Ok(Replan { query: canonical, headline: plan.headline.clone(), brief, parts, errors: Vec::new(), echoes })
}
