//! The settings on both states: their stored and their desired values, and what an update sends of them.

use voxlint_model::effective::settings_object::SettingsObject;
use voxlint_model::effective::{Effective, StoredSetting};
use voxlint_model::equality::{Side, is_same};
use voxlint_model::json::Json;
use voxlint_model::stored::Parts;
use voxlint_model::{Document, Inputs, Origin, Stored, TextFile};
use voxlint_schema::settings::{
    TABLE, folder_id, inbound_phone_number_id, is_published, outbound_phone_number_id,
    post_call_analysis, postcall_analysis, timezone, update_deployment, version_number, webhook_id,
};
use voxlint_schema::{DocumentKind, Null, Row, Shape};
use voxlint_syntax::{Kind, Node};

/// The desired value of a setting.
#[derive(Clone, Copy, Debug)]
pub enum Desired<'a> {
    /// This value.
    Value(Node<'a>),
    /// A value that unsets the setting.
    Empty,
    /// The field is left out.
    Omitted,
}

impl<'a> Desired<'a> {
    /// The desired value, if there is one.
    pub const fn value(self) -> Option<Node<'a>> {
        if let Self::Value(node) = self { Some(node) } else { None }
    }
}

/// One setting on both states.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The setting.
    pub row: &'static Row,
    /// The stored value.
    pub old: StoredSetting<'a>,
    /// The desired value.
    pub new: Desired<'a>,
    /// Whether the stored value is the agent's, so that the version cannot unset it.
    pub is_agents: bool,
}

/// The stored configuration and the desired settings.
#[derive(Debug)]
pub struct States<'a> {
    /// The stored settings of the version.
    pub stored: Effective<'a>,
    /// The parts of the stored configuration.
    pub parts: Parts<'a>,
    /// The desired settings.
    pub desired: SettingsObject<'a>,
}

/// The number of the version that an update is for: the document's, or else the stored one.
pub fn version_number_of(update: &Inputs) -> Option<Node<'_>> {
    let stored = update.stored.as_ref().and_then(|stored| stored.parts().version);
    let mut parts = [update.document.tree().root(), stored].into_iter().flatten();
    parts.find_map(|part| part.get(version_number.row.name).filter(|it| it.decimal().is_some()))
}

/// The inputs of an update with nothing but a version number: its effective configuration has the stored settings of that
/// version.
pub fn version_of(stored: &Stored, number: Node<'_>) -> Inputs {
    let name = version_number.row.name;
    let number = number.decimal().map_or("null", |number| number.literal());
    Inputs::new(Document::parse(format!("{{\"{name}\": {number}}}"))).stored(stored.clone())
}

impl<'a> States<'a> {
    /// The state in `stored`, whose version is that of `named`, and the one in `new`.
    pub fn new(
        stored: &'a Stored,
        named: &'a Inputs,
        new: &'a Document,
        texts: &'a [TextFile],
    ) -> Self {
        Self {
            stored: named.effective(DocumentKind::Update),
            parts: stored.parts(),
            desired: SettingsObject::of(new.tree().root(), Origin::Document).with_texts(texts),
        }
    }

