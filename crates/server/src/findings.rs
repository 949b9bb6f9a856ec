//! The findings of a check, by the files in which a client shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Range,
};
use voxlint::syntax::Span;
use voxlint::{Origin, Report};
use voxlint_config::FileReport;
use voxlint_project::paths::{folder_of, relative_or_absolute};
use voxlint_project::{Failure, FaultyFile, LintedDocument, Notice};
use voxlint_report::page_url;

use crate::analysis::{Analysis, TextPlace, key_of, place_of};
use crate::client::Client;
use crate::settings::Settings;
use crate::sync::{OpenText, OpenTexts};
use crate::to_protocol;

/// Findings in one file, each once: a text may be shared by documents, and documents of one file share its syntax errors. There
/// may be thousands, so they are not compared with each other.
#[derive(Default)]
pub(crate) struct Distinct {
    all: Vec<Diagnostic>,
    known: BTreeSet<(RangeKey, Option<String>, String)>,
}

/// A range as it is sorted: the line and character of its start, then of its end.
type RangeKey = (u32, u32, u32, u32);

fn range_key(Range { start, end }: Range) -> RangeKey {
    (start.line, start.character, end.line, end.character)
}

impl Distinct {
    /// Adds a finding that is not known: two findings of one rule at one place say the same if the first lines of their messages do.
    pub(crate) fn add(&mut self, found: Diagnostic) {
        let rule = found.code.as_ref().map(|code| match code {
            NumberOrString::String(rule) => rule.clone(),
            NumberOrString::Number(number) => number.to_string(),
        });
        // Below it are help and notes, and what they say depends on what the text is used for.
        let headline = found.message.lines().next().unwrap_or_default().to_owned();
        if self.known.insert((range_key(found.range), rule, headline)) {
            self.all.push(found);
        }
    }

    /// The findings by place.
    pub(crate) fn sorted(mut self) -> Vec<Diagnostic> {
        self.all.sort_by_key(|found| range_key(found.range));
        self.all
    }
}

/// The first line with content, for what concerns the text as a whole: editors underline nothing of an empty range.
fn first_line(open: &OpenText) -> Range {
    let text = open.text.text();
    let start = text.len() - text.trim_start().len();
    let length = text.trim_start().lines().next().map_or(0, str::len);
    to_protocol::range(&TextPlace::of_open(open), Span::new(start as u32, (start + length) as u32))
}

/// A path from the folder of an open text.
fn path_from(open: &OpenText, key: &str) -> String {
    relative_or_absolute(folder_of(&open.key), key)
}

/// Collects what clients show, by the absolute paths of the files.
pub(crate) struct Findings<'a> {
    pub(crate) texts: &'a OpenTexts,
    pub(crate) client: &'a Client,
    pub(crate) settings: &'a Settings,
    pub(crate) documentation: Option<&'a str>,
    pub(crate) shown: BTreeMap<String, Distinct>,
}

