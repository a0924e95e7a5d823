//! The path of power from the utility to the racks: two paths, each of which carries everything.

use super::racks::RackBuild;
use crate::answer::{FeedDesign, PowerDesign, PowerStage};
use crate::catalog::{Accelerator, Catalog};
use crate::units::grouped;

/// Paths from the utility to the rack (judgement: the class that two feeds of a rack are for, 2N).
pub(crate) const PATHS: u64 = 2;
/// Share of a unit of UPS below which a load is fed by the supply of its building (judgement).
const LEAST_PLANT: f64 = 0.1;

/// Sizes the path of power of a cluster. Every rating is the load over the power factor; a breaker carries its share of
/// that all the time; current is P / (√3 · U · power factor).
pub(crate) fn feeds(
    accelerator: &Accelerator,
    racks: &RackBuild,
    racks_per_row: u64,
    power: &PowerDesign,
) -> FeedDesign {
    let all = &Catalog::get().racks;
    let figures = &all.feeds;
    let feeds = (all.pdus_per_rack.value as u64).max(1);
    let kva = |kw: f64| kw / figures.power_factor.value;
    let rack_kw = racks.kw_each;
    let rack_amps = rack_kw.map(|kw| kva(kw) * 1_000.0 / (3.0_f64.sqrt() * figures.volts.value));
    let supplies = whole(accelerator.power_supplies.as_ref());
    let needed = whole(accelerator.power_supplies_needed.as_ref());
    let mut stages = Vec::new();
    if let (Some(it), Some(facility)) = (power.it_kw, power.facility_kw)
        && kva(it) >= figures.ups_kva.value * LEAST_PLANT
    {
        let path = |id: &str, load: f64, unit: f64| {
            let needed = (load / unit - 1e-9).ceil().max(1.0);
            stage(id, PATHS * needed as u64, needed as u64, load, load.min(unit))
        };
        stages.push(path("utility", kva(facility), f64::INFINITY));
        let generator = path("generator", kva(facility), kva(figures.generator_kw.value));
        stages.push(PowerStage { units: generator.needed + 1, ..generator });
        stages.push(path("transformer", kva(facility), figures.transformer_kva.value));
        stages.push(path("ups", kva(it), figures.ups_kva.value));
        if let Some(kw) = rack_kw {
            let rows = racks.count().div_ceil(racks_per_row.max(1));
            // full racks of servers, or an even share of everything where the row holds other racks too
            let share = racks_per_row.min(racks.count()) as f64 / racks.count().max(1) as f64;
            let load = kva(kw * racks_per_row.min(racks.server_racks) as f64).max(kva(it) * share).min(kva(it));
            stages.push(stage("busway", PATHS * rows, rows, load, load));
        }
    }
    if let Some(kw) = rack_kw {
        stages.push(stage("rack_feed", feeds * racks.count(), racks.count(), kva(kw), kva(kw)));
    }
    let to_hold = supplies.zip(needed).and_then(|(all, needed)| feeds_to_hold(all, needed));
    FeedDesign {
        feeds,
        volts: figures.volts.value,
        rack_kw,
        rack_amps,
        rack_breaker_amps: rack_amps.map(|amps| amps / figures.breaker_share.value),
        supplies,
        supplies_needed: needed,
        feeds_to_hold: to_hold,
        why: why(feeds, rack_kw.is_some(), stages.len() > 1, supplies.zip(needed), to_hold),
        stages,
    }
}

fn whole(figure: Option<&crate::catalog::Figure>) -> Option<u64> {
    figure.map(|f| f.value as u64)
}

fn stage(id: &str, units: u64, needed: u64, load_kva: f64, unit_kva: f64) -> PowerStage {
    PowerStage { id: id.into(), units, needed, load_kva, unit_kva }
}

/// Supplies that stay when one of a number of feeds is lost: the feed with the most is.
fn left(supplies: u64, feeds: u64) -> u64 {
    supplies - supplies.div_ceil(feeds)
}

/// The least number of feeds over which the supplies of a system are spread evenly, so that what stays when one is lost
/// carries full load; `None` where not even a feed for each supply does.
fn feeds_to_hold(supplies: u64, needed: u64) -> Option<u64> {
    (2..=supplies).find(|feeds| left(supplies, *feeds) >= needed)
}

fn why(feeds: u64, known: bool, plant: bool, supplies: Option<(u64, u64)>, to_hold: Option<u64>) -> String {
    let f = &Catalog::get().racks.feeds;
    if !known {
        return "The power of the system is not known, and so no feed can be sized".into();
    }
    let mut text = format!(
        "{PATHS} paths (2N, an assumption: the {feeds} power distribution units of a rack imply it), each of which carries everything when the other is lost; amperes = kW ÷ (√3 × {} V × power factor {}), a breaker carries {:.0}% of its rating all the time",
        f.volts.value,
        f.power_factor.value,
        f.breaker_share.value * 100.0
    );
    if let Some((all, needed)) = supplies {
        let stay = left(all, feeds);
        let held = if stay >= needed { "it holds full load" } else { "it does not hold full load" };
        text += &format!(
            ". A system has {all} power supplies and needs {needed}: when one of {feeds} feeds is lost {stay} stay, and {held}"
        );
        if stay < needed
            && let Some(enough) = to_hold
        {
            text += &format!("; with {enough} feeds it does");
        }
    } else {
        text += ". How many power supplies the system needs is not known: check that half of them hold full load";
    }
    if plant {
        text += &format!(
            ". Units of at most {} kVA (transformer), {} kVA (UPS) and {} kW (generators, one more than needed); cooling is fed beside the UPS",
            grouped(f.transformer_kva.value),
            grouped(f.ups_kva.value),
            grouped(f.generator_kw.value)
        );
    } else {
        text += ". A load of this size is fed by the supply of its building: no plant is sized";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_feed_takes_its_share_of_the_supplies() {
        // DGX H100 needs 4 of 6: three feeds (NVIDIA's guide asks for three), DGX B200 5 of 6, DGX A100 3 of 6
        assert_eq!([feeds_to_hold(6, 4), feeds_to_hold(6, 5), feeds_to_hold(6, 3)], [Some(3), Some(6), Some(2)]);
        assert_eq!([feeds_to_hold(6, 6), feeds_to_hold(1, 1)], [None, None]);
        assert_eq!([left(6, 2), left(6, 3), left(5, 2)], [3, 4, 2]);
    }
}
