use super::unusual_texts;
use crate::document::Document;
use crate::place::Place;
use crate::rule::rule;
use crate::text::unusual::REPLACEMENT;
use crate::verdict::{Finding, Verdicts};
use crate::{DocumentKind, Origin};

rule! {
    /// A text contains U+FFFD, the sign in place of a character that was lost.
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
    if kind.is_sent() { in_texts(document, Origin::Document) } else { Verdicts::none() }
}

/// The findings in the texts of one of the inputs.
pub(super) fn in_texts(document: &Document, origin: Origin) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for (node, text) in unusual_texts(document) {
        let Some(at) = text.find(REPLACEMENT) else { continue };
        let message = match text.matches(REPLACEMENT).count() {
            1 => "a character of this text was lost and replaced by U+FFFD".to_owned(),
            count => format!("{count} characters of this text were lost and replaced by U+FFFD"),
        };
        let place = Place::of(origin, node);
        let finding = Finding::new(place.clone().decoded(at..at + REPLACEMENT.len_utf8()), message)
            .about_value(place)
            .label("a lost character")
            .help("write the text again from its source, and save it as UTF-8");
        verdicts.add(finding.advice());
    }
    verdicts
}
