//! The lines below a snippet (help and notes), and wrapping in general.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::mem;

use voxlint::{Origin, counted};

use crate::escape::{columns, escape_terminal, is_line_command};
use crate::located::{LocatedDocument, LocatedFinding};
use crate::options::{RenderOptions, severity_color};
use crate::snippet::MAX_RELATED;
use crate::source_map::input_name;

/// A sentence is not wrapped to less than this.
const MIN_WIDTH: usize = 40;

/// Closes the frame of a snippet.
pub(crate) const CORNER: &str = "╰─ ";

/// What is said below the excerpt of a finding: each text with the word before it. `note` is the finding's note, as far as it
/// is to be shown.
pub(crate) fn finding_notes<'f>(
    document: &'f LocatedDocument,
    finding: &'f LocatedFinding,
    note: Option<&'f str>,
) -> Vec<(&'static str, Cow<'f, str>)> {
    let LocatedFinding { help, related, .. } = finding;
    let mut notes: Vec<(&'static str, Cow<'f, str>)> = Vec::new();
    let is_document = |origin: Origin| origin == Origin::Document;
    if !is_document(finding.origin) && !related.iter().any(|it| is_document(it.origin)) {
        notes.push(("file", escape_terminal(&document.path)));
    }
    // A fix says the same as an instruction.
    let fix = finding.snippet.as_ref().and_then(|snippet| snippet.fix.as_ref());
    let is_title = |help: &str| fix.is_some_and(|fix| fix.title == help);
    notes.extend(help.as_deref().filter(|help| !is_title(help)).map(|it| ("help", it.into())));
    notes.extend(note.map(|note| ("note", note.into())));
    if let Some(input) = input_name(finding.origin).filter(|_| finding.span.from.is_none()) {
        let about = format!("this is about {} of {input}", pointer(&finding.field));
        notes.push(("note", about.into()));
    }
    for related in related.iter().filter(|related| related.span.from.is_none()) {
        if let Some(input) = input_name(related.origin) {
            let field = pointer(&related.field);
            notes.push(("note", format!("{} ({field} of {input})", related.message).into()));
        }
    }
    let here = related.iter().filter(|related| related.origin == finding.origin).count();
    let more = here.saturating_sub(MAX_RELATED);
    if more > 0 {
        notes.push(("note", counted(more as u64, "more related place").into()));
    }
    notes
}

fn pointer(field: &str) -> &str {
    if field.is_empty() { "the whole" } else { field }
}

/// The notes of a finding while they are written.
pub(crate) struct Notes<'a> {
    pub(crate) out: &'a mut String,
    /// The columns left of a note.
    pub(crate) indent: usize,
    /// What closes the frame of a snippet, before the first note.
    pub(crate) corner: Cow<'a, str>,
    /// The columns of the terminal.
    pub(crate) width: usize,
}

impl Notes<'_> {
    /// Writes `help: use another id`, with all lines of the text aligned.
    pub(crate) fn add(&mut self, word: &str, text: &str) {
        let corner = mem::take(&mut self.corner);
        let indent = self.indent - if corner.is_empty() { 0 } else { CORNER.chars().count() };
        let margin = self.indent + word.len() + 2;
        let width = self.width.saturating_sub(margin);
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{:indent$}{corner}{word}:", "");
        let mut spaces = 1;
        for line in text.trim_end().lines() {
            for row in wrap(&escape_terminal(line), width) {
                if spaces > 1 {
                    self.out.push('\n');
                }
                if !row.is_empty() {
                    self.out.extend(std::iter::repeat_n(' ', spaces));
                    self.out.push_str(row);
                }
                spaces = margin;
            }
        }
        self.out.push('\n');
    }
}

/// Writes the first line of a finding, `error[rule] 400: message`. On a terminal it is wrapped, with the other lines indented.
pub(crate) fn headline(
    out: &mut String,
    indent: &str,
    finding: &LocatedFinding,
    message: &str,
    options: &RenderOptions,
) {
    let (word, rule) = (finding.severity.name(), options.rule_link(&finding.rule));
    let answer = finding.answer.as_ref().map(|answer| format!(" {answer}")).unwrap_or_default();
    let lead = format!("{word}[{rule}]{answer}");
    let lead = options.paint(severity_color(finding.severity), &lead);
    lead_line(out, &format!("{indent}{lead}"), message, options);
}

