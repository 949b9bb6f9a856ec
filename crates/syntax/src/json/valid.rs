//! The reader for valid JSON, which most documents are.
//!
//! It has no states and no errors: at the first byte that is not plain JSON it gives up, and the other reader reads the text
//! from the start. So what it accepts, it reads as the other one would, only faster.

use super::scan::{digits_end, plain_end, space_end};
use crate::MAX_DEPTH;
use crate::text::code_unit;
use crate::tree::{ESCAPED, PLAIN_ESCAPES, RawNode, Tag};

/// What a text in plain JSON contains.
pub(super) struct Valid {
    pub(super) nodes: Vec<RawNode>,
    /// Whether the letters of all strings are written as themselves.
    pub(super) is_as_written: bool,
}

/// The number of nodes of pretty-printed documents, so that the vector of nodes rarely grows.
pub(super) const fn expected_nodes(text: &str) -> usize {
    text.len() / 24 + 4
}

/// Reads a text that is one value in plain JSON, without a byte order mark and unpaired surrogates, and not nested too deep; `None`
/// for any other text.
pub(super) fn read(text: &str) -> Option<Valid> {
    let bytes = text.as_bytes();
    let mut nodes = Nodes::new(text);
    let mut at = space_end(bytes, 0);
    loop {
        // A value begins here.
        match *bytes.get(at)? {
            b'"' => at = nodes.string(bytes, Tag::String, at)?,
            b'{' => {
                nodes.open(Tag::Object, at)?;
                at = space_end(bytes, at + 1);
                if bytes.get(at) != Some(&b'}') {
                    at = nodes.key(bytes, at)?;
                    continue;
                }
            }
            b'[' => {
                nodes.open(Tag::Array, at)?;
                at = space_end(bytes, at + 1);
                if bytes.get(at) != Some(&b']') {
                    continue;
                }
            }
            b'-' | b'0'..=b'9' => at = nodes.add(Tag::Number, 0, at, number_end(bytes, at)?),
            b't' => at = nodes.literal(bytes, Tag::True, at, b"true")?,
            b'f' => at = nodes.literal(bytes, Tag::False, at, b"false")?,
            b'n' => at = nodes.literal(bytes, Tag::Null, at, b"null")?,
            _ => return None,
        }
        // A value has ended here, or a container is empty. Whatever continues a number or a word is found here, too.
        loop {
            at = space_end(bytes, at);
            let Some(inside) = nodes.inside else {
                return (at == bytes.len())
                    .then_some(Valid { nodes: nodes.all, is_as_written: nodes.are_as_written });
            };
            match (*bytes.get(at)?, inside) {
                (b',', Tag::Object) => {
                    at = nodes.key(bytes, space_end(bytes, at + 1))?;
                    break;
                }
                (b',', _) => {
                    at = space_end(bytes, at + 1);
                    break;
                }
                (b'}', Tag::Object) | (b']', Tag::Array) => {
                    at += 1;
                    nodes.close(at);
                }
                _ => return None,
            }
        }
    }
}

/// The nodes read so far.
struct Nodes {
    all: Vec<RawNode>,
    /// The numbers of the open containers.
    open: Vec<u32>,
    /// What the innermost open container is.
    inside: Option<Tag>,
    /// Whether no escape in a string may spell a letter.
    are_as_written: bool,
}

impl Nodes {
    fn new(text: &str) -> Self {
        Self {
            all: Vec::with_capacity(expected_nodes(text)),
            open: Vec::new(),
            inside: None,
            are_as_written: true,
        }
    }

    /// Adds a scalar or a key, and returns its end.
    #[inline]
    fn add(&mut self, tag: Tag, flags: u8, start: usize, end: usize) -> usize {
        let next = self.all.len() as u32 + 1;
        self.all.push(RawNode {
            start: start as u32,
            end: end as u32,
            next,
            tag,
            flags,
            name_id: 0,
        });
        end
    }

    fn open(&mut self, tag: Tag, at: usize) -> Option<()> {
        if self.open.len() >= MAX_DEPTH {
            return None;
        }
        self.open.push(self.all.len() as u32);
        self.inside = Some(tag);
        // The end is set by the closing bracket.
        self.add(tag, 0, at, at + 1);
        Some(())
    }

    fn close(&mut self, end: usize) {
        let next = self.all.len() as u32;
        if let Some(node) = self.open.pop().and_then(|id| self.all.get_mut(id as usize)) {
            (node.end, node.next) = (end as u32, next);
        }
        self.inside = self.open.last().and_then(|id| self.all.get(*id as usize)).map(|it| it.tag);
    }

