use voxlint_schema::{DocumentKind, Items, Row, Shape, Table};
use voxlint_syntax::{Kind, Node};

use crate::document::{Document, Source};
use crate::effective::{Effective, Settings};
use crate::resolve::Resolver;
use crate::rule::Check;
use crate::value::{FieldValue, Missing, ObjectValue, TemplateValue, TextValue, Value};
use crate::verdict::{Verdict, Verdicts};
use crate::{Origin, Report, Rule, Undecided, quote, rules, secrets};

/// What a check knows: the document, and whatever else was given.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Inputs<'a> {
    /// The document under check.
    pub document: &'a Document<'a>,
    /// The kind of the document. `None` asks for the kind that it looks like, or else an update.
    pub kind: Option<DocumentKind>,
    /// What the service holds for the version that the document changes.
    pub stored: Option<Stored<'a>>,
    /// What is known of the workspace.
    pub facts: Option<Facts<'a>>,
}

/// The settings that the service holds for one version (2.3).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Stored<'a> {
    /// The settings.
    pub settings: &'a Document<'a>,
    /// Whether a member that the settings omit is unset, not unknown.
    pub complete: bool,
}

impl<'a> Stored<'a> {
    /// Settings of which every member is known that they have, and nothing of the others.
    pub const fn new(settings: &'a Document<'a>) -> Self {
        Self { settings, complete: false }
    }

    /// A member that the settings omit is unset, not unknown.
    #[must_use]
    pub const fn complete(self) -> Self {
        Self { complete: true, ..self }
    }
}

/// What is known of the workspace: an object whose members are each optional. So far `features` is read, which says what
/// the workspace has: `{ "features": { "prompt_caching": false } }`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Facts<'a> {
    /// The facts.
    pub document: &'a Document<'a>,
}

impl<'a> Facts<'a> {
    /// Facts as a document states them.
    pub const fn new(document: &'a Document<'a>) -> Self {
        Self { document }
    }
}

impl<'a> Inputs<'a> {
    /// A document, and nothing else known.
    pub const fn new(document: &'a Document<'a>) -> Self {
        Self { document, kind: None, stored: None, facts: None }
    }

    /// The document is of this kind, whatever it looks like.
    #[must_use]
    pub const fn kind(self, kind: DocumentKind) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// What the service holds.
    #[must_use]
    pub const fn stored(self, stored: Stored<'a>) -> Self {
        Self { stored: Some(stored), ..self }
    }

    /// What is known of the workspace.
    #[must_use]
    pub const fn facts(self, facts: Facts<'a>) -> Self {
        Self { facts: Some(facts), ..self }
    }
}

/// Checks a text as the kind of document that it looks like, with nothing else known.
///
/// ```
/// let report = voxlint::check_text(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// assert!(report.diagnostics.is_empty());
/// ```
pub fn check_text(text: &str) -> Report {
    let source = Source::from(text);
    let document = Document::parse(&source);
    check(&Inputs::new(&document))
}

/// Checks a document against everything that is known.
///
/// ```
/// use voxlint::{Document, Inputs, Source, Stored, check};
///
/// let update = Source::from(r#"{ "version_number": 3, "transcriber_id": "tr_nova" }"#);
/// let update = Document::parse(&update);
/// assert!(check(&Inputs::new(&update)).diagnostics.is_empty());
///
/// let held = Source::from(r#"{ "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_nova" }"#);
/// let held = Document::parse(&held);
/// let report = check(&Inputs::new(&update).stored(Stored::new(&held).complete()));
/// assert_eq!(report.diagnostics[0].rule.id, "fallback-transcriber-same");
/// ```
pub fn check(inputs: &Inputs<'_>) -> Report {
    let document = inputs.document;
    let kind = inputs.kind.or_else(|| document.recognise()).unwrap_or(DocumentKind::Update);
    let mut run = Run { kind, found: Vec::new() };

    for &rule in rules::DOCUMENT {
        if let Check::Document(check) = rule.check {
            run.take(rule, check(document, kind));
        }
    }
    if let Some(root) = document.tree.root()
        && root.kind() == Kind::Object
    {
        run.object(root, kind.table(), true);
    }

    let mut undecided = Vec::new();
    if kind.has_settings() {
        let stored = inputs.stored.map(|stored| (stored.settings, stored.complete));
        let settings = Settings::of(&document.tree, Origin::Document);
        let effective =
            Effective::new(kind, settings, stored, inputs.facts.map(|facts| facts.document));
        for &rule in rules::CONFIG {
            if let Check::Config(check) = rule.check {
                run.config(rule, check, &effective, &mut undecided);
            }
        }
    }

    let mut secrets =
        if run.found.is_empty() { Vec::new() } else { secrets::spans(&document.tree, kind) };
    if kind == DocumentKind::ApiKeys && !document.errors.is_empty() {
        secrets.extend(secrets::spans_of_broken_list(document.text()));
        secrets.sort_unstable();
    }
    let stored = inputs.stored.map(|stored| stored.settings);
    let diagnostics = Resolver::new(kind, document, stored).resolve(run.found);
    Report { kind, diagnostics, undecided, secrets }
}

/// One check under way.
struct Run {
    kind: DocumentKind,
    found: Vec<(&'static Rule, Verdict)>,
}

impl Run {
    fn take(&mut self, rule: &'static Rule, verdicts: Verdicts) {
        self.found.extend(verdicts.into_iter().map(|verdict| (rule, verdict)));
    }

    /// An object and everything in it that a row describes. The tables are nested three deep, and so is this.
    fn object(&mut self, node: Node<'_>, table: &'static Table, is_root: bool) {
        let object =
            ObjectValue { table, node, origin: Origin::Document, kind: self.kind, is_root };
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
                self.value(row, node);
            }
        }
    }

    fn value(&mut self, row: &'static Row, node: Node<'_>) {
        let value = FieldValue { row, node, origin: Origin::Document, item: None, kind: self.kind };
        if self.row_rules(&value) {
            return;
        }
        self.text_rules(value);
        match row.shape {
            Shape::Map(Some(table)) if node.kind() == Kind::Object => {
                self.object(node, table, false);
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
        if let Some(text) = TextValue::of(value) {
            for &rule in rules::TEXT {
                if let Check::Text(check) = rule.check {
                    self.take(rule, check(&text));
                }
            }
        }
        if let Some(template) = TemplateValue::of(value) {
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

    fn config(
        &mut self,
        rule: &'static Rule,
        check: fn(&Effective<'_>) -> Verdicts,
        effective: &Effective<'_>,
        undecided: &mut Vec<Undecided>,
    ) {
        for verdict in check(effective) {
            if !matches!(verdict, Verdict::Undecided) {
                self.found.push((rule, verdict));
                continue;
            }
            let touched = rule.reads.iter().any(|row| effective.is_in_document(row));
            // A fault in the document is the root of it, and has been reported.
            let at_fault = rule.reads.iter().any(|row| {
                matches!(effective.node(row), Value::Unknown(Missing::Faulty | Missing::Lost))
            });
            let missing: Vec<&Row> = rule
                .reads
                .iter()
                .copied()
                .filter(|row| matches!(effective.node(row), Value::Unknown(Missing::NotGiven)))
                .collect();
            if touched && !at_fault && !missing.is_empty() {
                undecided.push(Undecided {
                    rule,
                    missing: missing.iter().map(|row| format!("/{}", row.name)).collect(),
                    why: format!(
                        "it hangs on the stored {}",
                        quote::list(missing.iter().map(|row| row.name))
                    ),
                });
            }
        }
    }
}
