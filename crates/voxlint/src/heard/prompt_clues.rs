//! The words of prompts at which rules begin to read. One search finds those of all rules, once for each prompt.

use std::ops::Range;

use super::Clues;

/// What a word or phrase of a prompt says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PromptClue {
    /// The length of calls.
    CallLength,
    /// A silence.
    Silence,
    /// A demand.
    Always,
    /// The prohibition of the caller's name.
    NoName,
    /// Another prohibition.
    Never,
    /// The name of a language, by its code.
    Language(&'static str),
}

/// Each with its words, in English, German, Spanish, French, Portuguese, Italian, Turkish and Hindi, as far as prompts have them.
static CLUES: Clues = Clues::new(&[
    "keep the call|keep calls|keep this call|keep the conversation|keep conversations|limit the call|limit calls|end the call in|\
     call should last|calls should last|call should take|calls should take|halte das gespräch|halte den anruf|halte gespräche|\
     begrenze das gespräch|beende das gespräch nach|mantén la llamada|la llamada debe durar|gardez l'appel|limitez l'appel|\
     mantenha a ligação|mantenha a chamada",
    "silent for|silence for|silence of|seconds of silence|silence longer than|silence lasts|no response for|doesn't respond for|\
     does not respond for|doesn't answer for|schweigt länger als|stille von|sekunden stille|segundos de silencio|\
     secondes de silence|segundos de silêncio",
    "always|immer|siempre|toujours|sempre|hamesha",
    "do not use the customer's name|don't use the customer's name|dont use customer name|don't use customer name|\
     do not use customer name|never use the customer's name|never use the caller's name|do not use the caller's name|\
     don't use the caller's name|do not say the customer's name|don't say the customer's name|do not mention the customer's name|\
     don't mention the customer's name|nenne den namen des kunden nicht|no uses el nombre del cliente",
    "never|do not ever|niemals|nie|nunca|jamais|mai|kabhi nahi",
    "english|englisch|inglés|anglais|inglês|inglese|ingilizce|अंग्रेज़ी|अंग्रेजी",
    "german|deutsch|alemán|allemand|alemão|tedesco|almanca",
    "spanish|spanisch|español|espagnol|espanhol|spagnolo|ispanyolca",
    "french|französisch|francés|français|francais|francês|francese|fransızca",
    "portuguese|portugiesisch|portugués|portugais|português|portoghese",
    "italian|italienisch|italiano|italien",
    "turkish|türkisch|türkçe",
    "hindi|हिंदी|हिन्दी",
]);

/// What the groups of [`CLUES`] say.
const MEANINGS: [PromptClue; 13] = [
    PromptClue::CallLength,
    PromptClue::Silence,
    PromptClue::Always,
    PromptClue::NoName,
    PromptClue::Never,
    PromptClue::Language("en"),
    PromptClue::Language("de"),
    PromptClue::Language("es"),
    PromptClue::Language("fr"),
    PromptClue::Language("pt"),
    PromptClue::Language("it"),
    PromptClue::Language("tr"),
    PromptClue::Language("hi"),
];

/// The clues in a text, from left to right.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, PromptClue)> {
    let found = CLUES.find(text);
    found.filter_map(|(range, group)| Some((range, *MEANINGS.get(group)?))).collect()
}
