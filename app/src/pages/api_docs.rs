//! The API for those who write programs and sheets: examples that work as pasted, then every operation.

mod examples;

use crate::backend::docs::{Answer, DocsSource, Group, Keys, Operation, Parameter};
use crate::components::{Cell, DataTable};
use crate::pages::Description;
use crate::pages::origin;
use leptos::prelude::*;
use leptos_meta::Title;

/// The page.
#[component]
pub fn ApiDocsPage() -> impl IntoView {
    let docs = use_context::<DocsSource>().map(|source| (source.0)()).unwrap_or_default();
    let base = origin();
    let groups: Vec<_> = docs.groups.iter().map(group).collect();
    let keys: Vec<_> = docs.keys.iter().map(keys).collect();
    let anchors: Vec<_> = docs
        .groups
        .iter()
        .map(|group| view! { <li><a href=format!("#{}", anchor(&group.name))>{group.name.clone()}</a></li> })
        .collect();
    view! {
        <Title text="API · Clusterwright" />
        <Description text="Plans, estimates and the catalog as JSON, CSV and workbooks, for programs and spreadsheets; examples that work as pasted." />
        <main class="page page-prose" id="main">
            <p class="eyebrow">"For programs and spreadsheets"</p>
            <h1>"API"</h1>
            <p class="lead">"The address of a plan is its data: put /api/v1/plans.csv in place of the path of the planner, and a spreadsheet reads it. What computes takes no account and no key."</p>
            <p class="actions"><a class="button" href="/api/v1/openapi.json">"OpenAPI 3.1 document"</a></p>
            <nav class="subnav" aria-label="Sections of this page"><ul>
                <li><a href="#examples">"Examples"</a></li>
                <li><a href="#rules">"Rules"</a></li>
                {anchors}
                <li><a href="#keys">"Keys"</a></li>
            </ul></nav>
            {examples::section(&base)}
            {rules()}
            {groups}
            <section class="section" id="keys" aria-labelledby="keys-heading">
                <h2 id="keys-heading">"Keys"</h2>
                <p>"In an address and as the first row of a sheet they are joined with dots, in JSON they nest. Numbers may be written as people do: 70B, 1.5T, 8k, 40%, $5M."</p>
                {keys}
            </section>
        </main>
    }
}

/// What holds for every operation.
fn rules() -> AnyView {
    view! {
        <section class="section" id="rules" aria-labelledby="rules-heading">
            <h2 id="rules-heading">"Rules"</h2>
            <ul>
                <li>"Figures carry their unit in their name. Null, and an empty cell, is unknown and never zero."</li>
                <li>"CSV is RFC 4180 in UTF-8: lines end in CRLF, a point is the decimal sign, amounts are US dollars to the cent, days are ISO 8601. Columns keep their names and places; new ones come at the end. "<code>"bom=true&delimiter=semicolon&decimal=comma"</code>" makes it what Excel opens by a double click where the comma is the decimal sign."</li>
                <li>"Text that a spreadsheet could take for a formula begins with an apostrophe. Numbers never do."</li>
                <li>"What is wrong with a request is said field by field as application/problem+json; under an address that ends in .csv in one cell that begins with Error. The status is right in each case: spreadsheets show theirs, such as #N/A or #VALUE!, and the cell is seen in a browser."</li>
                <li>"An ETag comes with each file: who sends it back as If-None-Match is answered 304 when nothing has changed. A key that begins with _ is ignored; people add one to defeat caches."</li>
                <li>"Too many requests are answered 429, with the seconds to wait in Retry-After. A batch counts as what it computes."</li>
                <li>"What belongs to a team takes a token: "<code>"Authorization: Bearer cw_…"</code>". Editors make tokens under "<a href="/team/tokens">"Team, Tokens"</a>". Answers to a token carry RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset."</li>
            </ul>
        </section>
    }
    .into_any()
}

fn anchor(name: &str) -> String {
    format!("group-{}", name.to_lowercase().replace(' ', "-"))
}

fn group(group: &Group) -> AnyView {
    let id = anchor(&group.name);
    let heading = format!("{id}-heading");
    let operations: Vec<_> = group.operations.iter().map(operation).collect();
    view! { <section class="section" id=id aria-labelledby=heading><h2 id=heading.clone()>{group.name.clone()}</h2>{operations}</section> }.into_any()
}

fn operation(operation: &Operation) -> AnyView {
    let description = (!operation.description.is_empty()).then(|| view! { <p>{marked(&operation.description)}</p> });
    let token = operation.token.then(|| view! { <p class="quiet">"Takes a token."</p> });
    let body = (!operation.body.is_empty())
        .then(|| view! { <p class="quiet">{format!("Body: {}", operation.body.join(", "))}</p> });
    let shared: Vec<_> = operation
        .keys
        .iter()
        .map(|name| view! { <p class="quiet">"And all keys of "<a href=format!("#keys-{name}")>{name.clone()}</a>"."</p> })
        .collect();
    let parameters = (!operation.parameters.is_empty())
        .then(|| parameters(format!("Parameters of {} {}", operation.method, operation.path), &operation.parameters));
    let answers = answers(operation);
    view! {
        <div class="block" id=operation.id.clone()>
            <h3><code>{format!("{} {}", operation.method, operation.path)}</code></h3>
            <p><b>{operation.summary.clone()}</b></p>
            {description}{token}{body}{parameters}{shared}
            <details><summary>"Answers"</summary>{answers}</details>
        </div>
    }
    .into_any()
}

fn parameters(caption: String, parameters: &[Parameter]) -> AnyView {
    let rows = parameters
        .iter()
        .map(|parameter| {
            let choices = parameter.choices.join(", ");
            let text = Cell::text(parameter.description.clone());
            vec![Cell::text(parameter.name.clone()), if choices.is_empty() { text } else { text.note(choices) }]
        })
        .collect();
    let head = ["Name", "What it is"].map(str::to_owned).to_vec();
    view! { <DataTable caption=caption head=head rows=rows class="data-people" /> }.into_any()
}

fn answers(operation: &Operation) -> AnyView {
    let row = |answer: &Answer| {
        vec![
            Cell::text(answer.status.clone()),
            Cell::text(answer.description.clone()),
            Cell::text(answer.media_types.join(", ")),
        ]
    };
    let head = ["Status", "What it says", "Media type"].map(str::to_owned).to_vec();
    let caption = format!("Answers to {} {}", operation.method, operation.path);
    view! { <DataTable caption=caption head=head rows=operation.answers.iter().map(row).collect() class="data-people" /> }
        .into_any()
}

fn keys(keys: &Keys) -> AnyView {
    let words = match keys.name.as_str() {
        "PlanRequest" => "Keys of a plan",
        "EstimateRequest" => "Keys of an estimate",
        other => other,
    };
    view! {
        <details class="block" id=format!("keys-{}", keys.name)>
            <summary>{format!("{words} ({})", keys.keys.len())}</summary>
            {parameters(words.to_owned(), &keys.keys)}
        </details>
    }
    .into_any()
}

/// Words between `` ` `` as code.
fn marked(text: &str) -> Vec<AnyView> {
    text.split('`')
        .enumerate()
        .map(|(index, part)| match index % 2 {
            1 => view! { <code>{part.to_owned()}</code> }.into_any(),
            _ => part.to_owned().into_any(),
        })
        .collect()
}
