use voxlint_schema::facts::{boosted_keyword_providers, transcriber, transcribers};
use voxlint_schema::settings::{boosted_keywords, pipeline_type, transcriber_id};

use super::{has_id, text_of};
use crate::effective::Effective;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// Boosted keywords are given to an agent without a transcriber to heed them.
    ///
    /// `boosted_keywords` are hints for speech recognition, and only a `Cascaded` agent has a step of its own for that. Whether
    /// a `Speech_To_Speech` agent refuses or ignores them is not described. Of the recognition providers two heed them; the
    /// description does not name those, so the facts of the workspace have to.
    ///
    /// ```json,advice
    /// { "version_number": 3, "pipeline_type": "Speech_To_Speech", "boosted_keywords": "alpha, beta" }
    /// ```
    ///
    /// ```json,facts
    /// {
    ///   "boosted_keyword_providers": ["northwind", "tailwind"],
    ///   "transcribers": { "tr_nova": { "provider": "eastwind" } }
    /// }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "pipeline_type": "Cascaded", "transcriber_id": "tr_nova", "boosted_keywords": "alpha, beta" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "boosted_keywords": "alpha, beta" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "pipeline_type": "Cascaded", "boosted_keywords": "alpha, beta" }
    /// ```
    "boosted-keywords-without-effect": Config {
        section: "2.3",
        reads: [pipeline_type, transcriber_id, boosted_keywords],
        reads_facts: [transcribers, boosted_keyword_providers],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Value::Known(keywords, at) = config.written(&boosted_keywords) else {
        return Verdict::Holds.into();
    };
    if keywords.trim().is_empty() {
        return Verdict::Holds.into();
    }
    match config.get(&pipeline_type) {
        Value::Known(name, beside) if name == "Speech_To_Speech" => {
            finding(at, "boosted keywords have no effect on a `Speech_To_Speech` agent")
                .also(beside, "the pipeline")
                .help("leave them out, or name what matters in the prompt")
                .advice()
        }
        Value::Unknown(_) => Verdict::Undecided,
        _ => of_provider(config, at),
    }
    .into()
}

/// Which providers heed keywords few teams know, so that nobody is asked for them.
fn of_provider(config: &Effective<'_>, at: Place) -> Verdict {
    let Some((heeding, _)) = config.fact(&boosted_keyword_providers) else { return Verdict::Holds };
    let (id, beside) = match config.get(&transcriber_id) {
        Value::Known(id, beside) => (id, beside),
        Value::Absent(_) => return Verdict::Holds,
        Value::Unknown(_) => return Verdict::Undecided,
    };
    let Some((known, _)) = config.fact(&transcribers) else { return Verdict::Undecided };
    let provider = known.get(&id).and_then(|entry| text_of(entry, &transcriber::provider));
    match provider {
        Some(provider) if !has_id(heeding, &provider) => {
            let message = format!(
                "the transcriber is of {}, which heeds no boosted keywords",
                quote(&provider)
            );
            finding(at, &message)
                .also(beside, "the transcriber in effect")
                .help("leave them out, or choose a transcriber that heeds them")
                .advice()
        }
        _ => Verdict::Holds,
    }
}

fn finding(at: Place, message: &str) -> Finding {
    Finding::new(at.name(), message).about(&boosted_keywords)
}
