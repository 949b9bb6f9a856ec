//! The words that changed in a long text, with a little of what is around them.

use similar::{DiffOp, DiffableStr as _};

use crate::escape::escape_terminal_lines;
use crate::patch::difference;

/// The unchanged lines that are shown before and after a changed one.
const CONTEXT: usize = 1;

/// An unchanged part of a line that is longer than this is cut to its ends.
const MAX_SAME: usize = 200;

/// The characters of each end that stay.
const END: usize = 80;

/// What happened to a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    Same,
    Removed,
    Added,
    /// Something that did not change was left out here.
    Gap,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordPiece {
    pub(crate) kind: WordKind,
    pub(crate) text: String,
}

/// A line of a changed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WordLine {
    Shown(Vec<WordPiece>),
    /// This many unchanged lines.
    Skipped(usize),
}

/// What is said of a text in which only secrets differ that are masked with as many asterisks.
pub(super) const ONLY_MASKED: &str = "only masked values differ";

/// Whether changed texts are the same once secrets are masked.
pub(super) fn is_only_masked(old: &str, new: &str) -> bool {
    old == new && old.contains('*')
}

/// The changed lines of a text and the lines around them, with the words that changed.
pub(crate) fn changed_words(old: &str, new: &str) -> Vec<WordLine> {
    if is_only_masked(old, new) {
        let text = ONLY_MASKED.to_owned();
        return vec![WordLine::Shown(vec![WordPiece { kind: WordKind::Gap, text }])];
    }
    let (old, new) = (escape_terminal_lines(old), escape_terminal_lines(new));
    let mut lines = Lines::default();
    for mut group in groups(&old, &new) {
        group.move_spaces();
        for (kind, text) in [
            (WordKind::Same, group.same),
            (WordKind::Removed, group.old),
            (WordKind::Added, group.new),
        ] {
            lines.add(kind, &text);
        }
    }
    lines.finish()
}

/// Text that stayed, and then text that was replaced.
#[derive(Default)]
struct Group {
    same: String,
    old: String,
    new: String,
}

impl Group {
    /// Moves the spaces before words that were only added or only removed out of the marks, where they would look like a part of
    /// a word.
    fn move_spaces(&mut self) {
        let text = match (self.old.is_empty(), self.new.is_empty()) {
            (true, false) => &mut self.new,
            (false, true) => &mut self.old,
            _ => return,
        };
        let words = text.trim_start_matches(' ');
        let spaces = text.len() - words.len();
        if words.starts_with(|c: char| !c.is_whitespace()) {
            self.same.extend(std::iter::repeat_n(' ', spaces));
            text.drain(..spaces);
        }
    }
}

/// The words of a text, and what is between them. A run of asterisks, which may be a masked secret, is one word: a part of it
/// is never the same as a part of another one.
fn words(text: &str) -> Vec<&str> {
    let is_masked = |word: &str| word.bytes().all(|byte| byte == b'*');
    let mut words = Vec::new();
    let (mut from, mut to) = (0, 0);
    // A masked text may have a word for each asterisk, so the last one is not read again.
    let mut is_last_masked = true;
    for word in text.tokenize_unicode_words() {
        let is_word_masked = is_masked(word);
        if !(is_last_masked && is_word_masked) {
            words.push(text.get(from..to).unwrap_or_default());
            from = to;
            is_last_masked = is_word_masked;
        }
        to += word.len();
    }
    words.push(text.get(from..to).unwrap_or_default());
    words.retain(|word| !word.is_empty());
    words
}

fn groups(old: &str, new: &str) -> Vec<Group> {
    let (old, new) = (words(old), words(new));
    let mut groups: Vec<Group> = vec![Group::default()];
    for op in difference(&old, &new) {
        let of = |words: &[&str], range| words.get(range).map(<[&str]>::concat).unwrap_or_default();
        if matches!(op, DiffOp::Equal { .. }) {
            groups.push(Group { same: of(&old, op.old_range()), ..Group::default() });
        } else if let Some(group) = groups.last_mut() {
            group.old.push_str(&of(&old, op.old_range()));
            group.new.push_str(&of(&new, op.new_range()));
        }
    }
    // A single space or comma that stayed between two changes would only make them harder to read.
    let mut joined: Vec<Group> = Vec::new();
    for group in groups {
        let is_tiny = group.same.chars().count() <= 2
            && !group.same.contains(|c: char| c == '\n' || c.is_alphanumeric());
        match joined.last_mut() {
            Some(last)
                if is_tiny
                    && !(last.old.is_empty() && last.new.is_empty())
                    && !(group.old.is_empty() && group.new.is_empty()) =>
            {
                for (to, more) in [(&mut last.old, &group.old), (&mut last.new, &group.new)] {
                    to.push_str(&group.same);
                    to.push_str(more);
                }
            }
            _ => joined.push(group),
        }
    }
    joined
}

