//! By which names prompts and messages introduce the agent and its company.

use std::ops::Range;

use memchr::memmem;

use super::{Words, is_whole_word, sentence_at, words};
use crate::suggest;

/// Who speaks, as a text says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speaker {
    /// Where the agent is named.
    pub agent: Option<Range<usize>>,
    /// Where the company is named.
    pub company: Option<Range<usize>>,
}

/// What is before the name of the agent, and what is before that of the company.
static CUES: Words = words![
    "this is|i'm|i’m|i am|my name is|my name's|my name|your name is|you are|hier ist|hier spricht|ich bin|\
     mein name ist|du bist|sie sind|dein name ist|ihr name ist|soy|me llamo|mi nombre es|le habla|le saluda|eres|\
     te llamas|je suis|je m'appelle|je m’appelle|ici|tu es|vous êtes|ton nom est|ton prénom est|sou|sou a|sou o|\
     meu nome é|aqui é|aqui é a|você é|seu nome é|sono|mi chiamo|sei|ti chiami",
    "calling from|on behalf of|for calling|for reaching|you've reached|you’ve reached|you have reached|welcome to|\
     im auftrag von|willkommen bei|anruf bei|por llamar a|bienvenido a|bienvenidos a|bienvenue chez|contacté par|\
     por ligar para|benvenuto in|company:|company name:|business:|business name:|unternehmen:|firma:|empresa:",
];

/// Words between the agent and the company.
const PREPOSITIONS: [&str; 15] = [
    "from", "at", "for", "of", "von", "vom", "bei", "der", "de", "del", "da", "do", "di", "chez",
    "pour",
];

const ARTICLES: [&str; 16] = [
    "the", "der", "die", "das", "dem", "den", "la", "le", "les", "el", "los", "las", "il", "lo",
    "o", "a",
];

/// Words that names have inside.
const LINKS: [&str; 9] = ["&", "and", "of", "und", "de", "del", "la", "di", "y"];

/// Titles before names.
const TITLES: [&str; 6] = ["Dr.", "Prof.", "Mr.", "Mrs.", "Ms.", "St."];

/// Words in capitals that do not begin a name.
const NO_NAMES: [&str; 22] = [
    "AI", "An", "A", "I", "I'm", "IA", "If", "IVR", "KI", "Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer",
    "Ihnen", "Monday", "Montag", "Our", "The", "Sie", "Today", "Your",
];

/// Who speaks in a text, in its order.
pub fn speakers(text: &str) -> impl Iterator<Item = Speaker> {
    let all = CUES.find(text).map(|(cue, group)| {
        let end = sentence_at(text, cue.start).end;
        if group > 0 {
            return Speaker { agent: None, company: name_at(text, cue.end..end) };
        }
        let agent = name_at(text, cue.end..end);
        let after = agent.as_ref().map_or(cue.end, |agent| agent.end);
        Speaker { agent, company: company_after(text, after..end) }
    });
    all.filter(|it| it.agent.is_some() || it.company.is_some())
}

/// The first name after a preposition.
fn company_after(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let rest = text.get(range.clone())?;
    let mut words = words(rest, range.start);
    let mut is_first = true;
    words.find_map(|word| {
        let written = text.get(word.clone())?;
        // Later it tells how the agent speaks: "with Empathy".
        let is_one = PREPOSITIONS.contains(&written) || is_first && written == "with";
        is_first = false;
        is_one.then(|| name_at(text, word.end..range.end)).flatten()
    })
}

/// Whether a word may be before a name: an article, or signs alone.
fn is_before_name(word: &str) -> bool {
    ARTICLES.contains(&word) || !word.contains(char::is_alphanumeric)
}

/// The name at the start of a part of a text: words in capitals, after an article.
fn name_at(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    /// The number of words that a name has at most.
    const MOST: usize = 6;
    let rest = text.get(range.clone())?;
    let mut words = words(rest, range.start).peekable();
    // Marks of Markdown and quotes may be before the name.
    while words.next_if(|it| text.get(it.clone()).is_some_and(is_before_name)).is_some() {}
    let mut name: Option<Range<usize>> = None;
    let mut link = false;
    for word in words.take(MOST) {
        let written = text.get(word.clone())?;
        let trimmed = written.trim_end_matches(|c: char| !c.is_alphanumeric());
        let owner = trimmed.strip_suffix("'s").or_else(|| trimmed.strip_suffix("’s"));
        let trimmed = owner.unwrap_or(trimmed);
        let is_name = trimmed.starts_with(char::is_uppercase)
            && !(name.is_none() && NO_NAMES.contains(&trimmed));
        // An academic title has a full stop inside of the name.
        let is_title = TITLES.contains(&written);
        if is_name {
            let start = name.map_or(word.start, |name| name.start);
            name = Some(start..word.start + trimmed.len());
            link = false;
            if trimmed.len() < written.len() && !is_title {
                break;
            }
        } else if name.is_some() && !link && LINKS.contains(&written) {
            link = true;
        } else {
            break;
        }
    }
    name
}

