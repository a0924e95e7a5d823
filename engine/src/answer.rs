//! What the engine answers: plain data, units in names, reasons as code and text.

mod estimate;
mod explanation;
mod money;
mod plan;

pub use estimate::{Band, Estimate, Layout, MemoryGib, TimeSeconds};
pub use explanation::{Explanation, Term};
pub use money::{
    Footprint, Hybrid, Inverse, LargestModel, MostTokens, NextBlock, OverrideUse, OwnershipCost, Percentiles,
    RunRanges, RunningPart,
};
pub use plan::{
    BillLine, BreakEven, Candidate, CloudVsOnPrem, Cluster, CostCurve, CostOption, HealthMetric, Notice, Plan, Reason,
    Recommended, SensitivityRow, Severity, SizePoint, StepShares, TierCost, TierId, TierPlan, UsefulHourPoint,
    Utilization, UtilizationMonth, Verdict,
};
