//! The form that puts a quote in, or changes one.

use crate::backend::prices::QuoteRow;
use crate::components::with_unit;
use crate::flash::FormFlash;
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

/// The form: for the figure that is chosen, or with the choice of one.
pub(super) fn form(
    known: &[Quotable],
    chosen: Option<&Quotable>,
    current: Option<&QuoteRow>,
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
    let version = current.map(|row| row.version.to_string()).unwrap_or_default();
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

/// All figures that can be quoted, by group.
fn choice(known: &[Quotable], typed: &FormFlash) -> AnyView {
    let mut groups: Vec<(&str, Vec<&Quotable>)> = Vec::new();
    for figure in known {
        match groups.iter_mut().find(|(group, _)| *group == figure.group) {
            Some((_, figures)) => figures.push(figure),
            None => groups.push((figure.group, vec![figure])),
        }
    }
    let before = typed.value("key").unwrap_or_default().to_owned();
    let groups: Vec<_> = groups
        .into_iter()
        .map(|(group, figures)| {
            let options: Vec<_> = figures
                .into_iter()
                .map(|figure| {
                    let text = format!("{}, {}", figure.label, figure.unit);
                    view! { <option value=figure.key.clone() selected=figure.key == before>{text}</option> }
                })
                .collect();
            view! { <optgroup label=group>{options}</optgroup> }
        })
        .collect();
    let error = typed.error("key").map(str::to_owned);
    view! {
        <div class="field">
            <div class="field-head"><label for="key">"Figure"</label></div>
            <select class="input select" id="key" name="key" required aria-invalid=error.is_some().then_some("true") aria-describedby="key-error">
                <option value="">"Choose a figure"</option>
                {groups}
            </select>
            <p class="field-error" id="key-error">{error}</p>
        </div>
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
