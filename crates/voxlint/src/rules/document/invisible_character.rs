use voxlint_syntax::Node;

use super::unusual_texts;
use crate::document::Document;
use crate::place::Place;
use crate::rule::rule;
use crate::text::invisible::{Unexpected, unexpected};
use crate::verdict::{Finding, ProposedFix, Replacement, Verdicts};
use crate::{DocumentKind, Origin, Safety};

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
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    if kind.is_sent() { in_texts(document, Origin::Document) } else { Verdicts::none() }
}

/// The findings in the texts of one of the inputs.
pub(super) fn in_texts(document: &Document, origin: Origin) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for (node, text) in unusual_texts(document) {
        let found = unexpected(&text);
        if let Some(finding) = finding(node, &text, &found, origin) {
            let reverses_text = found.iter().any(Unexpected::reverses_text);
            verdicts.add(if reverses_text { finding.an_error() } else { finding }.advice());
        }
    }
    verdicts
}

fn finding(node: Node<'_>, text: &str, found: &[Unexpected], origin: Origin) -> Option<Finding> {
    // The worst one is named.
    let named = found.iter().find(|it| it.reverses_text()).or(found.first())?;
    let (name, code) = (named.name(), u32::from(named.character));
    let message = match found.len() {
        1 => format!("this text contains {name} (U+{code:04X})"),
        count => format!(
            "this text contains {count} characters that cannot be seen, such as {name} (U+{code:04X})"
        ),
    };
    let place = Place::of(origin, node);
    let finding = Finding::new(place.clone().decoded(named.range.clone()), message)
        .about_value(place.clone())
        .label("cannot be seen")
        .help(if found.len() == 1 { "remove it" } else { "remove them" });
    // Everything from the first to the last of them, without them.
    let range = found.first()?.range.start..found.last()?.range.end;
    let mut kept = String::new();
    let mut from = range.start;
    for Unexpected { range, .. } in found {
        kept.push_str(text.get(from..range.start)?);
        from = range.end;
    }
    let breaks_line = text.get(range.clone())?.contains(['\n', '\r', '\u{2028}', '\u{2029}']);
    if breaks_line {
        return Some(finding);
    }
    let is_safe = found.iter().all(|it| matches!(it.character, '\u{200b}' | '\u{feff}'));
    Some(finding.fix(ProposedFix {
        title: if found.len() == 1 {
            format!("remove {name}")
        } else {
            "remove these characters".to_owned()
        },
        safety: if is_safe { Safety::Safe } else { Safety::Unsafe },
        at: place.decoded(range),
        replacement: Replacement::Part(kept),
    }))
}
