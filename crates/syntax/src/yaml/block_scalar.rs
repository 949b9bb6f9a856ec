//! Block scalars, after `|` and `>` (YAML specification, chapter 8.1).

use super::Style;
use super::lines::{is_blank, line_break};
use crate::text::TextBuilder;
use crate::{DecodedText, Span};

/// The header of a block scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHeader {
    /// The offset of the `|` or `>`.
    pub(super) at: usize,
    /// The offset of the line after it.
    end: usize,
    chomping: Chomping,
}

/// How line breaks at the end are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl BlockHeader {
    /// The next header after the end of the previous value, with only indicators, comments, anchors and tags between.
    pub(super) fn find(text: &str, from: usize, style: Style) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut at = from;
        loop {
            match bytes.get(at)? {
                // The last three are a byte order mark.
                b' ' | b'\t' | b'\n' | b'\r' | b'-' | b':' | b'?' | b'.' | 0xef | 0xbb | 0xbf => {
                    at += 1;
                }
                b'#' => at = line_end(bytes, at),
                b'&' | b'!' => {
                    at += bytes.get(at..)?.iter().position(u8::is_ascii_whitespace)?;
                }
                b'|' if style == Style::Literal => break,
                b'>' if style == Style::Folded => break,
                _ => return None,
            }
        }
        let indicators = bytes.get(at + 1..line_end(bytes, at))?;
        let indicators = indicators.iter().take_while(|byte| !byte.is_ascii_whitespace());
        let chomping = indicators.fold(Chomping::Clip, |chomping, byte| match byte {
            b'-' => Chomping::Strip,
            b'+' => Chomping::Keep,
            _ => chomping,
        });
        let end = line_end(bytes, at);
        Some(Self { at, end: end + line_break(bytes, end), chomping })
    }
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(bytes.len(), |length| at + length)
}

/// A line of the scalar.
struct ScalarLine<'m> {
    /// The text after the indentation, and its offset.
    body: &'m str,
    at: usize,
    /// The length of its line break in bytes.
    ending: usize,
}

impl ScalarLine<'_> {
    const fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// The span of its line break. The last line of the file may have none.
    const fn after(&self) -> Span {
        let end = self.at + self.body.len();
        Span::of(end, end + self.ending)
    }
}

/// Decodes the scalar after a header, with the given indentation. Also returns the end of its last line with text.
pub(super) fn decode(
    text: &str,
    header: BlockHeader,
    indent: usize,
    style: Style,
) -> (DecodedText<'static>, usize) {
    let lines = lines(text, header.end, indent);
    let mut decoded = TextBuilder::at(header.end as u32);
    let Some(last) = lines.iter().rposition(|line| !line.is_empty()) else {
        if header.chomping == Chomping::Keep {
            for line in &lines {
                decoded.spelled("\n", line.after());
            }
        }
        return (decoded.finish(), header_text_end(text, header));
    };
    let mut breaks: Vec<Span> = Vec::new();
    let mut before: Option<&ScalarLine<'_>> = None;
    for line in lines.iter().take(last + 1) {
        if !line.is_empty() {
            let is_folded = style == Style::Folded
                && before.is_some_and(|before| !is_blank(before.body))
                && !is_blank(line.body);
            match breaks.as_slice() {
                [only] if is_folded => decoded.spelled(" ", *only),
                // The first of several line breaks is dropped.
                [_, places @ ..] if is_folded => decoded.line_breaks(places),
                places => decoded.line_breaks(places),
            }
            breaks.clear();
            decoded.plain(line.at as u32, line.body);
            before = Some(line);
        }
        breaks.push(line.after());
    }
    let tail = lines.get(last..).unwrap_or_default();
    let kept = match header.chomping {
        Chomping::Strip => 0,
        Chomping::Clip => 1,
        Chomping::Keep => tail.len(),
    };
    for line in tail.iter().take(kept) {
        decoded.spelled("\n", line.after());
    }
    (decoded.finish(), before.map_or(header.end, |line| line.after().start as usize))
}

impl TextBuilder {
    fn line_breaks(&mut self, places: &[Span]) {
        for place in places {
            self.spelled("\n", *place);
        }
    }
}

/// The end of the header, without the spaces and the comment after it.
fn header_text_end(text: &str, header: BlockHeader) -> usize {
    let rest = text.as_bytes().get(header.at..header.end).unwrap_or_default();
    header.at + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())
}

/// The lines of the scalar, up to the first line of text that is indented less.
fn lines(text: &str, from: usize, indent: usize) -> Vec<ScalarLine<'_>> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut at = from;
    while at < bytes.len() {
        let end = line_end(bytes, at);
        let line = text.get(at..end).unwrap_or_default();
        let spaces = line.bytes().take_while(|byte| *byte == b' ').count();
        let is_text = spaces < line.len();
        let is_marker = indent == 0
            && (line.starts_with("---") || line.starts_with("..."))
            && line.as_bytes().get(3).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
        if is_text && (spaces < indent || is_marker) {
            break;
        }
        let body_at = at + spaces.min(indent);
        let body = text.get(body_at..end).unwrap_or_default();
        let ending = line_break(bytes, end);
        // Spaces at the end of the file, up to the indentation, are not a line.
        if ending == 0 && body.is_empty() && !lines.is_empty() {
            break;
        }
        lines.push(ScalarLine { body, at: body_at, ending });
        at = end + ending;
    }
    lines
}
