use voxlint_syntax::SyntaxErrorKind;

use super::findings;
use crate::DocumentKind;
use crate::document::Document;
use crate::rule::rule;
use crate::verdict::{Condition, Verdicts};

rule! {
    /// The file begins with a byte order mark.
    ///
    /// Some editors put the three bytes EF BB BF before the text. JSON must not begin with them; RFC 8259 lets a reader
    /// ignore them, and the service's description does not say whether it does.
    ///
    /// The mark cannot be seen in an example; this is the file without it:
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "byte-order-mark": Document {
        section: "1",
        status: 400,
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    findings(document, kind, |fault| fault == SyntaxErrorKind::ByteOrderMark)
        .map(|finding| {
            finding.possible(Condition::reading("JSON lets a reader refuse the mark or ignore it"))
        })
        .collect()
}
