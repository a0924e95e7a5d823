//! Where the racks of a cluster stand, and how long a cable between two of them is.
//!
//! Racks stand in rows of equal length, rows in blocks beside each other so that the hall is about square. Racks of
//! switches stand in the middle of their rows, evenly over all rows; servers fill the other places in their order, and
//! storage the last ones. A cable goes up to a tray, along rows and across them, and down again.

use super::racks::RackBuild;
use crate::catalog::{Catalog, FloorFigures};

/// Meters of a cable that stays in its rack (judgement; what a passive copper cable of 400 Gb/s reaches).
pub(crate) const RACK_METERS: f64 = 3.0;

/// The racks on the floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    pub server_racks: u64,
    pub network_racks: u64,
    pub storage_racks: u64,
    pub rows: u64,
    /// Rows behind each other in one block.
    pub rows_per_block: u64,
    figures: &'static FloorFigures,
}

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

/// The places of one row, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub places: u64,
    /// First place of the racks of switches.
    pub middle: u64,
    /// Racks of switches.
    pub network: u64,
    /// Racks of servers, left ones first.
    pub servers: u64,
    /// Racks of servers in the rows before.
    pub servers_before: u64,
    /// Racks of storage alone in the rows before.
    pub storage_before: u64,
}

impl Row {
    /// Places of servers left of the switches, and right of them.
    pub(crate) fn sides(&self) -> [(u64, u64); 2] {
        let left = self.servers.min(self.middle);
        let right = self.middle + self.network;
        [(0, left), (right, right + self.servers - left)]
    }
}

impl Floor {
    pub(crate) fn of(racks: &RackBuild) -> Self {
        let figures = &Catalog::get().racks.floor;
        let all = racks.count().max(1);
        let rows = all.div_ceil((figures.racks_per_row.value as u64).max(1));
        let mut floor = Self {
            server_racks: racks.server_racks,
            network_racks: racks.network_racks,
            storage_racks: racks.service_racks - racks.network_racks,
            rows,
            rows_per_block: rows,
            figures,
        };
        let blocks = (rows as f64 * floor.pitch() / floor.block_meters()).sqrt().floor().max(1.0) as u64;
        floor.rows_per_block = rows.div_ceil(blocks);
        floor
    }

    fn racks(&self) -> u64 {
        self.server_racks + self.network_racks + self.storage_racks
    }

    /// Blocks of rows beside each other.
    pub(crate) fn blocks(&self) -> u64 {
        self.rows.div_ceil(self.rows_per_block.max(1))
    }

    /// Racks in the longest row.
    pub(crate) fn racks_per_row(&self) -> u64 {
        self.racks().div_ceil(self.rows)
    }

    /// Length of the longest row, m.
    pub(crate) fn row_meters(&self) -> f64 {
        self.racks_per_row() as f64 * self.figures.rack_width_meters.value
    }

    /// From one block of rows to the next, m.
    fn block_meters(&self) -> f64 {
        self.row_meters() + self.figures.cold_aisle_meters.value
    }

    /// From one row to the next on average, m: a rack, and half of a cold and a hot aisle.
    fn pitch(&self) -> f64 {
        let f = self.figures;
        f.rack_depth_meters.value + (f.cold_aisle_meters.value + f.hot_aisle_meters.value) / 2.0
    }

    /// Rows with the aisles on both sides, and the aisles between blocks, m².
    pub(crate) fn area(&self) -> f64 {
        let f = self.figures;
        let deep = self.rows_per_block;
        let aisles =
            deep.div_ceil(2) as f64 * f.cold_aisle_meters.value + (deep / 2 + 1) as f64 * f.hot_aisle_meters.value;
        let depth = deep as f64 * f.rack_depth_meters.value + aisles;
        (self.blocks() as f64 * self.block_meters() - f.cold_aisle_meters.value) * depth
    }

    /// Places in the rows before one.
    fn places_before(&self, row: u64) -> u64 {
        let (each, more) = (self.racks() / self.rows, self.racks() % self.rows);
        row * each + row.min(more)
    }

    /// Racks of switches in the rows before one: evenly, from the middle of the hall outwards.
    fn network_before(&self, row: u64) -> u64 {
        (2 * row * self.network_racks + self.rows) / (2 * self.rows)
    }

    /// The row that a rack of switches stands in.
    fn row_of_network(&self, rack: u64) -> u64 {
        (self.rows * (2 * rack + 1)).div_ceil(2 * self.network_racks.max(1)) - 1
    }

    pub(crate) fn row(&self, row: u64) -> Row {
        let places = self.places_before(row + 1) - self.places_before(row);
        let network = self.network_before(row + 1) - self.network_before(row);
        let others_before = self.places_before(row) - self.network_before(row);
        let servers_before = others_before.min(self.server_racks);
        let others = places.saturating_sub(network);
        Row {
            places,
            middle: others / 2,
            network,
            servers: others.min(self.server_racks - servers_before),
            servers_before,
            storage_before: others_before - servers_before,
        }
    }

    /// Position of a row: along it where it begins, and across, m.
    fn origin(&self, row: u64) -> (f64, f64) {
        ((row / self.rows_per_block) as f64 * self.block_meters(), (row % self.rows_per_block) as f64 * self.pitch())
    }

