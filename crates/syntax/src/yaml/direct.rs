//! Reads most documents without the library, a line at a time.
//!
//! The library reads all of YAML, a character at a time. Most documents use little of it: block mappings and sequences,
//! scalars that end on their line, block scalars and comments. This reader knows nothing else, and gives up at the first
//! line that it does not know or that could be an error. Then the library reads the text from its start. A tree of this
//! reader is the tree that the library leads to: `trees_equal_those_of_the_library` compares the two.

use super::block_scalar::{self, BlockHeader};
use super::core_schema::{self, ResolvedScalar};
use super::{Style, flow_scalar};
use crate::builder::Builder;
use crate::text::TextBuilder;
use crate::tree::{BARE, BLOCK, Tag, Tree};
use crate::{MAX_DEPTH, SharedText, Span};

/// The maximum length of a key, so that it is within the library's limit for a key on the line of its value.
const MAX_NAME: usize = 1000;

/// Reads a text that is one document in block style. `None` if only the library can tell what it is.
pub(super) fn read(text: &SharedText) -> Option<Tree> {
    if !is_printable(text) {
        return None;
    }
    let mut reader = DirectReader {
        text,
        builder: Builder::new(text),
        frames: Vec::new(),
        awaited: None,
        end: 0,
    };
    let mut at = if text.starts_with("---\n") { 4 } else { 0 };
    while at < text.len() {
        at = reader.line(at)?;
    }
    reader.finish()
}

struct DirectReader<'t> {
    text: &'t str,
    builder: Builder,
    /// The open mappings and sequences.
    frames: Vec<Frame>,
    /// The end of the last colon or dash, if its value is not on its line.
    awaited: Option<u32>,
    /// The end of the last node.
    end: u32,
}

/// An open mapping or sequence.
#[derive(Clone, Copy)]
struct Frame {
    /// The column of its keys or dashes.
    column: usize,
    is_sequence: bool,
}

/// A key, and the end of the colon after it.
struct Name {
    span: Span,
    flags: u8,
    after_colon: usize,
}

impl<'t> DirectReader<'t> {
    /// Reads the line at an offset, and the block scalar that it may begin. Returns the offset of the line after them.
    fn line(&mut self, start: usize) -> Option<usize> {
        let end = self.line_end(start);
        let at = self.after_spaces(start, end);
        if matches!(self.byte(at, end), None | Some(b'#')) {
            return Some(end + 1);
        }
        let is_dash = self.is_dash(at, end);
        let name = if is_dash { None } else { Some(self.name(at, end)?) };
        self.enter(at - start, is_dash, at, end)?;
        match name {
            Some(name) => self.member(&name, at - start, end),
            None => self.item(start, at, end),
        }
    }

    /// Opens or closes containers for the key or the dash at `column`.
    fn enter(&mut self, column: usize, is_dash: bool, at: usize, end: usize) -> Option<()> {
        let Some(top) = self.frames.last().copied() else {
            return if column == 0 { self.open(column, is_dash, at) } else { None };
        };
        if top.column < column {
            self.awaited.take()?;
            return self.open(column, is_dash, at);
        }
        if top.column == column && is_dash && !top.is_sequence {
            // A sequence may begin at the column of its key. To the library, it begins with its first item then.
            self.awaited.take()?;
            let has_item = !self.is_rest_empty(at + 1, end);
            return if has_item {
                self.open(column, is_dash, self.after_spaces(at + 1, end))
            } else {
                None
            };
        }
        self.end_awaited();
        while let Some(top) = self.frames.last() {
            if top.column == column && top.is_sequence == is_dash {
                return Some(());
            }
            if top.column < column || top.column == column && !top.is_sequence {
                return None;
            }
            self.close();
        }
        None
    }

    fn open(&mut self, column: usize, is_sequence: bool, at: usize) -> Option<()> {
        if self.builder.depth() >= MAX_DEPTH {
            return None;
        }
        self.frames.push(Frame { column, is_sequence });
        let tag = if is_sequence { Tag::Array } else { Tag::Object };
        self.builder.open(tag, at as u32, true);
        Some(())
    }

    fn close(&mut self) {
        self.frames.pop();
        self.builder.close(self.end);
    }

    /// A value that never came is null.
    fn end_awaited(&mut self) {
        if let Some(at) = self.awaited.take() {
            self.builder.scalar(Tag::Null, Span::at(at), None, 0);
            self.end = at;
        }
    }

    fn finish(mut self) -> Option<Tree> {
        if self.frames.is_empty() {
            return None;
        }
        self.end_awaited();
        while !self.frames.is_empty() {
            self.close();
        }
        Some(self.builder.finish())
    }

