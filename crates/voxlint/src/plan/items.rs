//! What changes inside a list or an object: the items that differ, as JSON.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use voxlint_engine::states::Setting;
use voxlint_model::json::Json;
use voxlint_model::masking::{Mask, SECRET_CHANGED};
use voxlint_schema::settings::agent_function;
use voxlint_syntax::{Kind, Node};

use crate::ChangedTexts;
use crate::diff::{Entry, side_by_side};

/// How many items a sentence names, so that nothing more needs to be shown of a list of names.
const MAX_NAMED: usize = 5;

/// The items or fields that differ, stored and new, with secrets masked. `None` if the setting is neither a list nor an object,
/// its stored value is not known, or the sentence about the change says everything.
pub(super) fn texts(setting: &Setting<'_>, mask: &Mask) -> Option<ChangedTexts> {
    let (old, new) = (setting.old.known()?, setting.new.value());
    let is_nested = |node: &Node<'_>| matches!(node.kind(), Kind::Array | Kind::Object);
    if ![old, new].iter().flatten().any(is_nested) {
        return None;
    }
    // Values of different kinds are compared as a whole.
    let known = side_by_side(old, new);
    let is_list = known.is_some() && old.or(new).is_some_and(|it| it.kind() == Kind::Array);
    let is_whole = known.is_none();
    let mut entries = known.unwrap_or_else(|| vec![Entry { name: String::new(), old, new }]);
    // With the same items, the order differs.
    if entries.iter().any(Entry::differs) {
        entries.retain(Entry::differs);
    }
    let are_named = |side: fn(&Entry<'_>) -> bool| {
        entries.iter().filter(|entry| side(entry)).count() <= MAX_NAMED
    };
    let is_plain = |entry: &Entry<'_>| ![entry.old, entry.new].iter().flatten().any(is_nested);
    let is_said = is_list && entries.iter().all(is_plain);
    if is_said && are_named(|it| it.old.is_some()) && are_named(|it| it.new.is_some()) {
        return None;
    }
    let json = |node, entry: &Entry<'_>, mask: &MaskedValues<'_>| {
        if is_list { mask.item(node, "") } else { mask.value(node, &format!("/{}", entry.name)) }
    };
    let stored = MaskedValues::new(mask, None);
    let olds: Vec<_> = entries.iter().map(|it| Some(json(it.old?, it, &stored))).collect();
    let spelled = stored.spelled.into_inner();
    let desired = MaskedValues::new(mask, Some(&spelled));
    let news: Vec<_> = entries.iter().map(|it| Some(json(it.new?, it, &desired))).collect();
    let pretty = |item: &Option<Json<'_>>| item.as_ref().map(Json::pretty).unwrap_or_default();
    let pairs = olds.iter().zip(&news).filter(|_| is_list);
    let items = pairs.map(|(old, new)| (pretty(old), pretty(new))).collect();
    let whole = |jsons: Vec<Option<Json<'_>>>| {
        let named = entries.iter().zip(jsons);
        let named = named.filter_map(|(it, json)| Some((mask.name(&it.name).into(), json?)));
        let named: Vec<(Cow<'_, str>, Json<'_>)> = named.collect();
        match named.first() {
            None => String::new(),
            Some((_, json)) if is_whole => json.pretty(),
            Some(_) if is_list => {
                Json::List(named.into_iter().map(|(_, json)| json).collect()).pretty()
            }
            Some(_) => Json::Object(named).pretty(),
        }
    };
    Some(ChangedTexts { old: whole(olds), new: whole(news), items })
}

/// The spellings of masked texts, by where they are and how they look.
type Spelled = HashMap<(String, String), HashSet<String>>;

/// Masks secrets in values: each text for itself, because what is a secret in it may be spelled differently in JSON.
struct MaskedValues<'a> {
    mask: &'a Mask,
    /// What was masked here.
    spelled: RefCell<Spelled>,
    /// What was masked in the stored value.
    before: Option<&'a Spelled>,
}

impl<'a> MaskedValues<'a> {
    fn new(mask: &'a Mask, before: Option<&'a Spelled>) -> Self {
        Self { mask, spelled: RefCell::default(), before }
    }

    fn text(&self, text: &str, path: &str) -> String {
        let mut shown = self.mask.value(text);
        if shown == text {
            return shown;
        }
        let key = (path.to_owned(), shown.clone());
        match self.before {
            None => {
                self.spelled.borrow_mut().entry(key).or_default().insert(text.to_owned());
            }
            // Another secret of the same length would look as if nothing had changed.
            Some(before) if before.get(&key).is_some_and(|known| !known.contains(text)) => {
                shown.push(' ');
                shown.push_str(SECRET_CHANGED);
            }
            Some(_) => {}
        }
        shown
    }

    /// An item of a list. The place of what is in it contains its name, if it has one.
    fn item<'n>(&self, node: Node<'n>, path: &str) -> Json<'n> {
        let name = node.get(agent_function::displayName.row.name).and_then(Node::as_str);
        self.value(node, &format!("{path}/{}", name.unwrap_or_default()))
    }

    fn value<'n>(&self, node: Node<'n>, path: &str) -> Json<'n> {
        match node.kind() {
            Kind::Object => {
                let field = |(name, value): (Cow<'n, str>, Json<'n>)| {
                    let value = match value {
                        Json::Node(node) => self.value(node, &format!("{path}/{name}")),
                        value => value,
                    };
                    (self.mask.name(&name).into(), value)
                };
                Json::Object(Json::members(node).into_iter().map(field).collect())
            }
            Kind::Array => Json::List(node.elements().map(|item| self.item(item, path)).collect()),
            Kind::String | Kind::Key => {
                Json::Text(self.text(&node.as_str().unwrap_or_default(), path).into())
            }
            Kind::Number => {
                let shown = self.text(node.source(), path);
                if shown == node.source() { Json::Node(node) } else { Json::Text(shown.into()) }
            }
            Kind::Bool | Kind::Null | Kind::Invalid => Json::Node(node),
        }
    }
}
