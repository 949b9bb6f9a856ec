//! Reads a file with one document per line in bounded memory.

use std::io::{self, Read};
use std::mem;
use std::ops::Range;

use voxlint::syntax::{MAX_LINE, SyntaxErrorKind, decode};
use voxlint::{DocumentPosition, Source};

use crate::buffer::Buffer;

/// How many bytes are read at once: so few that they stay in the cache of a core until they are checked. The findings in them
/// are kept until they have been written, and a finding takes more memory than its line.
const CHUNK: usize = 256 << 10;

/// The largest number of lines in a batch.
const MAX_LINES: usize = 4096;

/// Reads the lines of a file in batches.
pub(crate) struct LineReader<R> {
    input: R,
    /// The bytes that were read and not returned.
    buffer: Buffer,
    /// How many of them are whole lines.
    whole: usize,
    /// The offset in the file of the first byte of the buffer.
    offset: u64,
    /// How many lines were returned.
    line: u64,
    /// How many documents were returned.
    index: u64,
    state: LineState,
    /// Whether lines are returned as soon as they are there, and not kept until there are many.
    is_live: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineState {
    New,
    Reading,
    /// Inside a line that is too long. Its beginning has been returned, and the rest is skipped.
    Skipping,
    Ended,
}

/// A line that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The number of its document in the file, counted from 0.
    pub(crate) index: u64,
    /// How many lines of the file come before it.
    pub(crate) lines_before: u64,
    /// The offset in the file of its first byte.
    pub(crate) offset: u64,
    /// Its range in the bytes of the batch, without the line break.
    range: Range<usize>,
}

/// The documents of a text with one document per line, as they are read from a file: each with its position, not parsed yet.
///
/// ```
/// use voxlint_project::split_lines;
///
/// let lines = split_lines(b"{ \"version_number\": 3 }\n\n{ \"version_number\": 4 }\n");
/// let numbers: Vec<u64> = lines.iter().map(|(position, _)| position.line).collect();
/// assert_eq!(numbers, [1, 3]);
/// ```
pub fn split_lines(bytes: &[u8]) -> Vec<(DocumentPosition, Source)> {
    let mut reader = LineReader::new(bytes);
    let mut all = Vec::new();
    // Reading from memory cannot fail.
    while let Ok(Some(batch)) = reader.next_batch() {
        let lines = batch.lines.iter();
        all.extend(lines.map(|line| (line.position(), Source::line(batch.bytes(line)))));
    }
    all
}

/// Consecutive lines of a file.
pub(crate) struct Batch {
    buffer: Buffer,
    pub(crate) lines: Vec<Line>,
}

impl Line {
    /// The position of its document in the file.
    pub(crate) fn position(&self) -> DocumentPosition {
        DocumentPosition {
            index: self.index,
            line: self.lines_before + 1,
            bytes_before: self.offset,
            lines_before: self.lines_before,
        }
    }
}

impl Batch {
    /// The bytes of a line, without its line break.
    pub(crate) fn bytes(&self, line: &Line) -> &[u8] {
        self.buffer.bytes().get(line.range.clone()).unwrap_or_default()
    }

    /// The line break after a line: empty at the end of the file.
    pub(crate) fn line_break(&self, line: &Line) -> &'static str {
        match self.buffer.bytes().get(line.range.end..).unwrap_or_default() {
            [b'\n', ..] => "\n",
            [b'\r', b'\n', ..] => "\r\n",
            [b'\r'] => "\r",
            _ => "",
        }
    }
}

