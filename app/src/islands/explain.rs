//! The explanation of a figure in a dialog: the page that its button leads to without scripts, fetched and shown here.

use super::{dom, form};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DomParser, HtmlButtonElement, HtmlDialogElement, HtmlFormElement, Response, SubmitEvent, SupportedType};

/// Most milliseconds that the explanation of a figure waits for the answer to what was typed before it was pressed.
const WAIT: i32 = 3_000;
/// Attribute of the form of the buttons: the inputs of the newest answer, where that is not what the page came with.
const QUERY: &str = "data-query";

/// Figures are of another answer now, to these inputs.
pub(super) fn is_of(query: &str) {
    if let Some(asked) = dom::find("#why") {
        let _ = asked.set_attribute(QUERY, query);
    }
}

/// Listens for buttons of figures.
pub(super) fn start() {
    let Some(document) = dom::document() else { return };
    leave(&document);
    dom::on(document.unchecked_ref(), "submit", |event| {
        let Some(asked) = event.dyn_ref::<SubmitEvent>().filter(|_| dom::target_within(&event, "#why").is_some())
        else {
            return;
        };
        let (Some(figure), Some(dialog)) = (Figure::of(asked), dialog()) else { return };
        event.prevent_default();
        spawn_local(async move {
            dom::until(WAIT, || dom::find("#results.is-waiting").is_none()).await;
            let Some((address, window)) = figure.address().zip(dom::window()) else { return };
            let Some(answer) = ask(&address).await else {
                say(&dialog, "The server could not be reached", "Check the connection, then press the figure again.");
                return;
            };
            if show(&dialog, &address, answer).await.is_none() {
                // what can't be shown here can be shown there
                let _ = window.location().set_href(&address);
            }
        });
    });
}

/// A link to a field of the form below leaves the dialog.
fn leave(document: &web_sys::Document) {
    dom::on(document.unchecked_ref(), "click", |event| {
        if dom::target_within(&event, "#explained-body a").is_some()
            && let Some(dialog) = dialog()
        {
            dialog.close();
        }
    });
}

fn dialog() -> Option<HtmlDialogElement> {
    dom::find("#explained")?.dyn_into().ok()
}

/// A figure whose button was pressed.
struct Figure {
    form: HtmlFormElement,
    button: HtmlButtonElement,
}

impl Figure {
    fn of(event: &SubmitEvent) -> Option<Self> {
        let form = event.target()?.dyn_into().ok()?;
        Some(Self { form, button: event.submitter()?.dyn_into().ok()? })
    }

    /// Where the button leads without scripts.
    fn address(&self) -> Option<String> {
        let pairs = self.form.get_attribute(QUERY).unwrap_or_else(|| form::query(&self.form));
        let path = dom::window()?.location().pathname().ok()?;
        let joint = if pairs.is_empty() { "" } else { "&" };
        // keys of figures are letters, digits, dots and dashes
        Some([&path, "?", &pairs, joint, &self.button.name(), "=", &self.button.value()].concat())
    }
}

/// The page of an address; `None`: the server can't be reached.
async fn ask(address: &str) -> Option<Response> {
    JsFuture::from(dom::window()?.fetch_with_str(address)).await.ok()?.dyn_into().ok()
}

/// Says something in the place of an explanation.
fn say(dialog: &HtmlDialogElement, title: &str, text: &str) {
    for (selector, text) in [("#explained-title", title), ("#explained-body", text)] {
        if let Some(element) = dom::find(selector) {
            element.set_text_content(Some(text));
        }
    }
    if !dialog.open() {
        let _ = dialog.show_modal();
    }
}

async fn show(dialog: &HtmlDialogElement, address: &str, answer: Response) -> Option<()> {
    if !answer.ok() {
        return None;
    }
    let text = JsFuture::from(answer.text().ok()?).await.ok()?.as_string()?;
    let page = DomParser::new().ok()?.parse_from_string(&text, SupportedType::TextHtml).ok()?;
    let part = |selector: &str| page.query_selector(selector).ok().flatten();
    let (title, body) = (part("#explanation-title")?, part("#explanation")?);
    dom::find("#explained-title")?.set_text_content(title.text_content().as_deref());
    dom::find("#explained-body")?.set_inner_html(&body.inner_html());
    dom::find("#explained-link")?.set_attribute("href", address).ok()?;
    if !dialog.open() {
        dialog.show_modal().ok()?;
    }
    Some(())
}
