//! What the plans of other documents need to know of one document.

use std::borrow::Cow;

use voxlint_engine::states::{Desired, Setting, States};
use voxlint_model::effective::StoredSetting;
use voxlint_model::equality::{digest, is_same};
use voxlint_model::masking::Mask;
use voxlint_model::place::Part;
use voxlint_model::variables::flow::VariableFlow;
use voxlint_model::variables::mentions::is_word_character;
use voxlint_model::{Inputs, Origin, quote, stored};
use voxlint_schema::settings::{
    agent_function, agent_functions, default_dynamic_variables, fallback_llm_enabled,
    fallback_stt_enabled, inbound_phone_number_id, is_published, llm_fallback_model,
    outbound_phone_number_id, prompt_text, stt_fallback_transcriber_id, system_prompt_text,
    update_deployment, version_number, voice_id, voice_model_id,
};
use voxlint_schema::{Null, Row, agent, settings};
use voxlint_syntax::{Decimal, Kind, Node, Span};

use crate::diff::{Entries, keyed, listed};
use crate::{ChangeKind, Difference};

/// What a document claims and relies on, compared across documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Claims {
    /// The id of the agent.
    pub(crate) agent: Option<Box<str>>,
    /// The number of the version, the same for all its spellings.
    pub(crate) version: Option<Box<str>>,
    /// The number of the version in the document.
    pub(crate) start: ClaimPlace,
    /// Whether the document publishes its version.
    pub(crate) publishes: bool,
    /// Whether the request has a flag that may permit it to edit a published version.
    pub(crate) may_edit_published: bool,
    /// The inbound and the outbound number.
    pub(crate) numbers: [NumberUse; 2],
    /// The settings in the document, by the index of their row, each with a digest of its value.
    pub(crate) written: Vec<(usize, u64)>,
    /// The stored things that the update newly relies on.
    pub(crate) relies: Vec<Reliance>,
    /// The stored things that the update removes.
    pub(crate) removes: Vec<StoredItem>,
    /// What this is, if it is not planned.
    pub(crate) beside: Option<Unplanned>,
}

/// What has claims and is not planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unplanned {
    Document,
    /// A stored configuration that belongs to no document.
    Stored,
}

/// The settings with phone numbers, in the order of [`Claims::numbers`].
pub(crate) const NUMBERS: [&Row; 2] = [inbound_phone_number_id.row, outbound_phone_number_id.row];

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClaimPlace {
    pub(crate) origin: Origin,
    pub(crate) field: String,
    pub(crate) span: Span,
}

/// What a document does with a phone number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberUse {
    /// The number that the request connects, or the empty text with which it detaches one.
    pub(crate) sent: Option<(Name, ClaimPlace)>,
    pub(crate) held: StoredNumber,
}

/// The number that the agent holds before the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum StoredNumber {
    /// None is connected.
    No,
    /// This one is connected.
    Yes(Name),
    /// A published version has this one, but perhaps a later one has another.
    Published(Name),
    /// This one is stored, and it is not known whether it is connected.
    Stored(Name),
    #[default]
    Unknown,
}

impl StoredNumber {
    /// The number, connected or not.
    pub(crate) const fn name(&self) -> Option<&Name> {
        match self {
            Self::Yes(name) | Self::Published(name) | Self::Stored(name) => Some(name),
            Self::No | Self::Unknown => None,
        }
    }
}

/// A name that is compared, and how messages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) raw: Box<str>,
    /// Between backquotes, short, with secrets masked.
    pub(crate) shown: Box<str>,
}

/// Something that a version stores under a name or an id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StoredItem {
    /// The setting.
    pub(crate) setting: &'static str,
    /// The name of an item; empty for the value of the setting itself.
    pub(crate) name: Box<str>,
}

/// Something stored that the update newly relies on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reliance {
    pub(crate) on: StoredItem,
    /// What it is, as a part of a sentence, with secrets masked.
    pub(crate) shown: String,
    pub(crate) at: ClaimPlace,
}

impl Default for ClaimPlace {
    fn default() -> Self {
        Self { origin: Origin::Document, field: String::new(), span: Span::default() }
    }
}

impl ClaimPlace {
    /// The value of a setting, of which a text in a file of its own is shown by its first line.
    fn of(row: &Row, node: Node<'_>, origin: Origin) -> Self {
        let line = node.source().lines().next().unwrap_or_default();
        let span = node.span();
        let span = Span::new(span.start, span.start + line.len() as u32);
        Self { origin, field: format!("/{}", row.name), span }
    }

    /// The name of a setting, or the first line of a text in a file of its own.
    fn of_name(row: &Row, node: Node<'_>, origin: Origin) -> Self {
        let name = node.name().map(Node::span);
        Self {
            span: name.unwrap_or_else(|| Self::of(row, node, origin).span),
            ..Self::of(row, node, origin)
        }
    }
}

