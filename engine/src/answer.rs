//! What the engine answers: plain data, units in names, reasons as code and text.

mod build;
mod estimate;
mod explanation;
mod plan;

pub use build::{Build, NetworkDesign, NetworkLinks, PowerDesign, RackDesign, StorageDesign};
pub use estimate::{Band, Estimate, Layout, MemoryGib, TimeSeconds};
pub use explanation::{Explanation, Term};
pub use plan::{
    BillLine, BreakEven, Candidate, CloudVsOnPrem, Cluster, CostCurve, CostOption, HealthMetric, Notice, Plan, Reason,
    Recommended, SensitivityRow, Severity, SizePoint, StepShares, TierCost, TierId, TierPlan, UsefulHourPoint,
    Utilization, UtilizationMonth, Verdict,
};
