//! A finding as a page shows it.

use std::iter;

use crate::documentation::page_url;
use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding};
use crate::notes::finding_notes;

use super::{Painted, Prose, painted, plain, prose, severity_class};

/// A finding as a page shows it.
pub(crate) struct HtmlFinding {
    /// The severity, and the status of the service's answer.
    pub(crate) word: String,
    pub(crate) class: &'static str,
    pub(crate) rule: String,
    /// The address of the rule's page.
    pub(crate) page: Option<String>,
    pub(crate) message: Vec<Prose>,
    /// `path:line:column`, as far as it is known.
    pub(crate) place: String,
    /// The lines of the file with carets and labels.
    pub(crate) excerpt: Vec<Painted>,
    /// Help and notes, each with its word.
    pub(crate) notes: Vec<(&'static str, Vec<Prose>)>,
    /// The lines before and after the fix.
    pub(crate) fix: Vec<Painted>,
}

impl HtmlFinding {
    /// A finding of a document, drawn with [`page_options`](super::page_options).
    pub(crate) fn new(
        documentation: Option<&str>,
        document: &LocatedDocument,
        finding: &LocatedFinding,
    ) -> Self {
        let fix = finding.snippet.as_ref().and_then(|snippet| snippet.fix.as_ref());
        let notes = finding_notes(document, finding, finding.short_note.as_deref());
        let fix_note = fix.map(|fix| (fix.word(), prose(&fix.title)));
        Self {
            word: iter::once(finding.severity.name().to_owned())
                .chain(finding.answer.clone())
                .collect::<Vec<_>>()
                .join(" "),
            class: severity_class(finding.severity),
            rule: plain(&finding.rule.id),
            page: page_url(documentation, &finding.rule),
            message: prose(&finding.message),
            place: place(document, finding),
            excerpt: finding.snippet.as_ref().map_or_else(Vec::new, |it| painted(&it.text)),
            notes: notes
                .into_iter()
                .map(|(word, text)| (word, prose(&text)))
                .chain(fix_note)
                .collect(),
            fix: fix.map_or_else(Vec::new, |fix| painted(&fix.lines)),
        }
    }
}

fn place(document: &LocatedDocument, finding: &LocatedFinding) -> String {
    let path = escape_terminal(finding.path.as_deref().unwrap_or(&document.path));
    match finding.span.from {
        Some(from) => format!("{path}:{}:{}", from.line, from.column),
        None => path.into_owned(),
    }
}
