//! What a change does, in one line: short, harmless to a terminal, with secrets covered.

use std::borrow::Cow;

use voxlint_schema::Row;
use voxlint_schema::settings::{
    agent_background, agent_identity, default_dynamic_variables, fallback_stt_enabled,
    inbound_phone_number_id, update_deployment, voice_model_id,
};
use voxlint_schema::stored;
use voxlint_syntax::{Kind, Node};

use super::ChangeKind;
use super::items::{self, Entries};
use super::setting::{Setting, Wanted};
use crate::engine::effective::StoredSetting;
use crate::quote;

/// How many settings are named that are left alone.
const LEFT_ALONE: usize = 8;

/// A text that is longer, or has several lines, is measured instead of shown.
const SHOWN: usize = 40;

/// A value as one short line.
pub(super) fn excerpt(node: Node<'_>) -> String {
    match node.kind() {
        Kind::String => quote::excerpt(&node.as_str().unwrap_or_default()),
        Kind::Array => counted(items::count(node), "item"),
        Kind::Object => counted(items::count(node), "member"),
        _ => quote::excerpt(node.source()),
    }
}

/// What a change does.
pub(super) fn sentence(setting: Setting<'_>, kind: ChangeKind, number: Node<'_>) -> String {
    let Setting { row, old, new, .. } = setting;
    let name = format!("`{}`", row.name);
    let before = if let StoredSetting::Value(node) = old { Some(node) } else { None };
    let after = if let Wanted::Value(node) = new { Some(node) } else { None };
    let (was, becomes) = (before.map(shown), after.map(shown).unwrap_or_default());
    match kind {
        ChangeKind::Publishing => format!("publishes version {}", quote::excerpt(number.source())),
        ChangeKind::NumberDetached => match was {
            Some(was) => format!("detaches {} {was}", number_name(row)),
            None => format!("detaches {}, whichever it is", number_name(row)),
        },
        ChangeKind::NumberMoved => match was {
            Some(was) => format!("moves {} from {was} to {becomes}", number_name(row)),
            None => format!("moves {} to {becomes}, whichever it is now", number_name(row)),
        },
        ChangeKind::FunctionsRemoved => functions_removed(before, after),
        ChangeKind::AnalysisCleared => match was {
            Some(was) => format!("clears the analysis ({was})"),
            None => "clears the analysis, whatever it is".to_owned(),
        },
        ChangeKind::FallbackSwitchedOff => {
            let is_transcriber = std::ptr::eq(row, fallback_stt_enabled.row);
            let what = if is_transcriber { "transcriber" } else { "language model" };
            let doubt = if before.is_some() { "" } else { ", if it is on" };
            format!("switches the fallback {what} off{doubt}")
        }
        ChangeKind::FallbackCleared => {
            format!("{}, without switching the fallback off", clears(&name, was))
        }
        ChangeKind::Set | ChangeKind::Changed => match (before, after) {
            (_, Some(node)) if node.kind() == Kind::Bool => {
                let to = if node.as_bool() == Some(true) { "on" } else { "off" };
                format!("switches {name} {to}")
            }
            (Some(old), Some(new)) => changes(&name, old, new),
            (None, Some(node)) if matches!(node.kind(), Kind::Array | Kind::Object) => {
                format!("sets {name} to {becomes}: {}", items::names(node))
            }
            _ => format!("sets {name} to {becomes}"),
        },
        ChangeKind::Unset if std::ptr::eq(row, voxlint_schema::settings::is_published.row) => {
            format!("takes version {} back to a draft", quote::excerpt(number.source()))
        }
        ChangeKind::Unset => clears(&name, was),
        ChangeKind::Repeated if std::ptr::eq(row, voice_model_id.row) => {
            format!("names the voice model {becomes} again: a new voice would take another")
        }
        ChangeKind::Repeated if is_required_by_flow_agents(row) => {
            format!("sends {name} again: a conversational flow agent requires it with every update")
        }
        ChangeKind::Repeated => {
            format!("claims {} {becomes} for live calls", number_name(row))
        }
    }
}

fn is_required_by_flow_agents(row: &Row) -> bool {
    [agent_identity.row, agent_background.row].iter().any(|required| std::ptr::eq(*required, row))
}

fn clears(name: &str, was: Option<String>) -> String {
    match was {
        Some(was) => format!("clears {name}, which is {was}"),
        None => format!("clears {name}, whatever it is"),
    }
}

fn functions_removed(before: Option<Node<'_>>, after: Option<Node<'_>>) -> String {
    let count = after.map_or(0, items::count);
    match (before, after) {
        (None, None) => "removes all functions, however many are stored".to_owned(),
        (None, Some(new)) => format!(
            "removes whatever functions are stored, but for {count} that it sets: {}",
            items::names(new)
        ),
        (Some(old), None) => {
            format!("removes {}: {}", all_of(items::count(old)), items::names(old))
        }
        (Some(old), Some(new)) => match Entries::between(old, new) {
            Some(entries) => {
                let removed = entries.removed.len();
                let of = if removed == entries.before {
                    all_of(removed)
                } else {
                    format!("{removed} of {} functions", entries.before)
                };
                let names = items::named(&entries.removed);
                let rest = entries.told_without_removed();
                let rest = rest.map_or_else(String::new, |rest| format!("; {rest}"));
                format!("removes {of}: {names}{rest}")
            }
            None => format!("removes whatever functions are stored, but for {count} that it sets"),
        },
    }
}

fn all_of(count: usize) -> String {
    if count == 1 { "the only function".to_owned() } else { format!("all {count} functions") }
}

