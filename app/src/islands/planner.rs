//! Plans again while a person types: one request at a time, the newest inputs last, the old result until then.

mod history;
mod page;

use super::{dom, form, slider};
use crate::server_functions::{Replan, replan};
use history::{Entry, History};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlFormElement, HtmlInputElement};

/// Milliseconds from an input to its request: long enough to join what a hand does at once.
const TYPING: i32 = 40;
/// Milliseconds without input after which a state is a step of undo, and errors and the answer are told.
const IDLE: i32 = 600;

/// The life of the form.
struct Planner {
    form: HtmlFormElement,
    history: RefCell<History>,
    /// A request is waiting for its time or for the one under way.
    waiting: Cell<bool>,
    under_way: Cell<bool>,
    /// How the next answer goes into the address.
    entry: Cell<Entry>,
    idle_timer: Cell<i32>,
    /// The last answer, told when the hand rests.
    told: RefCell<Option<Replan>>,
}

/// Attaches to the form of the page.
pub(super) fn start() {
    let Some(form) = form::planner() else { return };
    let planner = Rc::new(Planner {
        history: RefCell::new(History::new(form::query(&form))),
        form,
        waiting: Cell::new(false),
        under_way: Cell::new(false),
        entry: Cell::new(Entry::Replace),
        idle_timer: Cell::new(0),
        told: RefCell::new(None),
    });
    listen(&planner);
}

fn listen(planner: &Rc<Planner>) {
    let target = planner.form.unchecked_ref::<web_sys::EventTarget>();
    let p = planner.clone();
    dom::on(target, "input", move |event| {
        let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return };
        if let Some(range) = element.dyn_ref::<HtmlInputElement>().filter(|e| e.has_attribute("data-for")) {
            p.slide(range);
        } else {
            form::one_model(&p.form, &element);
        }
        p.clone().soon(TYPING);
    });
    let p = planner.clone();
    dom::on(target, "change", move |event| {
        // a choice from a list or a box is a step of its own
        if dom::target_within(&event, "select, [type=checkbox]").is_some() {
            p.entry.set(Entry::Push);
            p.clone().soon(0);
        }
        form::count_groups(&p.form);
    });
    let p = planner.clone();
    dom::on(target, "submit", move |event| {
        event.prevent_default();
        p.entry.set(Entry::Push);
        p.clone().soon(0);
        page::show_answer();
    });
    for (id, back) in [("#undo", true), ("#redo", false)] {
        let Some(button) = dom::find(id) else { continue };
        let p = planner.clone();
        dom::on(button.unchecked_ref(), "click", move |_| {
            let now = form::query(&p.form);
            let state = p.history.borrow_mut().step(back, now);
            if let Some(state) = state {
                p.clone().go_to(&state);
            }
        });
    }
    if let Some(window) = dom::window() {
        let p = planner.clone();
        dom::on(window.unchecked_ref(), "popstate", move |_| {
            let search = dom::window().and_then(|w| w.location().search().ok()).unwrap_or_default();
            if search.len() > 1 {
                form::restore(&p.form, &search);
            } else {
                p.form.reset();
            }
            p.entry.set(Entry::Keep);
            p.clone().soon(0);
        });
    }
}

impl Planner {
    /// The slider moved: its field follows.
    fn slide(&self, range: &HtmlInputElement) {
        let text = slider::text(range);
        let _ = range.set_attribute("aria-valuetext", &text);
        let name = range.get_attribute("data-for").unwrap_or_default();
        if let Some(field) = form::named(&self.form, &name) {
            form::set(&field, &text);
        }
    }

    fn go_to(self: Rc<Self>, state: &str) {
        form::restore(&self.form, state);
        form::count_groups(&self.form);
        self.entry.set(Entry::Replace);
        self.soon(0);
    }

    /// Plans in a moment; what happens until then joins.
    fn soon(self: Rc<Self>, milliseconds: i32) {
        dom::cancel(self.idle_timer.get());
        page::set_waiting(true);
        if self.waiting.replace(true) || self.under_way.get() {
            return;
        }
        dom::later(milliseconds, move || self.send());
    }

    fn send(self: Rc<Self>) {
        self.waiting.set(false);
        self.under_way.set(true);
        let query = form::query(&self.form);
        spawn_local(async move {
            let answer = replan(query).await;
            self.under_way.set(false);
            match answer {
                Ok(answer) => self.clone().receive(answer),
                Err(error) => {
                    page::set_waiting(false);
                    page::say_trouble(Some(&error.message));
                }
            }
            if self.waiting.get() {
                // inputs have changed meanwhile
                let this = self.clone();
                dom::later(0, move || this.send());
            }
        });
    }

    fn receive(self: Rc<Self>, answer: Replan) {
        page::say_trouble(None);
        page::echo(&self.form, &answer.echoes);
        if answer.errors.is_empty() {
            page::show_errors(&self.form, &[]);
            page::show_results(&answer);
            self.history.borrow_mut().address(&answer.query, self.entry.replace(Entry::Replace));
            super::charts::refresh();
        }
        if !self.waiting.get() {
            page::set_waiting(!answer.errors.is_empty());
        }
        *self.told.borrow_mut() = Some(answer);
        dom::cancel(self.idle_timer.get());
        let this = self.clone();
        self.idle_timer.set(dom::later(IDLE, move || this.rest()));
    }

    /// The hand rests: errors are shown, the answer is announced, a state with a plan is a step of undo.
    fn rest(&self) {
        let Some(answer) = self.told.borrow_mut().take() else { return };
        if answer.errors.is_empty() {
            self.history.borrow_mut().settle(form::query(&self.form));
        }
        page::show_errors(&self.form, &answer.errors);
        page::announce(&answer);
    }
}
