//! The outline of a document.

use voxlint::schema::settings;
use voxlint::secrets::Mask;
use voxlint::syntax::{DecodedText, Kind, Member, Node, Span};
use voxlint::{Document, Inputs, counted};

use crate::templates::template_nodes;

/// A field or an item of a document, for outlines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What the outline shows: the name of a field, what identifies an item of a list, a heading. Secrets are masked.
    pub name: String,
    /// A few words beside the name: a short value, or how many fields there are. Secrets are masked.
    pub detail: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// The field with its value.
    pub span: Span,
    /// The part to select, inside `span`.
    pub selection: Span,
    /// What is inside it. Their spans are inside `span`.
    pub children: Vec<Self>,
}

/// What a [`Symbol`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// An object.
    Object,
    /// A list.
    List,
    /// A text.
    Text,
    /// A number.
    Number,
    /// true or false.
    Flag,
    /// null, or no readable value.
    Null,
    /// A function that the agent can call.
    Function,
    /// The default of a template variable.
    Variable,
    /// A heading in a template.
    Heading,
}

/// How deeply symbols are nested at most: what is deeper has no place in an outline.
const MAX_DEPTH: usize = 40;

/// The number of characters of a value that are shown.
const MAX_SHOWN: usize = 60;

/// The number of items that a list may have for its values to be shown beside its name.
const MAX_LISTED: usize = 5;

/// The fields that identify an item of a list, the best first.
const NAMES: [&str; 11] = [
    settings::agent_function::displayName.row.name,
    "field_name",
    "name",
    "title",
    "label",
    "key",
    "id",
    "version_title",
    "version_number",
    "agent_id",
    "type",
];

/// The outline of a document: its fields with their short values, the items of its lists by their names, and the headings of its
/// templates.
///
/// ```
/// use voxlint::Document;
/// use voxlint_ide::symbols;
///
/// let text = r#"{ "title": "Front desk", "agent_functions": [{ "displayName": "book_room", "type": "custom" }] }"#;
/// let outline = symbols(&Document::parse(text));
/// assert_eq!((outline[0].name.as_str(), outline[0].detail.as_deref()), ("title", Some("Front desk")));
/// assert_eq!(outline[1].children[0].name, "book_room");
/// ```
pub fn symbols(document: &Document) -> Vec<Symbol> {
    let Some(root) = document.tree().root() else { return Vec::new() };
    let outline = Outline {
        mask: Mask::of(&Inputs::new(document.clone())),
        templates: template_nodes(document).into_iter().map(Node::span).collect(),
    };
    outline.inside(root, Role::Other, 0)
}

/// What the symbols inside a value are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Functions,
    Variables,
    Other,
}

struct Outline {
    mask: Mask,
    /// The templates, in the order of the text.
    templates: Vec<Span>,
}

