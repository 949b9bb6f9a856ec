//! One exchange with the service: what was sent, what was answered, and what was known.

use std::borrow::Cow;
use std::collections::BTreeSet;

use voxlint_engine::Faults as _;
use voxlint_model::{Diagnostic, Document, Facts, Group, Inputs, Rule, Stored, VerdictKind};
use voxlint_schema::{DocumentKind, Row, settings};
use voxlint_syntax::{Kind, Node};

use super::evidence::{Alternative, Cause};
use super::note::Note;
use crate::predict::statuses;
use voxlint_engine::UndecidedScope;

/// What a body has in place of the value of a setting that a record leaves out.
const LEFT_OUT: &str = "\"left out\"";

/// A record: the update that was sent, and the answer.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The line of the file, from 1.
    pub(super) line: usize,
    pub(super) inputs: Inputs,
    pub(super) status: u16,
    /// The words of each message of the answer.
    pub(super) messages: Vec<BTreeSet<String>>,
    /// The settings whose values the record leaves out.
    pub(super) left_out: Vec<&'static Row>,
    /// The day on which it was sent, such as `2026-11-21`, if the record says so.
    pub(super) day: Option<String>,
}

impl Record {
    /// Reads one line.
    pub(super) fn read(line: usize, text: &str) -> Result<Self, Note> {
        let document = Document::parse(text);
        let root = document.tree().root().filter(|root| root.kind() == Kind::Object);
        let is_whole = !document.has_errors();
        let root = root.filter(|_| is_whole).ok_or(Note::NotAnObject)?;
        let status = root.get("status").ok_or(Note::Missing("status"))?;
        let status: u16 = status.source().parse().map_err(|_| Note::Wrong("status"))?;
        let sent = root.get("body").ok_or(Note::Missing("body"))?;
        let mut left_out = Vec::new();
        let typed = |name: &'static str, kind: Kind| {
            let node = root.get(name).filter(|node| node.kind() != Kind::Null);
            match node {
                Some(node) if node.kind() != kind => Err(Note::Wrong(name)),
                node => Ok(node),
            }
        };
        for name in typed("left_out", Kind::Array)?.into_iter().flat_map(Node::elements) {
            let name = name.as_str().unwrap_or_default();
            left_out.push(settings::TABLE.row(&name).ok_or(Note::Wrong("left_out"))?);
        }
        let body = Document::parse(body(sent, &left_out));
        let recognised = body.recognition();
        let kind = recognised.kind().or_else(|| recognised.likely_kind());
        let is_ours = match kind {
            Some(kind) => kind.has_settings(),
            // Whatever is not an object is rejected.
            None => sent.members().next().is_none(),
        };
        if !is_ours {
            return Err(Note::OtherBody);
        }
        let groups = [Group::Correctness, Group::Ineffective];
        let mut inputs = Inputs::new(body).kind(DocumentKind::Update).groups(&groups);
        inputs.offers_fixes = false;
        inputs.keeps_weaker = true;
        if let Some(node) = typed("stored", Kind::Object)? {
            let stored = Stored::new(Document::parse(node.source()));
            if !stored.faults().diagnostics.is_empty() {
                return Err(Note::Wrong("stored"));
            }
            inputs = inputs.stored(stored);
        }
        if let Some(node) = typed("facts", Kind::Object)? {
            let facts = Facts::new(Document::parse(node.source()));
            if !facts.faults().diagnostics.is_empty() {
                return Err(Note::Wrong("facts"));
            }
            inputs = inputs.facts(facts);
        }
        let text_of = |name: &str| root.get(name).and_then(Node::as_str).map(Cow::into_owned);
        if let Some(id) = text_of("agent_id") {
            inputs = inputs.agent_id(id);
        }
        let messages = root.get("answer").map(messages_of).unwrap_or_default();
        Ok(Self {
            line,
            inputs,
            status,
            messages,
            left_out,
            day: text_of("time").as_deref().and_then(day),
        })
    }

    /// The settings that the messages of the answer name.
    pub(super) fn named(&self) -> BTreeSet<String> {
        let words = self.messages.iter().flatten();
        words.filter(|word| settings::TABLE.row(word).is_some()).cloned().collect()
    }

    /// Why the service may have rejected the update, according to a check with these inputs.
    pub(super) fn alternatives(&self) -> Vec<Alternative> {
        let report = voxlint_engine::run(&self.inputs, UndecidedScope::All);
        let mut all = Vec::new();
        let is_left_out = |rule: &Rule, field: &str| {
            let setting = setting_of(field);
            let mut left_out = self.left_out.iter();
            left_out
                .any(|row| row.name == setting || rule.reads.iter().any(|it| it.name == row.name))
        };
        for found in &report.diagnostics {
            let Some(status) = found.status else { continue };
            let Some(cause) = cause_of(found, is_left_out(&found.rule, &found.field)) else {
                continue;
            };
            all.push(Alternative {
                statuses: [Some(status), found.other_status].into_iter().flatten().collect(),
                settings: settings_of(&found.rule, &found.field),
                rule: Some(found.rule.clone()),
                cause,
            });
        }
        for entry in report.undecided.iter().filter(|entry| !entry.may_be_accepted) {
            let is_open = entry.assumes.is_empty() || is_left_out(&entry.rule, "");
            all.push(Alternative {
                statuses: statuses(&entry.rule).collect(),
                settings: settings_of(&entry.rule, ""),
                rule: Some(entry.rule.clone()),
                cause: if is_open { Cause::Unknown } else { Cause::Under(entry.assumes.clone()) },
            });
        }
        // A value that is not known may be rejected by itself.
        for row in &self.left_out {
            all.push(Alternative {
                statuses: vec![400, 403, 404, 409],
                settings: BTreeSet::from([row.name.to_owned()]),
                rule: None,
                cause: Cause::Unknown,
            });
        }
        all
    }
}

