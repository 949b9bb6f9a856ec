//! The texts that a template can become, and when callers hear them.

use std::fmt;
use std::rc::Rc;

use voxlint_engine::states::{Desired, States};
use voxlint_model::SERVICE_VARIABLES;
use voxlint_model::effective::StoredSetting;
use voxlint_model::heard::language::spoken_words;
use voxlint_model::masking::Mask;
use voxlint_schema::{Row, named, settings};
use voxlint_syntax::{Kind, Node};
use voxlint_template::{
    Assumption, Condition, Object, OpenTemplate, RenderLimits, Rendering, TemplatePath,
    Value as Variable, parse, render,
};

use crate::ChangedTexts;

/// How a text is spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Speech {
    /// The words. A variable without a default is one if it has a value, and none otherwise. `None` in languages that do not
    /// write spaces between words.
    pub words: Option<usize>,
    /// The first variable without a value.
    pub gap: Option<SpokenGap>,
}

/// Where the value of a variable is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpokenGap {
    /// The variable as the template writes it. Secrets are masked.
    pub name: String,
    /// Its place in the text, in bytes.
    pub at: usize,
    /// The words before it.
    pub words: Option<usize>,
}

/// What an update changes in what callers hear of a greeting or voicemail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeardChange {
    /// A JSON Pointer (RFC 6901) to the setting.
    pub field: String,
    /// The paths on which the text changes.
    pub paths: Vec<HeardPath>,
    /// How many more paths there are. `None` if they are too many to count, or if some cannot be followed.
    pub left_out: Option<usize>,
}

/// A path on which an update changes what callers hear.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeardPath {
    /// When calls take it, as in [`RenderedPath::conditions`](crate::RenderedPath::conditions). Without a list, only calls take it that
    /// give no variables, so that the defaults alone decide.
    pub conditions: Vec<Vec<PathCondition>>,
    /// What callers hear now and then. A variable without a default is `⟨name⟩`, and `⟨no name⟩` where it has no value, of which they
    /// hear nothing. Secrets are masked.
    pub texts: ChangedTexts,
}

impl HeardPath {
    /// The conditions in words, as [`RenderedPath::in_words`](crate::RenderedPath::in_words). Empty if there are none.
    pub fn in_words(&self) -> String {
        match self.conditions.as_slice() {
            [] => "if a call gives no variables".to_owned(),
            lists if lists.iter().any(Vec::is_empty) => String::new(),
            lists => in_words(lists),
        }
    }
}

/// What a text depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PathCondition {
    /// The variable, such as `customer.name`. Secrets are masked.
    pub variable: String,
    /// What it must be.
    pub state: VariableState,
}

/// What a variable is, where a text depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VariableState {
    /// It has a value that `{{#if}}` counts as true.
    Set,
    /// It has no such value.
    Missing,
    /// It is a list with one item.
    OneItem,
}

named! {
    VariableState, "what a variable is":
    Set = "set",
    Missing = "missing",
    OneItem = "one-item",
}

impl fmt::Display for PathCondition {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.state {
            VariableState::Set => "with",
            VariableState::Missing => "without",
            VariableState::OneItem => "with one item in",
        };
        write!(to, "{words} `{}`", self.variable)
    }
}

/// The lists of conditions that words name.
const MAX_LISTS: usize = 4;

/// Conditions in words.
pub(crate) fn in_words(lists: &[Vec<PathCondition>]) -> String {
    let list = |list: &Vec<PathCondition>| {
        // The first of each state, with the names of the others after its own.
        let mut groups: Vec<(&PathCondition, Vec<String>)> = Vec::new();
        for it in list {
            match groups.iter_mut().find(|(first, _)| first.state == it.state) {
                Some((_, others)) => others.push(format!("`{}`", it.variable)),
                None => groups.push((it, Vec::new())),
            }
        }
        let are_single = groups.iter().all(|(_, others)| others.is_empty());
        let words = groups.into_iter().map(|(first, mut names)| match names.pop() {
            Some(last) => {
                names.insert(0, first.to_string());
                format!("{} and {last}", names.join(", "))
            }
            None => first.to_string(),
        });
        words.collect::<Vec<_>>().join(if are_single { " and " } else { ", " })
    };
    let mut words: Vec<String> = lists.iter().take(MAX_LISTS).map(list).collect();
    if lists.len() > MAX_LISTS {
        words.push("in other cases".to_owned());
    }
    let or = if words.iter().any(|it| it.contains(", ")) { "; or " } else { ", or " };
    if lists.iter().any(Vec::is_empty) { "always".to_owned() } else { words.join(or) }
}

