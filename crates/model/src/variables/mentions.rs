//! The names that settings other than templates mention.

use voxlint_schema::settings;
use voxlint_syntax::{Member, Node};

use super::flow::TEMPLATES;

/// The settings that may mention a variable without using it in a template: all but the templates and the defaults.
pub fn other_settings(root: Node<'_>) -> impl Iterator<Item = Member<'_>> {
    root.members().filter(|member| {
        let name = member.name();
        name != settings::default_dynamic_variables.row.name
            && !TEMPLATES.iter().any(|row| name == row.name)
    })
}

/// Visits every name in a value: the keys, and the words of the texts. It ends when `visit` returns false.
pub fn each_name(value: Node<'_>, mut visit: impl FnMut(&str) -> bool) {
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        if let Some(text) = node.as_str() {
            let words = text.split(|character| !is_word_character(character));
            if !words.into_iter().all(&mut visit) {
                return;
            }
        }
        for member in node.members() {
            if !visit(&member.name()) {
                return;
            }
            open.push(member.value);
        }
        open.extend(node.elements());
    }
}

/// Whether a character is part of a word.
pub fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
