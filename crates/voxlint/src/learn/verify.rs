//! How right predictions are about recorded exchanges.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use voxlint_model::Document;
use voxlint_model::masking::masked_json;
use voxlint_model::readings::Readings;
use voxlint_schema::settings;
use voxlint_syntax::{Kind, Node, NodeId};

use super::evidence::Cause;
use super::record::Record;
use super::{RecordNote, is_accepted, records};
use crate::predict::OK;

/// The number of parts of one document whose removal is tried.
const MAX_REMOVALS: usize = 500;

/// How right voxlint is about records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// How many records there are.
    pub records: usize,
    /// Those whose acceptance or rejection was predicted with certainty, rightly.
    pub certain: usize,
    /// Those whose answer was one of several possible ones.
    pub possible: usize,
    /// Those whose answer was not predicted.
    pub wrong: Vec<WrongRecord>,
    /// Those that were rejected as predicted, with a message about settings that voxlint does not object to.
    pub other_settings: Vec<RecordNote>,
    /// Those that cannot be used.
    pub unusable: Vec<RecordNote>,
}

/// A record whose answer was not predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongRecord {
    /// The line, from 1.
    pub line: usize,
    /// The status of the answer.
    pub status: u16,
    /// The statuses that were predicted, ascending.
    pub predicted: Vec<u16>,
    /// The smallest part of the update that is still predicted to be rejected, without secrets, if it was accepted.
    pub smallest: Option<String>,
    /// If it was rejected: the settings that its answer names, or else those whose values no accepted record has.
    pub settings: Vec<String>,
}

/// Compares predictions with records, under the readings that a team has set.
///
/// ```
/// use voxlint::learn::verify;
///
/// let records = [
///     r#"{ "body": { "version_number": 3, "kb_max_chunks": 12, "title": "Desk" }, "status": 200 }"#,
///     r#"{ "body": { "version_number": 3, "kb_max_chunks": 5 }, "status": 200 }"#,
/// ];
/// let verification = verify(records, &Default::default());
/// assert_eq!((verification.records, verification.wrong.len()), (2, 1));
/// let smallest = verification.wrong[0].smallest.as_deref();
/// assert_eq!(smallest, Some(r#"{"version_number": 3, "kb_max_chunks": 12}"#));
/// ```
pub fn verify<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    readings: &Arc<Readings>,
) -> Verification {
    let mut result = Verification::default();
    let mut accepted: BTreeMap<String, HashSet<String>> = BTreeMap::new();
    let mut rejected: Vec<(usize, Vec<(String, String)>)> = Vec::new();
    let Verification { records: count, unusable, .. } = &mut result;
    let (mut certain, mut possible, mut wrong) = (0, 0, Vec::new());
    let mut other_settings = Vec::new();
    for mut record in records(lines, count, unusable) {
        record.inputs = record.inputs.readings(Arc::clone(readings));
        let outlook = Outlook::of(&record);
        let was_accepted = is_accepted(record.status);
        let status = if was_accepted { OK } else { record.status };
        let is_wrong = !outlook.statuses.contains(&status);
        let values = values_of(&record.inputs.document);
        if was_accepted && !is_wrong {
            for (name, value) in values {
                accepted.entry(name).or_default().insert(value);
            }
        } else if is_wrong && !was_accepted {
            rejected.push((wrong.len(), values));
        }
        if is_wrong {
            let smallest = (was_accepted).then(|| smallest(&record));
            wrong.push(WrongRecord {
                line: record.line,
                status: record.status,
                predicted: outlook.statuses.into_iter().collect(),
                smallest,
                settings: record.named.iter().flatten().map(|name| (*name).to_owned()).collect(),
            });
        } else if outlook.statuses.len() == 1 || outlook.is_rejected {
            certain += 1;
        } else {
            possible += 1;
        }
        let is_explained =
            |names: &BTreeSet<&str>| outlook.settings.iter().any(|it| names.contains(it));
        if !is_wrong
            && !was_accepted
            && outlook.is_rejected
            && let Some(names) = record.named.iter().find(|names| !is_explained(names))
        {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let note = format!("was rejected because of {}", names.join(", "));
            other_settings.push(RecordNote { line: record.line, note });
        }
    }
    for (at, values) in rejected {
        let is_new = |(name, value): &(String, String)| {
            !accepted.get(name).is_some_and(|it| it.contains(value))
        };
        if let Some(wrong) =
            wrong.get_mut(at).filter(|it: &&mut WrongRecord| it.settings.is_empty())
        {
            wrong.settings = values.into_iter().filter(is_new).map(|(name, _)| name).collect();
        }
    }
    Verification { certain, possible, wrong, other_settings, ..result }
}

