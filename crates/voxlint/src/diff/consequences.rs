//! What a change means beyond its own setting: destinations of transfers, and settings that take no effect any more.

use std::collections::BTreeSet;

use voxlint_engine::states::{Desired, States};
use voxlint_model::effective::StoredSetting;
use voxlint_model::equality::are_same;
use voxlint_model::quote;
use voxlint_model::text::address::{each_address, is_identifier};
use voxlint_model::text::destinations::destinations;
use voxlint_rules::WITHOUT_EFFECT;
use voxlint_rules::without_effect::is_neutral;
use voxlint_schema::settings::{agent_function, default_dynamic_variables};
use voxlint_schema::{Row, settings};
use voxlint_syntax::{Kind, Node};

use super::difference::ChangeKind;
use super::entries::{self, side_by_side};
use crate::FieldChange;

/// The type of a function that transfers calls.
const TRANSFER: &str = "call_transfer";

/// The transfer destinations in an object of default variables, without those that are empty.
pub(super) fn destinations_in(variables: Node<'_>) -> Vec<String> {
    let row = default_dynamic_variables::agent_transfer_destinations.row;
    let text = variables.get(row.name).and_then(Node::as_str).unwrap_or_default();
    let all = destinations(&text).filter(|destination| !destination.text.is_empty());
    all.map(|destination| destination.text.to_owned()).collect()
}

/// The functions that transfer calls before or after and are not configured as before, or have another type, by their names.
pub(super) fn changed_transfers(old: Node<'_>, new: Node<'_>) -> Vec<String> {
    changed_functions(old, new, |before, after| {
        let name = agent_function::config.row.name;
        let is_configured_as_before = are_same(before.get(name), after.get(name));
        let transfers = [before, after].map(is_transfer);
        transfers.contains(&true) && (transfers.contains(&false) || !is_configured_as_before)
    })
}

/// The other functions that send requests to another host than before, by their names.
pub(super) fn changed_hosts(old: Node<'_>, new: Node<'_>) -> Vec<String> {
    let hosts = |function: Node<'_>| {
        let mut hosts = BTreeSet::new();
        if let Some(config) = function.get(agent_function::config.row.name) {
            each_address(config, |node, _, address| {
                if !is_identifier(node) {
                    hosts.insert(address.host.to_ascii_lowercase());
                }
            });
        }
        hosts
    };
    changed_functions(old, new, |before, after| {
        ![before, after].into_iter().any(is_transfer) && !hosts(before).is_superset(&hosts(after))
    })
}

fn is_transfer(function: Node<'_>) -> bool {
    let kind = function.get(agent_function::function_type.row.name).and_then(Node::as_str);
    kind.as_deref() == Some(TRANSFER)
}

/// The names of the functions of both lists that fulfil a condition.
fn changed_functions(
    old: Node<'_>,
    new: Node<'_>,
    is_it: impl Fn(Node<'_>, Node<'_>) -> bool,
) -> Vec<String> {
    let all = side_by_side(Some(old), Some(new)).unwrap_or_default().into_iter();
    let changed =
        all.filter(|it| matches!((it.old, it.new), (Some(old), Some(new)) if is_it(old, new)));
    changed.map(|function| function.name).collect()
}

/// What changes in a set of transfer destinations: `removes a; adds b`.
pub(super) fn of_destinations(old: &[String], new: &[String]) -> String {
    let without = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|one| !those.contains(one)).cloned().collect()
    };
    let changes = [("removes", without(old, new)), ("adds", without(new, old))];
    let changes = changes.iter().filter(|(_, numbers)| !numbers.is_empty());
    let parts: Vec<String> =
        changes.map(|(does, numbers)| format!("{does} {}", entries::named(numbers))).collect();
    if parts.is_empty() { "another order".to_owned() } else { parts.join("; ") }
}

/// Marks a change that switches something off while settings for it are set: they take no effect any more.
pub(super) fn mark_switched_off(change: &mut FieldChange, states: &States<'_>, is_complete: bool) {
    let plain = [ChangeKind::Set, ChangeKind::Changed, ChangeKind::Unset];
    let row = change.field.strip_prefix('/').and_then(|name| settings::TABLE.row(name));
    let Some(row) = row.filter(|_| plain.contains(&change.kind)) else { return };
    let setting = states.setting(row);
    let after = setting.new.value();
    let mut idle: Vec<&str> = Vec::new();
    for table in WITHOUT_EFFECT.iter().filter(|table| table.when.depends_on(row)) {
        let was_idle = setting.old.known().is_some_and(|old| table.when.is_idle_with(old));
        if was_idle || !table.when.is_idle_with(after) {
            continue;
        }
        let set = table.settings.iter().filter(|row| is_set_afterwards(row, states, is_complete));
        idle.extend(set.map(|row| row.name));
    }
    idle.dedup();
    if !idle.is_empty() {
        change.kind = ChangeKind::SwitchedOff;
        let have = if idle.len() == 1 { "has" } else { "have" };
        change.sentence = format!("{}, so {} {have} no effect", change.sentence, quote::all(idle));
    }
}

/// Whether a setting asks for something after the update.
fn is_set_afterwards(row: &'static Row, states: &States<'_>, is_complete: bool) -> bool {
    let setting = states.setting(row);
    let is_set = |node: Node<'_>| node.kind() != Kind::Null && !is_neutral(node);
    match (setting.new, setting.old) {
        (Desired::Value(node), _) => is_set(node),
        (Desired::Omitted, StoredSetting::Value(node)) if !is_complete || setting.is_agents => {
            is_set(node)
        }
        _ => false,
    }
}
