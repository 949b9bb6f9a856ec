//! The tool `describe_field`: rows of the service's tables.

use std::fmt::Write as _;

use serde_json::{Value, json};
use voxlint::docs::pages::limits;
use voxlint::rules::{self, ids};
use voxlint::schema::{
    DocumentKind, Fractions, Items, Null, Presence, Role, Row, Shape, Table, TextFormat,
};
use voxlint::secrets::mask_text;
use voxlint::suggest::nearest;
use voxlint::{Rule, Wildcard};

use crate::answer::{Answer, WrongUse};
use crate::arguments::{Argument, ArgumentKind, Arguments};
use crate::tool::Tool;
use crate::workspace::Workspace;

static FIELD: Argument = Argument::required(
    "field",
    ArgumentKind::Name,
    "A name (`kb_max_chunks`), a JSON Pointer (`/agent_functions/0/type`), or either with wildcards: `*` stands for any characters, so `stt_*` and `/agent_functions/*/*` describe several fields, and `*` all.",
);

static KIND: Argument = Argument::optional(
    "kind",
    ArgumentKind::Choice(&[
        "update",
        "agent",
        "version",
        "stored",
        "facts",
        "api-keys",
        "error",
        "configuration",
    ]),
    "The kind of document that has the field. Default: update, the settings of an agent. facts are workspace facts, configuration is voxlint.toml.",
);

pub(super) static TOOL: Tool = Tool {
    name: "describe_field",
    title: "Describe a field",
    description: "Describes fields of agent documents from the service's own table: meaning, JSON type, whether null is allowed, range or allowed values, length, section of the description, an example value, and the rules about it. Use it before you write a field, to find the right name and value instead of inventing one, and to list what exists (`stt_*`, or `*` for all fields of a kind). The service's description states no defaults: a field that an update omits keeps its stored value.",
    arguments: &[&FIELD, &KIND],
    output_schema: None,
    run,
};

/// More fields than this are shown on one line each.
const MAX_FULL: usize = 8;

/// A field, with its place in documents of its kind.
struct Field {
    /// A JSON Pointer in which `*` stands for an index or any name.
    pointer: String,
    row: &'static Row,
}

fn run(_: &Workspace, arguments: &Arguments<'_>) -> Result<Answer, WrongUse> {
    let wanted = arguments.text(FIELD.name).unwrap_or_default().trim().trim_matches('`');
    let kind = arguments.text(KIND.name).unwrap_or("update");
    let kind: DocumentKind = kind.parse().map_err(|_| format!("`kind`: {kind} is not known"))?;
    let mut all = Vec::new();
    add_fields(kind.table(), "", 0, &mut all);
    let found: Vec<&Field> = all.iter().filter(|field| field.matches(wanted)).collect();
    if found.is_empty() {
        return Err(unknown(wanted, kind, &all));
    }
    let mut text = String::new();
    for field in &found {
        if found.len() > MAX_FULL {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", field.line());
        } else {
            text.push_str(&field.page(kind));
        }
    }
    Ok(Answer::text(text))
}

/// The deepest table in another one. No document has more levels.
const MAX_DEPTH: u32 = 4;

/// Adds the fields of a table and of the tables below it.
fn add_fields(table: &'static Table, prefix: &str, depth: u32, fields: &mut Vec<Field>) {
    for row in table.rows {
        let pointer = format!("{prefix}/{}", row.name);
        let (below, step) = match row.shape {
            Shape::Map(Some(table)) => (Some(table), ""),
            Shape::List(Items::Maps(table))
            | Shape::Entries(table)
            | Shape::EntriesOrFirst(table) => (Some(table), "/*"),
            _ => (None, ""),
        };
        let prefix = format!("{pointer}{step}");
        fields.push(Field { pointer, row });
        if let Some(below) = below.filter(|_| depth < MAX_DEPTH) {
            add_fields(below, &prefix, depth + 1, fields);
        }
    }
}

fn unknown(wanted: &str, kind: DocumentKind, all: &[Field]) -> WrongUse {
    let name = wanted.rsplit('/').next().unwrap_or(wanted);
    let what = kind.noun_phrase();
    let shown = mask_text(wanted);
    match nearest(name, all.iter().map(|field| field.row.name)) {
        Some(near) => format!("{what} has no field `{shown}`: did you mean `{near}`?"),
        None => format!("{what} has no field `{shown}`: `*` lists all of its fields"),
    }
}

