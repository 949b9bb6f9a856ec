//! Values of documents with the rows that describe them.

use std::borrow::Cow;
use std::cell::OnceCell;

use voxlint_schema::{
    Field, Flag, Items, List, Map, Null, Number, Row, Shape, Table, Text, settings,
};
use voxlint_syntax::{Decimal, Kind, Node};

use crate::fields::{Fields, has_type_of};
use crate::place::Place;
use crate::text::comments;
use crate::text_traits::Traits;
use crate::variables::KnownVariables;
use crate::wildcard::LazyWildcards;
use crate::{Origin, UnreadPart};

/// 2^53. 64-bit floating point numbers represent all whole numbers up to this one exactly.
pub const MAX_EXACT_INTEGER: i64 = 1 << 53;

/// [`MAX_EXACT_INTEGER`] as a floating point number.
#[expect(clippy::cast_precision_loss, reason = "2^53 is exact")]
pub const MAX_EXACT_FLOAT: f64 = MAX_EXACT_INTEGER as f64;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<T> {
    /// The value and its place.
    Known(T, Place),
    /// The value is not set. The place is that of the null that clears it, if there is one.
    Absent(Option<Place>),
    /// The value is unknown.
    Unknown(UnknownReason),
}

/// Why a value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownReason {
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
    pub fn known(&self) -> Option<(&T, &Place)> {
        match self {
            Self::Known(value, place) => Some((value, place)),
            Self::Absent(_) | Self::Unknown(_) => None,
        }
    }
}

/// The Rust type of a field.
pub trait FromNode {
    /// What is read.
    type Value<'a>;

    /// The value of a node; `None` if it has another type.
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
pub struct FieldValue<'a> {
    /// The field.
    pub row: &'static Row,
    /// The value.
    pub node: Node<'a>,
    /// The input that has it.
    pub origin: Origin,
    /// The index of the item, if the value is an item of the field's array.
    pub item: Option<usize>,
    /// The kind of document that contains the value.
    pub kind: voxlint_schema::DocumentKind,
}

impl<'a> FieldValue<'a> {
    /// The limits of this value: those of the row, or those of its items.
    pub fn shape(&self) -> Shape {
        match (self.item, self.row.shape) {
            (Some(_), Shape::List(Items::Texts(text))) => Shape::Text(text),
            (Some(_), Shape::List(Items::Maps(table)) | Shape::Entries(table)) => {
                Shape::Map(Some(table))
            }
            (_, shape) => shape,
        }
    }

    /// The meaning of null here. Items of an array are never nullable.
    pub fn null(&self) -> Null {
        if self.item.is_some() { Null::Rejected } else { self.row.null }
    }

    /// The value's name in a message: `` `title` ``, `` `knowledge_base_ids[1]` ``.
    pub fn name(&self) -> String {
        match self.item {
            Some(_) if matches!(self.row.shape, Shape::Entries(_)) => {
                let key = self.node.name().and_then(Node::as_str).unwrap_or_default();
                format!("`{}.{}`", self.row.name, crate::quote::excerpt(&key))
            }
            Some(index) => format!("`{}[{index}]`", self.row.name),
            None => format!("`{}`", self.row.name),
        }
    }

    /// The place of the value.
    pub fn place(&self) -> Place {
        Place::of(self.origin, self.node)
    }

    /// Whether the value is null.
    pub fn is_null(&self) -> bool {
        self.node.kind() == Kind::Null
    }

    /// Whether the value has the type of its row. Null has none.
    pub fn has_right_type(&self) -> bool {
        has_type_of(&self.shape(), self.node)
    }

    /// The section of the row, without the heading of its block.
    pub fn section(&self) -> &'static str {
        section(self.row)
    }

    /// The number, if the row describes one.
    pub fn number(&self) -> Option<(Decimal<'a>, voxlint_schema::NumberShape)> {
        match self.shape() {
            Shape::Number(shape) => Some((self.node.decimal()?, shape)),
            _ => None,
        }
    }

    /// What a look at the text shows, if [`Self::text`] has one, and if it is among the `wanted` traits.
    pub fn text_traits(&self, wanted: Traits) -> Option<Traits> {
        let ((Shape::Text(shape), _) | (Shape::List(Items::Texts(shape)), Some(_))) =
            (&self.row.shape, self.item)
        else {
            return None;
        };
        let is_readable = self.node.kind() == Kind::String && !self.node.is_faulty();
        is_readable.then(|| Traits::at(self.node, shape, wanted))
    }

    /// The text, if the row describes one and every character of it can be read.
    pub fn text(&self) -> Option<(Cow<'a, str>, voxlint_schema::TextShape)> {
        match self.shape() {
            Shape::Text(shape) if !self.node.is_faulty() => Some((self.node.as_str()?, shape)),
            _ => None,
        }
    }
}

/// A string whose every character can be read, and its row.
#[derive(Debug)]
pub struct TextValue<'a> {
    /// The value of the field.
    pub value: FieldValue<'a>,
    /// The decoded text.
    pub text: &'a str,
    /// What the field allows.
    pub shape: voxlint_schema::TextShape,
    /// What the text has.
    pub traits: Traits,
    /// The template variables that are known.
    pub known: &'a KnownVariables<'a>,
    /// The text without its comments, computed on first use; `None` if it has no comments.
    without_comments: OnceCell<Option<String>>,
}

