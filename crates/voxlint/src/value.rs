//! Values of documents with the rows that describe them.

use std::borrow::Cow;
use std::cell::OnceCell;

use voxlint_schema::{
    Field, Flag, Items, List, Map, Null, Number, Row, Shape, Table, Text, settings,
};
use voxlint_syntax::{Decimal, Kind, Node};

use crate::fields::{Fields, has_type_of};
use crate::place::Place;
use crate::text::address::Addresses;
use crate::text::comments;
use crate::text_traits::{Mentions, Traits};
use crate::variables::KnownVariables;
use crate::wildcard::LazyWildcards;
use crate::{Origin, UnreadPart};

/// 2^53. 64-bit floating point numbers represent all whole numbers up to this one exactly.
pub(crate) const MAX_EXACT_INTEGER: i64 = 1 << 53;

/// [`MAX_EXACT_INTEGER`] as a floating point number.
#[expect(clippy::cast_precision_loss, reason = "2^53 is exact")]
pub(crate) const MAX_EXACT_FLOAT: f64 = MAX_EXACT_INTEGER as f64;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<T> {
    /// The value and its place.
    Known(T, Place),
    /// The value is not set. The place is that of the null that clears it, if there is one.
    Absent(Option<Place>),
    /// The value is unknown.
    Unknown(UnknownReason),
}

/// Why a value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnknownReason {
    /// No input has it.
    NotGiven,
    /// The value is invalid, which another rule reports.
    Faulty,
    /// The stored configuration gives different values.
    Contradictory,
    /// It may be missing because of a fault in the text.
    Lost,
}

impl<T> Value<T> {
    /// The value and its place, if they are known.
    pub(crate) fn known(&self) -> Option<(&T, &Place)> {
        match self {
            Self::Known(value, place) => Some((value, place)),
            Self::Absent(_) | Self::Unknown(_) => None,
        }
    }
}

/// The Rust type of a field.
pub(crate) trait FromNode {
    type Value<'a>;

    fn from_node(node: Node<'_>) -> Option<Self::Value<'_>>;
}

impl FromNode for Text {
    type Value<'a> = Cow<'a, str>;

    fn from_node(node: Node<'_>) -> Option<Self::Value<'_>> {
        node.as_str()
    }
}

impl FromNode for Number {
    type Value<'a> = Decimal<'a>;

    fn from_node(node: Node<'_>) -> Option<Self::Value<'_>> {
        node.decimal()
    }
}

impl FromNode for Flag {
    type Value<'a> = bool;

    fn from_node(node: Node<'_>) -> Option<Self::Value<'_>> {
        node.as_bool()
    }
}

impl FromNode for Map {
    type Value<'a> = Node<'a>;

    fn from_node(node: Node<'_>) -> Option<Self::Value<'_>> {
        (node.kind() == Kind::Object).then_some(node)
    }
}

impl FromNode for List {
    type Value<'a> = Node<'a>;

    fn from_node(node: Node<'_>) -> Option<Self::Value<'_>> {
        (node.kind() == Kind::Array).then_some(node)
    }
}

/// A value and the row that describes it, or an item of such a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldValue<'a> {
    pub(crate) row: &'static Row,
    pub(crate) node: Node<'a>,
    pub(crate) origin: Origin,
    /// The index of the item, if the value is an item of the field's array.
    pub(crate) item: Option<usize>,
    /// The kind of document that contains the value.
    pub(crate) kind: crate::DocumentKind,
}

impl<'a> FieldValue<'a> {
    /// The limits of this value: those of the row, or those of its items.
    pub(crate) fn shape(&self) -> Shape {
        match (self.item, self.row.shape) {
            (Some(_), Shape::List(Items::Texts(text))) => Shape::Text(text),
            (Some(_), Shape::List(Items::Maps(table)) | Shape::Entries(table)) => {
                Shape::Map(Some(table))
            }
            (_, shape) => shape,
        }
    }

    /// The meaning of null here. Items of an array are never nullable.
    pub(crate) fn null(&self) -> Null {
        if self.item.is_some() { Null::Rejected } else { self.row.null }
    }

    /// The value's name in a message: `` `title` ``, `` `knowledge_base_ids[1]` ``.
    pub(crate) fn name(&self) -> String {
        match self.item {
            Some(_) if matches!(self.row.shape, Shape::Entries(_)) => {
                let key = self.node.name().and_then(Node::as_str).unwrap_or_default();
                format!("`{}.{}`", self.row.name, crate::quote::excerpt(&key))
            }
            Some(index) => format!("`{}[{index}]`", self.row.name),
            None => format!("`{}`", self.row.name),
        }
    }

