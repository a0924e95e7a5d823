//! Regions: electricity price, colocation price, carbon of the grid.

use super::Figure;
use serde::{Deserialize, Serialize};

/// A region where a cluster can stand.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Stable identifier, such as `us-texas`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Industrial electricity price, USD/kWh; absent where no price in USD is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub electricity_usd_per_kwh: Option<Figure>,
    /// Industrial electricity price, EUR/kWh, where the source prints euros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub electricity_eur_per_kwh: Option<Figure>,
    /// Colocation, USD per contracted kW and month, power apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colocation_usd_per_kw_month: Option<Figure>,
    /// Carbon of the grid, g CO2e/kWh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carbon_g_per_kwh: Option<Figure>,
}
