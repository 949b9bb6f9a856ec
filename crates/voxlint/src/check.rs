use voxlint_schema::{DocumentKind, Items, Row, Shape, Table, settings, template};
#[cfg(feature = "toml")]
use voxlint_syntax::SyntaxErrorKind;
use voxlint_syntax::{Kind, Node, Span};

use crate::document::Document;
use crate::effective::{Effective, may_be_revalidated};
use crate::resolve::Resolver;
use crate::rule::Check;
use crate::secrets::Redactor;
use crate::value::{FieldValue, ObjectValue, TemplateValue, TextValue, UnknownReason, Value};
use crate::variables::KnownVariables;
use crate::verdict::{Condition, Verdict, Verdicts};
use crate::{
    Diagnostic, Inputs, Origin, Report, Rule, RuleRef, Severity, Undecided, Unread, VerdictKind,
    Wildcard, rules, secrets,
};

/// Checks a text as the kind of document that it looks like, with nothing else known.
///
/// ```
/// let report = voxlint::check_text(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// assert!(report.diagnostics.is_empty());
/// ```
pub fn check_text(text: &str) -> Report {
    check(&Inputs::new(Document::parse(text)))
}

/// Checks a document against everything that is known.
///
/// ```
/// use voxlint::{Document, Inputs, Stored, check};
///
/// let update = Inputs::new(Document::parse(r#"{ "version_number": 3, "transcriber_id": "tr_nova" }"#));
/// assert!(check(&update).diagnostics.is_empty());
///
/// let stored = Document::parse(r#"{ "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_nova" }"#);
/// let report = check(&update.stored(Stored::new(stored).complete()));
/// assert_eq!(report.diagnostics[0].rule.id, "fallback-transcriber-same");
/// ```
pub fn check(inputs: &Inputs) -> Report {
    judge(inputs, Scope::Touched)
}

/// Which undecided rules are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Those that the document gives a reason to ask.
    Touched,
    /// All that the answer of the service hangs on.
    All,
}

/// Checks a document against everything that is known, and tells of the undecided rules as far as `scope` goes.
pub(crate) fn judge(inputs: &Inputs, scope: Scope) -> Report {
    let document = &inputs.document;
    let kind = inputs.checked_as();
    let known = KnownVariables::new(inputs);
    let unread = document.unread().iter().map(|part| Unread {
        origin: Origin::Document,
        span: part.span,
        message: part.why.to_string(),
    });
    let mut run = Run {
        allowed: &inputs.allowed,
        kind,
        known: &known,
        found: Vec::new(),
        undecided: Vec::new(),
        unread: unread.collect(),
    };

    for &rule in rules::DOCUMENT {
        if let Check::Document(check) = rule.check {
            run.take(rule, check(document, kind));
        }
    }
    if kind.is_sent() {
        for (text, at) in inputs.texts.iter().zip(0..) {
            let (rule, found) = rules::secrets_in_text(text.document(), Origin::Text(at));
            run.take(rule, found);
        }
    }
    if let Some(root) = document.tree().root()
        && root.kind() == Kind::Object
    {
        run.object(root, kind.table(), true);
    }
    if kind == DocumentKind::Template
        && let Some(root) = document.tree().root()
    {
        run.value(template::template.row, root, Origin::Document);
    }

    if kind.has_settings() {
        let effective = Effective::new(kind, inputs);
        for (row, node, origin) in effective.text_files() {
            run.value(row, node, origin);
        }
        run.left_alone(&effective);
        for &rule in rules::CONFIG {
            if let Check::Config(check) = rule.check {
                run.config(rule, check, &effective, scope);
            }
        }
        if scope == Scope::Touched {
            for rule in &*inputs.house {
                let (verdicts, open) = rule.check(&effective);
                if !verdicts.is_empty() {
                    let rule = rule.rule();
                    run.found.extend(verdicts.into_iter().map(|verdict| (rule.clone(), verdict)));
                }
                run.undecided.extend(open);
            }
        }
        if scope == Scope::All && run.kind == DocumentKind::Update {
            let rows = effective.unknown_revalidated();
            let is_contradictory = |row: &Row| effective.disagreement(row).is_some();
            run.undecided.extend(
                rows.filter_map(|row| Undecided::of_stored_value(row, is_contradictory(row))),
            );
        }
    }
    let undecided = std::mem::take(&mut run.undecided);

    // Whoever reads a configuration finds more faults than its table tells.
    let may_be_shown = !run.found.is_empty() || kind == DocumentKind::Configuration;
    let mut diagnostics = Resolver::new(kind, inputs).resolve(run.found);
    let (secrets, other_secrets) = mask(inputs, kind, may_be_shown, &mut diagnostics);
    let unread = run.unread;
    Report { kind, diagnostics, undecided, suppressed: Vec::new(), unread, secrets, other_secrets }
}

