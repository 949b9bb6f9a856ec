use voxlint_syntax::SyntaxErrorKind;

use super::shared::findings;
use crate::prelude::*;

rule! {
    /// An escape is an unpaired surrogate, half of a character.
    ///
    /// Characters beyond U+FFFF, most emoji among them, are escaped as two `\u` escapes: a high surrogate and a low one.
    /// Either half alone is not a character. The grammar of JSON allows it, but readers treat it differently.
    ///
    /// ```json,possible
    /// { "version_number": 3, "title": "Front desk \ud83d" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk \ud83d\ude00" }
    /// ```
    "lone-surrogate": Document {
        group: Correctness,
        basis: Read("The grammar of JSON allows it, but readers treat it differently."),
        section: "1",
        status: 400,
        readings: [UNPAIRED_SURROGATES],
        properties: [AltersText],
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    findings(document, kind, |fault| fault == SyntaxErrorKind::LoneSurrogate)
        .map(|finding| finding.possible(Condition::first(&readings::UNPAIRED_SURROGATES)))
        .collect()
}
