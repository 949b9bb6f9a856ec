//! What an editor does: the text changes, and what is wrong is shown anew, at the right characters.
//!
//! A check of a document takes well under a millisecond for the usual sizes, so the whole text is read again after each
//! change. An editor counts lines and columns from 0, and columns in UTF-16 units; offsets here are bytes. `LineIndex` turns
//! the one into the other.
//!
//! ```sh
//! cargo run -p voxlint --example as_you_type
//! ```

use std::io::{self, Write as _};

use voxlint::check_text;
use voxlint::syntax::{LineIndex, Position, PositionEncoding};

/// A line and a UTF-16 column in it, both counted from 0.
type LineAndColumn = (u32, u32);

/// A replacement of a part of the text.
struct Edit {
    start: LineAndColumn,
    end: LineAndColumn,
    text: &'static str,
}

/// A range that an editor underlines.
#[derive(Debug, PartialEq, Eq)]
struct Squiggle {
    start: LineAndColumn,
    end: LineAndColumn,
    message: String,
}

fn place(lines: &LineIndex, text: &str, offset: u32) -> LineAndColumn {
    let position = lines.position_in(text, offset, PositionEncoding::Utf16);
    (position.line - 1, position.column - 1)
}

fn offset(lines: &LineIndex, text: &str, (line, column): LineAndColumn) -> usize {
    let position = Position { line: line + 1, column: column + 1 };
    let offset = lines.offset_in(text, position, PositionEncoding::Utf16);
    offset.map_or(text.len(), |offset| offset as usize)
}

fn squiggles(text: &str) -> Vec<Squiggle> {
    let lines = LineIndex::new(text);
    let found = check_text(text).diagnostics.into_iter();
    let squiggle = |finding: voxlint::Diagnostic| Squiggle {
        start: place(&lines, text, finding.span.start),
        end: place(&lines, text, finding.span.end),
        message: finding.message,
    };
    found.map(squiggle).collect()
}

/// Applies an edit, and returns the ranges to be underlined now.
fn typed(text: &mut String, edit: &Edit) -> Vec<Squiggle> {
    let lines = LineIndex::new(text);
    let range = offset(&lines, text, edit.start)..offset(&lines, text, edit.end);
    text.replace_range(range, edit.text);
    squiggles(text)
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut text = r#"{ "version_number": 3, "welcome_message": "Grüß Gott, {{name}" }"#.to_owned();
    let insert = |column: u32, text| Edit { start: (0, column), end: (0, column), text };
    let edits = [insert(0, ""), insert(60, "}"), insert(63, ", \"kb_max_chunks\": 12")];
    for edit in &edits {
        let found = typed(&mut text, edit);
        writeln!(out, "{text}")?;
        for Squiggle { start: (line, start), end: (_, end), message } in found {
            writeln!(out, "  line {line}, columns {start}..{end}: {message}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_value_is_not_underlined() {
        let mut text = r#"{ "version_number": 3, "prompt_text": "𝄞 {{name}" }"#.to_owned();
        let found = squiggles(&text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].start, found[0].end), ((0, 48), (0, 49)));

        let edit = Edit { start: (0, 48), end: (0, 48), text: "}" };
        assert_eq!(typed(&mut text, &edit), []);
    }
}
