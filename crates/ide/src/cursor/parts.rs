//! What may be at a place of a text.

use std::fmt;

use voxlint::syntax::Span;

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The steps from the root to the value at the place, or to the object whose key is there.
    pub path: Vec<Step>,
    /// What is there.
    pub at: At,
}

/// One step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The name of a member.
    Name(String),
    /// The index of an item.
    Item(usize),
}

/// What is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// A key, or where one can be written.
    Key(Key),
    /// A value, or where one can be written.
    Value(Value),
    /// The name of a table in the header of a table of TOML.
    Header(Header),
    /// The text of a comment.
    Comment(Span),
    /// Nothing that can be completed.
    Nothing,
}

/// A key, or where one can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The word with its quotes; empty where there is none yet.
    pub word: Span,
    /// The name as far as it is written.
    pub name: String,
    /// Whether a colon or an equals sign follows.
    pub has_value: bool,
    /// The other names of the object.
    pub others: Vec<String>,
    /// How its surroundings are written.
    pub style: Style,
    /// The commas around it.
    pub commas: Commas,
}

/// A value, or where one can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The word with its quotes; empty where there is none yet.
    pub word: Span,
    /// The part of the word between the quotes.
    pub inner: Span,
    /// How it is quoted.
    pub quote: Quote,
    /// How its surroundings are written.
    pub style: Style,
    /// The commas around it.
    pub commas: Commas,
    /// Whether a space has to be written before it.
    pub needs_space: bool,
    /// The column at which an object in block style can begin instead.
    pub column: Option<u32>,
    /// The texts beside it in a list.
    pub others: Vec<String>,
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The last part of the name.
    pub word: Span,
    /// From the first bracket to the last one that is written.
    pub brackets: Span,
    /// Whether it is the header of an item of a list.
    pub is_item: bool,
    /// The names that the document has at its root.
    pub others: Vec<String>,
}

/// The commas around a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commas {
    /// Where a comma is missing before it.
    pub before: Option<u32>,
    /// Whether one is missing after it.
    pub after: bool,
}

/// How the surroundings of a place are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Between brackets of JSON.
    Json,
    /// A block of YAML whose keys begin at a column.
    YamlBlock(u32),
    /// Between brackets of YAML.
    YamlFlow,
    /// The lines of a table of TOML.
    TomlTable,
    /// Between brackets of TOML.
    TomlInline,
    /// The whole file is one text.
    Text,
}

/// How a word is quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// It has no quotes.
    None,
    /// It has double quotes.
    Double,
    /// It has single quotes.
    Single,
    /// Several lines: a block of YAML, or three quotes of TOML.
    Block,
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => formatter.write_str(name),
            Self::Item(index) => write!(formatter, "{index}"),
        }
    }
}
