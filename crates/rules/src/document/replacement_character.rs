use voxlint_model::text::unusual::REPLACEMENT;

use super::shared::in_unusual_texts_of_sent;
use crate::prelude::*;

rule! {
    /// A text contains U+FFFD, which stands for a lost character.
    ///
    /// A program writes this sign, `�`, when it cannot decode a character. The character itself is gone, and callers hear
    /// a gap in the word. The description does not mention the sign: the service accepts it. Each text is reported once.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Welcome to Caf\ufffd Aurora." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "welcome_message": "Welcome to Caf\u00e9 Aurora." }
    /// ```
    "replacement-character": Document {
        group: Suspicious,
        basis: Inferred("The service accepts the sign in place of a lost character."),
        section: "2.3",
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    in_unusual_texts_of_sent(document, kind, finding)
}

/// The finding about a text.
pub(super) fn finding(_: Node<'_>, text: &str, place: &Place) -> Option<Finding> {
    let at = text.find(REPLACEMENT)?;
    let message = match text.matches(REPLACEMENT).count() {
        1 => "a character of this text was lost and replaced by U+FFFD".to_owned(),
        count => format!("{count} characters of this text were lost and replaced by U+FFFD"),
    };
    let finding = Finding::new(place.clone().decoded(at..at + REPLACEMENT.len_utf8()), message)
        .about_value(place.clone())
        .label("a lost character")
        .help("write the text again from its source, and save it as UTF-8");
    Some(finding)
}
