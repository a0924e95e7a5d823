//! Charts near the viewport become Plotly charts. Until then, and without Plotly, the server's drawing stays.

mod linked;
mod plotly;

use super::dom;
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// Milliseconds without new results before charts are drawn again.
const IDLE: i32 = 400;

thread_local! {
    static OBSERVER: RefCell<Option<IntersectionObserver>> = const { RefCell::new(None) };
    static TIMER: Cell<i32> = const { Cell::new(0) };
}

/// Watches the charts of the page, and the theme.
pub(super) fn start() {
    watch();
    let Some(window) = dom::window() else { return };
    if let Ok(Some(theme)) = window.match_media("(prefers-color-scheme: dark)") {
        dom::on(theme.unchecked_ref(), "change", |_| {
            let Some(body) = dom::find("body") else { return };
            for figure in dom::all(&body, "[data-figure].is-plotly") {
                plotly::draw(&figure);
            }
        });
    }
}

/// New results have come: their charts are watched once the hand rests.
pub(super) fn refresh() {
    dom::cancel(TIMER.get());
    TIMER.set(dom::later(IDLE, watch));
}

/// Lets go of the charts below an element before it goes.
pub(super) fn purge(within: &Element) {
    for target in dom::all(within, ".is-plotly .figure-plotly") {
        plotly::purge(&target);
    }
}

fn watch() {
    let Some(body) = dom::find("body") else { return };
    let figures = dom::all(&body, "[data-figure]:not(.is-plotly)");
    OBSERVER.with_borrow_mut(|slot| {
        if let Some(old) = slot.take() {
            old.disconnect();
        }
        if figures.is_empty() {
            return;
        }
        let Some(observer) = observer() else { return };
        for figure in &figures {
            observer.observe(figure);
        }
        *slot = Some(observer);
    });
}

fn observer() -> Option<IntersectionObserver> {
    let call = Closure::<dyn FnMut(js_sys::Array, IntersectionObserver)>::new(
        |entries: js_sys::Array, observer: IntersectionObserver| {
            for entry in entries
                .iter()
                .filter_map(|e| e.dyn_into::<IntersectionObserverEntry>().ok())
                .filter(IntersectionObserverEntry::is_intersecting)
            {
                let figure = entry.target();
                observer.unobserve(&figure);
                plotly::upgrade(figure);
            }
        },
    );
    let options = IntersectionObserverInit::new();
    options.set_root_margin("200px");
    let observer = IntersectionObserver::new_with_options(call.as_ref().unchecked_ref(), &options).ok();
    call.forget();
    observer
}
