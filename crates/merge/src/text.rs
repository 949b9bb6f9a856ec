//! Merges of texts by paragraphs, and differences of texts as few characters as possible.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

/// A change of some parts of a text: the old parts and the new ones, by their numbers.
type Hunk = (Range<usize>, Range<usize>);

/// Merges two changes of a text by paragraphs, and says whether both change the same one, differently: then one side decides.
pub(crate) fn merge_paragraphs(texts: [&str; 3], prefers_theirs: bool) -> (String, bool) {
    let mut is_disputed = false;
    let parts = texts.map(paragraphs);
    let merged = merge_parts([&parts[0], &parts[1], &parts[2]], meet, |[_, ours, theirs]| {
        is_disputed = true;
        if prefers_theirs { theirs } else { ours }.concat()
    });
    (merged, is_disputed)
}

/// Merges two changes of the parts of a text. `meet` says whether both are of the same parts, and then `decide` is given the parts
/// of the base, ours and theirs.
pub(crate) fn merge_parts(
    [base, ours, theirs]: [&[&str]; 3],
    meet: fn(&Range<usize>, &Range<usize>) -> bool,
    mut decide: impl FnMut([&[&str]; 3]) -> String,
) -> String {
    let all = [(false, hunks(base, ours)), (true, hunks(base, theirs))];
    let mut all: Vec<(bool, Hunk)> = all
        .into_iter()
        .flat_map(|(is_theirs, hunks)| hunks.into_iter().map(move |hunk| (is_theirs, hunk)))
        .collect();
    all.sort_by_key(|(_, hunk)| (hunk.0.start, hunk.0.end));
    let (mut merged, mut from, mut rest) = (String::new(), 0, &*all);
    while let Some((_, first)) = rest.first() {
        let mut region = first.0.clone();
        let others = rest.iter().skip(1).take_while(|(_, hunk)| {
            let is_in = meet(&region, &hunk.0);
            region.end = if is_in { region.end.max(hunk.0.end) } else { region.end };
            is_in
        });
        let (group, others) = rest.split_at(1 + others.count());
        let of = |side: bool| {
            let mut own = group.iter().filter(|(is_theirs, _)| *is_theirs == side);
            let (_, first) = own.next()?;
            let (_, last) = own.next_back().or_else(|| group.iter().find(|it| it.0 == side))?;
            let start = first.1.start - (first.0.start - region.start);
            let parts = if side { theirs } else { ours };
            parts.get(start..last.1.end + (region.end - last.0.end))
        };
        let old = base.get(region.clone()).unwrap_or_default();
        merged.push_str(&base.get(from..region.start).unwrap_or_default().concat());
        merged.push_str(&match (of(false), of(true)) {
            (Some(ours), Some(theirs)) if ours != theirs => decide([old, ours, theirs]),
            (ours, theirs) => ours.or(theirs).unwrap_or_default().concat(),
        });
        (from, rest) = (region.end, others);
    }
    merged + &base.get(from..).unwrap_or_default().concat()
}

/// The lines of a text, with their line breaks.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Writes both versions of a text as one, with conflict markers around the lines that differ. Returns the number of conflicts.
pub(crate) fn with_markers(ours: &str, theirs: &str, marker_size: usize) -> (String, usize) {
    /// How many lines without words are not worth a conflict of their own.
    const FEW: usize = 3;
    let line_break = if ours.contains("\r\n") { "\r\n" } else { "\n" };
    let (our_lines, their_lines) = (lines(ours), lines(theirs));
    let has_words = |line: &&str| line.contains(char::is_alphanumeric);
    let mut conflicts: Vec<Hunk> = Vec::new();
    for hunk in hunks(&our_lines, &their_lines) {
        match conflicts.last_mut() {
            Some(last)
                if hunk.0.start - last.0.end <= FEW
                    && !our_lines
                        .get(last.0.end..hunk.0.start)
                        .is_some_and(|it| it.iter().any(has_words)) =>
            {
                (last.0.end, last.1.end) = (hunk.0.end, hunk.1.end);
            }
            _ => conflicts.push(hunk),
        }
    }
    let (mut text, mut from) = (String::new(), 0);
    for (our_part, their_part) in &conflicts {
        text.push_str(&our_lines.get(from..our_part.start).unwrap_or_default().concat());
        let parts = [("<", " ours", &our_lines, our_part), ("=", "", &their_lines, their_part)];
        for (sign, label, lines, part) in parts {
            text.extend([&*sign.repeat(marker_size), label, line_break]);
            text.push_str(&lines.get(part.clone()).unwrap_or_default().concat());
            text.push_str(if text.ends_with('\n') { "" } else { line_break });
        }
        text.extend([&*">".repeat(marker_size), " theirs", line_break]);
        from = our_part.end;
    }
    text.push_str(&our_lines.get(from..).unwrap_or_default().concat());
    (text, conflicts.len())
}

