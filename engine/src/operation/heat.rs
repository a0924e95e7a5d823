//! What carries the heat of a cluster away: air through its racks, water from cold plates or doors.

use super::racks::{Cooling, RackBuild, is_rack};
use crate::answer::{HeatDesign, PowerDesign};
use crate::catalog::{Accelerator, Catalog};
use crate::units::grouped;

/// Cubic feet per minute in a cubic meter per hour.
const CFM_PER_M3_PER_HOUR: f64 = 0.588_578;

/// Flow of air that carries so much heat at the catalog's rise, m³/h: heat / (density · heat capacity · rise).
fn air_m3_per_hour(kw: f64) -> f64 {
    let heat = &Catalog::get().racks.heat;
    kw * 3_600.0 / (heat.air_kg_per_m3.value * heat.air_kj_per_kg_kelvin.value * heat.air_rise_kelvin.value)
}

/// Flow of water that carries so much heat at the catalog's rise, l/min.
fn water_liters_per_minute(kw: f64) -> f64 {
    let heat = &Catalog::get().racks.heat;
    kw * 60.0 / (heat.water_kg_per_liter.value * heat.water_kj_per_kg_kelvin.value * heat.water_rise_kelvin.value)
}

/// Heat of a cluster at full load, and the flows that carry it.
pub(crate) fn heat(accelerator: &Accelerator, racks: &RackBuild, power: &PowerDesign, load_factor: f64) -> HeatDesign {
    let figures = &Catalog::get().racks.heat;
    let share = accelerator.system_liquid_share.as_ref().filter(|_| is_rack(accelerator));
    // the heat of servers that leaves by water, and what of all heat is air's first
    let (air_kw, water_kw) = match (power.servers_kw, power.it_kw, racks.cooling) {
        (Some(_), Some(it), Cooling::Air) => (Some(it), Some(0.0)),
        (Some(servers), Some(it), Cooling::RearDoor) => (Some(it), Some(servers)),
        (Some(servers), Some(it), Cooling::DirectLiquid) => {
            let water = share.map(|s| servers * s.value);
            (water.map(|kw| it - kw), water)
        }
        _ => (None, None),
    };
    let air = air_kw.map(air_m3_per_hour);
    HeatDesign {
        heat_kw: power.it_kw,
        air_kw,
        air_m3_per_hour: air,
        air_cfm: air.map(|m3| m3 * CFM_PER_M3_PER_HOUR),
        water_kw: water_kw.filter(|kw| *kw > 0.0),
        water_liters_per_minute: water_kw.filter(|kw| *kw > 0.0).map(water_liters_per_minute),
        make_up_m3_per_day: power
            .it_kw
            .map(|it| it * load_factor * 24.0 * figures.water_liters_per_kwh.value / 1_000.0),
        why: why(racks, power, share.map(|s| s.value)),
    }
}

fn why(racks: &RackBuild, power: &PowerDesign, share: Option<f64>) -> String {
    let figures = &Catalog::get().racks.heat;
    if power.it_kw.is_none() {
        return "The power of the system is not known, and so its heat".into();
    }
    let air = format!(
        "air rises by {} K and carries {} kJ/(m³ K)",
        figures.air_rise_kelvin.value,
        (figures.air_kg_per_m3.value * figures.air_kj_per_kg_kelvin.value * 1_000.0).round() / 1_000.0
    );
    let water = format!(
        "water rises by {} K and carries {} kJ/(l K)",
        figures.water_rise_kelvin.value,
        (figures.water_kg_per_liter.value * figures.water_kj_per_kg_kelvin.value * 100.0).round() / 100.0
    );
    let path = match (racks.cooling, share) {
        (Cooling::Air, _) => format!("all of it leaves the racks as warm air; {air}"),
        (Cooling::RearDoor, _) => {
            format!("air carries all of it through the racks, and water takes that of the servers at their doors; {air}, {water}")
        }
        (Cooling::DirectLiquid, Some(share)) => {
            format!("cold plates give {:.0}% of the heat of the systems to water, air carries the rest; {air}, {water}", share * 100.0)
        }
        (Cooling::DirectLiquid, None) => {
            "the racks are too dense for air; what share the cold plates of this system take is not known, and so neither flow is".into()
        }
    };
    let facility = power.facility_kw.map_or_else(String::new, |kw| {
        format!("; the site rejects the {} kW of the facility in all", grouped(kw.round()))
    });
    format!(
        "Heat is IT power at full load: {path}{facility}. Water of the site: {} l for each kWh of IT at the load of training, the average of data centers; dry coolers use almost none",
        figures.water_liters_per_kwh.value
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_those_of_the_data_sheets() {
        // DGX H100: 10.2 kW in 1,105 cubic feet a minute; DGX B200: 14.3 kW in 1,550
        for (kw, cfm) in [(10.2, 1_105.0), (14.3, 1_550.0)] {
            let flow = air_m3_per_hour(kw) * CFM_PER_M3_PER_HOUR;
            assert!((flow / cfm - 1.0).abs() < 0.03, "{kw} kW: {flow}");
        }
        // 1.5 liters a minute for each kW, the rule of the Open Compute Project
        assert!((water_liters_per_minute(100.0) / 150.0 - 1.0).abs() < 0.05);
    }
}
