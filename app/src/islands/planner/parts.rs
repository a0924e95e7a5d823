//! Results part by part: the answer and what is in sight are asked for and shown at once, the rest when the hand rests
//! or when it comes into sight. A whole page of results in one go would hold up the next letter and the slider under the
//! hand.

use super::{AGAIN, page};
use crate::islands::{charts, dom};
use crate::server_functions::{Part, Replan, replan};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// Milliseconds after the answer, so that a frame shows it before anything else is done.
const FRAME: i32 = 24;
/// Milliseconds without a new answer before what is out of sight follows.
const REST: i32 = 300;
/// The part that holds the headline: always asked for.
const ANSWER: &str = "answer";
/// A part that is not yet of the newest answer.
const STALE: &str = "is-stale";

thread_local! {
    /// The newest answer, without its parts.
    static NEWEST: RefCell<Replan> = RefCell::default();
    /// The parts as the page holds them.
    static SHOWN: RefCell<Vec<Part>> = const { RefCell::new(Vec::new()) };
    /// What has come and is to be replaced, in order.
    static PENDING: RefCell<Vec<Part>> = const { RefCell::new(Vec::new()) };
    /// Ids of what the newest answer was not asked for.
    static MISSING: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
    static TIMER: Cell<i32> = const { Cell::new(0) };
}

/// What comes into sight is asked for at once.
pub(super) fn start() {
    let Some(window) = dom::window() else { return };
    dom::on(window.unchecked_ref(), "scroll", |_| {
        if !UNDER_WAY.get() && MISSING.with_borrow(|missing| missing.iter().any(|id| is_in_sight(id))) {
            fetch();
        }
    });
}

/// Where results are.
pub(super) fn results() -> Option<Element> {
    dom::find("#results")
}

/// Some parts are still those of an older answer.
pub(super) fn pending() -> bool {
    PENDING.with_borrow(|pending| !pending.is_empty()) || MISSING.with_borrow(|missing| !missing.is_empty())
}

/// The parts that the next answer is asked for: itself and what is in sight; all if the page has none.
pub(super) fn wanted() -> Vec<String> {
    let all = ids();
    if !all.iter().any(|id| id == ANSWER) {
        return Vec::new();
    }
    all.into_iter().filter(|id| id == ANSWER || is_in_sight(id)).collect()
}

/// Shows an answer in place of an older one.
pub(super) fn show(answer: &Replan) {
    let Some(results) = results() else { return };
    dom::cancel(TIMER.get());
    NEWEST.set(Replan { parts: Vec::new(), ..answer.clone() });
    if answer.parts.iter().any(|part| child(&part.id).is_none()) {
        show_all(&results, &answer.parts);
        return;
    }
    let came = |id: &String| answer.parts.iter().any(|part| part.id == *id);
    MISSING.set(ids().into_iter().filter(|id| !came(id)).collect());
    take(&answer.parts);
    if PENDING.with_borrow(|pending| pending.first().is_some_and(|first| first.id == ANSWER)) {
        replace(PENDING.with_borrow_mut(|pending| pending.remove(0)));
    }
    mark();
    TIMER.set(dom::later(FRAME, follow));
}

/// There were none before, such as on a page that said what is wrong with the inputs.
fn show_all(results: &Element, parts: &[Part]) {
    charts::purge(results);
    results.set_inner_html(&parts.iter().map(|part| part.html.as_str()).collect::<String>());
    SHOWN.set(parts.to_vec());
    PENDING.take();
    MISSING.take();
}

/// Parts of the newest answer wait for their turn, but for those that say what the page says.
fn take(parts: &[Part]) {
    let changed = |part: &&Part| SHOWN.with_borrow(|shown| !shown.contains(*part));
    PENDING.set(parts.iter().filter(changed).cloned().collect());
}

/// Dims what is not of the newest answer.
fn mark() {
    for id in ids() {
        let stale = PENDING.with_borrow(|pending| pending.iter().any(|part| part.id == id))
            || MISSING.with_borrow(|missing| missing.contains(&id));
        if let Some(element) = child(&id).filter(|element| element.class_list().contains(STALE) != stale) {
            let _ = element.class_list().toggle_with_force(STALE, stale);
        }
    }
}

/// Replaces what has come, each part in a task of its own; then the rest is asked for.
fn follow() {
    if PENDING.with_borrow(|pending| !pending.is_empty()) {
        replace(PENDING.with_borrow_mut(|pending| pending.remove(0)));
        TIMER.set(dom::later(0, follow));
    } else if MISSING.with_borrow(|missing| !missing.is_empty()) {
        TIMER.set(dom::later(REST, fetch));
    } else {
        finish();
    }
}

/// Asks for the missing parts of the newest answer.
fn fetch() {
    dom::cancel(TIMER.get());
    if UNDER_WAY.replace(true) {
        return;
    }
    let query = NEWEST.with_borrow(|newest| newest.query.clone());
    let missing = MISSING.with_borrow(Clone::clone);
    spawn_local(async move {
        let answer = replan(query.clone(), missing).await;
        UNDER_WAY.set(false);
        dom::cancel(TIMER.get());
        if !is_newest(&query) {
            follow();
            return;
        }
        match answer {
            Ok(answer) if NEWEST.with_borrow(|newest| is_same(newest, &answer)) => {
                MISSING.take();
                take(&answer.parts);
                mark();
                follow();
            }
            // the prices have changed since: all of it is asked for
            Ok(_) => {
                MISSING.set(ids());
                start_over(query);
            }
            Err(error) => {
                page::say_trouble(Some(error.advice()));
                TIMER.set(dom::later(AGAIN, fetch));
            }
        }
    });
}

/// Asks for a whole answer, where the parts of it that the page has are of another.
fn start_over(query: String) {
    spawn_local(async move {
        let answer = replan(query.clone(), Vec::new()).await;
        if let Some(answer) = answer.ok().filter(|_| is_newest(&query)) {
            page::show_results(&answer);
            page::show_brief(&answer.brief);
        }
    });
}

fn is_newest(query: &str) -> bool {
    NEWEST.with_borrow(|newest| newest.query == query)
}

/// Two answers are of the same plan.
fn is_same(one: &Replan, other: &Replan) -> bool {
    one.headline == other.headline && one.brief == other.brief
}

fn finish() {
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

/// Ids of the parts that the page has.
fn ids() -> Vec<String> {
    let parts = results().map(|results| dom::all(&results, ":scope > [id]")).unwrap_or_default();
    parts.iter().map(Element::id).collect()
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
