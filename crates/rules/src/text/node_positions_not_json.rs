use voxlint_syntax::{SyntaxError, SyntaxErrorKind, parse};

use crate::prelude::*;

rule! {
    /// The node positions are not JSON.
    ///
    /// `node_positions` contains JSON, written as a string with escaped quotes. Any JSON is allowed. The description does
    /// not say whether the service checks it at once or fails on it later.
    ///
    /// ```json,possible
    /// { "version_number": 3, "node_positions": "{'greeting': {'x': 10, 'y': 40}}" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "node_positions": "{\"greeting\": {\"x\": 10, \"y\": 40}}" }
    /// ```
    "node-positions-not-json": Text {
        group: Correctness,
        basis: Read("It does not say whether the text is validated."),
        section: "2.3",
        status: 400,
        readings: [NODE_POSITIONS],
        needs: [Json],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    if text.shape.format != TextFormat::Json {
        return Verdict::Holds.into();
    }
    let parsed = parse(text.text, voxlint_syntax::Format::Json);
    if parsed.errors.is_empty() {
        return Verdict::Holds.into();
    }
    let name = text.value.name();
    let place = |span: Span| text.place(span.start as usize..span.end as usize);
    parsed
        .errors
        .iter()
        // The JSON grammar allows both.
        .filter(|error| {
            !matches!(error.kind, SyntaxErrorKind::LoneSurrogate | SyntaxErrorKind::TooDeep)
        })
        .map(|error| {
            let message = match error.kind {
                SyntaxErrorKind::Empty if text.text.is_empty() => {
                    format!("{name} is empty, but must be JSON")
                }
                SyntaxErrorKind::Empty => {
                    format!("{name} contains only white space, but must be JSON")
                }
                SyntaxErrorKind::ByteOrderMark => format!("{name} begins with a byte order mark"),
                _ => format!("{name} is not JSON: {}", error.message(text.text)),
            };
            let mut finding =
                Finding::new(place(error.span), message).section(text.value.section());
            finding = match error.kind {
                SyntaxErrorKind::ByteOrderMark => {
                    finding.label("not part of the JSON").help("remove it")
                }
                SyntaxErrorKind::Empty => {
                    finding.label(error.label()).help(format!("remove {name}, or write `{{}}`"))
                }
                _ => finding.label(error.label()),
            };
            if finding.help.is_none() {
                finding = finding.help(help(error, text.text));
            }
            if let (Some(related), Some(label)) = (error.related, error.related_label()) {
                finding = finding.also(place(related), label);
            }
            finding.possible(Condition::first(&readings::NODE_POSITIONS))
        })
        .collect()
}

/// The help for JSON inside a string. If a correction needs quotes or backslashes, a program should write the string.
fn help(error: &SyntaxError, shown: &str) -> String {
    match error.help(shown) {
        Some(help) if help.contains('"') && !help.contains('\\') => {
            format!("{help}, with each quote escaped as `\\\"`")
        }
        Some(help)
            if !help.contains(['"', '\\']) && error.kind != SyntaxErrorKind::TrailingText =>
        {
            help
        }
        _ => "let a program write the JSON and escape it".to_owned(),
    }
}
