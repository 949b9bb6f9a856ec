//! What changes inside a list or an object: the items that differ, as JSON.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};

use voxlint_engine::states::{Desired, Setting};
use voxlint_model::effective::StoredSetting;
use voxlint_model::equality::{digest, fields, is_same};
use voxlint_model::json::Json;
use voxlint_model::masking::{Mask, SECRET_CHANGED};
use voxlint_schema::settings::agent_function;
use voxlint_syntax::{Kind, Node};

use crate::ChangedTexts;
use crate::diff::name_of;

/// How many items a sentence names, so that nothing more needs to be shown of a list of names.
const MAX_NAMED: usize = 5;

/// The items or fields that differ, stored and new, with secrets masked. `None` if the setting is neither a list nor an object,
/// its stored value is not known, or the sentence about the change says everything.
pub(super) fn texts(setting: &Setting<'_>, mask: &Mask) -> Option<ChangedTexts> {
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
    let stored = MaskedValues::new(mask, None);
    let old_items = old.as_ref().map(|it| it.items(&stored)).unwrap_or_default();
    let old = old.map(|it| it.shown(&stored)).unwrap_or_default();
    let spelled = stored.spelled.into_inner();
    let desired = MaskedValues::new(mask, Some(&spelled));
    let new_items = new.as_ref().map(|it| it.items(&desired)).unwrap_or_default();
    let new = new.map(|it| it.shown(&desired)).unwrap_or_default();
    Some(ChangedTexts { old, new, items: matched(old_items, new_items) })
}

/// The items of two lists, each beside the one of the same name or an empty text.
fn matched(old: Vec<(String, String)>, new: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut left: Vec<Option<String>> = Vec::new();
    for (name, text) in old {
        waiting.entry(name).or_default().push_back(left.len());
        left.push(Some(text));
    }
    let mut pairs = Vec::new();
    for (name, text) in new {
        let at = waiting.get_mut(&name).and_then(VecDeque::pop_front);
        let before = at.and_then(|at| left.get_mut(at)?.take());
        pairs.push((before.unwrap_or_default(), text));
    }
    pairs.extend(left.into_iter().flatten().map(|text| (text, String::new())));
    pairs
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

    /// The items by their names, each as JSON on several lines.
    fn items(&self, mask: &MaskedValues<'_>) -> Vec<(String, String)> {
        let Self::Items(items) = self else { return Vec::new() };
        items.iter().map(|item| (name_of(*item), mask.item(*item, "").pretty())).collect()
    }

    /// JSON on several lines; nothing for no items.
    fn shown(self, mask: &MaskedValues<'_>) -> String {
        let json = match self {
            Self::Items(items) if items.is_empty() => return String::new(),
            Self::Fields(fields) if fields.is_empty() => return String::new(),
            Self::Items(items) => {
                Json::List(items.into_iter().map(|item| mask.item(item, "")).collect())
            }
            Self::Fields(fields) => {
                let fields = fields.into_iter().map(|(name, value)| (name, Json::Node(value)));
                Json::Object(mask.fields(fields, ""))
            }
            Self::Whole(node) => mask.value(node, ""),
        };
        json.pretty()
    }
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
            Kind::Object => Json::Object(self.fields(Json::members(node).into_iter(), path)),
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

    fn fields<'n>(
        &self,
        fields: impl Iterator<Item = (Cow<'n, str>, Json<'n>)>,
        path: &str,
    ) -> Vec<(Cow<'n, str>, Json<'n>)> {
        let masked = fields.map(|(name, value)| {
            let value = match value {
                Json::Node(node) => self.value(node, &format!("{path}/{name}")),
                value => value,
            };
            (self.mask.name(&name).into(), value)
        });
        masked.collect()
    }
}
