//! The part of a line that fits on a terminal.
//!
//! A document may be one line of megabytes, so only the visible part of a line is ever measured.

use std::ops::Range;

use voxlint_syntax::Span;

use crate::escape::columns;
use crate::source_map::SourceText;

/// The marks of a line that continues before and after its visible part.
const BEFORE: &str = "… ";
const AFTER: &str = " …";
pub(super) const ELLIPSES: usize = 4;

/// The most bytes per column. Written text needs far fewer, but a pile of combining marks, which have no width, must not
/// make the visible part endless.
const BYTES_PER_COLUMN: usize = 16;

/// The secrets of a text.
pub(crate) struct MaskedRanges(Vec<Range<usize>>);

impl MaskedRanges {
    pub(crate) fn new(source: &SourceText<'_>, spans: &[Span]) -> Self {
        let mut ranges: Vec<Range<usize>> = spans.iter().map(|span| source.range(*span)).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        // Merged, so that only the last range that begins before an offset can contain it.
        ranges.dedup_by(|next, kept| {
            let touches = next.start <= kept.end;
            if touches {
                kept.end = kept.end.max(next.end);
            }
            touches
        });
        Self(ranges)
    }

    pub(crate) fn contains(&self, offset: usize) -> bool {
        let after = self.0.partition_point(|range| range.start <= offset);
        let last = after.checked_sub(1).and_then(|i| self.0.get(i));
        last.is_some_and(|range| offset < range.end)
    }
}

/// The visible part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VisibleRange {
    /// Its bytes in the text.
    pub(super) bytes: Range<usize>,
    /// What is drawn before and after them.
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

impl VisibleRange {
    /// The part of `line` around `anchor` that takes at most `width` columns. Of a longer anchor it shows the beginning.
    /// From the middle of the anchor it keeps `overhang` columns free for a label, even if the line ends there.
    pub(super) fn around(
        text: &str,
        line: &Range<usize>,
        anchor: &Range<usize>,
        width: usize,
        overhang: usize,
    ) -> Self {
        if fits(text, line, width) && label_fits(text, line, anchor, width, overhang) {
            return Self { bytes: line.clone(), before: "", after: "" };
        }
        let width = width.saturating_sub(ELLIPSES);
        // A long anchor leaves a quarter to its surroundings.
        let head = forward(text, anchor.clone(), width - width / 4);
        let left = width.saturating_sub(head.columns);
        let before = backward(text, line.start..anchor.start, left / 2);
        let after = forward(text, head.end..line.end, left.saturating_sub(before.columns));
        // Near the end of the line, the unused columns on the right go to the left.
        let overhang = overhang.saturating_sub(head.columns / 2).min(left / 2);
        let taken = after.columns.max(overhang);
        let before = backward(text, line.start..anchor.start, left.saturating_sub(taken));
        let mut bytes = before.end..after.end;
        // An ellipsis is two columns wide, so it never hides just two columns.
        if fits(text, &(line.start..bytes.start), BEFORE.chars().count()) {
            bytes.start = line.start;
        }
        if fits(text, &(bytes.end..line.end), AFTER.chars().count()) {
            bytes.end = line.end;
        }
        Self {
            before: if bytes.start > line.start { BEFORE } else { "" },
            after: if bytes.end < line.end { AFTER } else { "" },
            bytes,
        }
    }

    /// The part of a line from `start` on that takes at most `width` columns.
    pub(super) fn from(text: &str, line: &Range<usize>, start: usize, width: usize) -> Self {
        let whole = start..line.end;
        if start == line.start && fits(text, &whole, width) {
            return Self { bytes: whole, before: "", after: "" };
        }
        let end = forward(text, whole, width.saturating_sub(ELLIPSES)).end;
        let end = if fits(text, &(end..line.end), AFTER.chars().count()) { line.end } else { end };
        Self {
            before: if start > line.start { BEFORE } else { "" },
            after: if end < line.end { AFTER } else { "" },
            bytes: start..end,
        }
    }
}

