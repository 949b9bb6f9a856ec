//! The configuration that the service would validate: the stored configuration overlaid by the document.

pub(crate) mod input_access;
mod missing_inputs;
pub mod settings_object;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::iter::once;

use voxlint_schema::{DocumentKind, Field, Fractions, Items, Row, Shape, Text, agent, settings};
use voxlint_syntax::{Decimal, Kind, Node, NodeId, Span};

pub use self::input_access::Accessed;
use self::settings_object::{SettingsObject, is_allowed};
use crate::equality::{Side, is_same};
use crate::fields::{Fields, GetField as _, bit, has_type_of, rows_in};
use crate::heard::Prose;
use crate::place::Place;
use crate::value::{FromNode, UnknownReason, Value};
use crate::variables::flow::TEMPLATES;
use crate::variables::{FlowVariable, KnownVariables, VariableFlow};
use crate::verdict::Finding;
use crate::{Document, Facts, Origin, Rule, Stored, TextFile, Wildcard, stored};

/// The effective configuration, as far as it is known, and everything else that a verdict can depend on. Rules that compare
/// fields see nothing else.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is another thing that is known")]
pub struct Effective<'a> {
    root: Option<Node<'a>>,
    document: SettingsObject<'a>,
    /// Whether a field that the document omits is unset, not unknown.
    document_complete: bool,
    /// Whether the document is a template in a file of its own, and has no settings.
    is_template: bool,
    /// Whether the document is an update, read as a whole, and all that is known.
    is_document_alone: bool,
    /// The stored settings of the version that the document names.
    stored: Option<SettingsObject<'a>>,
    /// The object with these settings.
    stored_root: Option<Node<'a>>,
    /// Whether a field that the stored settings omit is unset, not unknown.
    stored_complete: bool,
    /// The agent's summaries of that version, which repeat some of the settings: those in the list of versions, then the
    /// current version.
    summaries: Vec<SettingsObject<'a>>,
    agent: Option<Node<'a>>,
    /// The id of the agent that the update is sent to, if it is given.
    agent_id: Option<&'a str>,
    /// The type of the agent, for a check without a stored configuration.
    pub(crate) agent_type: Option<&'a str>,
    /// The template variables that calls provide, if they are listed.
    variables: Option<&'a [Wildcard]>,
    /// The variables that are known, computed on first use.
    known_variables: OnceCell<KnownVariables<'a>>,
    /// The variables that the templates use, collected with the templates or on first use.
    variable_flow: OnceCell<VariableFlow>,
    /// The texts of the templates, read on first use, in the order of [`TEMPLATES`].
    prose: [OnceCell<Option<Prose<'a>>>; 3],
    /// Which of these are unknown, computed on first use.
    unknown_variables: OnceCell<Vec<usize>>,
    facts: Option<Node<'a>>,
    /// Texts of the document in files of their own.
    texts: &'a [TextFile],
    /// The values that have been rejected. No rule that compares fields draws conclusions from them.
    rejected: Vec<(Origin, NodeId)>,
    /// Those inside of lists and objects of the document, and what contains them, in the order of the text.
    partly_rejected: Vec<NodeId>,
    /// What the current rule has read.
    accessed: Cell<Accessed>,
}

/// What is known of an update and its agent.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub(crate) document: &'a Document,
    pub(crate) stored: Option<&'a Stored>,
    pub(crate) facts: Option<&'a Facts>,
    pub(crate) agent_id: Option<&'a str>,
    pub(crate) agent_type: Option<&'a str>,
    pub(crate) texts: &'a [TextFile],
    pub(crate) variables: Option<&'a [Wildcard]>,
}

