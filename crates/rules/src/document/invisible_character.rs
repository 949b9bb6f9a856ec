use voxlint_model::text::invisible::{Unexpected, unexpected};
use voxlint_model::text::keywords::without_bytes;
use voxlint_model::text::spoken::{is_blank, is_read_alike};

use super::shared::in_unusual_texts_of_sent;
use crate::prelude::*;

rule! {
    /// A text contains a character that readers cannot see.
    ///
    /// Such characters come with text copied from web pages and word processors. They split words for speech
    /// synthesis, change ids and addresses that look right, and may hide instructions from reviewers. The rule checks the
    /// characters beside each of them, and reports:
    ///
    /// - zero-width spaces, byte order marks, soft hyphens, and line and paragraph separators
    /// - joiners and variation selectors, except in scripts and emoji that need them
    /// - controls of the writing direction in texts without Arabic, Hebrew or another script that is written from right to left
    /// - characters that reverse the order of the text after them, which are errors by default
    /// - tag characters outside of the emoji of a flag
    /// - control characters other than tabs and line breaks
    ///
    /// Spaces of other widths are not reported. The description does not mention these characters: the service accepts them.
    /// Each text is reported once.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Hello\u200b, how can I help?" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Greet the caller.\u202e" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "welcome_message": "\u0936\u094d\u200d\u0930\u0940, thank you \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67" }
    /// ```
    "invisible-character": Document {
        group: Suspicious,
        basis: Inferred("The description does not mention characters that readers cannot see."),
        section: "2.3",
        fix: Both("Removes the characters. That is safe if they are zero-width spaces or byte order marks in a prompt, a message or a title, and the \
                   text has the same variables and braces without them. \
                   Line and paragraph separators are left alone, because something visible may have to take their place."),
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    in_unusual_texts_of_sent(document, kind, finding)
}

/// The finding about a text.
pub(super) fn finding(node: Node<'_>, text: &str, place: &Place) -> Option<Finding> {
    let found = unexpected(text);
    // The worst one is named.
    let named = found.iter().find(|it| it.reverses_text()).or(found.first())?;
    let (name, code) = (named.name(), u32::from(named.character));
    let message = match found.len() {
        1 => format!("this text contains {name} (U+{code:04X})"),
        count => format!(
            "this text contains {count} characters that cannot be seen, such as {name} (U+{code:04X})"
        ),
    };
    let breaks_line = |it: &&Unexpected| matches!(it.character, '\u{2028}' | '\u{2029}');
    let breaks = found.iter().filter(breaks_line).count();
    let help = match (found.len(), breaks) {
        (1, 0) => "remove it",
        (1, _) => "replace it with a line break",
        (_, 0) => "remove them",
        (all, breaks) if all == breaks => "replace them with line breaks",
        _ => "replace the line and paragraph separators with line breaks, and remove the others",
    };
    let finding = Finding::new(place.clone().decoded(named.range.clone()), message)
        .about_value(place.clone())
        .label("cannot be seen")
        .help(help);
    let finding = if named.reverses_text() { finding.an_error() } else { finding };
    if breaks > 0 {
        return Some(finding);
    }
    let removed: Vec<_> = found.iter().map(|it| it.range.clone()).collect();
    let is_safe = is_prose(node)
        && found.iter().all(|it| is_blank(it.character))
        && is_read_alike(text, &without_bytes(text, &removed));
    let title = match found.len() {
        1 => format!("remove {name}"),
        _ => "remove these characters".to_owned(),
    };
    let edits = found.iter().map(|it| ProposedEdit::Replace {
        at: place.clone().decoded(it.range.clone()),
        replacement: Replacement::Part(String::new()),
    });
    let safety = if is_safe { Safety::Safe } else { Safety::Unsafe };
    Some(finding.fix(ProposedFix::new(title, safety, edits.collect())))
}

/// Whether a text is read by people or by the language model. Anywhere else, such as in an id, another text is another thing.
fn is_prose(node: Node<'_>) -> bool {
    let Some(root) = node.tree().root() else { return false };
    if root.id() == node.id() {
        // A text file.
        return true;
    }
    let name = node.name().and_then(Node::as_str).unwrap_or_default();
    let is_setting = root.get(&name).is_some_and(|setting| setting.id() == node.id());
    settings::TABLE.row(&name).filter(|_| is_setting).is_some_and(|row| match row.shape {
        Shape::Text(text) => {
            matches!(text.role, Role::Prompt | Role::Speech | Role::Instruction | Role::Label)
        }
        _ => false,
    })
}
