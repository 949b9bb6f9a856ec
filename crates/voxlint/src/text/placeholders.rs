//! Finds what a prompt template leaves to be filled in.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

/// A placeholder in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    pub(crate) range: Range<usize>,
    /// Whether it is one in any text. Otherwise it may be a heading or a stage direction.
    pub(crate) is_sure: bool,
}

/// The maximum length of the text in brackets, in bytes.
const MAX_LENGTH: usize = 50;

/// Words that name what only the owner of a prompt knows.
const OWNERS: [&str; 20] = [
    "AGENT",
    "ASSISTANT",
    "BANK",
    "BRAND",
    "BUSINESS",
    "CLINIC",
    "COMPANY",
    "DEALERSHIP",
    "FIRM",
    "HOSPITAL",
    "HOTEL",
    "LENDER",
    "ORGANISATION",
    "ORGANIZATION",
    "PHARMACY",
    "PRACTICE",
    "PRODUCT",
    "RESTAURANT",
    "SCHOOL",
    "STORE",
];

/// Words that follow the name of an owner in a placeholder.
const PROPERTIES: [&str; 9] =
    ["ADDRESS", "EMAIL", "HOURS", "ID", "LOCATION", "NAME", "NUMBER", "PHONE", "WEBSITE"];

/// Words in capitals that are headings, stage directions or instructions.
const DIRECTIONS: [&str; 24] = [
    "BEEP",
    "BREAK",
    "CALL",
    "CRITICAL",
    "END",
    "IF",
    "IMPORTANT",
    "INSTRUCTION",
    "INSTRUCTIONS",
    "LAUGH",
    "MUST",
    "NOTE",
    "OPTIONAL",
    "PAUSE",
    "REQUIRED",
    "RULE",
    "RULES",
    "SILENCE",
    "STEP",
    "STOP",
    "TRANSFER",
    "WAIT",
    "WARNING",
    "YES",
];

/// Markers of work that is left, outside of brackets.
const MARKERS: [&str; 3] = ["TODO", "FIXME", "TBD"];

/// Dummy text, without its first letter, which may be a capital one.
const DUMMY_TEXT: [&str; 2] = ["orem ipsum", "OREM IPSUM"];

/// Whether a text may contain a marker or dummy text.
pub(crate) fn may_have_marker(text: &str) -> bool {
    static DUMMY: LazyLock<[memmem::Finder<'static>; 2]> =
        LazyLock::new(|| DUMMY_TEXT.map(memmem::Finder::new));
    let text = text.as_bytes();
    let begins = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        MARKERS.iter().any(|word| rest.starts_with(word.as_bytes()))
    };
    // All markers begin with one of these letters.
    memchr::memchr2_iter(b'T', b'F', text).any(begins)
        || DUMMY.iter().any(|words| words.find(text).is_some())
}

/// The placeholders of a text, in its order.
pub(crate) fn placeholders(text: &str) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) =
        text.as_bytes().get(at..).and_then(|rest| memchr::memchr2(b'[', b'<', rest))
    {
        let start = at + offset;
        at = start + 1;
        let Some(rest) = text.get(start..) else { break };
        let close = if rest.starts_with('[') { ']' } else { '>' };
        let line =
            rest.get(1..).and_then(|rest| rest.split(['\n', '[', '<']).next()).unwrap_or_default();
        let Some(end) = line.find(close).filter(|end| *end <= MAX_LENGTH) else { continue };
        let inner = line.get(..end).unwrap_or_default();
        let after = text.get(at + end + 1..).unwrap_or_default();
        let is_link = close == ']' && after.starts_with(['(', '[']);
        if let Some(is_sure) = is_placeholder(inner).filter(|_| !is_link) {
            found.push(Placeholder { range: start..at + end + 1, is_sure });
            at += end + 1;
        }
    }
    if may_have_marker(text) {
        found.extend(markers(text));
        found.sort_by_key(|placeholder| placeholder.range.start);
    }
    found
}

