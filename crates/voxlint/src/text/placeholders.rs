//! Finds what a prompt template leaves to be filled in.

use std::ops::Range;

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

/// The maximum distance between a tag and the one that closes it, in bytes.
const MAX_TAG: usize = 4_000;

/// Words that name what only the owner of a prompt knows. German ones are as they begin longer words: `FIRMENNAME`.
const OWNERS: [&str; 32] = [
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
    "AGENTEN",
    "ASSISTENTEN",
    "FIRMA",
    "FIRMEN",
    "GESCHÄFTS",
    "KANZLEI",
    "KLINIK",
    "MARKEN",
    "PRAXIS",
    "PRODUKT",
    "SALON",
    "UNTERNEHMENS",
];

/// Words that follow the name of an owner in a placeholder.
const PROPERTIES: [&str; 12] = [
    "ADDRESS", "ADRESSE", "EMAIL", "HOURS", "ID", "LOCATION", "NAME", "NUMBER", "NUMMER", "PHONE",
    "TELEFON", "WEBSITE",
];

/// Last words of a request to fill something in, in German.
const REQUESTS: [&str; 4] = ["einfügen", "eintragen", "einsetzen", "ergänzen"];

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

/// The placeholders of a text, in its order. `may_have_marker` is whether there may be some outside of brackets.
pub(crate) fn placeholders(text: &str, may_have_marker: bool) -> Vec<Placeholder> {
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
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(at + end + 1..).unwrap_or_default();
        let is_link = close == ']' && after.starts_with(['(', '[']);
        let is_quoted = before.ends_with(['"', '`', '“']);
        if is_marker(inner) && !is_link && !is_quoted {
            found.push(Placeholder { range: start..at + end + 1, is_sure: true });
            at += end + 1;
            continue;
        }
        let is_filled_in = || {
            if close == ']' {
                return !is_request(inner) && is_heading(before, after);
            }
            let near = after.as_bytes().get(..MAX_TAG).unwrap_or(after.as_bytes());
            memmem::find(near, format!("</{inner}>").as_bytes()).is_some()
        };
        let placeholder = is_placeholder(inner).filter(|_| !is_link && !is_filled_in());
        if let Some(is_sure) = placeholder {
            found.push(Placeholder { range: start..at + end + 1, is_sure });
            at += end + 1;
        }
    }
    if may_have_marker {
        found.extend(markers(text));
        found.sort_by_key(|placeholder| placeholder.range.start);
    }
    found
}

/// Whether the text in brackets begins with a marker of work that is left: `[TODO]`, `[TBD: hours]`.
fn is_marker(inner: &str) -> bool {
    let rest = MARKERS.iter().find_map(|word| inner.strip_prefix(word));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '–']))
}

/// Whether brackets are alone on their line, above a text that is not in brackets: `[OPENING HOURS]`.
fn is_heading(before: &str, after: &str) -> bool {
    let is_mark = |c: char| matches!(c, ' ' | '\t' | '#' | '*' | '_' | ':' | '\r');
    let line = before.trim_end_matches(is_mark);
    let below = after.trim_start_matches(is_mark);
    (line.is_empty() || line.ends_with('\n'))
        && below.starts_with('\n')
        && !matches!(
            below.trim_start_matches([' ', '\t', '\r', '\n', '*', '#']).bytes().next(),
            None | Some(b'[')
        )
}

/// Whether the text in brackets asks for something to be filled in: `[Insert hours]`, `[Your Company]`.
fn is_request(inner: &str) -> bool {
    let mut words = inner.split([' ', '_', '-']).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or_default().to_lowercase();
    ["your", "insert"].iter().any(|word| word.eq_ignore_ascii_case(first))
        || REQUESTS.contains(&last.as_str())
}

/// Whether the text in brackets is a placeholder, and whether that is sure.
pub(crate) fn is_placeholder(inner: &str) -> Option<bool> {
    let words: Vec<&str> =
        inner.split([' ', '_', '-', '’', '\'']).filter(|word| !word.is_empty()).collect();
    let first = *words.first()?;
    let last = *words.last()?;
    let is_word = |word: &&str| word.chars().all(char::is_alphanumeric);
    if !words.iter().all(is_word) {
        return None;
    }
    let is_short = words.len() <= 4;
    if words.len() > 1 && is_request(inner) && (first.starts_with(char::is_uppercase) || is_short) {
        return Some(true);
    }
    let is_in_capitals = inner.chars().all(|it| !it.is_lowercase()) && inner.len() > 3;
    if !is_in_capitals || words.iter().any(|word| DIRECTIONS.contains(word)) {
        return None;
    }
    // `FIRMENNAME`, `COMPANYNAME`
    let is_compound = |word: &str| {
        let properties = PROPERTIES.iter().filter_map(|property| word.strip_suffix(property));
        properties.into_iter().any(|owner| OWNERS.contains(&owner))
    };
    let is_owner = match words.as_slice() {
        [word] => is_compound(word),
        ["NAME", "OF" | "DER" | "DES", .., owner] => OWNERS.contains(owner),
        _ => OWNERS.contains(&first) && PROPERTIES.contains(&last),
    };
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
        let all = placeholders(text, true).into_iter();
        all.map(|it| (text.get(it.range).unwrap_or_default(), it.is_sure)).collect()
    }

    #[test]
    fn placeholders_are_found() {
        for (text, expected) in [
            ("Call [COMPANY_NAME] or <CLINIC NAME>.", &["[COMPANY_NAME]", "<CLINIC NAME>"][..]),
            (
                "[Your Company], [insert opening hours], [YOUR_NAME]",
                &["[Your Company]", "[insert opening hours]", "[YOUR_NAME]"],
            ),
            ("[TODO] [TBD: hours] [FIXME]", &["[TODO]", "[TBD: hours]", "[FIXME]"]),
            (
                "[FIRMENNAME], [COMPANYNAME], [NAME DER FIRMA], [PRAXIS-NAME], [Datum einfügen]",
                &[
                    "[FIRMENNAME]",
                    "[COMPANYNAME]",
                    "[NAME DER FIRMA]",
                    "[PRAXIS-NAME]",
                    "[Datum einfügen]",
                ],
            ),
            ("[INSERT HOURS]\nMonday", &["[INSERT HOURS]"]),
            ("Call\n[COMPANY NAME]\n[CLINIC NAME]", &["[COMPANY NAME]", "[CLINIC NAME]"]),
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
        assert_eq!(
            found("[VORNAME], [NAME DER MUTTER], [TODO LIST], \"[TODO]\""),
            [
                ("[VORNAME]", false),
                ("[NAME DER MUTTER]", false),
                ("[TODO LIST]", false),
                ("[TODO]", false)
            ]
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
            "[BUSINESS HOURS]\nMonday to Friday\n\n**[CLINIC LOCATION]**\n\nMain Street",
            "<AGENT_NAME>Maya</AGENT_NAME>",
            "`[TBD]` and [TODO](https://example.com)",
            "if 3 < 4 and 5 > 2, then [",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
