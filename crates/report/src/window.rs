//! The part of a line that fits on a terminal.
//!
//! A document may be one line of megabytes, so nothing here looks at more of a line than it can show.

use std::ops::Range;

use crate::escape::columns;
use crate::places::Places;

/// What a line that goes on beyond the window begins and ends with.
const BEFORE: &str = "… ";
const AFTER: &str = " …";
const ELLIPSES: usize = 4;

/// How many bytes a column may cost. Nothing that people write comes near it; piles of combining marks, which have no width,
/// must not make a window endless.
const BYTES_PER_COLUMN: usize = 16;

/// The places of a text that nobody may see.
pub(crate) struct Secrets(Vec<Range<usize>>);

impl Secrets {
    pub(crate) fn new(places: &Places<'_>, spans: &[voxlint_syntax::Span]) -> Self {
        let mut ranges: Vec<Range<usize>> = spans.iter().map(|span| places.range(*span)).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        // Merged, so that the last range that begins before an offset is the only one that can hold it.
        ranges.dedup_by(|next, kept| {
            let touches = next.start <= kept.end;
            if touches {
                kept.end = kept.end.max(next.end);
            }
            touches
        });
        Self(ranges)
    }

    pub(crate) fn cover(&self, offset: usize) -> bool {
        let after = self.0.partition_point(|range| range.start <= offset);
        let last = after.checked_sub(1).and_then(|i| self.0.get(i));
        last.is_some_and(|range| offset < range.end)
    }
}

/// A stretch of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The bytes of the text that are shown.
    pub(crate) range: Range<usize>,
    /// What stands before and after them.
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
}

impl Window {
    /// The stretch of `line` around `anchor` that takes at most `room` columns. Of an anchor that is longer, the head.
    /// From the middle of the anchor it keeps `overhang` columns free for a label, even if the line ends there.
    pub(crate) fn around(
        text: &str,
        line: &Range<usize>,
        anchor: &Range<usize>,
        room: usize,
        overhang: usize,
    ) -> Self {
        if fits(text, line, room) && label_fits(text, line, anchor, room, overhang) {
            return Self { range: line.clone(), before: "", after: "" };
        }
        let room = room.saturating_sub(ELLIPSES);
        // A long anchor leaves a quarter to what stands around it.
        let head = forward(text, anchor.clone(), room - room / 4);
        let left = room.saturating_sub(head.columns);
        let before = backward(text, line.start..anchor.start, left / 2);
        let after = forward(text, head.end..line.end, left.saturating_sub(before.columns));
        // Near the end of the line, what the right side does not need goes to the left.
        let overhang = overhang.saturating_sub(head.columns / 2).min(left / 2);
        let taken = after.columns.max(overhang);
        let before = backward(text, line.start..anchor.start, left.saturating_sub(taken));
        let mut range = before.end..after.end;
        // An ellipsis is two columns wide: it may as well be the two columns that it would hide.
        if fits(text, &(line.start..range.start), BEFORE.chars().count()) {
            range.start = line.start;
        }
        if fits(text, &(range.end..line.end), AFTER.chars().count()) {
            range.end = line.end;
        }
        Self {
            before: if range.start > line.start { BEFORE } else { "" },
            after: if range.end < line.end { AFTER } else { "" },
            range,
        }
    }
}

/// Whether a label below the middle of the anchor ends within the room, when the line is shown whole.
fn label_fits(
    text: &str,
    line: &Range<usize>,
    anchor: &Range<usize>,
    room: usize,
    overhang: usize,
) -> bool {
    let before = forward(text, line.start..anchor.start, room).columns;
    let half = forward(text, anchor.clone(), room).columns / 2;
    // A label that needs more than half of the room would not gain from moving the line.
    before + half + overhang.min(room / 2) <= room
}

/// Whether several marks on one line, from the first to the end of the last, fit into one window.
pub(crate) fn fit_together(text: &str, marks: &Range<usize>, room: usize) -> bool {
    let room = room.saturating_sub(ELLIPSES);
    fits(text, marks, room - room / 4)
}

/// Whether a stretch takes at most `room` columns.
pub(crate) fn fits(text: &str, stretch: &Range<usize>, room: usize) -> bool {
    forward(text, stretch.clone(), room).end == stretch.end
}

/// How far one gets with a number of columns.
struct Reach {
    end: usize,
    columns: usize,
}

fn forward(text: &str, stretch: Range<usize>, room: usize) -> Reach {
    let mut reach = Reach { end: stretch.start, columns: 0 };
    for c in text.get(stretch.clone()).unwrap_or_default().chars() {
        let columns = reach.columns + columns(c);
        let end = reach.end + c.len_utf8();
        if columns > room || end - stretch.start > room * BYTES_PER_COLUMN {
            break;
        }
        reach = Reach { end, columns };
    }
    reach
}

/// As [`forward`], from the end of the stretch towards its start.
fn backward(text: &str, stretch: Range<usize>, room: usize) -> Reach {
    let mut reach = Reach { end: stretch.end, columns: 0 };
    // Marks belong to the character before them, so a window begins at a character that has a width.
    let mut whole = Reach { ..reach };
    for c in text.get(stretch.clone()).unwrap_or_default().chars().rev() {
        let columns = reach.columns + columns(c);
        let end = reach.end - c.len_utf8();
        if columns > room || stretch.end - end > room * BYTES_PER_COLUMN {
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

    fn around(text: &str, anchor: Range<usize>, room: usize) -> String {
        let window = Window::around(text, &(0..text.len()), &anchor, room, 0);
        format!("{}{}{}", window.before, text.get(window.range).unwrap(), window.after)
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
    fn a_label_has_room_at_the_end_of_a_long_line() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        let window = Window::around(text, &(0..36), &(35..36), 14, 4);
        assert_eq!(text.get(window.range), Some("uvwxyz"));
    }

    #[test]
    fn of_a_long_anchor_the_head_is_shown() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        assert_eq!(around(text, 10..30, 14), "… 9abcdefghi …");
    }

    #[test]
    fn marks_stay_with_their_characters() {
        let text = "e\u{301}".repeat(40);
        let shown = around(&text, 60..61, 14);
        assert!(shown.starts_with("… e"), "{shown}");
    }

    #[test]
    fn a_pile_of_marks_is_cut() {
        let text = format!("a{}", "\u{301}".repeat(100_000));
        assert!(around(&text, 0..1, 40).len() < 1_000);
        assert!(around(&text, 150_001..150_001, 40).len() < 2_000);
    }

    #[test]
    fn secrets_are_found_wherever_they_begin() {
        let places = Places::new("0123456789");
        let span = |start, end| voxlint_syntax::Span { start, end };
        let secrets = Secrets::new(&places, &[span(6, 8), span(1, 5), span(2, 3)]);
        let covered: Vec<_> = (0..10).filter(|offset| secrets.cover(*offset)).collect();
        assert_eq!(covered, [1, 2, 3, 4, 6, 7]);
    }
}
