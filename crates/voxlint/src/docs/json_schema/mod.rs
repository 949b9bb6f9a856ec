//! JSON Schema, made from the tables: what an editor can say of a document while it is written.

mod several;
mod text;

use std::borrow::Cow;

use voxlint_schema::{
    DocumentKind, Fractions, Items, Null, NumberShape, Presence, Row, Shape, Table, UnknownFields,
};

use crate::docs::pages;
use crate::json::Json;
use crate::value::noun_phrase;

/// One keyword of a schema and its value.
type Keyword = (Cow<'static, str>, Json<'static>);

/// The JSON Schema (draft 2020-12) of a kind of document; `None` for a template, which is no JSON.
///
/// The schema refuses what [`check`](crate::check) finds refused or possibly refused, as far as a schema can say it, and
/// nothing else. It sees one document and neither what is stored nor the facts of the workspace. The text is the same
/// each time, indented, and ends with a line break.
///
/// ```
/// use voxlint::{DocumentKind, docs::json_schema};
///
/// let schema = json_schema(DocumentKind::Update).expect("a schema");
/// assert!(schema.contains(r#""kb_max_chunks": {"#));
/// assert_eq!(json_schema(DocumentKind::Template), None);
/// ```
pub fn json_schema(kind: DocumentKind) -> Option<String> {
    if kind == DocumentKind::Template {
        return None;
    }
    let mut maker = Maker { kind, tables: Vec::new() };
    let mut schema = vec![
        keyword("$schema", text("https://json-schema.org/draft/2020-12/schema")),
        keyword(
            "$comment",
            text(format!(
                "Made by `voxlint schema {}`. It refuses what `voxlint check` finds refused or possibly refused, as far as a schema can say it. The check finds more.",
                kind.name()
            )),
        ),
        keyword("title", text(kind.noun_phrase())),
        keyword("type", text("object")),
    ];
    schema.extend(maker.members(kind.table()));
    schema.extend(several::fields(kind));
    let definitions = maker.definitions();
    if !definitions.is_empty() {
        schema.push(keyword("$defs", Json::Object(definitions)));
    }
    Some(Json::Object(schema).pretty() + "\n")
}

/// A schema in the making.
struct Maker {
    kind: DocumentKind,
    /// The tables that the schema names, in the order in which it names them.
    tables: Vec<&'static Table>,
}

impl Maker {
    /// The definitions of the tables that are named, and of those that these name in turn.
    fn definitions(&mut self) -> Vec<Keyword> {
        let mut definitions = Vec::new();
        while let Some(table) = self.tables.get(definitions.len()).copied() {
            let mut definition = vec![keyword("title", text(noun_phrase(table)))];
            definition.extend(self.members(table));
            definitions.push((Cow::Owned(name(table)), Json::Object(definition)));
        }
        definitions
    }

    /// What a table says of an object. That it is one is said where the table is named, because there it may be null.
    fn members(&mut self, table: &'static Table) -> Vec<Keyword> {
        let properties = table.rows.iter().map(|row| keyword(row.name, self.property(row)));
        let mut keywords = vec![keyword("properties", Json::Object(properties.collect()))];
        let is_needed = |row: &&&Row| self.kind.presence(row) != Presence::Optional;
        let needed: Vec<_> =
            table.rows.iter().filter(is_needed).map(|row| text(row.name)).collect();
        if !needed.is_empty() {
            keywords.push(keyword("required", Json::List(needed)));
        }
        match table.unknown_fields {
            UnknownFields::Unspecified | UnknownFields::Reject => {
                keywords.push(keyword("additionalProperties", Json::Flag(false)));
            }
            UnknownFields::Warn | UnknownFields::Allow => {}
        }
        keywords
    }

