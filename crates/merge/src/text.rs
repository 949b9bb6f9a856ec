//! Merges of texts by paragraphs, and differences of texts as few characters as possible.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

/// A change of some parts of a text: the old parts and the new ones, by their numbers.
type Hunk = (Range<usize>, Range<usize>);

/// Merges two changes of a text. `None` if both change the same paragraph, differently.
pub(crate) fn merge_paragraphs(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let [base, ours, theirs] = [base, ours, theirs].map(paragraphs);
    let (our_hunks, their_hunks) = (hunks(&base, &ours), hunks(&base, &theirs));
    let mut all: Vec<(&Hunk, &[&str])> = our_hunks.iter().map(|hunk| (hunk, &*ours)).collect();
    for hunk in &their_hunks {
        let new = |(hunk, side): (&Hunk, &[&str])| side.get(hunk.1.clone()).map(<[&str]>::concat);
        let mut meeting = our_hunks.iter().filter(|other| meet(&other.0, &hunk.0));
        match meeting.next() {
            None => all.push((hunk, &*theirs)),
            Some(other) if other.0 == hunk.0 && new((other, &ours)) == new((hunk, &theirs)) => {}
            Some(_) => return None,
        }
    }
    all.sort_by_key(|(hunk, _)| (hunk.0.start, hunk.0.end));
    let mut merged = String::new();
    let mut from = 0;
    for (hunk, side) in all {
        base.get(from..hunk.0.start)?.iter().for_each(|part| merged.push_str(part));
        side.get(hunk.1.clone())?.iter().for_each(|part| merged.push_str(part));
        from = hunk.0.end;
    }
    base.get(from..)?.iter().for_each(|part| merged.push_str(part));
    Some(merged)
}

/// Whether two changes are of the same paragraph, or add something at the same place.
fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    let is_within = |at: usize, range: &Range<usize>| range.start < at && at < range.end;
    if one.is_empty() || other.is_empty() {
        return one == other || is_within(one.start, other) || is_within(other.start, one);
    }
    one.start < other.end && other.start < one.end
}

/// The paragraphs of a text, each with the blank lines after it.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut is_after_blank) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if is_after_blank && !is_blank {
            parts.extend(text.get(start..at));
            start = at;
        }
        is_after_blank = is_blank;
        at += line.len();
    }
    parts.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    parts
}

fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let mut hunks: Vec<Hunk> = Vec::new();
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        let (old, new) = (DiffOp::old_range(op), DiffOp::new_range(op));
        match hunks.last_mut() {
            Some(last) if last.0.end == old.start && last.1.end == new.start => {
                (last.0.end, last.1.end) = (old.end, new.end);
            }
            _ => hunks.push((old, new)),
        }
    }
    hunks
}

/// The parts of a text that differ from a new one, with what replaces them, line by line and without what is the same at
/// their ends.
pub(crate) fn parts<'n>(old: &str, new: &'n str) -> Vec<(Range<usize>, &'n str)> {
    let [old_lines, new_lines]: [Vec<&str>; 2] =
        [old, new].map(|text| text.split_inclusive('\n').collect());
    let offset = |lines: &[&str], at: usize| lines.iter().take(at).map(|line| line.len()).sum();
    let part = |(olds, news): Hunk| {
        let range = |lines: &[&str], range: &Range<usize>| -> Range<usize> {
            offset(lines, range.start)..offset(lines, range.end)
        };
        trimmed(old, range(&old_lines, &olds), new, range(&new_lines, &news))
    };
    hunks(&old_lines, &new_lines).into_iter().filter_map(part).collect()
}

fn trimmed<'n>(
    old: &str,
    mut olds: Range<usize>,
    new: &'n str,
    mut news: Range<usize>,
) -> Option<(Range<usize>, &'n str)> {
    let (from, to) = (old.get(olds.clone())?, new.get(news.clone())?);
    let is_same = |(one, other): &(char, char)| one == other;
    let same = from.chars().zip(to.chars()).take_while(is_same);
    let start: usize = same.map(|(one, _)| one.len_utf8()).sum();
    let (from, to) = (from.get(start..)?, to.get(start..)?);
    let same = from.chars().rev().zip(to.chars().rev()).take_while(is_same);
    let end: usize = same.map(|(one, _)| one.len_utf8()).sum();
    olds = olds.start + start..olds.end - end;
    news = news.start + start..news.end - end;
    // A whole line is added or removed with the line break before it, as it is written in a block.
    let is_line = olds.is_empty() != news.is_empty()
        && (old.get(olds.clone())?.ends_with('\n') || new.get(news.clone())?.ends_with('\n'))
        && old.get(..olds.start)?.ends_with('\n')
        && new.get(..news.start)?.ends_with('\n');
    if is_line {
        olds = olds.start - 1..olds.end - 1;
        news = news.start - 1..news.end - 1;
    }
    Some((olds, new.get(news)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_different_paragraphs_merge() {
        let base = "You are kind.\n\nAsk for a name.\n\nSay goodbye.";
        let ours = base.replace("kind", "very kind");
        let theirs = base.replace("goodbye", "thank you");
        let both = ours.replace("goodbye", "thank you");
        assert_eq!(merge_paragraphs(base, &ours, &theirs), Some(both));
        assert_eq!(merge_paragraphs(base, &ours, &base.replace("kind", "calm")), None);
        assert_eq!(merge_paragraphs(base, &ours, &ours), Some(ours.clone()));
        assert_eq!(merge_paragraphs("one line", "one", "a line"), None);
    }

    #[test]
    fn the_parts_of_a_text_that_differ_make_the_new_one() {
        for (old, new) in [
            ("a\nb\nc\n", "a\nc\n"),
            ("a\nb\nc", "a\nb\nx\ny\nc"),
            ("é is\nthis\n", "è is\nthat\nmore\n"),
            ("a\nb", ""),
            ("", "a\n\nb"),
            ("a\n\na\n", "a\n"),
            ("a\nb\n", "b\na\n"),
        ] {
            let mut text = old.to_owned();
            for (range, part) in parts(old, new).into_iter().rev() {
                text.replace_range(range, part);
            }
            assert_eq!(text, new, "{old:?}");
        }
        assert_eq!(parts("a b c\nd", "a x c\nd"), [(2..3, "x")]);
        assert_eq!(parts("a\nb\nc", "a\nc"), [(1..3, "")]);
    }
}
