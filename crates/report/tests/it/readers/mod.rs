//! Readers of the formats for other tools, written from what these tools document, and not from how voxlint writes.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "shared by several tests")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests fail by panicking"
)]

mod commands;
mod json;
mod markdown;
mod sarif;
mod xml;

use voxlint_report::OutputFormat;

pub use markdown::Page;

/// One finding as another tool sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    pub path: String,
    pub line: u64,
    /// `None` where the format tells none.
    pub column: Option<u64>,
    pub severity: String,
    pub rule: String,
    pub message: String,
}

/// The formats that mark places of files, with a reader each.
pub const MARKING: [OutputFormat; 10] = [
    OutputFormat::Json,
    OutputFormat::Ndjson,
    OutputFormat::Sarif,
    OutputFormat::Github,
    OutputFormat::Gitlab,
    OutputFormat::Junit,
    OutputFormat::Checkstyle,
    OutputFormat::Azure,
    OutputFormat::Rdjson,
    OutputFormat::Rdjsonl,
];

/// Everything that another tool finds in the output. Whatever that tool would refuse is a panic.
pub fn read(format: OutputFormat, output: &str) -> Vec<Read> {
    match format {
        OutputFormat::Json => json::json(output),
        OutputFormat::Ndjson => json::ndjson(output),
        OutputFormat::Sarif => sarif::read(output),
        OutputFormat::Github => commands::github(output),
        OutputFormat::Gitlab => json::gitlab(output),
        OutputFormat::Junit => xml::junit(output),
        OutputFormat::Checkstyle => xml::checkstyle(output),
        OutputFormat::Azure => commands::azure(output),
        OutputFormat::Rdjson => json::rdjson(output),
        OutputFormat::Rdjsonl => json::rdjsonl(output),
        other => panic!("{other:?} marks no places"),
    }
}

/// The page of a job.
pub fn page(output: &str) -> Page {
    markdown::read(output)
}
