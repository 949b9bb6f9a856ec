//! Recognises lists of API keys.

use voxlint_schema::api_keys;
use voxlint_syntax::{Kind, Node};

use super::field_names::FieldCounts;
use crate::secret::field_names::is_secret_of_a_key;

/// Whether this is a list of API keys: one item is certainly a key, or it is a page of a list and all items may be keys.
pub(super) fn is_key_list(root: Node<'_>) -> bool {
    let Some(data) = root.get("data").filter(|data| data.kind() == Kind::Array) else {
        return false;
    };
    if data.elements().any(is_certainly_a_key) {
        return true;
    }
    let Some(meta) = root.get("meta") else { return false };
    let numbers = FieldCounts::of(meta, &api_keys::meta::TABLE);
    // An empty page could belong to any list, unless everything else is as described.
    let is_as_described = numbers == FieldCounts { known: 3, unknown: 0 }
        && FieldCounts::of(root, &api_keys::TABLE) == FieldCounts { known: 2, unknown: 0 };
    let is_empty = data.elements().next().is_none();
    (is_as_described || (numbers.known > 0 && !is_empty)) && data.elements().all(may_be_a_key)
}

/// Whether an item is certainly a key: it says when the key was used or whether it has expired, or it has a secret and otherwise
/// only fields of a key.
pub(super) fn is_certainly_a_key(entry: Node<'_>) -> bool {
    let mut counts = FieldCounts::of(entry, &api_keys::entry::TABLE);
    let secrets = entry.members().filter(|member| is_secret_of_a_key(&member.name())).count();
    counts.unknown -= secrets;
    let has = |name: &str| entry.get(name).is_some();
    let id = entry.get("id").and_then(Node::as_str);
    // Ids of items in other lists are often numbers. Ids of keys never are.
    let is_numbered = entry.get("id").is_none_or(|id| id.kind() == Kind::Number);
    if has("last_used_at") || has("is_expired") {
        !is_numbered && counts.known + secrets > counts.unknown
    } else {
        (secrets > 0 && counts.known > 0 || id.is_some_and(|id| id.contains(':') && has("name")))
            && counts.unknown == 0
    }
}

/// Whether an item may be a key: its id is a text, and it has only fields of a key.
pub(super) fn may_be_a_key(entry: Node<'_>) -> bool {
    let counts = FieldCounts::of(entry, &api_keys::entry::TABLE);
    let is_text = entry.get("id").is_some_and(|id| id.kind() == Kind::String);
    is_text && counts.known >= 2 && counts.unknown == 0
}