impl<R: Read> LineReader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            buffer: Buffer::default(),
            whole: 0,
            offset: 0,
            line: 0,
            index: 0,
            state: LineState::New,
            is_live: false,
        }
    }

    /// A reader of a stream whose sender may wait for the results of a line before it sends the next one.
    pub(crate) fn live(input: R) -> Self {
        Self { is_live: true, ..Self::new(input) }
    }

    /// Reads the next lines; `None` at the end of the file.
    ///
    /// Of a line that is longer than [`MAX_LINE`] bytes, only the beginning is returned. It is longer than [`MAX_LINE`] as well.
    pub(crate) fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        let mut batch = Batch { buffer: Buffer::default(), lines: Vec::new() };
        while batch.lines.is_empty() {
            if self.whole == 0 && !self.fill()? {
                return Ok(None);
            }
            let taken = self.split(&mut batch.lines);
            // The batch takes the buffer, and leaves the rest.
            let mut rest = Buffer::default();
            rest.extend(self.buffer.bytes().get(taken..).unwrap_or_default());
            batch.buffer = mem::replace(&mut self.buffer, rest);
            self.offset += taken as u64;
            self.whole -= taken;
        }
        Ok(Some(batch))
    }

    /// How many documents were returned.
    pub(crate) fn count(&self) -> u64 {
        self.index
    }

    /// Adds whole lines of the buffer to `lines`. Returns how many bytes they take.
    fn split(&mut self, lines: &mut Vec<Line>) -> usize {
        let mut taken = 0;
        let whole = self.buffer.bytes().get(..self.whole).unwrap_or_default();
        while let Some(rest) = whole.get(taken..).filter(|rest| !rest.is_empty())
            && lines.len() < MAX_LINES
        {
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..length).unwrap_or_default();
            if !line.trim_ascii().is_empty() {
                let length = line.strip_suffix(b"\r").unwrap_or(line).len();
                lines.push(Line {
                    index: self.index,
                    lines_before: self.line,
                    offset: self.offset + taken as u64,
                    range: taken..taken + length,
                });
                self.index += 1;
            }
            self.line += 1;
            taken = (taken + length + 1).min(self.whole);
        }
        taken
    }

    /// Reads until there is a whole line to return; `false` at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        let mut searched = 0;
        loop {
            let bytes = self.buffer.bytes();
            if bytes.len() >= CHUNK || self.is_live || self.state == LineState::Ended {
                let found = bytes.get(searched..).and_then(|new| memchr::memrchr(b'\n', new));
                let length = bytes.len();
                self.whole = found.map_or(0, |at| searched + at + 1);
                if self.state == LineState::Ended || (found.is_none() && self.is_too_long()) {
                    self.whole = length;
                }
                if self.whole > 0 || self.state == LineState::Ended {
                    return Ok(self.whole > 0);
                }
                searched = length;
            }
            self.read()?;
            if self.state == LineState::Skipping {
                self.skip();
            }
        }
    }

    /// Whether the buffer contains the beginning of a line that is too long. Its line break may take two bytes.
    fn is_too_long(&mut self) -> bool {
        let is = self.buffer.bytes().len() > MAX_LINE + 1;
        if is {
            self.state = LineState::Skipping;
        }
        is
    }

    /// Skips the rest of a line that is too long. Its line break has been counted already.
    fn skip(&mut self) {
        let end = memchr::memchr(b'\n', self.buffer.bytes());
        let length = end.map_or(self.buffer.bytes().len(), |at| at + 1);
        self.buffer.remove(length);
        self.offset += length as u64;
        if end.is_some() {
            self.state = LineState::Reading;
        }
    }

    /// Reads the next bytes of the file.
    fn read(&mut self) -> io::Result<()> {
        let count = self.buffer.read(&mut self.input, CHUNK)?;
        if self.state == LineState::New && is_utf16(self.buffer.bytes()) {
            // The beginning is enough to report the encoding. Without line break bytes it is one line.
            self.buffer.retain(|byte| *byte != b'\n');
            self.state = LineState::Ended;
        } else if count == 0 {
            self.state = LineState::Ended;
        } else if self.state == LineState::New {
            self.state = LineState::Reading;
        }
        Ok(())
    }
}

