//! Charts that are read together: pointing at a month in one marks it in the others. A click on a point goes where it leads.
//!
//! What a pointer finds here stands in the tables below the charts, too, with links in place of points.

use super::plotly::library;
use crate::islands::dom;
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// Where a chart keeps its months: pairs of a month and its place along x.
const MONTHS: &str = "months";

/// Makes a chart one of those that are read together, and its points links where they lead somewhere.
pub(super) fn join(target: &Element, figure: &JsValue) -> Result<(), JsValue> {
    // a chart that is drawn again may be of another plan; who listens to it stays
    let joined = Reflect::has(target, &MONTHS.into())?;
    let months = Reflect::get(figure, &MONTHS.into())?;
    Reflect::set(target, &MONTHS.into(), &months)?;
    Reflect::set(target, &"leads".into(), &Reflect::get(figure, &"leads".into())?)?;
    if joined {
        return Ok(());
    }
    let own = target.clone();
    on(target, "plotly_hover", move |event| {
        let _ = mark(&own, &event);
    })?;
    let own = target.clone();
    on(target, "plotly_unhover", move |_| {
        for other in others(&own) {
            let _ = call("unhover", &other, &Object::new());
        }
    })?;
    on(target, "plotly_click", |event| {
        if let Some(address) = point(&event).and_then(|point| text(&point, "customdata"))
            && let Some(window) = dom::window()
        {
            let _ = window.location().set_href(&address);
        }
    })
}

/// Listens to an event of Plotly, for the life of the chart.
fn on(target: &Element, event: &str, listen: impl FnMut(JsValue) + 'static) -> Result<(), JsValue> {
    let listen = Closure::<dyn FnMut(JsValue)>::new(listen).into_js_value();
    let add: Function = Reflect::get(target, &"on".into())?.dyn_into()?;
    add.call2(target, &event.into(), &listen)?;
    Ok(())
}

/// Marks the month that is pointed at in the other charts.
fn mark(target: &Element, event: &JsValue) -> Result<(), JsValue> {
    if !Reflect::get(target, &"leads".into())?.is_truthy() {
        return Ok(());
    }
    let Some(place) = point(event).and_then(|point| Reflect::get(&point, &"pointNumber".into()).ok()?.as_f64()) else {
        return Ok(());
    };
    let Some(month) = months(target).nth(place as usize).and_then(|pair| pair.get(0).as_f64()) else { return Ok(()) };
    for other in others(target) {
        let there = months(&other).find(|pair| pair.get(0).as_f64() == Some(month));
        if let Some(pair) = there {
            let at = Object::new();
            Reflect::set(&at, &"xval".into(), &pair.get(1))?;
            call("hover", &other, &at)?;
        }
    }
    Ok(())
}

/// Calls Plotly's own hovering on a chart, without the events that it makes of a pointer's.
fn call(name: &str, target: &Element, at: &Object) -> Result<(), JsValue> {
    let Some(plotly) = library() else { return Ok(()) };
    let hovering = Reflect::get(&plotly, &"Fx".into())?;
    let hover: Function = Reflect::get(&hovering, &name.into())?.dyn_into()?;
    hover.apply(&hovering, &Array::of4(target, at, &"xy".into(), &JsValue::TRUE))?;
    Ok(())
}

/// The other charts of the page that have months.
fn others(target: &Element) -> Vec<Element> {
    let Some(body) = dom::find("body") else { return Vec::new() };
    let all = dom::all(&body, ".is-plotly .figure-plotly").into_iter();
    all.filter(|other| other != target && months(other).next().is_some()).collect()
}

fn months(target: &Element) -> impl Iterator<Item = Array> + use<> {
    let months = Reflect::get(target, &MONTHS.into()).ok().and_then(|months| months.dyn_into::<Array>().ok());
    months.unwrap_or_default().to_vec().into_iter().filter_map(|pair| pair.dyn_into().ok())
}

/// The first point of an event.
fn point(event: &JsValue) -> Option<JsValue> {
    let points = Reflect::get(event, &"points".into()).ok()?.dyn_into::<Array>().ok()?;
    Some(points.get(0)).filter(JsValue::is_object)
}

fn text(point: &JsValue, name: &str) -> Option<String> {
    Reflect::get(point, &name.into()).ok()?.as_string()
}
