//! How the reports name voxlint.

use serde::Serialize;

/// The version of the JSON formats. It changes only when a field is renamed or removed.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// This program, as the JSON formats name it.
pub(crate) const TOOL: Tool = Tool { name: "voxlint", version: env!("CARGO_PKG_VERSION") };

/// The program that wrote a report.
#[derive(Serialize)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// The JSON Schema of what the commands write as JSON, with a definition for each output. Plans have [their
/// own](crate::plan_schema).
///
/// ```
/// assert!(voxlint_report::report_schema().contains("\"ndjson-line\""));
/// ```
pub const fn report_schema() -> &'static str {
    include_str!("report.schema.json")
}
