use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use crate::Span;

/// The decoded text of a string, with the position of each of its bytes in the file.
#[derive(Clone, Debug)]
pub struct DecodedText<'a> {
    decoded: Cow<'a, str>,
    /// The offset in the file of the first character between the quotes.
    start: u32,
    /// The source with its escapes, if that is JSON.
    escaped: &'a str,
    /// The runs of the decoded text, in order; empty if it equals the source. Those of JSON are found when a position is asked
    /// for, because most texts are read and never reported.
    runs: OnceLock<Cow<'a, [Run]>>,
}

/// Decoded bytes that come from one range of the file.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first decoded byte.
    decoded: u32,
    /// The first byte in the file.
    source: u32,
    /// Zero if the bytes of the run equal the source; otherwise the length of the whole run in the file, or
    /// [`UNSPELLED`].
    escape: u32,
}

/// The run is not in the file: a line break that a format adds at the end of the file.
const UNSPELLED: u32 = u32::MAX;

impl<'a> DecodedText<'a> {
    /// Decodes the text between the quotes of a JSON string. `start` is its offset in the file.
    pub(crate) fn decode(inner: &'a str, start: u32, escaped: bool) -> Self {
        let (decoded, escaped) =
            if escaped { (Cow::Owned(unescape(inner)), inner) } else { (Cow::Borrowed(inner), "") };
        Self { decoded, start, escaped, runs: OnceLock::new() }
    }

    fn runs(&self) -> &[Run] {
        self.runs.get_or_init(|| {
            let mut text = TextBuilder::at(self.start);
            let mut source = self.start;
            for part in parts(self.escaped) {
                match part {
                    Segment::Plain(plain) => {
                        text.plain(source, plain);
                        source += plain.len() as u32;
                    }
                    Segment::Escape { character, length } => {
                        let span = Span::new(source, source + length as u32);
                        text.spelled(character.encode_utf8(&mut [0; 4]), span);
                        source = span.end;
                    }
                }
            }
            Cow::Owned(text.runs)
        })
    }

    /// The same text, without a copy of it.
    pub(crate) fn lend(&self) -> DecodedText<'_> {
        DecodedText {
            decoded: Cow::Borrowed(&self.decoded),
            start: self.start,
            escaped: self.escaped,
            runs: OnceLock::from(Cow::Borrowed(self.runs())),
        }
    }

    /// The same text, with a copy of it.
    #[cfg(feature = "yaml")]
    pub(crate) fn into_owned(self) -> DecodedText<'static> {
        let runs = Cow::Owned(self.runs().to_vec());
        DecodedText {
            decoded: Cow::Owned(self.decoded.into_owned()),
            start: self.start,
            escaped: "",
            runs: OnceLock::from(runs),
        }
    }

    /// The decoded text.
    pub fn as_str(&self) -> &str {
        &self.decoded
    }

    /// The bytes of the file that correspond to a range of decoded bytes. A range that touches an escape includes the
    /// whole escape. A range past the end is cut off.
    ///
    /// ```
    /// use voxlint_syntax::{Format, Span, parse};
    ///
    /// let parsed = parse(r#""a\n\ud83d\ude00b""#, Format::Json);
    /// let text = parsed.documents[0].root().and_then(|root| root.text()).expect("a string");
    /// assert_eq!(text.as_str(), "a\n😀b");
    /// assert_eq!(text.to_source(1..2), Span::new(2, 4));
    /// assert_eq!(text.to_source(2..6), Span::new(4, 16));
    /// assert_eq!(text.to_source(6..7), Span::new(16, 17));
    /// ```
    pub fn to_source(&self, range: Range<usize>) -> Span {
        let start = range.start.min(self.decoded.len());
        let end = range.end.clamp(start, self.decoded.len());
        let from = self.place(start as u32).0;
        if start == end {
            return Span::at(from);
        }
        let last = self.place(end as u32 - 1).1;
        Span::new(from, last.max(from))
    }

    /// The parts of the file that spell a range of decoded bytes, in the order of the text: without what is between them, such as
    /// the indentation of the lines of a block. A part that touches an escape includes the whole escape.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let source = "- |\n  one\n  two\n";
    /// let parsed = parse(source, Format::Yaml);
    /// let item = parsed.documents[0].root().and_then(|root| root.elements().next()).expect("an item");
    /// let parts = item.text().expect("a string").to_source_parts(1..6);
    /// assert_eq!(parts.iter().map(|part| part.slice(source)).collect::<Vec<_>>(), ["ne\n", "tw"]);
    /// # }
    /// ```
    pub fn to_source_parts(&self, range: Range<usize>) -> Vec<Span> {
        let start = range.start.min(self.decoded.len()) as u32;
        let end = range.end.min(self.decoded.len()) as u32;
        let runs = self.runs();
        if runs.is_empty() {
            let part = Span::new(self.start + start, self.start + end);
            return if start < end { vec![part] } else { Vec::new() };
        }
        let first = runs.partition_point(|run| run.decoded <= start).saturating_sub(1);
        let mut parts: Vec<Span> = Vec::new();
        for (run, at) in runs.iter().skip(first).zip(first + 1..) {
            let run_end = runs.get(at).map_or(self.decoded.len() as u32, |next| next.decoded);
            let (from, to) = (start.max(run.decoded), end.min(run_end));
            if run.decoded >= end {
                break;
            }
            if from >= to || run.escape == UNSPELLED {
                continue;
            }
            let part = if run.escape == 0 {
                Span::new(run.source + (from - run.decoded), run.source + (to - run.decoded))
            } else {
                Span::new(run.source, run.source + run.escape)
            };
            match parts.last_mut() {
                Some(last) if last.end == part.start => last.end = part.end,
                _ => parts.push(part),
            }
        }
        parts
    }

    /// The range in the file of a decoded byte.
    fn place(&self, decoded: u32) -> (u32, u32) {
        let runs = self.runs();
        let after = runs.partition_point(|run| run.decoded <= decoded);
        let Some(run) = after.checked_sub(1).and_then(|at| runs.get(at)) else {
            return (self.start + decoded, self.start + decoded + 1);
        };
        let into = decoded - run.decoded;
        if run.escape == 0 {
            (run.source + into, run.source + into + 1)
        } else if run.escape == UNSPELLED {
            (run.source, run.source)
        } else if decoded as usize == self.decoded.len() {
            // The end of the text, after an escape.
            (run.source + run.escape, run.source + run.escape)
        } else {
            (run.source, run.source + run.escape)
        }
    }
}