impl Claims {
    /// What a document says. `publishes` is whether its update publishes the version.
    pub(super) fn of(document: &Inputs, publishes: bool, mask: &Mask) -> Self {
        let root = document.document.tree().root();
        let number = root.and_then(|root| root.get(version_number.row.name));
        let mut claims = Self {
            agent: agent_id(document).map(String::into_boxed_str),
            version: number_of(document).map(|number| number.canonical().into()),
            start: number.map_or_else(ClaimPlace::default, |node| {
                ClaimPlace::of(version_number.row, node, Origin::Document)
            }),
            publishes,
            ..Self::default()
        };
        for (row, node, _) in written(document) {
            let is_any = |rows: &[&Row]| rows.iter().any(|it| std::ptr::eq(*it, row));
            // A null that clears nothing gives the setting no value.
            let is_nothing = node.kind() == Kind::Null && row.null != Null::Clears;
            if is_any(&[update_deployment.row]) {
                claims.may_edit_published = node.as_bool() != Some(false);
            } else if !is_any(&[version_number.row]) && !is_nothing {
                claims.written.push((row.index, digest(node)));
            }
        }
        for (used, row) in claims.numbers.iter_mut().zip(NUMBERS) {
            let node = root.and_then(|root| root.get(row.name));
            let sent = node.and_then(|node| Some((node.as_str()?, node)));
            used.sent = sent
                .filter(|_| claims.publishes)
                .map(|(id, node)| (name(id, mask), ClaimPlace::of(row, node, Origin::Document)));
        }
        claims
    }

    /// Adds the numbers that the agent holds.
    pub(super) fn add_held(&mut self, states: &States<'_>, mask: &Mask) {
        for (used, row) in self.numbers.iter_mut().zip(NUMBERS) {
            used.held = held(states, row, self.version.as_deref(), mask);
        }
    }

    /// Adds what the stored configuration tells.
    pub(super) fn add_stored(
        &mut self,
        document: &Inputs,
        difference: Option<&Difference>,
        states: &States<'_>,
        mask: &Mask,
    ) {
        self.add_held(states, mask);
        let sent = difference.into_iter().flat_map(|difference| &difference.changes);
        let sent = sent.filter(|change| change.kind != ChangeKind::Repeated);
        let rows = sent.filter_map(|change| settings::TABLE.row(change.field.strip_prefix('/')?));
        let changed: Vec<&'static Row> = rows.collect();
        if changed.is_empty() {
            return;
        }
        for row in &changed {
            self.removes.extend(removed(states.setting(row)));
        }
        self.relies = Relied { document, states, changed: &changed, mask }.all();
    }

    /// Adds the stored things that an update of the document would remove, without planning it.
    pub(super) fn add_removed(&mut self, states: &States<'_>) {
        for row in REMOVABLE {
            let setting = states.setting(row);
            let differs = match (setting.old, setting.new) {
                (StoredSetting::Value(old), Desired::Value(new)) => !is_same(old, new),
                (StoredSetting::Value(_), Desired::Empty) => true,
                _ => false,
            };
            if differs {
                self.removes.extend(removed(setting));
            }
        }
    }
}

/// The settings with things that others may rely on.
const REMOVABLE: [&Row; 5] = [
    agent_functions.row,
    default_dynamic_variables.row,
    stt_fallback_transcriber_id.row,
    llm_fallback_model.row,
    voice_id.row,
];

/// Whether a document says that its version is to be published.
pub(super) fn says_publish(document: &Inputs) -> bool {
    let root = document.document.tree().root();
    let flag = root.and_then(|root| root.get(is_published.row.name));
    flag.and_then(Node::as_bool) == Some(true)
}

/// The settings in a document and in its text files.
fn written(document: &Inputs) -> impl Iterator<Item = (&'static Row, Node<'_>, Origin)> {
    let root = document.document.tree().root();
    let rows = settings::TABLE.rows.iter().copied();
    let own = rows.filter_map(move |row| Some((row, root?.get(row.name)?, Origin::Document)));
    let texts = document.texts.iter().zip(0..);
    own.chain(texts.filter_map(|(text, at)| {
        Some((text.field, text.document.tree().root()?, Origin::Text(at)))
    }))
}

fn name(raw: Cow<'_, str>, mask: &Mask) -> Name {
    Name { shown: shown(&raw, mask).into(), raw: raw.into() }
}

/// A name between backquotes, with secrets masked.
fn shown(raw: &str, mask: &Mask) -> String {
    let mut shown = quote::quote(raw);
    shown = mask.sentence(&shown);
    shown
}

