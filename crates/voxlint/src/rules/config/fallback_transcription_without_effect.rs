use voxlint_schema::facts::fallback_transcribers;
use voxlint_schema::settings::{
    fallback_stt_enabled, stt_fallback_transcriber_id, stt_fallback_wait_ms, transcriber_id,
};

use super::has_id;
use crate::engine::effective::Effective;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::Verdicts;
use crate::without_effect::{When, WithoutEffect};

rule! {
    /// Fallback transcription is set up while it is off.
    ///
    /// `stt_fallback_transcriber_id` and `stt_fallback_wait_ms` only matter while `fallback_stt_enabled` is true. A fallback
    /// transcriber that is named while the fallback is off suggests that the switch was forgotten. `fallback-transcriber-same`
    /// and `fallback-transcriber-not-listed` report transcribers that cannot be a fallback at all.
    ///
    /// ```json,advice
    /// { "version_number": 3, "fallback_stt_enabled": false, "stt_fallback_transcriber_id": "tr_echo" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "stt_fallback_wait_ms": 500 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_echo", "stt_fallback_wait_ms": 500 }
    /// ```
    "fallback-transcription-without-effect": Config {
        group: Ineffective,
        basis: Inferred("The description says that the switch turns fallback recognition on, but not what becomes of its settings."),
        section: "2.3",
        reads: [
            fallback_stt_enabled,
            stt_fallback_transcriber_id,
            stt_fallback_wait_ms,
            transcriber_id,
        ],
        reads_facts: [fallback_transcribers],
    }
}

static IDLE: WithoutEffect = WithoutEffect {
    when: When::Off(&fallback_stt_enabled),
    why: "fallback transcription is off",
    help: "set `fallback_stt_enabled` to true, or remove the setting",
    settings: &[stt_fallback_transcriber_id.row, stt_fallback_wait_ms.row],
};

fn check(config: &Effective<'_>) -> Verdicts {
    if is_reported(config) { Verdicts::none() } else { IDLE.check(config) }
}

/// Whether a rule about the fallback transcriber itself reports it.
fn is_reported(config: &Effective<'_>) -> bool {
    let Value::Known(fallback, _) = config.written(&stt_fallback_transcriber_id) else {
        return false;
    };
    let is_same = config.get(&transcriber_id).known().is_some_and(|(id, _)| *id == fallback);
    let listed = config.fact(&fallback_transcribers);
    is_same || listed.is_some_and(|(listed, _)| !has_id(listed, &fallback))
}
