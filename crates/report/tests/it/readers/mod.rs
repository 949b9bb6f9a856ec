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

use voxlint_report::Format;

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
pub const MARKING: [Format; 10] = [
    Format::Json,
    Format::Ndjson,
    Format::Sarif,
    Format::Github,
    Format::Gitlab,
    Format::Junit,
    Format::Checkstyle,
    Format::Azure,
    Format::Rdjson,
    Format::Rdjsonl,
];

/// Everything that another tool finds in the output. Whatever that tool would refuse is a panic.
pub fn read(format: Format, output: &str) -> Vec<Read> {
    match format {
        Format::Json => json::json(output),
        Format::Ndjson => json::ndjson(output),
        Format::Sarif => sarif::read(output),
        Format::Github => commands::github(output),
        Format::Gitlab => json::gitlab(output),
        Format::Junit => xml::junit(output),
        Format::Checkstyle => xml::checkstyle(output),
        Format::Azure => commands::azure(output),
        Format::Rdjson => json::rdjson(output),
        Format::Rdjsonl => json::rdjsonl(output),
        other => panic!("{other:?} marks no places"),
    }
}

/// The page of a job.
pub fn page(output: &str) -> Page {
    markdown::read(output)
}