    fn property(&mut self, row: &Row) -> Json<'static> {
        let mut keywords = vec![keyword("description", text(description(row)))];
        let is_nullable = row.null == Null::Clears;
        keywords.push(types(row.shape, is_nullable));
        match row.shape {
            Shape::Text(shape) => {
                keywords.extend(text::keywords(shape, self.kind, is_nullable));
            }
            Shape::Number(number) => keywords.extend(bounds(number)),
            Shape::Map(Some(table)) => keywords.push(self.reference(table)),
            Shape::Entries(table) => {
                keywords.push(keyword("additionalProperties", self.object(table)));
            }
            Shape::EntriesOrFirst(table) => {
                // `anyOf` would say of a slip inside an entry that the entry is nothing at all.
                let mut entry = vec![keyword("if", of_type("object"))];
                entry.push(keyword("then", self.object(table)));
                entry.extend(table.rows.first().map(|row| keyword("else", self.property(row))));
                keywords.push(keyword("additionalProperties", Json::Object(entry)));
            }
            Shape::List(items) => keywords.push(keyword("items", self.item(items))),
            Shape::TextOrTexts => keywords.push(keyword("items", of_type("string"))),
            Shape::Flag | Shape::Map(None) => {}
        }
        Json::Object(keywords)
    }

    /// An element of a list, which is never null.
    fn item(&mut self, items: Items) -> Json<'static> {
        match items {
            Items::Texts(shape) => {
                let mut keywords = vec![keyword("type", text("string"))];
                keywords.extend(text::keywords(shape, self.kind, false));
                Json::Object(keywords)
            }
            Items::Maps(table) => self.object(table),
        }
    }

    fn object(&mut self, table: &'static Table) -> Json<'static> {
        Json::Object(vec![keyword("type", text("object")), self.reference(table)])
    }

    fn reference(&mut self, table: &'static Table) -> Keyword {
        if !self.tables.iter().any(|known| std::ptr::eq(*known, table)) {
            self.tables.push(table);
        }
        keyword("$ref", text(format!("#/$defs/{}", name(table))))
    }
}

/// The name of a table's definition: `analysis-item`.
fn name(table: &'static Table) -> String {
    let what = noun_phrase(table);
    let bare = what.split_once(' ').map_or(what, |(_article, bare)| bare);
    bare.to_lowercase().replace('\'', "").replace(' ', "-")
}

/// What an editor shows beside a field.
fn description(row: &Row) -> String {
    let mut description = row.description();
    let limits = pages::limits(row);
    if !limits.is_empty() {
        description.push_str("\n\nLimits: ");
        description.push_str(&limits.join("; "));
        description.push('.');
    }
    // What is voxlint's own has no section.
    if row.section.starts_with(|first: char| first.is_ascii_digit()) {
        description.push_str("\n\nSection ");
        description.push_str(row.section);
        description.push('.');
    }
    description
}

fn types(shape: Shape, is_nullable: bool) -> Keyword {
    let name = match shape {
        Shape::Text(_) | Shape::TextOrTexts => "string",
        Shape::Number(_) => "number",
        Shape::Flag => "boolean",
        Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_) => "object",
        Shape::List(_) => "array",
    };
    let or_array = matches!(shape, Shape::TextOrTexts).then_some("array");
    let or_null = is_nullable.then_some("null");
    let others: Vec<_> = or_array.into_iter().chain(or_null).map(text).collect();
    if others.is_empty() {
        return keyword("type", text(name));
    }
    keyword("type", Json::List(std::iter::once(text(name)).chain(others).collect()))
}

/// Of two ranges the narrower: what lies between them is possibly refused. Whole numbers are not called `integer`, because
/// editors take `3.0` for none, and the check does.
fn bounds(number: NumberShape) -> impl Iterator<Item = Keyword> {
    let (least, most) = number.disputed.map_or((None, None), |it| (it.min, it.max));
    let step = (number.fractions != Fractions::Allowed).then_some(1);
    [("minimum", least.or(number.min)), ("maximum", most.or(number.max)), ("multipleOf", step)]
        .into_iter()
        .filter_map(|(name, bound)| Some(keyword(name, Json::Whole(bound?))))
}

fn keyword(name: &'static str, value: Json<'static>) -> Keyword {
    (Cow::Borrowed(name), value)
}

fn text(text: impl Into<Cow<'static, str>>) -> Json<'static> {
    Json::Text(text.into())
}

fn of_type(name: &'static str) -> Json<'static> {
    Json::Object(vec![keyword("type", text(name))])
}
