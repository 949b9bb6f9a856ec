//! Sentences that forbid what they quote: "Do not read placeholders such as `[NAME]` aloud." The brackets there show a mistake, and
//! are not one.

use std::ops::Range;

use crate::heard::{Words, sentence_at, words};

/// Words of sentences that forbid something: the first group forbids, the second is about saying and writing, the third about
/// markup and how it is read, and the fourth forbids behind a German verb.
static WORDS: Words = words![
    "never|don't|don’t|do not|must not|mustn't|mustn’t|should not|shouldn't|shouldn’t|may not|avoid|nie|niemals|nicht|kabhi|mat|\
     कभी|मत",
    "say|read|speak|pronounce|utter|output|print|leave|mention|repeat|saying|reading|sage|sagen|sprich|lies|lesen|nenne|nennen|\
     aussprechen",
    "placeholder|placeholders|variable|variables|brace|braces|bracket|brackets|markup|tag|tags|aloud|literally|verbatim|\
     platzhalter|variablen|klammer|klammern|wörtlich|प्लेसहोल्डर",
    "kein|keine",
];

/// Whether the sentence around a part of a text forbids saying that part.
pub fn is_forbidden(text: &str, range: &Range<usize>) -> bool {
    /// The words between the one that forbids and the verb.
    const BETWEEN: usize = 2;
    let (sentence, found) = words_around(text, range);
    let is_near = |one: &Range<usize>, next: &Range<usize>| {
        let between = sentence.get(one.end..next.start).unwrap_or_default();
        between.split_whitespace().count() <= BETWEEN
    };
    let begins = |range: &Range<usize>| {
        !sentence.get(..range.start).is_some_and(|before| before.contains(char::is_alphanumeric))
    };
    is_about_markup(&found)
        || found.split_first().is_some_and(|((first, group), others)| {
            let wanted: &[usize] = if *group == 0 { &[1] } else { &[0, 3] };
            let mut near = others.iter().filter(|(range, _)| is_near(first, range));
            *group < 2 && begins(first) && near.any(|(_, group)| wanted.contains(group))
        })
}

/// Whether the sentence around a part of a text forbids reading markup as such.
pub fn is_forbidden_markup(text: &str, range: &Range<usize>) -> bool {
    is_about_markup(&words_around(text, range).1)
}

fn is_about_markup(found: &[(Range<usize>, usize)]) -> bool {
    let has = |wanted| found.iter().any(|(_, group)| *group == wanted);
    has(0) && has(2)
}

/// The sentence around a part of a text, and those of its words that say whether it forbids that part, which are not in it.
fn words_around<'t>(text: &'t str, range: &Range<usize>) -> (&'t str, Vec<(Range<usize>, usize)>) {
    let sentence = sentence_at(text, range.start);
    let is_outside = |at: usize| !range.contains(&(sentence.start + at));
    let words = text.get(sentence.clone()).unwrap_or_default();
    (words, WORDS.find(words).filter(|(word, _)| is_outside(word.start)).collect())
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
