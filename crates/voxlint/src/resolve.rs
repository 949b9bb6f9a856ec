//! From verdicts to diagnostics: places become bytes and pointers, and the note says what the service would answer.

use std::collections::HashMap;

use voxlint_schema::error::reason_phrase;
use voxlint_schema::{DocumentKind, Row};
use voxlint_syntax::{Node, NodeId, Paths, Span, Text};

use crate::document::Document;
use crate::place::{Part, Place};
use crate::verdict::{Condition, Finding, ProposedFix, Replacement, Subject, Verdict};
use crate::{
    Diagnostic, Family, Fix, Inputs, Origin, Related, RuleRef, Severity, TextEdit, VerdictKind,
    secrets, spelling,
};

pub(crate) struct Resolver<'a> {
    kind: DocumentKind,
    document: Input<'a>,
    stored: Option<Input<'a>>,
    facts: Option<Input<'a>>,
    texts: Vec<(&'static Row, Input<'a>)>,
    /// The string that was decoded last: its findings follow each other.
    decoded: Option<(Origin, NodeId, Text<'a>)>,
}

/// One of the inputs, and the pointers to its values once somebody has asked for one.
struct Input<'a> {
    document: &'a Document,
    paths: Option<Paths>,
}

impl<'a> Input<'a> {
    fn new(document: &'a Document) -> Self {
        Self { document, paths: None }
    }

    fn pointer(&mut self, node: NodeId) -> String {
        let tree = self.document.tree();
        self.paths.get_or_insert_with(|| tree.paths()).pointer(tree, node)
    }
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(kind: DocumentKind, inputs: &'a Inputs) -> Self {
        Self {
            kind,
            document: Input::new(&inputs.document),
            stored: inputs.stored.as_ref().map(|stored| Input::new(stored.document())),
            facts: inputs.facts.as_ref().map(|facts| Input::new(facts.document())),
            texts: inputs
                .texts
                .iter()
                .map(|text| (text.field, Input::new(text.document())))
                .collect(),
            decoded: None,
        }
    }

