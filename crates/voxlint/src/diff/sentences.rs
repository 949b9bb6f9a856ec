//! Changes as sentences: short, on one line, safe for terminals, with secrets masked.

use std::borrow::Cow;

use voxlint_engine::states::{Desired, Setting};
use voxlint_model::effective::StoredSetting;
use voxlint_model::{quote, quote::counted};
use voxlint_schema::Row;
use voxlint_schema::settings::{
    agent_background, agent_identity, default_dynamic_variables, fallback_stt_enabled,
    inbound_phone_number_id, update_deployment, voice_model_id,
};
use voxlint_schema::stored;
use voxlint_syntax::{Kind, Node};

use super::consequences::{changed_hosts, changed_transfers, destinations_in, of_destinations};
use super::difference::ChangeKind;
use super::entries::{self, Entries};

/// How many settings are listed that are left unchanged.
const MAX_LEFT_UNCHANGED: usize = 8;

/// Of a longer text, or one with several lines, only the size is shown.
const MAX_SHOWN: usize = 40;

/// A value as one short line.
pub(crate) fn excerpt(node: Node<'_>) -> String {
    match node.kind() {
        Kind::String => quote::excerpt(&node.as_str().unwrap_or_default()),
        Kind::Array => counted(entries::count(node) as u64, "item"),
        Kind::Object => counted(entries::count(node) as u64, "field"),
        _ => quote::excerpt(node.source()),
    }
}

/// What a change does.
pub(super) fn sentence(setting: Setting<'_>, kind: ChangeKind, number: Node<'_>) -> String {
    let Setting { row, old, new, .. } = setting;
    let name = format!("`{}`", row.name);
    let (before, after) = (old.value(), new.value());
    let (was, becomes) = (before.map(short_value), after.map(short_value).unwrap_or_default());
    match kind {
        ChangeKind::Publishing => format!("publishes version {}", quote::excerpt(number.source())),
        ChangeKind::NumberDetached => match was {
            Some(was) => format!("detaches {} {was}", number_name(row)),
            None => format!("detaches {}, if there is one", number_name(row)),
        },
        ChangeKind::NumberMoved => match was {
            Some(was) => format!("changes {} from {was} to {becomes}", number_name(row)),
            None => {
                format!("sets {} to {becomes}, replacing the stored one, if any", number_name(row))
            }
        },
        ChangeKind::FunctionsRemoved => functions_removed(before, after),
        ChangeKind::AnalysisCleared if after.is_some() => {
            let between = before.zip(after).and_then(|(old, new)| Entries::between(old, new));
            let summary = between.map_or_else(|| becomes.clone(), |it| it.summary());
            format!("changes the analysis: {summary}")
        }
        ChangeKind::AnalysisCleared => match was {
            Some(was) => format!("clears the analysis ({was})"),
            None => "clears the analysis, if there is one".to_owned(),
        },
        ChangeKind::FallbackSwitchedOff => {
            let is_transcriber = std::ptr::eq(row, fallback_stt_enabled.row);
            let what = if is_transcriber { "transcriber" } else { "language model" };
            let doubt = if before.is_some() { "" } else { ", if it is on" };
            format!("switches the fallback {what} off{doubt}")
        }
        ChangeKind::FallbackCleared => {
            format!("{}, but does not switch the fallback off", clears(&name, was))
        }
        ChangeKind::DestinationsChanged => destinations_changed(row, before, after),
        ChangeKind::PromptEmptied => match was {
            Some(was) => format!("empties {name} (now {was})"),
            None => format!("empties {name}, if it is set"),
        },
        ChangeKind::Set | ChangeKind::Changed | ChangeKind::SwitchedOff => match (before, after) {
            (_, Some(node)) if node.kind() == Kind::Bool => {
                let to = if node.as_bool() == Some(true) { "on" } else { "off" };
                format!("switches {name} {to}")
            }
            (Some(old), Some(new)) => changes(&name, old, new),
            (None, Some(node)) if matches!(node.kind(), Kind::Array | Kind::Object) => {
                format!("sets {name} to {becomes}: {}", entries::names(node))
            }
            _ => format!("sets {name} to {becomes}"),
        },
        ChangeKind::Unset if std::ptr::eq(row, voxlint_schema::settings::is_published.row) => {
            format!("takes version {} back to a draft", quote::excerpt(number.source()))
        }
        ChangeKind::Unset => clears(&name, was),
        ChangeKind::Repeated if std::ptr::eq(row, voice_model_id.row) => {
            format!(
                "sends the voice model {becomes} again: a new voice would otherwise use its recommended model"
            )
        }
        ChangeKind::Repeated if is_required_by_flow_agents(row) => {
            format!("sends {name} again: a conversational flow agent requires it with every update")
        }
        ChangeKind::Repeated => {
            format!("connects {} {becomes} for live calls", number_name(row))
        }
    }
}

