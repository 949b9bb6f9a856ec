//! Classifies changes by their risk.

use voxlint_schema::Row;
use voxlint_schema::settings::{
    agent_functions, fallback_llm_enabled, fallback_stt_enabled, is_published, llm_fallback_model,
    post_call_analysis, postcall_analysis, stt_fallback_transcriber_id,
};
use voxlint_syntax::Node;

use super::difference::ChangeKind;
use super::entries;
use super::setting::{Desired, Setting, States, is, is_phone_number};
use crate::engine::effective::StoredSetting;

/// The kind of a change of a setting whose desired value differs from the stored one.
pub(super) fn classify(setting: &Setting<'_>, states: &States<'_>) -> ChangeKind {
    let Setting { row, old, new, .. } = *setting;
    let is_any = |rows: &[&Row]| rows.iter().any(|one| is(row, one));
    let flag = |node: Node<'_>| node.as_bool();
    match (old, new) {
        (_, Desired::Value(new)) if is(row, is_published.row) && flag(new) == Some(true) => {
            ChangeKind::Publishing
        }
        (_, Desired::Omitted | Desired::Empty) if is_phone_number(row) => {
            ChangeKind::NumberDetached
        }
        (StoredSetting::Value(_) | StoredSetting::Unknown, Desired::Value(_))
            if is_phone_number(row) =>
        {
            ChangeKind::NumberMoved
        }
        (_, Desired::Omitted | Desired::Empty) if is_any(&[agent_functions.row]) => {
            ChangeKind::FunctionsRemoved
        }
        (old, Desired::Value(new)) if is_any(&[agent_functions.row]) && loses(old, new) => {
            ChangeKind::FunctionsRemoved
        }
        (_, Desired::Omitted | Desired::Empty)
            if is_any(&[post_call_analysis.row, postcall_analysis.row]) =>
        {
            ChangeKind::AnalysisCleared
        }
        (StoredSetting::Value(_) | StoredSetting::Unknown, Desired::Value(new))
            if is_any(&[fallback_stt_enabled.row, fallback_llm_enabled.row])
                && flag(new) == Some(false) =>
        {
            ChangeKind::FallbackSwitchedOff
        }
        (_, Desired::Omitted | Desired::Empty) if may_leave_fallback_empty(row, states) => {
            ChangeKind::FallbackCleared
        }
        (StoredSetting::Unset | StoredSetting::Unknown, Desired::Value(_)) => ChangeKind::Set,
        (StoredSetting::Value(_), Desired::Value(_)) => ChangeKind::Changed,
        (_, Desired::Omitted | Desired::Empty) => ChangeKind::Unset,
    }
}

/// Whether a row is the target of a fallback that may be on afterwards.
fn may_leave_fallback_empty(row: &Row, states: &States<'_>) -> bool {
    let fallbacks = [
        (stt_fallback_transcriber_id.row, fallback_stt_enabled.row),
        (llm_fallback_model.row, fallback_llm_enabled.row),
    ];
    let mut switches = fallbacks.into_iter().filter(|(fallback, _)| is(row, fallback));
    switches.any(|(_, switch)| states.is_on_afterwards(switch) != Some(false))
}

/// Whether a list may lack something that the stored list has.
fn loses(old: StoredSetting<'_>, new: Node<'_>) -> bool {
    match old {
        StoredSetting::Value(old) => {
            entries::Entries::between(old, new).is_none_or(|entries| !entries.removed.is_empty())
        }
        StoredSetting::Unset => false,
        StoredSetting::Unknown => true,
    }
}