    /// The diagnostics in the order of the text.
    pub(crate) fn resolve(mut self, found: Vec<(RuleRef, Verdict)>) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::with_capacity(found.len());
        let mut repeated = Vec::new();
        for (rule, mut verdict) in found {
            let thing = verdict.finding_mut().and_then(|finding| finding.thing.take());
            let Some(diagnostic) = self.diagnostic(rule, verdict) else { continue };
            match thing {
                Some(thing) => repeated.push((thing, diagnostic)),
                None => diagnostics.push(diagnostic),
            }
        }
        dedup(&mut diagnostics);
        diagnostics.extend(one_for_each_thing(repeated));
        diagnostics.sort_by(in_order);
        diagnostics
    }

    fn diagnostic(&mut self, rule: RuleRef, verdict: Verdict) -> Option<Diagnostic> {
        let (finding, condition, verdict) = match verdict {
            Verdict::Holds
            | Verdict::Undecided
            | Verdict::Undecidable(_)
            | Verdict::MayBeAccepted(_) => {
                return None;
            }
            Verdict::Reject(finding) => (finding, None, VerdictKind::Reject),
            Verdict::Possible(finding, condition) => {
                (finding, Some(condition), VerdictKind::Possible)
            }
            Verdict::Advice(finding) => (finding, None, VerdictKind::Advice),
        };
        let severity = finding.severity.unwrap_or(match verdict {
            VerdictKind::Reject => Severity::Error,
            VerdictKind::Possible => Severity::Warning,
            VerdictKind::Advice => rule.advice,
        });
        let status = rule.status.filter(|_| self.kind.is_sent() && verdict != VerdictKind::Advice);
        let section = finding.section.unwrap_or(rule.section);
        let is_reading = matches!(condition, Some(Condition::Reading(_)));
        let depends_on = condition.map(|condition| condition.words());
        let other_status = finding.other_status.or(rule.other_status);
        let statuses = status.zip(Some(other_status));
        let mut note = note(self.kind, verdict, statuses, section, depends_on.as_deref());
        let origin = finding.at.origin;
        if origin == Origin::Stored && verdict != VerdictKind::Advice {
            // Whoever sent the update has to know that it is not to blame.
            note = note.map(|note| {
                format!("the stored value is invalid: an update that leaves it unchanged is validated with it, and {note}")
            });
        }
        let field = secrets::mask_pointer(self.field(&finding));
        let related = finding
            .related
            .iter()
            .map(|(place, words)| Related {
                origin: place.origin,
                field: secrets::mask_pointer(self.pointer(place)),
                span: self.span(place),
                message: words.to_string(),
            })
            .collect();
        let span = self.span(&finding.at);
        Some(Diagnostic {
            rule,
            verdict,
            severity,
            status,
            other_status: other_status.filter(|_| status.is_some()),
            field,
            origin,
            span,
            label: finding.label.map(std::borrow::Cow::into_owned),
            message: finding.message,
            help: finding.help,
            depends_on,
            note,
            is_reading,
            related,
            // What is stored is not a file that anybody edits.
            fixes: finding
                .fix
                .into_iter()
                .filter(|change| change.at.is_in_document())
                .filter_map(|change| self.fix(change))
                .collect(),
        })
    }

    fn field(&mut self, finding: &Finding) -> String {
        match &finding.field {
            Subject::Here => self.effective_pointer(&finding.at),
            Subject::Value(value) => self.effective_pointer(value),
            Subject::MissingMember(name) => {
                format!("{}/{name}", self.effective_pointer(&finding.at))
            }
            Subject::MissingFrom(object, name) => {
                format!("{}/{name}", self.effective_pointer(object))
            }
            Subject::Setting(row) => format!("/{}", row.name),
            Subject::Root => String::new(),
        }
    }

    /// The pointer to a place in its own input.
    fn pointer(&mut self, place: &Place) -> String {
        let (Some(node), Some(input)) = (place.node, self.input_mut(place.origin)) else {
            return String::new();
        };
        input.pointer(node)
    }

    /// The pointer to where a place stands in the effective configuration: settings may lie inside what is stored.
    fn effective_pointer(&mut self, place: &Place) -> String {
        let pointer = self.pointer(place);
        if let Origin::Text(at) = place.origin {
            let row = self.texts.get(usize::from(at)).map(|(row, _)| row.name);
            return row.map_or(pointer, |name| format!("/{name}"));
        }
        if place.origin != Origin::Stored {
            return pointer;
        }
        let names = voxlint_schema::stored::version.row.name;
        match pointer.strip_prefix('/').and_then(|rest| rest.strip_prefix(names)) {
            Some(inner) if inner.starts_with('/') => inner.to_owned(),
            _ => pointer,
        }
    }

    fn input(&self, origin: Origin) -> Option<&'a Document> {
        match origin {
            Origin::Document => Some(self.document.document),
            Origin::Stored => self.stored.as_ref().map(|input| input.document),
            Origin::Facts => self.facts.as_ref().map(|input| input.document),
            Origin::Text(at) => self.texts.get(usize::from(at)).map(|(_, input)| input.document),
        }
    }

    fn input_mut(&mut self, origin: Origin) -> Option<&mut Input<'a>> {
        match origin {
            Origin::Document => Some(&mut self.document),
            Origin::Stored => self.stored.as_mut(),
            Origin::Facts => self.facts.as_mut(),
            Origin::Text(at) => self.texts.get_mut(usize::from(at)).map(|(_, input)| input),
        }
    }

    fn span(&mut self, place: &Place) -> Span {
        let input = self.input(place.origin);
        let node = || input?.tree().node(place.node?);
        match &place.part {
            Part::Bytes(span) => *span,
            Part::Whole => node().map_or_else(Span::default, Node::span),
            Part::Name => {
                node().map_or_else(Span::default, |node| node.name().unwrap_or(node).span())
            }
            Part::FirstLine => node().map_or_else(Span::default, |node| {
                let span = node.span();
                let line = node.source().lines().next().unwrap_or_default();
                Span::new(span.start, span.start + line.len() as u32)
            }),
            Part::Opening => node().map_or_else(Span::default, Node::opening),
            Part::Decoded(range) => node()
                .and_then(|node| self.text(place.origin, node))
                .map_or_else(Span::default, |text| text.to_source(range.clone())),
        }
    }

    /// A string with the way back to the file, decoded once for all the places in it.
    fn text(&mut self, origin: Origin, node: Node<'a>) -> Option<&Text<'a>> {
        let is_known =
            matches!(&self.decoded, Some((of, id, _)) if (*of, *id) == (origin, node.id()));
        if !is_known {
            self.decoded = Some((origin, node.id(), node.text()?));
        }
        self.decoded.as_ref().map(|(.., text)| text)
    }

    /// The change as bytes; `None` where the file's format cannot say it there.
    fn fix(&mut self, change: ProposedFix) -> Option<Fix> {
        let document = self.document.document;
        let node = change.at.node.and_then(|node| document.tree().node(node));
        let node = match change.at.part {
            Part::Name => node.and_then(Node::name),
            _ => node,
        };
        let text = match change.replacement {
            Replacement::Literal(literal) => literal,
            Replacement::Text(text) => spelling::whole(document.format(), node, &text),
            Replacement::Part(text) => {
                let is_first = matches!(&change.at.part, Part::Decoded(range) if range.start == 0);
                let string = node.map_or("", Node::source);
                spelling::part(document.format(), string, is_first, &text)?
            }
        };
        let edits = vec![TextEdit { span: self.span(&change.at), text }];
        Some(Fix { title: change.title, safety: change.safety, edits })
    }
}

/// The order of the text.
fn in_order(a: &Diagnostic, b: &Diagnostic) -> std::cmp::Ordering {
    (a.origin, a.span, &a.rule.id, &a.field).cmp(&(b.origin, b.span, &b.rule.id, &b.field))
}

/// The most further places that a finding about one thing names.
const FURTHER: usize = 3;

