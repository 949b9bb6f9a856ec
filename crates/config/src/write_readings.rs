//! Writes readings into a configuration file.

use voxlint::Document;
use voxlint::readings::SetReading;
use voxlint::schema::configuration::{self as table, reading};
use voxlint::syntax::edit::{Editor, NewValue, apply};
use voxlint::syntax::{Format, Kind, LineIndex, Node};

use crate::parse_file::parse_file;
use crate::pattern::PatternSet;

/// The text of a configuration file with these readings. A reading that the file has gets the new values, and its evidence says both.
/// Everything else stays as it is.
///
/// # Errors
///
/// If that cannot be written without changing something else; the line and what to write are in the message.
///
/// ```
/// use voxlint::readings::{Reading, SetReading};
///
/// let reading = Reading::named("unknown-fields").expect("a reading");
/// let evidence = Some("records.ndjson:3".into());
/// let set = SetReading::new(reading, ["ignored"], "", evidence, None).expect("a value");
/// let text = voxlint_config::with_readings("root = true\n", &[set]).expect("it is simple");
/// assert_eq!(text, "root = true\n\n[readings]\nunknown-fields = { value = \"ignored\", evidence = \"records.ndjson:3\" }\n");
/// ```
pub fn with_readings(text: &str, readings: &[SetReading]) -> Result<String, String> {
    let mut edited = text.to_owned();
    for set in readings {
        edited = with_reading(&edited, set).ok_or_else(|| {
            let document = Document::parse_as(text, Format::Toml);
            let node = document.tree().root().and_then(|root| root.get(table::readings.row.name));
            let node = node.map(|node| node.get(set.reading.name).unwrap_or(node));
            let line = node.map_or_else(String::new, |node| {
                format!("line {}: ", LineIndex::new(text).line_of(node.span().start))
            });
            let name = set.reading.name;
            format!("{line}write this under `[readings]` yourself: {name} = {}", value(set))
        })?;
    }
    Ok(edited)
}

/// The text with one reading.
fn with_reading(text: &str, set: &SetReading) -> Option<String> {
    let (key, name) = (table::readings.row.name, set.reading.name);
    let new = Document::parse_as(format!("{name} = {}", value(set)), Format::Toml);
    let new = new.tree().root()?.get(name)?;
    let document = Document::parse_as(text, Format::Toml);
    let table = document.tree().root()?.get(key);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let edited = match table.map(|table| table.get(name)) {
        None => {
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
            let gap = if text.is_empty() { "" } else { newline };
            format!("{text}{end}{gap}[{key}]{newline}{name} = {}{newline}", value(set))
        }
        Some(Some(old)) if old.kind() == Kind::Object => {
            new.members().try_fold(text.to_owned(), |text, member| {
                with_member(&text, &[key, name], &member.name(), member.value)
            })?
        }
        Some(_) => with_member(text, &[key], name, new).or_else(|| {
            // The table has no line of its own, but dotted keys.
            let first = table?.members().next()?.key.span().start as usize;
            let line = text.get(..first)?.rfind('\n').map_or(0, |at| at + 1);
            let (before, after) = text.split_at_checked(line)?;
            Some(format!("{before}{key}.{name} = {}{newline}{after}", value(set)))
        })?,
    };
    // The file alone, whatever it extends.
    let file = parse_file(&"voxlint.toml".into(), &edited, &mut PatternSet::default());
    let written = file.readings.iter().map(|it| &it.value).find(|it| it.reading == set.reading)?;
    let is_written = written.values == set.values && written.evidence == set.evidence;
    (is_written && file.is_whole).then_some(edited)
}

/// The text with a member of an object, which it may have.
fn with_member(text: &str, object: &[&str], name: &str, value: Node<'_>) -> Option<String> {
    let document = Document::parse_as(text, Format::Toml);
    let root = document.tree().root()?;
    let object = object.iter().try_fold(root, |node, key| node.get(key))?;
    let editor = Editor::new(document.tree(), Format::Toml);
    let edits = match object.get(name) {
        Some(old) => editor.overwrite(old, value)?,
        None => NewValue::with(value, |value| editor.insert(object, name, value))?,
    };
    String::from_utf8(apply(text, &edits)?).ok()
}