fn is_required_by_flow_agents(row: &Row) -> bool {
    [agent_identity.row, agent_background.row].iter().any(|required| std::ptr::eq(*required, row))
}

fn clears(name: &str, was: Option<String>) -> String {
    match was {
        Some(was) => format!("clears {name} (now {was})"),
        None => format!("clears {name}, if it is set"),
    }
}

fn functions_removed(before: Option<Node<'_>>, after: Option<Node<'_>>) -> String {
    let count = after.map_or(0, entries::count);
    match (before, after) {
        (None, None) => "removes all stored functions".to_owned(),
        (None, Some(new)) => {
            format!("replaces all stored functions with {count}: {}", entries::names(new))
        }
        (Some(old), None) => {
            format!("removes {}: {}", all_of(entries::count(old)), entries::names(old))
        }
        (Some(old), Some(new)) => match Entries::between(old, new) {
            Some(entries) => {
                let removed = entries.removed.len();
                let of = if removed == entries.before {
                    all_of(removed)
                } else {
                    format!("{removed} of {} functions", entries.before)
                };
                let names = entries::named(&entries.removed);
                let rest = entries.additions_and_changes();
                let rest = rest.map_or_else(String::new, |rest| format!("; {rest}"));
                format!("removes {of}: {names}{rest}")
            }
            None => format!("replaces all stored functions with {count}"),
        },
    }
}

/// What changes where calls are transferred, and what else changes in the same setting.
fn destinations_changed(row: &Row, before: Option<Node<'_>>, after: Option<Node<'_>>) -> String {
    let rest = |entries: Option<Entries>| match entries.filter(|entries| !entries.is_empty()) {
        Some(entries) => format!("; {}", entries.summary()),
        None => String::new(),
    };
    let between = before.zip(after).and_then(|(before, after)| Entries::between(before, after));
    if !std::ptr::eq(row, default_dynamic_variables.row) {
        let sides = before.zip(after);
        let changed = sides.map(|(old, new)| changed_transfers(old, new)).unwrap_or_default();
        let hosts = sides.map(|(old, new)| changed_hosts(old, new)).unwrap_or_default();
        let said = || changed.iter().chain(&hosts);
        let others = between.map(|all| said().fold(all, |others, name| others.without(name)));
        let mut parts = Vec::new();
        if !changed.is_empty() {
            let what = entries::named(&changed);
            parts.push(format!("changes the configuration of the call transfer {what}"));
        }
        if !hosts.is_empty() {
            let what = entries::named(&hosts);
            parts.push(format!("changes the host to which {what} sends requests"));
        }
        return format!("{}{}", parts.join("; "), rest(others));
    }
    let name = default_dynamic_variables::agent_transfer_destinations.row.name;
    let numbers = |variables: Option<Node<'_>>| variables.map_or_else(Vec::new, destinations_in);
    let (old, new) = (numbers(before), numbers(after));
    match (before, after) {
        (None, Some(after)) if new.is_empty() => format!(
            "sets `{}` to {}, replacing the stored transfer destinations, if any",
            row.name,
            short_value(after)
        ),
        (None, None) => format!("clears `{}`, with the transfer destinations, if any", row.name),
        (None, Some(_)) => {
            format!("sets the transfer destinations to {}", entries::named(&new))
        }
        (Some(_), _) => {
            let others = between.map(|entries| entries.without(name));
            let change = of_destinations(&old, &new);
            let is_cleared = if after.is_none() { " and all other variables" } else { "" };
            format!("changes the transfer destinations: {change}{is_cleared}{}", rest(others))
        }
    }
}

/// A changed value in words, by the name of its field.
pub fn changed_value(name: &str, old: Option<Node<'_>>, new: Option<Node<'_>>) -> String {
    let name = format!("`{name}`");
    match (old, new) {
        (Some(old), Some(new)) => changes(&name, old, new),
        (None, Some(new)) => format!("sets {name} to {}", short_value(new)),
        (Some(old), None) => format!("removes {name} (now {})", short_value(old)),
        (None, None) => format!("leaves {name} unset"),
    }
}

fn all_of(count: usize) -> String {
    match count {
        1 => "the only function".to_owned(),
        2 => "both functions".to_owned(),
        _ => format!("all {count} functions"),
    }
}

fn changes(name: &str, old: Node<'_>, new: Node<'_>) -> String {
    if let Some(entries) = Entries::between(old, new) {
        return format!("changes {name}: {}", entries.summary());
    }
    if let (Kind::String, Kind::String, Some(old), Some(new)) =
        (old.kind(), new.kind(), old.as_str(), new.as_str())
        && (is_long(&old) || is_long(&new))
    {
        return format!("changes {name}: {}", text_change(&old, &new));
    }
    format!("changes {name} from {} to {}", short_value(old), short_value(new))
}