/// A decoded text under construction.
#[derive(Debug)]
pub(crate) struct TextBuilder {
    decoded: String,
    #[cfg_attr(
        not(any(feature = "yaml", feature = "toml")),
        expect(dead_code, reason = "only texts of these formats are built whole")
    )]
    start: u32,
    runs: Vec<Run>,
}

impl TextBuilder {
    /// Starts a text at an offset of the file.
    pub(crate) const fn at(start: u32) -> Self {
        Self { decoded: String::new(), start, runs: Vec::new() }
    }

    /// Adds characters that equal the source, which begins at `source`.
    pub(crate) fn plain(&mut self, source: u32, text: &str) {
        if !text.is_empty() {
            self.runs.push(Run { decoded: self.decoded.len() as u32, source, escape: 0 });
            self.decoded.push_str(text);
        }
    }

    /// Adds characters that differ from the source, which is the whole span.
    pub(crate) fn spelled(&mut self, text: &str, source: Span) {
        if !text.is_empty() {
            let decoded = self.decoded.len() as u32;
            let escape = if source.is_empty() { UNSPELLED } else { source.len() };
            self.runs.push(Run { decoded, source: source.start, escape });
            self.decoded.push_str(text);
        }
    }

    #[cfg(any(feature = "yaml", feature = "toml"))]
    pub(crate) fn finish(self) -> DecodedText<'static> {
        let Self { decoded, start, runs } = self;
        let runs = OnceLock::from(Cow::Owned(runs));
        DecodedText { decoded: Cow::Owned(decoded), start, escaped: "", runs }
    }
}

/// The text between the quotes of a JSON string, without its escapes.
pub(crate) fn unescape(inner: &str) -> String {
    let mut decoded = String::with_capacity(inner.len());
    for part in parts(inner) {
        match part {
            Segment::Plain(plain) => decoded.push_str(plain),
            Segment::Escape { character, .. } => decoded.push(character),
        }
    }
    decoded
}

/// A part of the text between the quotes of a JSON string.
enum Segment<'a> {
    /// Text without escapes.
    Plain(&'a str),
    /// The character of an escape, and the length of the escape.
    Escape { character: char, length: usize },
}

/// The parts of the text between the quotes of a JSON string, in order.
fn parts(mut rest: &str) -> impl Iterator<Item = Segment<'_>> {
    std::iter::from_fn(move || match rest.as_bytes() {
        [] => None,
        [b'\\', ..] => {
            let (character, length) = decode_escape(rest);
            rest = rest.get(length..).unwrap_or_default();
            Some(Segment::Escape { character, length })
        }
        bytes => {
            let length = memchr::memchr(b'\\', bytes).unwrap_or(bytes.len());
            let (plain, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(Segment::Plain(plain))
        }
    })
}

/// The character of an escape and the length of the escape. An invalid escape is kept as text, because the parser has
/// reported it, except for `\\'`, which means the same in every language that has it.
fn decode_escape(text: &str) -> (char, usize) {
    let character = match text.as_bytes().get(1) {
        Some(kind @ (b'"' | b'\\' | b'/' | b'\'')) => char::from(*kind),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unescape_unicode(text),
        _ => return ('\\', 1),
    };
    (character, 2)
}

fn unescape_unicode(text: &str) -> (char, usize) {
    let Some(unit) = code_unit(text.as_bytes()) else { return ('\\', 1) };
    if let Some(character) = char::from_u32(unit) {
        return (character, 6);
    }
    let low =
        text.as_bytes().get(6..).and_then(code_unit).filter(|low| (0xdc00..0xe000).contains(low));
    match low {
        Some(low) if unit < 0xdc00 => {
            let point = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        _ => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// The UTF-16 unit of the `\u` escape at the start of a text.
pub(crate) fn code_unit(text: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = text else { return None };
    digits
        .first_chunk::<4>()?
        .iter()
        .try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}