/// Whether a label below the middle of the anchor fits when the line is shown whole.
fn label_fits(
    text: &str,
    line: &Range<usize>,
    anchor: &Range<usize>,
    width: usize,
    overhang: usize,
) -> bool {
    let before = forward(text, line.start..anchor.start, width).columns;
    let half = forward(text, anchor.clone(), width).columns / 2;
    // Moving the line does not help a label that needs more than half of the width.
    before + half + overhang.min(width / 2) <= width
}

/// Whether several labels on one line, from the first to the end of the last, fit into the visible part.
pub(super) fn fit_together(text: &str, labels: &Range<usize>, width: usize) -> bool {
    let width = width.saturating_sub(ELLIPSES);
    fits(text, labels, width - width / 4)
}

/// Whether a range takes at most `width` columns.
pub(super) fn fits(text: &str, range: &Range<usize>, width: usize) -> bool {
    forward(text, range.clone(), width).end == range.end
}

/// The end of a range that takes a number of columns.
struct Reach {
    end: usize,
    columns: usize,
}

fn forward(text: &str, range: Range<usize>, width: usize) -> Reach {
    let mut reach = Reach { end: range.start, columns: 0 };
    for c in text.get(range.clone()).unwrap_or_default().chars() {
        let columns = reach.columns + columns(c);
        let end = reach.end + c.len_utf8();
        if columns > width || end - range.start > width * BYTES_PER_COLUMN {
            break;
        }
        reach = Reach { end, columns };
    }
    reach
}

/// The same as [`forward`], from the end of the range to its start.
fn backward(text: &str, range: Range<usize>, width: usize) -> Reach {
    let mut reach = Reach { end: range.end, columns: 0 };
    // Combining marks belong to the character before them, so the visible part begins with a character that has a width.
    let mut whole = Reach { ..reach };
    for c in text.get(range.clone()).unwrap_or_default().chars().rev() {
        let columns = reach.columns + columns(c);
        let end = reach.end - c.len_utf8();
        if columns > width || range.end - end > width * BYTES_PER_COLUMN {
            break;
        }
        let has_width = columns > reach.columns;
        reach = Reach { end, columns };
        if has_width {
            whole = Reach { ..reach };
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn around(text: &str, anchor: Range<usize>, width: usize) -> String {
        let visible = VisibleRange::around(text, &(0..text.len()), &anchor, width, 0);
        format!("{}{}{}", visible.before, text.get(visible.bytes).unwrap(), visible.after)
    }

    #[test]
    fn a_short_line_is_whole() {
        assert_eq!(around("0123456789", 4..5, 10), "0123456789");
    }

    #[test]
    fn a_long_line_is_shown_around_the_anchor() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        assert_eq!(around(text, 18..20, 14), "… efghijklmn …");
        assert_eq!(around(text, 0..2, 14), "0123456789 …");
        assert_eq!(around(text, 36..36, 14), "… qrstuvwxyz");
    }

    #[test]
    fn a_label_fits_at_the_end_of_a_long_line() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        let visible = VisibleRange::around(text, &(0..36), &(35..36), 14, 4);
        assert_eq!(text.get(visible.bytes), Some("uvwxyz"));
    }

    #[test]
    fn the_beginning_of_a_long_anchor_is_shown() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        assert_eq!(around(text, 10..30, 14), "… 9abcdefghi …");
    }

    #[test]
    fn combining_marks_stay_with_their_characters() {
        let text = "e\u{301}".repeat(40);
        let shown = around(&text, 60..61, 14);
        assert!(shown.starts_with("… e"), "{shown}");
    }

    #[test]
    fn a_pile_of_combining_marks_is_cut() {
        let text = format!("a{}", "\u{301}".repeat(100_000));
        assert!(around(&text, 0..1, 40).len() < 1_000);
        assert!(around(&text, 150_001..150_001, 40).len() < 2_000);
    }

    #[test]
    fn secrets_are_masked_in_any_order() {
        let source = SourceText::new("0123456789", None);
        let span = |start, end| Span { start, end };
        let secrets = MaskedRanges::new(&source, &[span(6, 8), span(1, 5), span(2, 3)]);
        let masked: Vec<_> = (0..10).filter(|offset| secrets.contains(*offset)).collect();
        assert_eq!(masked, [1, 2, 3, 4, 6, 7]);
    }
}
