//! The findings of a check, by the files in which a client shows them.

use std::collections::BTreeMap;

use lsp_types::{Diagnostic, DiagnosticRelatedInformation, Range};
use voxlint::syntax::Span;
use voxlint::{Origin, Report};
use voxlint_config::FileReport;
use voxlint_project::{Failure, FaultyFile, LintedDocument};
use voxlint_report::page_url;

use crate::analysis::{Place, key_of, place_of};
use crate::client::Client;
use crate::settings::Settings;
use crate::sync::{OpenText, OpenTexts};
use crate::to_protocol;

/// Collects what clients show, by the absolute paths of the files.
pub(crate) struct Findings<'a> {
    pub(crate) texts: &'a OpenTexts,
    pub(crate) client: &'a Client,
    pub(crate) settings: &'a Settings,
    pub(crate) documentation: Option<&'a str>,
    pub(crate) shown: BTreeMap<String, Vec<Diagnostic>>,
}

impl Findings<'_> {
    /// Adds what is found in a file that may be found there more than once: documents may share a text.
    fn add(&mut self, key: &str, found: Diagnostic) {
        if !self.shown.get(key).is_some_and(|all| all.contains(&found)) {
            self.add_new(key, found);
        }
    }

    /// Adds what is found in a document. A file may have thousands of documents, so it is not compared with the others.
    fn add_new(&mut self, key: &str, found: Diagnostic) {
        match self.shown.get_mut(key) {
            Some(all) => all.push(found),
            None => self.shown.entry(key.to_owned()).or_default().push(found),
        }
    }

    /// The findings of a document, and its undecided checks if they are wanted.
    pub(crate) fn add_document(&mut self, linted: &LintedDocument) {
        let mut places: BTreeMap<Origin, Option<Place>> = BTreeMap::new();
        let (texts, encoding) = (self.texts, self.client.encoding);
        let mut place = |origin: Origin| -> Option<Place> {
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
            if found.origin == Origin::Document {
                self.add_new(&at.key, shown);
            } else {
                self.add(&at.key, shown);
            }
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
        let Some(at) = Place::of_file(key.to_owned(), text, self.texts, self.client.encoding)
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
            let FaultyFile { path, text, report } = &**faults;
            self.add_report(&key_of(path), text, report);
        }
        if key == open.key {
            if failure.faults.is_none() {
                self.add(&key, to_protocol::failure(failure.message.clone()));
            }
        } else if is_document {
            self.add(&open.key, to_protocol::failure(failure.to_string()));
        }
    }

    /// Something that keeps a file of a folder from being checked.
    pub(crate) fn add_failure_of_folder(&mut self, failure: &Failure) {
        let key = key_of(&failure.path);
        match &failure.faults {
            Some(faults) => self.add_report(&key_of(&faults.path), &faults.text, &faults.report),
            None => self.add(&key, to_protocol::failure(failure.message.clone())),
        }
    }

    /// Sorts the findings of each file by place.
    pub(crate) fn finish(mut self) -> BTreeMap<String, Vec<Diagnostic>> {
        let order = |range: &Range| {
            let Range { start, end } = range;
            (start.line, start.character, end.line, end.character)
        };
        for found in self.shown.values_mut() {
            found.sort_by_key(|found| order(&found.range));
        }
        self.shown
    }
}
