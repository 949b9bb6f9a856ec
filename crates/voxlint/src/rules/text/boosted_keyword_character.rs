use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::quote::quote;
use crate::rule::rule;
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
        section: "2.3",
        status: 400,
    }
}

/// What a character is to a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Fine,
    /// A letter, mark or number that is not ASCII.
    Script,
    /// White space that is no space.
    Space,
    /// A joiner between letters.
    Joiner,
    Refused,
}

fn check(text: &TextValue<'_>) -> Verdicts {
    if text.shape.terms.is_none() {
        return Verdict::Holds.into();
    }
    segments(&text.text, ',').map(|(range, segment)| judge(text, range.start, segment)).collect()
}

fn judge(text: &TextValue<'_>, start: usize, segment: &str) -> Verdict {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == ' ';
    if segment.chars().all(plain) {
        return Verdict::Holds;
    }
    let term = segment.trim();
    let indent = segment.len() - segment.trim_start().len();
    // What stands inside a term is worse than what stands beside it.
    let inside = offence(term).map(|(standing, from, what)| (standing, indent + from, what));
    let Some((standing, from, what)) = inside.or_else(|| offence(segment)) else {
        return Verdict::Holds;
    };
    let finding = |why: &str| {
        let (of, shown) = (quote(term), name(what));
        let message = if inside.is_some() {
            format!("the boosted keyword {of} contains {shown}{why}")
        } else if term.is_empty() {
            format!("{shown} among the boosted keywords{why}")
        } else {
            format!("{shown} beside the boosted keyword {of}{why}")
        };
        Finding::new(text.place(start + from..start + from + what.len()), message)
            .section(text.value.section())
    };
    let is_separator = |c: char| is_mistaken_separator(c) || matches!(c, '\n' | '\r');
    let help = |otherwise: &str| {
        if inside.is_some() && what.contains(is_separator) {
            "separate the terms with commas".to_owned()
        } else {
            otherwise.to_owned()
        }
    };
    match standing {
        Standing::Fine => Verdict::Holds,
        Standing::Refused => finding("; only letters, digits and spaces are allowed")
            .label("not allowed here")
            .help(help("leave it out, or write a space for it"))
            .reject(),
        Standing::Script => finding(", which may not count as a letter or digit")
            .label("a letter or digit?")
            .help(in_ascii(term).map_or_else(
                || "write the term in ASCII letters and digits to be safe".to_owned(),
                |ascii| format!("write {} to be safe", quote(&ascii)),
            ))
            .possible(Condition::reading(
                "the description says letters and digits, and not of which scripts",
            )),
        Standing::Space => finding(", which may not count as a space")
            .label("a space?")
            .help(help(if inside.is_some() {
                "write a space"
            } else {
                "write nothing there, or a space"
            }))
            .possible(Condition::reading(
                "the description does not say whether other white space counts as a space",
            )),
        Standing::Joiner => finding(", which may not count as part of a letter")
            .label("part of a letter?")
            .help("leave it out to be safe")
            .possible(Condition::reading(
                "the description does not say whether a joiner counts as part of a letter",
            )),
    }
}

/// The worst that a segment holds: where the first of it begins, and the characters.
fn offence(segment: &str) -> Option<(Standing, usize, &str)> {
    let refused = run(segment, |standing| standing == Standing::Refused);
    let first = || {
        let (standing, ..) = run(segment, |standing| standing != Standing::Fine)?;
        run(segment, |other| other == standing)
    };
    refused.or_else(first)
}

/// The first characters in a row whose standing is wanted. Marks stay with the letters that they change.
fn run(segment: &str, wanted: impl Fn(Standing) -> bool) -> Option<(Standing, usize, &str)> {
    let mut found: Option<(Standing, usize, usize)> = None;
    let mut before = None;
    for (offset, grapheme) in segment.grapheme_indices(true) {
        let rest = segment.get(offset + grapheme.len()..).unwrap_or_default();
        let standing = grapheme_standing(before, grapheme, rest.chars().next());
        before = grapheme.chars().last();
        match &mut found {
            None if wanted(standing) => found = Some((standing, offset, offset + grapheme.len())),
            Some((of, _, end)) if *of == standing => *end = offset + grapheme.len(),
            Some(_) => break,
            None => {}
        }
    }
    let (standing, start, end) = found?;
    Some((standing, start, segment.get(start..end)?))
}

/// The standing of its first character that is not fine, or of any that is refused.
fn grapheme_standing(before: Option<char>, grapheme: &str, after: Option<char>) -> Standing {
    let mut first = Standing::Fine;
    let mut before = before;
    let mut characters = grapheme.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied().or(after);
        match standing(before, character, next) {
            Standing::Refused => return Standing::Refused,
            other if first == Standing::Fine => first = other,
            _ => {}
        }
        before = Some(character);
    }
    first
}

fn standing(before: Option<char>, character: char, after: Option<char>) -> Standing {
    let is_letter = |c: Option<char>| {
        c.is_some_and(|c| {
            matches!(
                c.general_category_group(),
                GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark
            )
        })
    };
    match character {
        ' ' => Standing::Fine,
        _ if character.is_ascii_alphanumeric() => Standing::Fine,
        _ if character.is_whitespace() => Standing::Space,
        '\u{200c}' | '\u{200d}' if is_letter(before) && is_letter(after) => Standing::Joiner,
        _ => match character.general_category_group() {
            GeneralCategoryGroup::Letter
            | GeneralCategoryGroup::Mark
            | GeneralCategoryGroup::Number => Standing::Script,
            _ => Standing::Refused,
        },
    }
}

/// The characters as they read, or what they are where they show nothing.
fn name(characters: &str) -> String {
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

/// The term without accents, if that makes it ASCII.
fn in_ascii(term: &str) -> Option<String> {
    let bare: String = term.nfd().filter(|c| !is_combining_mark(*c)).collect();
    Some(bare).filter(|bare| {
        !bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ')
    })
}
