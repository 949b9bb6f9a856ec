//! The inputs of a check, a prediction and a difference.

use std::sync::Arc;

use voxlint_schema::{DocumentKind, Row, settings};
use voxlint_syntax::{Node, TextEdit};

use crate::effective::{Effective, Known, StoredSetting};
use crate::fields::{Fields, GetField as _};
use crate::readings::Readings;
use crate::value::Value;
use crate::variables::KnownVariables;
use crate::{Document, Facts, Group, HouseRule, Origin, Rule, Stored, TextFile, Wildcard};

/// The document to check, and the other known inputs.
///
/// Inputs own their contents. A clone shares them, so one value can be the start of the inputs of many documents.
///
/// ```
/// use voxlint::{Document, Facts, Inputs, Stored, check};
///
/// let stored = Stored::new(Document::parse(r#"{ "version_number": 3, "prompt_text": "Be brief." }"#));
/// let facts = Facts::new(Document::parse(r#"{ "webhooks": ["wh_crm"] }"#));
/// for title in ["Front desk", "Night desk"] {
///     let update = format!(r#"{{ "version_number": 3, "title": "{title}" }}"#);
///     let inputs = Inputs::new(Document::parse(update));
///     let report = check(&inputs.stored(stored.clone()).facts(facts.clone()));
///     assert!(report.diagnostics.is_empty());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Inputs {
    #[doc(hidden)]
    pub document: Document,
    pub(crate) kind: Option<DocumentKind>,
    #[doc(hidden)]
    pub stored: Option<Stored>,
    #[doc(hidden)]
    pub facts: Option<Facts>,
    #[doc(hidden)]
    pub agent_id: Option<Arc<str>>,
    #[doc(hidden)]
    pub agent_type: Option<Arc<str>>,
    #[doc(hidden)]
    pub texts: Arc<[TextFile]>,
    #[doc(hidden)]
    pub house: Arc<[HouseRule]>,
    pub(crate) variables: Option<Arc<[Wildcard]>>,
    #[doc(hidden)]
    pub readings: Arc<Readings>,
    #[doc(hidden)]
    pub allowed: Arc<[Wildcard]>,
    #[doc(hidden)]
    pub running: RunningRules,
    /// Whether reports offer fixes. A check that proves a fix needs none.
    #[doc(hidden)]
    pub offers_fixes: bool,
    /// Whether a check also finds what shows only when something else is corrected, so that both are fixed in one round.
    #[doc(hidden)]
    pub looks_ahead: bool,
    /// Whether a report also has the weaker of several reasons to reject the same characters.
    #[doc(hidden)]
    pub keeps_weaker: bool,
}

impl Inputs {
    /// A document without other inputs.
    pub fn new(document: Document) -> Self {
        Self {
            offers_fixes: document.offers_fixes(),
            looks_ahead: false,
            keeps_weaker: false,
            document,
            kind: None,
            stored: None,
            facts: None,
            agent_id: None,
            agent_type: None,
            texts: Arc::default(),
            house: Arc::default(),
            variables: None,
            readings: Arc::default(),
            allowed: Arc::default(),
            running: RunningRules::RECOMMENDED,
        }
    }

    /// Replaces the document, and keeps everything else, as for the same file after an edit.
    ///
    /// ```
    /// use voxlint::{Document, DocumentKind, Inputs, check};
    ///
    /// let inputs = Inputs::new(Document::parse("{")).kind(DocumentKind::Update);
    /// let edited = inputs.clone().with_document(Document::parse(r#"{ "version_number": 3 }"#));
    /// assert!(!check(&inputs).diagnostics.is_empty() && check(&edited).diagnostics.is_empty());
    /// ```
    #[must_use]
    pub fn with_document(mut self, document: Document) -> Self {
        self.document = document;
        self
    }