/// The conditions of a path, with secrets masked.
pub(crate) fn conditions(path: &TemplatePath, mask: &Mask) -> Vec<Vec<PathCondition>> {
    let condition = |it: &Condition| PathCondition {
        variable: mask.value(&shown_path(&it.path)),
        state: match it.assumption {
            Assumption::Set => VariableState::Set,
            Assumption::Missing => VariableState::Missing,
            Assumption::OneItem => VariableState::OneItem,
        },
    };
    path.conditions.iter().map(|list| list.iter().map(condition).collect()).collect()
}

/// The path as people write it. A name that is itself the value of a variable is in brackets: `prices[item]`.
fn shown_path(path: &[Rc<str>]) -> String {
    let mut shown = String::new();
    for name in path {
        match name.strip_prefix('⟨').and_then(|name| name.strip_suffix('⟩')) {
            Some(name) => shown.extend(["[", name, "]"]),
            None if shown.is_empty() => shown.push_str(name),
            None => shown.extend([".", name]),
        }
    }
    shown
}

/// The settings that callers hear word for word.
const SPOKEN: [&Row; 2] = [settings::welcome_message.row, settings::voicemail_message.row];

pub(crate) fn is_spoken(row: &Row) -> bool {
    SPOKEN.iter().any(|spoken| std::ptr::eq(*spoken, row))
}

/// A setting now and after an update. `None` if it is not known; one that the update does not change stays as it is.
fn sides<'a>(
    states: &States<'a>,
    row: &'static Row,
    is_changed: &dyn Fn(&Row) -> bool,
) -> Option<[Option<Node<'a>>; 2]> {
    let setting = states.setting(row);
    let old = match setting.old {
        StoredSetting::Value(node) => Some(node),
        StoredSetting::Unset => None,
        StoredSetting::Unknown => return None,
    };
    let new = match setting.new {
        Desired::Value(node) if is_changed(row) => Some(node),
        Desired::Empty if is_changed(row) => None,
        _ => old,
    };
    Some([old, new])
}

/// The variables that the service provides, each as its mark.
pub(crate) fn of_service() -> impl Iterator<Item = (Rc<str>, Variable)> {
    let mark = |name: &str| (name.into(), format!("⟨{name}⟩").as_str().into());
    SERVICE_VARIABLES.into_iter().map(mark)
}

/// What an update with these changes changes in what callers hear. A template without branches is left to the change of its field.
pub(crate) fn heard(
    states: &States<'_>,
    is_changed: &dyn Fn(&Row) -> bool,
    mask: &Mask,
) -> Vec<HeardChange> {
    let row = settings::default_dynamic_variables.row;
    let [old, new] = sides(states, row, is_changed).unwrap_or_default();
    // The service may merge the new defaults into the stored ones.
    let defaults = [[old, None], [old, new]]
        .map(|objects| Object::new(of_service().chain(fields_of(objects.into_iter().flatten()))));
    let rows = SPOKEN.iter().filter(|it| is_changed(it) || is_changed(row));
    let change =
        |row: &&'static Row| heard_change(row, sides(states, row, is_changed)?, &defaults, mask);
    rows.filter_map(change).collect()
}

