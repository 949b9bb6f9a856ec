//! Readers of the output formats, written from the documentation of the tools that read them, and not from the emitters.

#![allow(unreachable_pub, missing_docs, reason = "shared by several tests")]

mod commands;
mod html;
mod json;
mod markdown;
mod sarif;
mod text;
mod xml;

use voxlint_report::OutputFormat;

pub use html::{elements as html_elements, findings as html_findings};
pub use markdown::Page;

/// One finding as another tool reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFinding {
    pub path: String,
    pub line: u64,
    /// `None` if the format has no column.
    pub column: Option<u64>,
    pub severity: String,
    pub rule: String,
    pub message: String,
}

/// The reader of a format. It panics on output that its tool would reject.
pub enum Reader {
    /// A format that marks positions in files.
    Findings(fn(&str) -> Vec<ReadFinding>),
    /// A format for people, of which the number of findings is read.
    Count(fn(&str) -> usize),
}

/// The reader of a format.
pub fn reader(format: OutputFormat) -> Reader {
    match format {
        OutputFormat::Full => Reader::Count(text::full),
        OutputFormat::Concise => Reader::Count(text::concise),
        OutputFormat::Grouped => Reader::Count(text::grouped),
        OutputFormat::Statistics => Reader::Count(text::statistics),
        OutputFormat::Markdown => Reader::Count(|output| page(output).rows.len()),
        OutputFormat::Html => Reader::Count(|output| html::findings(output).len()),
        OutputFormat::Json => Reader::Findings(json::json),
        OutputFormat::Ndjson => Reader::Findings(json::ndjson),
        OutputFormat::Sarif => Reader::Findings(sarif::read),
        OutputFormat::Github => Reader::Findings(commands::github),
        OutputFormat::Gitlab => Reader::Findings(json::gitlab),
        OutputFormat::Junit => Reader::Findings(xml::junit),
        OutputFormat::Checkstyle => Reader::Findings(xml::checkstyle),
        OutputFormat::Azure => Reader::Findings(commands::azure),
        OutputFormat::Rdjson => Reader::Findings(json::rdjson),
        OutputFormat::Rdjsonl => Reader::Findings(json::rdjsonl),
    }
}

/// The formats that mark positions in files.
pub fn formats_with_positions() -> impl Iterator<Item = OutputFormat> {
    let has_positions = |format: &OutputFormat| matches!(reader(*format), Reader::Findings(_));
    OutputFormat::ALL.into_iter().filter(has_positions)
}

/// The findings of a format that marks positions.
pub fn read(format: OutputFormat, output: &str) -> Vec<ReadFinding> {
    match reader(format) {
        Reader::Findings(read) => read(output),
        Reader::Count(_) => panic!("{format} marks no positions"),
    }
}

/// The summary of a job.
pub fn page(output: &str) -> Page {
    markdown::read(output)
}

/// The comment about a plan.
pub fn plan_comment(output: &str) -> markdown::PlanComment {
    markdown::read_comment(output)
}