    /// Sets the kind of the document. Without it, the kind is detected, and is an update if in doubt.
    #[must_use]
    pub const fn kind(mut self, kind: DocumentKind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets the stored configuration of the agent that the document changes; `None` leaves it unknown.
    #[must_use]
    pub fn stored(mut self, stored: impl Into<Option<Stored>>) -> Self {
        self.stored = stored.into();
        self
    }

    /// Sets the facts about the workspace; `None` leaves them unknown.
    #[must_use]
    pub fn facts(mut self, facts: impl Into<Option<Facts>>) -> Self {
        self.facts = facts.into();
        self
    }

    /// Sets the id of the agent that the document is sent to. Without it, the id in the stored configuration is used.
    #[must_use]
    pub fn agent_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.agent_id = Some(id.into());
        self
    }

    /// Sets the type of the agent, for a check without a stored configuration, whose type takes precedence.
    #[must_use]
    pub fn agent_type(mut self, name: impl Into<Arc<str>>) -> Self {
        self.agent_type = Some(name.into());
        self
    }

    /// Sets the texts of the document that have their own files.
    ///
    /// ```
    /// use voxlint::syntax::Format;
    /// use voxlint::{Document, Inputs, Origin, TextFile, check, schema::settings};
    ///
    /// let update = Document::parse(r#"{ "version_number": 3 }"#);
    /// let prompt = Document::parse_as("Greet {{name}\n", Format::Text);
    /// let texts = [TextFile::new(settings::prompt_text.row, prompt)];
    ///
    /// let report = check(&Inputs::new(update).texts(texts));
    /// assert_eq!(report.diagnostics[0].field, "/prompt_text");
    /// assert_eq!(report.diagnostics[0].origin, Origin::Text(0));
    /// ```
    #[must_use]
    pub fn texts(mut self, texts: impl Into<Arc<[TextFile]>>) -> Self {
        self.texts = texts.into();
        self
    }

    /// Sets the team's own rules. Only `check` runs them.
    #[must_use]
    pub fn house(mut self, rules: impl Into<Arc<[HouseRule]>>) -> Self {
        self.house = rules.into();
        self
    }

    /// Sets the template variables that calls provide. With a list, a template that uses another variable gets a finding
    /// unless the document gives a default for it.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, Wildcard, check};
    ///
    /// let update = r#"{ "version_number": 3, "prompt_text": "Greet {{custmer_name}}." }"#;
    /// let known = [Wildcard::new("customer_name"), Wildcard::new("crm_*")];
    /// let report = check(&Inputs::new(Document::parse(update)).variables(known));
    /// assert_eq!(report.diagnostics[0].rule.id, "unknown-template-variable");
    /// ```
    #[must_use]
    pub fn variables(mut self, known: impl Into<Arc<[Wildcard]>>) -> Self {
        self.variables = Some(known.into());
        self
    }

    /// Sets what the team knows about passages of the description that can be read in several ways.
    #[must_use]
    pub fn readings(mut self, readings: impl Into<Arc<Readings>>) -> Self {
        self.readings = readings.into();
        self
    }

    /// Sets the names of fields that are allowed although the description does not have them. Findings that count the unknown
    /// fields do not count these; the caller drops findings about one of them.
    #[must_use]
    pub fn allowed(mut self, names: impl Into<Arc<[Wildcard]>>) -> Self {
        self.allowed = names.into();
        self
    }

    /// Sets whether `check` also runs the rules that are off by default.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, check};
    ///
    /// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3 }"#)).optional_rules(true);
    /// let mut report = check(&inputs);
    /// report.diagnostics.retain(|found| found.rule.is_recommended);
    /// ```
    #[must_use]
    pub const fn optional_rules(mut self, run: bool) -> Self {
        self.running.optional = run;
        self
    }

