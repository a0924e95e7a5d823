//! Plans again while a person types: one request at a time, the newest inputs last, the old result until then.

mod history;
mod page;
mod parts;

use super::{dom, form, slider};
use crate::server_functions::{Replan, replan};
use history::{Entry, History};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlFormElement, HtmlInputElement, KeyboardEvent};

/// Least milliseconds between requests while a hand goes on.
const APART: f64 = 50.0;
/// Milliseconds until a server that was busy is asked again.
const AGAIN: i32 = 3_000;
/// Milliseconds without input after which errors and the answer are told, and typing on is a step of its own.
const IDLE: i32 = 600;

/// The life of the form.
struct Planner {
    form: HtmlFormElement,
    history: RefCell<History>,
    /// A request is waiting for its time or for the one under way.
    waiting: Cell<bool>,
    under_way: Cell<bool>,
    /// When the last request was sent, milliseconds since 1970.
    sent_at: Cell<f64>,
    /// How the next answer goes into the address.
    entry: Cell<Entry>,
    /// The field that a hand is at: what it types there in one go is one step.
    hand: RefCell<Option<String>>,
    /// The form holds what the address does not.
    changed: Cell<bool>,
    idle_timer: Cell<i32>,
    /// The last answer, told when the hand rests.
    told: RefCell<Option<Replan>>,
}

/// Attaches to the form of the page.
pub(super) fn start() {
    let Some(form) = form::planner() else { return };
    let planner = Rc::new(Planner {
        history: RefCell::new(History::new()),
        form,
        waiting: Cell::new(false),
        under_way: Cell::new(false),
        sent_at: Cell::new(0.0),
        entry: Cell::new(Entry::Replace),
        hand: RefCell::new(None),
        changed: Cell::new(false),
        idle_timer: Cell::new(0),
        told: RefCell::new(None),
    });
    listen(&planner);
    parts::start();
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
        form::tokens_of_example(&p.form, &element);
        p.touch(&element);
        p.clone().soon();
    });
    let p = planner.clone();
    dom::on(target, "change", move |_| {
        // the hand has left the field, or chosen
        p.hand.take();
        form::count_groups(&p.form);
    });
    let p = planner.clone();
    dom::on(target, "submit", move |event| {
        event.prevent_default();
        p.hand.take();
        p.clone().soon();
        page::show_answer();
    });
    // what is saved is what the form says: where that can't be planned for, the server says so
    let p = planner.clone();
    if let Some(document) = dom::document() {
        dom::on(document.unchecked_ref(), "submit", move |event| {
            let sent = dom::target_within(&event, "form.save").filter(|_| p.changed.get());
            let Some(sent) = sent else { return };
            if let Ok(Some(query)) = sent.query_selector("[name=query]") {
                form::set(&query, &form::query(&p.form));
            }
            page::forget_proposed_name(&sent);
        });
    }
    for (id, way) in [("#undo", -1), ("#redo", 1)] {
        let Some(button) = dom::find(id) else { continue };
        let p = planner.clone();
        dom::on(button.unchecked_ref(), "click", move |_| p.clone().step(way));
    }
    let (Some(window), Some(document)) = (dom::window(), dom::document()) else { return };
    let p = planner.clone();
    dom::on(window.unchecked_ref(), "popstate", move |_| {
        let state = p.history.borrow_mut().moved();
        if let Some(state) = state {
            p.clone().go_to(&state);
        }
    });
    let p = planner.clone();
    dom::on(document.unchecked_ref(), "keydown", move |event| {
        let Some(way) = event.dyn_ref::<KeyboardEvent>().and_then(undo_key) else { return };
        // text fields undo their own letters
        if dom::target_within(&event, "textarea, input:not([type=range], [type=checkbox])").is_none() {
            event.prevent_default();
            p.clone().step(way);
        }
    });
}

