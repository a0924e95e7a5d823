//! A plan for tests: that of the worked example.

use crate::inputs::Inputs;
use engine::Plan;

/// The plan of the worked example.
pub(crate) fn plan() -> Plan {
    engine::plan(&Inputs::example().request().expect("the example is valid"))
}
