//! Decides for each setting what the update sends.

use std::borrow::Cow;
use std::collections::BTreeSet;

use voxlint_engine::states::{
    Decision, Desired, Setting, States, is, is_compared, is_phone_number, version_of,
};
use voxlint_model::effective::StoredSetting;
use voxlint_model::equality::fields;
use voxlint_model::json::Json;
use voxlint_model::{DiffInputs, Document};
use voxlint_schema::settings::{
    agent_background, agent_identity, update_deployment, version_number, voice_id, voice_model_id,
};
use voxlint_schema::{Row, Shape, settings};
use voxlint_syntax::{Member, Node};

use super::classify::classify;
use super::consequences::mark_switched_off;
use super::difference::{CannotUnset, ChangeKind, Difference, FieldChange};
use super::{entries, sentences};
use crate::ChangedTexts;

struct Plan<'a> {
    states: States<'a>,
    is_complete: bool,
    number: Node<'a>,
    members: Vec<(&'static Row, Json<'a>)>,
    left_unchanged: Vec<Setting<'a>>,
    difference: Difference,
}

/// The difference without its check.
pub(super) fn plan(inputs: &DiffInputs, number: Node<'_>) -> Difference {
    let DiffInputs { old, new, is_complete, texts, .. } = inputs;
    let named = version_of(old, number);
    let states = States::new(old, &named, new, texts);

    let mut plan = Plan {
        states,
        is_complete: *is_complete,
        number,
        members: Vec::new(),
        left_unchanged: Vec::new(),
        difference: Difference::default(),
    };
    for row in settings::TABLE.rows.iter().copied().filter(|row| is_compared(row)) {
        plan.add(plan.states.setting(row));
    }
    plan.repeat_required();
    plan.remark_on_left_unchanged();
    plan.remark_on_unknown_fields(new);
    plan.finish()
}

impl<'a> Plan<'a> {
    fn add(&mut self, setting: Setting<'a>) {
        let Setting { row, old, new, .. } = setting;
        let takes_recommended = is(row, voice_model_id.row) && self.sends(voice_id.row);
        match setting.decision(self.is_complete) {
            Decision::Keep => self.keep(setting),
            Decision::Send(json) => {
                let kind = classify(&setting, &self.states);
                self.send(setting, kind, json);
                self.remark_on_dropped(row, old, new);
            }
            Decision::CannotUnset(node) if takes_recommended => {
                self.difference.notes.push(sentences::new_model(node));
            }
            Decision::CannotUnset(node) => self.difference.cannot_unset.push(CannotUnset {
                field: format!("/{}", row.name),
                value: sentences::excerpt(node),
                sentence: sentences::cannot_unset(row, node),
            }),
            Decision::LeaveUnchanged if takes_recommended => {}
            Decision::LeaveUnchanged => self.left_unchanged.push(setting),
        }
    }

    /// An unchanged setting may have to be sent again, or may be affected by a change of another.
    fn keep(&mut self, setting: Setting<'a>) {
        let Setting { row, old: StoredSetting::Value(old), new, .. } = setting else { return };
        let is_at_stake = if is(row, voice_model_id.row) {
            self.sends(voice_id.row)
        } else {
            is_phone_number(row) && self.difference.publishes()
        };
        match new {
            Desired::Value(new) if is_at_stake => {
                self.send(setting, ChangeKind::Repeated, Json::Node(new));
            }
            Desired::Omitted if is_at_stake && is_phone_number(row) => {
                self.difference.notes.push(sentences::not_claimed(row, old));
            }
            Desired::Omitted if is_at_stake => {
                self.difference.notes.push(sentences::new_model(old));
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
            old: old.value().map(sentences::excerpt),
            new: new.value().map(sentences::excerpt),
            sentence: sentences::sentence(setting, kind, self.number),
            texts: long_texts(setting),
            spelled: sentences::short_texts(old, new),
        });
    }