fn changes(name: &str, old: Node<'_>, new: Node<'_>) -> String {
    if let Some(entries) = Entries::between(old, new) {
        return format!("changes {name}: {}", entries.told());
    }
    if let (Kind::String, Kind::String, Some(old), Some(new)) =
        (old.kind(), new.kind(), old.as_str(), new.as_str())
        && (is_long(&old) || is_long(&new))
    {
        return format!("changes {name}: {}", measured(&old, &new));
    }
    format!("changes {name} from {} to {}", shown(old), shown(new))
}

/// How one long text differs from another: in lines where there are several, in characters within one line.
fn measured(old: &str, new: &str) -> String {
    if old.contains('\n') || new.contains('\n') {
        let (from, olds, news) = differing(old.split('\n'), new.split('\n'));
        became(olds, news, "line", from)
    } else {
        let (from, olds, news) = differing(old.chars(), new.chars());
        became(olds, news, "character", from)
    }
}

/// What lies between the common beginning and the common end: where it begins, counted from 1, and how much it is on
/// either side.
fn differing<T: PartialEq>(
    old: impl DoubleEndedIterator<Item = T> + Clone,
    new: impl DoubleEndedIterator<Item = T> + Clone,
) -> (usize, usize, usize) {
    let common = old.clone().zip(new.clone()).take_while(|(old, new)| old == new).count();
    let (olds, news) = (old.clone().count() - common, new.clone().count() - common);
    let end =
        old.rev().zip(new.rev()).take(olds.min(news)).take_while(|(old, new)| old == new).count();
    (common + 1, olds - end, news - end)
}

fn became(olds: usize, news: usize, what: &str, from: usize) -> String {
    match (olds, news) {
        (1, 1) => format!("{what} {from} differs"),
        (0, more) => format!("{} more from {what} {from} on", counted(more, what)),
        (fewer, 0) => format!("{} fewer from {what} {from} on", counted(fewer, what)),
        (olds, news) if olds == news => format!("{olds} {what}s differ from {what} {from} on"),
        (1, news) => format!("{what} {from} becomes {news} {what}s"),
        (olds, news) => {
            format!("{olds} {what}s become {} from {what} {from} on", counted(news, what))
        }
    }
}

fn is_long(text: &str) -> bool {
    text.contains('\n') || text.chars().nth(SHOWN).is_some()
}

/// A value in a sentence: a short text between backquotes, a long one by its size.
fn shown(node: Node<'_>) -> String {
    match (node.kind(), node.as_str()) {
        (Kind::String, Some(text)) if is_long(&text) => size(&text),
        (Kind::String, Some(text)) => quote::quote(&text),
        _ => excerpt(node),
    }
}

fn size(text: &str) -> String {
    let characters = counted(text.chars().count(), "character");
    match text.split('\n').count() {
        1 => format!("a text of {characters}"),
        lines => format!("a text of {lines} lines, {characters}"),
    }
}

/// A setting that no update can unset.
pub(super) fn stays(row: &Row, node: Node<'_>) -> String {
    format!("`{}` stays {}: no update can unset it", row.name, shown(node))
}

/// The two documents are of different versions.
pub(super) fn other_version(stored: Node<'_>, wanted: Node<'_>) -> String {
    let [stored, wanted] = [stored, wanted].map(|number| quote::excerpt(number.source()));
    format!(
        "the update is for version {stored}, which is stored; the wanted settings name version {wanted}"
    )
}

/// The stored voice model goes with the stored voice.
pub(super) fn new_model(node: Node<'_>) -> String {
    format!(
        "`{}` does not stay {}: a new voice takes its recommended model",
        voice_model_id.row.name,
        shown(node)
    )
}

/// A number that is stored and not named when the version is published.
pub(super) fn not_claimed(row: &Row, node: Node<'_>) -> String {
    format!(
        "{} {} is not named in the update, and only the request that publishes claims a number for live calls",
        number_name(row),
        shown(node)
    )
}

/// Members of a stored object that the wanted one is without.
pub(super) fn may_stay(row: &Row, names: &str) -> String {
    let what =
        if std::ptr::eq(row, default_dynamic_variables.row) { "variables" } else { "members" };
    format!(
        "whether `{}` is replaced or merged is not described: these stored {what} may stay: {names}",
        row.name
    )
}

/// Settings that are not wanted, and nobody knows whether they are set.
pub(super) fn left_alone(names: &[&str]) -> String {
    let [these, they] = match names.len() {
        1 => ["this field is", "it is"],
        _ => ["these fields are", "they are"],
    };
    let complete = stored::complete.row.name;
    let version = stored::version.row.name;
    format!(
        "it is unknown whether {these} set, so {they} kept: {}. If {they} not set, add `\"{complete}\": true` beside `{version}` in OLD",
        items::named_up_to(LEFT_ALONE, names)
    )
}

/// Members of what is wanted that no table names.
pub(super) fn strangers(names: &[Cow<'_, str>]) -> String {
    let what = if names.len() == 1 { "it is no setting" } else { "they are no settings" };
    format!("not sent, because {what} of a version: {}", items::named(names))
}

/// The wanted settings hold what no state of a version has.
pub(super) fn flag_of_one_request() -> String {
    let name = update_deployment.row.name;
    format!("`{name}` is not sent: it is a flag of one request and no setting")
}

fn number_name(row: &Row) -> &'static str {
    if std::ptr::eq(row, inbound_phone_number_id.row) {
        "the inbound number"
    } else {
        "the outbound number"
    }
}

fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}
