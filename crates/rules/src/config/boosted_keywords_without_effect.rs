use voxlint_schema::facts::{boosted_keyword_providers, transcriber, transcribers};

use super::shared::{DEFAULT_PIPELINE_UNKNOWN, has_id, text_of};
use crate::limits::CAPPED_PIPELINE;
use crate::prelude::*;

rule! {
    /// Boosted keywords are given to an agent without a transcriber that supports them.
    ///
    /// `boosted_keywords` are hints for speech recognition, and only a `Cascaded` agent has a separate step for that. The
    /// description does not say whether a `Speech_To_Speech` agent rejects or ignores them. Two recognition providers
    /// support them. The description does not name the two, so the workspace facts must; without them the rule is
    /// undecided.
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
    /// { "version_number": 3, "pipeline_type": "Cascaded", "boosted_keywords": "alpha, beta" }
    /// ```
    ///
    /// ```json,facts
    /// {
    ///   "boosted_keyword_providers": ["northwind", "tailwind"],
    ///   "transcribers": { "tr_nova": { "provider": "northwind" } }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "pipeline_type": "Cascaded", "transcriber_id": "tr_nova", "boosted_keywords": "alpha, beta" }
    /// ```
    "boosted-keywords-without-effect": Config {
        group: Ineffective,
        basis: Read("It does not say whether other agents ignore the keywords or reject them."),
        section: "2.3",
        status: 400,
        fix: Unsafe("Removes the keywords. They would matter again with a transcriber that supports them."),
        reads: [pipeline_type, transcriber_id, boosted_keywords],
        reads_facts: [transcribers, boosted_keyword_providers],
        readings: [UNSUPPORTED_KEYWORDS],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let at = match config.get(&boosted_keywords) {
        Value::Known(keywords, at) if !keywords.trim().is_empty() => at,
        Value::Known(..) | Value::Absent(_) => return Verdict::Holds.into(),
        // The service has accepted the stored keywords, so the verdict depends on the other inputs only.
        Value::Unknown(_) => return of_unknown_keywords(config).into(),
    };
    match config.get(&pipeline_type) {
        Value::Known(name, beside) if name == CAPPED_PIPELINE => {
            let finding =
                finding(&at, "boosted keywords have no effect on a `Speech_To_Speech` agent")
                    .also(beside, "the pipeline")
                    .help("remove them, or put these terms into the prompt");
            ignored(&at, finding)
        }
        Value::Known(..) => of_provider(config, &at),
        // Of a transcriber that does not support them, keywords have no effect in either pipeline.
        _ if matches!(support(config), Support::Denied { .. }) => of_provider(config, &at),
        Value::Unknown(_) => Verdict::Undecided.into(),
        Value::Absent(_) => Verdict::Undecidable(
            format!("{DEFAULT_PIPELINE_UNKNOWN}, and boosted keywords are for `Cascaded` only")
                .into(),
        )
        .into(),
    }
}

/// The verdict if the keywords are not known. There may be none.
fn of_unknown_keywords(config: &Effective<'_>) -> Verdict {
    match config.get(&pipeline_type) {
        Value::Known(name, _) if name != CAPPED_PIPELINE => {}
        _ => return Verdict::Undecided,
    }
    match support(config) {
        Support::Given => Verdict::Holds,
        Support::Unknown | Support::OfDefault | Support::Denied { .. } => Verdict::Undecided,
    }
}

fn of_provider(config: &Effective<'_>, at: &Place) -> Verdicts {
    match support(config) {
        Support::Given => Verdict::Holds.into(),
        Support::Unknown => Verdict::Undecided.into(),
        Support::OfDefault => Verdict::Undecidable(
            "the description does not name the default transcriber, and only some support boosted keywords".into(),
        )
        .into(),
        Support::Denied { provider, beside } => {
            let message = format!(
                "the transcriber is from {}, which does not support boosted keywords",
                quote(&provider)
            );
            let finding = finding(at, &message)
                .also(beside, "the transcriber in effect")
                .help("remove them, or choose a transcriber that supports them");
            ignored(at, finding)
        }
    }
}

/// Advice if the document sets the keywords. In any case, the service may reject them.
fn ignored(at: &Place, finding: Finding) -> Verdicts {
    let again = Finding::new(finding.at.clone(), finding.message.clone())
        .about(&boosted_keywords)
        .help("remove them, or choose a pipeline and a transcriber that support them");
    let mut verdicts =
        Verdicts::from(again.unreported(Condition::first(&readings::UNSUPPORTED_KEYWORDS)));
    if at.is_in_document() {
        let fix = ProposedFix::remove("remove `boosted_keywords`", Safety::Unsafe, at.clone());
        verdicts.add(finding.fix(fix).advice());
    }
    verdicts
}

/// Whether the transcriber in effect supports boosted keywords.
enum Support {
    Given,
    Denied {
        provider: String,
        beside: Place,
    },
    /// No transcriber is set, so the service's default is in effect.
    OfDefault,
    Unknown,
}

fn support(config: &Effective<'_>) -> Support {
    let supporting = config.fact(&boosted_keyword_providers);
    let transcriber = config.get(&transcriber_id);
    let known = config.fact(&transcribers);
    if matches!(transcriber, Value::Absent(_)) {
        return Support::OfDefault;
    }
    let (Some((supporting, _)), Value::Known(id, beside), Some((known, _))) =
        (supporting, transcriber, known)
    else {
        return Support::Unknown;
    };
    match known.get(&id).and_then(|entry| text_of(entry, &transcriber::provider)) {
        Some(provider) if has_id(supporting, &provider) => Support::Given,
        Some(provider) => Support::Denied { provider: provider.into_owned(), beside },
        None => Support::Unknown,
    }
}

fn finding(at: &Place, message: &str) -> Finding {
    Finding::new(at.clone().name(), message).about(&boosted_keywords)
}
