use voxlint_model::masking::each_personal_number;
use voxlint_model::secret::numbers::PersonalNumber;

use crate::prelude::*;

rule! {
    /// A text contains a payment card or national ID number.
    ///
    /// Anyone who can read the document can use the number, it is sent to the language model, and callers may hear it. The
    /// rule reports numbers with correct check digits:
    ///
    /// - payment card numbers in groups, as on a card, and without separators beside a word such as `card`
    /// - Aadhaar numbers and social security numbers, beside their names
    ///
    /// Published test numbers are not reported. voxlint masks these numbers in every report, also those that are not
    /// reported because no word tells what they are. The description does not mention them: the service accepts them.
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "The card of the office is 4716 2210 5188 5662." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Read card numbers in groups, as in 4111 1111 1111 1111." }
    /// ```
    "card-or-id-number": Document {
        group: Security,
        basis: Inferred("The description does not mention numbers of cards and people."),
        section: "2.3",
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    if kind.is_sent() { in_texts(document, Origin::Document) } else { Verdicts::none() }
}

/// The findings in the texts of one of the inputs.
pub(super) fn in_texts(document: &Document, origin: Origin) -> Verdicts {
    let mut verdicts = Verdicts::none();
    each_personal_number(document.tree(), document.marks(), |node, found| {
        if let [first, others @ ..] = found.as_slice() {
            verdicts.add(finding(node, origin, first, others.len()).advice());
        }
    });
    verdicts
}

fn finding(node: Node<'_>, origin: Origin, first: &PersonalNumber, others: usize) -> Finding {
    let noun_phrase = first.kind.noun_phrase();
    let message = match others {
        0 => format!("this looks like {noun_phrase}"),
        1 => format!("this looks like {noun_phrase}, and this text contains 1 more such number"),
        more => format!(
            "this looks like {noun_phrase}, and this text contains {more} more such numbers"
        ),
    };
    let place = Place::of(origin, node);
    let at = match node.kind() {
        Kind::String => place.clone().decoded(first.range.clone()),
        _ => place.clone(),
    };
    Finding::new(at, message)
        .about_value(place)
        .label("masked here, but readable in the file")
        .help("remove it; if a call needs such a number, pass it to the call as a variable")
}
