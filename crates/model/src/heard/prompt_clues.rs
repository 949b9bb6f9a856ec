//! The words of prompts at which rules begin to read. One search finds those of all rules, once for each prompt.

use std::ops::Range;

use super::calls::Names;
use super::{Words, words};

/// What a word or phrase of a prompt says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptClue {
    /// The length of calls.
    CallLength,
    /// A silence.
    Silence,
    /// A demand.
    Always,
    /// A prohibition.
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
/// They begin with at least four letters, so that shorter words of a prompt are skipped.
static CLUES: Words = words![
    "keep the call|keep calls|keep the conversation|keep conversations|limit the call|limit calls|\
     halte das gespräch|halte den anruf|halte gespräche|\
     begrenze das gespräch|beende das gespräch nach|mantén la llamada|llamada debe durar|gardez l'appel|limitez l'appel|\
     mantenha a ligação|mantenha a chamada",
    "silent for|silence for|silence of|seconds of silence|silence longer than|silence lasts|response for|doesn't respond for|\
     does not respond for|doesn't answer for|schweigt länger als|stille von|sekunden stille|segundos de silencio|\
     secondes de silence|segundos de silêncio",
    "always|immer|siempre|toujours|sempre|hamesha",
    "never|niemals|nunca|jamais|kabhi nahi",
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
];

/// What the groups of [`CLUES`] say.
const MEANINGS: [PromptClue; 15] = [
    PromptClue::CallLength,
    PromptClue::Silence,
    PromptClue::Always,
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

/// What one search through a text finds, from left to right.
#[derive(Debug)]
pub struct Found {
    /// The clues with their places, in the order of the text.
    pub clues: Vec<(Range<usize>, PromptClue)>,
    /// The parts that look like names of functions, fields and variables.
    pub(crate) names: Vec<Range<usize>>,
}

/// Searches a text once for all clues.
pub fn find(text: &str) -> Found {
    let mut names = Names::of(text);
    let found = CLUES.find_beside(text, |start, chunk, letters| names.add(start, chunk, letters));
    let mut clues = Vec::with_capacity(found.len());
    clues.extend(found.filter_map(|(range, group)| Some((range, *MEANINGS.get(group)?))));
    Found { clues, names: names.found() }
}
