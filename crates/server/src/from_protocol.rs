//! Positions of the protocol become offsets.

use lsp_types::{Position, Range};
use voxlint::syntax::Span;

use crate::analysis::TextPlace;

/// The offset of a position. A position outside of the text is the nearest one inside.
pub(crate) fn offset(place: &TextPlace, position: Position) -> u32 {
    place.offset(position.line, position.character)
}

/// The characters of a range, also if its ends are in the wrong order.
pub(crate) fn span(place: &TextPlace, range: Range) -> Span {
    let (from, to) = (offset(place, range.start), offset(place, range.end));
    Span::new(from.min(to), from.max(to))
}