impl<'a> Effective<'a> {
    /// The configuration of a document that is taken as one of a kind, with its settings.
    pub fn new(kind: DocumentKind, known: Known<'a>, settings: Fields<'a>) -> Self {
        let root = known.document.tree().root();
        let mut document = SettingsObject::with_fields(root, settings, Origin::Document);
        // A template has no settings, so no fault of it hides one.
        document.incomplete &= kind != DocumentKind::Template;
        let document_complete = kind == DocumentKind::Settings;
        let held = known.stored.map(Stored::parts).unwrap_or_default();
        let named = document.version_number();

        // Settings without a number are used. Those of another version are not.
        let stored =
            held.version.map(|version| SettingsObject::of(Some(version), Origin::Stored)).filter(
                |stored| match (stored.version_number(), stored.has(settings::version_number.row)) {
                    (Some(number), _) => named.map_or(document_complete, |named| named == number),
                    // A number that cannot be read may be any number.
                    (None, is_numbered) => !is_numbered,
                },
            );
        let summaries = stored::summaries(held.agent);
        let summaries = summaries
            .filter(|summary| named.is_some() && summary.number() == named)
            .map(|summary| SettingsObject::of(Some(summary.node), Origin::Stored))
            .collect();
        Self {
            root,
            is_template: kind == DocumentKind::Template,
            is_document_alone: kind != DocumentKind::Template
                && known.stored.is_none()
                && known.facts.is_none()
                && known.agent_id.is_none()
                && known.agent_type.is_none()
                && known.texts.is_empty()
                && !document_complete
                && !document.incomplete,
            document,
            document_complete,
            stored_root: held.version.filter(|_| stored.is_some()),
            stored,
            stored_complete: held.complete,
            summaries,
            agent: held.agent,
            agent_id: known.agent_id,
            agent_type: known.agent_type,
            variables: known.variables,
            known_variables: OnceCell::new(),
            variable_flow: OnceCell::new(),
            prose: Default::default(),
            unknown_variables: OnceCell::new(),
            facts: known.facts.and_then(|facts| facts.document().tree().root()),
            texts: known.texts,
            rejected: Vec::new(),
            partly_rejected: Vec::new(),
            accessed: Cell::default(),
        }
    }

