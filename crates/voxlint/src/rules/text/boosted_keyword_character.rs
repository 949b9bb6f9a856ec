use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::quote::quote;
use crate::rule::rule;
use crate::text::keyword_characters::{CharacterClass, CharacterRun, first_not_allowed};
use crate::text::keywords::{is_mistaken_separator, segments};
use crate::value::TextValue;
use crate::verdict::{Condition, Finding, Verdict, Verdicts};

rule! {
    /// A boosted keyword contains characters other than letters, digits and spaces.
    ///
    /// Terms are separated by commas, and each is made of letters, digits and spaces. Punctuation, symbols and emoji are
    /// rejected. The description does not say whether letters and digits of every script count, nor white space other than
    /// the space.
    ///
    /// ```json,reject
    /// { "version_number": 3, "boosted_keywords": "KYC, e-mandate" }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "boosted_keywords": "KYC, café" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "boosted_keywords": "KYC, e mandate, 24 by 7" }
    /// ```
    "boosted-keyword-character": Text {
        group: Correctness,
        basis: Read("It does not say what counts as a letter."),
        section: "2.3",
        status: 400,
        needs: [Terms],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b',');
    if text.shape.terms.is_none() || text.text.bytes().all(is_allowed) {
        return Verdict::Holds.into();
    }
    segments(text.text, ',')
        .map(|(range, segment)| check_keyword(text, range.start, segment))
        .collect()
}

/// Checks the text between two commas, which begins at `start`.
fn check_keyword(text: &TextValue<'_>, start: usize, segment: &str) -> Verdict {
    if segment.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ') {
        return Verdict::Holds;
    }
    let keyword = segment.trim();
    let indent = segment.len() - segment.trim_start().len();
    // Characters inside the keyword matter more than white space around it.
    let inside =
        first_not_allowed(keyword).map(|run| CharacterRun { start: run.start + indent, ..run });
    let Some(run) = inside.or_else(|| first_not_allowed(segment)) else { return Verdict::Holds };
    let is_inside = inside.is_some();
    let finding = |limit: &str| {
        let (of, shown) = (quote(keyword), noun_for(run.text));
        let message = if is_inside {
            format!("the boosted keyword {of} contains {shown}{limit}")
        } else if keyword.is_empty() {
            format!("{shown} between the boosted keywords{limit}")
        } else {
            format!("{shown} next to the boosted keyword {of}{limit}")
        };
        let at = start + run.start;
        Finding::new(text.place(at..at + run.text.len()), message).section(text.value.section())
    };
    let is_separator = |c: char| is_mistaken_separator(c) || matches!(c, '\n' | '\r');
    let help = |otherwise: &'static str| {
        let separates = is_inside && run.text.contains(is_separator);
        if separates { "separate the keywords with commas" } else { otherwise }
    };
    match run.class {
        CharacterClass::Allowed => Verdict::Holds,
        CharacterClass::Forbidden => finding("; only letters, digits and spaces are allowed")
            .label("not allowed here")
            .help(help("remove it, or replace it with a space"))
            .reject(),
        CharacterClass::NonAscii => finding(", which may not count as a letter or digit")
            .label("a letter or digit?")
            .help(in_ascii(keyword).map_or_else(
                || "use ASCII letters and digits to be safe".to_owned(),
                |ascii| format!("write {} to be safe", quote(&ascii)),
            ))
            .possible(Condition::reading(
                "the description does not say which letters and digits are allowed",
            )),
        CharacterClass::WhiteSpace => finding(", which may not count as a space")
            .label("a space?")
            .help(help(if is_inside { "replace it with a space" } else { "remove it" }))
            .possible(Condition::reading(
                "the description does not say whether other white space counts as a space",
            )),
        CharacterClass::Joiner => finding(", which may not count as part of a letter")
            .label("part of a letter?")
            .help("remove it to be safe")
            .possible(Condition::reading(
                "the description does not say whether a joiner counts as part of a letter",
            )),
    }
}

/// The characters between backquotes, or the name of an invisible one.
fn noun_for(characters: &str) -> String {
    let last = characters.chars().last();
    let words = match last {
        Some('\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') => "a line break",
        Some('\t') => "a tab",
        Some('\u{a0}' | '\u{202f}') => "a no-break space",
        Some('\u{200b}') => "a zero width space",
        Some('\u{200c}') => "a zero width non-joiner",
        Some('\u{200d}') => "a zero width joiner",
        Some('\u{ad}') => "a soft hyphen",
        Some('\u{feff}') => "a byte order mark",
        Some(space) if space.is_whitespace() => "an unusual space",
        _ => return quote(characters),
    };
    words.to_owned()
}

/// The keyword without accents, if that is ASCII.
fn in_ascii(keyword: &str) -> Option<String> {
    let bare: String = keyword.nfd().filter(|c| !is_combining_mark(*c)).collect();
    Some(bare).filter(|bare| {
        !bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ')
    })
}