fn heard_change(
    row: &'static Row,
    sides: [Option<Node<'_>>; 2],
    defaults: &[Object; 2],
    mask: &Mask,
) -> Option<HeardChange> {
    let texts = sides.map(|node| node.and_then(Node::as_str).unwrap_or_default());
    let parsed = texts.each_ref().map(|text| parse(text));
    if !texts.iter().any(|text| text.contains("{{")) || parsed.iter().any(|it| it.error.is_some()) {
        return None;
    }
    let open = texts.iter().zip(&parsed).zip(defaults);
    let open: Vec<_> = open
        .map(|((text, template), defaults)| OpenTemplate {
            text,
            template,
            defaults: defaults.clone(),
        })
        .collect();
    let found = voxlint_template::paths(&open, Object::new(of_service())).ok()?;
    let [old, new] = &texts;
    let has_branches = found.paths.iter().all(|path| !path.conditions.iter().any(Vec::is_empty));
    if old != new && !has_branches {
        return None;
    }
    let mut all: Vec<(Vec<Vec<PathCondition>>, [String; 2])> = Vec::new();
    for path in &found.paths {
        if let [old, new] = path.renderings.as_slice() {
            let shown = [old, new].map(|it| with_holes(it, &path.conditions));
            all.push((conditions(path, mask), shown));
        }
    }
    // Defaults also decide about branches, where a call gives no variables.
    let alone = open.iter().map(|it| {
        let defaults = Variable::from(it.defaults.clone());
        render(it.text, it.template, &defaults, RenderLimits::default()).ok()
    });
    if let [Some(old), Some(new)] = alone.collect::<Vec<_>>().as_slice()
        && texts.first() == texts.last()
    {
        let marked = [old, new].map(Rendering::with_marks);
        let is_it = |path: &TemplatePath| {
            path.renderings.iter().map(Rendering::with_marks).eq(marked.clone())
        };
        if marked.first() != marked.last() && !found.paths.iter().any(is_it) {
            all.push((Vec::new(), [old, new].map(|it| with_holes(it, &[]))));
        }
    }
    let path = |(conditions, [mut old, mut new]): (_, [String; 2])| {
        mask.pair(&mut old, &mut new);
        HeardPath { conditions, texts: ChangedTexts::new(old, new) }
    };
    let paths: Vec<HeardPath> = all.into_iter().map(path).collect();
    let field = format!("/{}", row.name);
    (!paths.is_empty()).then_some(HeardChange { field, paths, left_out: found.left_out })
}

/// The text with its variables as marks: `⟨no name⟩` for one that has no value under these conditions, or without any.
fn with_holes(rendering: &Rendering, conditions: &[Vec<Condition>]) -> String {
    let mut marked = rendering.clone();
    let is_missing = |it: &Condition, name: &str| {
        it.assumption == Assumption::Missing && it.path.join(".") == name
    };
    for missing in &mut marked.missing {
        let has_none = |list: &Vec<Condition>| list.iter().any(|it| is_missing(it, &missing.name));
        if conditions.iter().all(has_none) {
            missing.name.insert_str(0, "no ");
        }
    }
    marked.with_marks()
}

impl Speech {
    pub(crate) fn of(rendering: &Rendering, mask: &Mask) -> Self {
        let gap = rendering.missing.first().map(|missing| {
            let before = rendering.text.get(..missing.at).unwrap_or_default();
            let at = mask.value(before).len();
            SpokenGap { name: mask.value(&missing.name), at, words: spoken_words(before) }
        });
        Self { words: spoken_words(&rendering.text), gap }
    }
}

/// The fields of objects as variables. Those of later objects take precedence.
pub(crate) fn object_of<'a>(objects: impl IntoIterator<Item = Node<'a>>) -> Object {
    Object::new(fields_of(objects))
}

pub(crate) fn fields_of<'a>(
    objects: impl IntoIterator<Item = Node<'a>>,
) -> impl Iterator<Item = (Rc<str>, Variable)> {
    let members = objects.into_iter().flat_map(Node::members);
    members.map(|it| (it.name().into(), variable(it.value)))
}

/// The rendering with the marks of variables that calls give as their values.
pub(crate) fn with_given(mut rendering: Rendering, is_given: impl Fn(&str) -> bool) -> Rendering {
    let mut added = 0;
    rendering.missing.retain_mut(|missing| {
        missing.at += added;
        // In `../customer.name`, it is `customer`.
        let parts = missing.name.split(['.', '/']);
        let name = parts.into_iter().find(|part| !["", "this", "@root"].contains(part));
        let is_given = name.is_some_and(&is_given);
        if is_given && rendering.text.is_char_boundary(missing.at) {
            let mark = format!("⟨{}⟩", missing.name);
            rendering.text.insert_str(missing.at, &mark);
            added += mark.len();
        }
        !is_given
    });
    rendering
}

/// A value of a document as a variable. Documents are not nested deeper than the stack allows.
fn variable(node: Node<'_>) -> Variable {
    match node.kind() {
        Kind::Object => object_of([node]).into(),
        Kind::Array => Variable::List(node.elements().map(variable).collect()),
        Kind::Number => node.decimal().map_or(Variable::Null, |it| Variable::Number(it.to_f64())),
        Kind::Bool => Variable::Boolean(node.as_bool() == Some(true)),
        Kind::Null => Variable::Null,
        _ => Variable::from(&*node.as_str().unwrap_or_default()),
    }
}
