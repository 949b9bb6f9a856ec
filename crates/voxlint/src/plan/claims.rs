//! What the plans of other documents need to know of one document.

use std::borrow::Cow;

use voxlint_engine::states::{Setting, States, version_number_of};
use voxlint_model::effective::StoredSetting;
use voxlint_model::equality::digest;
use voxlint_model::masking::Mask;
use voxlint_model::{Inputs, quote, stored};
use voxlint_schema::settings::{
    inbound_phone_number_id, is_published, outbound_phone_number_id, update_deployment,
    version_number,
};
use voxlint_schema::{Null, Row, agent, settings};
use voxlint_syntax::{Decimal, Kind, Node, Span};

/// What a document claims, compared across documents.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClaimPlace {
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

impl ClaimPlace {
    /// The value of a setting.
    fn of(row: &Row, node: Node<'_>) -> Self {
        Self { field: format!("/{}", row.name), span: node.span() }
    }
}

impl Claims {
    /// What a document says. `publishes` is whether its update publishes the version.
    pub(super) fn of(document: &Inputs, publishes: bool, mask: &Mask) -> Self {
        let root = document.document.tree().root();
        let number = root.and_then(|root| root.get(version_number.row.name));
        let mut claims = Self {
            agent: agent_id(document).map(String::into_boxed_str),
            version: version_number_of(document)
                .and_then(|number| Some(number.decimal()?.canonical().into())),
            start: number
                .map_or_else(ClaimPlace::default, |node| ClaimPlace::of(version_number.row, node)),
            publishes,
            ..Self::default()
        };
        for (row, node) in written(document) {
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
                .map(|(id, node)| (name(id, mask), ClaimPlace::of(row, node)));
        }
        claims
    }

    /// Adds the numbers that the agent holds.
    pub(super) fn add_held(&mut self, states: &States<'_>, mask: &Mask) {
        for (used, row) in self.numbers.iter_mut().zip(NUMBERS) {
            used.held = held(states, row, self.version.as_deref(), mask);
        }
    }
}

/// Whether a document says that its version is to be published.
pub(super) fn says_publish(document: &Inputs) -> bool {
    let root = document.document.tree().root();
    let flag = root.and_then(|root| root.get(is_published.row.name));
    flag.and_then(Node::as_bool) == Some(true)
}

/// The settings in a document and in its text files.
fn written(document: &Inputs) -> impl Iterator<Item = (&'static Row, Node<'_>)> {
    let root = document.document.tree().root();
    let rows = settings::TABLE.rows.iter().copied();
    let own = rows.filter_map(move |row| Some((row, root?.get(row.name)?)));
    let texts = document.texts.iter();
    own.chain(texts.filter_map(|text| Some((text.field, text.document.tree().root()?))))
}

fn name(raw: Cow<'_, str>, mask: &Mask) -> Name {
    Name { shown: mask.sentence(&quote::quote(&raw)).into(), raw: raw.into() }
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

pub(super) fn shown_version(document: &Inputs) -> Option<String> {
    let number = setting_of(document, version_number.row)?;
    Some(quote::excerpt(number.decimal().map_or(number.source(), |number| number.literal())))
}
