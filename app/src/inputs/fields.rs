//! The fields of the form: names, labels, units, sliders and groups.

use engine::request::{Overrides, QuantityKind};
use std::sync::LazyLock;

/// What a field counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Tokens.
    Tokens,
    /// Tokens of one sequence, where `8k` means 8,192.
    Context,
    /// US dollars.
    Usd,
    /// Days.
    Days,
    /// A share, written in percent.
    Share,
    /// Devices.
    Gpus,
    /// Months.
    Months,
    /// Kilowatts.
    Kilowatts,
    /// Billions of parameters.
    Billion,
    /// Anything else, by its name.
    Plain(&'static str),
}

impl Unit {
    /// What stands behind the field.
    pub fn label(self) -> &'static str {
        match self {
            Self::Tokens | Self::Context => "tokens",
            Self::Usd => "USD",
            Self::Days => "days",
            Self::Share => "%",
            Self::Gpus => "GPUs",
            Self::Months => "months",
            Self::Kilowatts => "kW",
            Self::Billion => "billion",
            Self::Plain(unit) => unit,
        }
    }

    pub(super) fn quantity(self) -> QuantityKind {
        match self {
            Self::Context => QuantityKind::Binary,
            Self::Share => QuantityKind::Share,
            _ => QuantityKind::Decimal,
        }
    }
}

/// How a slider's way maps to values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal factors.
    Log,
    /// Powers of two.
    Binary,
}

impl Scale {
    /// Its name in the markup, where the island reads it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Log => "log",
            Self::Binary => "binary",
        }
    }
}

/// A slider that is one value with its field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Value at its left end.
    pub min: f64,
    /// Value at its right end.
    pub max: f64,
    /// Mapping.
    pub scale: Scale,
}

impl Slider {
    /// Where its right end is.
    pub const END: u32 = 1000;

    /// Where a value stands, 0 to 1000.
    pub fn place(&self, value: f64) -> u32 {
        let share = match self.scale {
            Scale::Linear => (value - self.min) / (self.max - self.min),
            Scale::Log | Scale::Binary => (value.max(self.min) / self.min).ln() / (self.max / self.min).ln(),
        };
        (share.clamp(0.0, 1.0) * f64::from(Self::END)).round() as u32
    }
}

/// One text field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name: the dotted key of the API.
    pub key: &'static str,
    /// Its label.
    pub label: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// What to type for example, or what nothing means.
    pub example: &'static str,
    /// A remark below it; may be empty.
    pub help: &'static str,
    /// Its slider.
    pub slider: Option<Slider>,
}

impl Field {
    const fn new(key: &'static str, label: &'static str, unit: Unit, example: &'static str) -> Self {
        Self { key, label, unit, example, help: "", slider: None }
    }

    /// What stands in the field while it is empty: no example may be taken for a value.
    pub fn placeholder(&self) -> String {
        let is_value = self.example.starts_with(|c: char| c.is_ascii_digit());
        if is_value { format!("for example {}", self.example) } else { self.example.to_owned() }
    }

    const fn help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }

    const fn slider(mut self, min: f64, max: f64, scale: Scale) -> Self {
        self.slider = Some(Slider { min, max, scale });
        self
    }
}

/// The choices that everyone makes first, by key: of which model, and whether it is trained from nothing or tuned.
pub const FIRST: [&str; 2] = ["model.preset", "method"];

/// The fields that everyone fills in; the first choices come before them.
pub static ESSENTIAL: [Field; 5] = [
    Field::new("context_length", "Context length", Unit::Context, "8k").slider(1_024.0, 1_048_576.0, Scale::Binary),
    Field::new("training_tokens", "Training tokens", Unit::Tokens, "1T").slider(1e9, 3e13, Scale::Log),
    Field::new("budget_usd", "Budget for the run", Unit::Usd, "no limit").slider(1e4, 1e9, Scale::Log),
    Field::new("deadline_days", "Deadline", Unit::Days, "no limit").slider(1.0, 730.0, Scale::Log),
    Field::new("utilization", "Utilization over the horizon", Unit::Share, "70%")
        .help("Share of hours with work, this run and those after it. It decides between buying and renting.")
        .slider(0.05, 1.0, Scale::Linear),
];

/// A group of further inputs that opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Another model than a preset.
    Model,
    /// How it is trained.
    Training,
    /// Devices.
    Hardware,
    /// Providers and ways of acquiring.
    Acquiring,
    /// Horizon and growth.
    Business,
    /// Place, and the caller's own figures.
    Costs,
}

/// The groups, in order.
pub const GROUPS: [Group; 6] =
    [Group::Model, Group::Training, Group::Hardware, Group::Acquiring, Group::Business, Group::Costs];