/// Masks the secrets of all documents in the findings, and tells where those of the documents are that reports may show.
fn mask(
    inputs: &Inputs,
    kind: DocumentKind,
    may_be_shown: bool,
    diagnostics: &mut [Diagnostic],
) -> (Vec<Span>, Vec<(Origin, Vec<Span>)>) {
    let document = &inputs.document;
    let mut secrets = if may_be_shown {
        secrets::spans(document.tree(), document.extent(), kind)
    } else {
        Vec::new()
    };
    if kind == DocumentKind::ApiKeys && !document.errors().is_empty() {
        secrets.extend(secrets::spans_of_broken_list(document.text()));
        secrets.sort_unstable();
    }
    let shows = |origin: Origin| {
        diagnostics.iter().any(|found| {
            found.origin == origin || found.related.iter().any(|place| place.origin == origin)
        })
    };
    let stored =
        inputs.stored.iter().map(|it| (Origin::Stored, it.document(), DocumentKind::Stored));
    let facts = inputs.facts.iter().map(|it| (Origin::Facts, it.document(), DocumentKind::Facts));
    let texts = inputs.texts.iter().zip(0..);
    let texts = texts.map(|(it, at)| (Origin::Text(at), it.document(), DocumentKind::Template));
    let others = stored.chain(facts).chain(texts);
    let other_secrets = others
        .clone()
        .filter(|(origin, ..)| shows(*origin))
        .map(|(origin, document, kind)| {
            (origin, secrets::spans(document.tree(), document.extent(), kind))
        })
        .collect();
    if !diagnostics.is_empty() {
        let mut redactor = Redactor::default();
        secrets::collect(document.tree(), document.extent(), kind, &mut redactor);
        // Facts have no fields for secrets, and may be shared by many documents.
        for (_, document, kind) in
            others.filter(|(origin, ..)| *origin != Origin::Facts || shows(*origin))
        {
            secrets::collect(document.tree(), document.extent(), kind, &mut redactor);
        }
        for found in diagnostics {
            redactor.redact_finding(found);
        }
    }
    (secrets, other_secrets)
}

/// Checks a document as one of this kind, with nothing else known.
pub(crate) fn check_alone(document: &Document, kind: DocumentKind) -> Report {
    check(&Inputs::new(document.clone()).kind(kind))
}

/// What keeps a document of a kind that is voxlint's own from being used: faults of the text, misspelt members, values of the
/// wrong type. What is not read as it was meant would switch a check off without a word.
pub(crate) fn faults_of_ours(document: &Document, kind: DocumentKind) -> Report {
    let mut report = check_alone(document, kind);
    report.diagnostics.retain(|found| {
        let is_unsafe_to_read = ["duplicate-key", "nested-too-deep"].contains(&&*found.rule.id);
        found.verdict == VerdictKind::Reject || is_unsafe_to_read
    });
    for fault in &mut report.diagnostics {
        // Nobody sends the document, so no answer is to be expected.
        fault.note = None;
        fault.severity = Severity::Error;
    }
    report
}

/// What keeps a configuration of voxlint from being used, as far as its table tells: faults of the text, keys that there are
/// none of, values of the wrong type. What the values mean is not looked at.
///
/// ```
/// use voxlint::syntax::Format;
/// use voxlint::{Document, configuration_faults};
///
/// let document = Document::parse_as("inclde = [\"agents/\"]\n", Format::Toml);
/// let faults = configuration_faults(&document);
/// assert_eq!(faults.diagnostics[0].help.as_deref(), Some("did you mean `include`?"));
/// ```
#[cfg(feature = "toml")]
pub fn configuration_faults(document: &Document) -> Report {
    let mut report = faults_of_ours(document, DocumentKind::Configuration);
    if document.is_empty() {
        // Whoever says nothing leaves everything as it is.
        report.diagnostics.clear();
    }
    for error in document.errors() {
        let words = match error.kind {
            SyntaxErrorKind::DateTime => ("a date or a time is no value here", "a date or a time"),
            SyntaxErrorKind::NotFinite => ("this is no number that can be used", "not a number"),
            _ => continue,
        };
        // The reader speaks of JSON, which nobody has meant to write here.
        for fault in report.diagnostics.iter_mut().filter(|fault| fault.span == error.span) {
            words.0.clone_into(&mut fault.message);
            fault.label = Some(words.1.to_owned());
        }
    }
    report
}

