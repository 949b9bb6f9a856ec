use voxlint_syntax::SyntaxErrorKind;

use super::shared::findings;
use crate::prelude::*;

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
    /// ```json,reject
    /// { "version_number": 3, "is_published": True }
    /// ```
    ///
    /// ```yaml,reject
    /// version_number: 3
    /// welcome_message: {{caller}}, this is Ada.
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
        fix: Both("Corrects a mistake that can be read in one way: a missing or trailing comma, a semicolon or an equals sign in place of a \
                   comma or a colon, curly or single quotes, a key without quotes, `True` and `None`, numbers such as `.5`, \
                   line breaks and quotes inside a string, tabs that indent YAML, and in YAML a template without quotes. The corrected \
                   text has the names and values that voxlint has read despite the mistake. Where a bracket or a quote is \
                   missing, and what `yes` means, only the author knows. Comments of a JSON file stay. A fix of a value that decides \
                   what callers reach, such as `is_published`, is unsafe."),
        properties: [Syntax, Writing],
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