    /// The stored and the desired value of a setting.
    pub fn setting(&self, row: &'static Row) -> Setting<'a> {
        if is(row, post_call_analysis.row) {
            return self.analysis();
        }
        let of_agent = self.parts.agent.and_then(|agent| agent.get(row.name));
        let old = match (self.stored_in(row), of_agent) {
            // The agent has some of the settings as well.
            (StoredSetting::Unset | StoredSetting::Unknown, Some(node))
                if self.is_stored_in_agent(row) =>
            {
                if node.kind() == Kind::Null {
                    StoredSetting::Unset
                } else {
                    StoredSetting::Value(node)
                }
            }
            (known, _) => known,
        };
        let is_agents = matches!(old, StoredSetting::Value(node) if Some(node) == of_agent);
        Setting { row, old, new: self.desired_in(row), is_agents }
    }

    /// The analysis has two names. The first one with a value counts.
    fn analysis(&self) -> Setting<'a> {
        let rows = [post_call_analysis.row, postcall_analysis.row];
        let olds = rows.map(|row| (row, self.stored_in(row)));
        let news = rows.map(|row| (row, self.desired_in(row)));
        let old = olds
            .into_iter()
            .find(|(_, old)| matches!(old, StoredSetting::Value(_)))
            .or_else(|| olds.into_iter().find(|(_, old)| *old == StoredSetting::Unset));
        let new = news
            .into_iter()
            .find(|(_, new)| matches!(new, Desired::Value(_)))
            .or_else(|| news.into_iter().find(|(_, new)| matches!(new, Desired::Empty)));
        let named = new.map(|(row, _)| row).or(old.map(|(row, _)| row));
        Setting {
            row: named.unwrap_or(post_call_analysis.row),
            old: old.map_or(StoredSetting::Unknown, |(_, old)| old),
            new: new.map_or(Desired::Omitted, |(_, new)| new),
            is_agents: false,
        }
    }

    /// Whether the agent has the setting as well (2.1) and the stored settings do not.
    fn is_stored_in_agent(&self, row: &Row) -> bool {
        let says = |part: Node<'_>| part.get(row.name).is_some();
        [folder_id.row, timezone.row, webhook_id.row].iter().any(|one| is(row, one))
            && !self.parts.version.is_some_and(says)
    }

    fn stored_in(&self, row: &'static Row) -> StoredSetting<'a> {
        match self.stored.stored_setting(row) {
            StoredSetting::Value(node) if is_empty(row, node) => StoredSetting::Unset,
            held => held,
        }
    }

    fn desired_in(&self, row: &'static Row) -> Desired<'a> {
        match self.desired.member(row) {
            Some(node) if is(row, is_published.row) && node.kind() == Kind::Null => {
                Desired::Omitted
            }
            Some(node) if is_empty(row, node) => Desired::Empty,
            Some(node) => Desired::Value(node),
            None => Desired::Omitted,
        }
    }

    /// Whether a flag is true after the update, as far as that is known. A flag that is not set is false.
    pub fn is_on_afterwards(&self, row: &'static Row) -> Option<bool> {
        let Setting { old, new, .. } = self.setting(row);
        match (old, new) {
            (_, Desired::Value(node)) | (StoredSetting::Value(node), _) => node.as_bool(),
            (StoredSetting::Unset, _) => Some(false),
            (StoredSetting::Unknown, _) => None,
        }
    }
}

/// A setting in three states, each `None` where it is not known.
#[derive(Clone, Copy, Debug)]
pub struct ThreeWay<'a> {
    /// The setting.
    pub row: &'static Row,
    /// The value that the repository last knew.
    pub base: Option<Side<'a>>,
    /// The stored value.
    pub stored: Option<Side<'a>>,
    /// What the document says; `None` if it omits the setting.
    pub desired: Option<Side<'a>>,
}

/// A document, the stored configuration and the one that the repository last knew, for one version.
#[derive(Debug)]
pub struct ThreeStates<'i> {
    document: &'i Inputs,
    stored: (&'i Stored, Inputs),
    base: Option<(&'i Stored, Inputs)>,
}

impl<'i> ThreeStates<'i> {
    /// `None` without a stored configuration, or if neither it nor the document has a version.
    pub fn of(document: &'i Inputs, base: Option<&'i Stored>) -> Option<Self> {
        let (stored, number) = (document.stored.as_ref()?, version_number_of(document)?);
        let named = |stored: &'i Stored| (stored, version_of(stored, number));
        Some(Self { document, stored: named(stored), base: base.map(named) })
    }

    fn states<'s>(&'s self, (stored, named): &'s (&'i Stored, Inputs)) -> States<'s> {
        States::new(stored, named, &self.document.document, &self.document.texts)
    }

    /// All settings that can differ, in the service's order.
    pub fn settings(&self) -> impl Iterator<Item = ThreeWay<'_>> {
        let (now, before) =
            (self.states(&self.stored), self.base.as_ref().map(|it| self.states(it)));
        let rows = TABLE.rows.iter().copied().filter(|row| is_compared(row));
        rows.map(move |row| {
            let setting = now.setting(row);
            ThreeWay {
                row: setting.row,
                base: before.as_ref().and_then(|before| before.setting(row).old.known()),
                stored: setting.old.known(),
                desired: match setting.new {
                    Desired::Omitted => None,
                    desired => Some(desired.value()),
                },
            }
        })
    }
}

