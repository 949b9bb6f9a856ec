use voxlint::TextEdit;

use crate::File;

/// One thing that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What the list shows.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words beside the label.
    pub detail: Option<String>,
    /// What it means, in Markdown.
    pub documentation: Option<String>,
    /// What it writes. It replaces the half-written word.
    pub edit: TextEdit,
    /// Whether the new text has places to fill in: `$1`, `${2:x}` and `$0`. Then it is escaped for that.
    pub is_snippet: bool,
    /// Its place in the list.
    pub sort: u32,
    /// The text that is compared with what has been typed, if it is not the label.
    pub filter: Option<String>,
}

/// What a completion writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A field with its value, or a key of `voxlint.toml`.
    Field,
    /// An allowed value.
    Value,
    /// An id from the facts about the workspace.
    Id,
    /// A template variable.
    Variable,
    /// A helper of templates, or the opening or closing tag of a block.
    Helper,
    /// The id of a rule, or the name of a group.
    Rule,
}

/// What the editor can do with completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletionOptions {
    /// Whether it knows snippets.
    pub snippets: bool,
}

/// What can be written at an offset of a document, in the order to show.
pub fn complete(_file: File<'_>, _offset: u32, _options: CompletionOptions) -> Vec<Completion> {
    Vec::new()
}

/// What can be written at an offset of a `voxlint.toml`, in the order to show.
pub fn complete_configuration(
    _text: &str,
    _offset: u32,
    _options: CompletionOptions,
) -> Vec<Completion> {
    Vec::new()
}
