//! Sentences that forbid what they quote: "Do not read placeholders such as `[NAME]` aloud." The brackets there show a mistake, and
//! are not one.

use std::ops::Range;

/// The first words of a sentence that forbids something.
const NEVER: [&str; 8] = ["never", "avoid", "don't", "dont", "nie", "niemals", "kabhi", "कभी"];

/// Verbs of saying and writing, in English and in German.
const SAY: [&str; 20] = [
    "say",
    "read",
    "speak",
    "pronounce",
    "utter",
    "output",
    "print",
    "leave",
    "mention",
    "repeat",
    "saying",
    "reading",
    "sage",
    "sagen",
    "sprich",
    "lies",
    "lesen",
    "nenne",
    "nennen",
    "aussprechen",
];

/// Words about markup, and about how it is read.
const MARKUP: [&str; 20] = [
    "placeholder",
    "placeholders",
    "variable",
    "variables",
    "brace",
    "braces",
    "bracket",
    "brackets",
    "markup",
    "tag",
    "tags",
    "aloud",
    "literally",
    "verbatim",
    "platzhalter",
    "variablen",
    "klammer",
    "klammern",
    "wörtlich",
    "प्लेसहोल्डर",
];

/// Words that forbid something, anywhere in a sentence.
const NEGATIONS: [&str; 11] = [
    "never",
    "don't",
    "mustn't",
    "shouldn't",
    "nie",
    "niemals",
    "nicht",
    "kabhi",
    "mat",
    "कभी",
    "मत",
];

/// The characters of a sentence that are looked at, before and after the markup. Sentences are not longer.
const REACH: usize = 240;

/// Whether the sentence around a part of a text forbids saying that part.
pub fn is_forbidden(text: &str, range: &Range<usize>) -> bool {
    let words = sentence(text, range);
    is_about_markup(&words) || {
        let mut first = words.iter().map(String::as_str);
        match first.next() {
            Some(word) if NEVER.contains(&word) => first.take(3).any(|it| SAY.contains(&it)),
            Some("do") => first.next() == Some("not") && first.take(3).any(|it| SAY.contains(&it)),
            Some(word) if SAY.contains(&word) => {
                first.take(3).any(|it| matches!(it, "nie" | "niemals" | "nicht" | "kein" | "keine"))
            }
            _ => false,
        }
    }
}

/// Whether the sentence around a part of a text forbids reading markup as such.
pub fn is_forbidden_markup(text: &str, range: &Range<usize>) -> bool {
    is_about_markup(&sentence(text, range))
}

fn is_about_markup(words: &[String]) -> bool {
    let is_not = |at: usize, word: &str| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map(String::as_str);
        NEGATIONS.contains(&word)
            || at == 0 && word == "avoid"
            || word == "not" && matches!(before, Some("do" | "must" | "should" | "may"))
    };
    words.iter().any(|word| MARKUP.contains(&word.as_str()))
        && words.iter().zip(0..).any(|(word, at)| is_not(at, word))
}

/// The words of the sentence around a part of a text, in lower case, without those of the part itself.
fn sentence(text: &str, range: &Range<usize>) -> Vec<String> {
    let before = text.get(..range.start).unwrap_or_default();
    let mut from = before.len().saturating_sub(REACH);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let before = before.get(from..).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let mut to = after.len().min(REACH);
    while !after.is_char_boundary(to) {
        to -= 1;
    }
    let after = after.get(..to).unwrap_or_default();
    let start = ends(before).last().unwrap_or_default();
    let end = ends(after).next().unwrap_or(after.len());
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '\u{94d}' | '\u{93c}');
    let parts = [before.get(start..), after.get(..end)].into_iter().flatten();
    let words = parts.flat_map(|part| part.split(move |c| !is_part(c)));
    let words = words.filter(|word| !word.is_empty());
    words.map(|word| word.to_lowercase().replace('’', "'")).collect()
}

/// Where sentences of a text end: at the end of a line, and at a full stop or the like before a space.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let signs = text.match_indices(['\n', '.', '!', '?', '।', ';']);
    signs.filter_map(move |(at, sign)| {
        let end = at + sign.len();
        let rest = text.get(end..)?;
        let ends = sign == "\n" || rest.is_empty() || rest.starts_with([' ', '\n', '"', '”', '\t']);
        ends.then_some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (bool, bool) {
        let start = text.find(['[', '{']).unwrap();
        let range = start..text.rfind([']', '}']).unwrap() + 1;
        (is_forbidden(text, &range), is_forbidden_markup(text, &range))
    }

    #[test]
    fn sentences_that_forbid_markup_are_told_from_others() {
        for (text, expected) in [
            ("Greet them. Never say {{name}}.", (true, false)),
            ("- Do not read placeholders such as [NAME] or {name} aloud.", (true, true)),
            ("Avoid saying [COMPANY_NAME]!", (true, false)),
            ("Placeholders like {name} must not be read.", (true, true)),
            ("Sage niemals [FIRMENNAME].", (true, false)),
            ("Lies Platzhalter wie {name} nicht vor.", (true, true)),
            ("Say {name}. Never say no.", (false, false)),
            ("Never be rude.\nYou work for [COMPANY_NAME].", (false, false)),
            ("Never ask {name} twice.", (false, false)),
            ("If a variable is not set, say {name}.", (false, false)),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