/// Whether two changes are of the same paragraph, or add something at the same place.
pub(crate) fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    let is_within = |at: usize, range: &Range<usize>| range.start < at && at < range.end;
    if one.is_empty() || other.is_empty() {
        return one == other || is_within(one.start, other) || is_within(other.start, one);
    }
    one.start < other.end && other.start < one.end
}

/// Whether two changes are as close as those between which git leaves a conflict: not a line is between them.
pub(crate) fn touch(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// The paragraphs and list items of a text, each with the blank lines after it.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut is_after_blank) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if is_after_blank && !is_blank || is_item(line) {
            parts.extend(text.get(start..at));
            start = at;
        }
        is_after_blank = is_blank;
        at += line.len();
    }
    parts.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    parts
}

/// Whether a line begins a list item or is a heading.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
    ["- ", "* ", "+ ", "#"].iter().any(|sign| line.starts_with(sign))
        || number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "))
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
    let [old_lines, new_lines]: [Vec<&str>; 2] = [old, new].map(lines);
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
        let merged = |ours: &str, theirs: &str| {
            let base = "You are kind.\n\nAsk for\n- a name\n- a room\n\nSay goodbye.";
            let change = |change: &str| {
                let (old, new) = change.split_once('>').unwrap();
                base.replace(old, new)
            };
            let texts = [base, &*change(ours), &*change(theirs)];
            [false, true].map(|side| merge_paragraphs(texts, side)).map(|(text, is_disputed)| {
                (text.replace("\n\n", "\n").replace('\n', "/"), is_disputed)
            })
        };
        for (ours, theirs, both) in [
            (
                "kind>very kind",
                "goodbye>thanks",
                "You are very kind./Ask for/- a name/- a room/Say thanks.",
            ),
            (
                "- a name>- the name",
                "- a room>- the room",
                "You are kind./Ask for/- the name/- the room/Say goodbye.",
            ),
            ("kind>calm", "kind>calm", "You are calm./Ask for/- a name/- a room/Say goodbye."),
            ("- a room\n>", "kind>calm", "You are calm./Ask for/- a name/Say goodbye."),
        ] {
            assert_eq!(merged(ours, theirs), [(); 2].map(|()| (both.to_owned(), false)));
        }
        let disputed = merged("kind>calm", "kind.>warm.\n\nBe brief.");
        let rest = "Ask for/- a name/- a room/Say goodbye.";
        assert_eq!(disputed[0], (format!("You are calm./{rest}"), true));
        assert_eq!(disputed[1], (format!("You are warm./Be brief./{rest}"), true));
    }

    #[test]
    fn conflict_markers_are_around_the_lines_that_differ() {
        let (text, count) = with_markers("a\nb\n}\n\nc\nd\ne", "a\nB\n}\n\nC\nd\nE", 7);
        let expected = "a\n<<<<<<< ours\nb\n}\n\nc\n=======\nB\n}\n\nC\n>>>>>>> theirs\nd\n\
                        <<<<<<< ours\ne\n=======\nE\n>>>>>>> theirs\n";
        assert_eq!((&*text, count), (expected, 2));
        assert_eq!(
            with_markers("a\r\n", "", 9).0,
            "<<<<<<<<< ours\r\na\r\n=========\r\n>>>>>>>>> theirs\r\n"
        );
        assert_eq!(with_markers("a", "a", 7), ("a".to_owned(), 0));
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
