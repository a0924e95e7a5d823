//! The caller's own figures, with what they replace and whether anything is computed with them.

use super::candidates::Field;
use crate::answer::OverrideUse;
use crate::catalog::{Catalog, Figure};
use crate::request::{Facility, Overrides, PlanRequest};

/// Every override of the request.
pub(super) fn overridden(request: &PlanRequest, field: &Field) -> Vec<OverrideUse> {
    let catalog = Catalog::get();
    let own = &request.overrides;
    let mut all = Vec::new();
    let mut add = |key: String, label: String, unit: &str, value: f64, replaces: Option<f64>, used: bool| {
        all.push(OverrideUse { key, label, unit: unit.into(), value, replaces, used });
    };
    for known in Overrides::SCALARS {
        if let Some(value) = own.scalar(known.name) {
            let replaces = catalog_value(request, known.name);
            add(known.name.into(), known.label.into(), known.unit, value, replaces, is_read(request, known.name));
        }
    }
    let planned = |id: &str| field.sized.iter().any(|s| s.accelerator.id == id);
    for (id, usd) in &own.server_usd {
        let accelerator = catalog.accelerator(id);
        let label = accelerator.map_or_else(|| id.clone(), |a| a.system.clone());
        let replaces = accelerator.and_then(|a| a.system_usd.as_ref()).map(|f| f.value);
        add(format!("server_usd.{id}"), label, "USD", *usd, replaces, planned(id));
    }
    for (provider, prices) in &own.gpu_hour_usd {
        for (id, usd) in prices {
            let offers = || catalog.offers.iter().filter(|o| o.provider == *provider && o.accelerator == *id);
            let replaces = offers().map(|o| o.usd_per_gpu_hour.value).min_by(f64::total_cmp);
            let allowed = request.providers.is_empty() || request.providers.contains(provider);
            let used = replaces.is_some() && allowed && planned(id);
            add(
                format!("gpu_hour_usd.{provider}.{id}"),
                format!("{provider}, {id}"),
                "USD/GPU-hour",
                *usd,
                replaces,
                used,
            );
        }
    }
    for (id, factor) in &own.efficiency {
        add(
            format!("efficiency.{id}"),
            format!("Measured over predicted, {id}"),
            "factor",
            *factor,
            Some(1.0),
            planned(id),
        );
    }
    all
}

/// The region's figure, or else the general one.
fn catalog_value(request: &PlanRequest, name: &str) -> Option<f64> {
    let catalog = Catalog::get();
    let (costs, region) = (&catalog.costs, catalog.region(&request.region));
    let local = match name {
        "electricity_usd_per_kwh" => region.and_then(|r| r.electricity_usd_per_kwh.as_ref()),
        "colocation_usd_per_kw_month" => region.and_then(|r| r.colocation_usd_per_kw_month.as_ref()),
        "carbon_g_per_kwh" => return region.and_then(|r| r.carbon_g_per_kwh.as_ref()).map(|f| f.value),
        _ => None,
    };
    let general: Option<&Figure> = match name {
        "electricity_usd_per_kwh" => Some(&costs.electricity_usd_per_kwh),
        "pue" => Some(&costs.pue),
        "colocation_usd_per_kw_month" => Some(&costs.colocation_usd_per_kw_month),
        "facility_usd_per_mw" => Some(&costs.facility_usd_per_mw),
        "facility_life_years" => Some(&costs.facility_life_years),
        "cost_of_capital" => Some(&costs.cost_of_capital),
        "failures_per_gpu_year" => Some(&costs.failures_per_gpu_year),
        "restart_hours" => Some(&costs.restart_hours),
        "spot_interruptions_per_hour" => Some(&costs.spot_interruptions_per_hour),
        "load_factor" => Some(&costs.load_factor),
        "idle_factor" => Some(&costs.idle_factor),
        "server_overhead" => Some(&costs.server_overhead),
        "support_share_per_year" => Some(&costs.support_share_per_year),
        "insurance_share_per_year" => Some(&costs.insurance_share_per_year),
        "software_usd_per_gpu_year" => Some(&costs.software_usd_per_gpu_year),
        "lead_time_months" => Some(&costs.lead_time_months),
        "staff_usd_per_year" => Some(&costs.staff_usd_per_year),
        "network_share_of_capital" => Some(&costs.network_share_of_capital),
        "installation_share" => Some(&costs.installation_share),
        "spare_share" => Some(&costs.spare_share),
        "hardware_life_years" => Some(&costs.hardware_life_years),
        "tax_share" => Some(&costs.tax_share),
        "storage_usd_per_tb" => Some(&costs.storage_usd_per_tb),
        "egress_usd_per_gb" => Some(&costs.egress_usd_per_gb),
        "object_storage_usd_per_gb_month" => Some(&costs.object_storage_usd_per_gb_month),
        "cloud_extras_share" => Some(&costs.cloud_extras_share),
        "price_trend_per_year" => Some(&costs.price_trend_per_year),
        "embodied_kg_per_server" => Some(&costs.embodied_kg_per_server),
        _ => None,
    };
    local.or(general).map(|f| f.value)
}

/// Colocation and an own facility exclude each other.
fn is_read(request: &PlanRequest, name: &str) -> bool {
    match name {
        "colocation_usd_per_kw_month" => request.facility == Facility::Colocation,
        "facility_usd_per_mw" | "facility_life_years" => request.facility == Facility::Own,
        _ => true,
    }
}
