//! The words of prompts at which rules begin to read. One search finds those of all rules, once for each prompt.

use std::ops::Range;

use super::Words;

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
    /// A word for passing a call on.
    Transfer,
    /// A knowledge base.
    KnowledgeBase,
    /// The name of a section or variable that contains one.
    KnowledgeSection,
    /// The name of a language, by its code.
    Language(&'static str),
}

/// Each with its words, in English, German, Spanish, French, Portuguese, Italian, Turkish and Hindi, as far as prompts have them.
static CLUES: Words = Words::new(&[
    "keep the call|keep calls|keep this call|keep the conversation|keep conversations|limit the call|limit calls|end the call in|\
     call should last|calls should last|call should take|calls should take|halte das gespräch|halte den anruf|halte gespräche|\
     begrenze das gespräch|beende das gespräch nach|mantén la llamada|llamada debe durar|gardez l'appel|limitez l'appel|\
     mantenha a ligação|mantenha a chamada",
    "silent for|silence for|silence of|seconds of silence|silence longer than|silence lasts|response for|doesn't respond for|\
     does not respond for|doesn't answer for|schweigt länger als|stille von|sekunden stille|segundos de silencio|\
     secondes de silence|segundos de silêncio",
    "always|immer|siempre|toujours|sempre|hamesha",
    "not use the customer's name|don't use the customer's name|dont use customer name|don't use customer name|\
     not use customer name|never use the customer's name|never use the caller's name|not use the caller's name|\
     don't use the caller's name|not say the customer's name|don't say the customer's name|not mention the customer's name|\
     don't mention the customer's name|nenne den namen des kunden nicht|uses el nombre del cliente",
    "never|not ever|niemals|nie|nunca|jamais|mai|kabhi nahi",
    "transfer|transfers|transferred|transferring|transferir|transfiera|transfiere|transfira|transférer|transférez|transfère|\
     trasferire|trasferisci|verbinden|verbinde|verbindest|weiterverbinden",
    "knowledge base|knowledgebase|wissensdatenbank|wissensbasis|base de conocimiento|base de conocimientos|\
     base de connaissances|base de conhecimento|base de conhecimentos",
    "knowledge_base|base_de_conocimiento|base_de_conhecimento",
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
const MEANINGS: [PromptClue; 16] = [
    PromptClue::CallLength,
    PromptClue::Silence,
    PromptClue::Always,
    PromptClue::NoName,
    PromptClue::Never,
    PromptClue::Transfer,
    PromptClue::KnowledgeBase,
    PromptClue::KnowledgeSection,
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
pub(crate) fn find(text: &str) -> Vec<(Range<usize>, PromptClue)> {
    let found = CLUES.find(text);
    found.filter_map(|(range, group)| Some((range, *MEANINGS.get(group)?))).collect()
}
