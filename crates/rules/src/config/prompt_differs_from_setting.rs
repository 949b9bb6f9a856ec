use std::collections::BTreeMap;
use std::ops::Range;

use voxlint_model::heard::{PromptClue, Prose, first_duration, is_negated, sentence_at};
use voxlint_model::text::destinations::destinations;
use voxlint_schema::Number;

use crate::prelude::*;

rule! {
    /// The prompt contradicts a setting.
    ///
    /// "Keep the call under 5 minutes" beside `max_call_duration_sec: 300`: a call that follows the prompt is cut in the middle of
    /// a sentence. The same holds for what the prompt does after a silence, where `end_call_on_silence_sec` has ended the call by
    /// then.
    ///
    /// It also reports a telephone number that the prompt transfers calls to and neither `agent_transfer_destinations` nor a function has.
    ///
    /// The rule reads sentences such as "keep the call under 5 minutes" and "after 20 seconds of silence", in English, German,
    /// Spanish, French and Portuguese.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Keep the call under 5 minutes.",
    ///   "max_call_duration_sec": 240
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Outside office hours, transfer to +1 415 264 2671.",
    ///   "default_dynamic_variables": { "agent_transfer_destinations": "+14157642671" },
    ///   "agent_functions": []
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "prompt_text": "Keep the call under 5 minutes." }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Keep the call under 5 minutes. We call back within 30 minutes.",
    ///   "max_call_duration_sec": 420
    /// }
    /// ```
    "prompt-differs-from-setting": Config {
        group: Heard,
        basis: Inferred("The settings end a call whatever the prompt says."),
        section: "2.3",
        reads: [
            prompt_text,
            default_dynamic_variables,
            agent_functions,
            max_call_duration_sec,
            end_call_on_silence_sec,
        ],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Some(prompt) = config.prose_of(&prompt_text) else { return Verdicts::none() };
    let mut verdicts = Verdicts::none();
    let mut told = None;
    for (clue, what) in prompt.clues() {
        let is_length = match what {
            PromptClue::CallLength => true,
            PromptClue::Silence => false,
            _ => continue,
        };
        let field: &Field<Number> =
            if is_length { &max_call_duration_sec } else { &end_call_on_silence_sec };
        let sentence = sentence_at(&prompt.text, clue.start);
        // Silence is what comes before a response, not a response.
        let said = prompt.text.get(clue.clone()).unwrap_or_default();
        if said.eq_ignore_ascii_case("response for") && !is_negated(&prompt.text, clue.start) {
            continue;
        }
        // The number of "10 seconds of silence" is a part of the clue.
        let start = if is_length { clue.end } else { sentence.start };
        let Some(found) = prompt.text.get(start..sentence.end).and_then(first_duration) else {
            continue;
        };
        let range = start + found.range.start..start + found.range.end;
        let verdict = compare(config, prompt, field, (range, found.seconds));
        // One finding for each setting.
        if matches!(verdict, Verdict::Advice(_)) && told.replace(what) == Some(what) {
            continue;
        }
        verdicts.add(verdict);
    }
    add_destinations(config, prompt, &mut verdicts);
    verdicts
}

/// Adds the numbers that the prompt transfers calls to, and that the list of destinations does not have.
fn add_destinations(config: &Effective<'_>, prompt: &Prose<'_>, verdicts: &mut Verdicts) {
    /// The end of a number that is the same with and without the code of its country.
    const SAME: usize = 9;
    let numbers = transferred_to(prompt);
    if numbers.is_empty() {
        return;
    }
    let (variables, place) = match config.get(&default_dynamic_variables) {
        Value::Known(variables, place) => (variables, place),
        Value::Absent(_) => return,
        Value::Unknown(_) => return verdicts.add(Verdict::Undecided),
    };
    let listed = variables.field(default_dynamic_variables::agent_transfer_destinations.row);
    let Some((node, listed)) = listed.and_then(|it| Some((it, it.as_str()?))) else { return };
    let is_ours = prompt.at.is_in_document() || place.is_in_document();
    // A variable may stand for another number.
    if !is_ours || listed.trim().is_empty() || listed.contains("{{") {
        return;
    }
    let mut listed: Vec<String> = destinations(&listed).map(|it| digits(it.text)).collect();
    // A function may have a destination of its own.
    match config.get(&agent_functions) {
        Value::Known(functions, _) => {
            let texts = functions.inside().filter_map(Node::as_str);
            listed.extend(texts.map(|it| digits(&it)));
        }
        Value::Absent(_) => {}
        Value::Unknown(_) => return verdicts.add(Verdict::Undecided),
    }
    for number in numbers {
        let written = prompt.text.get(number.clone()).unwrap_or_default();
        let written = digits(written);
        let end = written.get(written.len().saturating_sub(SAME)..).unwrap_or_default();
        if listed.iter().any(|it| it.ends_with(end)) {
            continue;
        }
        let message = format!(
            "the prompt transfers calls to {}, and `agent_transfer_destinations` does not list it",
            prompt.quote(number.clone())
        );
        let finding = Finding::new(prompt.place(number), message)
            .about_value(prompt.at.clone())
            .label("not listed")
            .also(Place::of(place.origin, node), "the destinations")
            .help("write the same number in both")
            .once_for(written);
        verdicts.add(finding.advice());
    }
}