    /// Sets the groups of which `check` runs the rules. Without this, it runs those of all groups. House rules always run.
    ///
    /// ```
    /// use voxlint::{Document, Group, Inputs, check};
    ///
    /// let text = r#"{ "version_number": 3, "title": "Front desk\u200b", "kb_max_chunks": 11 }"#;
    /// let inputs = Inputs::new(Document::parse(text)).groups(&[Group::Correctness]);
    /// assert_eq!(check(&inputs).diagnostics.len(), 1);
    /// ```
    #[must_use]
    pub const fn groups(mut self, groups: &[Group]) -> Self {
        self.running.groups = 0;
        let mut rest = groups;
        while let [first, others @ ..] = rest {
            self.running.groups |= 1 << *first as u8;
            rest = others;
        }
        self
    }

    /// The same for reports that offer no fixes, which costs less: a fix is offered only if a second check proves it.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, check};
    ///
    /// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "kb_max_chunks": "5" }"#));
    /// assert_eq!(check(&inputs).diagnostics[0].fixes.len(), 1);
    /// assert!(check(&inputs.without_fixes()).diagnostics[0].fixes.is_empty());
    /// ```
    #[must_use]
    pub const fn without_fixes(mut self) -> Self {
        self.offers_fixes = false;
        self
    }

