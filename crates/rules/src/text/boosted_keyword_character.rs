use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use voxlint_model::text::keyword_characters::{
    CharacterClass, CharacterRun, class_of, first_not_allowed,
};
use voxlint_model::text::keywords::{breaks_line, is_mistaken_separator, segments};
use voxlint_syntax::Invisible;

use super::shared::{joined, replacement};
use crate::prelude::*;

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
        fix: Both("Writes the keyword with allowed characters only. That is safe for white space, byte order marks, and zero-width spaces \
                   that are not between letters. \
                   Keywords on several lines are \
                   written on one. The unsafe fixes write a space for a hyphen, leave out other signs that are not heard and weights, and write a comma \
                   for another separator and letters without accents."),
        readings: [KEYWORD_LETTERS, KEYWORD_SPACES, KEYWORD_JOINERS],
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
    let mut alike: Vec<(CharacterClass, Vec<(String, Finding)>)> = Vec::new();
    for (range, segment) in segments(text.text, b',') {
        let Some((class, finding)) = check_keyword(text, range.start, segment, is_spread) else {
            continue;
        };
        let name = match segment.trim() {
            "" => noun_for(segment),
            keyword => quote(keyword),
        };
        match alike.iter_mut().find(|(of, _)| *of == class) {
            Some((_, marks)) => marks.push((name, finding)),
            None => alike.push((class, vec![(name, finding)])),
        }
    }
    let mut on_one_line = on_one_line(text).filter(|_| is_spread);
    let verdicts = alike.into_iter().filter_map(|(class, marks)| {
        let message = |count| format!("{count} boosted keywords contain {}", class_in_words(class));
        let mut finding = joined(marks, message, help_for_all(class))?;
        let fix = on_one_line.take().or(finding.fix.take());
        Some(verdict(class, finding.fix(fix)))
    });
    verdicts.collect()
}

/// What several keywords contain.
const fn class_in_words(class: CharacterClass) -> &'static str {
    match class {
        CharacterClass::NonAscii => "characters that may not count as letters or digits",
        CharacterClass::WhiteSpace => "white space that may not count as a space",
        CharacterClass::Joiner => "joiners that may not count as part of a letter",
        CharacterClass::Forbidden | CharacterClass::Allowed => {
            "characters other than letters, digits and spaces"
        }
    }
}

const fn help_for_all(class: CharacterClass) -> &'static str {
    match class {
        CharacterClass::NonAscii => "use ASCII letters and digits to be safe",
        CharacterClass::WhiteSpace => "replace it with a space, or remove it next to a comma",
        CharacterClass::Joiner => "remove them to be safe",
        CharacterClass::Forbidden | CharacterClass::Allowed => AS_SPOKEN,
    }
}

fn verdict(class: CharacterClass, finding: Finding) -> Verdict {
    let reading = match class {
        CharacterClass::NonAscii => &readings::KEYWORD_LETTERS,
        CharacterClass::WhiteSpace => &readings::KEYWORD_SPACES,
        CharacterClass::Joiner => &readings::KEYWORD_JOINERS,
        CharacterClass::Forbidden | CharacterClass::Allowed => return finding.reject(),
    };
    finding.possible(Condition::first(reading))
}

/// Writes keywords on several lines as one line, if the line breaks are only beside commas and nothing else is to be changed.
fn on_one_line(text: &TextValue<'_>) -> Option<ProposedFix> {
    let keywords: Vec<&str> =
        text.text.split(',').map(str::trim).filter(|keyword| !keyword.is_empty()).collect();
    let is_plain = |keyword: &&str| keyword.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ');
    if keywords.is_empty() || !keywords.iter().all(is_plain) {
        return None;
    }
    Some(ProposedFix::replace(
        "write the keywords on one line",
        Safety::Safe,
        text.value.place(),
        Replacement::Text(keywords.join(", ")),
    ))
}

/// The help where only a person knows what a sign stands for.
const AS_SPOKEN: &str = "write the words as spoken, in letters, digits and spaces";

