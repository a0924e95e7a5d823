//! Energy and carbon of a run.

use super::candidates::Sized;
use crate::answer::Footprint;
use crate::economics::inputs::Inputs;
use crate::units::HOURS_PER_YEAR;

/// Devices of the server whose embodied carbon the catalog holds.
const DEVICES_PER_SERVER: f64 = 8.0;

/// Energy = draw at the facility while training × hours. Carbon: that energy on the region's grid, and the servers'
/// own for the share of their working life (life × utilization) that the run takes. `None` where the draw of the
/// accelerator is not known.
pub(super) fn of(inputs: &Inputs, sized: &Sized, days: f64, utilization: f64) -> Option<Footprint> {
    if sized.power_kw <= 0.0 {
        return None;
    }
    let hours = days * 24.0;
    let energy_kwh = sized.power_kw * hours;
    let grid_g_per_kwh = inputs.carbon_g_per_kwh.as_ref().map(|input| input.value());
    let operational_kg = grid_g_per_kwh.map(|grams| energy_kwh * grams / 1_000.0);
    let working_hours = inputs.hardware_life_years.value() * HOURS_PER_YEAR * utilization;
    let life_share = hours / working_hours.max(1.0);
    let servers = f64::from(sized.gpus) / DEVICES_PER_SERVER;
    let embodied_kg = inputs.embodied_kg_per_server.value() * servers * life_share;
    Some(Footprint {
        energy_kwh,
        grid_g_per_kwh,
        operational_kg,
        life_share,
        embodied_kg,
        total_kg: operational_kg.map(|kg| kg + embodied_kg),
    })
}