fn digits(number: &str) -> String {
    number.chars().filter(char::is_ascii_digit).collect()
}

/// The telephone numbers close behind a word for transferring calls.
fn transferred_to(prompt: &Prose<'_>) -> Vec<Range<usize>> {
    /// The number of bytes from the word to the number.
    const NEAR: usize = 42;
    /// The number of digits of a telephone number with its area.
    const DIGITS: std::ops::RangeInclusive<usize> = 10..=15;
    /// The words before a number that is the one to transfer to.
    const TO: [&str; 14] = [
        "to", "at", "on", "number", "an", "zu", "unter", "mit", "al", "a", "au", "à", "para",
        "número",
    ];
    let mut found: BTreeMap<usize, Range<usize>> = BTreeMap::new();
    let text = &*prompt.text;
    let transfers = prompt.clues().iter().filter(|(_, what)| *what == PromptClue::Transfer);
    for at in transfers.map(|(word, _)| word.start) {
        let near = text.as_bytes().get(at..text.len().min(at + NEAR + 1)).unwrap_or_default();
        // Counting all of them is faster than stopping at the first one.
        let signs = near.iter().filter(|byte| byte.is_ascii_digit() || **byte == b'+').count();
        if signs == 0 {
            continue;
        }
        let sentence = sentence_at(text, at);
        let rest = text.get(at..sentence.end).unwrap_or_default();
        let Some(offset) = rest.find(|c: char| c.is_ascii_digit() || c == '+') else { continue };
        let between = rest.get(..offset).unwrap_or_default();
        let before = text.get(sentence.start..at).unwrap_or_default();
        // "Calls were transferred from the old line" tells what has happened.
        let is_past = between.get(1..).is_some_and(|it| it.starts_with("ransferred"))
            && !before.contains(" be ");
        if is_past || is_negated(text, at) {
            continue;
        }
        let introduced = between.trim_end_matches([' ', '(', '*', '`']);
        let last = introduced.rsplit(' ').next().unwrap_or_default().to_lowercase();
        if !introduced.ends_with(':') && !TO.contains(&&*last) {
            continue;
        }
        if offset > NEAR || between.contains([',', '{', '"', '“']) || between.contains("fail") {
            continue;
        }
        let is_inside = |c: char| c.is_ascii_digit() || " -.()+/".contains(c);
        let number = rest.get(offset..).unwrap_or_default();
        let number = number.split(|c| !is_inside(c)).next().unwrap_or_default();
        let number = number.trim_end_matches(|c: char| !c.is_ascii_digit());
        let bracket = usize::from(between.ends_with('('));
        let start = at + offset - bracket;
        if !before.contains('{') && DIGITS.contains(&digits(number).len()) {
            found.insert(start, start..start + bracket + number.len());
        }
    }
    found.into_values().collect()
}

fn compare(
    config: &Effective<'_>,
    prompt: &Prose<'_>,
    field: &Field<Number>,
    (range, seconds): (Range<usize>, u32),
) -> Verdict {
    let (limit, place) = match config.get(field) {
        Value::Known(limit, place) => (limit, place),
        Value::Absent(_) => return Verdict::Holds,
        Value::Unknown(_) => return Verdict::Undecided,
    };
    let is_ours = prompt.at.is_in_document() || place.is_in_document();
    // A limit that is written with a fraction or an exponent is another mistake.
    let Some(limit) =
        limit.literal().parse::<u32>().ok().filter(|limit| *limit <= seconds && is_ours)
    else {
        return Verdict::Holds;
    };
    let said = prompt.text.get(range.clone()).unwrap_or_default();
    let message = format!(
        "the prompt says {}, and `{}` ends the call after {limit} seconds",
        quote(said),
        field.row.name
    );
    let most = match field.row.shape {
        Shape::Number(number) => number.max.filter(|most| *most <= i64::from(seconds)),
        _ => None,
    };
    let help = match most {
        Some(most) => {
            format!("write a time under {most} seconds: `{}` allows no more", field.row.name)
        }
        None => format!("raise `{}` above {seconds}, or write a shorter time", field.row.name),
    };
    Finding::new(prompt.place(range), message)
        .about_value(prompt.at.clone())
        .label("the call ends by then")
        .also(place, "ends the call")
        .help(help)
        .advice()
}
