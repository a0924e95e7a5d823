//! What a scenario holds as files: what its owner and the holder of a feed get alike.

use super::files::{File, fault};
use super::problem::ApiProblem;
use crate::service::planning::Planning;
use crate::tables::delimited::Dialect;
use crate::tables::{Table, records, scenario, workbook};
use engine::Plan;
use serde_json::{Map, Value};

/// A frozen plan with what it belongs to.
pub struct FrozenPlan {
    /// Name of the scenario.
    pub name: String,
    /// Number of its version.
    pub version: i64,
    /// When the plan was made, ISO 8601 UTC.
    pub frozen_at: String,
    /// The plan.
    pub plan: Plan,
}

impl FrozenPlan {
    fn table(&self, name: &str) -> Option<Table> {
        let of =
            scenario::Frozen { name: &self.name, version: self.version, frozen_at: &self.frozen_at, plan: &self.plan };
        scenario::table(of, name)
    }

    /// One table as text with delimiters.
    pub fn csv(&self, table: &'static str, dialect: Dialect) -> Result<File, ApiProblem> {
        let made = self.table(table).ok_or_else(|| fault("a table that is listed is none"))?;
        File::delimited(&made, dialect, format!("{} {}", self.name, table.replace('_', " ")))
    }

    /// One table as rows, or all of them by name.
    pub fn rows(&self, table: Option<&'static str>) -> File {
        let of = |name| self.table(name).map_or(Value::Null, |table| records::records(&table));
        let all = || scenario::names().into_iter().map(|name| (name.to_owned(), of(name))).collect::<Map<_, _>>();
        let value = table.map_or_else(|| Value::Object(all()), of);
        let name = format!("{} {}", self.name, table.unwrap_or("tables").replace('_', " "));
        File { body: value.to_string().into_bytes(), media_type: "application/json", name, ending: "json".to_owned() }
    }

    /// As a workbook, with the name of the scenario in it.
    pub async fn book(self, planning: &Planning) -> Result<File, ApiProblem> {
        let name = self.name.clone();
        let body = planning.on_a_core(move || workbook::write(&self.plan, Some(&self.name))).await?.map_err(fault)?;
        Ok(File { body, media_type: workbook::MEDIA_TYPE, name, ending: "xlsx".to_owned() })
    }
}
