use crate::limits::CAPPED_PIPELINE;
use crate::prelude::*;

rule! {
    /// Speech recognition is set up for an agent without it.
    ///
    /// A `Speech_To_Speech` agent hears the caller with one speech model. Only a `Cascaded` agent has a transcriber, a fallback
    /// transcriber and a transcription mode. Boosted keywords and the response eagerness have rules of their own.
    ///
    /// ```json,advice
    /// { "version_number": 3, "pipeline_type": "Speech_To_Speech", "transcriber_id": "tr_nova" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "transcription_mode": "optimize_for_speed" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "pipeline_type": "Cascaded", "transcriber_id": "tr_nova" }
    /// ```
    "transcription-without-effect": Config {
        group: Ineffective,
        basis: Inferred("The description says that only cascaded agents have a step for speech recognition, but not that others ignore its settings."),
        section: "1",
        fix: Unsafe("Removes the settings that have no effect. They would matter again with the pipeline `Cascaded`."),
        reads: [
            pipeline_type,
            transcriber_id,
            fallback_stt_enabled,
            stt_fallback_transcriber_id,
            stt_fallback_wait_ms,
            transcription_mode,
        ],
    }
}

pub(super) static IDLE: WithoutEffect = WithoutEffect {
    when: When::Is(&pipeline_type, &[CAPPED_PIPELINE]),
    why: "a `Speech_To_Speech` agent has no separate speech recognition",
    help: "remove it, or set `pipeline_type` to `Cascaded`",
    removable: true,
    settings: &[
        transcriber_id.row,
        fallback_stt_enabled.row,
        stt_fallback_transcriber_id.row,
        stt_fallback_wait_ms.row,
        transcription_mode.row,
    ],
};

/// The same without the settings that `fallback-transcription-without-effect` reports.
static IDLE_WITHOUT_FALLBACK: WithoutEffect =
    WithoutEffect { settings: &[transcriber_id.row, transcription_mode.row], ..IDLE };

fn check(config: &Effective<'_>) -> Verdicts {
    match config.get(&fallback_stt_enabled) {
        Value::Known(false, _) => IDLE_WITHOUT_FALLBACK.check(config),
        _ => IDLE.check(config),
    }
}
