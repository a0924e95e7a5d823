//! How long the cables between the racks on a floor are: up to a tray, along rows and across them, and down again.

use super::Floor;

/// Meters of a cable that stays in its rack (judgement; what a passive copper cable of 400 Gb/s reaches).
pub(crate) const RACK_METERS: f64 = 3.0;

/// What the cables of one kind measure, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lengths {
    pub mean: f64,
    pub longest: f64,
}

impl Lengths {
    /// Cables that stay in their rack.
    pub(crate) const RACK: Self = Self { mean: RACK_METERS, longest: RACK_METERS };
}

impl Floor {
    /// Both ends of a cable between two racks, m.
    fn ends(&self) -> f64 {
        2.0 * self.figures.cable_drop_meters.value + self.figures.cable_slack_meters.value
    }

    /// Cables from servers to the racks of switches that serve them: calls `visit` with their share and length, m.
    /// `last_share` is how full the last rack of servers is.
    pub(crate) fn each_device(&self, last_share: f64, mut visit: impl FnMut(f64, f64)) {
        let whole = (self.server_racks - 1) as f64 + last_share;
        self.each_served(|row, first, (from, to), switches| {
            for (rack, place) in (first..).zip(from..to) {
                let full = if rack + 1 == self.server_racks { last_share } else { 1.0 };
                visit(full / whole, self.between((row, place), switches) + self.ends());
            }
        });
    }

    /// Lengths of the cables from servers to switches, of [`Self::each_device`], in the time that the rows take.
    pub(crate) fn device(&self, last_share: f64) -> Lengths {
        let mut sum = Sum::default();
        let width = self.figures.rack_width_meters.value;
        let mut last = 0.0;
        self.each_served(|row, _, (from, to), (serving, switch)| {
            if row / self.rows_per_block != serving / self.rows_per_block {
                // across the aisle between two blocks
                for place in from..to {
                    last = self.between((row, place), (serving, switch));
                    sum.add(1.0, last);
                }
                return;
            }
            let across = self.between((row, 0), (serving, 0));
            let along = (steps(switch, to) - steps(switch, from)) as f64 * width;
            let racks = (to - from) as f64;
            sum.add_all(racks, along + racks * across);
            sum.longest(across + switch.abs_diff(from).max(switch.abs_diff(to - 1)) as f64 * width);
            last = across + switch.abs_diff(to - 1) as f64 * width;
        });
        // the last rack of servers may not be full
        sum.add(last_share - 1.0, last);
        sum.lengths(self.ends())
    }

    /// Where the racks of switches stand, m.
    fn network_positions(&self) -> Vec<(f64, f64)> {
        let width = self.figures.rack_width_meters.value;
        let mut all = Vec::with_capacity(self.network_racks as usize);
        let mut before = 0;
        for index in 0..self.rows {
            let with = self.network_before(index + 1);
            if with > before {
                let (middle, (x, y)) = (self.row_with(index, before, with).middle, self.origin(index));
                all.extend((0..with - before).map(|rack| (x + (middle + rack) as f64 * width, y)));
            }
            before = with;
        }
        all
    }

    /// Cables between the switches of groups of so many racks of switches each, any two of a group alike: calls `visit`
    /// with their share and length, m.
    pub(crate) fn each_pair(&self, racks_of_group: u64, mut visit: impl FnMut(f64, f64)) {
        let racks = self.network_positions();
        let groups = racks.chunks(racks_of_group.max(1) as usize);
        for group in groups {
            let share = 1.0 / (racks.len() * group.len()) as f64;
            for (i, a) in group.iter().enumerate() {
                for (j, b) in group.iter().enumerate() {
                    let meters = (a.0 - b.0).abs() + (a.1 - b.1).abs() + self.ends();
                    visit(share, if i == j { RACK_METERS } else { meters });
                }
            }
        }
    }

    /// Lengths of the cables between switches, of [`Self::each_pair`].
    pub(crate) fn pairs(&self, racks_of_group: u64) -> Lengths {
        if racks_of_group.min(self.network_racks) <= 1 {
            return Lengths::RACK;
        }
        let all = self.network_racks as f64;
        let racks = self.network_positions();
        let mut mean = 0.0;
        let mut longest = RACK_METERS;
        for group in racks.chunks(racks_of_group.max(1) as usize) {
            let n = group.len() as f64;
            let apart = spread(group.iter().map(|p| p.0).collect()) + spread(group.iter().map(|p| p.1).collect());
            mean += (apart / n + (n - 1.0) * self.ends() + RACK_METERS) / all;
            if group.len() > 1 {
                let extent = |of: fn(&(f64, f64)) -> f64| {
                    let (low, high) = group
                        .iter()
                        .map(of)
                        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
                    high - low
                };
                longest = longest.max(extent(|p| p.0 + p.1).max(extent(|p| p.0 - p.1)) + self.ends());
            }
        }
        Lengths { mean, longest }
    }
}

/// Steps from a place to all places before `to`: the sum of their distances.
fn steps(place: u64, to: u64) -> u64 {
    if to <= place {
        return to * place - to * to.saturating_sub(1) / 2;
    }
    place * (place + 1) / 2 + (to - place - 1) * (to - place) / 2
}

/// Sum of the distances of all ordered pairs of numbers.
fn spread(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    2.0 * values.iter().enumerate().map(|(i, v)| v * (2.0 * i as f64 - n + 1.0)).sum::<f64>()
}