    /// Between the places of two rows along and across, m, without the ends of the cable.
    fn between(&self, (a, p): (u64, u64), (b, q): (u64, u64)) -> f64 {
        let ((ax, ay), (bx, by)) = (self.origin(a), self.origin(b));
        let width = self.figures.rack_width_meters.value;
        ((ax - bx) + (p as f64 - q as f64) * width).abs() + (ay - by).abs()
    }

    /// Both ends of a cable between two racks, m.
    fn ends(&self) -> f64 {
        2.0 * self.figures.cable_drop_meters.value + self.figures.cable_slack_meters.value
    }

    /// The row whose switches serve a row: its own, or the nearest that has some.
    fn serving(&self, row: u64) -> u64 {
        let next = self.network_before(row);
        let after = (next < self.network_racks).then(|| self.row_of_network(next));
        let before = next.checked_sub(1).map(|rack| self.row_of_network(rack));
        match (before, after) {
            (_, Some(own)) if own == row => row,
            (Some(before), Some(after)) => {
                let far = |to| self.between((row, 0), (to, 0));
                if far(before) <= far(after) { before } else { after }
            }
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => row,
        }
    }

    /// Calls `visit` with each place of a rack of servers, its number, and the length of a cable to one of the racks of
    /// switches that serve it, which share its cables evenly: rack of servers, share, m.
    fn each_device_run(&self, mut visit: impl FnMut(u64, f64, f64)) {
        for index in 0..self.rows {
            let (row, serving) = (self.row(index), self.serving(index));
            let switches = self.row(serving);
            let share = 1.0 / switches.network.max(1) as f64;
            let mut rack = row.servers_before;
            for place in row.sides().into_iter().flat_map(|(from, to)| from..to) {
                for switch in switches.middle..switches.middle + switches.network {
                    visit(rack, share, self.between((index, place), (serving, switch)) + self.ends());
                }
                rack += 1;
            }
        }
    }

    /// Cables from servers to the racks of switches that serve them: calls `visit` with their share and length, m.
    /// `last_share` is how full the last rack of servers is.
    pub(crate) fn each_device(&self, last_share: f64, mut visit: impl FnMut(f64, f64)) {
        let whole = (self.server_racks - 1) as f64 + last_share;
        self.each_device_run(|rack, share, meters| {
            let full = if rack + 1 == self.server_racks { last_share } else { 1.0 };
            visit(full * share / whole, meters);
        });
    }

    /// Lengths of the cables from servers to switches, in the time that the rows take.
    pub(crate) fn device(&self, last_share: f64) -> Lengths {
        let mut sum = Sum::default();
        let width = self.figures.rack_width_meters.value;
        for index in 0..self.rows {
            let (row, serving) = (self.row(index), self.serving(index));
            if row.servers == 0 {
                continue;
            }
            let switches = self.row(serving);
            if self.origin(index).0 != self.origin(serving).0 {
                // the row is served across the aisle between two blocks
                for place in row.sides().into_iter().flat_map(|(from, to)| from..to) {
                    for switch in switches.middle..switches.middle + switches.network {
                        let share = 1.0 / switches.network as f64;
                        sum.add(share, self.between((index, place), (serving, switch)));
                    }
                }
                continue;
            }
            let across = self.between((index, 0), (serving, 0));
            let mut places = 0;
            for (from, to) in row.sides().into_iter().filter(|(from, to)| from < to) {
                for switch in switches.middle..switches.middle + switches.network {
                    places += steps(switch, to) - steps(switch, from);
                    sum.longest(across + switch.abs_diff(from).max(switch.abs_diff(to - 1)) as f64 * width);
                }
            }
            let along = places as f64 * width / switches.network.max(1) as f64;
            sum.add_all(row.servers as f64, along + row.servers as f64 * across);
        }
        self.last_rack(last_share, &mut sum);
        sum.lengths(self.ends())
    }

    /// Takes from a sum what the last rack of servers, which is not full, has less.
    fn last_rack(&self, last_share: f64, sum: &mut Sum) {
        if last_share >= 1.0 {
            return;
        }
        let others = self.server_racks - 1;
        let Some(index) = (0..self.rows).rev().find(|index| {
            let row = self.row(*index);
            row.servers > 0 && row.servers_before <= others
        }) else {
            return;
        };
        let (row, serving) = (self.row(index), self.serving(index));
        let switches = self.row(serving);
        let place = row.sides().into_iter().rfind(|(from, to)| from < to).map_or(0, |(_, to)| to - 1);
        for switch in switches.middle..switches.middle + switches.network {
            let share = (last_share - 1.0) / switches.network as f64;
            sum.add(share, self.between((index, place), (serving, switch)));
        }
    }

    /// Where the racks of switches stand, m.
    fn network_positions(&self) -> Vec<(f64, f64)> {
        let width = self.figures.rack_width_meters.value;
        let mut all = Vec::with_capacity(self.network_racks as usize);
        for rack in 0..self.network_racks {
            let index = self.row_of_network(rack);
            let place = self.row(index).middle + rack - self.network_before(index);
            let (x, y) = self.origin(index);
            all.push((x + place as f64 * width, y));
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
    use super::*;
    use crate::operation::racks::Cooling;
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
            let walked = |each: &dyn Fn(&mut dyn FnMut(f64, f64))| {
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