/// The number that the agent holds.
///
/// A number is connected by the update that publishes a version with it. That of a draft may be connected through an earlier
/// version, and that of a published version may have been replaced through a later one.
fn held(
    states: &States<'_>,
    row: &'static Row,
    version: Option<&str>,
    mask: &Mask,
) -> StoredNumber {
    let Setting { old, .. } = states.setting(row);
    let is_live = match states.setting(is_published.row).old {
        StoredSetting::Value(flag) => flag.as_bool(),
        StoredSetting::Unset => Some(false),
        StoredSetting::Unknown => None,
    };
    let named = |node: Node<'_>| node.as_str().map(|id| name(id, mask));
    match (is_live, others_are_published(states, version), old) {
        // The state is that of the agent, and none of its versions is published.
        (None, Some(false), _) if version.is_none() => StoredNumber::No,
        (Some(false), Some(false), _) | (Some(true), Some(false), StoredSetting::Unset) => {
            StoredNumber::No
        }
        (Some(true), Some(false), StoredSetting::Value(node)) => {
            named(node).map_or(StoredNumber::Unknown, StoredNumber::Yes)
        }
        (Some(true), _, StoredSetting::Value(node)) => {
            named(node).map_or(StoredNumber::Unknown, StoredNumber::Published)
        }
        (_, _, StoredSetting::Value(node)) => {
            named(node).map_or(StoredNumber::Unknown, StoredNumber::Stored)
        }
        _ => StoredNumber::Unknown,
    }
}

/// Whether the agent has another published version, if its list of versions tells.
fn others_are_published(states: &States<'_>, version: Option<&str>) -> Option<bool> {
    let list = states.parts.agent?.get(agent::versions.row.name)?;
    let mut others = Some(false);
    let mut is_empty = true;
    for summary in list.elements() {
        is_empty = false;
        let number = stored::number_of(summary).map(Decimal::canonical);
        if number.is_some() && number.as_deref() == version {
            continue;
        }
        let flag = summary.get(is_published.row.name).and_then(Node::as_bool);
        match flag {
            Some(false) => {}
            Some(true) => return Some(true),
            None => others = None,
        }
    }
    others.filter(|_| !is_empty && !list.is_incomplete())
}

/// What a change removes from the version.
fn removed(setting: Setting<'_>) -> Vec<StoredItem> {
    let Setting { row, old, new, .. } = setting;
    let StoredSetting::Value(old) = old else { return Vec::new() };
    let item = |name: String| StoredItem { setting: row.name, name: name.into() };
    let is_any = |rows: &[&Row]| rows.iter().any(|one| std::ptr::eq(*one, row));
    if is_any(&[agent_functions.row, default_dynamic_variables.row]) {
        let names = match new {
            Desired::Value(new) => Entries::between(old, new).map(|entries| entries.removed),
            Desired::Empty | Desired::Omitted => {
                let all = if is_any(&[agent_functions.row]) { listed(old) } else { keyed(old) };
                Some(all.into_iter().map(|(name, _)| name).collect())
            }
        };
        return names.unwrap_or_default().into_iter().map(item).collect();
    }
    let is_id = is_any(&[stt_fallback_transcriber_id.row, llm_fallback_model.row, voice_id.row]);
    if is_id { vec![item(String::new())] } else { Vec::new() }
}

/// Collects what an update newly relies on: what it leaves stored and uses in what it changes.
struct Relied<'a, 's> {
    document: &'a Inputs,
    states: &'a States<'s>,
    changed: &'a [&'static Row],
    mask: &'a Mask,
}

impl Relied<'_, '_> {
    fn all(&self) -> Vec<Reliance> {
        let mut all = self.ids();
        for (row, node, origin) in written(self.document) {
            if !self.changes(row) {
                continue;
            }
            if std::ptr::eq(row, prompt_text.row) || std::ptr::eq(row, system_prompt_text.row) {
                self.functions(row, node, origin, &mut all);
            }
            if voxlint_model::variables::flow::TEMPLATES.iter().any(|it| std::ptr::eq(*it, row)) {
                self.variables(row, node, origin, &mut all);
            }
        }
        all
    }

    fn changes(&self, row: &Row) -> bool {
        self.changed.iter().any(|it| std::ptr::eq(*it, row))
    }

