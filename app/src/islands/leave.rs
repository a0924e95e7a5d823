//! Leaving a page that was the answer to a form: a step back to it would ask for what was sent, which is not kept. The
//! address that the page names stands in its place in the history, from the moment that something on it is chosen.

use super::dom;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, EventTarget};

/// Listens on a page that names where a step back leads.
pub(super) fn start() {
    let (Some(document), Some(address)) =
        (dom::document(), dom::find("[data-leave]").and_then(|page| page.get_attribute("data-leave")))
    else {
        return;
    };
    let leave = move |chosen: &str, event: &Event| {
        let history = dom::window().and_then(|window| window.history().ok());
        if let (Some(_), Some(history)) = (dom::target_within(event, chosen), history) {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
        }
    };
    let submitted = leave.clone();
    let document = document.unchecked_ref::<EventTarget>();
    dom::on(document, "submit", move |event| submitted("[data-leave] form", &event));
    dom::on(document, "click", move |event| leave("[data-leave] a[href]", &event));
}
