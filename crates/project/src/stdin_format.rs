//! The format of standard input, by what it contains.

use voxlint::syntax::{Format, Kind, parse};

/// A suggestion for `--stdin-format`; `None` if the text is not valid in another format.
///
/// ```
/// use voxlint_project::suggest_stdin_format;
///
/// let suggestion = suggest_stdin_format("version_number: 3\n");
/// assert_eq!(suggestion.as_deref(), Some("this is YAML: add `--stdin-format yaml`"));
/// assert_eq!(suggest_stdin_format("{}"), None);
/// ```
pub fn suggest_stdin_format(text: &str) -> Option<String> {
    let (what, name) = if is_lines(text) {
        ("one JSON document per line", "ndjson")
    } else if text.trim_start().starts_with(['{', '[']) {
        // Most faulty JSON is valid YAML with another meaning.
        return None;
    } else if is_objects(text, Format::Yaml) {
        ("YAML", "yaml")
    } else if is_objects(text, Format::Toml) {
        ("TOML", "toml")
    } else {
        return None;
    };
    Some(format!("this is {what}: add `--stdin-format {name}`"))
}

/// Whether standard input can be read as one JSON document per line, by its first line: that is a whole document.
///
/// ```
/// use voxlint_project::begins_with_document;
///
/// assert!(begins_with_document(b"{ \"version_number\": 3 }\n"));
/// assert!(!begins_with_document(b"{\n"));
/// ```
pub fn begins_with_document(first_line: &[u8]) -> bool {
    let text = str::from_utf8(first_line).ok();
    text.and_then(|text| text.strip_suffix('\n'))
        .is_some_and(|line| is_objects(line.trim_start_matches('\u{feff}'), Format::Json))
}

/// Whether there are several lines, each with a JSON object.
fn is_lines(text: &str) -> bool {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    lines().nth(1).is_some() && lines().all(|line| is_objects(line, Format::Json))
}

/// Whether a text is valid in a format and contains objects that are not empty.
fn is_objects(text: &str, format: Format) -> bool {
    let parsed = parse(text, format);
    parsed.errors.is_empty()
        && parsed.documents.iter().all(|tree| {
            tree.root()
                .is_some_and(|root| root.kind() == Kind::Object && root.members().next().is_some())
        })
}
