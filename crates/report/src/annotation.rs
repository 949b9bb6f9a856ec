//! A finding as one position in one file with one message, which most formats for other tools are made of.
//!
//! A finding in a related file marks that file, and its message names the document. If the text of that file is not known,
//! the finding marks the beginning of the document, and its message names the place.

use std::borrow::Cow;

use voxlint::{Origin, RuleRef, Severity};

use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding, LocatedFix, LocatedRelated, UndecidedRule};
use crate::source_map::{FilePosition, input_name};

/// One finding or undecided rule, as it marks a line.
pub(crate) struct Annotation<'a> {
    /// Undecided rules are infos.
    pub(crate) severity: Severity,
    pub(crate) is_undecided: bool,
    pub(crate) rule: &'a RuleRef,
    /// The displayed path of the file.
    pub(crate) path: &'a str,
    pub(crate) from: FilePosition,
    pub(crate) to: FilePosition,
    pub(crate) message: Cow<'a, str>,
    pub(crate) help: Option<&'a str>,
    pub(crate) field: &'a str,
    pub(crate) related: &'a [LocatedRelated],
    pub(crate) fixes: &'a [LocatedFix],
}

impl<'a> Annotation<'a> {
    pub(crate) fn of_finding(document: &'a LocatedDocument, finding: &'a LocatedFinding) -> Self {
        let place = finding.path.as_ref().zip(finding.span.ends());
        let (path, (from, to), message) = match (place, input_name(finding.origin)) {
            (Some((path, ends)), None) => (path, ends, Cow::Borrowed(&*finding.message)),
            (Some((path, ends)), Some(_)) => {
                let message = format!("{} (found for {})", finding.message, document.path);
                (path, ends, Cow::Owned(message))
            }
            (None, input) => {
                let input = input.unwrap_or("the document");
                let message = format!("{} (in {input}, at {})", finding.message, finding.field);
                (&document.path, (document.start(), document.start()), Cow::Owned(message))
            }
        };
        Self {
            severity: finding.severity,
            is_undecided: false,
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

    fn of_undecided(document: &'a LocatedDocument, undecided: &'a UndecidedRule) -> Self {
        Self {
            severity: Severity::Info,
            is_undecided: true,
            rule: &undecided.rule,
            path: &document.path,
            from: document.start(),
            to: document.start(),
            message: Cow::Borrowed(&undecided.why),
            help: None,
            field: "",
            related: &[],
            fixes: &[],
        }
    }

    /// The findings and undecided rules of a document.
    pub(crate) fn all(document: &'a LocatedDocument) -> impl Iterator<Item = Self> {
        let findings = document.diagnostics.iter();
        let findings = findings.map(|finding| Self::of_finding(document, finding));
        let undecided = document.undecided.iter();
        findings.chain(undecided.map(|undecided| Self::of_undecided(document, undecided)))
    }

    /// `error`, `warning`, `info` or `undecided`.
    pub(crate) const fn word(&self) -> &'static str {
        if self.is_undecided { "undecided" } else { self.severity.name() }
    }

    /// `path:line:column: severity[rule] message` on one line, for logs.
    pub(crate) fn line(&self, path: &str) -> String {
        let FilePosition { line, column, .. } = self.from;
        let (word, id) = (self.word(), escape_terminal(&self.rule.id));
        let (path, message) = (escape_terminal(path), escape_terminal(&self.message));
        format!("{path}:{line}:{column}: {word}[{id}] {message}")
    }

    /// The message, and the help on lines of its own.
    pub(crate) fn message_and_help(&self) -> Cow<'_, str> {
        match self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message).into(),
            None => Cow::Borrowed(&self.message),
        }
    }
}

/// The displayed path of a related place's file.
pub(crate) fn path_of<'a>(
    document: &'a LocatedDocument,
    related: &'a LocatedRelated,
) -> Option<&'a str> {
    match related.origin {
        Origin::Document => Some(&document.path),
        _ => related.path.as_deref(),
    }
}