#[derive(Default)]
struct Lines {
    lines: Vec<Vec<WordPiece>>,
    /// The line that has not ended yet.
    open: Vec<WordPiece>,
}

impl Lines {
    fn add(&mut self, kind: WordKind, text: &str) {
        let mut rest = text;
        while let Some((line, more)) = rest.split_once('\n') {
            // A line break that was added or removed alone would not be seen.
            let line = if line.is_empty() && kind != WordKind::Same { "↵" } else { line };
            self.piece(kind, line);
            self.lines.push(std::mem::take(&mut self.open));
            rest = more;
        }
        self.piece(kind, rest);
    }

    fn piece(&mut self, kind: WordKind, text: &str) {
        if !text.is_empty() {
            self.open.push(WordPiece { kind, text: text.to_owned() });
        }
    }

    fn finish(mut self) -> Vec<WordLine> {
        if !self.open.is_empty() {
            self.lines.push(std::mem::take(&mut self.open));
        }
        let is_changed =
            |line: &Vec<WordPiece>| line.iter().any(|piece| piece.kind != WordKind::Same);
        let changed: Vec<usize> =
            (0..).zip(&self.lines).filter(|(_, line)| is_changed(line)).map(|(at, _)| at).collect();
        let mut next = changed.iter().copied().peekable();
        let mut last: Option<usize> = None;
        let mut shown = Vec::new();
        let mut skipped = 0;
        for (at, line) in self.lines.into_iter().enumerate() {
            if next.next_if_eq(&at).is_some() {
                last = Some(at);
            }
            let is_near = last.is_some_and(|last| at - last <= CONTEXT)
                || next.peek().is_some_and(|next| next - at <= CONTEXT);
            let is_blank = line.iter().all(|piece| piece.text.trim().is_empty());
            if !is_near || is_blank {
                skipped += 1;
                continue;
            }
            if skipped > 0 {
                shown.push(WordLine::Skipped(std::mem::take(&mut skipped)));
            }
            shown.push(WordLine::Shown(without_middles(line)));
        }
        if skipped > 0 && !shown.is_empty() {
            shown.push(WordLine::Skipped(skipped));
        }
        shown
    }
}

