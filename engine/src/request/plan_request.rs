//! The request of a plan: what to train, within which limits, for which business.

use super::model::{read_software, required_model};
use super::reader::{Fields, Form, Problems};
use super::{
    Acquisition, Facility, HostOffload, Method, ModelChoice, Optimizer, Overrides, Precision, Quotes, Software,
};
use crate::catalog::Catalog;
use crate::problem::{FieldProblem, Problem};
use crate::workload::ModelShape;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the numbers of a request may be.
pub struct PlanLimits {
    /// Context length, tokens.
    pub context_length: (u64, u64),
    /// Training tokens.
    pub training_tokens: (u64, u64),
    /// Global batch, tokens.
    pub global_batch_tokens: (u64, u64),
    /// Largest cluster, devices.
    pub max_gpus: (u64, u64),
    /// Horizon, months.
    pub horizon_months: (u64, u64),
}

/// The limits in force.
pub const PLAN_LIMITS: PlanLimits = PlanLimits {
    context_length: (512, 10_485_760),
    training_tokens: (1_000_000, 1_000_000_000_000_000),
    global_batch_tokens: (512, 1 << 34),
    max_gpus: (1, 131_072),
    horizon_months: (1, 120),
};

/// A checked request: every field is in range, every id is known. Defaults are filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlanRequest {
    /// The model.
    pub model: ModelChoice,
    /// Context length, tokens.
    pub context_length: u64,
    /// Tokens to train on.
    pub training_tokens: u64,
    /// Tokens of one optimizer step.
    pub global_batch_tokens: u64,
    /// Number format of the linear layers.
    pub precision: Precision,
    /// What is trained.
    pub method: Method,
    /// Optimizer.
    pub optimizer: Optimizer,
    /// What lives in the host's memory.
    #[serde(default, skip_serializing_if = "HostOffload::is_none")]
    pub host_offload: HostOffload,
    /// Software options.
    pub software: Software,
    /// Budget for this run, USD.
    pub budget_usd: Option<f64>,
    /// Budget per month, USD.
    pub monthly_budget_usd: Option<f64>,
    /// Days from start to finish.
    pub deadline_days: Option<f64>,
    /// Largest cluster considered, devices.
    pub max_gpus: u64,
    /// Power that is available, kW at the facility.
    pub max_power_kw: Option<f64>,
    /// Engineers who can run the cluster.
    pub team_size: Option<f64>,
    /// Accelerators allowed; empty for all.
    pub accelerators: Vec<String>,
    /// Providers allowed; empty for all.
    pub providers: Vec<String>,
    /// Ways of acquiring allowed; empty for all.
    pub acquisition: Vec<Acquisition>,
    /// Region id for electricity, colocation and carbon.
    pub region: String,
    /// Where an owned cluster stands: colocation or an own facility, never both.
    #[serde(default = "colocation")]
    pub facility: Facility,
    /// Share of hours that hold work, in the first month before seasonality.
    pub utilization: f64,
    /// Growth of demand per month.
    pub demand_growth_per_month: f64,
    /// Amplitude of the yearly swing of demand, 0 to 1: month m has 1 + a·sin(2πm/12) of its trend.
    #[serde(default)]
    pub demand_seasonality: f64,
    /// Months over which buying and renting are compared.
    pub horizon_months: u32,
    /// The caller's own figures.
    #[serde(default, skip_serializing_if = "Overrides::is_empty")]
    pub overrides: Overrides,
    /// Where some of them are from.
    #[serde(default, skip_serializing_if = "Quotes::is_empty")]
    pub quotes: Quotes,
}

fn colocation() -> Facility {
    Facility::Colocation
}

/// Largest cluster considered unless the request says.
pub const DEFAULT_MAX_GPUS: u64 = 2_048;

impl PlanRequest {
    /// Reads and checks a request.
    ///
    /// # Errors
    /// Every field that is wrong, each with a pointer, a code and a remedy.
    pub fn parse(value: &Value, form: Form) -> Result<Self, Problem> {
        let mut problems = Problems::new();
        let Some(fields) = Fields::root(value, form, &mut problems) else { return Err(Problem::invalid(problems)) };
        match Self::read(fields, &mut problems) {
            Some(request) if problems.is_empty() => Ok(request),
            _ => Err(Problem::invalid(problems)),
        }
    }

