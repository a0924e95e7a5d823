//! Where the racks of a cluster stand.
//!
//! Racks stand in rows of equal length, rows in blocks beside each other so that the hall is about square. Racks of
//! switches stand in the middle of their rows, evenly over all rows; servers fill the other places in their order, and
//! storage the last ones.

mod lengths;

use super::racks::RackBuild;
use crate::catalog::{Catalog, FloorFigures};
pub(crate) use lengths::{Lengths, RACK_METERS};

/// The racks on the floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    pub server_racks: u64,
    pub network_racks: u64,
    pub rows: u64,
    /// Rows behind each other in one block.
    pub rows_per_block: u64,
    /// Places of a row, and the rows that have one more.
    each_row: u64,
    longer_rows: u64,
    figures: &'static FloorFigures,
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
        let all = racks.count();
        let rows = all.div_ceil((figures.racks_per_row.value as u64).max(1));
        let mut floor = Self {
            server_racks: racks.server_racks,
            network_racks: racks.network_racks,
            rows,
            rows_per_block: rows,
            each_row: all / rows,
            longer_rows: all % rows,
            figures,
        };
        let blocks = (rows as f64 * floor.pitch() / floor.block_meters()).sqrt().floor().max(1.0) as u64;
        floor.rows_per_block = rows.div_ceil(blocks);
        floor
    }

    /// Blocks of rows beside each other.
    pub(crate) fn blocks(&self) -> u64 {
        self.rows.div_ceil(self.rows_per_block.max(1))
    }

    /// Racks in the longest row.
    pub(crate) fn racks_per_row(&self) -> u64 {
        self.each_row + u64::from(self.longer_rows > 0)
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

    /// Racks of switches in the rows before one: evenly, from the middle of the hall outwards.
    fn network_before(&self, row: u64) -> u64 {
        (2 * row * self.network_racks + self.rows) / (2 * self.rows)
    }

    /// The row that a rack of switches stands in.
    fn row_of_network(&self, rack: u64) -> u64 {
        (self.rows * (2 * rack + 1)).div_ceil(2 * self.network_racks.max(1)) - 1
    }

    pub(crate) fn row(&self, row: u64) -> Row {
        self.row_with(row, self.network_before(row), self.network_before(row + 1))
    }

    /// A row by the racks of switches before it and with it.
    fn row_with(&self, row: u64, network_before: u64, network_with: u64) -> Row {
        let places = self.each_row + u64::from(row < self.longer_rows);
        let network = network_with - network_before;
        let others_before = row * self.each_row + row.min(self.longer_rows) - network_before;
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

    /// Position of a row: along it where it begins, and across, m. Every second block is counted from its end, so that
    /// rows that follow each other stand beside each other.
    fn origin(&self, row: u64) -> (f64, f64) {
        let (block, in_block) = (row / self.rows_per_block, row % self.rows_per_block);
        let across = if block.is_multiple_of(2) { in_block } else { self.rows_per_block - 1 - in_block };
        (block as f64 * self.block_meters(), across as f64 * self.pitch())
    }

    /// Between the places of two rows along and across, m, without the ends of the cable.
    fn between(&self, (a, p): (u64, u64), (b, q): (u64, u64)) -> f64 {
        let ((ax, ay), (bx, by)) = if a == b { ((0.0, 0.0), (0.0, 0.0)) } else { (self.origin(a), self.origin(b)) };
        let width = self.figures.rack_width_meters.value;
        ((ax - bx) + (p as f64 - q as f64) * width).abs() + (ay - by).abs()
    }

    /// Where a rack of switches stands: its row and place.
    fn network_place(&self, rack: u64) -> (u64, u64) {
        let row = self.row_of_network(rack);
        (row, self.row(row).middle + rack - self.network_before(row))
    }

    /// Shares the racks of servers out over those of switches, in their order: calls `visit` with neighbors of one row
    /// that the same rack of switches serves: their row, the first of them, their first place and the one behind the
    /// last, and the row and place of the switches.
    fn each_served(&self, mut visit: impl FnMut(u64, u64, (u64, u64), (u64, u64))) {
        let until = |switches: u64| (switches + 1) * self.server_racks / self.network_racks.max(1);
        let (mut switches, mut end, mut stands) = (0, until(0), self.network_place(0));
        let mut before = 0;
        for index in 0..self.rows {
            let with = self.network_before(index + 1);
            let row = self.row_with(index, before, with);
            before = with;
            let mut rack = row.servers_before;
            for (mut from, to) in row.sides() {
                while from < to {
                    while end <= rack && switches + 1 < self.network_racks {
                        switches += 1;
                        end = until(switches);
                        stands = self.network_place(switches);
                    }
                    let places = (to - from).min((end - rack).max(1));
                    visit(index, rack, (from, from + places), stands);
                    from += places;
                    rack += places;
                }
            }
        }
    }
}
