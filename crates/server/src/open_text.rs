//! A text with its lines, in the positions of the client.

use std::sync::{Arc, OnceLock};

use voxlint::syntax::{LineIndex, Position, PositionEncoding};

const MARK: char = '\u{feff}';

/// A text with its lines.
#[derive(Clone, Debug)]
pub(crate) struct LinedText {
    text: Arc<str>,
    lines: Arc<OnceLock<LineIndex>>,
    encoding: PositionEncoding,
    /// Whether a byte order mark at the beginning is a character for the client: it is if the client sent it. Of a file, a
    /// client does not show it.
    counts_mark: bool,
}

impl LinedText {
    /// A text that the client sent.
    pub(crate) fn sent(text: impl Into<Arc<str>>, encoding: PositionEncoding) -> Self {
        let text = text.into();
        let counts_mark = text.starts_with(MARK);
        Self { text, lines: Arc::default(), encoding, counts_mark }
    }

    /// The text of a file.
    pub(crate) fn of_file(text: impl Into<Arc<str>>, encoding: PositionEncoding) -> Self {
        Self { counts_mark: false, ..Self::sent(text, encoding) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    pub(crate) const fn encoding(&self) -> PositionEncoding {
        self.encoding
    }

    pub(crate) fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The columns of a byte order mark in the first line.
    const fn mark_columns(&self) -> u32 {
        match self.encoding {
            _ if !self.counts_mark => 0,
            PositionEncoding::Utf8 => MARK.len_utf8() as u32,
            _ => 1,
        }
    }

    /// Whether an offset is inside a line break, where the protocol has no position.
    pub(crate) fn is_in_line_break(&self, offset: u32) -> bool {
        let bytes = self.text.as_bytes();
        let at = offset as usize;
        bytes.get(at) == Some(&b'\n') && at > 0 && bytes.get(at - 1) == Some(&b'\r')
    }

    /// The line and the column of an offset, both from 0.
    pub(crate) fn position(&self, offset: u32) -> (u32, u32) {
        let Position { line, column } = self.lines().position_in(&self.text, offset, self.encoding);
        let is_after_mark = line == 1 && offset as usize >= MARK.len_utf8();
        let mark = if is_after_mark { self.mark_columns() } else { 0 };
        (line.saturating_sub(1), column.saturating_sub(1) + mark)
    }

    /// The offset of a line and a column, both from 0. Past the end of a line it is that of its end, and past the last line
    /// that of the end of the text.
    pub(crate) fn offset(&self, line: u32, column: u32) -> u32 {
        let mark = if line == 0 { self.mark_columns() } else { 0 };
        if column < mark {
            return 0;
        }
        let at =
            Position { line: line.saturating_add(1), column: (column - mark).saturating_add(1) };
        let found = self.lines().offset_in(&self.text, at, self.encoding);
        let found = found.unwrap_or(self.text.len() as u32);
        // The first column is after a mark, even if the client does not count it.
        if line == 0 && self.text.starts_with(MARK) {
            found.max(MARK.len_utf8() as u32)
        } else {
            found
        }
    }

    /// The same text after changes, each of the text after those before it.
    pub(crate) fn edited<'a>(&self, changes: impl IntoIterator<Item = Change<'a>>) -> Self {
        let mut edited = Edited {
            starts: line_starts(&self.text),
            text: self.text.to_string(),
            encoding: self.encoding,
            counts_mark: self.counts_mark,
        };
        for change in changes {
            edited.apply(change);
        }
        Self::sent(edited.text, self.encoding)
    }
}

/// A change: the lines and columns of both ends of a part, or none for everything, and the new text.
pub(crate) type Change<'a> = (Option<((u32, u32), (u32, u32))>, &'a str);

/// A text while it is changed. An editor may send thousands of changes at once, so its lines are not counted again for each.
struct Edited {
    text: String,
    /// Where the lines start.
    starts: Vec<usize>,
    encoding: PositionEncoding,
    counts_mark: bool,
}

impl Edited {
    fn apply(&mut self, (range, new): Change<'_>) {
        if let Some((from, to)) = range {
            let (from, to) = (self.offset(from.0, from.1), self.offset(to.0, to.1));
            self.replace(from.min(to), from.max(to), new);
        } else {
            (self.text, self.starts) = (new.to_owned(), line_starts(new));
        }
        self.counts_mark = self.text.starts_with(MARK);
    }