    /// What is known of the update and its agent.
    #[doc(hidden)]
    pub fn known(&self) -> Known<'_> {
        Known {
            document: &self.document,
            stored: self.stored.as_ref(),
            facts: self.facts.as_ref(),
            agent_id: self.agent_id.as_deref(),
            agent_type: self.agent_type.as_deref(),
            texts: &self.texts,
            variables: self.variables.as_deref(),
        }
    }

    /// The effective configuration, if the document is taken as one of this kind.
    #[doc(hidden)]
    pub fn effective(&self, kind: DocumentKind) -> Effective<'_> {
        let root = self.document.tree().root();
        let fields = root.map_or_else(Fields::none, |root| Fields::of(root, &settings::TABLE));
        Effective::new(kind, self.known(), fields)
    }

    /// The stored value of a setting, whatever the document says; `None` if it is not set or not known.
    ///
    /// ```
    /// use voxlint::schema::settings;
    /// use voxlint::{Document, Inputs, Stored};
    ///
    /// let stored = Stored::new(Document::parse(r#"{ "version_number": 3, "title": "Front desk" }"#));
    /// let update = Document::parse(r#"{ "version_number": 3, "title": "Night desk" }"#);
    /// let inputs = Inputs::new(update).stored(stored);
    /// let text = |node: Option<voxlint::syntax::Node<'_>>| node?.as_str().map(|text| text.into_owned());
    /// assert_eq!(text(inputs.stored_value(settings::title.row)).as_deref(), Some("Front desk"));
    /// let effective = inputs.effective_value(settings::title.row).map(|(node, _)| node);
    /// assert_eq!(text(effective).as_deref(), Some("Night desk"));
    /// ```
    pub fn stored_value(&self, row: &Row) -> Option<Node<'_>> {
        match self.effective(self.checked_as()).stored_setting(row) {
            StoredSetting::Value(node) => Some(node),
            StoredSetting::Unset | StoredSetting::Unknown => None,
        }
    }

    /// The value of a setting after the update, and the input that it is in; `None` if it is not set or not known.
    pub fn effective_value(&self, row: &Row) -> Option<(Node<'_>, Origin)> {
        match self.effective(self.checked_as()).node(row) {
            Value::Known(node, place) => Some((node, place.origin)),
            Value::Absent(_) | Value::Unknown(_) => None,
        }
    }

    /// The variables with a default, in the document or stored, and those that are listed.
    #[doc(hidden)]
    pub fn defaults(&self) -> KnownVariables<'_> {
        let held = self.stored.as_ref().map(Stored::parts).unwrap_or_default();
        let row = settings::default_dynamic_variables.row;
        let documents = [self.document.tree().root(), held.version];
        let objects = documents.map(|root| root?.field_or_named(row));
        KnownVariables::of(objects, self.variables.as_deref())
    }

    /// The same for reports with what shows only when something else is corrected, or without it.
    #[doc(hidden)]
    pub fn looking_ahead(&self, looks_ahead: bool) -> Self {
        Self { looks_ahead, ..self.clone() }
    }

    /// The same with an edited document or text file, without fixes; `None` if the edits do not fit, if the text is not UTF-8 or
    /// would have another number of documents, or if it is that of the stored configuration or of the facts, which are not edited.
    ///
    /// ```
    /// use voxlint::syntax::Span;
    /// use voxlint::{Document, Inputs, Origin, TextEdit};
    ///
    /// let inputs = Inputs::new(Document::parse("{ \"title\": \"Desk\" }"));
    /// let edited = inputs.with_edits(Origin::Document, &[TextEdit::new(Span::new(12, 16), "Bar")]);
    /// let text = edited.as_ref().map(|edited| edited.document().text());
    /// assert_eq!(text, Some("{ \"title\": \"Bar\" }"));
    /// ```
    pub fn with_edits(&self, origin: Origin, edits: &[TextEdit]) -> Option<Self> {
        self.edited(origin, edits, false)
    }

    /// The same with an edited document or text file; `None` if the edits do not fit, or nothing can be edited there.
    /// `offers_fixes` is false if the edits are only to be proven.
    #[doc(hidden)]
    pub fn edited(&self, origin: Origin, edits: &[TextEdit], offers_fixes: bool) -> Option<Self> {
        let mut inputs = Self { offers_fixes, ..self.clone() };
        match origin {
            Origin::Document => inputs.document = self.document.edited(edits, offers_fixes)?,
            Origin::Text(index) => {
                let mut texts = self.texts.to_vec();
                let text = texts.get_mut(usize::from(index))?;
                text.document = text.document.edited(edits, offers_fixes)?;
                inputs.texts = texts.into();
            }
            Origin::Stored | Origin::Facts => return None,
        }
        Some(inputs)
    }

    /// The document to check.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// The stored configuration, as set by [`Inputs::stored`].
    pub const fn known_stored(&self) -> Option<&Stored> {
        self.stored.as_ref()
    }

    /// The facts about the workspace, as set by [`Inputs::facts`].
    pub const fn known_facts(&self) -> Option<&Facts> {
        self.facts.as_ref()
    }

    /// The template variables that calls provide, as set by [`Inputs::variables`].
    pub fn known_variables(&self) -> Option<&[Wildcard]> {
        self.variables.as_deref()
    }

    /// The document of an origin; `None` if it is not known.
    ///
    /// ```
    /// use voxlint::{Document, Facts, Inputs, Origin};
    ///
    /// let facts = Facts::new(Document::parse(r#"{ "webhooks": [] }"#));
    /// let inputs = Inputs::new(Document::parse("{}")).facts(facts);
    /// let text = |origin| inputs.document_of(origin).map(Document::text);
    /// assert_eq!(text(Origin::Facts), Some(r#"{ "webhooks": [] }"#));
    /// assert_eq!(text(Origin::Stored), None);
    /// ```
    pub fn document_of(&self, origin: Origin) -> Option<&Document> {
        match origin {
            Origin::Document => Some(&self.document),
            Origin::Stored => self.stored.as_ref().map(Stored::document),
            Origin::Facts => self.facts.as_ref().map(Facts::document),
            Origin::Text(index) => self.texts.get(usize::from(index)).map(TextFile::document),
        }
    }

    /// The texts that have their own files, as set by [`Inputs::texts`].
    pub fn text_files(&self) -> &[TextFile] {
        &self.texts
    }

    /// The kind that the document is checked as: the kind that was set, or else the detected or most likely kind, or else an
    /// update.
    pub fn checked_as(&self) -> DocumentKind {
        let likely = || self.document.looks_like().likely_kind();
        self.kind.or_else(likely).unwrap_or(DocumentKind::Update)
    }
}

