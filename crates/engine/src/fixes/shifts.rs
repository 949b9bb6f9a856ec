//! Where the bytes of a text are after some edits of it.

use voxlint_syntax::{Span, TextEdit};

/// The edits of a text, with what those before each of them add and remove, so that a place is found by a binary search.
#[derive(Debug, Default)]
pub(super) struct Shifts {
    /// Sorted, and none overlaps another one.
    edits: Vec<TextEdit>,
    /// For each edit, and for the end of the text: how many bytes the edits before it add and remove.
    before: Vec<Shift>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    added: u32,
    removed: u32,
}

impl Shifts {
    /// `None` if an edit overlaps another one. They are sorted by their spans, and those of one fix may touch.
    pub(super) fn new(edits: Vec<TextEdit>) -> Option<Self> {
        if !edits.is_sorted_by(|a, b| a.span.end <= b.span.start) {
            return None;
        }
        let mut before = Vec::with_capacity(edits.len() + 1);
        let mut shift = Shift::default();
        before.push(shift);
        for edit in &edits {
            shift.added += edit.text.len() as u32;
            shift.removed += edit.span.len();
            before.push(shift);
        }
        Some(Self { edits, before })
    }

    /// Where a byte is after the edits. `after_insertion`: an insertion at the byte itself is before it.
    pub(super) fn moved(&self, offset: u32, after_insertion: bool) -> u32 {
        let is_before = |edit: &TextEdit| {
            let Span { start, end } = edit.span;
            end < offset || (end == offset && (start < end || after_insertion))
        };
        let count = self.edits.partition_point(is_before);
        let Shift { added, removed } = self.before.get(count).copied().unwrap_or_default();
        // Only the next edit can replace the byte.
        let inside = self.edits.get(count).map_or(0, |next| offset.saturating_sub(next.span.start));
        (offset + added).saturating_sub(removed + inside)
    }

    /// The edit that replaces a byte.
    pub(super) fn around(&self, offset: u32) -> Option<&TextEdit> {
        let at = self.edits.partition_point(|edit| edit.span.end <= offset);
        self.edits.get(at).filter(|edit| edit.span.start <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_moves_with_the_text_before_it() {
        let edits = vec![TextEdit::new(Span::new(2, 4), "x"), TextEdit::new(Span::at(8), "new")];
        let shifts = Shifts::new(edits).unwrap();
        assert_eq!(shifts.moved(1, false), 1);
        assert_eq!(shifts.moved(3, false), 2);
        assert_eq!(shifts.moved(4, false), 3);
        assert_eq!((shifts.moved(8, false), shifts.moved(8, true)), (7, 10));
        assert_eq!(shifts.moved(9, false), 11);
        assert_eq!(Shifts::default().moved(9, true), 9);
    }

    #[test]
    fn edits_that_overlap_have_no_shifts() {
        let edit = |start, end| TextEdit::new(Span::new(start, end), "x");
        assert!(Shifts::new(vec![edit(2, 4), edit(3, 5)]).is_none());
        assert!(Shifts::new(vec![edit(2, 4), edit(4, 5)]).is_some());
    }

    #[test]
    fn the_edit_around_a_byte_is_found() {
        let edits = [(2, 4), (4, 4), (4, 6), (9, 9)];
        let edits = edits.map(|(start, end)| TextEdit::new(Span::new(start, end), "x")).to_vec();
        let shifts = Shifts::new(edits).unwrap();
        let around = |offset| shifts.around(offset).map(|edit| edit.span);
        assert_eq!([1, 6, 8, 9].map(around), [None; 4]);
        assert_eq!([2, 3].map(around), [Some(Span::new(2, 4)); 2]);
        assert_eq!([4, 5].map(around), [Some(Span::new(4, 6)); 2]);
    }

    /// What the binary search finds is what adding up all edits gives.
    #[test]
    fn every_place_is_where_applying_the_edits_leaves_it() {
        let text = "abcdefghijklmnop";
        let edits =
            [(0, 0, "1"), (1, 3, ""), (3, 3, "23"), (3, 5, "4"), (8, 9, "567"), (16, 16, "8")];
        let edits =
            edits.map(|(start, end, new)| TextEdit::new(Span::new(start, end), new)).to_vec();
        let edited = voxlint_syntax::edit::apply(text, &edits).unwrap();
        let shifts = Shifts::new(edits).unwrap();
        for (byte, offset) in text.bytes().zip(0..) {
            if shifts.around(offset).is_none() {
                let now = shifts.moved(offset, true) as usize;
                assert_eq!(edited.get(now), Some(&byte), "{offset}");
            }
        }
    }
}