impl<'a> TextValue<'a> {
    /// The text of a value.
    pub fn new(
        value: FieldValue<'a>,
        text: &'a str,
        shape: voxlint_schema::TextShape,
        traits: Traits,
        known: &'a KnownVariables<'a>,
    ) -> Self {
        Self { value, text, shape, traits, known, without_comments: OnceCell::new() }
    }

    /// A part of the text for a message.
    pub fn quote(&self, decoded: std::ops::Range<usize>) -> String {
        crate::quote::quote(self.text.get(decoded).unwrap_or_default())
    }

    /// The text with spaces in place of the comments of a template, which callers never hear.
    pub fn without_comments(&self) -> &str {
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
    pub fn place(&self, decoded: std::ops::Range<usize>) -> Place {
        self.value.place().decoded(decoded)
    }

    /// The parts of a text in JSON that are nested too deep to be read.
    pub fn unread(&self) -> Vec<UnreadPart> {
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
pub struct TemplateValue<'a> {
    /// The value of the field.
    pub value: FieldValue<'a>,
    /// The decoded text.
    pub text: &'a str,
    /// The template as it was read.
    pub parsed: voxlint_template::ParsedTemplate,
    /// The template variables that are known.
    pub known: &'a KnownVariables<'a>,
}

impl<'a> TemplateValue<'a> {
    /// The template of a field that contains one. A text without `{{` uses no template syntax and is always valid.
    pub fn of(text: &TextValue<'a>) -> Option<Self> {
        if !text.shape.role.is_template() || !text.text.contains("{{") {
            return None;
        }
        let parsed = voxlint_template::parse(text.text);
        Some(Self { value: text.value, text: text.text, parsed, known: text.known })
    }

    /// The beginning of a message about the template: `` `prompt_text`: ``. Empty for a template in a file of its own.
    pub fn prefix(&self) -> String {
        if self.value.kind == voxlint_schema::DocumentKind::Template {
            String::new()
        } else {
            format!("{}: ", self.value.name())
        }
    }

    /// The name of the template in a message.
    pub fn name(&self) -> String {
        if self.value.kind == voxlint_schema::DocumentKind::Template {
            "the template".to_owned()
        } else {
            self.value.name()
        }
    }

    /// The characters of the file that spell a part of the template.
    pub fn place(&self, span: voxlint_template::TemplateSpan) -> Place {
        self.value.place().decoded(span.start as usize..span.end as usize)
    }
}

/// The number of the row's section: `2.3` of `2.3 Identity and structure`.
pub fn section(row: &Row) -> &'static str {
    row.section.split(' ').next().unwrap_or(row.section)
}

/// An object inside a document, as a noun with its article. Settings inside a document are not an update.
pub fn noun_phrase(table: &'static Table) -> &'static str {
    if std::ptr::eq(table, &raw const settings::TABLE) {
        voxlint_schema::DocumentKind::Settings.noun_phrase()
    } else {
        table.noun_phrase
    }
}

/// An object and the table that describes it.
#[derive(Clone, Debug)]
pub struct ObjectValue<'a> {
    /// The table that describes the object.
    pub table: &'static Table,
    /// The object.
    pub node: Node<'a>,
    /// The fields of the object, by the rows of the table.
    pub fields: Fields<'a>,
    /// The input that has it.
    pub origin: Origin,
    /// What the document is checked as.
    pub kind: voxlint_schema::DocumentKind,
    /// Whether the object is the document itself.
    pub is_root: bool,
    /// The field names that `unknown-field` ignores.
    pub allowed: &'a LazyWildcards<'a>,
}

impl<'a> ObjectValue<'a> {
    /// Whether this is the table that describes the object.
    pub fn is(&self, table: &'static Table) -> bool {
        std::ptr::eq(self.table, table)
    }

    /// An object inside this one.
    pub fn inner(&self, node: Node<'a>, table: &'static Table) -> Self {
        Self { table, node, fields: Fields::of(node, table), is_root: false, ..*self }
    }

    /// The value of a field, if it has the right type and every character of it can be read.
    pub fn get<T: FromNode>(&self, field: &Field<T>) -> Option<(T::Value<'a>, Place)> {
        let node = self.fields.get(field.row).filter(|node| !node.is_faulty())?;
        Some((T::from_node(node)?, Place::of(self.origin, node)))
    }

    /// The value of a field, if it is a whole number.
    pub fn whole(&self, field: &Field<Number>) -> Option<(Decimal<'a>, Place)> {
        self.get(field).filter(|(number, _)| number.is_whole())
    }

    /// The object as a noun with its article.
    pub fn noun_phrase(&self) -> &'static str {
        if self.is_root { self.kind.noun_phrase() } else { noun_phrase(self.table) }
    }

    /// The place of the object.
    pub fn place(&self) -> Place {
        Place::of(self.origin, self.node)
    }
}
