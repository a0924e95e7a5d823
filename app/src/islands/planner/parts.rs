//! Results part by part: the answer at once, then what is in sight, and the rest when the hand rests. A whole page of
//! results in one go would hold up the next letter and the slider under the hand.

use crate::islands::{charts, dom};
use crate::server_functions::Part;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// Milliseconds without a new answer before what is out of sight follows.
const REST: i32 = 120;
/// A part that is not yet of the newest answer.
const STALE: &str = "is-stale";

thread_local! {
    /// The parts as the page holds them.
    static SHOWN: RefCell<Vec<Part>> = const { RefCell::new(Vec::new()) };
    /// What is to be replaced, in order.
    static PENDING: RefCell<Vec<Part>> = const { RefCell::new(Vec::new()) };
    static TIMER: Cell<i32> = const { Cell::new(0) };
}

/// Where results are.
pub(super) fn results() -> Option<Element> {
    dom::find("#results")
}

/// Some parts are still those of an older answer.
pub(super) fn pending() -> bool {
    PENDING.with_borrow(|pending| !pending.is_empty())
}

/// Shows parts in place of those of older answers.
pub(super) fn show(parts: &[Part]) {
    let Some(results) = results() else { return };
    dom::cancel(TIMER.get());
    if parts.iter().any(|part| child(&part.id).is_none()) {
        show_all(&results, parts);
        return;
    }
    let changed = |part: &&Part| SHOWN.with_borrow(|shown| !shown.contains(*part));
    let mut pending: Vec<Part> = parts.iter().filter(changed).cloned().collect();
    if pending.first().is_some_and(|first| parts.first() == Some(first)) {
        replace(pending.remove(0));
    }
    for part in parts {
        if let Some(element) = child(&part.id) {
            let stale = pending.iter().any(|p| p.id == part.id);
            let _ = element.class_list().toggle_with_force(STALE, stale);
        }
    }
    PENDING.set(pending);
    TIMER.set(dom::later(0, follow));
}

/// There were none before, such as on a page that said what is wrong with the inputs.
fn show_all(results: &Element, parts: &[Part]) {
    charts::purge(results);
    results.set_inner_html(&parts.iter().map(|part| part.html.as_str()).collect::<String>());
    SHOWN.set(parts.to_vec());
    PENDING.set(Vec::new());
}

/// Replaces what is in sight, each part in a task of its own.
fn follow() {
    let place = PENDING.with_borrow(|pending| pending.iter().position(|part| is_in_sight(&part.id)));
    match place {
        Some(index) => {
            replace(PENDING.with_borrow_mut(|pending| pending.remove(index)));
            TIMER.set(dom::later(0, follow));
        }
        None => TIMER.set(dom::later(if pending() { REST } else { 0 }, finish)),
    }
}

/// Replaces the rest.
fn finish() {
    if pending() {
        replace(PENDING.with_borrow_mut(|pending| pending.remove(0)));
        TIMER.set(dom::later(0, finish));
        return;
    }
    charts::refresh();
    if let Some(results) = results().filter(|r| !r.class_list().contains("is-waiting")) {
        let _ = results.set_attribute("aria-busy", "false");
    }
}

/// One part in place of the old: what was open stays open, a name that was typed stays typed, the focus stays.
fn replace(part: Part) {
    let Some(old) = child(&part.id) else { return };
    let open: Vec<String> = dom::all(&old, "details[open][id]").iter().map(Element::id).collect();
    let typed = name_field(&old).filter(|f| f.value() != f.default_value()).map(|f| f.value());
    let focused = dom::document()
        .and_then(|d| d.active_element())
        .filter(|e| old.contains(Some(e)))
        .map(|e| e.id())
        .filter(|id| !id.is_empty());
    charts::purge(&old);
    old.set_outer_html(&part.html);
    let Some(new) = child(&part.id) else { return };
    for details in dom::all(&new, "details[id]") {
        if open.contains(&details.id()) {
            let _ = details.set_attribute("open", "");
        }
    }
    if let (Some(field), Some(typed)) = (name_field(&new), typed) {
        field.set_value(&typed);
    }
    if let Some(element) =
        focused.and_then(|id| dom::document()?.get_element_by_id(&id)).and_then(|e| e.dyn_into::<HtmlElement>().ok())
    {
        let _ = element.focus();
    }
    SHOWN.with_borrow_mut(|shown| match shown.iter_mut().find(|known| known.id == part.id) {
        Some(known) => *known = part,
        None => shown.push(part),
    });
}

fn child(id: &str) -> Option<Element> {
    dom::find(&["#results > #", id].concat())
}

fn name_field(within: &Element) -> Option<HtmlInputElement> {
    within.query_selector("#save-name").ok().flatten()?.dyn_into().ok()
}

/// Within a window's height of what is seen.
fn is_in_sight(id: &str) -> bool {
    let Some(element) = child(id) else { return false };
    let height = dom::window().and_then(|w| w.inner_height().ok()).and_then(|h| h.as_f64()).unwrap_or(0.0);
    let bounds = element.get_bounding_client_rect();
    bounds.top() < height * 1.2 && bounds.bottom() > -0.2 * height
}
