//! Settings that take no effect because of another setting.

use std::borrow::Cow;
use std::iter::once;

use voxlint_model::quote;
use voxlint_schema::{Flag, List, Number, Text};

use crate::prelude::*;

/// Settings that take no effect while another setting has a certain value.
///
/// Only settings that the document contains are reported. An update that switches something off need not remove the
/// settings for it, and often cannot.
#[derive(Clone, Copy)]
pub struct WithoutEffect {
    /// When they take no effect.
    pub when: When,
    /// Why: a clause.
    pub(crate) why: &'static str,
    /// What to do about it, for one setting.
    pub(crate) help: &'static str,
    /// Whether a fix may remove the settings. What somebody wrote for callers or for the model is left to its author.
    pub(crate) removable: bool,
    /// The settings. A new one needs its row here and in `reads` of the rule.
    pub settings: &'static [&'static Row],
}

/// The value of another setting that makes settings ineffective.
#[derive(Clone, Copy)]
pub enum When {
    /// A flag that is false.
    Off(&'static Field<Flag>),
    /// A number that is 0.
    Zero(&'static Field<Number>),
    /// A list that is empty.
    Empty(&'static Field<List>),
    /// A text that is unset or empty.
    Unset(&'static Field<Text>),
    /// A text that is one of these.
    Is(&'static Field<Text>, &'static [&'static str]),
    /// The agent has nodes, or has none.
    FlowAgent(bool),
}

/// Whether settings take effect.
enum Effect {
    /// They do, or the description does not say.
    Works,
    /// They do not, because of the value at this place.
    Idle(Option<Place>),
    Unknown,
}

impl WithoutEffect {
    pub(crate) fn check(&self, config: &Effective<'_>) -> Verdicts {
        let mut idle = self.settings.iter().filter_map(|row| {
            let (_, at) = config.written_node(row).filter(|(node, _)| !is_neutral(*node))?;
            Some((*row, at.name()))
        });
        let Some((first, at)) = idle.next() else { return Verdicts::none() };
        let because = match self.when.effect(config) {
            Effect::Works => return Verdicts::none(),
            Effect::Idle(because) => because,
            Effect::Unknown => return Verdict::Undecided.into(),
        };

        // One switch is one mistake, however many settings depend on it.
        let others: Vec<_> = idle.collect();
        let names =
            quote::all(once(first).chain(others.iter().map(|(row, _)| *row)).map(|row| row.name));
        let have = if others.is_empty() { "has" } else { "have" };
        let fix = self.removable.then(|| {
            let places = once(&at).chain(others.iter().map(|(_, place)| place));
            let edits = places.map(|at| ProposedEdit::Remove { at: at.clone() });
            ProposedFix::new(format!("remove {names}"), Safety::Unsafe, edits.collect())
        });
        let help = if others.is_empty() { self.help.to_owned() } else { of_several(self.help) };
        let mut finding = Finding::new(at, format!("{names} {have} no effect: {}", self.why))
            .about_row(first)
            .help(help);
        finding.fix = fix;
        for (_, place) in others {
            finding = finding.also(place, "also has no effect");
        }
        finding.also(because, "because of this").advice().into()
    }
}

/// The help for several settings.
fn of_several(help: &str) -> String {
    [("the setting", "the settings"), ("the text", "the texts"), ("remove it", "remove them")]
        .into_iter()
        .fold(help.to_owned(), |help, (one, several)| help.replace(one, several))
}

impl When {
    /// Whether a setting decides.
    pub fn depends_on(self, row: &Row) -> bool {
        let of = match self {
            Self::Off(flag) => flag.row,
            Self::Zero(number) => number.row,
            Self::Empty(list) => list.row,
            Self::Unset(text) | Self::Is(text, _) => text.row,
            Self::FlowAgent(_) => return false,
        };
        std::ptr::eq(of, row)
    }

    /// Whether the settings take no effect with this value of the one that decides; `None` if it is not set.
    pub fn is_idle_with(self, value: Option<Node<'_>>) -> bool {
        match (self, value) {
            (Self::Off(_), Some(flag)) => flag.as_bool() == Some(false),
            (Self::Zero(_), Some(number)) => number.decimal().is_some_and(|number| number == 0),
            (Self::Is(_, values), Some(text)) => {
                text.as_str().is_some_and(|text| values.contains(&text.as_ref()))
            }
            (Self::Empty(_) | Self::Unset(_), Some(value)) => is_empty(value),
            (Self::Empty(_) | Self::Unset(_), None) => true,
            (Self::FlowAgent(_), _) | (_, None) => false,
        }
    }

    fn effect(self, config: &Effective<'_>) -> Effect {
        match self {
            Self::Off(flag) => effect(config.get(flag), |is_on| !is_on),
            Self::Zero(number) => effect(config.get(number), |number| *number == 0),
            Self::Is(text, values) => {
                effect(config.get(text), |text: &Cow<'_, str>| values.contains(&text.as_ref()))
            }
            Self::Empty(list) => effect(config.get(list), |list| is_empty(*list)),
            Self::Unset(text) => match config.get(text) {
                Value::Absent(place) => Effect::Idle(place),
                value => effect(value, |text: &Cow<'_, str>| text.trim().is_empty()),
            },
            Self::FlowAgent(is_flow) => match config.is_flow_agent() {
                Some(known) if known == is_flow => Effect::Idle(None),
                Some(_) => Effect::Works,
                None => Effect::Unknown,
            },
        }
    }
}

/// The effect of settings that depend on a value. The description gives no defaults, so they are taken to work if the value
/// is not set.
fn effect<T>(value: Value<T>, is_idle: impl Fn(&T) -> bool) -> Effect {
    match value {
        Value::Known(value, place) if is_idle(&value) => Effect::Idle(Some(place)),
        Value::Known(..) | Value::Absent(_) => Effect::Works,
        Value::Unknown(_) => Effect::Unknown,
    }
}

/// Whether a value asks for nothing: false, zero, or empty.
pub fn is_neutral(node: Node<'_>) -> bool {
    match node.kind() {
        Kind::Bool => node.as_bool() == Some(false),
        Kind::Number => node.decimal().is_some_and(|number| number == 0),
        _ => is_empty(node),
    }
}

fn is_empty(node: Node<'_>) -> bool {
    match node.kind() {
        Kind::String => node.as_str().is_some_and(|text| text.trim().is_empty()),
        Kind::Array => node.elements().next().is_none(),
        Kind::Object => node.members().next().is_none(),
        _ => false,
    }
}