/// One mistake, one diagnostic: findings of one rule about the same thing become one, at the first place, with some of the
/// others beside it.
fn one_for_each_thing(mut found: Vec<(String, Diagnostic)>) -> Vec<Diagnostic> {
    found.sort_by(|(_, a), (_, b)| in_order(a, b));
    let mut firsts: Vec<(Diagnostic, usize)> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for (thing, diagnostic) in found {
        let rule = diagnostic.rule.id.to_string();
        let at = *known.entry((rule, thing)).or_insert(firsts.len());
        let Some((first, further)) = firsts.get_mut(at) else {
            firsts.push((diagnostic, 0));
            continue;
        };
        *further += 1;
        if *further <= FURTHER {
            let Diagnostic { origin, field, span, .. } = diagnostic;
            first.related.push(Related { origin, field, span, message: "used again".to_owned() });
        }
    }
    for (first, further) in &mut firsts {
        let words = match further.saturating_sub(FURTHER) {
            0 => continue,
            1 => "used again, and once more".to_owned(),
            more => format!("used again, and {more} more times"),
        };
        if let Some(last) = first.related.last_mut() {
            last.message = words;
        }
    }
    firsts.into_iter().map(|(first, _)| first).collect()
}

/// One mistake, one diagnostic: of several reasons to refuse the very same characters of a value, the gravest stays, and of
/// equals the one that was found first, which is nearest to the cause. Rules of one family look at different things, and
/// advice is about something else.
fn dedup(diagnostics: &mut Vec<Diagnostic>) {
    // What is missing from an object stands at its bracket, and several things may be missing; a fault in the text has
    // no field.
    let may_echo = |found: &Diagnostic| {
        found.verdict != VerdictKind::Advice
            && !found.field.is_empty()
            && found.rule.id != "missing-field"
    };
    let mut loudest: HashMap<(Origin, Span, &str), (VerdictKind, usize, Family)> = HashMap::new();
    for (index, found) in diagnostics.iter().enumerate().filter(|(_, found)| may_echo(found)) {
        let this = (found.verdict, index, found.rule.family());
        let best = loudest.entry((found.origin, found.span, &found.field)).or_insert(this);
        *best = this.min(*best);
    }
    let keep: Vec<bool> = diagnostics
        .iter()
        .map(|found| {
            let best = loudest.get(&(found.origin, found.span, found.field.as_str()));
            // A value that has another type than it looks like has been told of already.
            let is_told = found.rule.id == "yaml-ambiguous-value"
                && best
                    .and_then(|(_, index, _)| diagnostics.get(*index))
                    .is_some_and(|best| best.rule.id == "wrong-type");
            let is_best = best.is_none_or(|(_, _, family)| *family == found.rule.family());
            !is_told && (!may_echo(found) || is_best)
        })
        .collect();
    let mut keep = keep.into_iter();
    diagnostics.retain(|_| keep.next().unwrap_or(true));
}

/// What the service would answer, and what that hangs on.
fn note(
    kind: DocumentKind,
    verdict: VerdictKind,
    status: Option<(u16, Option<u16>)>,
    section: &str,
    depends_on: Option<&str>,
) -> Option<String> {
    let section = reference(section);
    let spell = |status: u16| format!("{status} {}", reason_phrase(status).unwrap_or_default());
    let answer = match status {
        Some((status, Some(other))) => format!("{} or {}", spell(status), spell(other)),
        Some((status, None)) => spell(status),
        None => String::new(),
    };
    match (verdict, depends_on) {
        // The shapes of related files are voxlint's own, and no description says anything of them.
        (_, None) if kind.is_voxlint_format() => None,
        // What nobody sends as it stands is no matter of the description.
        (VerdictKind::Reject, _) if status.is_none() && kind.is_sent() => None,
        (VerdictKind::Reject, _) if status.is_none() => {
            Some(format!("the description says otherwise ({section})"))
        }
        (VerdictKind::Reject, _) => Some(format!("the service would answer {answer} ({section})")),
        (VerdictKind::Possible, Some(words)) if status.is_none() => {
            Some(format!("{words} ({section})"))
        }
        (VerdictKind::Possible, Some(words)) => {
            Some(format!("the service may answer {answer} ({section}): {words}"))
        }
        (VerdictKind::Possible | VerdictKind::Advice, _) => None,
    }
}

/// Where the description says it, for a person to find: `update agent, rule 6` of `4.1 rule 6`.
fn reference(section: &str) -> String {
    let (number, rule) =
        section.split_once(' ').map_or((section, None), |(number, rule)| (number, Some(rule)));
    let name = match number {
        "1" => "overview",
        "2.1" => "agents",
        "2.2" => "version summaries",
        "2.3" => "agent settings",
        "2.4" => "API keys",
        "2.5" => "list metadata",
        "2.6" => "error bodies",
        "3" => "states and transitions",
        "4.1" => "update agent",
        "4.2" => "list API keys",
        "5" => "authentication",
        "6" => "events",
        "7" => "errors",
        "8" => "limits",
        "9" => "versioning",
        _ => return section.to_owned(),
    };
    match rule {
        Some(rule) => format!("{name}, {rule}"),
        None => format!("{name}, section {number}"),
    }
}
