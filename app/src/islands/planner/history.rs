//! States of the form for undo and redo, and the address of the page.

use crate::islands::dom;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlButtonElement;

/// More steps than anyone goes back.
const MOST: usize = 100;

/// How a state goes into the browser's history.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// In place of the current address: typing and dragging.
    Replace,
    /// As a new address: a choice.
    Push,
    /// Not at all: the browser has gone there itself.
    Keep,
}

/// Where the form has been.
pub(super) struct History {
    past: Vec<String>,
    future: Vec<String>,
    settled: String,
    shown: String,
}

impl History {
    pub(super) fn new(settled: String) -> Self {
        Self { past: Vec::new(), future: Vec::new(), settled, shown: String::new() }
    }

    /// A state has lasted: going back leads to the one before it.
    pub(super) fn settle(&mut self, state: String) {
        if state == self.settled {
            return;
        }
        self.past.push(std::mem::replace(&mut self.settled, state));
        if self.past.len() > MOST {
            self.past.remove(0);
        }
        self.future.clear();
        self.show();
    }

    /// One step back or forward from a state; none at the end of the way.
    pub(super) fn step(&mut self, back: bool, now: String) -> Option<String> {
        self.settle(now);
        let (from, to) = if back { (&mut self.past, &mut self.future) } else { (&mut self.future, &mut self.past) };
        let state = from.pop()?;
        to.push(std::mem::replace(&mut self.settled, state.clone()));
        self.show();
        Some(state)
    }

    /// The buttons are there for the steps that there are.
    fn show(&self) {
        for (id, steps) in [("#undo", &self.past), ("#redo", &self.future)] {
            if let Some(button) = dom::find(id).and_then(|e| e.dyn_into::<HtmlButtonElement>().ok()) {
                button.set_disabled(steps.is_empty());
            }
        }
    }

    /// Writes the inputs into the address.
    pub(super) fn address(&mut self, query: &str, entry: Entry) {
        if query == self.shown || entry == Entry::Keep {
            self.shown = query.to_owned();
            return;
        }
        self.shown = query.to_owned();
        let Some(history) = dom::window().and_then(|w| w.history().ok()) else { return };
        let url = ["/?", query].concat();
        // browsers refuse when called too often; the next answer tries again
        let done = match entry {
            Entry::Push => history.push_state_with_url(&JsValue::NULL, "", Some(&url)),
            _ => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
        };
        if done.is_err() {
            self.shown.clear();
        }
    }
}