    pub(crate) fn place(&self) -> Place {
        Place::of(self.origin, self.node)
    }

    pub(crate) fn is_null(&self) -> bool {
        self.node.kind() == Kind::Null
    }

    /// Whether the value has the type of its row. Null has none.
    pub(crate) fn has_right_type(&self) -> bool {
        has_type_of(&self.shape(), self.node)
    }

    /// The section of the row, without the heading of its block.
    pub(crate) fn section(&self) -> &'static str {
        section(self.row)
    }

    /// The number, if the row describes one.
    pub(crate) fn number(&self) -> Option<(Decimal<'a>, voxlint_schema::NumberShape)> {
        match self.shape() {
            Shape::Number(shape) => Some((self.node.decimal()?, shape)),
            _ => None,
        }
    }

    /// What a look at the text shows, if [`Self::text`] has one, and if it is among the `wanted` traits. `mentions` has those of its
    /// document.
    pub(crate) fn text_traits(
        &self,
        wanted: Traits,
        mentions: impl FnOnce() -> Mentions,
    ) -> Option<Traits> {
        let ((Shape::Text(shape), _) | (Shape::List(Items::Texts(shape)), Some(_))) =
            (&self.row.shape, self.item)
        else {
            return None;
        };
        let is_readable = self.node.kind() == Kind::String && !self.node.is_faulty();
        is_readable.then(|| Traits::at(self.node, shape, wanted, mentions))
    }

    /// The text, if the row describes one and every character of it can be read.
    pub(crate) fn text(&self) -> Option<(Cow<'a, str>, voxlint_schema::TextShape)> {
        match self.shape() {
            Shape::Text(shape) if !self.node.is_faulty() => Some((self.node.as_str()?, shape)),
            _ => None,
        }
    }
}

/// A string whose every character can be read, and its row.
#[derive(Debug)]
pub(crate) struct TextValue<'a> {
    pub(crate) value: FieldValue<'a>,
    /// The decoded text.
    pub(crate) text: &'a str,
    pub(crate) shape: voxlint_schema::TextShape,
    pub(crate) traits: Traits,
    /// The template variables that are known.
    pub(crate) known: &'a KnownVariables<'a>,
    /// The text without its comments, computed on first use; `None` if it has no comments.
    without_comments: OnceCell<Option<String>>,
}

impl<'a> TextValue<'a> {
    pub(crate) fn new(
        value: FieldValue<'a>,
        text: &'a str,
        shape: voxlint_schema::TextShape,
        traits: Traits,
        known: &'a KnownVariables<'a>,
    ) -> Self {
        Self { value, text, shape, traits, known, without_comments: OnceCell::new() }
    }

    /// A part of the text for a message.
    pub(crate) fn quote(&self, decoded: std::ops::Range<usize>) -> String {
        crate::quote::quote(self.text.get(decoded).unwrap_or_default())
    }

    /// The text with spaces in place of the comments of a template, which callers never hear.
    pub(crate) fn without_comments(&self) -> &str {
        let of_template = || match comments::without_comments(self.text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => Some(masked),
        };
        let masked = self
            .without_comments
            .get_or_init(|| self.shape.role.is_template().then(of_template).flatten());
        masked.as_deref().unwrap_or(self.text)
    }

    /// The characters of the file that spell a part of the text.
    pub(crate) fn place(&self, decoded: std::ops::Range<usize>) -> Place {
        self.value.place().decoded(decoded)
    }

