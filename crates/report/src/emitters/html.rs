//! One page for people, to be kept and sent: self-contained HTML without scripts.

use std::collections::BTreeMap;
use std::io;

use askama::Template;
use voxlint::{Severity, counted};

use crate::emitter::{Emitter, Output};
use crate::html::{
    HtmlFinding, MAX_LISTED, Prose, Tile, failed_files, plain, prose, skipped_files,
};
use crate::located::{LocatedDocument, LocatedFinding};
use crate::options::RenderOptions;
use crate::run::{RunInfo, RunOutcome};
use crate::summary::summary_line;

/// Keeps the findings to the end, because the summary is above them.
#[derive(Default)]
pub(crate) struct HtmlEmitter {
    documents: Vec<HtmlDocument>,
    /// The findings that are listed.
    listed: usize,
    /// The findings and documents that are not.
    unlisted: (u64, u64),
}

/// A document with findings or undecided rules.
pub(crate) struct HtmlDocument {
    name: String,
    errors: u32,
    warnings: u32,
    infos: u32,
    findings: Vec<HtmlFinding>,
    undecided: Vec<(String, Vec<Prose>)>,
    undecided_count: String,
}

#[derive(Template)]
#[template(path = "check.html")]
struct CheckPage<'a> {
    version: &'static str,
    summary: String,
    tiles: Vec<Tile>,
    documents: &'a [HtmlDocument],
    more: Vec<String>,
    failed: Vec<(String, String)>,
    skipped: Vec<(String, String)>,
    skipped_count: String,
}

impl HtmlDocument {
    fn new(run: &RunInfo<'_>, document: &LocatedDocument) -> Self {
        let path = plain(&document.path);
        let name = match document.position {
            Some(position) => format!("{path}:{}", position.line),
            None => path,
        };
        let count = |severity| {
            let of = document.diagnostics.iter().filter(|finding| finding.severity == severity);
            of.map(|finding| finding.count).sum()
        };
        Self {
            name,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            findings: findings(run.documentation, document),
            undecided: document
                .undecided
                .iter()
                .map(|entry| (plain(&entry.rule.id), prose(&entry.why)))
                .collect(),
            undecided_count: counted(document.undecided.len() as u64, "undecided check"),
        }
    }
}

/// The findings of a document, and at the end those that are not shown one by one.
pub(crate) fn findings(
    documentation: Option<&str>,
    document: &LocatedDocument,
) -> Vec<HtmlFinding> {
    let mut shown = Vec::new();
    let mut more: BTreeMap<&str, (u32, &LocatedFinding)> = BTreeMap::new();
    for finding in &document.diagnostics {
        if finding.snippet.is_some() {
            shown.push(HtmlFinding::new(documentation, document, finding));
        } else {
            more.entry(&finding.rule.id).or_insert((0, finding)).0 += finding.count;
        }
    }
    shown.extend(more.into_values().map(|(count, finding)| HtmlFinding {
        message: prose(&format!("{count} more like these")),
        place: plain(&document.path),
        notes: Vec::new(),
        ..HtmlFinding::new(documentation, document, finding)
    }));
    shown
}

impl Emitter for HtmlEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let document = HtmlDocument::new(out.run, &document);
        let found = document.findings.len();
        if found == 0 && document.undecided.is_empty() {
            return Ok(());
        }
        if self.listed + found > MAX_LISTED && self.listed > 0 || self.documents.len() >= MAX_LISTED
        {
            let count = document.errors + document.warnings + document.infos;
            self.unlisted.0 += u64::from(count);
            self.unlisted.1 += u64::from(count > 0);
            return Ok(());
        }
        self.listed += found;
        self.documents.push(document);
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let summary = outcome.summary;
        let (findings, documents) = self.unlisted;
        let more = (findings > 0).then(|| {
            let (findings, documents) =
                (counted(findings, "more finding"), counted(documents, "document"));
            format!("{findings} in {documents} not listed here")
        });
        let tile = |label, number: u32, class| Tile { label, number: number as usize, class };
        let page = CheckPage {
            version: env!("CARGO_PKG_VERSION"),
            summary: summary_line(&summary, None, &RenderOptions::default()),
            tiles: vec![
                tile("errors", summary.errors, "bad"),
                tile("warnings", summary.warnings, "warn"),
                tile("infos", summary.infos, "note"),
                tile("documents checked", summary.documents, ""),
            ],
            documents: &self.documents,
            more: more.into_iter().collect(),
            failed: failed_files(outcome.failed),
            skipped: skipped_files(outcome.skipped),
            skipped_count: counted(outcome.skipped.len() as u64, "skipped file"),
        };
        write_page(out.stream, &page)
    }
}

/// Writes a page at once, because templates write many short texts.
pub(crate) fn write_page(out: &mut dyn io::Write, page: &impl Template) -> io::Result<()> {
    let page = page.render().map_err(io::Error::other)?;
    out.write_all(page.as_bytes())
}
