use voxlint_syntax::SyntaxErrorKind;

use super::findings;
use crate::DocumentKind;
use crate::document::Document;
use crate::rule::rule;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// The text breaks the rules of its format.
    ///
    /// The service receives JSON (RFC 8259), which is stricter than object literals in JavaScript or Python: no comments,
    /// no trailing commas, no single quotes, no `NaN`, no line breaks inside strings. A text that is not UTF-8 is not JSON
    /// either.
    ///
    /// A file with the extension `.jsonc`, or one that is checked with `--jsonc`, may have comments (`//` and `/* */`) and
    /// trailing commas. The program that sends it to the service must remove them.
    ///
    /// Documents in YAML and TOML become JSON on their way to the service, so values that JSON cannot express are errors
    /// there: dates, infinity, keys that are not text.
    ///
    /// Each error is reported, and the rest of the document is still checked. If an error cuts an object or a list short,
    /// its missing fields are not reported.
    ///
    /// ```json,reject
    /// { "version_number": 3, "title": "Front desk", }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "syntax-error": Document {
        group: Correctness,
        basis: Stated,
        section: "1",
        status: 400,
        properties: [Syntax],
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    findings(document, kind, |fault| {
        !matches!(
            fault,
            SyntaxErrorKind::ByteOrderMark
                | SyntaxErrorKind::LoneSurrogate
                | SyntaxErrorKind::TooDeep
                | SyntaxErrorKind::BracketsTooDeep
                | SyntaxErrorKind::Toml11
        )
    })
    .map(Finding::reject)
    .collect()
}