impl Findings<'_> {
    fn add(&mut self, key: &str, found: Diagnostic) {
        match self.shown.get_mut(key) {
            Some(known) => known.add(found),
            None => self.shown.entry(key.to_owned()).or_default().add(found),
        }
    }

    /// The findings of a document, and its undecided checks if they are wanted.
    pub(crate) fn add_document(&mut self, linted: &LintedDocument) {
        let mut places: BTreeMap<Origin, Option<TextPlace>> = BTreeMap::new();
        let (texts, encoding) = (self.texts, self.client.encoding);
        let mut place = |origin: Origin| -> Option<TextPlace> {
            places
                .entry(origin)
                .or_insert_with(|| place_of(linted, origin, texts, encoding))
                .clone()
        };
        for found in &linted.report.diagnostics {
            let Some(at) = place(found.origin) else { continue };
            let mut related = Vec::new();
            for other in &found.related {
                if let Some(at) = place(other.origin) {
                    let message = other.message.clone();
                    let location = to_protocol::location(&at, other.span);
                    related.push(DiagnosticRelatedInformation { location, message });
                }
            }
            let page = page_url(self.documentation, &found.rule);
            let range = to_protocol::range(&at, found.span);
            let shown =
                to_protocol::diagnostic(found, range, related, page.as_deref(), self.client);
            self.add(&at.key, shown);
        }
        if self.settings.undecided
            && let Some(at) = place(Origin::Document)
        {
            let range = to_protocol::range(&at, Span::at(linted.document.start()));
            for undecided in &linted.report.undecided {
                let page = page_url(self.documentation, &undecided.rule);
                let shown = to_protocol::undecided(undecided, range, page.as_deref(), self.client);
                self.add(&at.key, shown);
            }
        }
    }

    /// The findings in a file that is not a document, such as a configuration.
    fn add_report(&mut self, key: &str, text: &str, report: &Report) {
        let Some(at) = TextPlace::of_file(key.to_owned(), text, self.texts, self.client.encoding)
        else {
            return;
        };
        for found in &report.diagnostics {
            let related = found.related.iter().filter(|other| other.origin == found.origin);
            let related = related.map(|other| DiagnosticRelatedInformation {
                location: to_protocol::location(&at, other.span),
                message: other.message.clone(),
            });
            let range = to_protocol::range(&at, found.span);
            let page = page_url(self.documentation, &found.rule);
            let shown = to_protocol::diagnostic(
                found,
                range,
                related.collect(),
                page.as_deref(),
                self.client,
            );
            self.add(key, shown);
        }
    }

    /// What is wrong with the suppressions of a configuration.
    pub(crate) fn add_configuration(&mut self, file: &FileReport) {
        self.add_report(&file.path, &file.text, &file.report);
    }

    /// Something that keeps the open text from being checked, or a file that belongs to it.
    pub(crate) fn add_failure(&mut self, failure: &Failure, open: &OpenText, is_document: bool) {
        let key = key_of(&failure.path);
        if let Some(faults) = &failure.faults {
            let FaultyFile { path, text, report, .. } = &**faults;
            self.add_report(&key_of(path), text, report);
        }
        if key == open.key {
            if failure.faults.is_none() {
                self.add(&key, to_protocol::failure(failure.message.clone(), first_line(open)));
            }
        } else if is_document {
            let message = format!("{}: {}", path_from(open, &key), failure.message);
            let mut shown = to_protocol::failure(message, first_line(open));
            if self.client.shows_related {
                shown.related_information = self.first_fault(failure).map(|it| vec![it]);
            }
            self.add(&open.key, shown);
        }
    }

    /// The place of the first fault that keeps a file from being used.
    fn first_fault(&self, failure: &Failure) -> Option<DiagnosticRelatedInformation> {
        let FaultyFile { path, text, report, .. } = &**failure.faults.as_ref()?;
        let fault = report.diagnostics.first()?;
        let at = TextPlace::of_file(key_of(path), text, self.texts, self.client.encoding)?;
        let location = to_protocol::location(&at, fault.span);
        Some(DiagnosticRelatedInformation { location, message: fault.message.clone() })
    }

    /// A remark on the open text: a file that it would have been checked with is not used.
    pub(crate) fn add_notice(&mut self, notice: &Notice, open: &OpenText) {
        let (Notice::TextFileOfSeveral { document, .. } | Notice::StoredOfSeveral { document, .. }) =
            notice
        else {
            return;
        };
        if key_of(document) == open.key {
            let text = notice.to_string();
            let message = text.strip_prefix(&format!("{document}: ")).unwrap_or(&text);
            let mut shown = to_protocol::failure(message.to_owned(), first_line(open));
            shown.severity = Some(DiagnosticSeverity::INFORMATION);
            self.add(&open.key, shown);
        }
    }

    /// Something that keeps a file of a folder from being checked.
    pub(crate) fn add_failure_of_folder(&mut self, failure: &Failure) {
        let key = key_of(&failure.path);
        match &failure.faults {
            Some(faults) => self.add_report(&key_of(&faults.path), &faults.text, &faults.report),
            None => self.add(&key, to_protocol::failure(failure.message.clone(), Range::default())),
        }
    }

    /// Sorts the findings of each file by place.
    pub(crate) fn finish(self) -> BTreeMap<String, Vec<Diagnostic>> {
        self.shown.into_iter().map(|(key, found)| (key, found.sorted())).collect()
    }
}

/// What is found in a file, by the check of its text if that is enough, or else by all that find something there.
pub(crate) fn found_in(analyses: &BTreeMap<String, Arc<Analysis>>, key: &str) -> Vec<Diagnostic> {
    if let Some(own) = analyses.get(key).filter(|own| own.is_complete) {
        return own.shown.get(key).cloned().unwrap_or_default();
    }
    let mut all = Distinct::default();
    for analysis in analyses.values() {
        for found in analysis.shown.get(key).into_iter().flatten() {
            all.add(found.clone());
        }
    }
    all.sorted()
}
