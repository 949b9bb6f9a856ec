//! What is sent, setting by setting.

use std::borrow::Cow;
use std::collections::BTreeSet;

use voxlint_schema::settings::{
    agent_background, agent_identity, is_published, postcall_analysis, update_deployment,
    version_number, voice_id, voice_model_id,
};
use voxlint_schema::{DocumentKind, Null, Row, Shape, settings};
use voxlint_syntax::{Member, Node};

use super::kind::kind;
use super::same::{is_same, members};
use super::setting::{Setting, Sides, Wanted, is, is_phone_number};
use super::{CannotUnset, ChangeKind, Difference, FieldChange, items, words};
use crate::engine::effective::{Effective, StoredSetting};
use crate::engine::settings_object::SettingsObject;
use crate::json::Json;
use crate::{DiffInputs, Document, Inputs, Origin};

/// What becomes of a setting.
enum Decision<'a> {
    Keep,
    Send(Json<'a>),
    /// It cannot be unset.
    CannotUnset(Node<'a>),
    /// It would have to be unset, and nobody knows whether it is set.
    LeaveAlone,
}

struct Plan<'a> {
    sides: Sides<'a>,
    partial: bool,
    number: Node<'a>,
    members: Vec<(&'static Row, Json<'a>)>,
    left_alone: Vec<Setting<'a>>,
    difference: Difference,
}

/// The difference without its check.
pub(super) fn plan(inputs: &DiffInputs, number: Node<'_>) -> Difference {
    let DiffInputs { old, new, partial, texts, .. } = inputs;
    // What is stored for a version is what an update that names it and nothing else leaves alone.
    let name = version_number.row.name;
    let named =
        format!("{{\"{name}\": {}}}", number.decimal().map_or("null", |number| number.literal()));
    let named = Inputs::new(Document::parse(named)).stored(old.clone());
    let sides = Sides {
        held: Effective::new(DocumentKind::Update, &named),
        parts: old.parts(),
        wanted: SettingsObject::of(new.tree().root(), Origin::Document).with_texts(texts),
    };

    let difference = Difference {
        update: None,
        changes: Vec::new(),
        cannot_unset: Vec::new(),
        notes: Vec::new(),
        report: None,
    };
    let mut plan = Plan {
        sides,
        partial: *partial,
        number,
        members: Vec::new(),
        left_alone: Vec::new(),
        difference,
    };
    for row in settings::TABLE.rows.iter().copied().filter(|row| is_compared(row)) {
        plan.add(plan.sides.setting(row));
    }
    plan.say_what_is_required();
    plan.remark_on_left_alone();
    plan.remark_on_strangers(new);
    plan.finish()
}

impl<'a> Plan<'a> {
    fn add(&mut self, setting: Setting<'a>) {
        let Setting { row, old, new, .. } = setting;
        let takes_recommended = is(row, voice_model_id.row) && self.sends(voice_id.row);
        match self.decide(setting) {
            Decision::Keep => self.keep(setting),
            Decision::Send(json) => {
                let kind = kind(&setting, &self.sides);
                self.send(setting, kind, json);
                self.remark_on_dropped(row, old, new);
            }
            Decision::CannotUnset(node) if takes_recommended => {
                self.difference.notes.push(words::new_model(node));
            }
            Decision::CannotUnset(node) => self.difference.cannot_unset.push(CannotUnset {
                field: format!("/{}", row.name),
                value: words::excerpt(node),
                sentence: words::stays(row, node),
            }),
            Decision::LeaveAlone if takes_recommended => {}
            Decision::LeaveAlone => self.left_alone.push(setting),
        }
    }