impl Outline {
    /// The symbols inside a value.
    fn inside(&self, value: Node<'_>, role: Role, depth: usize) -> Vec<Symbol> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        match value.kind() {
            Kind::Object => value.members().map(|it| self.field(it, role, depth)).collect(),
            Kind::Array => {
                let items = value.elements().enumerate();
                items.map(|(at, item)| self.item(item, at, role, depth)).collect()
            }
            Kind::String if self.templates.binary_search(&value.span()).is_ok() => {
                value.text().map_or_else(Vec::new, |text| self.headings(&text))
            }
            _ => Vec::new(),
        }
    }

    fn field(&self, member: Member<'_>, role: Role, depth: usize) -> Symbol {
        let (key, value) = (member.key, member.value);
        // The value of an alias is elsewhere, and has its symbols there.
        let is_here = value.span().start >= key.span().end;
        let inner = match &*member.name() {
            name if name == settings::agent_functions.row.name => Role::Functions,
            name if name == settings::default_dynamic_variables.row.name => Role::Variables,
            _ => Role::Other,
        };
        let children = if is_here { self.inside(value, inner, depth + 1) } else { Vec::new() };
        let kind = match role {
            Role::Variables => SymbolKind::Variable,
            _ => kind_of(value),
        };
        let name = self.shown(key).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| "\"\"".to_owned());
        around(Symbol {
            name,
            detail: self.detail(value),
            kind,
            span: member.span(),
            selection: key.span(),
            children,
        })
    }

    fn item(&self, item: Node<'_>, at: usize, role: Role, depth: usize) -> Symbol {
        let children = self.inside(item, Role::Other, depth + 1);
        let named = item
            .members()
            .filter(|member| {
                !matches!(member.value.kind(), Kind::Object | Kind::Array | Kind::Null)
            })
            .filter_map(|member| {
                let rank = NAMES.iter().position(|name| member.is_named(name))?;
                Some((rank, member.value))
            })
            .min_by_key(|(rank, _)| *rank);
        let name = match named {
            Some((_, value)) => self.shown(value),
            None => self.shown(item),
        };
        let function_type = settings::agent_function::function_type.row.name;
        let detail = match item.kind() {
            Kind::Object if role == Role::Functions => {
                item.get(function_type).and_then(|value| self.shown(value))
            }
            Kind::Object | Kind::Array => self.detail(item),
            _ => None,
        };
        let kind = if role == Role::Functions && item.kind() == Kind::Object {
            SymbolKind::Function
        } else {
            kind_of(item)
        };
        let selection = named.map(|(_, value)| value.span());
        let selection = selection.filter(|span| item.span().contains(*span));
        around(Symbol {
            name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("[{at}]")),
            detail: detail.filter(|detail| !detail.is_empty()),
            kind,
            span: item.span(),
            selection: selection.unwrap_or_else(|| item.opening()),
            children,
        })
    }

    /// A short value, or what a container has.
    fn detail(&self, value: Node<'_>) -> Option<String> {
        match value.kind() {
            Kind::Object => Some(counted(value.members().count() as u64, "field")),
            Kind::Array => {
                let count = value.elements().count();
                let is_scalar = |item: Node<'_>| !matches!(item.kind(), Kind::Object | Kind::Array);
                if count == 0 || count > MAX_LISTED || !value.elements().all(is_scalar) {
                    return Some(counted(count as u64, "item"));
                }
                let items = value.elements().map(|item| self.shown(item).unwrap_or_default());
                Some(shortened(&items.collect::<Vec<_>>().join(", ")))
            }
            _ => self.shown(value).filter(|shown| !shown.is_empty()),
        }
    }

    /// A scalar or a name on one line, with its secrets masked; `None` for a container.
    fn shown(&self, node: Node<'_>) -> Option<String> {
        if matches!(node.kind(), Kind::Object | Kind::Array) {
            return None;
        }
        let text = node.as_str().unwrap_or_else(|| node.source().into());
        Some(shortened(&self.mask.value(&text)))
    }

    /// The headings of a template.
    fn headings(&self, text: &DecodedText<'_>) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut start = 0;
        for line in text.as_str().split('\n') {
            let level = line.len() - line.trim_start_matches('#').len();
            let title = line.get(level..).unwrap_or_default();
            if (1..=6).contains(&level) && title.starts_with(' ') && !title.trim().is_empty() {
                let span = text.to_source(start..start + line.trim_end().len());
                symbols.push(Symbol {
                    name: shortened(&self.mask.value(title)),
                    detail: None,
                    kind: SymbolKind::Heading,
                    span,
                    selection: span,
                    children: Vec::new(),
                });
            }
            start += line.len() + 1;
        }
        symbols
    }
}

/// A symbol around what is inside it. A table of TOML may be defined in several places.
fn around(mut symbol: Symbol) -> Symbol {
    let inner = symbol.children.iter().map(|child| child.span).chain([symbol.selection]);
    symbol.span = inner.fold(symbol.span, Span::cover);
    symbol
}

fn kind_of(node: Node<'_>) -> SymbolKind {
    match node.kind() {
        Kind::Object => SymbolKind::Object,
        Kind::Array => SymbolKind::List,
        Kind::String | Kind::Key => SymbolKind::Text,
        Kind::Number => SymbolKind::Number,
        Kind::Bool => SymbolKind::Flag,
        Kind::Null | Kind::Invalid => SymbolKind::Null,
    }
}

/// The start of a text on one line.
fn shortened(text: &str) -> String {
    let mut shown = String::new();
    let mut count = 0;
    let mut has_space = false;
    for character in text.trim_start().chars() {
        if character.is_whitespace() || character.is_control() {
            has_space = true;
            continue;
        }
        if count >= MAX_SHOWN {
            shown.push('…');
            break;
        }
        if has_space {
            shown.push(' ');
            count += 1;
        }
        has_space = false;
        shown.push(character);
        count += 1;
    }
    shown
}