/// What is predicted for a record.
struct Outlook {
    statuses: BTreeSet<u16>,
    is_rejected: bool,
    /// The rules that certainly reject it, each with the settings that it is about.
    reasons: BTreeSet<(String, BTreeSet<&'static str>)>,
    /// The settings that may be rejected.
    settings: BTreeSet<&'static str>,
}

impl Outlook {
    fn of(record: &Record) -> Self {
        let alternatives = record.alternatives();
        let is_rejected = alternatives.iter().any(|it| matches!(it.cause, Cause::Certain));
        let certain = alternatives.iter().filter(|it| matches!(it.cause, Cause::Certain));
        let reasons = certain
            .filter_map(|it| Some((it.rule.as_ref()?.id.to_string(), it.settings.clone())))
            .collect();
        let mut statuses: BTreeSet<u16> =
            alternatives.iter().flat_map(|it| it.statuses.iter().copied()).collect();
        if !is_rejected {
            statuses.insert(OK);
        }
        let settings = alternatives.into_iter().flat_map(|it| it.settings).collect();
        Self { statuses, is_rejected, reasons, settings }
    }
}

/// The settings of an update, with their values as they are written.
fn values_of(document: &Document) -> Vec<(String, String)> {
    let members = document.tree().root().into_iter().flat_map(Node::members);
    members.map(|it| (it.name().into_owned(), it.value.source().to_owned())).collect()
}

/// The smallest part of an update that is still rejected for the same reason, without secrets. It keeps its version number.
fn smallest(record: &Record) -> String {
    // Of several reasons, the one that is about the fewest settings says the most.
    let reasons = Outlook::of(record).reasons.into_iter();
    let reason = reasons.min_by_key(|(_, settings)| settings.len());
    let mut left = record.clone();
    let mut tries = 0;
    let mut is_smaller = true;
    while is_smaller {
        is_smaller = false;
        let document = left.inputs.document.clone();
        let Some(root) = document.tree().root() else { break };
        let mut removed: HashSet<NodeId> = HashSet::new();
        for part in parts(root) {
            if tries == MAX_REMOVALS {
                break;
            }
            tries += 1;
            removed.insert(part);
            let text = without(root, &removed);
            let mut candidate = left.clone();
            candidate.inputs = candidate.inputs.with_document(Document::parse(text));
            let is_rejected = |reason| Outlook::of(&candidate).reasons.contains(reason);
            if reason.as_ref().is_some_and(is_rejected) {
                is_smaller = true;
            } else {
                removed.remove(&part);
            }
        }
        let text = without(root, &removed);
        left.inputs = left.inputs.with_document(Document::parse(text));
    }
    masked_json(&left.inputs)
}

/// The values that can be removed, outer ones first.
fn parts(root: Node<'_>) -> Vec<NodeId> {
    let mut all = Vec::new();
    let mut level = vec![root];
    while !level.is_empty() {
        let mut inner: Vec<Node<'_>> = Vec::new();
        for node in level {
            let members = node.members();
            let members = members.filter(|it| !it.is_named(settings::version_number.row.name));
            inner.extend(members.map(|it| it.value).chain(node.elements()));
        }
        all.extend(inner.iter().map(|node| node.id()));
        level = inner;
    }
    all
}

/// A value without some of its parts, in JSON.
fn without(node: Node<'_>, removed: &HashSet<NodeId>) -> String {
    match node.kind() {
        Kind::Object => {
            let kept = node.members().filter(|it| !removed.contains(&it.value.id()));
            let texts =
                kept.map(|it| format!("{}: {}", it.key.source(), without(it.value, removed)));
            format!("{{{}}}", texts.collect::<Vec<_>>().join(", "))
        }
        Kind::Array => {
            let kept = node.elements().filter(|it| !removed.contains(&it.id()));
            format!("[{}]", kept.map(|it| without(it, removed)).collect::<Vec<_>>().join(", "))
        }
        _ => node.source().to_owned(),
    }
}
