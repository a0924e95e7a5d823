//! Power of a cluster.

use crate::catalog::Accelerator;

/// Server draw over board power where only the board is known: 10.2 kW for 8 × 700 W (H100), 14.3 for 8 × 1,000 W
/// (B200).
const SERVER_OVER_BOARD: f64 = 1.8;

/// Maximum draw of one system, kW; `None` where neither system nor board power is known.
pub(crate) fn system_kw(accelerator: &Accelerator) -> Option<f64> {
    let board = |w: &crate::catalog::Figure| w.value / 1_000.0 * SERVER_OVER_BOARD * f64::from(accelerator.system_gpus);
    let system = accelerator.system_max_kw.as_ref().map(|kw| kw.value);
    system.or_else(|| accelerator.board_watts.as_ref().map(board))
}

/// Maximum draw of the servers of a number of devices, kW; `None` where neither system nor board power is known.
pub(crate) fn nameplate_kw(accelerator: &Accelerator, gpus: f64) -> Option<f64> {
    system_kw(accelerator).map(|kw| kw / f64::from(accelerator.system_gpus) * gpus)
}
