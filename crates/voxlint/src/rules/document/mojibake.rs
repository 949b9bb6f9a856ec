use super::unusual_texts;
use crate::document::Document;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::text::mojibake::mojibake;
use crate::verdict::{Finding, ProposedFix, Replacement, Verdicts};
use crate::{DocumentKind, Origin, Safety};

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
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    if kind.is_sent() { in_texts(document, Origin::Document) } else { Verdicts::none() }
}

/// The findings in the texts of one of the inputs.
pub(super) fn in_texts(document: &Document, origin: Origin) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for (node, text) in unusual_texts(document) {
        let found = mojibake(&text);
        let Some(first) = found.first() else { continue };
        let shown = quote(text.get(first.range.clone()).unwrap_or_default());
        let meant = quote(&first.meant.to_string());
        let message = match found.len() {
            1 => format!("{shown} is {meant}, decoded with the wrong encoding"),
            count => format!(
                "{shown} is {meant}, decoded with the wrong encoding, and so are {} more characters of this text",
                count - 1
            ),
        };
        let place = Place::of(origin, node);
        let mut finding = Finding::new(place.clone().decoded(first.range.clone()), message)
            .about_value(place.clone())
            .label("UTF-8, read as Windows-1252")
            .help("write the text again from its source, and read it as UTF-8");
        if found.len() == 1 {
            finding = finding.fix(ProposedFix {
                title: format!("write {meant}"),
                safety: Safety::Unsafe,
                at: place.decoded(first.range.clone()),
                replacement: Replacement::Part(first.meant.to_string()),
            });
        }
        verdicts.add(finding.advice());
    }
    verdicts
}
