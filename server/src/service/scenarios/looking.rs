//! Looking at versions, and comparing: versions of a scenario, a frozen plan with today's, scenarios with one another.

use super::{Asked, Scenarios};
use crate::service::ServiceError;
use crate::service::actor::Actor;
use crate::store::scenarios::Scenario;
use crate::store::teams::Role;
use crate::store::versions::Version;
use app::comparison::{self, Comparison, Side};
use engine::{FieldProblem, Plan};
use std::sync::Arc;

/// Fewest and most scenarios that are compared at once.
const COMPARED: std::ops::RangeInclusive<usize> = 2..=4;

/// A version with its plan.
#[derive(Debug)]
pub struct VersionDetail {
    /// The scenario as it is now.
    pub scenario: Scenario,
    /// The version.
    pub version: Version,
    /// Its plan as it was when saved.
    pub plan: Plan,
    /// What the caller may do with it.
    pub role: Role,
}

/// Two versions, and how they differ.
#[derive(Debug)]
pub struct Difference {
    /// The one that is compared from.
    pub from: VersionDetail,
    /// The one that is compared with it.
    pub to: VersionDetail,
    /// How they differ.
    pub comparison: Comparison,
}

/// A frozen plan, and the same inputs planned now.
#[derive(Debug)]
pub struct Again {
    /// The scenario.
    pub scenario: Scenario,
    /// The plan of its current version.
    pub frozen: Plan,
    /// The plan of today.
    pub today: Arc<Plan>,
    /// How they differ.
    pub comparison: Comparison,
    /// What the caller may do with it.
    pub role: Role,
}

impl Scenarios {
    /// A scenario of the caller's with its versions, newest first.
    ///
    /// # Errors
    /// It is not the caller's, or reading failed.
    pub async fn versions(&self, caller: &Actor, id: &str) -> Result<(Scenario, Vec<Version>), ServiceError> {
        let scenario = self.owned(caller, id, Role::Viewer).await?;
        let versions = self.store.versions(scenario.id).await?;
        Ok((scenario, versions))
    }

    /// A scenario of the caller's without its plan, and what the caller may do with it.
    ///
    /// # Errors
    /// It is not the caller's, or reading failed.
    pub async fn glance(&self, caller: &Actor, id: &str) -> Result<(Scenario, Role), ServiceError> {
        self.found(caller, id, Role::Viewer).await
    }

    /// A version of one of the caller's scenarios.
    ///
    /// # Errors
    /// It is not the caller's, there is no such version, or reading failed.
    pub async fn version(&self, caller: &Actor, id: &str, number: i64) -> Result<VersionDetail, ServiceError> {
        let (scenario, role) = self.found(caller, id, Role::Viewer).await?;
        let version = self.store.version(scenario.id, number).await?.ok_or(ServiceError::NotFound)?;
        let plan = self.plan_of(&scenario, number).await?;
        Ok(VersionDetail { scenario, version, plan, role })
    }

    /// How two versions of one of the caller's scenarios differ.
    ///
    /// # Errors
    /// As [`Self::version`].
    pub async fn difference(&self, caller: &Actor, id: &str, from: i64, to: i64) -> Result<Difference, ServiceError> {
        let from = self.version(caller, id, from).await?;
        let to = self.version(caller, id, to).await?;
        let side = |one: &VersionDetail| format!("Version {}", one.version.number);
        let comparison = comparison::compare(&[Side::new(side(&from), &from.plan), Side::new(side(&to), &to.plan)]);
        Ok(Difference { from, to, comparison })
    }

    /// The frozen plan of one of the caller's scenarios, and the same inputs planned with today's catalog and engine.
    ///
    /// # Errors
    /// It is not the caller's, its inputs can no longer be planned for, or computing or reading failed.
    pub async fn again(&self, caller: &Actor, id: &str) -> Result<Again, ServiceError> {
        let (scenario, role) = self.found(caller, id, Role::Viewer).await?;
        let frozen = self.plan_of(&scenario, scenario.number).await?;
        let today = self.plan_for(caller, Asked::of_query(&scenario.query)?).await?;
        let comparison = comparison::compare(&[Side::new("Frozen", &frozen), Side::new("Today", &today)]);
        Ok(Again { scenario, frozen, today, comparison, role })
    }

    /// Two to four of the caller's scenarios with their plans, in the order asked for.
    ///
    /// # Errors
    /// There are too few or too many, one is not the caller's, or reading failed.
    pub async fn compared(&self, caller: &Actor, ids: &[String]) -> Result<Vec<(Scenario, Plan)>, ServiceError> {
        let mut wanted: Vec<&String> = Vec::new();
        for id in ids.iter().filter(|id| !id.is_empty()) {
            if !wanted.contains(&id) {
                wanted.push(id);
            }
        }
        if !COMPARED.contains(&wanted.len()) {
            let code = if wanted.len() < *COMPARED.start() { "too_few" } else { "too_many" };
            let message = format!("{} chosen; a comparison is of two to four scenarios.", chosen(wanted.len()));
            return Err(ServiceError::Invalid(vec![FieldProblem::new("/ids", code, message)]));
        }
        let mut compared = Vec::with_capacity(wanted.len());
        for id in wanted {
            let scenario = self.owned(caller, id, Role::Viewer).await?;
            let plan = self.plan_of(&scenario, scenario.number).await?;
            compared.push((scenario, plan));
        }
        Ok(compared)
    }

    /// How two to four of the caller's scenarios differ.
    ///
    /// # Errors
    /// As [`Self::compared`].
    pub async fn compare(&self, caller: &Actor, ids: &[String]) -> Result<Comparison, ServiceError> {
        let compared = self.compared(caller, ids).await?;
        let sides: Vec<Side<'_>> = compared.iter().map(|(scenario, plan)| Side::new(&scenario.name, plan)).collect();
        Ok(comparison::compare(&sides))
    }
}

fn chosen(count: usize) -> String {
    match count {
        0 => "No scenario is".into(),
        1 => "Only one scenario is".into(),
        count => format!("{count} scenarios are"),
    }
}
