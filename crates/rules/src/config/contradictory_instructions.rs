use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;
use voxlint_model::heard::{PromptClue, Prose, sentence_at};

use crate::prelude::*;

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
    let text = &*prompt.text;
    let mut verdicts = Verdicts::none();
    let clues = |wanted: PromptClue| {
        prompt.clues().iter().filter(move |(_, what)| *what == wanted).map(|(clue, _)| clue)
    };
    // One finding, however often the prompt says it.
    if let Some(used) = spoken_name(config, prompt)
        && let Some(sentence) =
            memmem::find_iter(text.as_bytes(), "name").find_map(|at| forbids_name(text, at))
    {
        verdicts.add(about_name(prompt, sentence, used).advice());
    }
    let demanded = sentences(text, clues(PromptClue::Always));
    if demanded.is_empty() {
        return verdicts;
    }
    let forbidden = sentences(text, clues(PromptClue::Never));
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

/// The sentence that a clue begins: only list marks may stand before it.
fn begun_by(text: &str, clue: &Range<usize>) -> Option<Range<usize>> {
    let sentence = sentence_at(text, clue.start);
    let before = text.get(sentence.start..clue.start)?;
    (!before.contains(char::is_alphabetic)).then_some(sentence)
}

/// The sentence that begins by forbidding the name of the caller: "Do not use the customer's name".
fn forbids_name(text: &str, at: usize) -> Option<Range<usize>> {
    const OWNERS: [&str; 4] = ["customer's ", "customer ", "caller's ", "caller "];
    let before = text.get(..at)?;
    let before = OWNERS.iter().find_map(|owner| before.strip_suffix(owner))?;
    let sentence = sentence_at(text, at);
    let before = plain(before.get(sentence.start..)?);
    let mut words = before.split(' ').filter(|word| !matches!(*word, "do" | "the"));
    let is_forbidden = matches!(words.next()?, "not" | "don't" | "dont" | "never")
        && matches!(words.next()?, "use" | "say" | "mention")
        && words.next().is_none();
    is_forbidden.then_some(sentence)
}

/// The sentences that clues begin, and what each of them says then.
fn sentences<'p>(
    text: &str,
    clues: impl Iterator<Item = &'p Range<usize>>,
) -> Vec<(Range<usize>, String)> {
    let all = clues.filter_map(|clue| {
        let sentence = begun_by(text, clue)?;
        let rest = plain(text.get(clue.end..sentence.end)?);
        rest.contains(' ').then_some((sentence, rest))
    });
    all.collect()
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
    const NAMES: [&str; 5] =
        ["customer_name", "caller_name", "client_name", "first_name", "user_name"];
    let in_prose = |prose: &Prose<'_>| {
        let mut names = prose.names().iter();
        let is_said = |name: &&Range<usize>| {
            let sentence = sentence_at(&prose.text, name.start);
            let before = prose.text.get(sentence.start..name.start).unwrap_or_default();
            before.ends_with('{') && (prose.is_spoken() || before.contains(['"', '“', '„', '«']))
        };
        let is_callers = |name: &&Range<usize>| {
            prose.text.get((*name).clone()).is_some_and(|name| NAMES.contains(&name))
        };
        names.find(|name| is_callers(name) && is_said(name)).cloned()
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
