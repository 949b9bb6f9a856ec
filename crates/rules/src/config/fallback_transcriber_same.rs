use crate::prelude::*;

rule! {
    /// The fallback transcriber is the transcriber itself.
    ///
    /// With `fallback_stt_enabled` the service runs two transcribers side by side. If both have the same id, there is no
    /// fallback, and the update is rejected. Ids are compared letter by letter. The description does not say whether two
    /// equal ids are rejected while fallback is off.
    ///
    /// ```json,reject
    /// {
    ///   "version_number": 3,
    ///   "fallback_stt_enabled": true,
    ///   "transcriber_id": "tr_nova",
    ///   "stt_fallback_transcriber_id": "tr_nova"
    /// }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "transcriber_id": "tr_nova", "stt_fallback_transcriber_id": "tr_nova" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_nova" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "transcriber_id": "tr_nova", "stt_fallback_transcriber_id": "tr_echo" }
    /// ```
    "fallback-transcriber-same": Config {
        group: Correctness,
        basis: Read("It does not say whether equal ids matter while fallback is off."),
        section: "4.1 rule 6",
        status: 400,
        reads: [transcriber_id, fallback_stt_enabled, stt_fallback_transcriber_id],
        readings: [FALLBACK_WHILE_OFF],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let enabled = config.get(&fallback_stt_enabled);
    let fallback = config.get(&stt_fallback_transcriber_id);
    let primary = config.get(&transcriber_id);

    let ((fallback_id, fallback_place), (primary_id, primary_place)) = match (&fallback, &primary) {
        (Value::Known(fallback, at), Value::Known(primary, beside)) => {
            ((fallback, at), (primary, beside))
        }
        (Value::Absent(_), _) | (_, Value::Absent(_)) => return Verdict::Holds,
        (Value::Known(id, _), _) if id.is_empty() => return Verdict::Holds,
        _ => return Verdict::Undecided,
    };
    if fallback_id != primary_id || fallback_id.is_empty() {
        return Verdict::Holds;
    }

    // The caret goes where the author can act: to the id that this document writes.
    let (at, beside, beside_is) =
        if fallback_place.is_in_document() || !primary_place.is_in_document() {
            (fallback_place, primary_place, "the transcriber in effect")
        } else {
            (primary_place, fallback_place, "the fallback transcriber in effect")
        };
    let finding = Finding::new(at.clone(), "the fallback transcriber is the transcriber itself")
        .about(&stt_fallback_transcriber_id)
        .label("the same id")
        .also(beside.clone(), beside_is)
        .help("use another id from the fallback-transcribers list");

    let written = [fallback_stt_enabled.row, stt_fallback_transcriber_id.row, transcriber_id.row]
        .into_iter()
        .any(|row| config.is_in_document(row));
    match enabled {
        Value::Known(true, _) => finding.reject(),
        Value::Known(false, _) | Value::Absent(_) if written => {
            finding.possible(Condition::first(&readings::FALLBACK_WHILE_OFF))
        }
        Value::Unknown(missing) if written => {
            finding.possible(Condition::unknown(&fallback_stt_enabled, missing))
        }
        Value::Known(false, _) | Value::Absent(_) => finding.unreported(
            Condition::first(&readings::FALLBACK_WHILE_OFF).worded("the stored ids are equal, and the description does not say whether they may be while fallback is off"),
        ),
        Value::Unknown(_) => Verdict::Undecided,
    }
}
