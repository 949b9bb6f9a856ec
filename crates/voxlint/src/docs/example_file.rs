//! An example of a file of workspace facts in YAML, made from the tables: every field with an explanation and an example
//! value, commented out.
//!
//! Explanations begin with `## ` and examples with `# `. Without one comment marker on each line, the file is a complete
//! document with explanations.

use std::fmt::Write as _;

use voxlint_schema::{Items, Role, Row, Shape, Table, TextShape, facts};

/// The head of a facts file.
const HEAD: &str = "\
## Workspace facts: the file of `voxlint check --facts FILE`.
##
## Every example is commented out, so the file is empty so far. Remove the `# ` before the fields that
## you know, and replace the examples with the values of your workspace.
##
## Omitted fields are unknown. A list must be complete: an id that is not in it does not exist. Give a
## list with all its items, or omit it.
##
## `voxlint facts FILE` checks the file and lists what it leaves unknown.
";

/// An example file with workspace facts in YAML.
///
/// ```
/// let text = voxlint::docs::example_file::facts_in_yaml();
/// assert!(text.contains("\n# agents: [\"agent_1\", \"agent_2\"]\n"));
/// ```
pub fn facts_in_yaml() -> String {
    let mut text = HEAD.to_owned();
    for row in facts::TABLE.rows {
        text.push('\n');
        explain(&mut text, row);
        match Example::of(row, None) {
            Example::Value(value) => {
                let _ = writeln!(text, "# {}: {value}", row.name);
            }
            nested => {
                let _ = writeln!(text, "# {}:", row.name);
                below_in_yaml(&mut text, row, &nested, 1);
            }
        }
    }
    text
}

/// The explanation of a row, above its example.
fn explain(text: &mut String, row: &Row) {
    for line in row.doc {
        let _ = writeln!(text, "## {}", line.trim());
    }
}

/// The fields of an object or of the items of a list, in YAML.
fn below_in_yaml(text: &mut String, of: &Row, nested: &Example, depth: usize) {
    let (table, depth, mut lead) = match nested {
        Example::Value(_) => return,
        Example::Object(table) => (table, depth, None),
        Example::Entry(name, table) => {
            let _ = writeln!(text, "# {:1$}{name}:", "", depth * 2);
            (table, depth + 1, None)
        }
        Example::Item(table) => (table, depth + 1, Some("- ")),
    };
    for row in table.rows {
        // The first field of an item follows its dash.
        let dash = lead.take().unwrap_or_default();
        let _ = write!(text, "# {:1$}{dash}{2}:", "", depth * 2 - dash.len(), row.name);
        let example = Example::of(row, Some(of));
        if let Example::Value(value) = &example {
            let _ = write!(text, " {value}");
        }
        let _ = writeln!(text, "  # {}", row.description());
        below_in_yaml(text, row, &example, depth + 1);
    }
}

/// An example value of a row.
enum Example {
    /// A value in one line.
    Value(String),
    Object(&'static Table),
    /// An object with one entry of that name.
    Entry(String, &'static Table),
    /// A list with one object.
    Item(&'static Table),
}

impl Example {
    /// `of` is the row of the object that contains the field.
    fn of(row: &Row, of: Option<&Row>) -> Self {
        Self::Value(match row.shape {
            Shape::Text(text) => quoted(&example_text(row, text, of)),
            Shape::TextOrTexts => quoted(&numbered(row.name, 1)),
            Shape::Number(number) => number.min.or(number.max).unwrap_or(1).to_string(),
            Shape::Flag => "true".to_owned(),
            Shape::List(Items::Texts(text)) => {
                let name = match text.role {
                    Role::Id(catalogue) => catalogue.name(),
                    _ => last_word(row.name),
                };
                format!("[{}, {}]", quoted(&numbered(name, 1)), quoted(&numbered(name, 2)))
            }
            Shape::Map(None) => "{}".to_owned(),
            Shape::Map(Some(table)) => return Self::Object(table),
            Shape::Entries(table) | Shape::EntriesOrFirst(table) => {
                return Self::Entry(numbered(row.name, 1), table);
            }
            Shape::List(Items::Maps(table)) => return Self::Item(table),
        })
    }
}

fn example_text(row: &Row, text: TextShape, of: Option<&Row>) -> String {
    let is = |other: &Row| std::ptr::eq(row, other);
    if let Some(choice) = text.choices.first() {
        return (*choice).to_owned();
    }
    match text.role {
        Role::Id(catalogue) => numbered(catalogue.name(), 1),
        // The only state that the description names for workflows and campaigns.
        _ if is(facts::campaign::state.row) || is(facts::workflow::state.row) => {
            facts::ACTIVE.to_owned()
        }
        _ if row.name == "id" => numbered(of.map_or(row.name, |of| of.name), 1),
        _ => numbered(last_word(row.name), 1),
    }
}

/// `boosted_keyword_providers` are providers.
fn last_word(name: &str) -> &str {
    name.rsplit('_').next().unwrap_or(name)
}

/// A numbered id made from a plural noun: `phone numbers` gives `phone_number_1`.
fn numbered(plural: &str, number: u32) -> String {
    let one = plural.strip_suffix('s').unwrap_or(plural);
    format!("{}_{number}", one.replace(' ', "_").to_lowercase())
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
