//! One history for everything: each state of the inputs is an entry of the browser, and undo and redo walk along them.
//!
//! Each entry carries its number. Entries of other things, such as a jump to a section, get the number of the inputs
//! that they show.

use crate::islands::dom;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlButtonElement, Location};

/// How a state goes into the browser's history.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// In place of the current address: further typing in the same field.
    Replace,
    /// As a new address: a choice, or the first letter in a field.
    Push,
    /// Not at all: the browser has gone there itself.
    Keep,
}

/// Where the form is among its states.
pub(super) struct History {
    /// Number of the state that is shown.
    here: i32,
    /// Number of the newest state that is known.
    last: i32,
    /// Its inputs as the server writes them; empty until the first answer.
    shown: String,
    /// The address that it stands at.
    search: String,
    /// An undo (-1) or redo (1) under way, which steps over entries that show the same inputs.
    seeking: i32,
}

impl History {
    pub(super) fn new() -> Self {
        let number = number();
        let here = number.unwrap_or(0);
        if number.is_none() {
            write(Entry::Replace, here, None);
        }
        let history = Self { here, last: here, shown: String::new(), search: search(), seeking: 0 };
        history.show();
        history
    }

    /// One step back (-1) or forward (1), if there is one; the browser tells when it is there.
    pub(super) fn step(&mut self, way: i32) {
        let target = self.here + way;
        if (0..=self.last).contains(&target) {
            self.seeking = way;
            go(way);
        }
    }

    /// The browser has gone to another entry: its address, if that has other inputs.
    pub(super) fn moved(&mut self) -> Option<String> {
        let search = search();
        if search == self.search {
            if number().is_none() {
                write(Entry::Replace, self.here, None);
            }
            if self.seeking != 0 {
                go(self.seeking);
            }
            return None;
        }
        self.seeking = 0;
        self.here = number().unwrap_or(self.here);
        self.last = self.last.max(self.here);
        self.search.clone_from(&search);
        self.show();
        Some(search)
    }

    /// The address of the state that is shown.
    pub(super) fn here(&self) -> &str {
        &self.search
    }

    /// Writes the inputs into the address; whether that is done, or needs no doing.
    pub(super) fn address(&mut self, query: &str, entry: Entry) -> bool {
        if entry == Entry::Keep || query == self.shown {
            self.shown = query.to_owned();
            return entry == Entry::Keep;
        }
        let here = if entry == Entry::Push { self.here + 1 } else { self.here };
        // browsers refuse when called too often; the next answer tries again
        if !write(entry, here, Some(&["/?", query].concat())) {
            return false;
        }
        self.here = here;
        if entry == Entry::Push {
            self.last = here;
        }
        self.shown = query.to_owned();
        self.search = search();
        self.show();
        true
    }

    /// The buttons are there for the steps that there are.
    fn show(&self) {
        for (id, is_end) in [("#undo", self.here <= 0), ("#redo", self.here >= self.last)] {
            if let Some(button) = dom::find(id).and_then(|e| e.dyn_into::<HtmlButtonElement>().ok()) {
                button.set_disabled(is_end);
            }
        }
    }
}

fn history() -> Option<web_sys::History> {
    dom::window()?.history().ok()
}

/// The number that the current entry carries.
fn number() -> Option<i32> {
    history()?.state().ok()?.as_f64().map(|n| n as i32)
}

fn search() -> String {
    dom::window().map(|w| w.location()).and_then(|l: Location| l.search().ok()).unwrap_or_default()
}

fn go(way: i32) {
    if let Some(history) = history() {
        let _ = history.go_with_delta(way);
    }
}

fn write(entry: Entry, number: i32, url: Option<&str>) -> bool {
    let Some(history) = history() else { return false };
    let state = JsValue::from_f64(f64::from(number));
    match entry {
        Entry::Push => history.push_state_with_url(&state, "", url),
        _ => history.replace_state_with_url(&state, "", url),
    }
    .is_ok()
}
