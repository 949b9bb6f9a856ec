use std::ops::Range;

use voxlint_schema::settings::{language_id, prompt_text, voicemail_message, welcome_message};

use crate::engine::effective::Effective;
use crate::heard::language::{name_of, other_language};
use crate::heard::{PromptClue, Prose, has_word, sentence_at};
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// A greeting, a voicemail or the prompt is for another language than `language_id`.
    ///
    /// Speech recognition expects the language of the agent, and the voice pronounces it. Callers who are greeted in another
    /// one answer in that language.
    ///
    /// The rule compares `welcome_message` and `voicemail_message` with a `language_id` that is the code or the English name of
    /// a language, such as `de`, `en-IN` or `Hindi`. The ids of the service's own catalogue tell nothing. It reports a text in
    /// another script, or a text with several common words of English, German, Spanish, French, Portuguese, Italian, Dutch or
    /// Turkish and none of its own language. Short and mixed texts are not reported, nor are codes such as `multi`, `en-hi` and
    /// `hi-Latn`.
    ///
    /// A prompt that demands one language, "Always speak English" or "Antworte nur auf Deutsch", is compared with `language_id`, or
    /// with the greeting. Sentences about certain callers, "If the caller speaks Spanish, …", demand nothing.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "language_id": "de",
    ///   "welcome_message": "Hello, this is Harbor Dental. How can I help you today?"
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "You are Anna. Antworte immer auf Deutsch.",
    ///   "welcome_message": "Hello, this is Harbor Dental. How can I help you today?"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "language_id": "hi",
    ///   "welcome_message": "Namaste, main Asha bol rahi hoon. How can I help you today?"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "language_id": "multi",
    ///   "welcome_message": "Hello, this is Harbor Dental. How can I help you today?"
    /// }
    /// ```
    "spoken-language-differs": Config {
        group: Heard,
        basis: Inferred("The description does not say what the language of an agent does to its messages."),
        section: "2.3",
        reads: [language_id, prompt_text, welcome_message, voicemail_message],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let language = config.get(&language_id);
    let language = language.known().filter(|(code, _)| name_of(code).is_some());
    let mut verdicts = Verdicts::none();
    if let Some((code, at)) = language {
        for prose in config.spoken() {
            let label = "the language of the agent";
            let found = other_language(code, &prose.text).and_then(|spoken| {
                let name = prose.row.name;
                let message =
                    format!("`{name}` is in {spoken}, but `language_id` is {}", named(code));
                differ(message, prose.at.clone(), (at.clone(), label), "the stored message")
            });
            verdicts.extend(found.into_iter().map(Finding::advice));
        }
    }
    let Some((prompt, demanded, sentence)) = config
        .prose_of(&prompt_text)
        .and_then(|prompt| demanded(prompt).map(|(code, sentence)| (prompt, code, sentence)))
    else {
        return verdicts;
    };
    let name = name_of(demanded).unwrap_or_default();
    let place = prompt.place(sentence);
    let found = match language {
        Some((code, _)) if name_of(code) == Some(name) => None,
        Some((code, at)) => {
            let message =
                format!("the prompt demands {name}, but `language_id` is {}", named(code));
            let other = (at.clone(), "the language of the agent");
            differ(message, place, other, "the stored prompt")
        }
        None => config.prose_of(&welcome_message).and_then(|greeting| {
            let spoken = other_language(demanded, &greeting.text)?;
            let message =
                format!("the prompt demands {name}, but `welcome_message` is in {spoken}");
            let other = (greeting.at.clone(), "the greeting");
            differ(message, place, other, "the stored prompt")
        }),
    };
    verdicts.extend(found.into_iter().map(Finding::advice));
    verdicts
}

/// A language as the setting has it, with its name.
fn named(code: &str) -> String {
    format!("{} ({})", quote(code), name_of(code).unwrap_or_default())
}

/// The finding, at the one of two places that is in the document.
fn differ(
    message: String,
    place: Place,
    (other, label): (Place, &'static str),
    stored: &'static str,
) -> Option<Finding> {
    let (place, other, label) = if place.is_in_document() {
        (place, other, label)
    } else if other.is_in_document() {
        (other, place, stored)
    } else {
        return None;
    };
    let finding = Finding::new(place, message).help("use the same language in both");
    Some(finding.also(other, label).once_for("language"))
}

/// The code of the one language that a prompt demands, and the sentence that does.
fn demanded(prompt: &Prose<'_>) -> Option<(&'static str, Range<usize>)> {
    let mut demands = prompt.clues().iter().filter_map(|(name, what)| {
        let PromptClue::Language(code) = *what else { return None };
        let sentence = sentence_at(&prompt.text, name.start);
        let before = prompt.text.get(sentence.start..name.start)?;
        let whole = prompt.text.get(sentence.clone())?.to_lowercase();
        is_demand(&whole, &before.to_lowercase()).then_some((code, sentence))
    });
    let first = demands.next()?;
    demands.all(|(code, _)| code == first.0).then_some(first)
}

/// Verbs of speaking, divided by spaces, as prompts tell agents to do it.
const SPEAK: &str = "speak respond reply answer communicate converse sprich sprichst antworte antwortest rede redest habla hablas \
    responde respondes contesta contestas parle parles réponds parli parla rispondi fale fala responda konuş बोलें bolein";

/// Words that allow no other language.
const ONLY: &str = "only always exclusively nur immer ausschließlich solo sólo siempre solamente únicamente exclusivamente \
    uniquement toujours seulement exclusivement sempre soltanto apenas somente yalnızca sadece हमेशा केवल hamesha";

/// Words of sentences that hold in some calls, that forbid, or that are about more than one language.
const LIMITS: &str = "if when unless until after caller caller's callers customer user they their start not never don't don’t or and \
    wenn falls sobald anrufer kunde kunden nicht nie oder und si cuando salvo cliente usuario no nunca o y quand sauf client \
    jamais ne pas ou et se quando utente non mai e ou não ve veya eğer अगर और या agar aur ya";

/// Whether a sentence demands the language that it names, with the words before the name, both in lower case.
fn is_demand(sentence: &str, before: &str) -> bool {
    let words = |text: &'_ str| {
        let words = text.split(|c: char| c.is_whitespace() || ".,;:!?()*_-\"".contains(c));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let has = |words: &[String], list: &str| words.iter().any(|word| has_word(list, word));
    let sentence = words(sentence);
    !before.contains(['"', '“', '„', '«'])
        && has(&words(before), SPEAK)
        && has(&sentence, ONLY)
        && !has(&sentence, LIMITS)
}

#[cfg(test)]
mod tests {
    use super::is_demand;

    #[test]
    fn a_sentence_that_allows_one_language_demands_it() {
        for (before, after, expected) in [
            ("Always speak ", "English.", true),
            ("You respond only in ", "English.", true),
            ("Antworte ausschließlich auf ", "Deutsch", true),
            ("Hablas siempre en ", "español, con frases cortas.", true),
            ("Parle toujours en ", "francais", true),
            ("Parli solo ", "italiano, con tono cortese.", true),
            ("Always start speaking in ", "English", false),
            ("If the caller speaks Hindi, always respond in ", "Hindi.", false),
            ("Always answer in English or ", "Hindi.", false),
            ("Never speak only ", "English.", false),
            ("Say: \"We only speak ", "English.\"", false),
            ("Responde en ", "español", false),
            ("The team speaks only ", "German.", false),
        ] {
            let whole = format!("{before}{after}").to_lowercase();
            assert_eq!(is_demand(&whole, &before.to_lowercase()), expected, "{whole}");
        }
    }
}