/// One check under way.
struct Run<'k> {
    kind: DocumentKind,
    /// The template variables that are known.
    known: &'k KnownVariables<'k>,
    /// The names that `unknown-field` leaves alone.
    allowed: &'k [Wildcard],
    found: Vec<(RuleRef, Verdict)>,
    undecided: Vec<Undecided>,
    unread: Vec<Unread>,
}

impl Run<'_> {
    fn take(&mut self, rule: &'static Rule, verdicts: Verdicts) {
        if verdicts.is_empty() {
            return;
        }
        for verdict in verdicts {
            match verdict {
                Verdict::Undecidable(why) => self.open(rule.into(), why.into_owned()),
                verdict => self.found.push((rule.into(), verdict)),
            }
        }
    }

    /// Adds an undecided rule, unless the same has been said already.
    fn open(&mut self, rule: RuleRef, why: String) {
        if !self.undecided.iter().any(|entry| entry.rule.id == rule.id && entry.why == why) {
            self.undecided.push(Undecided::undecidable(rule, why));
        }
    }

    /// An object and everything in it that a row describes. The tables are nested three deep, and so is this.
    fn object(&mut self, node: Node<'_>, table: &'static Table, is_root: bool) {
        let (kind, allowed) = (self.kind, self.allowed);
        let object = ObjectValue { table, node, origin: Origin::Document, kind, is_root, allowed };
        for &rule in rules::OBJECT {
            if let Check::Object(check) = rule.check {
                self.take(rule, check(&object));
            }
        }
        let mut members: Vec<Option<Node<'_>>> = vec![None; table.rows.len()];
        for member in node.members() {
            if let Some(row) = table.row(&member.name())
                && let Some(slot) = members.get_mut(row.index)
            {
                // Of members with the same name the last one counts.
                *slot = Some(member.value);
            }
        }
        for (row, node) in table.rows.iter().zip(members) {
            if let Some(node) = node {
                self.value(row, node, Origin::Document);
            }
        }
    }

    fn value(&mut self, row: &'static Row, node: Node<'_>, origin: Origin) {
        let value = FieldValue { row, node, origin, item: None, kind: self.kind };
        if self.row_rules(&value) {
            return;
        }
        self.text_rules(value);
        match row.shape {
            Shape::Map(Some(table)) if node.kind() == Kind::Object => {
                self.object(node, table, false);
            }
            Shape::Entries(table) => {
                for entry in node.members() {
                    if entry.value.kind() == Kind::Object {
                        self.object(entry.value, table, false);
                    } else {
                        let entry = FieldValue { node: entry.value, item: Some(0), ..value };
                        self.row_rules(&entry);
                    }
                }
            }
            Shape::EntriesOrFirst(table) => {
                for entry in node.members() {
                    if entry.value.kind() == Kind::Object {
                        self.object(entry.value, table, false);
                    } else if let Some(first) = table.rows.first() {
                        self.value(first, entry.value, origin);
                    }
                }
            }
            Shape::List(items) if node.kind() == Kind::Array => {
                for (index, element) in node.elements().enumerate() {
                    let item = FieldValue { node: element, item: Some(index), ..value };
                    if self.row_rules(&item) {
                        continue;
                    }
                    self.text_rules(item);
                    if let Items::Maps(table) = items
                        && element.kind() == Kind::Object
                    {
                        self.object(element, table, false);
                    }
                }
            }
            _ => {}
        }
    }

    /// Runs the rules for what a string says. Each may object: they look at different things.
    fn text_rules(&mut self, value: FieldValue<'_>) {
        if let Some(text) = TextValue::of(value, self.known) {
            self.unread.extend(text.unread());
            for &rule in rules::TEXT {
                if let Check::Text(check) = rule.check {
                    self.take(rule, check(&text));
                }
            }
        }
        if let Some(template) = TemplateValue::of(value, self.known) {
            for &rule in rules::TEMPLATE {
                if let Check::Template(check) = rule.check {
                    self.take(rule, check(&template));
                }
            }
        }
    }

    /// Runs the rules for one value until one objects; says whether one did.
    fn row_rules(&mut self, value: &FieldValue<'_>) -> bool {
        let before = self.found.len();
        for &rule in rules::VALUE {
            if let Check::Value(check) = rule.check {
                self.take(rule, check(value));
                if self.found.len() > before {
                    return true;
                }
            }
        }
        false
    }

    /// Judges what the service has stored and the document leaves alone, as far as the service does so itself (4.1 rule 6).
    fn left_alone(&mut self, effective: &Effective<'_>) {
        for row in settings::TABLE.rows.iter().copied() {
            let before = self.found.len();
            if let Some(node) = effective.left_alone(row) {
                if row.revalidated {
                    self.stored_value(row, node);
                } else if may_be_revalidated(row) {
                    self.stored_limits(row, node);
                }
            } else if row.revalidated
                && let Shape::Map(Some(table)) = row.shape
                && let Some((written, stored)) = effective.replaced(row)
                && !written.is_incomplete()
            {
                // Whether the object is replaced or merged is not described, so what only the stored one has may stay.
                for row in table.rows.iter().copied().filter(|row| row.revalidated) {
                    if written.get(row.name).is_none()
                        && let Some(node) = stored.get(row.name)
                    {
                        self.stored_value(row, node);
                    }
                }
                self.soften(before);
            }
        }
    }

    /// Runs the rules for one value that is stored. What is surely refused is a finding. Where only some readings of the
    /// description refuse the value, the service has accepted it before, and the rule is undecided.
    fn stored_value(&mut self, row: &'static Row, node: Node<'_>) {
        if node.is_faulty() {
            return;
        }
        let before = self.found.len();
        let value = FieldValue { row, node, origin: Origin::Stored, item: None, kind: self.kind };
        if !self.row_rules(&value) {
            self.text_rules(value);
        }
        if let Shape::Map(Some(table)) = row.shape {
            for row in table.rows.iter().copied().filter(|row| row.revalidated) {
                if let Some(inner) = node.get(row.name) {
                    self.stored_value(row, inner);
                }
            }
        }
        for (rule, verdict) in self.found.split_off(before) {
            match verdict {
                Verdict::Reject(_) => self.found.push((rule, verdict)),
                Verdict::Possible(_, condition) => self.may_refuse_stored(rule, row, &condition),
                _ => {}
            }
        }
    }

    /// Runs the rules for the limits of one value that is stored, and that the description does not name among what is
    /// judged again: the service may do so.
    fn stored_limits(&mut self, row: &'static Row, node: Node<'_>) {
        let before = self.found.len();
        let value = FieldValue { row, node, origin: Origin::Stored, item: None, kind: self.kind };
        self.row_rules(&value);
        for (rule, verdict) in self.found.split_off(before) {
            if matches!(verdict, Verdict::Reject(_) | Verdict::Possible(..)) {
                let why = "the description does not say whether limits outside section 4.1 rule 6 are checked again";
                self.may_refuse_stored(rule, row, &Condition::reading(why));
            }
        }
    }

    fn may_refuse_stored(&mut self, rule: RuleRef, row: &Row, condition: &Condition) {
        let why = format!("the stored `{}` may be refused: {}", row.name, condition.words());
        self.open(rule, why);
    }

    /// Makes a doubt of each refusal found since.
    fn soften(&mut self, before: usize) {
        for (_, verdict) in self.found.iter_mut().skip(before) {
            if let Verdict::Reject(finding) = std::mem::replace(verdict, Verdict::Holds) {
                *verdict = finding.possible(Condition::reading(
                    "the description does not say whether the object is replaced or merged with the stored one",
                ));
            }
        }
    }

    fn config(
        &mut self,
        rule: &'static Rule,
        check: fn(&Effective<'_>) -> Verdicts,
        effective: &Effective<'_>,
        scope: Scope,
    ) {
        effective.take_accessed();
        let mut is_undecided = false;
        for verdict in check(effective) {
            match verdict {
                Verdict::Undecided => is_undecided = true,
                Verdict::Undecidable(why) => self.open(rule.into(), why.into_owned()),
                // It matters to a prediction alone: a check has told the refusal.
                Verdict::MayBeAccepted(why) if scope == Scope::All => {
                    let entry = Undecided::undecidable(rule, why);
                    self.undecided.push(Undecided { may_be_accepted: true, ..entry });
                }
                Verdict::MayBeAccepted(_) => {}
                verdict => self.found.push((rule.into(), verdict)),
            }
        }
        let asked = effective.take_accessed();
        let is_touched = effective.touches(rule.reads, asked);
        if !is_undecided || !(is_touched || scope == Scope::All) {
            return;
        }
        let lacking = effective.missing_inputs(asked);
        // A fault in the document is the root of it, and has been reported.
        let is_at_fault = rule.reads.iter().any(|row| {
            matches!(
                effective.node(row),
                Value::Unknown(UnknownReason::Faulty | UnknownReason::Lost)
            )
        });
        if !is_at_fault || scope == Scope::All {
            self.undecided.extend(Undecided::of(rule, &lacking, is_touched));
        }
    }
}
