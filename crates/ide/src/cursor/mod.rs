//! What is at a place of a text that may not be written to its end: the fields around it, and the word that is being typed.
//!
//! A half-written line changes what a parser makes of the rest, so these scanners only follow the structure: brackets, keys,
//! quotes and indentation. One for each way to write structure is enough: `flow.rs` for everything in brackets, which is all
//! of JSON, `yaml.rs` for the block style of YAML, and `toml.rs` for the lines of TOML. All read the text once.

mod flow;
mod lines;
mod parts;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

use self::parts::Probe;
pub(crate) use self::parts::{At, Commas, Cursor, Header, Key, Purpose, Quote, Step, Style, Value};

use voxlint::syntax::{Format, Kind, Node, Span, Tree};

impl Cursor {
    /// The place of an offset in a text.
    pub(crate) fn of(text: &str, format: Format, offset: u32, purpose: Purpose) -> Self {
        let offset = boundary(text, offset);
        let probe = Probe { offset, purpose };
        let found = match format {
            Format::Json | Format::Jsonc => flow::root(text, probe),
            Format::Yaml => yaml::cursor(text, probe),
            Format::Toml => toml::cursor(text, probe),
            _ => Some(Self::of_text(text)),
        };
        found.unwrap_or(Self { path: Vec::new(), at: At::Nothing })
    }

    fn of_text(text: &str) -> Self {
        let all = Span::new(0, text.len() as u32);
        let value = Value {
            word: all,
            inner: all,
            quote: Quote::Block,
            style: Style::Text,
            commas: Commas::default(),
            needs_space: false,
            column: None,
            others: Vec::new(),
        };
        Self { path: Vec::new(), at: At::Value(value) }
    }
}

/// The offset itself, or the next lower one between characters and inside the text.
pub(crate) fn boundary(text: &str, offset: u32) -> u32 {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset as u32
}

/// The value at the end of a path.
pub(crate) fn follow<'a>(tree: &'a Tree, path: &[Step]) -> Option<Node<'a>> {
    path.iter().try_fold(tree.root()?, |node, step| below(node, step))
}

/// The value one step below another.
pub(crate) fn below<'a>(node: Node<'a>, step: &Step) -> Option<Node<'a>> {
    match step {
        Step::Name(name) if node.kind() == Kind::Object => node.get(name),
        Step::Item(index) if node.kind() == Kind::Array => node.elements().nth(*index),
        _ => None,
    }
}
