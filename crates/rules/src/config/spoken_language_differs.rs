use std::ops::Range;

use voxlint_model::heard::language::{name_of, other_language};
use voxlint_model::heard::{PromptClue, Prose, Words, sentence_at, words};

use crate::prelude::*;

rule! {
    /// A greeting, a voicemail or the prompt uses another language than `language_id`.
    ///
    /// Speech recognition expects the language of the agent, and the voice pronounces it. Callers who are greeted in another
    /// one answer in that language.
    ///
    /// The rule compares `welcome_message` and `voicemail_message` with a `language_id` that is the code or the English name of
    /// a language, such as `de`, `en-IN` or `Hindi`. Ids of the service's own catalogue are skipped. It reports a text in
    /// another script, or a text with several common words of English, German, Spanish, French, Portuguese, Italian, Dutch or
    /// Turkish and none of its own language. Short and mixed texts are not reported, nor are codes such as `multi`, `en-hi` and
    /// `hi-Latn`.
    ///
    /// A prompt that demands one language, "Always speak English" or "Antworte nur auf Deutsch", is compared with `language_id`, or
    /// with the greeting. Sentences about certain callers, "If the caller speaks Spanish, …", are not read as demands.
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
    let mut read = 0;
    let mut demands = prompt.clues().iter().filter_map(|(name, what)| {
        let PromptClue::Language(code) = *what else { return None };
        // A sentence that names a second language demands neither.
        if name.start < read {
            return None;
        }
        let sentence = sentence_at(&prompt.text, name.start);
        read = sentence.end;
        let before = prompt.text.get(sentence.start..name.start)?;
        let after = prompt.text.get(name.end..sentence.end)?;
        is_demand(&before.to_lowercase(), &after.to_lowercase()).then_some((code, sentence))
    });
    let first = demands.next()?;
    demands.all(|(code, _)| code == first.0).then_some(first)
}

/// Verbs of speaking, as prompts tell agents to do it.
static SPEAK: Words = words![
    "speak|respond|reply|answer|communicate|converse|sprich|sprichst|sprechen|antworte|antwortest|antworten|rede|redest|habla|\
    hablas|hablar|responde|respondes|responder|contesta|contestas|parle|parles|parler|réponds|répondre|parli|parla|parlare|\
    rispondi|fale|fala|falar|responda|konuş|yanıtla|बोलें|बोलो|bolein|bolo",
];

/// Words that allow no other language.
static ONLY: Words = words![
    "only|always|exclusively|nur|immer|ausschließlich|solo|sólo|siempre|solamente|únicamente|exclusivamente|uniquement|\
    toujours|seulement|exclusivement|sempre|soltanto|apenas|somente|yalnızca|sadece|हमेशा|केवल|hamesha",
];

/// Words between these that leave what a sentence demands as it is.
static SMALL: Words = words![
    "you|must|should|shall|will|please|in|the|to|with|all|calls|du|sollst|musst|bitte|auf|en|debes|deves|em|dois|devi|में|\
    mein|aap|आप",
];

/// Words of sentences that hold in some calls, that forbid, or that are about more than one language.
static LIMITS: Words = words![
    "if|when|unless|until|after|not|never|don't|don’t|or|and|wenn|falls|sobald|nicht|nie|oder|und|si|cuando|salvo|no|nunca|o|\
    y|quand|sauf|jamais|ne|pas|ou|et|se|quando|non|mai|e|não|ve|veya|eğer|अगर|और|या|agar|aur|ya",
];

/// Whether a sentence demands the language that it names, from the words before and after the name, both in lower case. Each word
/// up to the next comma must say so, because "Always speak numbers in English" demands something else.
fn is_demand(before: &str, after: &str) -> bool {
    let clause = after.split([',', ';', ':', '(', '–', '—']).next().unwrap_or_default();
    let words = |text: &'_ str, test: &dyn Fn(&str) -> bool| {
        let words = text.split(|c: char| c.is_whitespace() || ".,;:!?()*_-।".contains(c));
        words.filter(|word| !word.is_empty()).any(test)
    };
    let has =
        |list: &Words| [before, clause].iter().any(|it| words(it, &|word| list.contains(word)));
    let is_other = |word: &str| ![&SPEAK, &ONLY, &SMALL].iter().any(|list| list.contains(word));
    has(&ONLY)
        && has(&SPEAK)
        && ![before, clause].iter().any(|it| words(it, &is_other))
        && !words(after, &|word| LIMITS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::is_demand;

    #[test]
    fn a_sentence_that_allows_one_language_demands_it() {
        for (before, after, expected) in [
            ("Always speak ", ".", true),
            ("You respond only in ", ".", true),
            ("Antworte ausschließlich auf ", "", true),
            ("Du sollst immer nur ", " sprechen.", true),
            ("Hablas siempre en ", ", con frases cortas.", true),
            ("Parle toujours en ", "", true),
            ("Parli solo ", ", con tono cortese.", true),
            ("हमेशा ", " में बोलें।", true),
            ("Sadece ", " konuş.", true),
            ("Always start speaking in ", "", false),
            ("If the caller speaks Hindi, always respond in ", ".", false),
            ("Always answer in English or ", ".", false),
            ("Never speak only ", ".", false),
            ("Say: \"We only speak ", ".\"", false),
            ("Responde en ", "", false),
            ("The team speaks only ", ".", false),
            ("Always speak numbers in ", ".", false),
            ("Always respond in ", " letters.", false),
            ("Always speak ", " with callers from there.", false),
            ("Always speak ", ", unless the caller does not.", false),
        ] {
            let (before, after) = (before.to_lowercase(), after.to_lowercase());
            assert_eq!(is_demand(&before, &after), expected, "{before}…{after}");
        }
    }
}
