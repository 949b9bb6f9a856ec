use voxlint_schema::settings::{end_call_on_silence_sec, max_call_duration_sec, prompt_text};
use voxlint_schema::{Field, Number};

use crate::engine::effective::Effective;
use crate::heard::{PromptClue, Prose, first_duration, sentence_at};
use crate::quote::quote;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// The prompt gives callers more time than a setting does.
    ///
    /// "Keep the call under 5 minutes" beside `max_call_duration_sec: 300`: a call that follows the prompt is cut in the middle of
    /// a sentence. The same holds for what the prompt does after a silence, where `end_call_on_silence_sec` has ended the call by
    /// then.
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
        reads: [prompt_text, max_call_duration_sec, end_call_on_silence_sec],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Some(prompt) = config.prose_of(&prompt_text) else { return Verdicts::none() };
    let mut verdicts = Verdicts::none();
    let mut told: Option<PromptClue> = None;
    for (clue, what) in prompt.clues() {
        let field: &Field<Number> = match what {
            PromptClue::CallLength => &max_call_duration_sec,
            PromptClue::Silence => &end_call_on_silence_sec,
            _ => continue,
        };
        let sentence = sentence_at(&prompt.text, clue.start);
        // The number of "10 seconds of silence" is a part of the clue.
        let is_length = *what == PromptClue::CallLength;
        let start = if is_length { clue.end } else { sentence.start };
        let Some(found) = prompt.text.get(start..sentence.end).and_then(first_duration) else {
            continue;
        };
        let range = start + found.range.start..start + found.range.end;
        let verdict = compare(config, prompt, field, (range, found.seconds));
        // One finding for each setting.
        if matches!(verdict, Verdict::Advice(_)) && told.replace(*what) == Some(*what) {
            continue;
        }
        verdicts.add(verdict);
    }
    verdicts
}

fn compare(
    config: &Effective<'_>,
    prompt: &Prose<'_>,
    field: &Field<Number>,
    (range, seconds): (std::ops::Range<usize>, u32),
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
    Finding::new(prompt.place(range), message)
        .about_value(prompt.at.clone())
        .label("the call ends by then")
        .also(place, "ends the call")
        .help(format!("raise `{}` above {seconds}, or write a shorter time", field.row.name))
        .advice()
}