/// Whether a value means that the setting is not set.
fn is_empty(row: &Row, node: Node<'_>) -> bool {
    match node.kind() {
        Kind::Null => true,
        Kind::Array => matches!(row.shape, Shape::List(_)) && node.elements().next().is_none(),
        Kind::Object => matches!(row.shape, Shape::Map(_)) && node.members().next().is_none(),
        Kind::String => is_phone_number(row) && node.as_str().is_some_and(|id| id.is_empty()),
        Kind::Bool => is(row, is_published.row) && node.as_bool() == Some(false),
        Kind::Number | Kind::Key | Kind::Invalid => false,
    }
}

/// Whether two states of a version can differ in a row.
pub fn is_compared(row: &Row) -> bool {
    // The first selects the version, the second only applies to one request, and the third is a second name.
    ![version_number.row, update_deployment.row, postcall_analysis.row]
        .into_iter()
        .any(|not| is(row, not))
}

/// Whether a setting is a telephone number.
pub fn is_phone_number(row: &Row) -> bool {
    is(row, inbound_phone_number_id.row) || is(row, outbound_phone_number_id.row)
}

/// Whether two rows are the same.
pub fn is(row: &Row, other: &Row) -> bool {
    std::ptr::eq(row, other)
}

/// The decision about a setting.
pub enum Decision<'a> {
    /// Leave it out.
    Keep,
    /// Send this value.
    Send(Json<'a>),
    /// It cannot be unset.
    CannotUnset(Node<'a>),
    /// It would have to be unset, but it is not known whether it is set.
    LeaveUnchanged,
}

impl<'a> Setting<'a> {
    /// What an update sends of the setting. `is_complete` is whether the desired settings have all that shall be set.
    pub fn decision(self, is_complete: bool) -> Decision<'a> {
        let Self { row, old, new, is_agents } = self;
        match (old, new) {
            // Whether a version is published is its state, which cannot be unset.
            (_, Desired::Omitted) if !is_complete || is(row, is_published.row) => Decision::Keep,
            // For a draft, `is_published: false` changes nothing. For a published version it is rejected.
            (StoredSetting::Unknown, Desired::Empty) if is(row, is_published.row) => Decision::Keep,
            (StoredSetting::Unset, Desired::Omitted | Desired::Empty) => Decision::Keep,
            (StoredSetting::Value(_), Desired::Omitted) if is_agents => Decision::Keep,
            (StoredSetting::Unknown, Desired::Omitted) => Decision::LeaveUnchanged,
            (StoredSetting::Value(old), Desired::Value(new)) if is_same(old, new) => Decision::Keep,
            (_, Desired::Value(new)) => Decision::Send(Json::Node(new)),
            (old, Desired::Omitted | Desired::Empty) => match (cleared(row), old) {
                (Some(json), _) => Decision::Send(json),
                (None, StoredSetting::Value(node)) => Decision::CannotUnset(node),
                (None, StoredSetting::Unknown) => Decision::LeaveUnchanged,
                (None, StoredSetting::Unset) => Decision::Keep,
            },
        }
    }
}

/// The value with which an update unsets a setting, if it can.
fn cleared(row: &Row) -> Option<Json<'static>> {
    match row.shape {
        _ if is_phone_number(row) => Some(Json::Text("".into())),
        _ if is(row, is_published.row) => Some(Json::Flag(false)),
        Shape::List(_) => Some(Json::List(Vec::new())),
        Shape::Map(_) => Some(Json::Object(Vec::new())),
        _ if row.null == Null::Clears => Some(Json::Null),
        _ => None,
    }
}
