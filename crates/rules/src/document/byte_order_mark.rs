use voxlint_syntax::SyntaxErrorKind;

use super::shared::findings;
use crate::prelude::*;

rule! {
    /// The file begins with a byte order mark.
    ///
    /// Some editors put the three bytes EF BB BF before the text. JSON must not begin with them, but RFC 8259 allows a
    /// reader to ignore them. The service's description does not say whether it does.
    ///
    /// The mark is invisible. The first example has it, and the second one does not:
    ///
    /// ```json,possible
    #[doc = " \u{feff}{ \"version_number\": 3, \"title\": \"Front desk\" }"]
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "byte-order-mark": Document {
        group: Correctness,
        basis: Read("JSON readers may ignore the mark or reject it."),
        section: "1",
        status: 400,
        fix: Safe("Removes the mark."),
        readings: [BYTE_ORDER_MARK],
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    findings(document, kind, |fault| fault == SyntaxErrorKind::ByteOrderMark)
        .map(|finding| finding.possible(Condition::first(&readings::BYTE_ORDER_MARK)))
        .collect()
}