    /// The stored value of a setting that the update leaves alone.
    fn left(&self, row: &'static Row) -> Option<Node<'_>> {
        let Setting { old: StoredSetting::Value(old), new, .. } = self.states.setting(row) else {
            return None;
        };
        matches!(new, Desired::Omitted).then_some(old)
    }

    /// The ids that a switch or another id needs.
    fn ids(&self) -> Vec<Reliance> {
        let pairs: [(&'static Row, &'static Row); 3] = [
            (fallback_stt_enabled.row, stt_fallback_transcriber_id.row),
            (fallback_llm_enabled.row, llm_fallback_model.row),
            (voice_model_id.row, voice_id.row),
        ];
        let needed = pairs.into_iter().filter_map(|(row, id)| {
            let Desired::Value(node) = self.states.setting(row).new else { return None };
            if !self.changes(row) || node.as_bool() == Some(false) {
                return None;
            }
            let value = self.left(id)?.as_str()?;
            Some(Reliance {
                on: StoredItem { setting: id.name, name: Box::default() },
                shown: format!("the stored `{}` {}", id.name, shown(&value, self.mask)),
                at: ClaimPlace::of_name(row, node, Origin::Document),
            })
        });
        needed.collect()
    }

    /// The stored functions that a prompt names.
    fn functions(
        &self,
        row: &'static Row,
        node: Node<'_>,
        origin: Origin,
        all: &mut Vec<Reliance>,
    ) {
        let (Some(functions), Some(text)) = (self.left(agent_functions.row), node.text()) else {
            return;
        };
        for function in functions.elements() {
            let name = function.get(agent_function::displayName.row.name).and_then(Node::as_str);
            let Some(name) = name.filter(|name| is_telling(name)) else { continue };
            let Some(start) = word_in(text.as_str(), &name) else { continue };
            all.push(Reliance {
                on: StoredItem { setting: agent_functions.row.name, name: name.as_ref().into() },
                shown: format!("the function {}", shown(&name, self.mask)),
                at: ClaimPlace {
                    span: text.to_source(start..start + name.len()),
                    ..ClaimPlace::of(row, node, origin)
                },
            });
        }
    }

    /// The stored defaults of the variables that a template uses.
    fn variables(
        &self,
        row: &'static Row,
        node: Node<'_>,
        origin: Origin,
        all: &mut Vec<Reliance>,
    ) {
        let (Some(defaults), Some(text)) = (self.left(default_dynamic_variables.row), node.text())
        else {
            return;
        };
        let mut flow = VariableFlow::default();
        flow.parse(row, node, &voxlint_model::place::Place::of(origin, node));
        for variable in flow.variables() {
            let Some(first) =
                variable.uses.first().filter(|_| defaults.get(&variable.name).is_some())
            else {
                continue;
            };
            let Part::Decoded(range) = first.place().part else { continue };
            all.push(Reliance {
                on: StoredItem {
                    setting: default_dynamic_variables.row.name,
                    name: variable.name.clone(),
                },
                shown: format!("the default of {}", shown(&variable.name, self.mask)),
                at: ClaimPlace { span: text.to_source(range), ..ClaimPlace::of(row, node, origin) },
            });
        }
    }
}

/// Whether a name can hardly be a word of a prompt: it has an underscore, or capitals after its first letter.
fn is_telling(name: &str) -> bool {
    name.contains('_') || name.chars().skip(1).any(char::is_uppercase)
}

/// Where a text has a name that is not a part of a longer one.
fn word_in(text: &str, name: &str) -> Option<usize> {
    let mut places = text.match_indices(name).map(|(at, _)| at);
    places.find(|at| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|text| text.chars().next());
        ![before, after].into_iter().flatten().any(is_word_character)
    })
}

pub(super) fn agent_id(document: &Inputs) -> Option<String> {
    let stored = || Some(document.stored.as_ref()?.agent_id()?.into_owned());
    document.agent_id.as_deref().map(str::to_owned).or_else(stored)
}

/// A setting in the document, or else the stored one.
pub(super) fn setting_of<'a>(document: &'a Inputs, row: &Row) -> Option<Node<'a>> {
    let written = document.document.tree().root().and_then(|root| root.get(row.name));
    let stored = || document.stored.as_ref()?.parts().version?.get(row.name);
    written.or_else(stored)
}

/// The number of the version: the document's, or else the stored one.
pub(super) fn number_node(document: &Inputs) -> Option<Node<'_>> {
    let of = |node: Option<Node<'_>>| -> bool { node.and_then(Node::decimal).is_some() };
    let name = version_number.row.name;
    let written = document.document.tree().root().and_then(|root| root.get(name));
    let stored = || document.stored.as_ref()?.parts().version?.get(name);
    if of(written) { written } else { stored().filter(|node| of(Some(*node))) }
}

/// The number of the version.
fn number_of(document: &Inputs) -> Option<Decimal<'_>> {
    number_node(document)?.decimal()
}

pub(super) fn shown_version(document: &Inputs) -> Option<String> {
    let number = setting_of(document, version_number.row)?;
    Some(quote::excerpt(number.decimal().map_or(number.source(), |number| number.literal())))
}
