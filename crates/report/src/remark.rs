//! The lines under a frame: help and notes.

use crate::RenderOptions;
use crate::escape::{columns, escape_terminal, is_line_command};

/// DisputedRange than this, a sentence is not worth breaking up.
const NARROWEST: usize = 40;

/// Where remarks stand.
pub(crate) struct Remarks<'a> {
    pub(crate) out: &'a mut String,
    /// The columns left of a remark.
    pub(crate) indent: usize,
    /// The columns of the terminal.
    pub(crate) width: usize,
}

impl Remarks<'_> {
    /// Writes `help: use another id`, in as many lines as it takes. They begin under each other.
    pub(crate) fn add(&mut self, word: &str, text: &str) {
        let lead = format!("{:indent$}{word}:", "", indent = self.indent);
        let margin = lead.len() + 1;
        let room = self.width.saturating_sub(margin).max(NARROWEST);
        self.out.push_str(&lead);
        let mut blanks = 1;
        for line in text.trim_end().lines() {
            for row in rows(&escape_terminal(line), room) {
                let row = row.trim_end();
                if blanks > 1 {
                    self.out.push('\n');
                }
                if !row.is_empty() {
                    self.out.extend(std::iter::repeat_n(' ', blanks));
                    self.out.push_str(row);
                }
                blanks = margin;
            }
        }
        self.out.push('\n');
    }
}

/// Writes a headline, broken where the terminal ends if there is one; what goes on is indented.
pub(crate) fn headline(
    out: &mut String,
    lead: &str,
    painted_lead: &str,
    message: &str,
    style: &RenderOptions,
) {
    let room = if style.wrap_headlines { style.width.max(NARROWEST) } else { usize::MAX };
    let whole = format!("{lead}: {}", escape_terminal(message));
    for (index, row) in rows(&whole, room).into_iter().enumerate() {
        if index == 0 {
            out.push_str(painted_lead);
            out.push_str(row.strip_prefix(lead).unwrap_or(row).trim_end());
        } else {
            out.push_str("\n  ");
            out.push_str(row.trim_end());
        }
    }
    out.push('\n');
}

/// Breaks a line at spaces, but never between backticks: what stands there is to be copied.
pub(crate) fn rows(line: &str, room: usize) -> Vec<&str> {
    let mut rows = Vec::new();
    let mut rest = line;
    while let Some((row, more)) = break_at(rest, room).and_then(|at| rest.split_at_checked(at)) {
        rows.push(row);
        rest = more;
    }
    rows.push(rest);
    rows
}

/// Where a line that does not fit has to be broken: after the last space that fits, or after the first if none does.
fn break_at(line: &str, room: usize) -> Option<usize> {
    let mut taken = 0;
    let mut last = None;
    let mut is_code = false;
    let mut has_words = false;
    for (offset, c) in line.char_indices() {
        // A row must not begin as a command to a build server does.
        let is_safe = || !line.get(offset..).is_some_and(is_line_command);
        if c == ' ' && has_words && !is_code && is_safe() {
            if taken > room {
                return last.or(Some(offset + 1));
            }
            last = Some(offset + 1);
        }
        is_code ^= c == '`';
        has_words |= c != ' ';
        taken += columns(c);
    }
    last.filter(|_| taken > room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(text: &str, width: usize) -> String {
        let mut out = String::new();
        Remarks { out: &mut out, indent: 2, width }.add("help", text);
        out
    }

    #[test]
    fn a_long_remark_is_broken_at_spaces() {
        let text = "the description does not say whether such members are refused, dropped or kept";
        assert_eq!(
            remark(text, 50),
            "  help: the description does not say whether such\n        members are refused, dropped or kept\n"
        );
    }

    #[test]
    fn what_is_to_be_copied_stays_whole() {
        let text = "to see what the service holds, call `voxlint check --stored agents/draft.json --strict agents` with it";
        assert_eq!(
            remark(text, 50),
            "  help: to see what the service holds, call\n        `voxlint check --stored agents/draft.json --strict agents`\n        with it\n"
        );
    }

    #[test]
    fn lines_and_blanks_are_kept() {
        assert_eq!(
            remark("one:\n   two\u{1b}\n\nthree \n", 80),
            "  help: one:\n           two\\u{1b}\n\n        three\n"
        );
        assert_eq!(remark("", 80), "  help:\n");
    }

    #[test]
    fn no_row_begins_as_a_command_does() {
        let text = format!("{} ::error::x", "x".repeat(40));
        assert_eq!(remark(&text, 40), format!("  help: {text}\n"));
    }

    #[test]
    fn a_word_that_fits_nowhere_is_not_broken() {
        let word = "x".repeat(90);
        assert_eq!(remark(&word, 40), format!("  help: {word}\n"));
        assert_eq!(remark(&format!("{word} y"), 40), format!("  help: {word}\n        y\n"));
        assert_eq!(remark(&format!("   {word}"), 40), format!("  help:    {word}\n"));
    }
}
