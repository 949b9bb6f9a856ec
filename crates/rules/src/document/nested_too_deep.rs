use voxlint_syntax::SyntaxErrorKind;

use super::shared::findings;
use crate::prelude::*;

rule! {
    /// Objects or lists are nested deeper than JSON readers allow.
    ///
    /// JSON lets every reader set its own limit: common ones stop between 128 and a few thousand levels. voxlint reads 512
    /// levels (in TOML, 128 levels of brackets). Deeper values are not checked, so the command line then fails with exit
    /// code 2. The rest of the document is still checked.
    ///
    /// ```json,holds
    /// { "version_number": 3, "json_output_instructions": { "a": { "b": { "c": [] } } } }
    /// ```
    "nested-too-deep": Document {
        group: Correctness,
        basis: Inferred("JSON has no limit, but JSON readers do."),
        section: "1",
        status: 400,
        properties: [HidesValues],
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    findings(document, kind, |fault| {
        matches!(fault, SyntaxErrorKind::TooDeep | SyntaxErrorKind::BracketsTooDeep)
    })
    .map(|finding| finding.possible(Condition::unknowable("JSON readers set their own limits")))
    .collect()
}
