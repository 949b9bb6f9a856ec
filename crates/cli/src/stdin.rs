//! Standard input without a file name is read as JSON. Where it is something else, the user is told how to say so.

use voxlint::syntax::{Format, Kind, parse};

/// How to name standard input so that it is read as what it is; `None` where no other format fits.
pub(crate) fn suggestion(text: &str) -> Option<String> {
    let (what, name) = if is_lines(text) {
        ("one JSON document per line", "x.ndjson")
    } else if text.trim_start().starts_with(['{', '[']) {
        // Most JSON with a mistake in it is YAML with something else in it.
        return None;
    } else if is_objects(text, Format::Yaml) {
        ("YAML", "x.yaml")
    } else if is_objects(text, Format::Toml) {
        ("TOML", "x.toml")
    } else {
        return None;
    };
    Some(format!("this is {what}: add `--stdin-filename {name}`"))
}

/// Whether there are several lines, and each is a JSON object.
fn is_lines(text: &str) -> bool {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    lines().nth(1).is_some() && lines().all(|line| is_objects(line, Format::Json))
}

/// Whether a text reads without a fault as objects with something in them.
fn is_objects(text: &str, format: Format) -> bool {
    let parsed = parse(text, format);
    parsed.errors.is_empty()
        && parsed.documents.iter().all(|tree| {
            tree.root()
                .is_some_and(|root| root.kind() == Kind::Object && root.members().next().is_some())
        })
}