    fn read(mut fields: Fields<'_>, problems: &mut Problems) -> Option<Self> {
        let catalog = Catalog::get();
        let limits = &PLAN_LIMITS;
        let f = &mut fields;
        let model = required_model(f, problems);
        let context = f.binary_integer(problems, "context_length", limits.context_length.0, limits.context_length.1);
        let tokens = f.integer(problems, "training_tokens", limits.training_tokens.0, limits.training_tokens.1);
        let batch =
            f.integer(problems, "global_batch_tokens", limits.global_batch_tokens.0, limits.global_batch_tokens.1);
        let precision = f.choice(problems, "precision", Precision::ALL, Precision::id).unwrap_or(Precision::Bf16);
        let method = f.choice(problems, "method", Method::ALL, Method::id).unwrap_or(Method::Pretraining);
        let optimizer = f.choice(problems, "optimizer", Optimizer::ALL, Optimizer::id).unwrap_or(Optimizer::Adamw);
        let host_offload =
            f.choice(problems, "host_offload", HostOffload::ALL, HostOffload::id).unwrap_or(HostOffload::None);
        let software = read_software(f, problems);
        let budget_usd = f.number(problems, "budget_usd", 1.0, 1e12);
        let monthly_budget_usd = f.number(problems, "monthly_budget_usd", 1.0, 1e12);
        let deadline_days = f.number(problems, "deadline_days", 0.01, 3_650.0);
        let max_gpus =
            f.integer(problems, "max_gpus", limits.max_gpus.0, limits.max_gpus.1).unwrap_or(DEFAULT_MAX_GPUS);
        let max_power_kw = f.number(problems, "max_power_kw", 0.1, 1e7);
        let team_size = f.number(problems, "team_size", 0.0, 1e5);
        let accelerator_ids: Vec<&str> = catalog.accelerators.iter().map(|a| a.id.as_str()).collect();
        let accelerators = f.id_list(problems, "accelerators", &accelerator_ids);
        let provider_ids: Vec<&str> = catalog.providers.iter().map(|p| p.id.as_str()).collect();
        let providers = f.id_list(problems, "providers", &provider_ids);
        let ways: Vec<&str> = Acquisition::ALL.iter().map(|a| a.id()).collect();
        let acquisition_ids = f.id_list(problems, "acquisition", &ways);
        let acquisition =
            Acquisition::ALL.iter().copied().filter(|a| acquisition_ids.iter().any(|id| id == a.id())).collect();
        let region_ids: Vec<&str> = catalog.regions.iter().map(|r| r.id.as_str()).collect();
        let region = f.known_id(problems, "region", &region_ids).unwrap_or_else(|| "us-average".into());
        let utilization = f.share(problems, "utilization", 0.01, 1.0).unwrap_or(catalog.costs.utilization.value);
        let demand_growth_per_month = f.share(problems, "demand_growth_per_month", -0.5, 1.0).unwrap_or(0.0);
        let demand_seasonality = f.share(problems, "demand_seasonality", 0.0, 1.0).unwrap_or(0.0);
        let facility = f.choice(problems, "facility", Facility::ALL, Facility::id).unwrap_or(Facility::Colocation);
        let horizon_months = f
            .integer(problems, "horizon_months", limits.horizon_months.0, limits.horizon_months.1)
            .unwrap_or(36) as u32;
        let overrides =
            f.object(problems, "overrides").map(|inner| Overrides::read(inner, problems)).unwrap_or_default();
        let form = f.form();
        let quotes = f.value("quotes").map(|given| Quotes::read(given, form, &overrides, problems)).unwrap_or_default();
        fields.finish(problems);

        let model = model?;
        let architecture = model.architecture();
        let context_length = context.unwrap_or(default_context(&model));
        check_positions(&architecture, context_length, problems);
        let shape = ModelShape::of(&architecture);
        let training_tokens = tokens.unwrap_or_else(|| default_tokens(&shape, method));
        let global_batch_tokens = batch.unwrap_or_else(|| default_batch(&shape, method, context_length));
        if global_batch_tokens < context_length {
            let message = format!(
                "`global_batch_tokens` {global_batch_tokens} is less than one sequence of {context_length} tokens; use at least {context_length}"
            );
            problems.push(FieldProblem::new("/global_batch_tokens", "out_of_range", message));
        }
        Some(Self {
            model,
            context_length,
            training_tokens,
            global_batch_tokens,
            precision,
            method,
            optimizer,
            host_offload,
            software,
            budget_usd,
            monthly_budget_usd,
            deadline_days,
            max_gpus,
            max_power_kw,
            team_size,
            accelerators,
            providers,
            acquisition,
            region,
            facility,
            utilization,
            demand_growth_per_month,
            demand_seasonality,
            horizon_months,
            overrides,
            quotes,
        })
    }