/// Lengths without the ends of the cables, weighed.
#[derive(Default)]
struct Sum {
    weight: f64,
    meters: f64,
    longest: f64,
}

impl Sum {
    fn add(&mut self, weight: f64, meters: f64) {
        self.add_all(weight, weight * meters);
        self.longest(meters);
    }

    fn add_all(&mut self, weight: f64, meters: f64) {
        self.weight += weight;
        self.meters += meters;
    }

    fn longest(&mut self, meters: f64) {
        self.longest = self.longest.max(meters);
    }

    fn lengths(&self, ends: f64) -> Lengths {
        Lengths { mean: self.meters / self.weight.max(1e-9) + ends, longest: self.longest + ends }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Row;
    use super::*;
    use crate::operation::network::cabling::Walk;
    use crate::operation::racks::{Cooling, RackBuild};
    use proptest::prelude::*;

    fn floor(server_racks: u64, network_racks: u64, storage_racks: u64) -> Floor {
        Floor::of(&RackBuild {
            server_racks,
            network_racks,
            service_racks: network_racks + storage_racks,
            near_in_rack: false,
            nodes_beside: 0,
            per_rack: 4,
            kw_each: None,
            cooling: Cooling::Air,
            over_limit: false,
        })
    }

    #[test]
    fn a_thousand_devices_by_hand() {
        // 34 racks in rows of 12, 11 and 11; switches in the middle of the first and the last
        let floor = floor(32, 2, 0);
        let rows: Vec<(u64, u64, u64)> =
            (0..3).map(|i| floor.row(i)).map(|r| (r.places, r.servers, r.network)).collect();
        assert_eq!(rows, [(12, 11, 1), (11, 11, 0), (11, 10, 1)]);
        // steps of 0.8 m: 15 + 21, 15 + 15 across one row of 2.25 m, 15 + 15; 2 + 2 + 1 m of ends
        let by_hand = (96.0 * 0.8 + 11.0 * 2.25) / 32.0 + 5.0;
        let device = floor.device(1.0);
        assert!((device.mean - by_hand).abs() < 1e-9, "{device:?} {by_hand}");
        // sixth place to the end of the next row
        assert!((device.longest - (5.0_f64 * 0.8 + 2.25 + 5.0).max(6.0 * 0.8 + 5.0)).abs() < 1e-9, "{device:?}");
        // half in the rack, half two rows on
        let near = floor.pairs(2);
        assert!((near.mean - (3.0 + 2.0 * 2.25 + 5.0) / 2.0).abs() < 1e-9 && near.longest == 9.5, "{near:?}");
        // 9.6 m of racks; three rows, two cold and two hot aisles
        assert!((floor.area() - 9.6 * (3.0 * 1.2 + 2.0 * 1.2 + 2.0 * 0.9)).abs() < 1e-9, "{}", floor.area());
    }

    #[test]
    fn a_large_hall_is_about_square() {
        let floor = floor(4_096, 270, 60);
        let (along, across) =
            (floor.blocks() as f64 * floor.block_meters(), floor.rows_per_block as f64 * floor.pitch());
        assert!((0.6..1.7).contains(&(along / across)), "{along} × {across} m");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn every_rack_has_a_place_and_means_are_those_of_the_places(
            server_racks in 1_u64..1_500,
            network in 0.0..0.5_f64,
            storage_racks in 0_u64..40,
            last in 0.25..=1.0_f64,
            racks_of_group in 1_u64..6,
        ) {
            let network_racks = ((server_racks as f64 * network) as u64).max(1);
            let floor = floor(server_racks, network_racks, storage_racks);
            let rows: Vec<Row> = (0..floor.rows).map(|i| floor.row(i)).collect();
            prop_assert!(rows.iter().all(|r| r.network + r.servers <= r.places && r.places <= 16), "{:?}", rows);
            prop_assert_eq!(rows.iter().map(|r| r.network).sum::<u64>(), network_racks);
            prop_assert_eq!(rows.iter().map(|r| r.servers).sum::<u64>(), server_racks);
            prop_assert_eq!(rows.iter().map(|r| r.places).sum::<u64>(), server_racks + network_racks + storage_racks);
            for rack in 0..network_racks {
                let row = floor.row_of_network(rack);
                prop_assert!((floor.network_before(row)..floor.network_before(row + 1)).contains(&rack));
            }
            let walked = |each: &Walk<'_>| {
                let (mut shares, mut mean, mut longest) = (0.0, 0.0, 0.0_f64);
                each(&mut |share, meters| {
                    shares += share;
                    mean += share * meters;
                    longest = longest.max(meters);
                });
                (shares, Lengths { mean, longest })
            };
            for (closed, (shares, walked)) in [
                (floor.device(last), walked(&|visit| floor.each_device(last, visit))),
                (floor.pairs(racks_of_group), walked(&|visit| floor.each_pair(racks_of_group, visit))),
                (floor.pairs(network_racks), walked(&|visit| floor.each_pair(network_racks, visit))),
            ] {
                prop_assert!((shares - 1.0).abs() < 1e-9);
                prop_assert!((closed.mean - walked.mean).abs() < 1e-6, "{:?} {:?}", closed, walked);
                prop_assert!((closed.longest - walked.longest).abs() < 1e-6, "{:?} {:?}", closed, walked);
                prop_assert!(closed.mean > RACK_METERS - 1e-9 && closed.mean < closed.longest + 1e-9);
            }
        }
    }
}
