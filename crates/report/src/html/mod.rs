//! The parts that HTML reports share. The templates in `templates/` escape everything they show; this module takes out what
//! HTML would still pass on: control characters, bidirectional overrides and other characters that readers cannot see.

mod finding;

use voxlint::Severity;

use crate::escape::escape_terminal;
use crate::options::RenderOptions;
use crate::run::{FailedFile, SkippedFile};

pub(crate) use finding::HtmlFinding;

/// The number of findings of a run and of skipped files that a page lists: browsers are slow with much longer pages.
pub(crate) const MAX_LISTED: usize = 2_000;

/// How the excerpts of a page are drawn: with colors, which become classes, and always as wide, so that the page does not
/// depend on a terminal.
pub(crate) const fn page_options(options: &RenderOptions) -> RenderOptions {
    RenderOptions { color: true, width: 96, links: None, ..*options }
}

/// A number of the summary, with the class that colors it unless it is 0.
pub(crate) struct Tile {
    pub(crate) label: &'static str,
    pub(crate) number: usize,
    pub(crate) class: &'static str,
}

/// A part of a sentence: code was between backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prose {
    pub(crate) is_code: bool,
    pub(crate) text: String,
}

/// A part of an excerpt, with the class that colors it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Painted {
    pub(crate) class: &'static str,
    pub(crate) text: String,
}

/// A text with what is between backticks as code. Its line breaks stay.
pub(crate) fn prose(text: &str) -> Vec<Prose> {
    let text = crate::escape::escape_terminal_lines(text);
    let mut parts: Vec<&str> = text.split('`').collect();
    // A single backtick is one.
    let odd = if parts.len().is_multiple_of(2) { parts.pop() } else { None };
    let mut prose: Vec<Prose> = parts
        .into_iter()
        .enumerate()
        .map(|(index, text)| Prose { is_code: index % 2 == 1, text: text.to_owned() })
        .filter(|piece| !piece.text.is_empty())
        .collect();
    if let Some(rest) = odd {
        prose.push(Prose { is_code: false, text: format!("`{rest}") });
    }
    prose
}

/// A drawn excerpt with its colors as classes.
pub(crate) fn painted(drawn: &str) -> Vec<Painted> {
    let mut pieces = drawn.trim_end_matches('\n').split("\u{1b}[");
    let plain = |text: &str| Painted { class: "", text: text.to_owned() };
    let mut painted: Vec<Painted> = pieces.next().map(plain).into_iter().collect();
    for piece in pieces {
        let (color, text) = piece.split_once('m').unwrap_or(("", piece));
        let class = match color {
            "31" | "1;31" => "c-bad",
            "33" | "1;33" => "c-warn",
            "32" => "c-good",
            "36" | "1;36" | "1;35" => "c-note",
            "2" => "c-muted",
            _ => "",
        };
        painted.push(Painted { class, text: text.to_owned() });
    }
    painted.retain(|piece| !piece.text.is_empty());
    painted
}

/// The word of a severity and the class of its badge.
pub(crate) const fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "bad",
        Severity::Warning => "warn",
        Severity::Info => "note",
    }
}

/// The paths and messages of files that failed.
pub(crate) fn failed_files(failed: &[FailedFile]) -> Vec<(String, String)> {
    let shown = failed.iter().take(MAX_LISTED);
    shown.map(|file| (plain(&file.path), plain(&file.message))).collect()
}

/// The paths of skipped files and the reasons.
pub(crate) fn skipped_files(skipped: &[SkippedFile]) -> Vec<(String, String)> {
    let shown = skipped.iter().take(MAX_LISTED);
    shown.map(|file| (plain(&file.path), plain(&file.why))).collect()
}

/// A text on one line, with characters that readers cannot see spelled out.
pub(crate) fn plain(text: &str) -> String {
    escape_terminal(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(bool, String)> {
        prose(text).into_iter().map(|piece| (piece.is_code, piece.text)).collect()
    }

    #[test]
    fn backticks_become_code_in_pairs() {
        let of = |is_code, text: &str| (is_code, text.to_owned());
        assert_eq!(shown("a `b` c"), [of(false, "a "), of(true, "b"), of(false, " c")]);
        assert_eq!(shown("`b`"), [of(true, "b")]);
        assert_eq!(
            shown("a `b` c` d"),
            [of(false, "a "), of(true, "b"), of(false, " c"), of(false, "` d")]
        );
        assert_eq!(shown("a\u{202e}`"), [of(false, "a\\u{202e}"), of(false, "`")]);
    }

    #[test]
    fn colors_become_classes() {
        let pieces = painted("\u{1b}[2m1\u{1b}[0m │ a\n  · \u{1b}[31m─\u{1b}[0m\n");
        let pieces: Vec<_> = pieces.iter().map(|piece| (piece.class, &*piece.text)).collect();
        assert_eq!(pieces, [("c-muted", "1"), ("", " │ a\n  · "), ("c-bad", "─")]);
    }
}
