//! A small binding of Plotly: loaded once, called if it is there, never missed if it is not.

use super::linked;
use crate::islands::dom;
use js_sys::{Function, JSON, Reflect};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlLinkElement, HtmlScriptElement};

const SCRIPT: &str = "/vendor/plotly-basic.min.js";
const STYLES: &str = "/vendor/plotly.css";

/// Names of the colors that figures speak of; `token-…` classes of the style sheet give them their values.
const TOKENS: [&str; 21] = [
    "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "onc", "ink",
    "ink2", "line", "panel",
];

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
    static QUEUE: RefCell<Vec<Element>> = const { RefCell::new(Vec::new()) };
}

/// Draws a figure now, or as soon as Plotly is there.
pub(super) fn upgrade(figure: Element) {
    if library().is_some() {
        draw(&figure);
        return;
    }
    QUEUE.with_borrow_mut(|queue| queue.push(figure));
    if !ASKED.replace(true) {
        let _ = load();
    }
}

/// Plotly, where it has loaded.
pub(super) fn library() -> Option<JsValue> {
    Reflect::get(&js_sys::global(), &"Plotly".into()).ok().filter(JsValue::is_object)
}

fn load() -> Result<(), JsValue> {
    let Some(document) = dom::document() else { return Ok(()) };
    let Some(head) = document.head() else { return Ok(()) };
    // Plotly adds no style element where it finds this link, so that the policy of the page need not allow one
    let link: HtmlLinkElement = document.create_element("link")?.unchecked_into();
    link.set_id("plotly.js-style-global");
    link.set_class_name("no-inline-styles");
    link.set_rel("stylesheet");
    link.set_href(STYLES);
    head.append_child(&link)?;
    let script: HtmlScriptElement = document.create_element("script")?.unchecked_into();
    script.set_src(SCRIPT);
    dom::on(script.unchecked_ref(), "load", |_| {
        for figure in QUEUE.with_borrow_mut(std::mem::take) {
            if figure.is_connected() {
                draw(&figure);
            }
        }
    });
    head.append_child(&script)?;
    Ok(())
}

/// Draws a figure from the data that it carries.
pub(super) fn draw(figure: &Element) {
    let _ = try_draw(figure);
}

fn try_draw(figure: &Element) -> Result<(), JsValue> {
    let Some(plotly) = library() else { return Ok(()) };
    let (Some(data), Some(target)) = (figure.query_selector(".figure-data")?, figure.query_selector(".figure-plotly")?)
    else {
        return Ok(());
    };
    let json = colored(data.text_content().unwrap_or_default())?;
    let parsed = JSON::parse(&json)?;
    let part = |name: &str| Reflect::get(&parsed, &name.into());
    let (layout, names) = (part("layout")?, js_sys::Array::from(&part("names")?));
    // the drawing is measured as it stands without a chart, also when the theme has changed
    figure.class_list().remove_1("is-plotly")?;
    target.set_attribute("hidden", "")?;
    let drawing = figure.query_selector(".figure-svg .chart-wide")?.zip(figure.query_selector(".figure-svg")?);
    if let Some((wide, all)) = drawing {
        let (wide, all) = (wide.get_bounding_client_rect(), all.get_bounding_client_rect());
        if wide.width() == 0.0 && figure.has_attribute("data-narrow") {
            return Ok(());
        }
        // the chart takes the place of the drawing: nothing on the page moves
        if all.height() > 0.0 {
            Reflect::set(&layout, &"height".into(), &all.height().into())?;
        }
        if wide.width() > 0.0 && names.length() > 0 {
            let notes = js_sys::Array::from(&Reflect::get(&layout, &"annotations".into())?);
            Reflect::set(&layout, &"annotations".into(), &notes.concat(&names))?;
            Reflect::set(&Reflect::get(&layout, &"margin".into())?, &"r".into(), &part("room")?)?;
        } else if wide.width() == 0.0 {
            without_notes(&part("data")?, &layout)?;
        }
    }
    // shown first: Plotly measures what it draws into
    target.remove_attribute("hidden")?;
    let react: Function = Reflect::get(&plotly, &"react".into())?.dyn_into()?;
    let drawn = js_sys::Array::of4(&target, &part("data")?, &layout, &part("config")?);
    match react.apply(&plotly, &drawn) {
        Ok(_) => {
            linked::join(&target, &parsed)?;
            figure.class_list().add_1("is-plotly")
        }
        Err(_) => target.set_attribute("hidden", ""),
    }
}

/// Where there is room for the narrow drawing only, words at points would lie on one another: title and table have them.
fn without_notes(data: &JsValue, layout: &JsValue) -> Result<(), JsValue> {
    for trace in js_sys::Array::from(data).iter() {
        if let Some(mode) = Reflect::get(&trace, &"mode".into())?.as_string() {
            Reflect::set(&trace, &"mode".into(), &mode.replace("+text", "").into())?;
        }
    }
    Reflect::set(layout, &"annotations".into(), &js_sys::Array::new())?;
    Ok(())
}

/// Lets go of a chart.
pub(super) fn purge(target: &Element) {
    if let Some(plotly) = library()
        && let Some(purge) = Reflect::get(&plotly, &"purge".into()).ok().and_then(|f| f.dyn_into::<Function>().ok())
    {
        let _ = purge.call1(&plotly, target);
    }
}

/// The figure with the colors of the theme in place of their names.
fn colored(mut json: String) -> Result<String, JsValue> {
    let (Some(window), Some(document)) = (dom::window(), dom::document()) else { return Ok(json) };
    let Some(body) = document.body() else { return Ok(json) };
    let probe = document.create_element("i")?;
    probe.set_attribute("hidden", "")?;
    body.append_child(&probe)?;
    for token in TOKENS {
        probe.set_class_name(&["token-", token].concat());
        if let Some(style) = window.get_computed_style(&probe)? {
            let color = style.get_property_value("color")?;
            json = json.replace(&["\"$", token, "\""].concat(), &["\"", &color, "\""].concat());
        }
    }
    probe.remove();
    Ok(json)
}
