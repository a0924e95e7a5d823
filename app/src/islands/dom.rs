//! The few things that the islands ask of the document. What is missing is skipped, never a panic.

use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, Event, EventTarget, NodeList, Window};

pub(super) fn window() -> Option<Window> {
    web_sys::window()
}

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

/// The first element of a selector.
pub(super) fn find(selector: &str) -> Option<Element> {
    document()?.query_selector(selector).ok().flatten()
}

/// Every element of a selector below another, in a list that does not change meanwhile.
pub(super) fn all(within: &Element, selector: &str) -> Vec<Element> {
    within.query_selector_all(selector).map(|list| elements(&list)).unwrap_or_default()
}

fn elements(list: &NodeList) -> Vec<Element> {
    (0..list.length()).filter_map(|i| list.get(i)).filter_map(|node| node.dyn_into::<Element>().ok()).collect()
}

/// Calls a function at each event, for the life of the page.
pub(super) fn on(target: &EventTarget, event: &str, call: impl FnMut(Event) + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(call);
    let _ = target.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref());
    closure.forget();
}

/// Calls a function once, later; returns what cancels it.
pub(super) fn later(milliseconds: i32, call: impl FnOnce() + 'static) -> i32 {
    let callback = Closure::once_into_js(call);
    window()
        .and_then(|w| {
            w.set_timeout_with_callback_and_timeout_and_arguments_0(callback.unchecked_ref(), milliseconds).ok()
        })
        .unwrap_or(0)
}

/// Waits until something holds, at most so many milliseconds.
pub(super) async fn until(most: i32, holds: impl Fn() -> bool) {
    const STEP: i32 = 20;
    let mut waited = 0;
    while !holds() && waited < most {
        let step = js_sys::Promise::new(&mut |done, _| {
            later(STEP, move || {
                let _ = done.call0(&JsValue::NULL);
            });
        });
        let _ = wasm_bindgen_futures::JsFuture::from(step).await;
        waited += STEP;
    }
}

pub(super) fn cancel(timer: i32) {
    if let Some(window) = window() {
        window.clear_timeout_with_handle(timer);
    }
}

/// The element that an event is about, or the nearest around it that matches.
pub(super) fn target_within(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok().flatten()
}

/// Scripts run: the style sheet shows what needs them, and tests can begin.
pub(super) fn mark_ready() {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        let _ = root.class_list().add_1("js");
        let _ = root.set_attribute("data-hydrated", "");
    }
}
