use voxlint_schema::agent::agent_type;
use voxlint_schema::settings::{max_call_duration_sec, pipeline_type};

use super::in_range;
use crate::effective::Effective;
use crate::place::Place;
use crate::quote::excerpt;
use crate::rule::rule;
use crate::value::{UnknownReason, Value};
use crate::verdict::{Condition, Finding, Verdict, Verdicts};

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
        section: "2.3",
        status: 400,
        reads: [pipeline_type, max_call_duration_sec],
        reads_agent: [agent_type],
    }
}

/// The pipeline with the lower cap, and that cap in seconds.
pub(crate) const CAPPED: &str = "Speech_To_Speech";
pub(crate) const CAP: i64 = 3600;

fn check(config: &Effective<'_>) -> Verdicts {
    let pipeline = config.get(&pipeline_type);
    let duration = config.get(&max_call_duration_sec);

    let (seconds, duration_place) = match &duration {
        Value::Known(seconds, place) => (seconds, place),
        Value::Absent(_) => return Verdict::Holds.into(),
        Value::Unknown(_) => {
            let other = pipeline.known().is_some_and(|(name, _)| name != CAPPED);
            return if other { Verdict::Holds.into() } else { Verdict::Undecided.into() };
        }
    };
    if *seconds <= CAP || !in_range(*seconds, &max_call_duration_sec) {
        // A number beyond every cap is `out-of-range`.
        return Verdict::Holds.into();
    }
    let long = excerpt(seconds.literal());
    match &pipeline {
        Value::Known(name, _) if name != CAPPED => Verdict::Holds,
        Value::Known(_, pipeline_place) => {
            let finding = if duration_place.is_in_document() || !pipeline_place.is_in_document() {
                Finding::new(duration_place.clone(), format!("calls of {long} seconds are over the {CAP} that `{CAPPED}` allows"))
                    .about(&max_call_duration_sec)
                    .also(pipeline_place.clone(), "the pipeline")
            } else {
                Finding::new(pipeline_place.clone(), format!("`{CAPPED}` allows calls of {CAP} seconds, and {long} are stored"))
                    .about(&pipeline_type)
                    .also(duration_place.clone(), "the stored duration")
            };
            let finding = finding.help(format!("set `max_call_duration_sec` to {CAP} or less"));
            return of_capped(config, finding, [duration_place, pipeline_place]);
        }
        // Such an agent has no pipeline to choose, so that one that is not known is none.
        _ if config.is_flow_agent() == Some(true) => Verdict::Holds,
        Value::Unknown(UnknownReason::Lost) => Verdict::Undecided,
        Value::Unknown(_) if !duration_place.is_in_document() => Verdict::Undecided,
        Value::Absent(_) if !duration_place.is_in_document() => Verdict::Undecidable(
            format!("calls of {long} seconds are stored, and the description does not say which pipeline an agent has that sets none").into(),
        ),
        Value::Absent(_) | Value::Unknown(_) => {
            let finding = Finding::new(
                duration_place.clone(),
                format!("calls of {long} seconds are over the {CAP} that `{CAPPED}` allows"),
            )
            .about(&max_call_duration_sec)
            .help(format!("set `max_call_duration_sec` to {CAP} or less, or say `\"pipeline_type\": \"Cascaded\"`"));
            match pipeline {
                Value::Unknown(missing) => finding.possible(Condition::unknown(&pipeline_type, missing)),
                _ => finding.possible(Condition::reading("the pipeline of an agent that sets none is not described")),
            }
        }
    }
    .into()
}

/// The verdict on calls that are too long for their pipeline. Only a `Single_Prompt_Agent` is said to have one.
fn of_capped(config: &Effective<'_>, finding: Finding, places: [&Place; 2]) -> Verdicts {
    let doubt =
        "a conversational flow agent is not said to have a pipeline, so the cap may not apply";
    match config.is_flow_agent() {
        Some(true) if places.into_iter().any(Place::is_in_document) => {
            finding.possible(Condition::reading(doubt)).into()
        }
        Some(true) => Verdict::Undecidable(doubt.into()).into(),
        Some(false) => finding.reject().into(),
        None => Verdicts::from_iter([finding.reject(), Verdict::MayBeAccepted(doubt.into())]),
    }
}
