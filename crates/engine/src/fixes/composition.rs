//! Edits of edits: several rounds of edits as one list of edits of the first text.

use voxlint_syntax::{Span, TextEdit};

/// A text that is edited several times: which of its bytes are those of the first text.
///
/// ```
/// use voxlint::fixes::Composition;
/// use voxlint::syntax::{Span, TextEdit};
///
/// let mut text = Composition::of("Be very kind.".len());
/// text.add(&[TextEdit::new(Span::new(3, 8), "")]);
/// text.add(&[TextEdit::new(Span::new(0, 0), "Do ")]);
/// // `kind` in `Do be kind.`
/// assert_eq!(text.origin(Span::new(6, 10)), Span::new(8, 12));
/// ```
#[derive(Clone, Debug)]
pub struct Composition {
    /// No piece of new text is beside another one.
    pieces: Vec<Placed>,
}

/// A piece, and the offset after it in the present text.
#[derive(Clone, Debug)]
struct Placed {
    piece: Piece,
    end: usize,
}

#[derive(Clone, Debug)]
enum Piece {
    /// Bytes of the first text.
    Kept(Span),
    /// New text, in place of what lies between its neighbours.
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Kept(span) => span.len() as usize,
            Self::New(text) => text.len(),
        }
    }

    /// The part of the piece from one byte to another.
    fn part(&self, from: usize, to: usize) -> Self {
        match self {
            Self::Kept(span) => {
                Self::Kept(Span::new(span.start + from as u32, span.start + to as u32))
            }
            Self::New(text) => Self::New(text.get(from..to).unwrap_or_default().to_owned()),
        }
    }
}

impl Composition {
    /// A text of this length in bytes, without edits.
    pub fn of(length: usize) -> Self {
        let piece = Piece::Kept(Span::new(0, length as u32));
        Self { pieces: vec![Placed { piece, end: length }] }
    }

    /// Adds edits of the text as it is now. They are sorted and do not overlap.
    pub fn add(&mut self, edits: &[TextEdit]) {
        let mut pieces = Vec::with_capacity(self.pieces.len() + 2 * edits.len());
        let (mut from, mut next) = (0, 0);
        for edit in edits {
            next = self.copy(from, edit.span.start as usize, next, &mut pieces);
            push(&mut pieces, Piece::New(edit.text.clone()));
            from = edit.span.end as usize;
        }
        self.copy(from, usize::MAX, next, &mut pieces);
        self.pieces = pieces;
    }

    /// Copies the pieces between two offsets of the present text. `first` is a piece that none of them is before. Returns the
    /// last one that was read.
    fn copy(&self, from: usize, to: usize, first: usize, pieces: &mut Vec<Placed>) -> usize {
        let mut at = first;
        while let Some(Placed { piece, end }) = self.pieces.get(at) {
            let start = end - piece.len();
            let (first, last) = (from.max(start), to.min(*end));
            if first < last {
                push(pieces, piece.part(first - start, last - start));
            }
            if to <= *end {
                break;
            }
            at += 1;
        }
        at
    }

    /// The place in the first text of a place in the present text. New text is where it was put.
    pub fn origin(&self, span: Span) -> Span {
        let (start, end) = (self.offset(span.start, false), self.offset(span.end, true));
        Span::new(start, end.max(start))
    }

    fn offset(&self, offset: u32, is_end: bool) -> u32 {
        let at = offset as usize;
        let is_before = |it: &Placed| it.end < at || (it.end == at && !is_end);
        let count = self.pieces.partition_point(is_before);
        let (before, rest) = self.pieces.split_at_checked(count).unwrap_or_default();
        for Placed { piece, end } in rest {
            match piece {
                Piece::Kept(span) => {
                    return span.start + at.saturating_sub(end - piece.len()) as u32;
                }
                Piece::New(_) if is_end => {}
                Piece::New(_) => break,
            }
        }
        let kept = before.iter().rev().find_map(|it| match &it.piece {
            Piece::Kept(span) => Some(span.end),
            Piece::New(_) => None,
        });
        kept.unwrap_or(0)
    }

    /// The edits of the first text that give the present one: sorted, and none touches another.
    pub(super) fn into_edits(self, length: usize) -> Vec<TextEdit> {
        let mut edits: Vec<TextEdit> = Vec::new();
        let (mut from, mut new) = (0, String::new());
        let end = Piece::Kept(Span::at(length as u32));
        for piece in self.pieces.into_iter().map(|it| it.piece).chain([end]) {
            match piece {
                Piece::New(text) => new.push_str(&text),
                Piece::Kept(span) => {
                    if span.start > from || !new.is_empty() {
                        edits.push(TextEdit::new(
                            Span::new(from, span.start),
                            std::mem::take(&mut new),
                        ));
                    }
                    from = span.end;
                }
            }
        }
        edits
    }
}

/// Adds a piece, as a part of the last one if it goes on there.
fn push(pieces: &mut Vec<Placed>, piece: Piece) {
    let length = piece.len();
    let start = pieces.last().map_or(0, |last| last.end);
    if let Some(last) = pieces.last_mut() {
        match (&mut last.piece, &piece) {
            (Piece::Kept(kept), Piece::Kept(span)) if kept.end == span.start => {
                kept.end = span.end;
                last.end += length;
                return;
            }
            (Piece::New(text), Piece::New(more)) => {
                text.push_str(more);
                last.end += length;
                return;
            }
            _ => {}
        }
    }
    pieces.push(Placed { piece, end: start + length });
}

#[cfg(test)]
mod tests {
    use super::*;
    use voxlint_syntax::edit::apply;

    fn text(bytes: Option<Vec<u8>>) -> String {
        String::from_utf8(bytes.expect("fitting edits")).expect("UTF-8")
    }

    #[test]
    fn rounds_of_edits_are_edits_of_the_first_text() {
        let first = "the quick brown fox";
        let edit = |start, end, new: &str| TextEdit::new(Span::new(start, end), new);
        let mut composition = Composition::of(first.len());
        let mut now = first.to_owned();
        for edits in [
            vec![edit(4, 9, "slow"), edit(10, 15, "red")],
            // Inside new text, across its end, and beside it.
            vec![edit(5, 6, "LL"), edit(8, 10, "-"), edit(13, 13, "ish")],
            vec![edit(0, 4, "")],
        ] {
            now = text(apply(&now, &edits));
            composition.add(&edits);
        }
        assert_eq!(now, "sLLow-ed ishfox");
        let edits = composition.into_edits(first.len());
        assert_eq!(text(apply(first, &edits)), now);
        assert!(edits.is_sorted_by(|a, b| a.span.end < b.span.start), "{edits:?}");
    }

    #[test]
    fn places_are_found_in_the_first_text() {
        let mut composition = Composition::of(10);
        composition.add(&[TextEdit::new(Span::new(2, 4), "xyz"), TextEdit::new(Span::at(8), "n")]);
        assert_eq!(composition.origin(Span::new(0, 1)), Span::new(0, 1));
        assert_eq!(composition.origin(Span::new(5, 7)), Span::new(4, 6));
        assert_eq!(composition.origin(Span::new(10, 11)), Span::new(8, 9));
    }

    #[test]
    fn text_that_is_put_back_edits_only_its_bytes() {
        let mut composition = Composition::of(3);
        composition.add(&[TextEdit::new(Span::new(0, 3), "")]);
        composition.add(&[TextEdit::new(Span::at(0), "abc")]);
        assert_eq!(composition.into_edits(3), [TextEdit::new(Span::new(0, 3), "abc")]);
    }
}
