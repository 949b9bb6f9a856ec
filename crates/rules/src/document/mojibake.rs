use voxlint_model::text::mojibake::mojibake;

use super::shared::in_unusual_texts_of_sent;
use crate::prelude::*;

rule! {
    /// A text was decoded with the wrong encoding.
    ///
    /// When text in UTF-8 is read as Windows-1252, `é` becomes `Ã©` and a curly apostrophe becomes `â€™`. Callers hear
    /// nonsense where these characters are. The rule reports only characters that are valid UTF-8 when they are turned back
    /// into bytes, so words such as `NÃO` and `château` are fine. The description does not mention this: the service
    /// accepts such texts. Each text is reported once.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Itâ€™s a pleasure to help you." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "welcome_message": "It’s a pleasure. À bientôt, até amanhã, GRÜẞE!" }
    /// ```
    "mojibake": Document {
        group: Suspicious,
        basis: Inferred("The service cannot know that a text was decoded with the wrong encoding."),
        section: "2.3",
        fix: Unsafe("Writes the characters whose bytes were read with the wrong encoding."),
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    in_unusual_texts_of_sent(document, kind, finding)
}

/// The finding about a text.
pub(super) fn finding(_: Node<'_>, text: &str, place: &Place) -> Option<Finding> {
    let found = mojibake(text);
    let first = found.first()?;
    let shown = quote(text.get(first.range.clone())?);
    let meant = quote(&first.meant.to_string());
    let message = match found.len() {
        1 => format!("{shown} is {meant}, decoded with the wrong encoding"),
        2 => format!(
            "{shown} is {meant}, decoded with the wrong encoding, and so is 1 more character of this text"
        ),
        count => format!(
            "{shown} is {meant}, decoded with the wrong encoding, and so are {} more characters of this text",
            count - 1
        ),
    };
    let edits = found.iter().map(|it| ProposedEdit::Replace {
        at: place.clone().decoded(it.range.clone()),
        replacement: Replacement::Part(it.meant.to_string()),
    });
    let title = match found.len() {
        1 => format!("write {meant}"),
        _ => "write the characters that were meant".to_owned(),
    };
    let finding = Finding::new(place.clone().decoded(first.range.clone()), message)
        .about_value(place.clone())
        .label("UTF-8, read as Windows-1252")
        .help(format!("{title}, or read the text again from its source as UTF-8"))
        .fix(ProposedFix::new(title, Safety::Unsafe, edits.collect()));
    Some(finding)
}
