//! How right predictions are about recorded exchanges.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use voxlint_model::Document;
use voxlint_model::json::Json;
use voxlint_model::masking::{masked_json, secrets_of};
use voxlint_model::readings::Readings;
use voxlint_schema::settings;
use voxlint_syntax::{Kind, Node, NodeId};

use super::evidence::Cause;
use super::record::Record;
use super::{Note, RecordNote, is_accepted, records};
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
    /// If it was accepted: the rule that rejects it, and the smallest part of the update that it rejects, without secrets and
    /// without texts of several words.
    pub smallest: Option<(String, String)>,
    /// The line of an earlier record with which the same is wrong. It has the smallest part.
    pub like: Option<usize>,
    /// If it was rejected: the settings that its answer names.
    pub named: Vec<String>,
    /// If its answer names none: the settings whose values no accepted record has.
    pub new: Vec<String>,
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
/// let (rule, smallest) = verification.wrong[0].smallest.as_ref().expect("it was accepted");
/// assert_eq!((&**rule, &**smallest), ("out-of-range", r#"{"version_number": 3, "kb_max_chunks": 12}"#));
/// ```
pub fn verify<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    readings: &Arc<Readings>,
) -> Verification {
    let mut result = Verification::default();
    let mut accepted: BTreeMap<String, HashSet<u64>> = BTreeMap::new();
    let mut rejected: Vec<(usize, Vec<(String, u64)>)> = Vec::new();
    let mut shrunk: BTreeMap<Reason, usize> = BTreeMap::new();
    for record in records(lines) {
        result.records += 1;
        let mut record = match record {
            Ok(record) => record,
            Err(note) => {
                result.unusable.push(note);
                continue;
            }
        };
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
            rejected.push((result.wrong.len(), values));
        }
        let named = record.named();
        if !is_wrong && !was_accepted && !named.is_empty() && named.is_disjoint(&outlook.settings) {
            let note = Note::OtherSettings(named.iter().cloned().collect());
            result.other_settings.push(RecordNote { line: record.line, note });
        }
        if is_wrong {
            let reason = was_accepted.then(|| outlook.most_telling()).flatten();
            let like = reason.as_ref().and_then(|reason| shrunk.get(reason).copied());
            let smallest = match (&reason, like) {
                (Some(reason), None) => Some((reason.0.clone(), smallest(&record, reason))),
                _ => None,
            };
            if let Some(reason) = reason {
                shrunk.entry(reason).or_insert(record.line);
            }
            result.wrong.push(WrongRecord {
                line: record.line,
                status: record.status,
                predicted: outlook.statuses.into_iter().collect(),
                smallest,
                like,
                named: named.into_iter().collect(),
                new: Vec::new(),
            });
        } else if outlook.statuses.len() == 1 || outlook.is_rejected {
            result.certain += 1;
        } else {
            result.possible += 1;
        }
    }
    for (at, values) in rejected {
        let is_new = |(name, value): &(String, u64)| {
            accepted.get(name).is_some_and(|values| !values.contains(value))
                || (!accepted.is_empty() && !accepted.contains_key(name))
        };
        if let Some(wrong) = result.wrong.get_mut(at).filter(|it| it.named.is_empty()) {
            let new = values.into_iter().filter(is_new).map(|(name, _)| name);
            wrong.new = new.filter(|name| settings::TABLE.row(name).is_some()).collect();
        }
    }
    result
}

/// A rule, and the settings that its finding is about.
type Reason = (String, BTreeSet<String>);

/// What is predicted for a record.
struct Outlook {
    statuses: BTreeSet<u16>,
    is_rejected: bool,
    /// The rules that certainly reject it, each with the settings that it is about.
    reasons: BTreeSet<Reason>,
    /// The settings that may be rejected.
    settings: BTreeSet<String>,
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

    /// Of several reasons, the one that is about the fewest settings says the most.
    fn most_telling(&self) -> Option<Reason> {
        self.reasons.iter().min_by_key(|(_, settings)| settings.len()).cloned()
    }
}

/// The settings of an update, each with a hash of its value as it is written.
fn values_of(document: &Document) -> Vec<(String, u64)> {
    let hash = |text: &str| BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
    let members = document.tree().root().into_iter().flat_map(Node::members);
    members.map(|it| (it.name().into_owned(), hash(it.value.source()))).collect()
}

/// The smallest part of an update that is still rejected for this reason. It keeps its version number.
fn smallest(record: &Record, reason: &Reason) -> String {
    // Of a part of the update, less is known to be secret.
    let secrets = secrets_of(&record.inputs, None);
    let shown = |text: &str, is_name: bool| match text.chars().count() {
        _ if secrets.hides(text) => "\"***\"".to_owned(),
        many if (many > LONGEST && !is_name) || text.contains(char::is_whitespace) => {
            format!("\"… {many} characters\"")
        }
        _ => serde_text(text),
    };
    let written = |text: &str, _: bool| serde_text(text);
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
            let text = without(root, &removed, &written);
            let mut candidate = left.clone();
            candidate.inputs = candidate.inputs.with_document(Document::parse(text));
            if Outlook::of(&candidate).reasons.contains(reason) {
                is_smaller = true;
            } else {
                removed.remove(&part);
            }
        }
        let text = without(root, &removed, &written);
        left.inputs = left.inputs.with_document(Document::parse(text));
    }
    let document = &left.inputs.document;
    let masked = Document::parse(masked_json(&left.inputs));
    let root = if masked.has_errors() { document.tree().root() } else { masked.tree().root() };
    root.map(|root| without(root, &HashSet::new(), &shown)).unwrap_or_default()
}

/// The number of characters up to which a word is shown.
const LONGEST: usize = 24;

/// A text as it is in JSON.
fn serde_text(text: &str) -> String {
    Json::Text(text.into()).pretty()
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

/// A value without some of its parts, in JSON, with each text as `shown` shows it.
fn without(
    node: Node<'_>,
    removed: &HashSet<NodeId>,
    shown: &dyn Fn(&str, bool) -> String,
) -> String {
    match node.kind() {
        Kind::Object => {
            let kept = node.members().filter(|it| !removed.contains(&it.value.id()));
            let texts = kept.map(|it| {
                format!("{}: {}", shown(&it.name(), true), without(it.value, removed, shown))
            });
            format!("{{{}}}", texts.collect::<Vec<_>>().join(", "))
        }
        Kind::Array => {
            let kept = node.elements().filter(|it| !removed.contains(&it.id()));
            let texts = kept.map(|it| without(it, removed, shown));
            format!("[{}]", texts.collect::<Vec<_>>().join(", "))
        }
        Kind::String => node.as_str().map_or_else(String::new, |text| shown(&text, false)),
        _ => node.source().to_owned(),
    }
}
