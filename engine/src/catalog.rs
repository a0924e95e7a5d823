//! Typed view over `engine/catalog/*.toml`, embedded in the binary and parsed once.
//!
//! Each figure carries its source, date and confidence; a test refuses one without.

mod accelerators;
mod calibration;
mod clouds;
mod costs;
mod fabrics;
mod figure;
mod models;
mod network;
mod price_history;
mod racks;
mod regions;
mod sources;
mod storage;
mod tiers;

#[cfg(test)]
mod tests;

pub use accelerators::Accelerator;
pub use calibration::{Band, Basis, Calibration, Constants, GemmEfficiency, Numbers};
pub use clouds::{Offer, OfferTerm, Provider, ProviderClass};
pub use costs::CostDefaults;
pub use fabrics::Fabric;
pub use figure::{Confidence, Figure, Range};
pub use models::ModelPreset;
pub use network::{Medium, Nic, Optic, Switch};
pub use price_history::PriceSeries;
pub use racks::{FeedFigures, FloorFigures, HeatFigures, RackFigures};
pub use regions::Region;
pub use sources::Source;
pub use storage::{StorageBlocks, StorageDrive, StorageNode};
pub use tiers::Tier;

pub(crate) use figure::embedded;
use serde::Deserialize;
use std::sync::LazyLock;

/// Everything the engine knows about the world outside a request.
#[derive(Debug)]
pub struct Catalog {
    /// Version of the figures as a whole: year and month of the newest.
    pub version: String,
    /// Where the figures come from, by short name.
    pub sources: Vec<Source>,
    /// Accelerators, in a stable order.
    pub accelerators: Vec<Accelerator>,
    /// Scale-out fabrics.
    pub fabrics: Vec<Fabric>,
    /// Cloud providers.
    pub providers: Vec<Provider>,
    /// Price points of clouds.
    pub offers: Vec<Offer>,
    /// What offers cost before.
    pub price_history: Vec<PriceSeries>,
    /// Regions: electricity, colocation, carbon.
    pub regions: Vec<Region>,
    /// Model presets.
    pub models: Vec<ModelPreset>,
    /// The three sizes of cluster.
    pub tiers: Vec<Tier>,
    /// Cost inputs with low, typical and high.
    pub costs: CostDefaults,
    /// Switches for the scale-out network.
    pub switches: Vec<Switch>,
    /// Transceivers and cables.
    pub optics: Vec<Optic>,
    /// Network cards.
    pub nics: Vec<Nic>,
    /// Building blocks of the shared storage.
    pub storage: StorageBlocks,
    /// Racks.
    pub racks: RackFigures,
}

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::load);

/// Declares the shape of one file: lists of tables under their singular names.
macro_rules! file {
    ($name:ident { $($table:literal => $field:ident: $kind:ty),+ }) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name { $(#[serde(rename = $table)] $field: Vec<$kind>),+ }
    };
}

file!(Accelerators { "accelerator" => accelerators: Accelerator });
file!(Clouds { "provider" => providers: Provider, "offer" => offers: Offer });
file!(Fabrics { "fabric" => fabrics: Fabric });
file!(Network { "switch" => switches: Switch, "nic" => nics: Nic, "optic" => optics: Optic });
file!(PriceHistory { "series" => price_history: PriceSeries });
file!(Regions { "region" => regions: Region });
file!(Tiers { "tier" => tiers: Tier });

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Models {
    #[serde(default, rename = "model")]
    models: Vec<ModelPreset>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sources {
    version: String,
    #[serde(rename = "source")]
    sources: Vec<Source>,
}

impl Catalog {
    fn load() -> Self {
        let Accelerators { accelerators } = embedded("accelerators.toml", include_str!("../catalog/accelerators.toml"));
        let Clouds { providers, offers } = embedded("clouds.toml", include_str!("../catalog/clouds.toml"));
        let Fabrics { fabrics } = embedded("fabrics.toml", include_str!("../catalog/fabrics.toml"));
        let Models { models } = embedded("models.toml", include_str!("../catalog/models.toml"));
        let Network { switches, nics, optics } = embedded("network.toml", include_str!("../catalog/network.toml"));
        let PriceHistory { price_history } =
            embedded("price_history.toml", include_str!("../catalog/price_history.toml"));
        let Regions { regions } = embedded("regions.toml", include_str!("../catalog/regions.toml"));
        let Sources { version, sources } = embedded("sources.toml", include_str!("../catalog/sources.toml"));
        let Tiers { tiers } = embedded("tiers.toml", include_str!("../catalog/tiers.toml"));
        let storage = embedded("storage.toml", include_str!("../catalog/storage.toml"));
        let racks = embedded("racks.toml", include_str!("../catalog/racks.toml"));
        let costs = embedded("costs.toml", include_str!("../catalog/costs.toml"));
        Self {
            version,
            sources,
            accelerators,
            fabrics,
            providers,
            offers,
            price_history,
            regions,
            models,
            tiers,
            costs,
            switches,
            optics,
            nics,
            storage,
            racks,
        }
    }

    /// The embedded catalog.
    pub fn get() -> &'static Catalog {
        &CATALOG
    }

    /// The accelerator with this id.
    pub fn accelerator(&self, id: &str) -> Option<&Accelerator> {
        self.accelerators.iter().find(|a| a.id == id)
    }

    /// The model preset with this id.
    pub fn model(&self, id: &str) -> Option<&ModelPreset> {
        self.models.iter().find(|m| m.id == id)
    }

    /// The fabric with this id.
    pub fn fabric(&self, id: &str) -> Option<&Fabric> {
        self.fabrics.iter().find(|f| f.id == id)
    }

    /// The region with this id.
    pub fn region(&self, id: &str) -> Option<&Region> {
        self.regions.iter().find(|r| r.id == id)
    }

    /// The provider with this id.
    pub fn provider(&self, id: &str) -> Option<&Provider> {
        self.providers.iter().find(|p| p.id == id)
    }
}