    /// Reads a key and its colon, and returns where the value begins.
    #[inline]
    fn key(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let end = self.string(bytes, Tag::Key, at)?;
        let colon = space_end(bytes, end);
        (bytes.get(colon) == Some(&b':')).then(|| space_end(bytes, colon + 1))
    }

    /// Reads a string, and returns its end.
    #[inline]
    fn string(&mut self, bytes: &[u8], tag: Tag, start: usize) -> Option<usize> {
        let at = plain_end(bytes, start + 1);
        if bytes.get(at) == Some(&b'"') {
            return Some(self.add(tag, 0, start, at + 1));
        }
        self.escaped(bytes, tag, start, at)
    }

    /// Reads the rest of a string with escapes, the first of which is at an offset.
    // Most strings have none. Without this code between theirs, they are read faster.
    #[inline(never)]
    fn escaped(&mut self, bytes: &[u8], tag: Tag, start: usize, mut at: usize) -> Option<usize> {
        let mut flags = ESCAPED | PLAIN_ESCAPES;
        while bytes.get(at) != Some(&b'"') {
            let escape = Escape::at(bytes, at)?;
            if !escape.is_plain {
                flags = ESCAPED;
                self.are_as_written = false;
            }
            at = plain_end(bytes, escape.end);
        }
        Some(self.add(tag, flags, start, at + 1))
    }

    #[inline]
    fn literal(&mut self, bytes: &[u8], tag: Tag, at: usize, word: &[u8]) -> Option<usize> {
        let end = at + word.len();
        (bytes.get(at..end) == Some(word)).then(|| self.add(tag, 0, at, end))
    }
}

/// An escape in a string.
struct Escape {
    end: usize,
    /// Whether it stands for a control character, a quote, a backslash or a character beyond ASCII.
    is_plain: bool,
}

impl Escape {
    /// The escape at an offset; `None` if there is no valid escape there.
    #[inline]
    fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let escape = bytes.get(at..)?;
        let (length, is_plain) = match escape {
            [b'\\', b'"' | b'\\' | b'n' | b'r' | b't' | b'b' | b'f', ..] => (2, true),
            [b'\\', b'/', ..] => (2, false),
            [b'\\', b'u', ..] => match code_unit(escape)? {
                0xd800..0xdc00 => {
                    let low = escape.get(6..).and_then(code_unit)?;
                    ((0xdc00..0xe000).contains(&low).then_some(12)?, true)
                }
                0xdc00..0xe000 => return None,
                unit => (6, !(0x20..0x7f).contains(&unit)),
            },
            _ => return None,
        };
        Some(Self { end: at + length, is_plain })
    }
}

/// The end of the number at an offset; `None` if there is none. What follows it is not looked at.
#[inline]
fn number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let whole = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut end = match bytes.get(whole) {
        Some(b'0') => whole + 1,
        _ => digits_end(bytes, whole)?,
    };
    if bytes.get(end) == Some(&b'.') {
        end = digits_end(bytes, end + 1)?;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = digits_end(bytes, end + 1 + sign)?;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_json_is_accepted() {
        for text in [
            " {} ",
            "[[], {}, [{}]]",
            "\r\n{\t\"a\" : [ 1 , -2.50 , 3E+2, 0, -0.0e-0 ] ,\n\"b\":true}",
            r#"["\"\\\/\b\f\n\r\t", "\u0041\ud83d\ude00\uD83D\uDE00", "é 🎧"]"#,
            "\"text\"",
            "null",
            "-1",
        ] {
            assert!(read(text).is_some(), "{text}");
        }
        let deepest = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert_eq!(read(&deepest).map(|valid| valid.nodes.len()), Some(MAX_DEPTH));
    }

    #[test]
    fn any_other_text_is_left_to_the_reader_that_recovers() {
        for text in [
            "",
            "\u{feff}{}",
            "{",
            "[}",
            "{]",
            "[] []",
            "[,]",
            "[1,]",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\":1 \"b\":2}",
            "[01]",
            "[1.]",
            "[.5]",
            "[-]",
            "[1e+]",
            "[1-2]",
            "[truex]",
            "[nul]",
            "[\"\n\"]",
            r#"["\x"]"#,
            r#"["\u00g0"]"#,
            r#"["\ud83d"]"#,
            r#"["\ude00"]"#,
            r#"["\ud83d\u0041"]"#,
            r#"["a]"#,
            "[1\u{a0}]",
            "[1] // why",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
        let too_deep = format!("{}{}", "[".repeat(MAX_DEPTH + 1), "]".repeat(MAX_DEPTH + 1));
        assert!(read(&too_deep).is_none());
    }
}
