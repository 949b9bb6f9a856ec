use crate::prelude::*;

rule! {
    /// Fallback transcription is on, but no fallback transcriber is set.
    ///
    /// With `fallback_stt_enabled` the service runs a second transcriber beside the first, so it needs the id of the
    /// second. The two settings need not be in the same update: an omitted field keeps its stored value.
    ///
    /// ```json,reject
    /// { "version_number": 3, "fallback_stt_enabled": true, "stt_fallback_transcriber_id": null }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "fallback_stt_enabled": true }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "fallback_stt_enabled": false }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "stt_fallback_transcriber_id": "" }
    /// ```
    "fallback-transcriber-missing": Config {
        group: Correctness,
        basis: Stated,
        section: "4.1 rule 6",
        status: 400,
        reads: [fallback_stt_enabled, stt_fallback_transcriber_id],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let enabled = config.get(&fallback_stt_enabled);
    let fallback = config.get(&stt_fallback_transcriber_id);

    match (&enabled, &fallback) {
        (Value::Known(true, switch), Value::Absent(null)) => {
            missing(null.as_ref().unwrap_or(switch).clone(), Some(switch)).reject()
        }
        (Value::Known(true, switch), Value::Known(id, place)) if id.is_empty() => {
            missing(place.clone(), Some(switch)).reject()
        }
        (
            Value::Known(true, switch),
            Value::Unknown(unknown @ (UnknownReason::NotGiven | UnknownReason::Contradictory)),
        ) if switch.is_in_document() => missing(switch.clone(), Some(switch))
            .possible(Condition::unknown(&stt_fallback_transcriber_id, *unknown)),
        (
            Value::Unknown(
                unknown @ (UnknownReason::NotGiven
                | UnknownReason::Contradictory
                | UnknownReason::Faulty),
            ),
            Value::Absent(Some(null)),
        ) if null.is_in_document() => missing(null.clone(), None)
            .possible(Condition::unknown(&fallback_stt_enabled, *unknown)),
        (Value::Absent(_), Value::Absent(Some(null)))
            if null.is_in_document() && config.is_update() =>
        {
            missing(null.clone(), None).possible(Condition::unknowable(
                "the description does not say whether fallback is on by default",
            ))
        }
        (Value::Known(false, _) | Value::Absent(_), _) => Verdict::Holds,
        (_, Value::Known(id, _)) if !id.is_empty() => Verdict::Holds,
        _ => Verdict::Undecided,
    }
}

/// `switch` is the place that switches fallback on, if it is known to be on.
fn missing(at: Place, switch: Option<&Place>) -> Finding {
    let message = match switch {
        Some(_) => "fallback transcription is on, but no fallback transcriber is set",
        None => "no fallback transcriber is set, but fallback transcription may be on",
    };
    let elsewhere = switch.filter(|switch| at != **switch).cloned();
    Finding::new(at, message)
        .about(&stt_fallback_transcriber_id)
        .help("set `stt_fallback_transcriber_id` to an id from the fallback-transcribers list")
        .also(elsewhere, "switched on here")
}
