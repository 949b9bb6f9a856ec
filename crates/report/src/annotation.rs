//! What the formats that mark lines of files say of a finding: one file, one place, one sentence.
//!
//! A finding is never lost. One in a file beside the document marks that file, and says which document it is about; where
//! that file's text is not known, it marks the beginning of the document, and says where it would stand.

use std::borrow::Cow;

use voxlint::{Origin, RuleRef, Severity};

use crate::escape::escape_terminal;
use crate::full::elsewhere;
use crate::located::{Change, Document, Finding, Open, Other};
use crate::places::Place;

/// One finding, or one rule that could not be decided, as it marks a line.
pub(crate) struct Annotation<'a> {
    /// Undecided rules are infos.
    pub(crate) severity: Severity,
    /// `error`, `warning`, `info` or `undecided`.
    pub(crate) word: &'static str,
    pub(crate) rule: &'a RuleRef,
    /// The file as it is shown.
    pub(crate) path: &'a str,
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) message: Cow<'a, str>,
    pub(crate) help: Option<&'a str>,
    pub(crate) field: &'a str,
    pub(crate) related: &'a [Other],
    pub(crate) fixes: &'a [Change],
}

impl<'a> Annotation<'a> {
    pub(crate) fn of(document: &'a Document, finding: &'a Finding) -> Self {
        let places = finding.span.places();
        let (path, (from, to), message) = match (&finding.path, places, elsewhere(finding.origin)) {
            (Some(path), Some(places), None) => {
                (path, places, Cow::Borrowed(finding.message.as_str()))
            }
            (Some(path), Some(places), Some(_)) => {
                let about = format!("{} (found for {})", finding.message, document.path);
                (path, places, Cow::Owned(about))
            }
            (_, _, input) => {
                let input = input.unwrap_or("the document");
                let whole = format!("{} (in {input}, at {})", finding.message, finding.field);
                (&document.path, beginning(document), Cow::Owned(whole))
            }
        };
        Self {
            severity: finding.severity,
            word: finding.severity.name(),
            rule: &finding.rule,
            path,
            from,
            to,
            message,
            help: finding.help.as_deref(),
            field: &finding.field,
            related: &finding.related,
            fixes: &finding.fixes,
        }
    }

    pub(crate) fn of_open(document: &'a Document, open: &'a Open) -> Self {
        let (from, to) = beginning(document);
        Self {
            severity: Severity::Info,
            word: "undecided",
            rule: &open.rule,
            path: &document.path,
            from,
            to,
            message: Cow::Borrowed(&open.why),
            help: None,
            field: "",
            related: &[],
            fixes: &[],
        }
    }

    /// Everything that marks a line for one document: its findings, and what is undecided where that is asked for.
    pub(crate) fn all(document: &'a Document) -> impl Iterator<Item = Self> {
        let found = document.diagnostics.iter().map(|finding| Self::of(document, finding));
        let open = document.undecided.iter().filter(|_| document.lists_undecided);
        found.chain(open.map(|open| Self::of_open(document, open)))
    }

    /// The line of a log: `path:line:column: severity[rule] message`, with what would steer a terminal spelled out.
    pub(crate) fn line(&self, path: &str) -> String {
        let Place { line, column, .. } = self.from;
        let (word, id) = (self.word, escape_terminal(&self.rule.id));
        format!(
            "{}:{line}:{column}: {word}[{id}] {}",
            escape_terminal(path),
            escape_terminal(&self.message)
        )
    }

    /// The message, and the way out on lines of its own.
    pub(crate) fn advice(&self) -> Cow<'_, str> {
        match self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message).into(),
            None => Cow::Borrowed(&self.message),
        }
    }
}

/// Where a document begins in its file.
pub(crate) fn beginning(document: &Document) -> (Place, Place) {
    let place = Place { line: document.line(), column: 1, byte_column: 1 };
    (place, place)
}

/// The file of another place that takes part, as it is shown.
pub(crate) fn path_of<'a>(document: &'a Document, other: &'a Other) -> Option<&'a str> {
    match other.origin {
        Origin::Document => Some(&document.path),
        _ => other.path.as_deref(),
    }
}