impl Field {
    /// Whether a name, pointer or wildcard means this field.
    fn matches(&self, wanted: &str) -> bool {
        let is_like = |pattern: &str, name: &str| Wildcard::new(pattern).matches(name);
        if !wanted.starts_with('/') {
            return is_like(wanted, self.row.name);
        }
        let (mut steps, mut names) = (wanted.split('/'), self.pointer.split('/'));
        loop {
            match (steps.next(), names.next()) {
                (None, None) => return true,
                // An index or a name of its own.
                (Some(_), Some("*")) => {}
                (Some(step), Some(name)) if is_like(step, name) => {}
                _ => return false,
            }
        }
    }

    fn line(&self) -> String {
        let limits = limits(self.row);
        let limits =
            if limits.is_empty() { String::new() } else { format!(" ({})", limits.join("; ")) };
        format!("{}: {}{limits}: {}", self.pointer, self.row.type_name(), self.row.description())
    }

    /// Everything about the field, for the assistant.
    fn page(&self, kind: DocumentKind) -> String {
        let row = self.row;
        let mut page = format!("{}\n  {}\n", self.pointer, row.description());
        let mut line = |name: &str, text: &str| {
            if !text.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(page, "  {name}: {text}");
            }
        };
        line("type", &row.type_name());
        line("limits", &limits(row).join("; "));
        line("null", null_of(row));
        line("section", row.section);
        if kind == DocumentKind::Update {
            line("default", "not described; an update that omits the field keeps the stored value");
            if row.revalidated {
                line("stored", "validated again with every update, even if it omits the field");
            }
        }
        line("example", &json!({ row.name: example(row) }).to_string());
        let rules: Vec<&str> = rules_about(kind, row).iter().map(|rule| &*rule.id).collect();
        line("rules", &rules.join(", "));
        page
    }
}

fn null_of(row: &Row) -> &'static str {
    match row.null {
        Null::Rejected => "rejected",
        Null::Clears => "clears the value",
        Null::Unspecified => "not described",
    }
}

/// A value that the service accepts, as far as the table decides it. An id stands for one of the workspace.
fn example(row: &Row) -> Value {
    match row.shape {
        Shape::Flag => true.into(),
        Shape::Number(number) => {
            // The narrower range is inside the other.
            let narrower = number.disputed;
            let least = narrower.and_then(|it| it.min).or(number.min);
            let most = narrower.and_then(|it| it.max).or(number.max);
            match (least, most) {
                (Some(0), Some(1)) if number.fractions == Fractions::Allowed => json!(0.5),
                (Some(least), Some(most)) => (least + (most - least) / 2).into(),
                (Some(bound), None) | (None, Some(bound)) => bound.into(),
                (None, None) => 1.into(),
            }
        }
        Shape::Text(text) => text_example(text.choices, text.role, text.format).into(),
        Shape::TextOrTexts => "text".into(),
        Shape::List(Items::Texts(text)) => {
            json!([text_example(text.choices, text.role, text.format)])
        }
        Shape::List(Items::Maps(table)) => json!([entry(table)]),
        Shape::Entries(table) | Shape::EntriesOrFirst(table) => json!({ "name": entry(table) }),
        Shape::Map(_) => json!({}),
    }
}

/// An object with the fields that one of its kind should have.
fn entry(table: &Table) -> Value {
    let rows = table.rows.iter().filter(|row| row.presence != Presence::Optional);
    rows.map(|row| (row.name.to_owned(), example(row))).collect::<serde_json::Map<_, _>>().into()
}