    /// Sequences of one optimizer step, at least one.
    pub fn global_batch_sequences(&self) -> u64 {
        (self.global_batch_tokens / self.context_length).max(1)
    }

    /// The same request for a dense model of a size, with as many tokens per parameter; a batch that is the default
    /// of its model becomes that of the size.
    pub(crate) fn with_size(&self, parameters_billion: f64) -> Self {
        let of = |model: &ModelChoice| ModelShape::of(&model.architecture());
        let (own, model) = (of(&self.model), ModelChoice::Size { parameters_billion, active_parameters_billion: None });
        let shape = of(&model);
        let per_parameter = self.training_tokens as f64 / own.active_parameters as f64;
        let (fewest, most) = PLAN_LIMITS.training_tokens;
        let tokens = (per_parameter * shape.active_parameters as f64) as u64;
        let is_default = self.global_batch_tokens == default_batch(&own, self.method, self.context_length);
        Self {
            global_batch_tokens: if is_default {
                default_batch(&shape, self.method, self.context_length)
            } else {
                self.global_batch_tokens
            },
            training_tokens: tokens.clamp(fewest, most),
            model,
            ..self.clone()
        }
    }

    /// A budget, a deadline or power bounds what may be planned.
    pub fn has_limits(&self) -> bool {
        [self.budget_usd, self.monthly_budget_usd, self.deadline_days, self.max_power_kw].iter().any(Option::is_some)
    }

    /// This way of acquiring is allowed.
    pub fn allows(&self, acquisition: Acquisition) -> bool {
        self.acquisition.is_empty() || self.acquisition.contains(&acquisition)
    }
}

fn default_context(model: &ModelChoice) -> u64 {
    let longest = match model {
        ModelChoice::Preset { preset } => Catalog::get().model(preset).map_or(8_192, |m| m.max_context),
        _ => 8_192,
    };
    longest.min(8_192)
}

/// A model with a learned position table can't see further than the table.
fn check_positions(architecture: &crate::workload::Architecture, context: u64, problems: &mut Problems) {
    let rows = u64::from(architecture.learned_positions);
    if rows > 0 && context > rows {
        let message = format!(
            "`context_length` {context} is longer than the {rows} learned positions of this model; use at most {rows}"
        );
        problems.push(FieldProblem::new("/context_length", "out_of_range", message));
    }
}

/// About 20 tokens a parameter for pretraining (Hoffmann et al. 2022, arXiv 2203.15556); 100 million for tuning.
fn default_tokens(shape: &ModelShape, method: Method) -> u64 {
    match method {
        Method::Pretraining => round_to(20.0 * shape.active_parameters as f64, 2).clamp(1e9, 1e14) as u64,
        Method::FullFineTuning | Method::Lora => 100_000_000,
    }
}

/// What published runs use: about 1M tokens up to 3B parameters, 4M up to 100B, 16M above; less for tuning.
fn default_batch(shape: &ModelShape, method: Method, context: u64) -> u64 {
    let tokens: u64 = match (method, shape.parameters) {
        (Method::Lora | Method::FullFineTuning, _) => 1 << 19,
        (Method::Pretraining, 0..3_000_000_000) => 1 << 20,
        (Method::Pretraining, 3_000_000_000..100_000_000_000) => 1 << 22,
        (Method::Pretraining, _) => 1 << 24,
    };
    // whole sequences, and enough of them to share among replicas
    (tokens / context).max(8) * context
}

fn round_to(value: f64, digits: i32) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let scale = 10f64.powi(digits - 1 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}