/// Checks the text between two commas, which begins at `start`.
fn check_keyword(
    text: &TextValue<'_>,
    start: usize,
    segment: &str,
    is_spread: bool,
) -> Option<(CharacterClass, Finding)> {
    if segment.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ') {
        return None;
    }
    let keyword = segment.trim();
    let indent = segment.len() - segment.trim_start().len();
    // Characters inside the keyword matter more than white space around it.
    let inside =
        first_not_allowed(keyword).map(|run| CharacterRun { start: run.start + indent, ..run });
    let run = inside.or_else(|| first_not_allowed(segment))?;
    let is_inside = inside.is_some();
    let (of, shown) = (quote(keyword), noun_for(run.text));
    let (limit, label) = match run.class {
        CharacterClass::Allowed => return None,
        CharacterClass::Forbidden => {
            ("; only letters, digits and spaces are allowed", "not allowed here")
        }
        CharacterClass::NonAscii => {
            (", which may not count as a letter or digit", "a letter or digit?")
        }
        CharacterClass::WhiteSpace => (", which may not count as a space", "a space?"),
        CharacterClass::Joiner => {
            (", which may not count as part of a letter", "part of a letter?")
        }
    };
    let message = if is_inside {
        format!("the boosted keyword {of} contains {shown}{limit}")
    } else if keyword.is_empty() {
        format!("{shown} between the boosted keywords{limit}")
    } else {
        format!("{shown} next to the boosted keyword {of}{limit}")
    };
    let fix = if is_spread { None } else { fix(text, start, segment, run.class) };
    let help = match run.class {
        _ if is_inside
            && run.text.contains(is_separator)
            && run.class != CharacterClass::NonAscii =>
        {
            "separate the keywords with commas".to_owned()
        }
        CharacterClass::NonAscii => in_ascii(keyword).map_or_else(
            || "use ASCII letters and digits to be safe".to_owned(),
            |ascii| format!("write {} to be safe", quote(&ascii)),
        ),
        CharacterClass::WhiteSpace if is_inside => "replace it with a space".to_owned(),
        CharacterClass::WhiteSpace => "remove it".to_owned(),
        CharacterClass::Joiner => "remove it to be safe".to_owned(),
        CharacterClass::Forbidden | CharacterClass::Allowed => match (weight(keyword), &fix) {
            (Some(weight), _) => {
                let sign = quote(keyword.get(weight..).unwrap_or_default());
                format!("remove the weight {sign}: all keywords weigh the same")
            }
            (None, Some(_)) => "replace with a space, or remove".to_owned(),
            (None, None) => AS_SPOKEN.to_owned(),
        },
    };
    let at = start + run.start;
    let finding = Finding::new(text.place(at..at + run.text.len()), message)
        .label(label)
        .help(help)
        .section(text.value.section());
    Some((run.class, finding.fix(fix)))
}

/// Where the weight of a keyword begins, which other services read: `metformin:5`, `copay^2.5`.
fn weight(keyword: &str) -> Option<usize> {
    let at = keyword.rfind([':', '^'])?;
    let (term, number) = (keyword.get(..at)?, keyword.get(at + 1..)?.trim());
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    // `10:30` is a time.
    (is_number && term.contains(char::is_alphabetic)).then_some(at)
}

/// Whether a recogniser hears the same keyword without a sign, or with a space in its place. `before` and `after` are what is beside
/// it in the keyword.
fn is_silent(sign: char, before: Option<char>, after: Option<char>) -> bool {
    let is_joiner = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '_');
    let is_quote = |c: char| matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»');
    let is_bracket = |c: char| matches!(c, '(' | ')' | '[' | ']' | '{' | '}');
    let is_outside = before.is_none() || after.is_none();
    let word = |c: Option<char>| c.filter(|c| c.is_alphanumeric());
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match (word(before), word(after)) {
        (Some(_), Some(_)) if is_joiner(sign) => true,
        (Some(one), Some(other)) => sign == '/' && one.is_alphabetic() && other.is_alphabetic(),
        // A sign before a number, or behind a group of blood, is a part of it.
        (None, Some(_)) if is_digit(after) => is_outside && (is_quote(sign) || is_bracket(sign)),
        (Some(_), None) if is_joiner(sign) => after.is_some(),
        (Some(_), None) if is_digit(before) && is_quote(sign) => false,
        _ if is_bracket(sign) => is_outside,
        _ => !matches!(sign, '/' | '~' | '^' | '|' | '\\'),
    }
}

/// Signs that are spoken as a word, or make another word: `C++`, `AT&T`.
const SPOKEN: [char; 14] = ['+', '#', '&', '%', '@', '=', '*', '$', '€', '£', '₹', '°', '<', '>'];

fn is_invisible(character: char) -> bool {
    Invisible::of(character).is_some()
}

/// Whether a character may have been meant to separate keywords.
fn is_separator(character: char) -> bool {
    is_mistaken_separator(character) || breaks_line(character)
}

/// Writes the text between two commas, which begins at `start`, with allowed characters. `class` is that of the finding.
fn fix(
    text: &TextValue<'_>,
    start: usize,
    segment: &str,
    class: CharacterClass,
) -> Option<ProposedFix> {
    let written = segment.trim_matches(' ');
    let weight = weight(written.trim()).filter(|_| class == CharacterClass::Forbidden);
    let whole = written.trim();
    let term = weight.map_or(whole, |at| whole.get(..at).unwrap_or_default());
    let mut safety = if weight.is_some() { Safety::Unsafe } else { Safety::Safe };
    let mut new = String::new();
    let mut before = None;
    // Only inside the keyword a line break separates.
    let mut characters = term.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied();
        let last = before.replace(character);
        let own_class = class_of(last, character, after);
        let is_joiner = class == CharacterClass::Joiner && own_class == class;
        match character {
            '\u{200b}' | '\u{feff}' => {
                // A zero-width space may stand for the space between two words.
                let is_inside =
                    [last, after].iter().flatten().filter(|c| c.is_alphanumeric()).count() == 2;
                if character == '\u{200b}' && is_inside {
                    safety = Safety::Unsafe;
                }
            }
            // A number after it may be a weight.
            _ if is_separator(character) && after.is_some_and(|c| c.is_ascii_digit()) => {
                return None;
            }
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
            _ if own_class == CharacterClass::Forbidden && !is_silent(character, last, after) => {
                return None;
            }
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
    } else if let Some(at) = weight {
        let lost = quote(whole.get(at..).unwrap_or_default());
        format!("write {} without its weight {lost}", quote(new))
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
