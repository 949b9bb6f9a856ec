use voxlint_schema::settings::{end_call_on_silence_sec, max_call_duration_sec, prompt_text};
use voxlint_schema::{Field, Number};

use crate::engine::effective::Effective;
use crate::heard::{Clues, Prose, first_duration, sentence_at};
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

/// What begins a sentence about the length of calls, or about silence.
static CLUES: Clues = Clues::new(&[
    "keep the call|keep calls|keep this call|keep the conversation|keep conversations|limit the call|limit calls|end the call in|\
     call should last|calls should last|call should take|calls should take|halte das gespräch|halte den anruf|halte gespräche|\
     begrenze das gespräch|beende das gespräch nach|mantén la llamada|la llamada debe durar|gardez l'appel|limitez l'appel|\
     mantenha a ligação|mantenha a chamada",
    "silent for|silence for|silence of|seconds of silence|silence longer than|silence lasts|no response for|doesn't respond for|\
     does not respond for|doesn't answer for|schweigt länger als|stille von|sekunden stille|segundos de silencio|\
     secondes de silence|segundos de silêncio",
]);

fn check(config: &Effective<'_>) -> Verdicts {
    let Some(prompt) = config.prose_of(&prompt_text) else { return Verdicts::none() };
    let mut verdicts = Verdicts::none();
    let mut told = [false; 2];
    for (clue, group) in CLUES.find(&prompt.text) {
        let sentence = sentence_at(&prompt.text, clue.start);
        // The number of "10 seconds of silence" is a part of the clue.
        let start = if group == 0 { clue.end } else { sentence.start };
        let Some(found) = prompt.text.get(start..sentence.end).and_then(first_duration) else {
            continue;
        };
        let range = start + found.range.start..start + found.range.end;
        if told.get(group).copied() != Some(false) {
            continue;
        }
        let field: &Field<Number> =
            if group == 0 { &max_call_duration_sec } else { &end_call_on_silence_sec };
        let verdict = compare(config, prompt, field, (range, found.seconds));
        if let (Verdict::Advice(_), Some(told)) = (&verdict, told.get_mut(group)) {
            *told = true;
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
        .label("longer than the setting")
        .also(place, "ends the call")
        .help(format!("raise `{}` above {seconds}, or write a shorter time", field.row.name))
        .advice()
}
