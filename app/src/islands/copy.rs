//! Buttons and links that copy an address.

use super::{dom, form};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Element;

/// Listens for clicks on `data-copy`: an address of this site, or an absolute one.
pub(super) fn start() {
    let Some(document) = dom::document() else { return };
    dom::on(document.unchecked_ref(), "click", |event| {
        let Some(button) = dom::target_within(&event, "[data-copy]") else { return };
        let Some((text, clipboard)) = address(&button) else { return };
        event.prevent_default();
        spawn_local(async move {
            let copied = JsFuture::from(clipboard.write_text(&text)).await.is_ok();
            tell(&button, if copied { "Copied" } else { "Copy it from the address bar" });
        });
    });
}

fn address(button: &Element) -> Option<(String, web_sys::Clipboard)> {
    let text = newest(button).or_else(|| button.get_attribute("data-copy"))?;
    let window = dom::window()?;
    let text = if text.starts_with('/') { window.location().origin().ok()? + &text } else { text };
    // no clipboard without a secure context: the link works as a link
    let clipboard = js_sys::Reflect::get(&window.navigator(), &"clipboard".into()).ok().filter(|c| c.is_object())?;
    Some((text, clipboard.unchecked_into()))
}

/// The address of the inputs of the form, while the results that the button is in are of older ones.
fn newest(button: &Element) -> Option<String> {
    button.closest("#results.is-waiting").ok().flatten()?;
    Some("/?".to_owned() + &form::query(&form::planner()?))
}

/// Says what happened on the button itself and to those who can't see it.
fn tell(button: &Element, message: &'static str) {
    if button.has_attribute("data-label") {
        return;
    }
    let label = button.text_content().unwrap_or_default();
    let _ = button.set_attribute("data-label", &label);
    button.set_text_content(Some(message));
    if let Some(announcer) = dom::find("#announcer") {
        announcer.set_text_content(Some(message));
    }
    let button = button.clone();
    dom::later(2_000, move || {
        button.set_text_content(button.get_attribute("data-label").as_deref());
        let _ = button.remove_attribute("data-label");
    });
}
