//! Writes readings into a configuration file.

use voxlint::readings::SetReading;
use voxlint::schema::configuration as table;

use crate::parse_file::parse_file;
use crate::pattern::PatternSet;

/// The text of a configuration file with these readings, which it must not have yet. Everything else stays as it is.
///
/// # Errors
///
/// If that cannot be written without changing something else; the lines to add are in the message.
///
/// ```
/// use voxlint::readings::{Reading, SetReading};
///
/// let reading = Reading::named("unknown-fields").expect("a reading");
/// let evidence = Some("records.ndjson:3".into());
/// let set = SetReading::new(reading, ["ignored"], "", evidence).expect("a value");
/// let text = voxlint_config::with_readings("root = true\n", &[set]).expect("it is simple");
/// assert_eq!(text, "root = true\n\n[readings]\nunknown-fields = { value = \"ignored\", evidence = \"records.ndjson:3\" }\n");
/// ```
pub fn with_readings(text: &str, readings: &[SetReading]) -> Result<String, String> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: Vec<String> =
        readings.iter().map(|set| format!("{} = {}", set.reading.name, value(set))).collect();
    let block = [&*lines.join(newline), newline].concat();
    let mut edited = text.to_owned();
    if !edited.is_empty() && !edited.ends_with('\n') {
        edited.push_str(newline);
    }
    if let Some(at) = after_header(&edited) {
        edited.insert_str(at, &block);
    } else {
        let gap = if edited.is_empty() { "" } else { newline };
        edited.extend([gap, "[", table::readings.row.name, "]", newline, &block]);
    }
    // The file alone, whatever it extends.
    let file = parse_file(&"voxlint.toml".into(), &edited, &mut PatternSet::default());
    let is_written = readings.iter().all(|set| {
        let mut same = file.readings.iter().filter(|it| it.value.reading == set.reading);
        same.any(|it| it.value.values == set.values && it.value.evidence == set.evidence)
    });
    if is_written && file.is_whole {
        return Ok(edited);
    }
    Err(format!("write this under `[readings]` yourself: {}", lines.join("; ")))
}

/// The place after the line `[readings]`, if there is one.
fn after_header(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let name = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if name.is_some_and(|(name, _)| name.trim() == table::readings.row.name) {
            return Some(at);
        }
    }
    None
}

/// The value in TOML.
fn value(set: &SetReading) -> String {
    let string = |text: &str| toml_string(text);
    let values: Vec<String> = set.values.iter().map(|it| string(it)).collect();
    let value = match &*values {
        [only] => only.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    match &set.evidence {
        Some(evidence) => format!("{{ value = {value}, evidence = {} }}", string(evidence)),
        None => value,
    }
}

/// A text in TOML, which has the escapes of JSON.
fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