/// The two states to compare, and the inputs for the check of the update.
#[derive(Clone, Debug)]
pub struct DiffInputs {
    #[doc(hidden)]
    pub old: Stored,
    #[doc(hidden)]
    pub new: Document,
    #[doc(hidden)]
    pub is_complete: bool,
    #[doc(hidden)]
    pub facts: Option<Facts>,
    #[doc(hidden)]
    pub agent_id: Option<Arc<str>>,
    #[doc(hidden)]
    pub agent_type: Option<Arc<str>>,
    #[doc(hidden)]
    pub readings: Arc<Readings>,
    #[doc(hidden)]
    pub texts: Arc<[TextFile]>,
}

impl DiffInputs {
    /// The stored configuration and the desired settings, without other inputs. A setting that `new` omits keeps its stored
    /// value, as in an update.
    pub fn new(old: Stored, new: Document) -> Self {
        let (facts, agent_id, agent_type) = (None, None, None);
        let (readings, texts) = (Arc::default(), Arc::default());
        Self { old, new, is_complete: false, facts, agent_id, agent_type, readings, texts }
    }

    /// The stored configuration and the document of a check, with its other inputs; `None` without a stored configuration.
    /// A document that is checked as settings is complete.
    pub fn of(inputs: &Inputs) -> Option<Self> {
        Some(Self {
            old: inputs.stored.clone()?,
            new: inputs.document.clone(),
            is_complete: inputs.checked_as() == DocumentKind::Settings,
            facts: inputs.facts.clone(),
            agent_id: inputs.agent_id.clone(),
            agent_type: inputs.agent_type.clone(),
            readings: Arc::clone(&inputs.readings),
            texts: Arc::clone(&inputs.texts),
        })
    }

    /// Takes the desired settings as complete: a setting that they omit is to be unset.
    #[must_use]
    pub fn complete(mut self) -> Self {
        self.is_complete = true;
        self
    }

    /// Sets the facts about the workspace; `None` leaves them unknown.
    #[must_use]
    pub fn facts(mut self, facts: impl Into<Option<Facts>>) -> Self {
        self.facts = facts.into();
        self
    }

    /// Sets the id of the agent that the update is sent to. Without it, the id in the stored configuration is used.
    #[must_use]
    pub fn agent_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.agent_id = Some(id.into());
        self
    }

    /// Sets the texts of the desired settings that have their own files. They are compared and sent like the
    /// other settings.
    ///
    /// ```
    /// use voxlint::syntax::Format;
    /// use voxlint::{DiffInputs, Document, Stored, TextFile, diff, schema::settings};
    ///
    /// let old = Document::parse(r#"{ "version_number": 3, "prompt_text": "Be brief." }"#);
    /// let new = Document::parse(r#"{ "version_number": 3 }"#);
    /// let prompt = Document::parse_as("Be kind.", Format::Text);
    /// let texts = [TextFile::new(settings::prompt_text.row, prompt)];
    ///
    /// let difference = diff(&DiffInputs::new(Stored::new(old), new).texts(texts))?;
    /// let line = "changes `prompt_text` from `Be brief.` to `Be kind.`";
    /// assert_eq!(difference.changes[0].sentence, line);
    /// # Ok::<(), voxlint::DiffError>(())
    /// ```
    #[must_use]
    pub fn texts(mut self, texts: impl Into<Arc<[TextFile]>>) -> Self {
        self.texts = texts.into();
        self
    }
}

/// The rules that a check runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningRules {
    /// A bit for each group.
    groups: u8,
    /// Whether rules that are off by default run.
    optional: bool,
}

impl RunningRules {
    const RECOMMENDED: Self = Self { groups: u8::MAX, optional: false };

    /// Whether a rule runs.
    #[inline]
    pub const fn has(self, rule: &Rule) -> bool {
        self.groups >> rule.group as u8 & 1 != 0 && (rule.is_recommended || self.optional)
    }

    /// Whether a rule may ask for the variables of templates. The service does not look at them, so no rule of correctness does.
    pub const fn reads_variables(self) -> bool {
        self.groups & !(1 << Group::Correctness as u8) != 0
    }
}