/// Whether the text in brackets is a placeholder, and whether that is sure.
fn is_placeholder(inner: &str) -> Option<bool> {
    let words: Vec<&str> =
        inner.split([' ', '_', '-', '’', '\'']).filter(|word| !word.is_empty()).collect();
    let first = *words.first()?;
    let is_word = |word: &&str| word.chars().all(char::is_alphanumeric);
    if !words.iter().all(is_word) {
        return None;
    }
    let is_request = ["your", "insert"].iter().any(|word| word.eq_ignore_ascii_case(first));
    if is_request && words.len() > 1 && (first.starts_with(char::is_uppercase) || words.len() <= 4)
    {
        return Some(true);
    }
    let is_in_capitals = inner.chars().all(|it| !it.is_lowercase()) && inner.len() > 3;
    if !is_in_capitals || words.iter().any(|word| DIRECTIONS.contains(word)) {
        return None;
    }
    let is_owner = matches!(words.as_slice(), [owner, .., property]
        if OWNERS.contains(owner) && PROPERTIES.contains(property));
    Some(is_owner)
}

/// Markers of work that is left, and dummy text.
fn markers(text: &str) -> impl Iterator<Item = Placeholder> {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let words = MARKERS.iter().flat_map(move |word| {
        text.match_indices(word).filter(move |(at, word)| {
            let before = text.get(..*at).and_then(|before| before.chars().next_back());
            let after = text.get(at + word.len()..).unwrap_or_default();
            // `a TODO list` is about something else.
            let is_marker =
                *word != "TODO" || after.trim_start().starts_with([':', ']', ')', '-', '–', '—']);
            is_marker
                && !before
                    .is_some_and(|it| is_letter(it) || matches!(it, '[' | '<' | '"' | '`' | '“'))
                && !after.starts_with(is_letter)
        })
    });
    let dummy = DUMMY_TEXT.iter().flat_map(|words| text.match_indices(words));
    let dummy = dummy.filter_map(|(at, words)| {
        let start = at
            .checked_sub(1)
            .filter(|start| text.get(*start..at).is_some_and(|l| l.eq_ignore_ascii_case("l")))?;
        Some((start, at + words.len()))
    });
    let words = words.map(|(at, word)| (at, at + word.len()));
    words.chain(dummy).map(|(start, end)| Placeholder { range: start..end, is_sure: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, bool)> {
        let all = placeholders(text).into_iter();
        all.map(|it| (text.get(it.range).unwrap_or_default(), it.is_sure)).collect()
    }

    #[test]
    fn a_look_sees_every_marker() {
        for word in MARKERS.iter().chain(&DUMMY_TEXT) {
            assert!(may_have_marker(&format!("Text {word}.")), "{word}");
        }
        assert!(!may_have_marker("The TV and the Front desk"));
    }

    #[test]
    fn placeholders_are_found() {
        for (text, expected) in [
            ("Call [COMPANY_NAME] or <CLINIC NAME>.", &["[COMPANY_NAME]", "<CLINIC NAME>"][..]),
            (
                "[Your Company], [insert opening hours], [YOUR_NAME]",
                &["[Your Company]", "[insert opening hours]", "[YOUR_NAME]"],
            ),
            ("TODO: write this. FIXME TBD", &["TODO", "FIXME", "TBD"]),
            ("Lorem ipsum dolor, LOREM IPSUM", &["Lorem ipsum", "LOREM IPSUM"]),
        ] {
            let expected: Vec<_> = expected.iter().map(|it| (*it, true)).collect();
            assert_eq!(found(text), expected, "{text}");
        }
        assert_eq!(
            found("We are in [CITY], [DATE OF BIRTH]."),
            [("[CITY]", false), ("[DATE OF BIRTH]", false)]
        );
    }

    #[test]
    fn other_brackets_are_not_placeholders() {
        for text in [
            "[IMPORTANT] [PAUSE] [END CALL] [STEP 1] [IF YES] [NOTE]",
            "[caller's name] [name] [Name] <b>bold</b> <email> [1] [OK]",
            "[YOUR NAME](https://example.com) [COMPANY NAME][1]",
            "Ask about their TODO list. A to-do list, TODOs, \"TBD\" and MASTBD",
            "[your] a [] <>",
            "if 3 < 4 and 5 > 2, then [",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