fn text_example(choices: &[&'static str], role: Role, format: TextFormat) -> &'static str {
    if let Some(first) = choices.first() {
        return first;
    }
    match (format, role) {
        (TextFormat::TimeZone, _) => "Europe/Berlin",
        (TextFormat::DateTime, _) => "2026-01-31T09:30:00Z",
        (TextFormat::Json, _) => "{}",
        (TextFormat::Destinations { .. }, _) => "+14155552671",
        (TextFormat::Any, Role::Prompt) => "You are the front desk of a clinic. Be brief and kind.",
        (TextFormat::Any, Role::Speech) => "Hello, this is the front desk. How can I help you?",
        (TextFormat::Any, Role::Instruction) => "When the caller wants to end the call",
        (TextFormat::Any, Role::Keywords) => "appointment, referral",
        (TextFormat::Any, Role::Label) => "Front desk",
        (TextFormat::Any, Role::Id(_)) => "id_of_the_workspace",
        (TextFormat::Any, Role::Free) => "text",
    }
}

/// The rules that may find something at a field: those that read it, those that their page is about, and those about its type.
fn rules_about(kind: DocumentKind, row: &'static Row) -> Vec<&'static Rule> {
    let by_type = ids_by_type(row);
    let is_row = |rows: &[&'static Row]| rows.iter().any(|it| std::ptr::eq(*it, row));
    let quoted = format!("`{}`", row.name);
    rules::all()
        .filter(|rule| {
            let reads = match kind {
                DocumentKind::Facts => rule.reads_facts,
                DocumentKind::Agent | DocumentKind::Version | DocumentKind::Stored => {
                    rule.reads_agent
                }
                _ => rule.reads,
            };
            let is_read = is_row(reads);
            // A name of one word means other things as well.
            let is_named = || {
                kind == DocumentKind::Update
                    && row.name.contains('_')
                    && rule.page().contains(&quoted)
            };
            is_read || by_type.contains(&&*rule.id) || is_named()
        })
        .collect()
}

fn ids_by_type(row: &Row) -> Vec<&'static str> {
    let mut found = vec![ids::WRONG_TYPE];
    if row.null == Null::Rejected {
        found.push(ids::NULL_NOT_ALLOWED);
    }
    if row.presence != Presence::Optional {
        found.push(ids::MISSING_FIELD);
    }
    match row.shape {
        Shape::Text(text) | Shape::List(Items::Texts(text)) => {
            if !text.choices.is_empty() {
                found.push(ids::UNKNOWN_VALUE);
            }
            if text.max_characters.is_some() {
                found.push(ids::TEXT_TOO_LONG);
            }
            if text.role.is_template() {
                found.push(ids::TEMPLATE_SYNTAX_ERROR);
            }
            if text.format == TextFormat::TimeZone {
                found.push(ids::UNKNOWN_TIME_ZONE);
            }
        }
        Shape::Number(number) => {
            if number.min.is_some() || number.max.is_some() {
                found.push(ids::OUT_OF_RANGE);
            }
            if number.fractions != Fractions::Allowed {
                found.push(ids::FRACTIONAL_NUMBER);
            }
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use voxlint::{Severity, check_text};

    use super::*;

    #[test]
    fn the_example_of_every_setting_has_no_error() {
        let mut fields = Vec::new();
        add_fields(DocumentKind::Update.table(), "", 0, &mut fields);
        let mut checked = 0;
        for Field { pointer, row } in fields {
            if pointer.matches('/').count() > 1 {
                continue;
            }
            let mut document = json!({ "version_number": 3 });
            document[row.name] = example(row);
            let report = check_text(&document.to_string());
            let errors = report.diagnostics.iter().filter(|it| it.severity == Severity::Error);
            let errors: Vec<_> = errors.map(|it| (&it.rule.id, &it.message)).collect();
            assert!(errors.is_empty(), "{document}: {errors:?}");
            checked += 1;
        }
        assert!(checked > 60, "{checked}");
    }

    #[test]
    fn a_field_is_found_by_its_name_pointer_and_wildcards() {
        let mut fields = Vec::new();
        add_fields(DocumentKind::Update.table(), "", 0, &mut fields);
        let found = |wanted: &str| {
            let found = fields.iter().filter(|field| field.matches(wanted));
            found.map(|field| field.pointer.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(found("kb_max_chunks"), ["/kb_max_chunks"]);
        assert_eq!(found("/kb_max_chunks"), ["/kb_max_chunks"]);
        assert_eq!(found("/agent_functions/0/type"), ["/agent_functions/*/type"]);
        assert_eq!(found("displayName"), ["/agent_functions/*/displayName"]);
        assert_eq!(found("/agent_functions/*/*").len(), 4);
        assert!(found("kb_*").len() > 1);
        assert_eq!(found("*").len(), fields.len());
        assert!(found("/agent_functions/0").is_empty());
    }

    #[test]
    fn a_field_names_the_rules_about_it() {
        let ids = |name: &str| {
            let row = DocumentKind::Update.table().row(name).unwrap();
            let rules = rules_about(DocumentKind::Update, row);
            rules.iter().map(|rule| rule.id.to_string()).collect::<Vec<_>>()
        };
        let found = ids("stt_fallback_transcriber_id");
        assert!(found.contains(&"fallback-transcriber-same".to_owned()), "{found:?}");
        assert!(ids("kb_max_chunks").contains(&"out-of-range".to_owned()));
        assert!(ids("prompt_text").contains(&"template-syntax-error".to_owned()));
    }
}
