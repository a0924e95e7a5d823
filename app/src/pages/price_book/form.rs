//! The form that puts a quote in, or changes one.

use crate::backend::prices::QuoteRow;
use crate::components::with_unit;
use crate::flash::FormFlash;
use crate::inputs::figures::{Meant, meant};
use engine::Quotable;
use leptos::prelude::*;

/// A field of the form.
struct Text {
    name: &'static str,
    label: String,
    help: &'static str,
    kind: &'static str,
    most: u32,
    value: String,
}

/// Most figures that are offered where words fit several.
const OFFERED: usize = 20;

/// The form: for the figure that is chosen, or with the choice of one. `seen` are the quotes that the page shows.
pub(super) fn form(
    known: &[Quotable],
    chosen: Option<&Quotable>,
    current: Option<&QuoteRow>,
    seen: &[QuoteRow],
    typed: &FormFlash,
) -> AnyView {
    let title = match (chosen, current) {
        (Some(chosen), Some(_)) => format!("Change {}", chosen.label),
        (Some(chosen), None) => format!("Quote {}", chosen.label),
        _ => "Put in a quote".into(),
    };
    let value =
        |name: &str, now: Option<String>| typed.value(name).map_or_else(|| now.unwrap_or_default(), str::to_owned);
    let fields = [
        Text {
            name: "value",
            label: chosen.map_or_else(|| "Price or rate".into(), |chosen| format!("Price or rate, {}", chosen.unit)),
            help: "As elsewhere: 450k, 3.25, 8%.",
            kind: "text",
            most: 40,
            value: value("value", current.and_then(|row| row.value).map(|value| value.to_string())),
        },
        Text {
            name: "supplier",
            label: "Supplier".into(),
            help: "",
            kind: "text",
            most: 80,
            value: value("supplier", current.map(|row| row.supplier.clone())),
        },
        Text {
            name: "valid_until",
            label: "Last day of the offer".into(),
            help: "After it the catalog's figure is used again. Empty: until you change it.",
            kind: "date",
            most: 10,
            value: value("valid_until", current.and_then(|row| row.valid_until.clone())),
        },
        Text {
            name: "note",
            label: "Note".into(),
            help: "",
            kind: "text",
            most: 500,
            value: value("note", current.map(|row| row.note.clone())),
        },
    ];
    let fields: Vec<_> = fields.into_iter().map(|field| text(field, typed)).collect();
    let figure = match chosen {
        Some(chosen) => {
            let catalog =
                chosen.catalog.map(|range| format!("The catalog says {}. ", with_unit(range.typical, chosen.unit)));
            view! {
                <input type="hidden" name="key" value=chosen.key.clone() />
                <p class="quiet">{catalog}<a href="/price-book#quote">"Another figure"</a></p>
            }
            .into_any()
        }
        None => choice(known, typed),
    };
    let version = match (chosen, current) {
        (_, Some(row)) => row.version.to_string(),
        (Some(_), None) => String::new(),
        (None, None) => seen.iter().map(|row| format!("{}:{}", row.key, row.version)).collect::<Vec<_>>().join(","),
    };
    view! {
        <section class="section" id="quote" aria-labelledby="quote-heading">
            <h2 id="quote-heading">{title}</h2>
            <form method="post" action="/api/fn/put_quote" class="entry-form">
                <input type="hidden" name="version" value=version />
                {figure}
                {fields}
                <button class="button button-primary" type="submit">"Save the quote"</button>
            </form>
        </section>
    }
    .into_any()
}

/// The groups in the order in which people have quotes of them.
const GROUPS: [&str; 4] = ["Servers", "Prices", "Rates and shares", "Parts of the bill"];

/// A field for the name of a figure, or words of it, with all names to choose from.
fn choice(known: &[Quotable], typed: &FormFlash) -> AnyView {
    let mut figures: Vec<&Quotable> = known.iter().collect();
    figures.sort_by_key(|figure| GROUPS.iter().position(|group| *group == figure.group).unwrap_or(GROUPS.len()));
    let options: Vec<_> = figures
        .into_iter()
        .map(|figure| {
            let kind = format!("{}, {}", figure.group, figure.unit);
            view! { <option value=figure.label.clone()>{kind}</option> }
        })
        .collect();
    let text = typed.value("figure").unwrap_or_default().to_owned();
    let error = typed.error("figure").or(typed.error("key")).map(str::to_owned);
    let fitting = match meant(known, &text) {
        Meant::Several(figures) => Some(fitting(&figures)),
        _ => None,
    };
    view! {
        <div class="field">
            <div class="field-head"><label for="figure">"Figure"</label></div>
            <input
                class="input"
                id="figure"
                name="figure"
                type="text"
                list="figures"
                autocomplete="off"
                maxlength="200"
                required
                value=text
                aria-invalid=error.is_some().then_some("true")
                aria-describedby="figure-error figure-help"
            />
            <datalist id="figures">{options}</datalist>
            <p class="help" id="figure-help">"Words of its name, such as B200 server, or one of the list. If it has a quote already, the new one takes its place."</p>
            <p class="field-error" id="figure-error">{error}</p>
            {fitting}
        </div>
    }
    .into_any()
}

/// The figures that the words fit, one of which is to be chosen.
fn fitting(figures: &[&Quotable]) -> AnyView {
    let boxes: Vec<_> = figures
        .iter()
        .take(OFFERED)
        .map(|figure| {
            let name = format!("{}, {}", figure.label, figure.unit);
            view! { <label class="check"><input type="radio" name="key" value=figure.key.clone() />{name}</label> }
        })
        .collect();
    let more = (figures.len() > OFFERED).then(|| format!("{} more: add a word.", figures.len() - OFFERED));
    view! {
        <fieldset class="field">
            <legend>"Which of these"</legend>
            {boxes}
            <p class="help">{more}</p>
        </fieldset>
    }
    .into_any()
}

fn text(field: Text, typed: &FormFlash) -> AnyView {
    let name = field.name;
    let error = typed.error(name).map(str::to_owned);
    let (help_id, error_id) = (format!("{name}-help"), format!("{name}-error"));
    let described = if field.help.is_empty() { error_id.clone() } else { format!("{error_id} {help_id}") };
    let help = (!field.help.is_empty()).then(|| view! { <p class="help" id=help_id>{field.help}</p> });
    view! {
        <div class="field">
            <div class="field-head"><label for=name>{field.label}</label></div>
            <input
                class="input"
                id=name
                name=name
                type=field.kind
                autocomplete="off"
                required=name == "value"
                maxlength=field.most
                value=field.value
                aria-invalid=error.is_some().then_some("true")
                aria-describedby=described
            />
            {help}
            <p class="field-error" id=error_id>{error}</p>
        </div>
    }
    .into_any()
}
