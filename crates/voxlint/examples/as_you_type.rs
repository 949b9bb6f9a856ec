//! What an editor does: the text changes, and what is wrong is shown anew, at the right characters.
//!
//! A check of a document takes well under a millisecond for the usual sizes, so the whole text is read again after each
//! change. An editor counts columns in UTF-16 units; offsets here are bytes, and [`columns`] turns the one into the other.
//!
//! ```sh
//! cargo run -p voxlint --example as_you_type
//! ```

use std::io::{self, Write as _};
use std::ops::Range;

use voxlint::check_text;

/// A replacement of a part of the text, in bytes.
struct Edit {
    range: Range<usize>,
    text: &'static str,
}

/// What an editor underlines.
#[derive(Debug, PartialEq, Eq)]
struct Squiggle {
    line: usize,
    /// UTF-16 units from the beginning of the line.
    columns: Range<usize>,
    message: String,
}

/// A line and the UTF-16 columns in it, all counted from 0.
fn columns(text: &str, span: Range<usize>) -> (usize, Range<usize>) {
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.matches('\n').count();
    let units = |text: &str| text.chars().map(char::len_utf16).sum::<usize>();
    let start = units(before.rsplit('\n').next().unwrap_or_default());
    let length = units(text.get(span).unwrap_or_default());
    (line, start..start + length)
}

fn squiggles(text: &str) -> Vec<Squiggle> {
    let found = check_text(text).diagnostics.into_iter();
    let squiggle = |found: voxlint::Diagnostic| {
        let (line, columns) = columns(text, found.span.start as usize..found.span.end as usize);
        Squiggle { line, columns, message: found.message }
    };
    found.map(squiggle).collect()
}

/// Applies an edit, and says what is to be underlined now.
fn typed(text: &mut String, edit: &Edit) -> Vec<Squiggle> {
    text.replace_range(edit.range.clone(), edit.text);
    squiggles(text)
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut text = r#"{ "version_number": 3, "welcome_message": "Grüß Gott, {{name}" }"#.to_owned();
    let at = text.find("name}").unwrap_or_default() + "name".len();
    let edits = [
        Edit { range: 0..0, text: "" },
        Edit { range: at..at, text: "}" },
        Edit { range: text.len() - 1..text.len() - 1, text: ", \"kb_max_chunks\": 12" },
    ];
    for edit in &edits {
        let found = typed(&mut text, edit);
        writeln!(out, "{text}")?;
        for Squiggle { line, columns, message } in found {
            writeln!(out, "  line {line}, columns {}..{}: {message}", columns.start, columns.end)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mended_is_no_longer_underlined() {
        let mut text = r#"{ "version_number": 3, "prompt_text": "𝄞 {{name}" }"#.to_owned();
        let found = squiggles(&text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, found[0].columns.clone()), (0, 48..49));

        let at = text.find("name}").unwrap() + "name".len();
        assert_eq!(typed(&mut text, &Edit { range: at..at, text: "}" }), []);
    }
}