    /// Reads the items of the sequences whose dashes begin at an offset.
    fn item(&mut self, start: usize, dash: usize, end: usize) -> Option<usize> {
        let mut dash = dash;
        loop {
            let at = self.after_spaces(dash + 1, end);
            let column = at - start;
            if self.is_rest_empty(dash + 1, end) {
                self.awaited = Some(dash as u32 + 1);
                return Some(end + 1);
            }
            if self.is_dash(at, end) {
                self.open(column, true, at)?;
                dash = at;
                continue;
            }
            if let Some(name) = self.name(at, end) {
                self.open(column, false, at)?;
                return self.member(&name, column, end);
            }
            return self.value(at, end, dash - start);
        }
    }

    /// Reads a key and its value. `column` is that of the key.
    fn member(&mut self, name: &Name, column: usize, end: usize) -> Option<usize> {
        self.builder.scalar(Tag::Key, name.span, None, name.flags);
        self.end = name.span.end;
        if self.is_rest_empty(name.after_colon, end) {
            self.awaited = Some(name.after_colon as u32);
            return Some(end + 1);
        }
        self.value(self.after_spaces(name.after_colon, end), end, column)
    }

    /// The key at an offset, in letters, digits and few signs, or in double quotes without escapes.
    fn name(&self, at: usize, end: usize) -> Option<Name> {
        let rest = self.bytes(at, end);
        let (length, flags) = match rest.first()? {
            b'"' => (memchr::memchr2(b'"', b'\\', rest.get(1..)?)? + 2, 0),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' => {
                let is_other = |byte: &u8| {
                    !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | b'.' | b'/')
                };
                (rest.iter().position(is_other)?, BARE)
            }
            _ => return None,
        };
        let is_name = match rest.get(length..)? {
            [b':'] | [b':', b' ', ..] => {
                length <= MAX_NAME && !rest.get(..length)?.ends_with(b"\\")
            }
            _ => false,
        };
        let span = Span::of(at, at + length);
        let is_text =
            flags == 0 || core_schema::resolve(span.slice(self.text)) != ResolvedScalar::Null;
        (is_name && is_text).then_some(Name { span, flags, after_colon: at + length + 1 })
    }

    /// Reads the value at an offset. `column` is that of its key or dash.
    fn value(&mut self, at: usize, end: usize, column: usize) -> Option<usize> {
        match self.byte(at, end)? {
            b'"' => self.quoted(at, end, Style::Double),
            b'\'' => self.quoted(at, end, Style::Single),
            b'|' => self.block(at, end, column, Style::Literal),
            b'>' => self.block(at, end, column, Style::Folded),
            b'[' | b'{' => self.empty_brackets(at, end),
            b'-' | b'?' | b':' | b',' | b']' | b'}' | b'#' | b'&' | b'*' | b'!' | b'%' | b'@'
            | b'`'
                if !self.is_negative(at, end) =>
            {
                None
            }
            _ => self.plain(at, end),
        }
    }

    /// Whether a dash begins a number.
    fn is_negative(&self, at: usize, end: usize) -> bool {
        matches!(self.bytes(at, end), [b'-', b'0'..=b'9' | b'.', ..])
    }

    fn plain(&mut self, at: usize, end: usize) -> Option<usize> {
        let rest = self.bytes(at, end);
        let mut length = rest.len();
        for found in memchr::memchr3_iter(b':', b'#', b'\t', rest) {
            match (rest.get(found)?, rest.get(found + 1)) {
                (b':', None | Some(b' ')) | (b'\t', _) => return None,
                (b'#', _) if rest.get(..found)?.ends_with(b" ") => {
                    length = found;
                    break;
                }
                _ => {}
            }
        }
        let length = rest.get(..length)?.trim_ascii_end().len();
        let span = Span::of(at, at + length);
        let mut resolved = core_schema::resolve(span.slice(self.text));
        let text = match &mut resolved {
            ResolvedScalar::NotFinite => return None,
            ResolvedScalar::Int(spelled) | ResolvedScalar::Float(spelled) => {
                spelled.take().map(|spelled| {
                    let mut text = TextBuilder::at(span.start);
                    text.spelled(&spelled, span);
                    text.finish()
                })
            }
            _ => None,
        };
        self.builder.scalar(resolved.tag(), span, text, BARE);
        self.end = span.end;
        Some(end + 1)
    }

    fn quoted(&mut self, at: usize, end: usize, style: Style) -> Option<usize> {
        let quote = if style == Style::Double { b'"' } else { b'\'' };
        let mut close = at + 1;
        let mut has_escapes = false;
        loop {
            let rest = self.bytes(close, end);
            close += match style {
                Style::Double => memchr::memchr2(quote, b'\\', rest)?,
                _ => memchr::memchr(quote, rest)?,
            };
            match self.bytes(close, end) {
                [b'\\', ..] => close += flow_scalar::escaped(self.text.get(close..end)?)?.1,
                [b'\'', b'\'', ..] => close += 2,
                _ => break,
            }
            has_escapes = true;
        }
        if !self.is_rest_empty(close + 1, end) {
            return None;
        }
        let inner = self.text.get(at + 1..close)?;
        let text = has_escapes.then(|| flow_scalar::decode(inner, at as u32 + 1, style));
        self.builder.scalar(Tag::String, Span::of(at, close + 1), text, 0);
        self.end = close as u32 + 1;
        Some(end + 1)
    }

    /// Reads a block scalar whose indentation is that of its first line.
    fn block(&mut self, at: usize, end: usize, column: usize, style: Style) -> Option<usize> {
        if !matches!(self.bytes(at + 1, end), [] | [b'-' | b'+']) {
            return None;
        }
        let header = BlockHeader::find(self.text, at, style)?;
        let mut first = end + 1;
        while self.byte(first, self.text.len())? == b'\n' {
            first += 1;
        }
        let text_at = self.after_spaces(first, self.text.len());
        let indent = text_at - first;
        // The library has rules of its own for tabs, and for empty lines that are indented more than the text.
        if indent <= column || matches!(self.byte(text_at, self.text.len())?, b'\n' | b'\t') {
            return None;
        }
        let (text, text_end) = block_scalar::decode(self.text, header, indent, style);
        let span = Span::of(at, text_end);
        self.builder.scalar(Tag::String, span, Some(text), BLOCK);
        self.end = span.end;
        Some(self.line_end(text_end) + 1)
    }

    fn empty_brackets(&mut self, at: usize, end: usize) -> Option<usize> {
        let tag = match self.bytes(at, at + 2) {
            b"[]" => Tag::Array,
            b"{}" => Tag::Object,
            _ => return None,
        };
        if !self.is_rest_empty(at + 2, end) {
            return None;
        }
        self.builder.open(tag, at as u32, false);
        self.end = at as u32 + 2;
        self.builder.close(self.end);
        Some(end + 1)
    }

    fn bytes(&self, start: usize, end: usize) -> &'t [u8] {
        self.text.as_bytes().get(start..end).unwrap_or_default()
    }

    fn byte(&self, at: usize, end: usize) -> Option<u8> {
        self.bytes(at, end).first().copied()
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes(at, self.text.len());
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |length| at + length)
    }

    fn after_spaces(&self, at: usize, end: usize) -> usize {
        at + self.bytes(at, end).iter().take_while(|byte| **byte == b' ').count()
    }

    /// Whether a dash that begins an item is at an offset.
    fn is_dash(&self, at: usize, end: usize) -> bool {
        matches!(self.bytes(at, end), [b'-'] | [b'-', b' ', ..])
    }

    /// Whether only spaces and a comment follow on the line.
    fn is_rest_empty(&self, at: usize, end: usize) -> bool {
        let next = self.after_spaces(at, end);
        next == end || next > at && self.byte(next, end) == Some(b'#')
    }
}