    /// A conversational flow agent requires its identity and its background in every update.
    fn repeat_required(&mut self) {
        if self.members.is_empty() || self.states.stored.is_flow_agent() != Some(true) {
            return;
        }
        for row in [agent_identity.row, agent_background.row] {
            let setting = self.states.setting(row);
            let value = match (setting.old, setting.new) {
                _ if self.sends(row) => continue,
                (_, Desired::Value(node)) | (StoredSetting::Value(node), _) => node,
                _ => continue,
            };
            self.send(setting, ChangeKind::Repeated, Json::Node(value));
        }
        self.members.sort_by_key(|(row, _)| row.index);
    }

    fn sends(&self, row: &Row) -> bool {
        self.members.iter().any(|(sent, _)| is(sent, row))
    }

    /// The description does not say whether the service replaces an object or merges it with the stored one.
    fn remark_on_dropped(&mut self, row: &'static Row, old: StoredSetting<'a>, new: Desired<'a>) {
        let (Shape::Map(_), StoredSetting::Value(old)) = (row.shape, old) else { return };
        let mut dropped = fields(old);
        if let Desired::Value(new) = new {
            let kept: BTreeSet<Cow<'_, str>> = new.members().map(Member::name).collect();
            dropped.retain(|name, _| !kept.contains(name));
        }
        if !dropped.is_empty() {
            let names: Vec<Cow<'_, str>> = dropped.into_keys().collect();
            self.difference.notes.push(sentences::may_keep_fields(row, &entries::named(&names)));
        }
    }

    /// Settings that may be set and are not desired: those that would be worst to lose first, then those that the service
    /// revalidates with every update, then the others in the order of the table.
    fn remark_on_left_unchanged(&mut self) {
        let Self { states, left_unchanged, difference, .. } = self;
        left_unchanged
            .sort_by_cached_key(|setting| (classify(setting, states), !setting.row.revalidated));
        let names: Vec<&str> = left_unchanged.iter().map(|setting| setting.row.name).collect();
        if !names.is_empty() {
            difference.notes.push(sentences::left_unchanged(&names));
        }
    }

    /// Fields of the desired document that are not settings.
    fn remark_on_unknown_fields(&mut self, new: &Document) {
        let Some(root) = new.tree().root() else { return };
        if self.is_complete && root.get(update_deployment.row.name).is_some() {
            self.difference.notes.push(sentences::flag_of_one_request());
        }
        let unknown_fields: Vec<Cow<'_, str>> =
            fields(root).into_keys().filter(|name| settings::TABLE.row(name).is_none()).collect();
        if !unknown_fields.is_empty() {
            self.difference.notes.push(sentences::unknown_fields(&unknown_fields));
        }
    }

    fn finish(self) -> Difference {
        let Self { number, members, mut difference, states, is_complete, .. } = self;
        for change in &mut difference.changes {
            mark_switched_off(change, &states, is_complete);
        }
        let numbers = [ChangeKind::NumberMoved, ChangeKind::NumberDetached];
        let publishes = difference.publishes();
        for change in difference.changes.iter_mut().filter(|it| numbers.contains(&it.kind)) {
            if !publishes {
                change
                    .sentence
                    .push_str(", which live calls do not use before an update publishes it");
            }
        }
        difference.changes.sort_by_key(|change| change.kind);
        if !members.is_empty() {
            let number = (version_number.row.name.into(), Json::Node(number));
            let flag = states.desired.member(update_deployment.row);
            let flag = flag.filter(|_| !is_complete);
            let flag = flag.map(|flag| (update_deployment.row, Json::Node(flag)));
            let members = members.into_iter().chain(flag);
            let members = members.map(|(row, json)| (row.name.into(), json));
            let update = Json::Object(std::iter::once(number).chain(members).collect());
            difference.update = Some(update.pretty());
        }
        difference
    }
}

/// The old and the new text, if one of them is too long for a sentence. A text that is not set is empty; one that is not
/// known cannot be compared.
fn long_texts(setting: Setting<'_>) -> Option<ChangedTexts> {
    let text = |node: Option<Node<'_>>| -> Option<String> {
        node.map_or_else(|| Some(String::new()), |node| node.as_str().map(Cow::into_owned))
    };
    let (old, new) = (text(setting.old.known()?)?, text(setting.new.value())?);
    let is_long = sentences::is_long(&old) || sentences::is_long(&new);
    is_long.then(|| ChangedTexts::new(old, new))
}