    /// Makes these values unknown, as far as they are settings, and notes the others in the document with what contains them.
    pub fn set_rejected(&mut self, rejected: Vec<(Origin, NodeId)>) {
        let in_document = rejected.iter().filter(|(origin, _)| *origin == Origin::Document);
        let mut ids: Vec<NodeId> = in_document.map(|(_, id)| *id).collect();
        ids.sort_unstable();
        let has_rejected = |node: &Node<'_>| {
            let after = ids.get(ids.partition_point(|id| *id < node.id())..);
            after.and_then(<[_]>::first).is_some_and(|first| *first < node.after())
        };
        // A setting that is rejected as a whole is unknown.
        let root = self.root.filter(|_| !ids.is_empty());
        let settings = root.into_iter().flat_map(Node::members).map(|member| member.value);
        let values = settings.flat_map(|value| {
            let inside = || value.inside().filter(has_rejected);
            inside().next().map(|_| value).into_iter().chain(inside())
        });
        self.partly_rejected = values.map(Node::id).collect();
        self.rejected = rejected;
    }

    /// Whether a finding is about a rejected value in a list or an object, or about what contains it.
    pub fn is_about_rejected(&self, finding: &Finding) -> bool {
        let places = once(&finding.at).chain(finding.related.iter().map(|(place, _)| place));
        let mut nodes = places.filter(|it| it.origin == Origin::Document).filter_map(|it| it.node);
        nodes.any(|node| self.partly_rejected.binary_search(&node).is_ok())
    }

    /// The value, unless it has been rejected.
    fn unless_rejected(&self, value: Value<Node<'a>>) -> Value<Node<'a>> {
        match value {
            Value::Known(node, place) if self.rejected.contains(&(place.origin, node.id())) => {
                Value::Unknown(UnknownReason::Faulty)
            }
            value => value,
        }
    }

    /// A setting of the document as written, valid or not.
    pub fn written_member(&self, row: &Row) -> Option<Node<'a>> {
        self.document.member(row)
    }

    /// The value in the document or in one of its text files; `None` if neither has the field.
    fn written_value(&self, row: &Row) -> Option<Value<Node<'a>>> {
        let written = self.document.value(row).or_else(|| {
            let (_, node, origin) = self.text_files().find(|(of, ..)| std::ptr::eq(*of, row))?;
            Some(Value::Known(node, Place::of(origin, node)))
        })?;
        Some(self.unless_rejected(written))
    }

    /// The texts in files of their own that the document does not contain itself.
    pub fn text_files(&self) -> impl Iterator<Item = (&'static Row, Node<'a>, Origin)> {
        self.all_text_files().filter(|(row, ..)| !self.document.has(row))
    }

    /// The texts that both the document and a file of their own contain: the value in the document, and the file.
    pub fn texts_given_twice(&self) -> impl Iterator<Item = (Node<'a>, Node<'a>, Origin)> {
        self.all_text_files()
            .filter_map(|(row, file, origin)| Some((self.document.member(row)?, file, origin)))
    }

    /// All texts in files of their own.
    fn all_text_files(&self) -> impl Iterator<Item = (&'static Row, Node<'a>, Origin)> {
        let texts = self.texts.iter().zip(0..);
        texts.filter_map(|(text, at)| {
            Some((text.field, text.document.tree().root()?, Origin::Text(at)))
        })
    }

    /// The effective value of a field.
    pub fn get<T: FromNode>(&self, field: &Field<T>) -> Value<T::Value<'a>> {
        read::<T>(self.node(field.row))
    }

    /// The effective value of a row, as a node of one of the inputs.
    pub fn node(&self, row: &Row) -> Value<Node<'a>> {
        self.log(|accessed| &mut accessed.settings, row);
        self.value(row)
    }

    pub(crate) fn value(&self, row: &Row) -> Value<Node<'a>> {
        if let Some(said) = self.written_value(row) {
            return said;
        }
        if self.document.incomplete {
            // The document may have the field where a fault in its text hides it, so the stored value may not count.
            return Value::Unknown(UnknownReason::Lost);
        }
        if self.document_complete {
            return Value::Absent(None);
        }
        self.unless_rejected(self.stored_value(row))
    }

    /// The stored objects with settings of the version that the document names, in order of precedence.
    fn places(&self) -> impl Iterator<Item = &SettingsObject<'a>> {
        self.stored.iter().chain(&self.summaries)
    }

    /// The stored value, whatever the document says: from the settings, the summaries or the agent.
    pub(crate) fn stored_value(&self, row: &Row) -> Value<Node<'a>> {
        if self.disagreement(row).is_some() {
            return Value::Unknown(UnknownReason::Contradictory);
        }
        if let Some(said) = self.places().find_map(|place| place.value(row)) {
            return said;
        }
        if std::ptr::eq(row, settings::pipeline_type.row)
            && let Some(said) = SettingsObject::of(self.agent, Origin::Stored).value(row)
        {
            return said;
        }
        match &self.stored {
            Some(stored) if self.stored_complete && !stored.incomplete => Value::Absent(None),
            _ => Value::Unknown(UnknownReason::NotGiven),
        }
    }

    /// The stored value as written, valid or not, whatever the document contains.
    pub fn stored_setting(&self, row: &Row) -> StoredSetting<'a> {
        let node = match self.stored_value(row) {
            Value::Known(node, _) => return StoredSetting::Value(node),
            Value::Absent(_) => return StoredSetting::Unset,
            Value::Unknown(_) => self.places().find_map(|place| place.member(row)),
        };
        node.map_or(StoredSetting::Unknown, StoredSetting::Value)
    }

    /// Two stored values of a row that differ: the one with the highest precedence, and another one.
    pub fn disagreement(&self, row: &Row) -> Option<(Node<'a>, Node<'a>)> {
        if self.summaries.is_empty() {
            return None;
        }
        let mut said = self.places().filter_map(|place| {
            let node = place.member(row)?;
            (!matches!(place.value(row), Some(Value::Unknown(_)))).then_some(node)
        });
        let first = said.next()?;
        said.find(|other| !is_same(first, *other)).map(|other| (first, other))
    }

    /// The stored number of the update's version, if the agent's complete list of versions does not contain it.
    pub fn unlisted_version(&self) -> Option<Node<'a>> {
        let named = self.document.version_number()?;
        let versions = self.version_list()?;
        let numbers = listed_version_numbers(versions);
        let is_whole = !versions.is_incomplete() && numbers.iter().all(Option::is_some);
        if !is_whole || numbers.contains(&Some(named)) {
            return None;
        }
        let of_version =
            self.stored.as_ref().and_then(|it| it.member(settings::version_number.row));
        let agent = self.agent?;
        let current = agent.field(agent::current_version.row);
        let of_current = current.and_then(|current| current.field(settings::version_number.row));
        let of_agent = agent.field(agent::current_version_number.row);
        [of_version, of_current, of_agent]
            .into_iter()
            .flatten()
            .find(|number| number.decimal() == Some(named))
    }

    /// The two numbers of the agent's current version, if they differ and one of them is that of the update.
    pub fn ambiguous_current_version(&self) -> Option<(Node<'a>, Node<'a>)> {
        let named = self.document.version_number()?;
        let current = stored::current(self.agent)?;
        let (own, of_agent) = (current.own_number?, current.number_beside?);
        let (one, other) = (own.decimal()?, of_agent.decimal()?);
        (one != other && (one == named || other == named)).then_some((own, of_agent))
    }

    /// The list of the agent's versions.
    pub fn version_list(&self) -> Option<Node<'a>> {
        self.agent_value(agent::versions.row)
    }

    /// The stored value of a field, whatever the document says.
    pub fn stored<T: FromNode>(&self, field: &Field<T>) -> Value<T::Value<'a>> {
        self.log(|accessed| &mut accessed.stored, field.row);
        read::<T>(self.stored_value(field.row))
    }

    /// The value of a field in the document, whatever is stored. Some settings only work together in one request.
    pub fn written<T: FromNode>(&self, field: &Field<T>) -> Value<T::Value<'a>> {
        self.log(|accessed| &mut accessed.written, field.row);
        match self.written_value(field.row) {
            Some(said) => read::<T>(said),
            None if self.document.incomplete => Value::Unknown(UnknownReason::Lost),
            None => Value::Absent(None),
        }
    }

    /// The stored value of a row that the document leaves unchanged, so that the service validates it with the update. It may
    /// have the wrong type.
    pub fn unchanged(&self, row: &Row) -> Option<Node<'a>> {
        match self.value(row) {
            Value::Known(node, place) if place.origin == Origin::Stored => Some(node),
            Value::Unknown(UnknownReason::Faulty) if !self.is_in_document(row) => {
                self.stored.as_ref()?.member(row)
            }
            _ => None,
        }
    }

    /// The value in the document and the stored value, if both can be read.
    pub fn replaced(&self, row: &Row) -> Option<(Node<'a>, Node<'a>)> {
        let Some(Value::Known(written, _)) = self.document.value(row) else { return None };
        match self.stored_value(row) {
            Value::Known(stored, _) if !self.document_complete => Some((written, stored)),
            _ => None,
        }
    }

    /// The value of a row in the document, if it can be read.
    pub fn written_node(&self, row: &Row) -> Option<(Node<'a>, Place)> {
        self.log(|accessed| &mut accessed.written, row);
        match self.written_value(row) {
            Some(Value::Known(node, place)) => Some((node, place)),
            _ => None,
        }
    }

    /// The value of a field of the agent (2.1) in the stored configuration.
    pub fn of_agent<T: FromNode>(&self, field: &Field<T>) -> Option<(T::Value<'a>, Place)> {
        self.log(|accessed| &mut accessed.agent, field.row);
        self.agent_value(field.row)
            .and_then(|node| Some((T::from_node(node)?, Place::of(Origin::Stored, node))))
    }

    pub(crate) fn agent_value(&self, row: &Row) -> Option<Node<'a>> {
        // An agent has at least one version, so an empty list is ignored.
        let is_empty_list =
            |node: &Node<'_>| node.kind() == Kind::Array && node.elements().next().is_none();
        self.agent?.field(row).filter(|node| {
            has_type_of(&row.shape, *node)
                && !node.is_faulty()
                && is_allowed(&row.shape, *node)
                && !is_empty_list(node)
        })
    }

    /// The id of the agent that the update is sent to.
    pub fn agent_id(&self) -> Option<Cow<'a, str>> {
        let stored = self.of_agent(&agent::id).map(|(id, _)| id);
        self.agent_id.map(Cow::Borrowed).or(stored)
    }

    /// Whether the agent is a conversational flow agent, which has nodes instead of a prompt, if that is known.
    pub fn is_flow_agent(&self) -> Option<bool> {
        let stored = self.of_agent(&agent::agent_type).map(|(name, _)| name == FLOW_AGENT);
        stored.or_else(|| self.agent_type.map(|name| name == FLOW_AGENT))
    }

    /// The value of a fact about the workspace.
    pub fn fact<T: FromNode>(&self, field: &Field<T>) -> Option<(T::Value<'a>, Place)> {
        let (node, place) = self.fact_node(field.row)?;
        Some((T::from_node(node)?, place))
    }

    /// A fact about the workspace, as a node.
    pub fn fact_node(&self, row: &Row) -> Option<(Node<'a>, Place)> {
        self.log(|accessed| &mut accessed.facts, row);
        self.fact_value(row).map(|node| (node, Place::of(Origin::Facts, node)))
    }

    pub(crate) fn fact_value(&self, row: &Row) -> Option<Node<'a>> {
        // A list with an item of the wrong type may be incomplete.
        let is_whole = |node: &Node<'a>| {
            let is_list_of_texts = matches!(row.shape, Shape::List(Items::Texts(_)));
            has_type_of(&row.shape, *node)
                && !node.is_faulty()
                && !node.is_incomplete()
                && (!is_list_of_texts || node.elements().all(|id| id.kind() == Kind::String))
        };
        self.facts?.field(row).filter(is_whole)
    }

    /// The known template variables: those with a default, here or stored, those that are listed, and those of the service.
    pub fn known_variables(&self) -> &KnownVariables<'a> {
        let row = &settings::default_dynamic_variables;
        let objects = [self.get(row), self.stored(row)];
        self.known_variables.get_or_init(|| {
            let objects = objects.map(|it| it.known().map(|(object, _)| *object));
            KnownVariables::of(objects, self.variables)
        })
    }

    /// The prompts and messages that are known, as people read them.
    pub fn prose(&self) -> impl Iterator<Item = &Prose<'a>> {
        TEMPLATES.into_iter().filter_map(|row| self.prose_in(row))
    }

    /// The messages that callers hear word for word, unless they are rejected.
    pub fn spoken(&self) -> impl Iterator<Item = &Prose<'a>> {
        let fields = [&settings::welcome_message, &settings::voicemail_message];
        fields.into_iter().filter_map(|field| {
            let is_known = matches!(self.node(field.row), Value::Known(..));
            self.prose_of(field).filter(|_| is_known)
        })
    }

    /// One of these messages, if the document has it.
    pub fn spoken_in_document(&self, field: &Field<Text>) -> Option<&Prose<'a>> {
        let is_known = matches!(self.node(field.row), Value::Known(..));
        self.prose_of(field).filter(|it| is_known && it.at.is_in_document())
    }

    /// The text of one of these settings.
    pub fn prose_of(&self, field: &Field<Text>) -> Option<&Prose<'a>> {
        self.prose_in(field.row)
    }

    fn prose_in(&self, row: &'static Row) -> Option<&Prose<'a>> {
        self.log(|accessed| &mut accessed.settings, row);
        let at = TEMPLATES.iter().position(|it| std::ptr::eq(*it, row))?;
        let read = || match self.value(row) {
            Value::Known(node, place) => Some(Prose::new(row, node.as_str()?, place)),
            // People hear and read what the service rejects for its braces, too.
            Value::Unknown(UnknownReason::Faulty) => {
                let node = self.written_member(row).filter(|node| !node.is_faulty())?;
                Some(Prose::new(row, node.as_str()?, Place::of(Origin::Document, node)))
            }
            Value::Absent(_) | Value::Unknown(_) => None,
        };
        self.prose.get(at)?.get_or_init(read).as_ref()
    }

    /// The variables that the templates use.
    pub fn variable_flow(&self) -> &VariableFlow {
        for row in TEMPLATES {
            self.log(|accessed| &mut accessed.settings, row);
        }
        self.variable_flow.get_or_init(|| {
            let mut flow = VariableFlow::default();
            for row in TEMPLATES {
                if let Value::Known(node, place) = self.value(row) {
                    flow.parse(row, node, &place);
                }
            }
            flow
        })
    }

    /// The variables that the templates use and that nothing provides.
    pub fn unknown_variables(&self) -> impl Iterator<Item = &FlowVariable> {
        let variables = self.variable_flow().variables();
        let known = self.known_variables();
        let unknown = self.unknown_variables.get_or_init(|| {
            let all = variables.iter().zip(0..);
            all.filter(|(it, _)| known.source(&it.name).is_none()).map(|(_, at)| at).collect()
        });
        unknown.iter().filter_map(|at| variables.get(*at))
    }

    /// Sets the variables of templates that have been parsed already.
    pub fn set_variable_flow(&mut self, flow: VariableFlow) {
        self.variable_flow = OnceCell::from(flow);
    }

    /// The document and the stored settings of its version, as far as they are given.
    pub fn roots(&self) -> impl Iterator<Item = Node<'a>> {
        self.root.into_iter().chain(self.stored_root)
    }

    /// Whether the document is an update, which omits fields, and not all settings of a version.
    pub fn is_update(&self) -> bool {
        !self.document_complete
    }

    /// Whether the document has the field, itself or in a text file.
    pub fn is_in_document(&self, row: &Row) -> bool {
        self.document.has(row) || self.texts.iter().any(|text| std::ptr::eq(text.field, row))
    }

    /// The start of the document: its first bracket, or its first character.
    pub fn start(&self) -> Place {
        match self.root {
            Some(root) if matches!(root.kind(), Kind::Object | Kind::Array) => {
                Place::of(Origin::Document, root).opening()
            }
            _ => Place::bytes(Span::default()),
        }
    }

    /// The document, if it is an object.
    pub fn root(&self) -> Option<Node<'a>> {
        self.root.filter(|root| root.kind() == Kind::Object)
    }

    /// Whether the update has the two fields of a minimal publish and no other (update agent, rule 4).
    pub fn is_minimal_publish(&self) -> bool {
        for row in [settings::version_number.row, settings::is_published.row] {
            self.log(|accessed| &mut accessed.written, row);
        }
        let flag = self.document.value(settings::is_published.row);
        let is_publish =
            matches!(flag, Some(Value::Known(flag, _)) if flag.as_bool() == Some(true));
        let members = self.root().map_or(0, |root| root.members().count());
        let is_minimal = self.texts.is_empty() && members == 2;
        self.is_update() && is_publish && self.document.version_number().is_some() && is_minimal
    }

    /// Whether the stored settings of the version that the document names are known.
    pub fn is_version_stored(&self) -> bool {
        self.log(|accessed| &mut accessed.written, settings::version_number.row);
        self.stored.is_some()
    }

    /// The settings that the document has, itself or in text files.
    pub fn settings_in_document(&self) -> impl Iterator<Item = &'static Row> {
        rows_in(self.rows_in_document(), &settings::TABLE)
    }

    fn log(&self, rows: impl Fn(&mut Accessed) -> &mut u128, row: &Row) {
        let mut accessed = self.accessed.get();
        *rows(&mut accessed) |= bit(row);
        self.accessed.set(accessed);
    }

    /// Whether the document has one of the rows that a rule reads. The fields that select and publish a version are in most
    /// updates, so they count only if the rule has read them.
    pub fn touches(&self, rule: &Rule, accessed: Accessed) -> bool {
        let selects = bit(settings::version_number.row) | bit(settings::is_published.row);
        let counts = accessed.settings | accessed.stored | accessed.written | !selects;
        rule.internal.reads_rows & counts & self.rows_in_document() != 0
    }

    /// Whether a rule could object to something, or be undecided because of a field of the document. Without other inputs, it
    /// needs one of the rows that it reads: a missing value alone is never a finding.
    pub fn concerns(&self, rule: &Rule) -> bool {
        !self.is_document_alone || rule.internal.reads_rows & self.document.present() != 0
    }

    /// The rows that the document has, itself or in text files.
    fn rows_in_document(&self) -> u128 {
        let texts = self.texts.iter().map(|text| bit(text.field));
        // Which setting a template is for is not known. It counts as the prompt.
        let template = if self.is_template { bit(settings::prompt_text.row) } else { 0 };
        texts.fold(self.document.present() | template, |rows, row| rows | row)
    }

    /// The fields that the document leaves unchanged, that the service revalidates (update agent, rule 6) or may revalidate,
    /// and whose stored value is not known.
    pub fn unknown_revalidated(&self) -> impl Iterator<Item = &'static Row> {
        let rows = settings::TABLE.rows.iter().copied();
        let rows = rows.filter(|row| row.revalidated || may_be_revalidated(row));
        rows.filter(|row| {
            let is_missing = |value| {
                matches!(
                    value,
                    Value::Unknown(UnknownReason::NotGiven | UnknownReason::Contradictory)
                )
            };
            // An object may be merged with the stored one.
            let is_merged = matches!(row.shape, Shape::Map(_)) && !self.document_complete;
            is_missing(self.value(row)) || (is_merged && is_missing(self.stored_value(row)))
        })
    }

    /// Returns and resets what has been read.
    pub fn take_accessed(&self) -> Accessed {
        self.accessed.take()
    }
}

