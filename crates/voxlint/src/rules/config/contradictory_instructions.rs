use std::collections::HashMap;
use std::ops::Range;

use voxlint_schema::settings::{prompt_text, voicemail_message, welcome_message};

use crate::engine::effective::Effective;
use crate::heard::{PromptClue, Prose, sentence_at};
use crate::rule::rule;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// The prompt asks for something that it forbids.
    ///
    /// Of two sentences that exclude each other, the language model follows one, and not the same one in every call. The rule
    /// reports only what excludes each other word for word:
    ///
    /// - the same thing always and never: "Always confirm the address." and "Never confirm the address."
    /// - "Do not use the customer's name." beside a line for callers with a variable such as `{{customer_name}}`
    ///
    /// Contradictions that need to be understood are not found: that takes a language model, and voxlint has none.
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "- Always confirm the address.\n- Be brief.\n- Never confirm the address." }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Do not use the customer's name.",
    ///   "welcome_message": "Hello {{customer_name}}!",
    ///   "default_dynamic_variables": { "customer_name": "there" }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Always confirm the address. Never confirm the address of minors." }
    /// ```
    "contradictory-instructions": Config {
        group: Heard,
        basis: Inferred("A language model follows one of two instructions that exclude each other."),
        section: "2.3",
        reads: [prompt_text, welcome_message, voicemail_message],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Some(prompt) = config.prose_of(&prompt_text).filter(|prompt| prompt.at.is_in_document())
    else {
        return Verdicts::none();
    };
    let has = |what| prompt.clues().iter().any(|(_, it)| *it == what);
    let may_contradict = has(PromptClue::Always) && has(PromptClue::Never);
    if !may_contradict && !has(PromptClue::NoName) {
        return Verdicts::none();
    }
    let mut verdicts = Verdicts::none();
    let mut is_about_names = false;
    let mut demanded: Vec<(Range<usize>, String)> = Vec::new();
    let mut forbidden: Vec<(Range<usize>, String)> = Vec::new();
    for (clue, what) in prompt.clues() {
        let sentences = match what {
            PromptClue::Always => Some(&mut demanded),
            PromptClue::Never => Some(&mut forbidden),
            // One finding, however often the prompt says it.
            PromptClue::NoName if !is_about_names => None,
            _ => continue,
        };
        let sentence = sentence_at(&prompt.text, clue.start);
        let before = prompt.text.get(sentence.start..clue.start).unwrap_or_default();
        // Only list marks may stand before it.
        if before.chars().any(char::is_alphabetic) {
            continue;
        }
        let Some(sentences) = sentences else {
            is_about_names = true;
            let used = spoken_name(config, prompt);
            verdicts
                .extend(used.map(|used| about_name(prompt, sentence, used).advice()).into_iter());
            continue;
        };
        let rest = plain(prompt.text.get(clue.end..sentence.end).unwrap_or_default());
        if rest.contains(' ') {
            sentences.push((sentence, rest));
        }
    }
    let mut demanded: HashMap<String, Range<usize>> =
        demanded.into_iter().map(|(sentence, what)| (what, sentence)).collect();
    for (sentence, what) in forbidden {
        let Some(other) = demanded.remove(&what) else { continue };
        let finding =
            Finding::new(prompt.place(sentence), "the prompt forbids what it always demands")
                .about_value(prompt.at.clone())
                .label("forbidden")
                .also(prompt.place(other), "demanded")
                .help("keep one of the two sentences, or say when each applies");
        verdicts.add(finding.advice());
    }
    verdicts
}

fn about_name(
    prompt: &Prose<'_>,
    sentence: Range<usize>,
    (other, used): (&Prose<'_>, Range<usize>),
) -> Finding {
    Finding::new(
        prompt.place(sentence),
        "the prompt forbids the name of the caller, and a line for callers has it",
    )
    .about_value(prompt.at.clone())
    .label("forbidden")
    .also(other.place(used), "used here")
    .help("remove the name from the line, or say when it may be used")
}

/// A variable with the name of the caller in what is spoken word for word: in a greeting, or between quotes in the prompt.
fn spoken_name<'c>(
    config: &'c Effective<'_>,
    prompt: &'c Prose<'_>,
) -> Option<(&'c Prose<'c>, Range<usize>)> {
    const NAMES: [&str; 6] = [
        "{customer_name}",
        "{caller_name}",
        "{client_name}",
        "{first_name}",
        "{user_name}",
        "{name}",
    ];
    let in_prose = |prose: &Prose<'_>| {
        NAMES.iter().find_map(|name| {
            let at = memchr::memmem::find(prose.text.as_bytes(), name.as_bytes())?;
            let sentence = sentence_at(&prose.text, at);
            let before = prose.text.get(sentence.start..at).unwrap_or_default();
            (prose.is_spoken() || before.contains(['"', '“', '„', '«']))
                .then_some(at..at + name.len())
        })
    };
    let spoken = config
        .prose()
        .filter(|prose| prose.is_spoken())
        .find_map(|prose| Some((prose, in_prose(prose)?)));
    spoken.or_else(|| Some((prompt, in_prose(prompt)?)))
}

/// The words of a sentence in lower case, without marks.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '{' && c != '}');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
