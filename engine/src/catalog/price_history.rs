//! What an hour of an accelerator cost before.

use super::{Catalog, Figure, Offer, OfferTerm};
use serde::{Deserialize, Serialize};

/// Posted prices of one machine of a provider, paid in one way, at several dates.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceSeries {
    /// Accelerator id.
    pub accelerator: String,
    /// Provider id.
    pub provider: String,
    /// How it is paid.
    pub term: OfferTerm,
    /// Months of commitment, for reserved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub months: Option<u32>,
    /// The machine, as the offer names it that has the newest price.
    pub instance: String,
    /// Prices by date, oldest first, USD per device-hour; the newest may be that of an offer, and is not among them.
    pub usd_per_gpu_hour: Vec<Figure>,
}

impl PriceSeries {
    /// It is the past of this offer.
    fn is_of(&self, offer: &Offer) -> bool {
        self.accelerator == offer.accelerator
            && self.provider == offer.provider
            && self.term == offer.term
            && self.months == offer.months
            && self.instance == offer.instance
    }

    /// All prices by date, oldest first, USD per device-hour: those of the past, then that of the offer, if there still
    /// is one.
    pub fn prices<'a>(&'a self, catalog: &'a Catalog) -> Vec<&'a Figure> {
        let offers = catalog.offers.iter().filter(|offer| self.is_of(offer)).map(|offer| &offer.usd_per_gpu_hour);
        self.usd_per_gpu_hour.iter().chain(offers).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_series_has_two_dates_or_more_in_order_and_is_there_once() {
        let catalog = Catalog::get();
        assert!(!catalog.price_history.is_empty());
        for series in &catalog.price_history {
            let name = format!("{} {} {:?}", series.accelerator, series.provider, series.term);
            assert!(catalog.accelerator(&series.accelerator).is_some(), "{name}");
            assert!(catalog.provider(&series.provider).is_some(), "{name}");
            assert_eq!(series.term == OfferTerm::Reserved, series.months.is_some(), "{name}");
            let prices = series.prices(catalog);
            assert!(prices.len() > 1, "{name}: one date is no history");
            let in_order = prices.windows(2).all(|pair| pair[0].date < pair[1].date);
            assert!(in_order, "{name}: {:?}", prices.iter().map(|price| &price.date).collect::<Vec<_>>());
            assert!(prices.iter().all(|price| price.value > 0.0 && price.date.len() == "2026-09-01".len()), "{name}");
            let same = |other: &&PriceSeries| {
                (&other.accelerator, &other.provider, other.term, other.months, &other.instance)
                    == (&series.accelerator, &series.provider, series.term, series.months, &series.instance)
            };
            assert_eq!(catalog.price_history.iter().filter(same).count(), 1, "{name}");
        }
    }
}
