use voxlint_syntax::Format;

use crate::prelude::*;

rule! {
    /// The document is not a JSON object.
    ///
    /// An update is one JSON object with the fields to change. Send several updates as several requests, not as an array.
    ///
    /// ```json,reject
    /// [{ "version_number": 3, "title": "Front desk" }]
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "not-an-object": Document {
        group: Correctness,
        basis: Stated,
        section: "4.1",
        status: 400,
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    let Some(root) = document.tree().root() else { return Verdict::Holds.into() };
    let what = match root.kind() {
        Kind::Object | Kind::Key | Kind::Invalid => return Verdict::Holds.into(),
        Kind::Array => "an array",
        // A template consists of text only.
        Kind::String if kind == DocumentKind::Template => return Verdict::Holds.into(),
        Kind::String => "a string",
        Kind::Number => "a number",
        Kind::Bool => "true or false",
        Kind::Null => "null",
    };
    let place = Place::of(Origin::Document, root);
    let place = if root.kind() == Kind::Array { place.opening() } else { place };
    let object = match document.format() {
        Format::Json | Format::Jsonc => "a JSON object",
        _ => "an object",
    };
    let mut finding =
        Finding::new(place, format!("{} must be {object}, not {what}", kind.noun_phrase()))
            .of_root()
            .label(what);
    if root.kind() == Kind::Array {
        finding = finding.help("use a separate file and a separate request for each document");
    }
    finding.reject().into()
}
