//! What a safe fix may do to a value: the service reads it as before, and callers hear the same.

use std::collections::HashSet;

use voxlint_model::equality::is_same;
use voxlint_model::text::keywords::single_spaced;
use voxlint_model::text::spoken::{is_blank, is_read_alike};
use voxlint_schema::{DocumentKind, Role, settings};
use voxlint_syntax::{Decimal, Kind, Node};

/// How much of a text is spelling only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// A template: invisible spaces, and spaces between the braces and the name of a variable.
    Template,
    /// Keywords between commas: white space around them and in them, but for line breaks, and empty and repeated keywords.
    Keywords,
    /// Any other setting: invisible spaces, and white space around it.
    Text,
    /// A text inside another value: invisible spaces only.
    Inner,
}

impl Spelling {
    /// That of the value at a JSON Pointer, in a document of this kind.
    pub(super) fn of(kind: DocumentKind, pointer: &str) -> Self {
        let row = pointer.strip_prefix('/').and_then(|name| settings::TABLE.row(name));
        let row = row.filter(|_| kind.has_settings());
        let role = row.and_then(voxlint_schema::Row::text_role);
        match role {
            _ if kind == DocumentKind::Template && pointer.is_empty() => Self::Template,
            Some(Role::Prompt | Role::Speech | Role::Instruction) => Self::Template,
            Some(Role::Keywords) => Self::Keywords,
            _ if row.is_some() => Self::Text,
            _ => Self::Inner,
        }
    }

    /// Whether two texts differ only in what is spelling.
    fn is_same_text(self, one: &str, other: &str) -> bool {
        match self {
            Self::Template => is_read_alike(one, other),
            _ => self.normal(one) == self.normal(other),
        }
    }

    /// A text other than a template, without what is spelling only.
    fn normal(self, text: &str) -> String {
        let visible: String = text.chars().filter(|c| !is_blank(*c)).collect();
        match self {
            Self::Keywords => {
                let mut seen = HashSet::new();
                let keywords = visible.split(',').map(single_spaced);
                let keywords = keywords.filter(|it| !it.is_empty() && seen.insert(it.clone()));
                keywords.collect::<Vec<_>>().join(", ")
            }
            Self::Text => visible.trim().to_owned(),
            Self::Template | Self::Inner => visible,
        }
    }
}

/// Whether nothing but the spelling of a value differs: the same value, the same text as a value of another type, or the same
/// text but for what [`Spelling`] names.
pub(super) fn is_lossless(spelling: Spelling, before: Node<'_>, after: Node<'_>) -> bool {
    if is_same(before, after) {
        return true;
    }
    let (Some(old), Some(new)) = (text(before), text(after)) else { return false };
    let is_number = before.kind() == Kind::Number || after.kind() == Kind::Number;
    if is_number {
        let numbers = Decimal::parse(old.trim()).zip(Decimal::parse(new.trim()));
        return old.trim() == new.trim() || numbers.is_some_and(|(old, new)| old == new);
    }
    spelling.is_same_text(&old, &new)
}

/// The text of a scalar.
fn text(node: Node<'_>) -> Option<String> {
    match node.kind() {
        Kind::String => node.as_str().map(std::borrow::Cow::into_owned),
        Kind::Number | Kind::Bool => Some(node.source().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use voxlint_model::Document;

    fn holds(spelling: Spelling, before: &str, after: &str) -> bool {
        let [before, after] = [before, after].map(Document::parse);
        is_lossless(spelling, before.tree().root().unwrap(), after.tree().root().unwrap())
    }

    #[test]
    fn a_value_may_change_its_type_and_not_its_text() {
        for (before, after) in [("\"900\"", "900"), ("\"true\"", "true"), ("\" 1.50\"", "1.5")] {
            assert!(holds(Spelling::Text, before, after), "{before} to {after}");
        }
        for (before, after) in
            [("\"9OO\"", "900"), ("\"yes\"", "true"), ("1", "[1]"), ("0", "null")]
        {
            assert!(!holds(Spelling::Text, before, after), "{before} to {after}");
        }
    }

    #[test]
    fn white_space_around_names_is_spelling() {
        assert!(holds(Spelling::Text, "\" Front desk \"", "\"Front desk\""));
        assert!(!holds(Spelling::Text, "\"Front  desk\"", "\"Front desk\""));
        assert!(!holds(Spelling::Inner, "\" Front desk\"", "\"Front desk\""));
        assert!(holds(Spelling::Inner, "\"Front\\u200b desk\"", "\"Front desk\""));
        let of = |pointer| Spelling::of(DocumentKind::Update, pointer);
        assert_eq!(
            (of("/title"), of("/agent_functions/0/displayName")),
            (Spelling::Text, Spelling::Inner)
        );
        assert!(!holds(Spelling::Template, "\" Hi\"", "\"Hi\""));
        assert!(holds(Spelling::Template, "\"Hi {{ name }}\\u200b.\"", "\"Hi {{name}}.\""));
        assert!(!holds(Spelling::Template, "\"Hi {{#if a}}.\"", "\"Hi {{^if a}}.\""));
        assert!(holds(Spelling::Keywords, "\"a ,b b,, a\"", "\"a, b b\""));
        assert!(!holds(Spelling::Keywords, "\"a, b\"", "\"b, a\""));
        assert!(holds(Spelling::Keywords, "\"a,\\n b\\tc\"", "\"a, b c\""));
        assert!(!holds(Spelling::Keywords, "\"a, b\\nc\"", "\"a, b c\""), "these may be three");
        assert!(!holds(Spelling::Template, "\"{\\u200b{name}}\"", "\"{{name}}\""));
    }
}
