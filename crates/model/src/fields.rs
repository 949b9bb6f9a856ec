//! The fields of objects, found by the numbers of their names.

use voxlint_schema::names::LONGEST_TABLE;
use voxlint_schema::{Row, Shape, Table};
use voxlint_syntax::{Kind, Member, Node, NodeId, Tree};

/// Looks up fields in objects of documents. The names of a [`crate::Document`] have numbers; those of other trees do not.
pub trait GetField<'a> {
    /// The value of a field. Of fields with the same name the last one counts.
    fn field(self, row: &Row) -> Option<Node<'a>>;

    /// The same, in a tree that need not be that of a document.
    fn field_or_named(self, row: &Row) -> Option<Node<'a>>;
}

impl<'a> GetField<'a> for Node<'a> {
    fn field(self, row: &Row) -> Option<Node<'a>> {
        debug_assert!(
            self.members().next().is_none_or(|member| member.name_id() != 0),
            "the names of the tree have no numbers"
        );
        self.get_by_name_id(row.name_id)
    }

    fn field_or_named(self, row: &Row) -> Option<Node<'a>> {
        match self.members().next() {
            Some(first) if first.name_id() != 0 => self.field(row),
            _ => self.get(row.name),
        }
    }
}

/// Tells which row of a table describes a member.
pub trait RowOf {
    /// The row with the name of the member.
    fn row_of(&self, member: Member<'_>) -> Option<&'static Row>;
}

impl RowOf for Table {
    #[inline]
    fn row_of(&self, member: Member<'_>) -> Option<&'static Row> {
        self.row_by_name_id(member.name_id())
    }
}

/// The set with one row.
#[inline]
pub const fn bit(row: &Row) -> u128 {
    1 << row.index
}

/// The fields of one object by the rows of its table. They are sorted once for everything that reads them. Of fields with the
/// same name the last one counts.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    /// The rows that the object has fields for, one bit each.
    present: u128,
    /// Whether the object has members that no row describes.
    has_unknown: bool,
    tree: Option<&'a Tree>,
    /// The value of each row, if the object has it.
    values: [NodeId; LONGEST_TABLE],
}

impl<'a> Fields<'a> {
    /// No fields.
    pub fn none() -> Self {
        Self {
            present: 0,
            has_unknown: false,
            tree: None,
            values: [NodeId::default(); LONGEST_TABLE],
        }
    }

    /// The fields of an object; none for another value.
    pub fn of(object: Node<'a>, table: &Table) -> Self {
        let mut fields = Self { tree: Some(object.tree()), ..Self::none() };
        for member in object.members() {
            let Some(row) = table.row_of(member) else {
                fields.has_unknown = true;
                continue;
            };
            if let Some(value) = fields.values.get_mut(row.index) {
                *value = member.value.id();
                fields.present |= bit(row);
            }
        }
        fields
    }

    /// The value of a field.
    #[inline]
    pub fn get(&self, row: &Row) -> Option<Node<'a>> {
        if self.has(row) { self.tree?.node(*self.values.get(row.index)?) } else { None }
    }

    /// Whether the object has the field, whatever its value.
    #[inline]
    pub const fn has(&self, row: &Row) -> bool {
        self.present & bit(row) != 0
    }

    /// The rows that the object has fields for, one bit each.
    pub const fn present(&self) -> u128 {
        self.present
    }

    /// Whether the object has members that no row describes.
    pub const fn has_unknown(&self) -> bool {
        self.has_unknown
    }
}

/// The rows of a set, in the order of their table.
pub fn rows_in(mut set: u128, table: &'static Table) -> impl Iterator<Item = &'static Row> {
    std::iter::from_fn(move || {
        let row = table.rows.get(set.trailing_zeros() as usize)?;
        set &= set.wrapping_sub(1);
        Some(*row)
    })
}

/// Whether a node has the type of a shape.
pub(crate) fn has_type_of(shape: &Shape, node: Node<'_>) -> bool {
    match (shape, node.kind()) {
        (Shape::Text(_) | Shape::TextOrTexts, Kind::String)
        | (Shape::Number(_), Kind::Number)
        | (Shape::Flag, Kind::Bool)
        | (Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_), Kind::Object)
        | (Shape::List(_), Kind::Array) => true,
        (Shape::Number(number), Kind::String) => number.or_texts,
        (shape, Kind::Array) if shape.allows_texts() => {
            node.elements().all(|element| element.kind() == Kind::String)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use voxlint_schema::DocumentKind;
    use voxlint_syntax::Kind;

    use super::*;
    use crate::Document;

    #[test]
    fn fields_are_the_last_members_of_their_names() {
        let names: Vec<&str> =
            DocumentKind::Update.table().rows.iter().map(|row| row.name).collect();
        let all = names.iter().map(|name| format!("\"{name}\": 1")).collect::<Vec<_>>().join(",");
        for text in [
            "{}",
            "[]",
            r#"{ "title": 1, "t\u0069tle": 2 }"#,
            r#"{ "title": 1, "other": 2, "voice_id": { "title": 3 }, "title": null }"#,
            r#"{ "title": 1, "unknown": 2, "unknown": 3 }"#,
            &format!("{{ {all} }}"),
            &format!("{{ {all}, \"title\": 2 }}"),
        ] {
            let document = Document::parse(text);
            let root = document.tree().root().expect("a value");
            for kind in DocumentKind::ALL {
                let table = kind.table();
                let fields = Fields::of(root, table);
                for row in table.rows {
                    assert_eq!(fields.get(row), root.get(row.name), "{text}");
                    assert_eq!(root.field(row), root.get(row.name), "{text}");
                    assert_eq!(fields.has(row), root.get(row.name).is_some(), "{text}");
                }
                let present: Vec<&str> =
                    rows_in(fields.present(), table).map(|row| row.name).collect();
                let expected = table.rows.iter().map(|row| row.name);
                let expected = expected.filter(|name| root.get(name).is_some());
                assert_eq!(present, expected.collect::<Vec<_>>(), "{text}");
                let is_unknown = |member: Member<'_>| table.row(&member.name()).is_none();
                assert_eq!(fields.has_unknown(), root.members().any(is_unknown), "{text}");
            }
        }
    }

    #[test]
    fn objects_with_a_repeated_name_are_never_distinct() {
        let many: Vec<String> = (0..300).map(|number| format!("\"name_{number}\": 1")).collect();
        for (text, is_distinct) in [
            ("{}", true),
            (r#"{ "title": 1, "other": { "title": 1 } }"#, true),
            (r#"{ "title": 1, "t\u0069tle": 1 }"#, false),
            (r#"{ "other": 1, "title": 1, "other": 1 }"#, false),
            (&format!("{{ {}, \"name_7\": 1 }}", many.join(",")), false),
        ] {
            let document = Document::parse(text);
            let root = document.tree().root().expect("an object");
            assert_eq!(root.kind(), Kind::Object);
            assert_eq!(root.has_distinct_names(), is_distinct, "{text}");
        }
    }
}
