//! What several rules about objects use.

use std::collections::HashSet;

use voxlint_model::fields::{RowOf as _, rows_in};
use voxlint_model::other_names::field_called;
use voxlint_model::recognition;
use voxlint_model::recognition::{MostlyUnknown, Wrappers};
use voxlint_model::suggest::{is_one_typo, nearest};
use voxlint_schema::agent::version_summary;
use voxlint_schema::{Presence, UnknownFields, error};
use voxlint_syntax::NodeId;

use crate::prelude::*;

/// The row of a field that only answers of the service have. `None` for settings and for unknown names.
pub(super) fn response_only(object: &ObjectValue<'_>, member: Member<'_>) -> Option<&'static Row> {
    if !object.is_root || !object.kind.has_settings() || object.table.row_of(member).is_some() {
        return None;
    }
    agent::TABLE.row_of(member).or_else(|| version_summary::TABLE.row_of(member))
}

/// The field that was most likely meant to be the missing one: one with a similar name, or with another name of it.
pub(super) fn misnamed<'a>(object: &ObjectValue<'a>, row: &'static Row) -> Option<Member<'a>> {
    let rank = |member: Member<'_>| {
        let name = member.name();
        if object.table.row_of(member).is_some() {
            return None;
        }
        let renamed = field_called(&name, object.table).filter(|it| std::ptr::eq(it.row, row));
        let is_near = || nearest(&name, [row.name]).is_some();
        renamed.map(|renamed| renamed.rank).or_else(|| is_near().then_some(0))
    };
    let ranked = object.node.members().filter_map(|member| Some((rank(member)?, member)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, member)| member)
}

/// Whether a fix may rename a field. Other names than misspellings are right in documents that voxlint does not know whole, such
/// as a stored configuration.
pub(super) fn may_rename(object: &ObjectValue<'_>, name: &str, meant: &str) -> bool {
    object.kind == DocumentKind::Update || nearest(name, [meant]).is_some()
}

/// The most likely names here of the unknown fields of an update, as the end of a sentence: "use `title` for `name`".
/// If the update has a version number, slips such as `voiceId` are left out: they have findings of their own.
pub(super) fn names_here(object: &ObjectValue<'_>) -> Option<String> {
    const MAX_SHOWN: usize = 12;
    let mut seen = HashSet::new();
    let mut pairs = object.node.members().filter_map(|member| {
        let name = member.name();
        let is_unknown = object.table.row_of(member).is_none() && !is_allowed(object, &name);
        let row = field_called(&name, object.table).filter(|_| is_unknown)?.row;
        let is_slip = || has_number(object) && is_one_typo(&name, row.name);
        let is_first = !object.fields.has(row) && !is_slip() && seen.insert(row.name);
        is_first.then(|| format!("`{}` for {}", row.name, quote(&name)))
    });
    let shown: Vec<String> = pairs.by_ref().take(MAX_SHOWN).collect();
    let more = match pairs.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    (!shown.is_empty()).then(|| format!("use {}{more}", shown.join(", ")))
}

/// The fields that `missing-field` reports: each is a required field under another name, which is one mistake.
pub(super) fn reported_as_missing(object: &ObjectValue<'_>) -> Vec<NodeId> {
    if object.node.is_incomplete() || object.table.unknown_fields == UnknownFields::Reject {
        return Vec::new();
    }
    let missing = rows_in(object.table.expected & !object.fields.present(), object.table);
    let rows = missing.filter(|row| object.kind.presence(row) != Presence::Optional);
    rows.filter_map(|row| Some(misnamed(object, row)?.key.id())).collect()
}

/// The number of unknown fields, if most fields of an update are unknown and it has no version number. It may be a document
/// of another service, so `missing-field` reports it once and no rule reports each field.
pub(super) fn mostly_unknown_without_version(object: &ObjectValue<'_>) -> Option<MostlyUnknown> {
    let is_meant = !object.node.is_incomplete() && !has_number(object);
    is_meant.then(|| mostly_unknown(object)).flatten()
}

/// The number of unknown fields, if most fields of an update are unknown although it has a version number. `unknown-field`
/// reports it once, and the other rules work as usual.
pub(super) fn mostly_unknown_with_version(object: &ObjectValue<'_>) -> Option<MostlyUnknown> {
    has_number(object).then(|| mostly_unknown(object)).flatten()
}

pub(super) fn mostly_unknown(object: &ObjectValue<'_>) -> Option<MostlyUnknown> {
    (object.is_root && object.kind == DocumentKind::Update)
        .then(|| recognition::mostly_unknown(object.node, |name| is_allowed(object, name)))
        .flatten()
}

pub(super) fn has_number(object: &ObjectValue<'_>) -> bool {
    object.fields.has(settings::version_number.row)
}

/// Whether the configuration allows a field name.
pub(super) fn is_allowed(object: &ObjectValue<'_>, name: &str) -> bool {
    object.allowed.matches(name)
}

/// The objects of an update with fields that belong at the top level.
pub(super) fn wrappers<'a>(object: &ObjectValue<'a>) -> Option<Wrappers<'a>> {
    (object.is_root && object.kind.has_settings()).then(|| Wrappers::of(object.node))
}

/// Whether `missing-field` reports a wrapper: the version number is inside it, and not at the top level.
pub(super) fn has_the_version_number(object: &ObjectValue<'_>, member: Member<'_>) -> bool {
    let name = settings::version_number.row.name;
    object.node.get(name).is_none()
        && object.kind == DocumentKind::Update
        && !object.node.is_incomplete()
        && recognition::is_wrapped_in(member.value, name)
}

/// A summary with a readable number in an agent's list of versions.
pub(super) struct ListedVersion<'a> {
    pub(super) summary: Node<'a>,
    pub(super) number: Decimal<'a>,
    /// The place of the number.
    pub(super) place: Place,
}

/// The versions that an agent lists, in the order of the text.
pub(super) fn listed_versions<'a>(agent: &ObjectValue<'a>) -> Vec<ListedVersion<'a>> {
    let list = agent.get(&agent::versions).map(|(list, _)| list);
    let summaries = list.into_iter().flat_map(Node::elements);
    summaries
        .filter_map(|summary| {
            let (number, place) = agent
                .inner(summary, &version_summary::TABLE)
                .whole(&version_summary::version_number)?;
            Some(ListedVersion { summary, number, place })
        })
        .collect()
}

pub(super) fn is_listed(listed: &[ListedVersion<'_>], number: Decimal<'_>) -> bool {
    listed.iter().any(|version| version.number == number)
}

/// Whether the list may contain further versions: one has an unreadable number, or a syntax error cut the list short.
pub(super) fn may_list_more(agent: &ObjectValue<'_>) -> bool {
    agent.get(&agent::versions).is_none_or(|(list, _)| {
        list.is_incomplete() || list.elements().count() > listed_versions(agent).len()
    })
}

/// The status of an error and its reason phrase, if the service uses this status.
pub(super) fn status(number: Decimal<'_>) -> Option<(u16, &'static str)> {
    error::STATUSES.into_iter().find(|(status, _)| number == i64::from(*status))
}