fn words(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = start;
    let words = text.split_inclusive(char::is_whitespace).map(move |word| {
        let start = at;
        at += word.len();
        start..start + word.trim_end().len()
    });
    words.filter(|word| !word.is_empty())
}

/// Words that many companies have in their names.
static COMMON: Words = words![
    "bank|billing|booking|care|center|centre|clinic|clínica|company|customer|dental|desk|front|group|health|help|hotel|\
     insurance|klinik|law|medical|office|praxis|reception|restaurant|sales|service|services|solutions|support|team|technical|\
     the",
];

/// Whether a text contains a name in another case, or with other separators: `Sun Rise` and `SunRise`.
fn contains_respelled(text: &str, name: &str) -> bool {
    let flat = suggest::flatten(name);
    let Some(first) = flat.bytes().next() else { return true };
    let second = flat.as_bytes().get(1).copied().unwrap_or_default();
    let length = flat.chars().count();
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), text.as_bytes()).any(|at| {
        // The next letter tells most words apart.
        let next = text.as_bytes().get(at + 1).copied().unwrap_or_default();
        if next.is_ascii_alphanumeric() && next.to_ascii_lowercase() != second {
            return false;
        }
        let letters = text.get(at..).unwrap_or_default().chars();
        let letters = letters.filter(|c| !suggest::is_separator(*c));
        letters.flat_map(char::to_lowercase).take(length).eq(flat.chars())
    })
}

/// Whether a text mentions a name: one of the words that tell it from others, or all of it in another spelling. A name without
/// such words, such as "Customer Support", is that of no company.
pub fn mentions(text: &str, name: &str) -> bool {
    let tells = |word: &&str| word.len() > 2 && !COMMON.contains(word);
    let has = |word: &str| {
        let mut found = memmem::find_iter(text.as_bytes(), word.as_bytes());
        found.any(|at| is_whole_word(text, &(at..at + word.len())))
    };
    let mut words = name.split([' ', '-']).filter(tells).peekable();
    words.peek().is_none() || words.any(has) || contains_respelled(text, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_in_another_spelling() {
        for (text, name) in [
            ("You work for Sun Rise Taxi.", "SunRise"),
            ("You work for SUNRISE.", "Sunrise"),
            ("You work for Harbor-Dental", "Harbor Dental"),
        ] {
            assert!(mentions(text, name), "{text}");
        }
        assert!(!mentions("You work for Harbor Dental. So, rise.", "Sunrise"));
    }

    #[test]
    fn agents_and_companies_are_found() {
        for (text, expected) in [
            ("Hi, this is Ann from Harbor Dental.", "Ann / Harbor Dental"),
            ("Thanks for calling the Quayside! I'm Ann.", "- / Quayside; Ann / -"),
            ("You are Ann, a calm assistant for Harbor & Sons, who", "Ann / Harbor & Sons"),
            ("You are a clerk at Harbor Dental in Bern.", "- / Harbor Dental"),
            ("Guten Tag, hier ist Anna von der Praxis Kessel.", "Anna / Praxis Kessel"),
            ("Hola, soy Ana de la Clínica Sol.", "Ana / Clínica Sol"),
            ("Bonjour, vous êtes bien chez Lumen. Je suis Zoé.", "- / Lumen; Zoé / -"),
            ("You are an AI assistant. This is {{name}} from {{company}}.", ""),
            ("Ich bin bei Ihnen. You are very kind.", ""),
        ] {
            let show =
                |range: Option<Range<usize>>| range.and_then(|it| text.get(it)).unwrap_or("-");
            let found: Vec<_> = speakers(text)
                .map(|it| format!("{} / {}", show(it.agent), show(it.company)))
                .collect();
            assert_eq!(found.join("; "), expected, "{text}");
        }
    }
}