    fn decide(&self, setting: Setting<'a>) -> Decision<'a> {
        let Setting { row, old, new, is_agents } = setting;
        match (old, new) {
            // Whether a version is published is its state, and nothing to be unset.
            (_, Wanted::Omitted) if self.partial || is(row, is_published.row) => Decision::Keep,
            // That it is a draft changes nothing where it is one, and is refused where it is none.
            (StoredSetting::Unknown, Wanted::Empty) if is(row, is_published.row) => Decision::Keep,
            (StoredSetting::Unset, Wanted::Omitted | Wanted::Empty) => Decision::Keep,
            (StoredSetting::Value(_), Wanted::Omitted) if is_agents => Decision::Keep,
            (StoredSetting::Unknown, Wanted::Omitted) => Decision::LeaveAlone,
            (StoredSetting::Value(old), Wanted::Value(new)) if is_same(old, new) => Decision::Keep,
            (_, Wanted::Value(new)) => Decision::Send(Json::Node(new)),
            (old, Wanted::Omitted | Wanted::Empty) => match (cleared(row), old) {
                (Some(json), _) => Decision::Send(json),
                (None, StoredSetting::Value(node)) => Decision::CannotUnset(node),
                (None, StoredSetting::Unknown) => Decision::LeaveAlone,
                (None, StoredSetting::Unset) => Decision::Keep,
            },
        }
    }

    /// A setting that nothing is to happen to may have to be said again, or may be hit by what happens to another.
    fn keep(&mut self, setting: Setting<'a>) {
        let Setting { row, old: StoredSetting::Value(old), new, .. } = setting else { return };
        let is_at_stake = if is(row, voice_model_id.row) {
            self.sends(voice_id.row)
        } else {
            is_phone_number(row) && self.publishes()
        };
        match new {
            Wanted::Value(new) if is_at_stake => {
                self.send(setting, ChangeKind::Repeated, Json::Node(new));
            }
            Wanted::Omitted if is_at_stake && is_phone_number(row) => {
                self.difference.notes.push(words::not_claimed(row, old));
            }
            Wanted::Omitted if is_at_stake => {
                self.difference.notes.push(words::new_model(old));
            }
            _ => {}
        }
    }

    fn send(&mut self, setting: Setting<'a>, kind: ChangeKind, json: Json<'a>) {
        let Setting { row, old, new, .. } = setting;
        self.members.push((row, json));
        self.difference.changes.push(FieldChange {
            field: format!("/{}", row.name),
            kind,
            old: if let StoredSetting::Value(node) = old {
                Some(words::excerpt(node))
            } else {
                None
            },
            new: if let Wanted::Value(node) = new { Some(words::excerpt(node)) } else { None },
            sentence: words::sentence(setting, kind, self.number),
        });
    }

    /// A conversational flow agent is said to require its identity and its background with every update.
    fn say_what_is_required(&mut self) {
        if self.members.is_empty() || self.sides.held.is_flow_agent() != Some(true) {
            return;
        }
        for row in [agent_identity.row, agent_background.row] {
            let setting = self.sides.setting(row);
            let value = match (setting.old, setting.new) {
                _ if self.sends(row) => continue,
                (_, Wanted::Value(node)) | (StoredSetting::Value(node), _) => node,
                _ => continue,
            };
            self.send(setting, ChangeKind::Repeated, Json::Node(value));
        }
        self.members.sort_by_key(|(row, _)| row.index);
    }

    fn sends(&self, row: &Row) -> bool {
        self.members.iter().any(|(sent, _)| is(sent, row))
    }

    fn publishes(&self) -> bool {
        self.difference.changes.iter().any(|change| change.kind == ChangeKind::Publishing)
    }

    /// Whether the service replaces an object or merges it with the stored one is not described.
    fn remark_on_dropped(&mut self, row: &'static Row, old: StoredSetting<'a>, new: Wanted<'a>) {
        let (Shape::Map(_), StoredSetting::Value(old)) = (row.shape, old) else { return };
        let mut dropped = members(old);
        if let Wanted::Value(new) = new {
            let kept: BTreeSet<Cow<'_, str>> = new.members().map(Member::name).collect();
            dropped.retain(|name, _| !kept.contains(name));
        }
        if !dropped.is_empty() {
            let names: Vec<Cow<'_, str>> = dropped.into_keys().collect();
            self.difference.notes.push(words::may_stay(row, &items::named(&names)));
        }
    }

    /// What may be set and is not wanted: what would be worst to lose first, then what the service judges again with every
    /// update, then the others in the order of the table.
    fn remark_on_left_alone(&mut self) {
        let Self { sides, left_alone, difference, .. } = self;
        left_alone.sort_by_cached_key(|setting| (kind(setting, sides), !setting.row.revalidated));
        let names: Vec<&str> = left_alone.iter().map(|setting| setting.row.name).collect();
        if !names.is_empty() {
            difference.notes.push(words::left_alone(&names));
        }
    }

    /// What is wanted and is no setting.
    fn remark_on_strangers(&mut self, new: &Document) {
        let Some(root) = new.tree().root() else { return };
        if root.get(update_deployment.row.name).is_some() {
            self.difference.notes.push(words::flag_of_one_request());
        }
        let strangers: Vec<Cow<'_, str>> =
            members(root).into_keys().filter(|name| settings::TABLE.row(name).is_none()).collect();
        if !strangers.is_empty() {
            self.difference.notes.push(words::strangers(&strangers));
        }
    }

    fn finish(self) -> Difference {
        let Self { number, members, mut difference, .. } = self;
        difference.changes.sort_by_key(|change| change.kind);
        if !members.is_empty() {
            let number = (version_number.row.name.into(), Json::Node(number));
            let members = members.into_iter().map(|(row, json)| (row.name.into(), json));
            let update = Json::Object(std::iter::once(number).chain(members).collect());
            difference.update = Some(update.pretty());
        }
        difference
    }
}

/// How an update unsets a setting, where it can.
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

/// Whether a row is one that two states of a version can differ in.
fn is_compared(row: &Row) -> bool {
    // The first selects the version, the second is a flag of one request, and the third is another name.
    ![version_number.row, update_deployment.row, postcall_analysis.row]
        .into_iter()
        .any(|not| is(row, not))
}
