use voxlint_syntax::SyntaxErrorKind;

use super::findings;
use crate::DocumentKind;
use crate::document::Document;
use crate::rule::rule;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// The text breaks the rules of its format.
    ///
    /// What is sent is JSON (RFC 8259), which is stricter than the objects of JavaScript or Python: no
    /// comments, no trailing commas, no single quotes, no `NaN`, no line breaks inside strings. A text that is not UTF-8
    /// is no JSON either.
    ///
    /// A file that is called `.jsonc`, or is checked with `--jsonc`, may have comments (`//` and `/* */`) and trailing commas.
    /// Whatever sends it to the service has to take them out.
    ///
    /// Documents in YAML and TOML become JSON on their way to the service, so what JSON cannot say is a fault there, too: dates,
    /// infinity, names that are no texts.
    ///
    /// Each fault is reported, and the rest of the document is checked all the same. A container that a fault has cut
    /// short is not blamed for what may be missing from it.
    ///
    /// ```json,reject
    /// { "version_number": 3, "title": "Front desk", }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "syntax-error": Document {
        section: "1",
        status: 400,
    }
}

fn check(document: &Document<'_>, kind: DocumentKind) -> Verdicts {
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
    .map(Finding::refused)
    .collect()
}