/// What a finding depends on; `None` for advice.
fn cause_of(found: &Diagnostic, is_left_out: bool) -> Option<Cause> {
    Some(match (found.verdict, &found.unless) {
        (VerdictKind::Advice, _) => return None,
        _ if is_left_out => Cause::Unknown,
        (VerdictKind::Reject, None) => Cause::Certain,
        (VerdictKind::Reject, Some(assumptions)) => Cause::Unless(assumptions.clone()),
        _ if found.assumes.is_empty() => Cause::Unknown,
        _ => Cause::Under(found.assumes.clone()),
    })
}

/// The day of a time that begins with one.
fn day(time: &str) -> Option<String> {
    let day = time.get(..10)?;
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_day.then(|| day.to_owned())
}

/// The setting that a JSON Pointer leads into.
pub(super) fn setting_of(pointer: &str) -> &str {
    pointer.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// The names of what a rejection by a rule is about: settings, and the fields on the way to a value.
fn settings_of(rule: &Rule, pointer: &str) -> BTreeSet<String> {
    let read = rule.reads.iter().map(|row| row.name);
    let way = pointer.split('/').filter(|name| !name.is_empty());
    let way = way.filter(|name| name.parse::<u64>().is_err());
    read.chain(way).map(str::to_owned).collect()
}

/// The body as it was sent, with something in the place of what the record leaves out.
fn body(sent: Node<'_>, left_out: &[&Row]) -> String {
    if sent.kind() != Kind::Object || left_out.is_empty() {
        return sent.source().to_owned();
    }
    let source = |member: voxlint_syntax::Member<'_>| {
        format!("{}: {}", member.key.source(), member.value.source())
    };
    let missing = left_out.iter().filter(|row| sent.get(row.name).is_none());
    let missing = missing.map(|row| format!("\"{}\": {LEFT_OUT}", row.name));
    let members: Vec<String> = sent.members().map(source).chain(missing).collect();
    format!("{{{}}}", members.join(", "))
}

/// The words of the messages of an answer, each of which may be the name of a field.
fn messages_of(answer: Node<'_>) -> Vec<BTreeSet<String>> {
    let message = answer.get("message").or_else(|| answer.get("error"));
    let Some(message) = message else { return Vec::new() };
    let single = (message.kind() == Kind::String).then_some(message);
    let texts = message.elements().chain(single).filter_map(Node::as_str);
    let words = |text: Cow<'_, str>| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    texts.map(words).collect()
}

#[cfg(test)]
mod tests {
    use voxlint_model::readings::Assumption;
    use voxlint_schema::readings::FLOW_AGENT_PIPELINE;
    use voxlint_syntax::Span;

    use super::*;

    #[test]
    fn each_of_two_findings_of_one_rule_has_its_own_doubt() {
        let rule = crate::rules::find("duration-over-pipeline-cap").expect("a rule");
        let [sure, mut open] =
            [1, 2].map(|at| Diagnostic::new(rule, VerdictKind::Reject, Span::at(at), "too long"));
        open.unless = Some(vec![Assumption::first(&FLOW_AGENT_PIPELINE)]);
        assert!(matches!(cause_of(&sure, false), Some(Cause::Certain)));
        assert!(matches!(cause_of(&open, false), Some(Cause::Unless(all)) if all.len() == 1));
    }
}
