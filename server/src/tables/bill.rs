//! The bill of materials.

use super::Kind::{Date, Money, Number, Rate, Text};
use super::{Table, field, high, low, table, typical};
use engine::Plan;
use engine::answer::BillLine;

pub(super) fn bill(plan: &Plan) -> Table {
    table(
        "bill_of_materials",
        plan.bill_of_materials.iter(),
        &[
            field("item", "Item", Text, |line: &&BillLine| (&line.item).into()),
            field("quantity", "Quantity", Number, |line| line.quantity.into()),
            field("unit", "Unit", Text, |line| (&line.unit).into()),
            field("unit_usd_low", "Unit price, low, USD", Rate, |line| low(line.unit_usd)),
            field("unit_usd", "Unit price, USD", Rate, |line| typical(line.unit_usd)),
            field("unit_usd_high", "Unit price, high, USD", Rate, |line| high(line.unit_usd)),
            field("total_usd", "Total, USD", Money, |line| line.total_usd.into()),
            field("included_in", "Price is part of", Text, |line| line.included_in.as_ref().into()),
            field("source", "Source of the price", Text, |line| (&line.source).into()),
            field("as_of", "Date of the price", Date, |line| (&line.as_of).into()),
            field("why", "Why so many", Text, |line| (&line.why).into()),
        ],
    )
}
