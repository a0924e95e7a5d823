//! Presets of models.

use crate::components::Cell;
use crate::format;
use crate::listing::{Choice, Column, Entry, Kind, Listing, Origin, Row, VIEWS, confidence};
use engine::catalog::{Catalog, ModelPreset};

const COLUMNS: [Column; 12] = [
    Column::new("model", "Model", Kind::Text),
    Column::new("maker", "Maker", Kind::Text),
    Column::new("parameters", "Parameters", Kind::Number),
    Column::new("layers", "Layers", Kind::Number),
    Column::new("hidden", "Hidden", Kind::Number),
    Column::new("heads", "Heads", Kind::Number),
    Column::new("kv_heads", "KV heads", Kind::Number),
    Column::new("vocab", "Vocabulary", Kind::Number),
    Column::new("experts_per_token", "Active experts", Kind::Number),
    Column::more("experts", "Experts", Kind::Number),
    Column::new("max_context", "Longest context", Kind::Number),
    Column::new("origin", "Source", Kind::Text),
];

const DENSE: &str = "dense";
const EXPERTS: &str = "experts";

pub(super) fn models(catalog: &Catalog) -> Listing {
    let rows: Vec<Row> = catalog.models.iter().map(row).collect();
    let kinds = [(DENSE, "Dense models"), (EXPERTS, "Mixtures of experts")];
    let choices = vec![
        Choice { id: "maker", label: "Maker", all: "All makers", kinds: Listing::kinds(&rows, 0, str::to_owned) },
        Choice {
            id: "kind",
            label: "Kind of model",
            all: "Dense and experts",
            kinds: kinds.map(|(id, name)| (id.to_owned(), name.to_owned())).to_vec(),
        },
    ];
    Listing {
        name: "models",
        files: VIEWS,
        caption: "Models",
        noun: ("model", "models"),
        columns: COLUMNS.to_vec(),
        choices,
        rows,
    }
}

fn row(m: &ModelPreset) -> Row {
    let a = &m.architecture;
    let count = |value: u32| Entry::number(Some(f64::from(value)), format::count);
    let (active, experts) = match &a.moe {
        Some(moe) => (count(moe.experts_per_token).note(format!("of {}", moe.experts)), count(moe.experts)),
        None => (Entry::unknown(), Entry::unknown()),
    };
    let remark = m.note.as_ref().map(|note| format!(". {note}")).unwrap_or_default();
    let mut parameters = Entry::number(m.published_parameters.map(|p| p as f64), format::compact);
    parameters.cell.title = m.published_parameters.map(|p| format::count(p as f64));
    Row {
        entries: vec![
            Cell::text(&m.label)
                .note(m.id.clone())
                .link(format!("/?model.preset={}", crate::flash::segment(&m.id)))
                .into(),
            Entry::text(&m.maker),
            parameters,
            count(a.layers),
            count(a.hidden),
            count(a.heads),
            count(a.kv_heads),
            count(a.vocab),
            active,
            experts,
            Entry::number(Some(m.max_context as f64), format::count),
            Entry::text(&m.source).note(format!("{} · {} confidence{remark}", m.date, confidence(m.confidence))),
        ],
        kinds: vec![m.maker.clone(), if a.moe.is_some() { EXPERTS } else { DENSE }.to_owned()],
        words: String::new(),
        origin: Some(Origin {
            source: m.source.clone(),
            date: m.date.clone(),
            confidence: confidence(m.confidence).to_owned(),
        }),
    }
}
