use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use voxlint_syntax::Invisible;

use super::replacement;
use crate::quote::quote;
use crate::rule::rule;
use crate::text::keyword_characters::{CharacterClass, CharacterRun, class_of, first_not_allowed};
use crate::text::keywords::{is_mistaken_separator, segments};
use crate::value::TextValue;
use crate::verdict::{Condition, Finding, ProposedFix, Replacement, Verdict, Verdicts};
use crate::{Safety, secrets};

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
    /// ```json,possible
    /// { "version_number": 3, "boosted_keywords": "KYC, premium\u00a0plan" }
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
        fix: Both("Writes the keyword with allowed characters only. That is safe for white space, zero-width spaces and byte order marks. \
                   Keywords on several lines are \
                   written on one. The unsafe fixes write a space for a sign, a comma for another separator, and letters without accents."),
        needs: [Terms],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b',');
    if text.shape.terms.is_none() || text.text.bytes().all(is_allowed) {
        return Verdict::Holds.into();
    }
    // Edits of single lines would leave a list that is half on one line.
    let is_spread = text.text.trim_end().contains(['\n', '\r']);
    let mut on_one_line = on_one_line(text).filter(|_| is_spread);
    segments(text.text, b',')
        .map(|(range, segment)| {
            let fix = |class| {
                if is_spread { on_one_line.take() } else { fix(text, range.start, segment, class) }
            };
            check_keyword(text, range.start, segment, fix)
        })
        .collect()
}

/// Writes keywords on several lines as one line, if the line breaks are only beside commas and nothing else is to be changed.
fn on_one_line(text: &TextValue<'_>) -> Option<ProposedFix> {
    let keywords: Vec<&str> =
        text.text.split(',').map(str::trim).filter(|keyword| !keyword.is_empty()).collect();
    let is_plain = |keyword: &&str| keyword.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ');
    if keywords.is_empty() || !keywords.iter().all(is_plain) || secrets::has_secret(text.text) {
        return None;
    }
    Some(ProposedFix::replace(
        "write the keywords on one line",
        Safety::Safe,
        text.value.place(),
        Replacement::Text(keywords.join(", ")),
    ))
}

/// Checks the text between two commas, which begins at `start`. `fix` is the fix for characters of a class.
fn check_keyword(
    text: &TextValue<'_>,
    start: usize,
    segment: &str,
    fix: impl FnOnce(CharacterClass) -> Option<ProposedFix>,
) -> Verdict {
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
        let finding = Finding::new(text.place(at..at + run.text.len()), message);
        Finding { fix: fix(run.class), ..finding }.section(text.value.section())
    };
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

/// Signs that are spoken as a word, or make another word: `C++`, `AT&T`.
const SPOKEN: [char; 14] = ['+', '#', '&', '%', '@', '=', '*', '$', '€', '£', '₹', '°', '<', '>'];

fn is_invisible(character: char) -> bool {
    Invisible::of(character).is_some()
}

/// Whether a character may have been meant to separate keywords.
fn is_separator(character: char) -> bool {
    is_mistaken_separator(character) || matches!(character, '\n' | '\r')
}

/// Writes the text between two commas, which begins at `start`, with allowed characters. `class` is that of the finding.
fn fix(
    text: &TextValue<'_>,
    start: usize,
    segment: &str,
    class: CharacterClass,
) -> Option<ProposedFix> {
    let written = segment.trim_matches(' ');
    if secrets::has_secret(written) {
        // A fix shows what it writes.
        return None;
    }
    let mut safety = Safety::Safe;
    let mut new = String::new();
    let mut before = None;
    // Only inside the keyword a line break separates.
    let mut characters = written.trim().chars().peekable();
    while let Some(character) = characters.next() {
        let own_class = class_of(before.replace(character), character, characters.peek().copied());
        let is_joiner = class == CharacterClass::Joiner && own_class == class;
        match character {
            '\u{200b}' | '\u{feff}' => {}
            _ if is_separator(character) => {
                safety = Safety::Unsafe;
                new.push_str(", ");
            }
            _ if character.is_whitespace() => new.push(' '),
            // A part of an emoji, or something else that cannot be seen.
            '\u{fe00}'..='\u{fe0f}' | '\u{20e3}' => safety = Safety::Unsafe,
            _ if is_joiner
                || (own_class == CharacterClass::Forbidden && is_invisible(character)) =>
            {
                safety = Safety::Unsafe;
            }
            // Another sign may have to take its place, or a word.
            _ if SPOKEN.contains(&character) => return None,
            _ if own_class == CharacterClass::Forbidden => {
                safety = Safety::Unsafe;
                new.push(' ');
            }
            _ => new.push(character),
        }
    }
    if class == CharacterClass::NonAscii {
        (new, safety) = (in_ascii(&new)?, Safety::Unsafe);
    }
    let words: Vec<&str> = new.split_whitespace().collect();
    let new = words.join(" ").replace(" ,", ",");
    let new = new.trim_matches([',', ' ']);
    let title = if new.is_empty() && written.trim().is_empty() {
        "remove it".to_owned()
    } else {
        format!("write {}", quote(new))
    };
    let range = segment.len() - segment.trim_start_matches(' ').len();
    let range = start + range..start + range + written.len();
    let is_empty = new.is_empty() && !written.trim().is_empty();
    (new != written && !is_empty)
        .then(|| ProposedFix::new(title, safety, vec![replacement(text, range, new)]))
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