    /// The parts of a text in JSON that are nested too deep to be read.
    pub(crate) fn unread(&self) -> Vec<UnreadPart> {
        let brackets = || self.text.bytes().filter(|byte| matches!(byte, b'[' | b'{'));
        if self.shape.format != voxlint_schema::TextFormat::Json
            || brackets().nth(voxlint_syntax::MAX_DEPTH).is_none()
        {
            return Vec::new();
        }
        let Some(text) = self.value.node.text() else { return Vec::new() };
        let parsed = voxlint_syntax::parse(text.as_str(), voxlint_syntax::Format::Json);
        let parts = parsed.unread.iter().map(|part| UnreadPart {
            origin: self.value.origin,
            span: text.to_source(part.span.start as usize..part.span.end as usize),
            message: part.why.to_string(),
        });
        parts.collect()
    }
}

/// A template: its decoded text and the syntax tree of that text.
#[derive(Debug)]
pub(crate) struct TemplateValue<'a> {
    pub(crate) value: FieldValue<'a>,
    /// The decoded text.
    pub(crate) text: &'a str,
    pub(crate) parsed: voxlint_template::ParsedTemplate,
    /// The template variables that are known.
    pub(crate) known: &'a KnownVariables<'a>,
}

impl<'a> TemplateValue<'a> {
    /// The template of a field that contains one. A text without `{{` uses no template syntax and is always valid.
    pub(crate) fn of(text: &TextValue<'a>) -> Option<Self> {
        if !text.shape.role.is_template() || !text.text.contains("{{") {
            return None;
        }
        let parsed = voxlint_template::parse(text.text);
        Some(Self { value: text.value, text: text.text, parsed, known: text.known })
    }

    /// The beginning of a message about the template: `` `prompt_text`: ``. Empty for a template in a file of its own.
    pub(crate) fn prefix(&self) -> String {
        if self.value.kind == crate::DocumentKind::Template {
            String::new()
        } else {
            format!("{}: ", self.value.name())
        }
    }

    /// The name of the template in a message.
    pub(crate) fn name(&self) -> String {
        if self.value.kind == crate::DocumentKind::Template {
            "the template".to_owned()
        } else {
            self.value.name()
        }
    }

    /// The characters of the file that spell a part of the template.
    pub(crate) fn place(&self, span: voxlint_template::TemplateSpan) -> Place {
        self.value.place().decoded(span.start as usize..span.end as usize)
    }
}

/// The number of the row's section: `2.3` of `2.3 Identity and structure`.
pub(crate) fn section(row: &Row) -> &'static str {
    row.section.split(' ').next().unwrap_or(row.section)
}

/// An object inside a document, as a noun with its article. Settings inside a document are not an update.
pub(crate) fn noun_phrase(table: &'static Table) -> &'static str {
    if std::ptr::eq(table, &raw const settings::TABLE) {
        crate::DocumentKind::Settings.noun_phrase()
    } else {
        table.noun_phrase
    }
}

/// An object and the table that describes it.
#[derive(Clone, Debug)]
pub(crate) struct ObjectValue<'a> {
    pub(crate) table: &'static Table,
    pub(crate) node: Node<'a>,
    /// The fields of the object, by the rows of the table.
    pub(crate) fields: Fields<'a>,
    pub(crate) origin: Origin,
    pub(crate) kind: crate::DocumentKind,
    /// Whether the object is the document itself.
    pub(crate) is_root: bool,
    /// The field names that `unknown-field` ignores.
    pub(crate) allowed: &'a LazyWildcards<'a>,
    /// What [`Self::addresses`] has found.
    pub(crate) addresses: OnceCell<Addresses>,
}

impl<'a> ObjectValue<'a> {
    /// The addresses in the settings of a function.
    pub(crate) fn addresses(&self, config: Node<'a>) -> Addresses {
        *self.addresses.get_or_init(|| Addresses::of(config))
    }

    /// Whether this is the table that describes the object.
    pub(crate) fn is(&self, table: &'static Table) -> bool {
        std::ptr::eq(self.table, table)
    }

    /// An object inside this one.
    pub(crate) fn inner(&self, node: Node<'a>, table: &'static Table) -> Self {
        Self {
            table,
            node,
            fields: Fields::of(node, table),
            is_root: false,
            addresses: OnceCell::new(),
            ..*self
        }
    }

    /// The value of a field, if it has the right type and every character of it can be read.
    pub(crate) fn get<T: FromNode>(&self, field: &Field<T>) -> Option<(T::Value<'a>, Place)> {
        let node = self.fields.get(field.row).filter(|node| !node.is_faulty())?;
        Some((T::from_node(node)?, Place::of(self.origin, node)))
    }

    /// The value of a field, if it is a whole number.
    pub(crate) fn whole(&self, field: &Field<Number>) -> Option<(Decimal<'a>, Place)> {
        self.get(field).filter(|(number, _)| number.is_whole())
    }

    /// The object as a noun with its article.
    pub(crate) fn noun_phrase(&self) -> &'static str {
        if self.is_root { self.kind.noun_phrase() } else { noun_phrase(self.table) }
    }

    pub(crate) fn place(&self) -> Place {
        Place::of(self.origin, self.node)
    }
}