/// Writes `lead: message`. The lead may have colors and links.
pub(crate) fn lead_line(out: &mut String, lead: &str, message: &str, options: &RenderOptions) {
    let width = if options.wrap_headlines { options.width } else { usize::MAX };
    let line = format!("{lead}: {}", escape_terminal(message));
    out.push_str(&wrap(&line, width).join("\n  "));
    out.push('\n');
}

/// Wraps a line at spaces, but never between backticks, where text is to be copied.
pub(crate) fn wrap(line: &str, width: usize) -> Vec<&str> {
    let width = width.max(MIN_WIDTH);
    let mut rows = Vec::new();
    let mut rest = line;
    while let Some((row, more)) = break_at(rest, width).and_then(|at| rest.split_at_checked(at)) {
        rows.push(row.trim_end());
        rest = more;
    }
    rows.push(rest.trim_end());
    rows
}

/// The end of the first row of a line that does not fit: after the last space that fits, or else after the first space.
fn break_at(line: &str, width: usize) -> Option<usize> {
    let mut taken = 0;
    let mut last = None;
    let mut is_code = false;
    let mut has_words = false;
    let mut sequence_end = None;
    for (offset, c) in line.char_indices() {
        // A color or a link takes no columns.
        if c == '\u{1b}' && sequence_end.is_none() {
            let is_color = line.get(offset + 1..).is_some_and(|rest| rest.starts_with('['));
            sequence_end = Some(if is_color { 'm' } else { '\\' });
        }
        if sequence_end.is_some() {
            sequence_end = sequence_end.filter(|end| c != *end);
            continue;
        }
        // No row may begin like a command to a build server.
        let is_safe = || !line.get(offset..).is_some_and(is_line_command);
        if c == ' ' && has_words && !is_code && is_safe() {
            if taken > width {
                return last.or(Some(offset + 1));
            }
            last = Some(offset + 1);
        }
        is_code ^= c == '`';
        has_words |= c != ' ';
        taken += columns(c);
    }
    last.filter(|_| taken > width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str, width: usize) -> String {
        let mut out = String::new();
        Notes { out: &mut out, indent: 2, corner: Cow::Borrowed(""), width }.add("help", text);
        out
    }

    #[test]
    fn a_long_note_is_wrapped_at_spaces() {
        let text =
            "the description does not say whether such members are rejected, dropped or kept";
        assert_eq!(
            note(text, 50),
            "  help: the description does not say whether such\n        members are rejected, dropped or kept\n"
        );
    }

    #[test]
    fn code_is_not_wrapped() {
        let text = "to see what the service holds, call `voxlint check --stored agents/draft.json --strict agents` with it";
        assert_eq!(
            note(text, 50),
            "  help: to see what the service holds, call\n        `voxlint check --stored agents/draft.json --strict agents`\n        with it\n"
        );
    }

    #[test]
    fn lines_and_indentation_are_kept() {
        assert_eq!(
            note("one:\n   two\u{1b}\n\nthree \n", 80),
            "  help: one:\n           two\\u{1b}\n\n        three\n"
        );
        assert_eq!(note("", 80), "  help:\n");
    }

    #[test]
    fn no_row_begins_like_a_command() {
        let text = format!("{} ::error::x", "x".repeat(40));
        assert_eq!(note(&text, 40), format!("  help: {text}\n"));
    }

    #[test]
    fn a_long_word_is_not_broken() {
        let word = "x".repeat(90);
        assert_eq!(note(&word, 40), format!("  help: {word}\n"));
        assert_eq!(note(&format!("{word} y"), 40), format!("  help: {word}\n        y\n"));
        assert_eq!(note(&format!("   {word}"), 40), format!("  help:    {word}\n"));
    }
}