/// The difference between two long texts: in lines if there are several, otherwise in characters.
fn text_change(old: &str, new: &str) -> String {
    if old.contains('\n') || new.contains('\n') {
        let (from, olds, news) = differing(old.split('\n'), new.split('\n'));
        length_change(olds, news, "line", from)
    } else {
        let (from, olds, news) = differing(old.chars(), new.chars());
        length_change(olds, news, "character", from)
    }
}

/// The part between the common beginning and the common end: where it begins, counted from 1, and its length on either
/// side.
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

fn length_change(olds: usize, news: usize, what: &str, from: usize) -> String {
    match (olds, news) {
        (1, 1) => format!("{what} {from} differs"),
        (0, more) => format!("{} added at {what} {from}", counted(more as u64, what)),
        (fewer, 0) => format!("{} removed at {what} {from}", counted(fewer as u64, what)),
        (olds, news) if olds == news => format!("{olds} {what}s differ from {what} {from} on"),
        (1, news) => format!("{what} {from} becomes {news} {what}s"),
        (olds, news) => {
            format!("{olds} {what}s become {} from {what} {from} on", counted(news as u64, what))
        }
    }
}

/// Whether a text is too long for a sentence.
pub(super) fn is_long(text: &str) -> bool {
    text.contains('\n') || text.chars().nth(MAX_SHOWN).is_some()
}

/// The old and the new text, if both are short enough to be in a sentence.
pub(super) fn short_texts(old: StoredSetting<'_>, new: Desired<'_>) -> Option<(String, String)> {
    let (old, new) = (old.value()?.as_str()?, new.value()?.as_str()?);
    (old != new && !is_long(&old) && !is_long(&new)).then(|| (old.into_owned(), new.into_owned()))
}

/// A value in a sentence: a short text between backquotes, or the size of a long one.
pub fn short_value(node: Node<'_>) -> String {
    match (node.kind(), node.as_str()) {
        (Kind::String, Some(text)) if is_long(&text) => size(&text),
        (Kind::String, Some(text)) => quote::quote(&text),
        _ => excerpt(node),
    }
}

fn size(text: &str) -> String {
    let characters = counted(text.chars().count() as u64, "character");
    match text.split('\n').count() {
        1 => format!("a text of {characters}"),
        lines => format!("a text of {lines} lines, {characters}"),
    }
}

/// A setting that no update can unset.
pub(super) fn cannot_unset(row: &Row, node: Node<'_>) -> String {
    format!("`{}` keeps its stored value, {}: no update can unset it", row.name, short_value(node))
}

/// The documents are of different versions.
pub(super) fn other_version(stored: Node<'_>, wanted: Node<'_>) -> String {
    let [stored, wanted] = [stored, wanted].map(|number| quote::excerpt(number.source()));
    format!(
        "the update is for the stored version {stored}, but the desired settings are for version {wanted}"
    )
}

/// A new voice replaces the stored voice model.
pub(super) fn new_model(node: Node<'_>) -> String {
    format!(
        "`{}` does not stay {}: a new voice uses its recommended model",
        voice_model_id.row.name,
        short_value(node)
    )
}

/// A stored phone number that the publishing update does not contain.
pub(super) fn not_claimed(row: &Row, node: Node<'_>) -> String {
    format!(
        "{} {} is not in the update, but a number is connected only by the update that publishes",
        number_name(row),
        short_value(node)
    )
}

/// Fields of a stored object that the desired one does not have.
pub(super) fn may_keep_fields(row: &Row, names: &str) -> String {
    let what =
        if std::ptr::eq(row, default_dynamic_variables.row) { "variables" } else { "fields" };
    format!(
        "the description does not say whether `{}` is replaced or merged, so these stored {what} may stay: {names}",
        row.name
    )
}

/// Settings that are not desired, if it is unknown whether they are set.
pub(super) fn left_unchanged(names: &[&str]) -> String {
    let [these, they] = match names.len() {
        1 => ["this field is", "it is"],
        _ => ["these fields are", "they are"],
    };
    let complete = stored::complete.row.name;
    let version = stored::version.row.name;
    format!(
        "it is unknown whether {these} set, so {they} kept: {}. If {they} not set, add `\"{complete}\": true` beside `{version}` in the stored configuration",
        entries::named_up_to(MAX_LEFT_UNCHANGED, names)
    )
}

/// Fields of the desired document that are not settings.
pub(super) fn unknown_fields(names: &[Cow<'_, str>]) -> String {
    let what = if names.len() == 1 { "it is not a setting" } else { "they are not settings" };
    format!("not sent, because {what} of a version: {}", entries::named(names))
}

/// The desired settings contain a flag that is not part of a version.
pub(super) fn flag_of_one_request() -> String {
    let name = update_deployment.row.name;
    format!("`{name}` is not sent: it is a flag of one request, not a setting")
}

fn number_name(row: &Row) -> &'static str {
    if std::ptr::eq(row, inbound_phone_number_id.row) {
        "the inbound number"
    } else {
        "the outbound number"
    }
}
