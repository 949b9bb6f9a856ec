use voxlint_schema::agent::agent_type;

use super::shared::DEFAULT_PIPELINE_UNKNOWN;
use crate::limits::{CAPPED_PIPELINE, DURATION_CAP, duration_help};
use crate::prelude::*;

rule! {
    /// A call may last longer than its pipeline allows.
    ///
    /// Calls of a `Cascaded` agent last up to 5400 seconds, those of a `Speech_To_Speech` agent up to 3600. Between the two
    /// limits the pipeline decides, and an update may omit it. Conversational flow agents have no pipeline and no lower
    /// limit. If one has a pipeline anyway, the description does not say whether its limit applies.
    ///
    /// ```json,reject
    /// { "version_number": 3, "pipeline_type": "Speech_To_Speech", "max_call_duration_sec": 4500 }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "max_call_duration_sec": 4500 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "pipeline_type": "Speech_To_Speech" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "pipeline_type": "Cascaded", "max_call_duration_sec": 4500 }
    /// ```
    "duration-over-pipeline-cap": Config {
        group: Correctness,
        basis: Read("It does not say which pipeline an agent without `pipeline_type` has."),
        section: "2.3",
        status: 400,
        reads: [pipeline_type, max_call_duration_sec],
        reads_agent: [agent_type],
        readings: [DEFAULT_PIPELINE, FLOW_AGENT_PIPELINE],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let pipeline = config.get(&pipeline_type);
    let configured = config.get(&max_call_duration_sec);

    let (seconds, duration_place) = match &configured {
        Value::Known(seconds, place) => (seconds, place),
        Value::Absent(_) => return Verdict::Holds,
        Value::Unknown(_) => {
            let other = pipeline.known().is_some_and(|(name, _)| name != CAPPED_PIPELINE);
            return if other { Verdict::Holds } else { Verdict::Undecided };
        }
    };
    if *seconds <= DURATION_CAP {
        return Verdict::Holds;
    }
    let duration = excerpt(seconds.literal());
    match &pipeline {
        Value::Known(name, _) if name != CAPPED_PIPELINE => Verdict::Holds,
        Value::Known(_, pipeline_place) => {
            let finding = if duration_place.is_in_document() || !pipeline_place.is_in_document() {
                Finding::new(duration_place.clone(), over_cap(&duration))
                    .about(&max_call_duration_sec)
                    .also(pipeline_place.clone(), "the pipeline")
            } else {
                Finding::new(pipeline_place.clone(), format!("`{CAPPED_PIPELINE}` limits calls to {DURATION_CAP} seconds, but the stored `max_call_duration_sec` is {duration}"))
                    .about(&pipeline_type)
                    .also(duration_place.clone(), "the stored duration")
            };
            let finding = finding.help(duration_help(config));
            of_capped(config, finding, [duration_place, pipeline_place])
        }
        // A conversational flow agent has no pipeline.
        _ if config.is_flow_agent() == Some(true) => Verdict::Holds,
        Value::Unknown(UnknownReason::Lost) => Verdict::Undecided,
        Value::Unknown(_) if !duration_place.is_in_document() => Verdict::Undecided,
        Value::Absent(_) if !duration_place.is_in_document() => Finding::new(
            duration_place.clone(),
            over_cap(&duration),
        )
        .about(&max_call_duration_sec)
        .help(duration_help(config))
        .unreported(of_default(config).worded(format!(
            "the stored `max_call_duration_sec` is {duration}, and {DEFAULT_PIPELINE_UNKNOWN}"
        ))),
        Value::Absent(_) | Value::Unknown(_) => {
            let finding = Finding::new(duration_place.clone(), over_cap(&duration))
                .about(&max_call_duration_sec)
                .help(duration_help(config));
            match pipeline {
                Value::Unknown(missing) => {
                    finding.possible(Condition::unknown(&pipeline_type, missing))
                }
                _ => finding.possible(of_default(config)),
            }
        }
    }
}

/// What decides about an agent without a pipeline.
fn of_default(config: &Effective<'_>) -> Condition {
    let condition = Condition::first(&readings::DEFAULT_PIPELINE);
    if config.is_flow_agent().is_some() {
        return condition;
    }
    condition.and_more(DEFAULT_PIPELINE_OR_NONE)
}

/// What decides about an agent without a pipeline if its type is unknown, too.
const DEFAULT_PIPELINE_OR_NONE: &str = "the description does not say which pipeline an agent without `pipeline_type` has, and a conversational flow agent has none";

fn over_cap(duration: &str) -> String {
    format!(
        "`max_call_duration_sec` is {duration}, over the limit of {DURATION_CAP} for `{CAPPED_PIPELINE}`"
    )
}

/// The verdict on calls that are too long for their pipeline. The description mentions pipelines for a `Single_Prompt_Agent`
/// only.
fn of_capped(config: &Effective<'_>, finding: Finding, places: [&Place; 2]) -> Verdict {
    let uncertainty = Condition::first(&readings::FLOW_AGENT_PIPELINE);
    match config.is_flow_agent() {
        Some(true) if places.into_iter().any(Place::is_in_document) => {
            finding.possible(uncertainty)
        }
        Some(true) => finding.unreported(uncertainty),
        Some(false) => finding.reject(),
        None => finding.reject_unless(uncertainty),
    }
}
