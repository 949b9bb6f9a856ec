//! What changes inside a list or an object: the items that differ, as JSON.

use std::borrow::Cow;
use std::collections::HashMap;

use voxlint_syntax::{Kind, Node};

use super::agent_plan::ChangedTexts;
use crate::diff::{Desired, Setting};
use crate::engine::effective::StoredSetting;
use crate::equality::{digest, fields, is_same};
use crate::json::Json;
use crate::secrets::Redactor;

/// How many items a sentence names, so that nothing more needs to be shown of a list of names.
const MAX_NAMED: usize = 5;

/// The items or fields that differ, stored and new, with secrets masked. `None` if the setting is neither a list nor an object,
/// its stored value is not known, or the sentence about the change says everything.
pub(super) fn texts(setting: &Setting<'_>, redactor: &Redactor) -> Option<ChangedTexts> {
    let old = match setting.old {
        StoredSetting::Value(node) => Some(node),
        StoredSetting::Unset => None,
        StoredSetting::Unknown => return None,
    };
    let new = if let Desired::Value(node) = setting.new { Some(node) } else { None };
    let is_nested = |node: &Node<'_>| matches!(node.kind(), Kind::Array | Kind::Object);
    if ![old, new].iter().flatten().any(is_nested) {
        return None;
    }
    let [old, new] =
        [(old, new), (new, old)].map(|(one, other)| one.map(|it| differing(it, other)));
    let are_named = |side: &Option<Differing<'_>>| side.as_ref().is_none_or(Differing::are_named);
    if are_named(&old) && are_named(&new) {
        return None;
    }
    let shown = |side: Option<Differing<'_>>| side.map(|it| it.shown(redactor)).unwrap_or_default();
    Some(ChangedTexts { old: shown(old), new: shown(new) })
}

/// The part of a value that another value does not have.
enum Differing<'a> {
    Items(Vec<Node<'a>>),
    Fields(Vec<(Cow<'a, str>, Node<'a>)>),
    Whole(Node<'a>),
}

fn differing<'a>(one: Node<'a>, other: Option<Node<'_>>) -> Differing<'a> {
    match one.kind() {
        Kind::Array => {
            let others = other.filter(|it| it.kind() == Kind::Array);
            let mut same: HashMap<u64, usize> = HashMap::new();
            for item in others.into_iter().flat_map(Node::elements) {
                *same.entry(digest(item)).or_default() += 1;
            }
            let mut items: Vec<Node<'a>> = one.elements().collect();
            let is_reordered = others.is_some_and(|it| it.elements().count() == items.len());
            let all = items.clone();
            items.retain(|item| match same.get_mut(&digest(*item)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            });
            // With the same items, the order differs.
            Differing::Items(if items.is_empty() && is_reordered { all } else { items })
        }
        Kind::Object => {
            let others = other.map(fields).unwrap_or_default();
            let mut all = fields(one);
            all.retain(|name, value| !others.get(name).is_some_and(|it| is_same(*value, *it)));
            Differing::Fields(all.into_iter().collect())
        }
        _ => Differing::Whole(one),
    }
}

impl Differing<'_> {
    /// Whether a sentence can name all of it.
    fn are_named(&self) -> bool {
        let is_plain = |node: &Node<'_>| !matches!(node.kind(), Kind::Array | Kind::Object);
        match self {
            Self::Items(items) => items.len() <= MAX_NAMED && items.iter().all(is_plain),
            Self::Fields(fields) => fields.is_empty(),
            Self::Whole(_) => false,
        }
    }

    /// JSON on several lines; nothing for no items.
    fn shown(self, redactor: &Redactor) -> String {
        let json = match self {
            Self::Items(items) if items.is_empty() => return String::new(),
            Self::Fields(fields) if fields.is_empty() => return String::new(),
            Self::Items(items) => {
                Json::List(items.into_iter().map(|item| masked(item, redactor)).collect())
            }
            Self::Fields(fields) => Json::Object(masked_fields(
                fields.into_iter().map(|(name, value)| (name, Json::Node(value))),
                redactor,
            )),
            Self::Whole(node) => masked(node, redactor),
        };
        json.pretty()
    }
}

/// A value with secrets masked: each text for itself, because what is a secret in it may be spelled differently in JSON.
fn masked<'a>(node: Node<'a>, redactor: &Redactor) -> Json<'a> {
    let masked_text = |text: &str| {
        let mut shown = text.to_owned();
        redactor.redact_value(&mut shown);
        shown
    };
    match node.kind() {
        Kind::Object => Json::Object(masked_fields(Json::members(node).into_iter(), redactor)),
        Kind::Array => Json::List(node.elements().map(|item| masked(item, redactor)).collect()),
        Kind::String | Kind::Key => {
            Json::Text(masked_text(&node.as_str().unwrap_or_default()).into())
        }
        Kind::Number => {
            let shown = masked_text(node.source());
            if shown == node.source() { Json::Node(node) } else { Json::Text(shown.into()) }
        }
        Kind::Bool | Kind::Null | Kind::Invalid => Json::Node(node),
    }
}

fn masked_fields<'a>(
    fields: impl Iterator<Item = (Cow<'a, str>, Json<'a>)>,
    redactor: &Redactor,
) -> Vec<(Cow<'a, str>, Json<'a>)> {
    let masked = fields.map(|(name, value)| {
        let mut shown = name.into_owned();
        redactor.redact_value(&mut shown);
        let value = if let Json::Node(node) = value { masked(node, redactor) } else { value };
        (shown.into(), value)
    });
    masked.collect()
}