impl Group {
    /// Title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Model => "Another model",
            Self::Training => "Training",
            Self::Hardware => "Hardware",
            Self::Acquiring => "Buying and renting",
            Self::Business => "Horizon",
            Self::Costs => "Site and own figures",
        }
    }

    /// Id in the page.
    pub fn id(self) -> &'static str {
        match self {
            Self::Model => "group-model",
            Self::Training => "group-training",
            Self::Hardware => "group-hardware",
            Self::Acquiring => "group-acquiring",
            Self::Business => "group-horizon",
            Self::Costs => "group-costs",
        }
    }

    /// Its fields that are no text.
    pub fn choices(self) -> &'static [&'static str] {
        match self {
            Self::Model => &["model.huggingface"],
            Self::Training => &["precision", "optimizer", "host_offload", "software.stack"],
            Self::Hardware => &["accelerators"],
            Self::Acquiring => &["acquisition", "providers"],
            Self::Business => &[],
            Self::Costs => &["region", "facility", "overrides.topology", "overrides.storage_class"],
        }
    }

    /// Its text fields.
    pub fn fields(self) -> &'static [Field] {
        match self {
            Self::Model => &MODEL,
            Self::Training => &TRAINING,
            Self::Hardware => &HARDWARE,
            Self::Acquiring => &ACQUIRING,
            Self::Business => &BUSINESS,
            Self::Costs => &OVERRIDES,
        }
    }
}

static MODEL: [Field; 2] = [
    Field::new("model.parameters_billion", "Parameters", Unit::Billion, "13")
        .help("A plausible architecture of this size is assumed, and said."),
    Field::new("model.active_parameters_billion", "Active parameters", Unit::Billion, "all")
        .help("Mixture of experts: what one token uses."),
];
static TRAINING: [Field; 1] = [Field::new("global_batch_tokens", "Global batch", Unit::Tokens, "4M")];
static HARDWARE: [Field; 2] = [
    Field::new("max_gpus", "Largest cluster", Unit::Gpus, "2,048"),
    Field::new("max_power_kw", "Power available", Unit::Kilowatts, "no limit"),
];
static ACQUIRING: [Field; 1] = [Field::new("monthly_budget_usd", "Budget per month", Unit::Usd, "no limit")];
static BUSINESS: [Field; 4] = [
    Field::new("horizon_months", "Horizon", Unit::Months, "36")
        .help("Buying and renting are compared over it.")
        .slider(6.0, 84.0, Scale::Linear),
    Field::new("demand_growth_per_month", "Growth of demand per month", Unit::Share, "0%")
        .help("Write small shares with their sign: 0.5% is half a percent, 0.5 is half."),
    Field::new("demand_seasonality", "Yearly swing of demand", Unit::Share, "0%")
        .help("30%: from 30% below to 30% above its trend, once a year."),
    Field::new("team_size", "Engineers who can run it", Unit::Plain("people"), "not stated"),
];
static OVERRIDES: LazyLock<Vec<Field>> = LazyLock::new(|| {
    // one leaked string for each of three dozen names, once
    let key = |name: &str| -> &'static str { Box::leak(format!("overrides.{name}").into_boxed_str()) };
    Overrides::SCALARS
        .iter()
        .map(|known| Field::new(key(known.name), known.label, Unit::Plain(known.unit), "from the catalog"))
        .collect()
});

/// The inputs that are no text: lists, check boxes, the pasted configuration. Keys and labels, in order.
const CHOICES: [(&str, &str); 14] = [
    ("model.preset", "Model"),
    ("model.huggingface", "Hugging Face config.json"),
    ("method", "Method"),
    ("precision", "Precision of the linear layers"),
    ("optimizer", "Optimizer"),
    ("host_offload", "Kept in the host's memory"),
    ("software.stack", "Software"),
    ("accelerators", "Accelerators allowed"),
    ("acquisition", "Ways of acquiring"),
    ("providers", "Providers allowed"),
    ("region", "Region"),
    ("facility", "Where an owned cluster stands"),
    ("overrides.topology", "Network of an owned cluster"),
    ("overrides.storage_class", "Class of the shared storage"),
];

/// The label of an input of the form.
pub fn label(key: &str) -> Option<&'static str> {
    let choice = || CHOICES.iter().find(|(name, _)| *name == key).map(|(_, label)| *label);
    field(key).map(|field| field.label).or_else(choice)
}

/// Every text field.
pub fn fields() -> impl Iterator<Item = &'static Field> {
    ESSENTIAL.iter().chain(GROUPS.into_iter().flat_map(|group| group.fields().iter()))
}

/// The text field of a key.
pub fn field(key: &str) -> Option<&'static Field> {
    fields().find(|field| field.key == key)
}

/// The form has a field for this key.
pub fn is_form_key(key: &str) -> bool {
    label(key).is_some()
}

/// Place of a key in the form.
pub(crate) fn position(key: &str) -> usize {
    if key == "model.preset" {
        return 0;
    }
    let texts = fields().position(|field| field.key == key).map(|place| place + 1);
    texts.or_else(|| CHOICES.iter().position(|(name, _)| *name == key).map(|place| place + 100)).unwrap_or(200)
}
