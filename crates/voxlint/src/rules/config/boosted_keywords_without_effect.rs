use voxlint_schema::settings::{boosted_keywords, pipeline_type};

use crate::effective::Effective;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// Boosted keywords are given to an agent without a transcriber to heed them.
    ///
    /// `boosted_keywords` are hints for speech recognition, and only a `Cascaded` agent has a step of its own for that. Whether
    /// a `Speech_To_Speech` agent refuses or ignores them is not described.
    ///
    /// ```json,advice
    /// { "version_number": 3, "pipeline_type": "Speech_To_Speech", "boosted_keywords": "alpha, beta" }
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
        reads: [pipeline_type, boosted_keywords],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let pipeline = config.get(&pipeline_type);
    let (keywords_at, pipeline_at) = match (config.written(&boosted_keywords), &pipeline) {
        (Value::Known(keywords, _), _) if keywords.trim().is_empty() => {
            return Verdict::Holds.into();
        }
        (Value::Known(_, at), Value::Known(name, beside)) if name == "Speech_To_Speech" => {
            (at, beside)
        }
        (Value::Known(..), Value::Unknown(_)) => return Verdict::Undecided.into(),
        _ => return Verdict::Holds.into(),
    };
    Finding::new(
        keywords_at.name(),
        "boosted keywords have no effect on a `Speech_To_Speech` agent",
    )
    .about(&boosted_keywords)
    .also(pipeline_at.clone(), "the pipeline")
    .help("leave them out, or name what matters in the prompt")
    .advice()
    .into()
}