/// The value in TOML.
fn value(set: &SetReading) -> String {
    let string = toml_string;
    let values: Vec<String> = set.values.iter().map(|it| string(it)).collect();
    let value = match &*values {
        [only] => only.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    let words = [(reading::evidence.row, &set.evidence), (reading::since.row, &set.since)];
    let words: String = words
        .into_iter()
        .filter_map(|(row, text)| Some(format!(", {} = {}", row.name, string(text.as_ref()?))))
        .collect();
    if words.is_empty() { value } else { format!("{{ value = {value}{words} }}") }
}

/// A text in TOML, which has the escapes of JSON.
fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use voxlint::readings::{Reading, SetReading};

    use super::*;

    fn set(name: &str, values: &[&str]) -> SetReading {
        let reading = Reading::named(name).expect("a reading");
        let (evidence, since) = (Some("a.ndjson:1".into()), Some("2026-11-20".into()));
        SetReading::new(reading, values.iter().copied(), "", evidence, since).expect("values")
    }

    const NEW: &str =
        r#"empty-ids = { value = "accepted", evidence = "a.ndjson:1", since = "2026-11-20" }"#;

    #[test]
    fn readings_are_written_in_the_way_in_which_the_file_writes_them() {
        let new = [set("empty-ids", &["accepted"])];
        for (text, expected) in [
            ("", format!("[readings]\n{NEW}\n")),
            ("root = true", format!("root = true\n\n[readings]\n{NEW}\n")),
            ("root = true\r\n", format!("root = true\r\n\r\n[readings]\r\n{NEW}\r\n")),
            (
                "[readings] # ours\nunknown-fields = 'rejected' # seen\n\n[rules]\n",
                format!(
                    "[readings] # ours\nunknown-fields = 'rejected' # seen\n{NEW}\n\n[rules]\n"
                ),
            ),
            ("[ readings ]\n\n[rules]\n", format!("[ readings ]\n{NEW}\n\n[rules]\n")),
            (
                "readings.unknown-fields = 'rejected'\nroot = true\n",
                format!("readings.{NEW}\nreadings.unknown-fields = 'rejected'\nroot = true\n"),
            ),
            (
                "readings = { unknown-fields = 'rejected' }\n[rules]\n",
                format!("readings = {{ unknown-fields = 'rejected', {NEW} }}\n[rules]\n"),
            ),
            ("readings = {}\n", format!("readings = {{{NEW}}}\n")),
            (
                "[readings.unknown-fields]\nvalue = 'rejected'\n",
                format!("readings.{NEW}\n[readings.unknown-fields]\nvalue = 'rejected'\n"),
            ),
        ] {
            match with_readings(text, &new) {
                Ok(edited) => assert_eq!(edited, expected, "{text}"),
                Err(error) => panic!("{text}: {error}"),
            }
        }
    }

    #[test]
    fn a_reading_with_several_values_is_narrowed_where_it_is_and_comments_stay() {
        let new = [set("unknown-fields", &["stored"])];
        let value = r#"value = "stored", evidence = "a.ndjson:1", since = "2026-11-20""#;
        for (text, expected) in [
            (
                "[readings]\n# asked\nunknown-fields = ['ignored', 'stored'] # both\nempty-ids = 'accepted'\n",
                format!("[readings]\n# asked\nunknown-fields = {{ {value} }} # both\nempty-ids = 'accepted'\n"),
            ),
            (
                "readings.unknown-fields = ['ignored', 'stored']\n",
                format!("readings.unknown-fields = {{ {value} }}\n"),
            ),
            (
                "[readings]\nunknown-fields = { value = ['ignored', 'stored'], evidence = 'x' } # both\n",
                format!("[readings]\nunknown-fields = {{ {} }} # both\n", value.replace("\"a.ndjson:1\", since = \"2026-11-20\"", "'a.ndjson:1', since = '2026-11-20'")),
            ),
            (
                "[readings.unknown-fields]\n# asked\nvalue = ['ignored', 'stored'] # both\n",
                "[readings.unknown-fields]\n# asked\nvalue = \"stored\" # both\nevidence = \"a.ndjson:1\"\nsince = \"2026-11-20\"\n".to_owned(),
            ),
        ] {
            assert_eq!(with_readings(text, &new).as_deref(), Ok(&*expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_written_names_the_line() {
        let text =
            "root = true\n[readings]\nunknown-fields = [\n  'ignored', # or\n  'stored',\n]\n";
        let error = with_readings(text, &[set("unknown-fields", &["stored"])]).unwrap_err();
        assert!(
            error.starts_with("line 3: write this under `[readings]` yourself: unknown-fields = {"),
            "{error}"
        );
    }
}