/// The number of each version in a list of them. A number that cannot be read is `None`.
pub fn listed_version_numbers(versions: Node<'_>) -> Vec<Option<Decimal<'_>>> {
    versions.elements().map(stored::number_of).collect()
}

/// The stored value of a row, as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoredSetting<'a> {
    /// It is stored.
    Value(Node<'a>),
    /// It is known that nothing is stored.
    Unset,
    /// The stored value is not known.
    Unknown,
}

impl<'a> StoredSetting<'a> {
    /// The stored value, if there is one.
    pub const fn value(self) -> Option<Node<'a>> {
        if let Self::Value(node) = self { Some(node) } else { None }
    }

    /// The stored value, if it is known whether there is one.
    pub fn known(self) -> Option<Side<'a>> {
        (self != Self::Unknown).then(|| self.value())
    }
}

/// The agent type that has nodes instead of a prompt.
const FLOW_AGENT: &str = "Conversational_Flow_Agent";

fn read<T: FromNode>(value: Value<Node<'_>>) -> Value<T::Value<'_>> {
    match value {
        Value::Known(node, place) => match T::from_node(node) {
            Some(value) => Value::Known(value, place),
            None => Value::Unknown(UnknownReason::Faulty),
        },
        Value::Absent(place) => Value::Absent(place),
        Value::Unknown(missing) => Value::Unknown(missing),
    }
}

/// Whether the service may revalidate a stored value that an update leaves unchanged, although the description does not list
/// it among those that it does ([`Row::revalidated`]): the row has a length or a bound.
pub fn may_be_revalidated(row: &Row) -> bool {
    let is_limited = match row.shape {
        Shape::Text(text) => text.max_characters.is_some(),
        Shape::Number(number) => {
            number.min.is_some() || number.max.is_some() || number.fractions != Fractions::Allowed
        }
        _ => false,
    };
    is_limited && !row.revalidated && !std::ptr::eq(row, settings::version_number.row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inputs;

    fn knowledge_of<T: FromNode>(text: &str, field: &Field<T>) -> &'static str {
        let document = Document::parse(text);
        let inputs = Inputs::new(document);
        match inputs.effective(DocumentKind::Update).get(field) {
            Value::Known(..) => "known",
            Value::Absent(_) => "absent",
            Value::Unknown(UnknownReason::NotGiven) => "not given",
            Value::Unknown(UnknownReason::Faulty) => "faulty",
            Value::Unknown(UnknownReason::Contradictory) => "contradictory",
            Value::Unknown(UnknownReason::Lost) => "lost",
        }
    }

    #[test]
    fn a_value_that_breaks_its_row_is_not_known() {
        use voxlint_schema::settings::{
            fallback_stt_enabled, pipeline_type, title, transcriber_id,
        };

        assert_eq!(knowledge_of(r#"{ "transcriber_id": "tr_a" }"#, &transcriber_id), "known");
        assert_eq!(knowledge_of(r#"{ "transcriber_id": null }"#, &transcriber_id), "absent");
        assert_eq!(knowledge_of("{}", &transcriber_id), "not given");
        assert_eq!(knowledge_of(r#"{ "title": null }"#, &title), "faulty");
        assert_eq!(
            knowledge_of(r#"{ "fallback_stt_enabled": 1 }"#, &fallback_stt_enabled),
            "faulty"
        );
        assert_eq!(knowledge_of(r#"{ "pipeline_type": "cascaded" }"#, &pipeline_type), "faulty");
        assert_eq!(knowledge_of(r#"{ "title": "a\q" }"#, &title), "lost");
    }

    #[test]
    fn values_that_a_fault_may_hide_are_lost() {
        use voxlint_schema::settings::title;

        assert_eq!(knowledge_of(r#"{ "version_number": 3, "#, &title), "lost");
        assert_eq!(knowledge_of("[]", &title), "lost");
        assert_eq!(knowledge_of("", &title), "lost");
    }
}
