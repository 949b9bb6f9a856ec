//! Classifies changes by their risk.

use voxlint_engine::states::{Desired, Setting, States, is, is_phone_number};
use voxlint_model::effective::StoredSetting;
use voxlint_schema::Row;
use voxlint_schema::settings::{
    agent_functions, default_dynamic_variables, fallback_llm_enabled, fallback_stt_enabled,
    is_published, llm_fallback_model, post_call_analysis, postcall_analysis, prompt_text,
    stt_fallback_transcriber_id, system_prompt_text,
};
use voxlint_syntax::Node;
use voxlint_template::{NodeKind, TemplateNode};

use super::consequences::{changed_hosts, changed_transfers, destinations_in};
use super::difference::ChangeKind;
use super::entries;

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
        (old, new) if is_any(&[agent_functions.row]) && changes_transfers(old, new) => {
            ChangeKind::DestinationsChanged
        }
        (old, new) if is_any(&[default_dynamic_variables.row]) && redirects(old, new) => {
            ChangeKind::DestinationsChanged
        }
        (StoredSetting::Value(_) | StoredSetting::Unknown, Desired::Value(new))
            if is_any(&[prompt_text.row, system_prompt_text.row]) && is_blank(new) =>
        {
            // A blank text that becomes another blank one empties nothing.
            match old {
                StoredSetting::Value(old) if is_blank(old) => ChangeKind::Changed,
                _ => ChangeKind::PromptEmptied,
            }
        }
        (_, Desired::Omitted | Desired::Empty)
            if is_any(&[post_call_analysis.row, postcall_analysis.row]) =>
        {
            ChangeKind::AnalysisCleared
        }
        (StoredSetting::Value(_), Desired::Value(new))
            if is_any(&[post_call_analysis.row, postcall_analysis.row]) && loses(old, new) =>
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

/// Whether a function that transfers calls is configured in another way, or another function sends requests to another host.
fn changes_transfers(old: StoredSetting<'_>, new: Desired<'_>) -> bool {
    let (Some(old), Some(new)) = (old.value(), new.value()) else { return false };
    !changed_transfers(old, new).is_empty() || !changed_hosts(old, new).is_empty()
}

/// Whether other transfer destinations may be set afterwards.
fn redirects(old: StoredSetting<'_>, new: Desired<'_>) -> bool {
    let of = |variables: Option<Node<'_>>| variables.map(destinations_in).unwrap_or_default();
    old.known().is_none_or(|old| of(old) != of(new.value()))
}

fn is_blank(text: Node<'_>) -> bool {
    text.as_str().is_some_and(|text| text.trim().is_empty() || is_rendered_blank(&text))
}

/// Whether a template consists of comments.
fn is_rendered_blank(text: &str) -> bool {
    let parsed = voxlint_template::parse(text);
    let is_nothing = |node: TemplateNode<'_>| match node.kind() {
        NodeKind::Comment => true,
        NodeKind::Text => node.value(text).trim().is_empty(),
        _ => false,
    };
    let mut statements = parsed.tree.statements().peekable();
    parsed.error.is_none() && statements.peek().is_some() && statements.all(is_nothing)
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
