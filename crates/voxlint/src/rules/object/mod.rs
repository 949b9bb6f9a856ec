//! Rules that need one object and the table of its members.

mod missing_field;
mod response_only_field;
mod unknown_field;

use crate::Rule;
use crate::value::ObjectValue;
use voxlint_schema::{Row, agent};

pub(crate) static RULES: &[&Rule] =
    &[&missing_field::RULE, &unknown_field::RULE, &response_only_field::RULE];

/// The row of 2.1 or 2.2 that an update cannot write; `None` for a name that an update may have or that none has.
fn response_only(object: &ObjectValue<'_>, name: &str) -> Option<&'static Row> {
    if !object.is_root || !object.kind.has_settings() || object.table.row(name).is_some() {
        return None;
    }
    agent::TABLE.row(name).or_else(|| agent::version_summary::TABLE.row(name))
}
