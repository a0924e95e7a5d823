//! What the engine answers: plain data, units in names, reasons as code and text.

mod build;
mod comparison;
mod estimate;
mod explanation;
mod formula;
mod money;
mod physical;
mod plan;
mod utilization;

pub use build::{Build, NetworkDesign, NetworkLinks, PowerDesign, RackDesign, StorageDesign};
pub use comparison::{BreakEven, CloudVsOnPrem, CostCurve, UsefulHourPoint};
pub use estimate::{Band, Estimate, Layout, MemoryGib, TimeSeconds};
pub use explanation::{Explanation, Influence, Term};
pub use formula::Computed;
pub use money::{
    Footprint, Hybrid, Inverse, LargestModel, MostTokens, NextBlock, OverrideUse, OwnershipCost, Percentiles,
    RunRanges, RunningPart,
};
pub use physical::{
    CableCount, CableDesign, CableLevel, FeedDesign, FloorDesign, HeatDesign, PowerStage, RackRun, WeightDesign,
};
pub use plan::{
    BillLine, Candidate, Cluster, CostOption, Notice, Plan, Reason, Recommended, SensitivityRow, Severity, TierCost,
    TierId, TierPlan, Verdict,
};
pub use utilization::{HealthMetric, SizePoint, StepShares, Utilization, UtilizationMonth};
