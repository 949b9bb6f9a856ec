//! The texts that a template can become, and when callers hear them.

use std::fmt;

use voxlint_model::heard::language::spoken_words;
use voxlint_model::masking::Mask;
use voxlint_schema::{Row, named, settings};
use voxlint_template::{Assumption, Condition, Rendering, TemplatePath};

use crate::RenderedText;

/// A text that a template can become.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderedPath {
    /// When: if all conditions of one of the lists are met. An empty list always is.
    pub conditions: Vec<Vec<PathCondition>>,
    /// The text, which is [`RenderedText::Rendered`]. In it, a variable that has a value but no default is `⟨name⟩`.
    pub rendering: RenderedText,
    /// How it is spoken. `None` for a prompt, which is not.
    pub speech: Option<Speech>,
}

impl RenderedPath {
    /// The text with variables without a value as `⟨name⟩`.
    pub fn marked(&self) -> &str {
        if let RenderedText::Rendered { marked, .. } = &self.rendering { marked } else { "" }
    }

    /// The conditions in words: "with `vip` and without `name`, or without `vip`", or "always".
    pub fn in_words(&self) -> String {
        in_words(&self.conditions)
    }
}

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
        let words: Vec<String> = list.iter().map(ToString::to_string).collect();
        words.join(" and ")
    };
    let mut words: Vec<String> = lists.iter().take(MAX_LISTS).map(list).collect();
    if lists.len() > MAX_LISTS {
        words.push("in other cases".to_owned());
    }
    if lists.iter().any(Vec::is_empty) { "always".to_owned() } else { words.join(", or ") }
}

/// The conditions of a path, with secrets masked.
pub(crate) fn conditions(path: &TemplatePath, mask: &Mask) -> Vec<Vec<PathCondition>> {
    let condition = |it: &Condition| PathCondition {
        variable: mask.value(&it.path.join(".")),
        state: match it.assumption {
            Assumption::Set => VariableState::Set,
            Assumption::Missing => VariableState::Missing,
            Assumption::OneItem => VariableState::OneItem,
        },
    };
    path.conditions.iter().map(|list| list.iter().map(condition).collect()).collect()
}

/// Whether callers hear the text of a setting word for word.
pub(crate) fn is_spoken(row: &Row) -> bool {
    [settings::welcome_message.row, settings::voicemail_message.row]
        .iter()
        .any(|spoken| std::ptr::eq(*spoken, row))
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