    /// The offset of a position, which only the text of its line decides.
    fn offset(&self, line: u32, column: u32) -> usize {
        let Some(start) = self.starts.get(line as usize).copied() else { return self.text.len() };
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.text.len());
        let own = self.text.get(start..end).unwrap_or_default();
        // Only at the beginning of a text, the character is a mark.
        let pad = if line > 0 { "-" } else { "" };
        let padded = [pad, own].concat();
        let own = LinedText {
            counts_mark: self.counts_mark && line == 0,
            ..LinedText::sent(padded, self.encoding)
        };
        let at = own.offset(0, column.saturating_add(pad.len() as u32)) as usize;
        start + at.saturating_sub(pad.len())
    }

    fn replace(&mut self, from: usize, to: usize, new: &str) {
        let line_of = |at: usize| self.starts.partition_point(|start| *start <= at).max(1) - 1;
        // A line break may have been half of another one before the change, and may be after it.
        let (first, last) = (line_of(from.saturating_sub(1)), line_of(to + 1));
        let start = self.starts.get(first).copied().unwrap_or_default();
        let end = self.starts.get(last + 1).copied().unwrap_or(self.text.len());
        if self.text.get(from..to).is_none() {
            return;
        }
        self.text.replace_range(from..to, new);
        let moved = |at: usize| at + new.len() - (to - from);
        let lines = line_starts(self.text.get(start..moved(end)).unwrap_or_default());
        for later in self.starts.iter_mut().skip(last + 2) {
            *later = moved(*later);
        }
        let lines = lines.into_iter().map(|line| start + line);
        drop(self.starts.splice(first..(last + 2).min(self.starts.len()), lines));
    }
}

/// Where the lines of a text start.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end = |(at, byte): (usize, &u8)| match byte {
        b'\n' => Some(at + 1),
        b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
        _ => None,
    };
    std::iter::once(0).chain(bytes.iter().enumerate().filter_map(is_end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_zero_in_every_encoding() {
        let text = "{\r\n \"städte 🏙\": 1\r}";
        let one = text.find('1').unwrap_or_default() as u32;
        for (encoding, column) in [
            (PositionEncoding::Utf8, 17),
            (PositionEncoding::Utf16, 14),
            (PositionEncoding::Utf32, 13),
        ] {
            let lines = LinedText::sent(text, encoding);
            assert_eq!(lines.position(one), (1, column), "{encoding:?}");
            assert_eq!(lines.offset(1, column), one, "{encoding:?}");
            assert_eq!(lines.position(u32::MAX), (2, 1));
            assert_eq!(lines.offset(9, 0), text.len() as u32);
            assert_eq!(lines.offset(u32::MAX, u32::MAX), text.len() as u32);
            assert_eq!(lines.offset(0, u32::MAX), 1, "the end of the line, before its break");
        }
    }

    #[test]
    fn a_mark_that_the_client_sent_is_a_character() {
        for (encoding, column) in [(PositionEncoding::Utf8, 3), (PositionEncoding::Utf16, 1)] {
            let sent = LinedText::sent("\u{feff}{}", encoding);
            assert_eq!((sent.position(3), sent.offset(0, column)), ((0, column), 3));
            assert_eq!((sent.position(0), sent.offset(0, 0)), ((0, 0), 0));
            let read = LinedText::of_file("\u{feff}{}", encoding);
            assert_eq!((read.position(3), read.offset(0, 0)), ((0, 0), 3));
        }
    }

    #[test]
    fn changes_beyond_the_text_and_reversed_ones_change_what_is_there() {
        let text = LinedText::sent("ab\ncd", PositionEncoding::Utf16);
        let edited = |from, to, new| text.edited([(Some((from, to)), new)]).text().to_owned();
        assert_eq!(edited((0, 1), (1, 1), "-"), "a-d");
        assert_eq!(edited((1, 1), (0, 1), "-"), "a-d");
        assert_eq!(edited((0, 99), (9, 9), "-"), "ab-");
        assert_eq!(edited((7, 7), (9, 9), "-"), "ab\ncd-");
        assert_eq!(text.edited([(None, "x")]).text(), "x");
    }

    fn part(random: &mut impl FnMut(u32) -> u32, parts: &[&str]) -> String {
        (0..random(6)).map(|_| parts[random(9) as usize]).collect()
    }

    #[test]
    fn changes_at_once_are_changes_one_after_another() {
        let mut seed = 7_u32;
        let mut random = move |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        let parts = ["a", "\r", "\n", "\r\n", "🏙", "é", "\u{feff}", "", "b\nc"];
        for round in 0..2_000 {
            let encoding =
                [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32]
                    [round % 3];
            let text = LinedText::sent(part(&mut random, &parts), encoding);
            let changes: Vec<_> = (0..5)
                .map(|_| {
                    let new = part(&mut random, &parts);
                    (((random(4), random(5)), (random(4), random(5))), new)
                })
                .collect();
            let together = text.edited(changes.iter().map(|(range, new)| (Some(*range), &**new)));
            let mut one_by_one = text.clone();
            for ((from, to), new) in &changes {
                let at = |place: &(u32, u32)| one_by_one.offset(place.0, place.1) as usize;
                let (from, to) = (at(from).min(at(to)), at(from).max(at(to)));
                let mut text = one_by_one.text().to_owned();
                text.replace_range(from..to, new);
                one_by_one = LinedText::sent(text, encoding);
            }
            assert_eq!(together.text(), one_by_one.text(), "{changes:?}");
        }
    }
}
