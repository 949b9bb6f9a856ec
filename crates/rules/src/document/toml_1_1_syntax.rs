use voxlint_syntax::SyntaxErrorKind;

use super::shared::findings;
use crate::prelude::*;

rule! {
    /// A TOML file uses syntax of TOML 1.1.
    ///
    /// TOML 1.1 added the escapes `\e` and `\xHH`, and line breaks, comments and a trailing comma inside inline tables.
    /// voxlint reads them. Many TOML readers support only TOML 1.0 and reject the whole file. Then the program that
    /// converts the file to JSON fails.
    ///
    /// ```toml,possible
    /// version_number = 3
    /// default_dynamic_variables = { city = "Lyon", }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "toml-1-1-syntax": Document {
        group: Correctness,
        basis: Inferred("The service never sees TOML, and TOML 1.0 readers differ from those of 1.1."),
        section: "1",
        status: 400,
        properties: [Writing],
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    findings(document, kind, |fault| fault == SyntaxErrorKind::Toml11)
        .map(|finding| finding.possible(Condition::unknowable("TOML 1.0 readers reject the file")))
        .collect()
}
