//! Errors of rows that the constants never saw, as `calibrate --write` last computed them. Cross-validation takes tens
//! of seconds, so its result is committed, and a test holds it against a new one.

use super::Summary;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Errors of one way to hold groups of rows out.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOutKinds {
    /// Dense models.
    pub dense: Summary,
    /// Mixtures of experts.
    pub experts: Summary,
}

/// Held-out errors.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOut {
    /// All rows of the same accelerator, model, size band and number format are held out together.
    pub fine: HeldOutKinds,
    /// All rows of the same accelerator and model are held out together: the harder test.
    pub coarse: HeldOutKinds,
}

static COMMITTED: LazyLock<HeldOut> =
    LazyLock::new(|| match toml::from_str(include_str!("../../validation/held_out.toml")) {
        Ok(read) => read,
        Err(why) => unreachable!("embedded held-out errors: {why}"),
    });

impl HeldOut {
    /// The committed errors.
    pub fn committed() -> &'static Self {
        &COMMITTED
    }

    /// The text of the committed file.
    pub fn to_toml(&self) -> String {
        let mut text = String::from(
            "# Errors of predictions by constants that never saw the row's group, as shares of the measured throughput.\n\
             # Written by `calibrate --write`; a test fails when a new cross-validation differs.\n",
        );
        let sections = [
            ("fine.dense", self.fine.dense),
            ("fine.experts", self.fine.experts),
            ("coarse.dense", self.coarse.dense),
            ("coarse.experts", self.coarse.experts),
        ];
        for (name, s) in sections {
            text.push_str(&format!(
                "\n[{name}]\nrows = {}\nmedian = {:.4}\np90 = {:.4}\nmean = {:.4}\nbias = {:.4}\n",
                s.rows, s.median, s.p90, s.mean, s.bias
            ));
        }
        text
    }
}
