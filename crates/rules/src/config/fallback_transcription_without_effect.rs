use voxlint_schema::facts::fallback_transcribers;

use super::shared::has_id;
use crate::limits::CAPPED_PIPELINE;
use crate::prelude::*;

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
        basis: Inferred("The description says that the switch turns fallback recognition on, but not what happens to its settings while it is off."),
        section: "2.3",
        fix: Unsafe("Removes the settings that have no effect. They would matter again if `fallback_stt_enabled` were switched on."),
        reads: [
            fallback_stt_enabled,
            stt_fallback_transcriber_id,
            stt_fallback_wait_ms,
            transcriber_id,
            pipeline_type,
        ],
        reads_facts: [fallback_transcribers],
    }
}

pub(super) static IDLE: WithoutEffect = WithoutEffect {
    when: When::Off(&fallback_stt_enabled),
    why: "fallback transcription is off",
    help: "set `fallback_stt_enabled` to true, or remove the setting",
    removable: true,
    settings: &[stt_fallback_transcriber_id.row, stt_fallback_wait_ms.row],
};

/// The same for an agent without a transcriber, which a fallback would not help.
static IDLE_WITHOUT_TRANSCRIBER: WithoutEffect =
    WithoutEffect { help: "remove the setting", ..IDLE };

/// The same for an agent without a fallback transcriber, which the switch alone would not help.
static IDLE_WITHOUT_FALLBACK: WithoutEffect = WithoutEffect {
    help: "set `stt_fallback_transcriber_id` and `fallback_stt_enabled`, or remove the setting",
    ..IDLE
};

fn check(config: &Effective<'_>) -> Verdicts {
    if is_reported(config) {
        return Verdicts::none();
    }
    let verdicts = IDLE.check(config);
    if verdicts.is_empty() || verdicts.is_undecided() {
        return verdicts;
    }
    match config.get(&pipeline_type) {
        Value::Known(name, _) if name == CAPPED_PIPELINE => IDLE_WITHOUT_TRANSCRIBER.check(config),
        _ if config.get(&stt_fallback_transcriber_id).known().is_none() => {
            IDLE_WITHOUT_FALLBACK.check(config)
        }
        _ => verdicts,
    }
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
