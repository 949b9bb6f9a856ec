use voxlint_schema::facts::fallback_transcribers;

use super::shared::{has_id, similar_or};
use crate::prelude::*;

rule! {
    /// The fallback transcriber is not on the list of fallback transcribers.
    ///
    /// Not every transcriber can be a fallback. The allowed ids are in a separate list, which the facts contain. The
    /// description does not say whether another id is rejected while fallback is off.
    ///
    /// ```json,facts
    /// { "fallback_transcribers": ["tr_echo"] }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_nova" }
    /// ```
    ///
    /// ```json,facts
    /// { "fallback_transcribers": ["tr_echo"] }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "fallback_stt_enabled": false, "stt_fallback_transcriber_id": "tr_nova" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "stt_fallback_transcriber_id": "tr_nova" }
    /// ```
    ///
    /// ```json,facts
    /// { "fallback_transcribers": ["tr_echo", "tr_nova"] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_nova" }
    /// ```
    "fallback-transcriber-not-listed": Config {
        group: Correctness,
        basis: Read("It does not say whether the list matters while fallback is off."),
        section: "4.1 rule 6",
        status: 400,
        reads: [fallback_stt_enabled, stt_fallback_transcriber_id],
        reads_facts: [fallback_transcribers],
        readings: [FALLBACK_LIST_WHILE_OFF],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (id, at) =
        config.get(&stt_fallback_transcriber_id).filter(|id| !id.is_empty()).or_undecided()?;
    let (listed, _) = config.fact(&fallback_transcribers).ok_or(NoFinding::Undecided)?;
    if has_id(listed, &id) {
        return Err(NoFinding::Holds);
    }
    let finding =
        Finding::new(at, format!("{} is not on the list of fallback transcribers", quote(&id)))
            .about(&stt_fallback_transcriber_id)
            .help(similar_or(listed, &id, "use an id from the fallback-transcribers list"));
    Ok(match config.get(&fallback_stt_enabled) {
        Value::Known(true, _) => finding.reject(),
        Value::Known(false, _) | Value::Absent(_) => {
            finding.possible(Condition::first(&readings::FALLBACK_LIST_WHILE_OFF))
        }
        Value::Unknown(UnknownReason::Lost) => Verdict::Undecided,
        Value::Unknown(missing) => {
            finding.possible(Condition::unknown(&fallback_stt_enabled, missing))
        }
    })
}
