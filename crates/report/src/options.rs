//! How the formats for people look.

use std::borrow::Cow;

use voxlint::{RuleRef, Severity};

use crate::documentation::page_url;
use crate::escape::escape_terminal;

/// How the formats for people look, and what they and the formats for other tools list on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct RenderOptions {
    /// Whether severities and carets are colored with ANSI escape sequences.
    pub color: bool,
    /// The columns of the terminal. Longer lines of a document are cut; help and notes are wrapped. The line with the
    /// message is not.
    pub width: usize,
    /// Whether undecided rules are listed.
    pub undecided: bool,
    /// Whether SARIF lists suppressed and baselined findings. Code scanning services that ignore `suppressions` would
    /// report them as alerts.
    pub suppressed: bool,
    /// Whether NDJSON ends the lines about each document with one of the type `document`, also those of a clean document: a
    /// program that waits for the findings of a document then knows that it has them all.
    pub document_lines: bool,
    /// Whether lines with messages are wrapped at the width: on a terminal, but not where a search should find them whole.
    pub wrap_headlines: bool,
    /// How fast texts are spoken, for the seconds that they take.
    pub words_per_minute: u16,
    /// The address of the documentation ([`DOCUMENTATION_URL`](crate::DOCUMENTATION_URL)) for a terminal with hyperlinks
    /// (OSC 8): rule names then link to their pages.
    pub links: Option<&'static str>,
}

impl Default for RenderOptions {
    /// No colors, 100 columns, findings only, 150 words per minute.
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
            undecided: false,
            suppressed: false,
            document_lines: false,
            wrap_headlines: false,
            words_per_minute: 150,
            links: None,
        }
    }
}

impl RenderOptions {
    /// The text in a color, given as the parameters of an SGR sequence, if colors are wanted.
    pub(crate) fn paint<'a>(&self, color: &str, text: &'a str) -> Cow<'a, str> {
        if self.color { format!("\u{1b}[{color}m{text}\u{1b}[0m").into() } else { text.into() }
    }

    /// The id of a rule, which links to its page on a terminal with hyperlinks.
    pub(crate) fn rule_link<'a>(&self, rule: &'a RuleRef) -> Cow<'a, str> {
        let id = escape_terminal(&rule.id);
        match page_url(self.links, rule) {
            Some(page) => format!("\u{1b}]8;;{page}\u{1b}\\{id}\u{1b}]8;;\u{1b}\\").into(),
            None => id,
        }
    }
}

/// The color of a severity, as the parameters of an SGR sequence.
pub(crate) const fn severity_color(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Info => "1;36",
    }
}