/// Whether a text has only characters that YAML allows everywhere: no control characters but line feeds and tabs, no byte
/// order mark and no noncharacter.
fn is_printable(text: &str) -> bool {
    const BLOCK: usize = 32;
    // Most blocks of bytes need no closer look, which needs no branch for each byte.
    let needs_look = |byte: u8| {
        (byte < b' ' && byte != b'\n' && byte != b'\t') || matches!(byte, 0x7f | 0xc2 | 0xef)
    };
    let is_plain = |block: &[u8]| !block.iter().fold(false, |any, byte| any | needs_look(*byte));
    let is_forbidden = |from: usize| {
        matches!(
            text.as_bytes().get(from..),
            Some(
                [0..=0x08 | 0x0b..=0x1f | 0x7f, ..]
                | [0xc2, 0x80..=0x9f, ..]
                | [0xef, 0xbb, 0xbf, ..]
                | [0xef, 0xbf, 0xbe | 0xbf, ..],
            )
        )
    };
    let (blocks, _) = text.as_bytes().as_chunks::<BLOCK>();
    let are_printable = blocks.iter().enumerate().all(|(number, block)| {
        is_plain(block) || !(number * BLOCK..(number + 1) * BLOCK).any(is_forbidden)
    });
    are_printable && !(blocks.len() * BLOCK..text.len()).any(is_forbidden)
}