/// Which way the keys for undo and redo lead.
fn undo_key(event: &KeyboardEvent) -> Option<i32> {
    if !(event.ctrl_key() || event.meta_key()) || event.alt_key() {
        return None;
    }
    match event.key().as_str() {
        "z" if !event.shift_key() => Some(-1),
        "z" | "Z" | "y" => Some(1),
        _ => None,
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

    /// A hand is at a field: its first touch begins a step, what follows in one go belongs to it.
    fn touch(&self, element: &Element) {
        let name = element.get_attribute("name").or_else(|| element.get_attribute("data-for"));
        if *self.hand.borrow() != name {
            *self.hand.borrow_mut() = name;
            self.entry.set(Entry::Push);
        }
        self.changed.set(true);
    }

    /// Undo (-1) or redo (1). What is typed and has no plan yet goes first.
    fn step(self: Rc<Self>, way: i32) {
        if self.changed.get() && way < 0 {
            let state = self.history.borrow().here().to_owned();
            self.go_to(&state);
        } else {
            self.history.borrow_mut().step(way);
        }
    }

    /// The form as an address has it; an address without inputs is that of the page as it came.
    fn go_to(self: Rc<Self>, state: &str) {
        if state.len() > 1 {
            form::restore(&self.form, state);
        } else {
            self.form.reset();
        }
        form::count_groups(&self.form);
        self.hand.take();
        self.changed.set(false);
        self.entry.set(Entry::Keep);
        self.soon();
    }

    /// Plans after the event, so that what one act does to several fields is one request; what happens until then joins.
    fn soon(self: Rc<Self>) {
        dom::cancel(self.idle_timer.get());
        page::set_waiting(true);
        if self.waiting.replace(true) || self.under_way.get() {
            return;
        }
        let rest = APART - (js_sys::Date::now() - self.sent_at.get());
        // a clock that was set back delays nothing
        let rest = if rest <= APART { rest.max(0.0) as i32 } else { 0 };
        dom::later(rest, move || self.send());
    }

    fn send(self: Rc<Self>) {
        self.waiting.set(false);
        self.under_way.set(true);
        self.sent_at.set(js_sys::Date::now());
        let query = form::query(&self.form);
        spawn_local(async move {
            let answer = replan(query, page::wanted()).await;
            self.under_way.set(false);
            // who has asked too often is not helped by asking again
            let again = answer.as_ref().is_err_and(|error| error.is_passing() && error.code != "rate_limited");
            match answer {
                Ok(answer) => self.clone().receive(answer),
                Err(error) => {
                    // what is shown is not what the form says, and stays dimmed while that may change by itself
                    page::set_waiting(error.is_passing());
                    page::say_trouble(Some(error.advice()));
                }
            }
            // inputs have changed meanwhile, or the same are asked for again
            let pause = if again { AGAIN } else { 0 };
            if self.waiting.get() || again {
                self.waiting.set(true);
                let this = self.clone();
                dom::later(pause, move || this.send());
            }
        });
    }

    fn receive(self: Rc<Self>, answer: Replan) {
        if answer.errors.is_empty() {
            page::show_results(&answer);
            page::show_brief(&answer.brief);
            page::show_errors(&self.form, &[]);
            if self.history.borrow_mut().address(&answer.query, self.entry.get()) {
                self.entry.set(Entry::Replace);
            }
            self.changed.set(self.waiting.get());
            super::charts::refresh();
        }
        page::say_trouble(None);
        page::echo(&self.form, &answer.echoes, self.hand.borrow().as_deref());
        if !self.waiting.get() {
            page::set_waiting(!answer.errors.is_empty());
        }
        *self.told.borrow_mut() = Some(answer);
        dom::cancel(self.idle_timer.get());
        let this = self.clone();
        self.idle_timer.set(dom::later(IDLE, move || this.rest()));
    }

    /// The hand rests: errors are shown, the answer is announced, and what comes next is another step.
    fn rest(&self) {
        let Some(answer) = self.told.borrow_mut().take() else { return };
        self.hand.take();
        page::show_brief(&answer.brief);
        page::show_errors(&self.form, &answer.errors);
        if !answer.errors.is_empty() {
            page::say_trouble(Some(&[&answer.brief, ": what is shown below is of the inputs before."].concat()));
        }
        page::announce(&answer);
    }
}
