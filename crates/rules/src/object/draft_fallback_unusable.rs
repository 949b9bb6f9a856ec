use voxlint_schema::agent::version_summary::{
    TABLE, fallback_stt_enabled, is_published, stt_fallback_transcriber_id, transcriber_id,
};

use crate::prelude::*;

rule! {
    /// A draft has a fallback transcriber with which the next update would be rejected.
    ///
    /// An update is checked together with the stored values. If a draft has fallback transcription switched on, but no
    /// fallback transcriber or the transcriber itself as its fallback, every update is rejected until this is corrected.
    ///
    /// ```json,advice
    /// {
    ///   "agent_id": "ag_frontdesk",
    ///   "version_number": 3,
    ///   "is_published": false,
    ///   "transcriber_id": "tr_nova",
    ///   "fallback_stt_enabled": true,
    ///   "stt_fallback_transcriber_id": "tr_nova"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "agent_id": "ag_frontdesk",
    ///   "version_number": 3,
    ///   "is_published": false,
    ///   "transcriber_id": "tr_nova",
    ///   "fallback_stt_enabled": true,
    ///   "stt_fallback_transcriber_id": "tr_echo"
    /// }
    /// ```
    "draft-fallback-unusable": Object {
        group: Suspicious,
        basis: Stated,
        section: "4.1 rule 6",
        table: TABLE,
    }
}

fn check(summary: &ObjectValue<'_>) -> Verdict {
    let (Some((false, _)), Some((true, switch))) =
        (summary.get(&is_published), summary.get(&fallback_stt_enabled))
    else {
        return Verdict::Holds;
    };
    let written = summary.fields.get(stt_fallback_transcriber_id.row);
    let finding = match (written, summary.get(&stt_fallback_transcriber_id)) {
        (None, _) if summary.node.is_incomplete() => return Verdict::Holds,
        (None, _) => not_set(switch.clone()),
        (Some(null), _) if null.kind() == Kind::Null => {
            not_set(Place::of(summary.origin, null)).also(switch, "switched on here")
        }
        (_, Some((id, place))) if id.is_empty() => not_set(place).also(switch, "switched on here"),
        (_, Some((id, place))) => match summary.get(&transcriber_id) {
            Some((transcriber, beside)) if transcriber == id => {
                let message = format!(
                    "the fallback transcriber of this draft, {}, is also its transcriber",
                    quote(&id)
                );
                Finding::new(place, message).label("the same id").also(beside, "the transcriber")
            }
            _ => return Verdict::Holds,
        },
        _ => return Verdict::Holds,
    };
    finding
        .help("set another `stt_fallback_transcriber_id` with the next update, or switch fallback off")
        .advice()
}

fn not_set(place: Place) -> Finding {
    Finding::new(place, "this draft has fallback transcription on, but no fallback transcriber")
}