/// The line with long unchanged parts cut.
fn without_middles(line: Vec<WordPiece>) -> Vec<WordPiece> {
    let last = line.len().saturating_sub(1);
    let is_alone = line.len() == 1;
    let mut cut = Vec::new();
    for (at, piece) in line.into_iter().enumerate() {
        let length = piece.text.chars().count();
        if piece.kind != WordKind::Same || length <= MAX_SAME {
            cut.push(piece);
            continue;
        }
        let gap = || WordPiece { kind: WordKind::Gap, text: "…".to_owned() };
        let same = |text: &str| WordPiece { kind: WordKind::Same, text: text.to_owned() };
        let at_character = |index: usize| {
            piece.text.char_indices().nth(index).map_or(piece.text.len(), |(offset, _)| offset)
        };
        if at > 0 || is_alone {
            let head = piece.text.get(..at_character(END)).unwrap_or_default();
            cut.push(same(head.rsplit_once(' ').map_or(head, |(head, _)| head)));
            cut.push(same(" "));
        }
        cut.push(gap());
        if at < last {
            let tail = piece.text.get(at_character(length - END)..).unwrap_or_default();
            cut.push(same(" "));
            cut.push(same(tail.split_once(' ').map_or(tail, |(_, tail)| tail)));
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_texts_can_be_read_from_the_marks(old in "[a-c ,*\n]{0,40}", new in "[a-c ,*\n]{0,40}") {
            let groups = groups(&old, &new);
            let read = |part: fn(&Group) -> &str| -> String {
                groups.iter().map(|group| group.same.clone() + part(group)).collect()
            };
            prop_assert_eq!(read(|group| &group.old), old);
            prop_assert_eq!(read(|group| &group.new), new);
        }
    }

    /// The lines as the text form marks them.
    fn marked(old: &str, new: &str) -> Vec<String> {
        let piece = |piece: WordPiece| match piece.kind {
            WordKind::Same | WordKind::Gap => piece.text,
            WordKind::Removed => format!("[-{}-]", piece.text),
            WordKind::Added => format!("{{+{}+}}", piece.text),
        };
        let lines = changed_words(old, new).into_iter().map(|line| match line {
            WordLine::Shown(pieces) => pieces.into_iter().map(piece).collect(),
            WordLine::Skipped(count) => format!("({count})"),
        });
        lines.collect()
    }

    #[test]
    fn changed_words_are_marked_within_their_line() {
        assert_eq!(marked("Hello, Ada.", "Hello, Bob."), ["Hello, [-Ada-]{+Bob+}."]);
        assert_eq!(marked("one two three", "un deux three"), ["[-one two-]{+un deux+} three"]);
        assert_eq!(marked("नमस्ते जी", "नमस्कार जी"), ["[-नमस्ते-]{+नमस्कार+} जी"]);
    }

    #[test]
    fn unchanged_lines_are_counted() {
        let old = "a\nb\nc\nd\ne\nf\ng\n";
        assert_eq!(marked(old, &old.replace('d', "x")), ["(2)", "c", "[-d-]{+x+}", "e", "(2)"]);
        assert_eq!(marked("a\nb\n", "a\nb\n"), Vec::<String>::new());
    }

    #[test]
    fn added_and_removed_lines_are_seen() {
        assert_eq!(marked("a\nb", "a\nnew\nb"), ["a", "{+new+}", "b"]);
        assert_eq!(marked("a\nb", "a\n\nb"), ["a", "{+↵+}", "b"]);
        assert_eq!(marked("a\nb", "a b"), ["a[-↵-]", "{+ +}b"]);
        assert_eq!(marked("", "a\nb"), ["{+a+}", "{+b+}"]);
        assert_eq!(marked("a", ""), ["[-a-]"]);
        assert_eq!(marked("a", "a b"), ["a {+b+}"]);
        assert_eq!(marked("a b", "a"), ["a [-b-]"]);
        assert_eq!(marked("a", "a "), ["a{+ +}"]);
    }

    #[test]
    fn long_unchanged_parts_are_cut() {
        let long = "word ".repeat(100);
        let shown = marked(&format!("{long}a {long}b {long}"), &format!("{long}x {long}y {long}"));
        assert_eq!(shown.len(), 1);
        assert!(shown[0].starts_with("… word word"), "{shown:?}");
        assert!(shown[0].contains("[-a-]{+x+} word"), "{shown:?}");
        assert!(shown[0].ends_with("word …"), "{shown:?}");
        assert!(shown[0].chars().count() < 500, "{shown:?}");
    }

    #[test]
    fn no_line_becomes_a_command_to_a_build_server() {
        assert_eq!(marked("a\n::error::x", "::error::x"), ["[-a-]", "\\u{3a}:error::x"]);
        assert_eq!(
            marked("b\na ::error::x", "::error::x"),
            ["[-b-]", "[-a :-]{+\\u{3a}+}:error::x"]
        );
    }

    /// A word diff of asterisks would tell how many of them two secrets share, and would be read as one secret with a few
    /// characters more.
    #[test]
    fn a_masked_secret_is_one_word() {
        assert_eq!(
            marked("Bearer **** only", "Bearer ******* and only"),
            ["Bearer [-****-]{+******* and+} only"]
        );
        assert_eq!(marked("**** a", "**** b"), ["**** [-a-]{+b+}"]);
        assert_eq!(marked("key: ****", "key: ****"), ["only masked values differ"]);
        assert_eq!(marked("**a** b", "**a** c"), ["**a** [-b-]{+c+}"]);
    }

    #[test]
    fn a_long_masked_text_is_read_once() {
        let masked = "*".repeat(400_000);
        assert_eq!(words(&masked), [&*masked]);
        assert_eq!(words(&format!("a {masked}|b")), ["a", " ", &masked, "|", "b"]);
    }

    #[test]
    fn hidden_characters_are_spelled_out() {
        assert_eq!(marked("a", "\u{202e}a\u{1b}[31m"), ["{+\\u{202e}+}a{+\\u{1b}[31m+}"]);
    }
}
