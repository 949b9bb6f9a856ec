//! What a change is, as far as danger goes.

use voxlint_schema::Row;
use voxlint_schema::settings::{
    agent_functions, fallback_llm_enabled, fallback_stt_enabled, is_published, llm_fallback_model,
    post_call_analysis, postcall_analysis, stt_fallback_transcriber_id,
};
use voxlint_syntax::Node;

use super::setting::{Setting, Sides, Wanted, is, is_phone_number};
use super::{ChangeKind, items};
use crate::engine::effective::StoredSetting;

/// What the change of a setting is, where its value is not the stored one.
pub(super) fn kind(setting: &Setting<'_>, sides: &Sides<'_>) -> ChangeKind {
    let Setting { row, old, new, .. } = *setting;
    let is_any = |rows: &[&Row]| rows.iter().any(|one| is(row, one));
    let flag = |node: Node<'_>| node.as_bool();
    match (old, new) {
        (_, Wanted::Value(new)) if is(row, is_published.row) && flag(new) == Some(true) => {
            ChangeKind::Publishing
        }
        (_, Wanted::Omitted | Wanted::Empty) if is_phone_number(row) => ChangeKind::NumberDetached,
        (StoredSetting::Value(_) | StoredSetting::Unknown, Wanted::Value(_))
            if is_phone_number(row) =>
        {
            ChangeKind::NumberMoved
        }
        (_, Wanted::Omitted | Wanted::Empty) if is_any(&[agent_functions.row]) => {
            ChangeKind::FunctionsRemoved
        }
        (old, Wanted::Value(new)) if is_any(&[agent_functions.row]) && loses(old, new) => {
            ChangeKind::FunctionsRemoved
        }
        (_, Wanted::Omitted | Wanted::Empty)
            if is_any(&[post_call_analysis.row, postcall_analysis.row]) =>
        {
            ChangeKind::AnalysisCleared
        }
        (StoredSetting::Value(_) | StoredSetting::Unknown, Wanted::Value(new))
            if is_any(&[fallback_stt_enabled.row, fallback_llm_enabled.row])
                && flag(new) == Some(false) =>
        {
            ChangeKind::FallbackSwitchedOff
        }
        (_, Wanted::Omitted | Wanted::Empty) if may_leave_fallback_empty(row, sides) => {
            ChangeKind::FallbackCleared
        }
        (StoredSetting::Unset | StoredSetting::Unknown, Wanted::Value(_)) => ChangeKind::Set,
        (StoredSetting::Value(_), Wanted::Value(_)) => ChangeKind::Changed,
        (_, Wanted::Omitted | Wanted::Empty) => ChangeKind::Unset,
    }
}

/// Whether a row is what a fallback falls back to, and the fallback may be on afterwards.
fn may_leave_fallback_empty(row: &Row, sides: &Sides<'_>) -> bool {
    let fallbacks = [
        (stt_fallback_transcriber_id.row, fallback_stt_enabled.row),
        (llm_fallback_model.row, fallback_llm_enabled.row),
    ];
    let mut switches = fallbacks.into_iter().filter(|(fallback, _)| is(row, fallback));
    switches.any(|(_, switch)| sides.is_on_afterwards(switch) != Some(false))
}

/// Whether a list may be without something that the stored one has.
fn loses(old: StoredSetting<'_>, new: Node<'_>) -> bool {
    match old {
        StoredSetting::Value(old) => {
            items::Entries::between(old, new).is_none_or(|entries| !entries.removed.is_empty())
        }
        StoredSetting::Unset => false,
        StoredSetting::Unknown => true,
    }
}