/// Whether a file begins like UTF-16, whose lines cannot be split at single bytes.
fn is_utf16(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(64)).unwrap_or_default();
    decode(head).errors.first().is_some_and(|error| error.kind == SyntaxErrorKind::Utf16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            let (now, later) = self.0.split_at(count);
            into[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn all(input: impl Read) -> Vec<(u64, u64, u64, usize)> {
        let mut reader = LineReader::new(input);
        let mut all = Vec::new();
        while let Some(batch) = reader.next_batch().unwrap() {
            assert!(batch.lines.len() <= MAX_LINES);
            for line in &batch.lines {
                all.push((line.index, line.lines_before, line.offset, batch.bytes(line).len()));
            }
        }
        all
    }

    #[test]
    fn blank_lines_are_skipped_and_counted() {
        let text = b"\n{}\r\n \t\r\n\r\n[1]\nnull";
        for pace in [1, 3, 1000] {
            let expected = [(0, 1, 1, 2), (1, 4, 11, 3), (2, 5, 15, 4)];
            assert_eq!(all(Slow(text, pace)), expected, "{pace}");
        }
        assert_eq!(all(&b""[..]), []);
        assert_eq!(all(&b"\n\n"[..]), []);
        assert_eq!(all(&b"{}\n"[..]), [(0, 0, 0, 2)]);
    }

    #[test]
    fn lines_are_found_across_chunks() {
        let line = |number: usize| format!("\"{}\"", "x".repeat(number * 7919 % 3000));
        let text: String = (0..1000).map(|number| line(number) + "\n").collect();
        let mut offset = 0;
        let expected: Vec<_> = (0..1000)
            .map(|number| {
                let start = offset;
                offset += line(number).len() as u64 + 1;
                (number as u64, number as u64, start, line(number).len())
            })
            .collect();
        assert_eq!(all(text.as_bytes()), expected);
        assert_eq!(all(Slow(text.as_bytes(), 70_001)), expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_found() {
        let just = "x".repeat(MAX_LINE);
        let text = format!("{{}}\n{just}\r\n{just}xy{just}\n[]\n");
        let lines = all(text.as_bytes());
        let length = MAX_LINE as u64;
        assert_eq!(lines[..2], [(0, 0, 0, 2), (1, 1, 3, MAX_LINE)]);
        let (index, line, offset, size) = lines[2];
        assert_eq!((index, line, offset), (2, 2, 5 + length));
        assert!(size > MAX_LINE && size <= MAX_LINE + 2 * CHUNK, "{size}");
        assert_eq!(lines[3..], [(3, 3, 5 + length + 2 * length + 3, 2)]);
    }

    #[test]
    fn each_line_has_its_own_line_break() {
        let text = b"{}\r\n[]\n\n{}\r\r\n[]\r";
        for pace in [1, 1000] {
            let mut reader = LineReader::new(Slow(text, pace));
            let mut all = Vec::new();
            while let Some(batch) = reader.next_batch().unwrap() {
                let lines = batch.lines.iter();
                all.extend(lines.map(|line| (batch.bytes(line).to_vec(), batch.line_break(line))));
            }
            let expected = [("{}", "\r\n"), ("[]", "\n"), ("{}\r", "\r\n"), ("[]", "\r")];
            assert_eq!(all, expected.map(|(line, end)| (line.as_bytes().to_vec(), end)), "{pace}");
        }
    }

    #[test]
    fn lines_of_a_live_stream_are_returned_as_soon_as_they_are_there() {
        let text = "{\"a\":1}\r\n\n[1]\n[\"half\"]\n[2]\n[3]\n[4]";
        let mut pieces = [8, 2, 1, 4, 3, 13, 3].into_iter();
        let mut rest = text.as_bytes();
        let read = std::cell::Cell::new(0);
        let input = ReadPieces(|into: &mut [u8]| {
            let count = pieces.next().unwrap_or(0).min(rest.len());
            let (now, later) = rest.split_at(count);
            into[..count].copy_from_slice(now);
            rest = later;
            read.set(read.get() + count);
            count
        });
        let mut lines = LineReader::live(input);
        let mut found = Vec::new();
        while let Some(batch) = lines.next_batch().unwrap() {
            let texts = batch.lines.iter().map(|line| batch.bytes(line).to_vec());
            found.push((texts.collect::<Vec<_>>(), read.get()));
        }
        // The lines, how much has been read when they are returned.
        let expected = [
            (&["{\"a\":1}"][..], 10),
            (&["[1]"], 15),
            (&["[\"half\"]", "[2]", "[3]"], 31),
            (&["[4]"], 34),
        ];
        let bytes = |texts: &[&str]| texts.iter().map(|it| it.as_bytes().to_vec()).collect();
        let wanted: Vec<(Vec<Vec<u8>>, usize)> =
            expected.iter().map(|(texts, read)| (bytes(texts), *read)).collect();
        assert_eq!(found, wanted);
        assert_eq!(lines.count(), 6);
    }

    /// Calls a function for each read.
    struct ReadPieces<F>(F);

    impl<F: FnMut(&mut [u8]) -> usize> Read for ReadPieces<F> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            Ok((self.0)(into))
        }
    }

    #[test]
    fn utf16_has_no_lines() {
        let text: Vec<u8> = "{}\n{}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(all(text.as_slice()), [(0, 0, 0, 10)]);
    }
}
