//! Fields that are not there yet, with the shape of their value.

use voxlint::TextEdit;
use voxlint::schema::{
    Catalogue, DocumentKind, Items, NumberShape, Presence, Role, Row, Shape, Table, TextFormat,
    TextShape, configuration, settings,
};
use voxlint::syntax::{Kind, Span};

use super::spelling::{self, choice, escaped};
use super::{Completion, CompletionKind, GROUP, List, Request, commas, entry_names};
use crate::cursor::{Header, Key, Quote, Step, Style};
use crate::describe;
use crate::knowledge;
use crate::slot::{Slot, What};

/// The maximum number of ids that a snippet lets the author choose from.
const MAX_CHOICES: usize = 30;

/// A value to begin with.
#[derive(Clone, Debug)]
pub(super) struct Initial {
    pub(super) plain: String,
    pub(super) snippet: String,
}

impl Initial {
    fn same(text: &str) -> Self {
        Self { plain: text.to_owned(), snippet: escaped(text) }
    }
}

impl Request<'_> {
    /// The fields that can be written at the place of a key.
    pub(super) fn fields(&self, slot: Slot, path: &[Step], key: &Key, list: &mut List) {
        match slot.what {
            What::Table(table) | What::TableOrFirst(table) => {
                let rows = self.rows(table, &key.others);
                for row in rows {
                    let completion = self.field(row, key);
                    list.push(completion);
                }
                if is_defaults(table) {
                    self.defaults(key, list);
                }
            }
            What::EntriesOrFirst(_) => {
                for (name, detail, about, values) in entry_names(slot) {
                    if key.others.contains(&name) {
                        continue;
                    }
                    let plain = if values.contains(&"warning") {
                        "warning"
                    } else {
                        values.first().copied().unwrap_or_default()
                    };
                    let initial = Initial {
                        plain: spelling::text(plain, key.style, Quote::Double),
                        snippet: format!("\"{}\"", choice(1, &values)),
                    };
                    list.push(Completion {
                        detail: Some(detail),
                        documentation: Some(about),
                        ..self.entry(&name, &initial, key, CompletionKind::Rule)
                    });
                }
            }
            What::Free if is_text_files(path) => {
                for row in settings::TABLE.rows.iter().filter(|row| row.is_free_text()) {
                    if key.others.iter().any(|other| other == row.name) {
                        continue;
                    }
                    let file = format!("{{stem}}.{}.hbs", row.name);
                    let initial = Initial::same(&spelling::text(&file, key.style, Quote::Double));
                    list.push(Completion {
                        detail: Some(row.type_name()),
                        documentation: Some(describe::field(row)),
                        ..self.entry(row.name, &initial, key, CompletionKind::Field)
                    });
                }
            }
            _ => {}
        }
    }

    /// The rows of a table that an object does not have yet: first those that it needs, then the others in their order.
    fn rows(&self, table: &'static Table, others: &[String]) -> Vec<&'static Row> {
        let has = |name: &str| others.iter().any(|other| other == name);
        let is_offered = |row: &&&'static Row| {
            let twin = twin(row);
            !has(row.name) && twin.is_none_or(|twin| !has(twin.name))
        };
        let needed = |row: &&'static Row| self.kind.presence(row) == Presence::Required;
        let mut rows: Vec<&'static Row> = table.rows.iter().filter(is_offered).copied().collect();
        rows.sort_by_key(|row| !needed(row));
        rows
    }

    fn field(&self, row: &'static Row, key: &Key) -> Completion {
        let initial = self.initial(row, key.style);
        let needed = self.kind.presence(row) == Presence::Required;
        let detail =
            if needed { format!("{}, required", row.type_name()) } else { row.type_name() };
        Completion {
            detail: Some(detail),
            documentation: Some(format!("{}\n{}", describe::field(row), describe::source(row))),
            ..self.entry(row.name, &initial, key, CompletionKind::Field)
        }
    }

    /// A key with its value, or only the key if its value is already there.
    fn entry(&self, name: &str, initial: &Initial, key: &Key, kind: CompletionKind) -> Completion {
        let typed = key.word.slice(self.text);
        let quote = typed.chars().next().filter(|first| matches!(first, '"' | '\''));
        let written = spelling::key(name, key.style, quote);
        if key.has_value {
            let completion = Completion::plain(name, kind, key.word, &written);
            return completion.behind_quote(typed);
        }
        let (additional, after) = commas(key.commas);
        let separator = spelling::separator(key.style);
        let is_snippet = self.options.snippets;
        let text = if is_snippet {
            format!("{}{}{after}", escaped(&written), join(separator, &initial.snippet))
        } else {
            format!("{written}{}{after}", join(separator, &initial.plain))
        };
        let completion =
            Completion { additional, is_snippet, ..Completion::plain(name, kind, key.word, &text) };
        completion.behind_quote(typed)
    }

    /// Defaults for the variables that templates use and nothing provides.
    fn defaults(&self, key: &Key, list: &mut List) {
        let Some(inputs) = self.inputs else { return };
        for (name, source) in knowledge::variables(inputs) {
            if source.is_some() || key.others.contains(&name) || name == key.name {
                continue;
            }
            let initial = Initial { plain: "\"\"".to_owned(), snippet: "\"$1\"".to_owned() };
            list.push(Completion {
                detail: Some("a template uses it".to_owned()),
                ..self.entry(&name, &initial, key, CompletionKind::Variable)
            });
        }
    }

    /// The names of tables.
    pub(super) fn headers(&self, slot: Slot, header: &Header, list: &mut List) {
        if let What::EntriesOrFirst(_) = slot.what {
            let is_closed = header.brackets.slice(self.text).ends_with(']');
            let closing = if is_closed { "" } else { "]" };
            let names = entry_names(slot).into_iter();
            for (name, detail, about, _) in names.filter(|it| it.1 != GROUP) {
                list.push(Completion {
                    detail: Some(detail),
                    documentation: Some(about),
                    ..Completion::plain(
                        &name,
                        CompletionKind::Rule,
                        header.word,
                        &format!("{name}{closing}"),
                    )
                });
            }
            return;
        }
        let Some(table) = slot.table() else { return };
        let is_root = header.word.start <= header.brackets.start + 2;
        for row in table.rows {
            let is_list = matches!(row.shape, Shape::List(Items::Maps(_)));
            let is_table =
                matches!(row.shape, Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_));
            let is_taken = !is_list && header.others.iter().any(|other| other == row.name);
            // Behind `[[`, only a list of tables can begin.
            let is_possible = is_list || (is_table && !header.is_item);
            if !is_possible || (is_root && is_taken) {
                continue;
            }
            // The brackets that are there stay. Editors compare what is replaced with what has been typed.
            let closing = if is_list { "]]" } else { "]" };
            let first = Span::at(header.brackets.start);
            let additional = if is_list && !header.is_item {
                vec![TextEdit::new(first, "[")]
            } else {
                Vec::new()
            };
            let word = Span::new(header.word.start, header.brackets.end.max(header.word.end));
            list.push(Completion {
                detail: Some(row.type_name()),
                documentation: Some(describe::field(row)),
                additional,
                ..Completion::plain(
                    row.name,
                    CompletionKind::Field,
                    word,
                    &format!("{}{closing}", row.name),
                )
            });
        }
    }

    /// The value that a new field begins with. It is allowed as it is.
    pub(super) fn initial(&self, row: &'static Row, style: Style) -> Initial {
        match row.shape {
            Shape::Text(text) => self.initial_text(row, text, style),
            Shape::Number(number) => {
                let number = self.initial_number(row, number);
                Initial { snippet: format!("${{1:{number}}}"), plain: number }
            }
            Shape::Flag => {
                Initial { plain: "true".to_owned(), snippet: choice(1, &["true", "false"]) }
            }
            Shape::List(Items::Texts(text)) => self.initial_list(text, style),
            Shape::List(Items::Maps(table)) => initial_items(table, style),
            Shape::TextOrTexts => {
                Initial { plain: "\"\"".to_owned(), snippet: "\"$1\"".to_owned() }
            }
            Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_) => match style {
                Style::YamlBlock(column) => Initial {
                    plain: "{}".to_owned(),
                    snippet: format!("\n{}$0", spaces(column + 2)),
                },
                _ => Initial { plain: "{}".to_owned(), snippet: "{ $0 \\}".to_owned() },
            },
        }
    }

    fn initial_text(&self, row: &'static Row, text: TextShape, style: Style) -> Initial {
        if let Some(first) = text.choices.first() {
            let write = |value: &str| spelling::text(value, style, Quote::None);
            let all: Vec<String> = text.choices.iter().map(|value| write(value)).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            return Initial { plain: write(first), snippet: choice(1, &all) };
        }
        if let Role::Id(catalogue) = text.role {
            let ids = self.ids(catalogue, style);
            if let Some(first) = ids.first() {
                let all: Vec<&str> = ids.iter().map(String::as_str).collect();
                return Initial { plain: first.clone(), snippet: choice(1, &all) };
            }
        }
        let (plain, inside) = match text.format {
            TextFormat::TimeZone => ("\"UTC\"", "${1:UTC}"),
            TextFormat::Json => ("\"{}\"", "$1"),
            _ => ("\"\"", "$1"),
        };
        let is_long = matches!(text.role, Role::Prompt | Role::Instruction)
            && settings::TABLE.row(row.name).is_some();
        let snippet = match style {
            Style::YamlBlock(column) if is_long => format!("|\n{}$0", spaces(column + 2)),
            Style::TomlTable if is_long => "\"\"\"\n$0\"\"\"".to_owned(),
            _ => format!("\"{inside}\""),
        };
        Initial { plain: plain.to_owned(), snippet }
    }

    /// The ids of a catalogue, as they are written.
    fn ids(&self, catalogue: Catalogue, style: Style) -> Vec<String> {
        let known = self.inputs.map(|inputs| knowledge::ids(inputs, catalogue)).unwrap_or_default();
        let known = known.into_iter().take(MAX_CHOICES);
        known.map(|it| spelling::text(&it.id, style, Quote::Double)).collect()
    }

    /// The stored number of the version, or the least one that is allowed.
    fn initial_number(&self, row: &'static Row, number: NumberShape) -> String {
        let stored = self.inputs.and_then(|inputs| inputs.stored_value(row));
        let is_version = std::ptr::eq(row, settings::version_number.row);
        if let Some(stored) = stored.filter(|node| is_version && node.kind() == Kind::Number)
            && stored.source().bytes().all(|digit| digit.is_ascii_digit())
        {
            return stored.source().to_owned();
        }
        let least = number.disputed.and_then(|it| it.min).or(number.min);
        least.or(number.max.map(|most| most.min(0))).unwrap_or(0).to_string()
    }

    fn initial_list(&self, text: TextShape, style: Style) -> Initial {
        let item = match text.role {
            Role::Id(catalogue) => {
                let ids = self.ids(catalogue, style);
                let all: Vec<&str> = ids.iter().map(String::as_str).collect();
                if all.is_empty() { "\"$1\"".to_owned() } else { choice(1, &all) }
            }
            _ => "\"$1\"".to_owned(),
        };
        let snippet = match style {
            Style::YamlBlock(column) => format!("\n{}- {item}", spaces(column + 2)),
            _ => format!("[{item}]"),
        };
        Initial { plain: "[]".to_owned(), snippet }
    }
}

/// A list with one item that has the fields that the table lists as required or expected.
fn initial_items(table: &'static Table, style: Style) -> Initial {
    let rows = table.rows.iter().filter(|row| row.presence != Presence::Optional);
    let mut fields = Vec::new();
    let inner = match style {
        Style::YamlBlock(column) => Style::YamlBlock(column + 4),
        Style::TomlTable => Style::TomlInline,
        other => other,
    };
    for (row, place) in rows.zip(1..) {
        let value = match row.shape {
            Shape::Text(text) if !text.choices.is_empty() => {
                let write = |value: &&str| spelling::text(value, inner, Quote::None);
                let all: Vec<String> = text.choices.iter().map(write).collect();
                choice(place, &all.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Shape::Text(_) | Shape::TextOrTexts => format!("\"${place}\""),
            Shape::Map(_) => format!("{{ ${place} \\}}"),
            _ => format!("${place}"),
        };
        let key = spelling::key(row.name, inner, None);
        fields.push(format!("{key}{}{value}", spelling::separator(inner)));
    }
    let snippet = match style {
        Style::YamlBlock(column) => {
            let (dash, indent) = (spaces(column + 2), spaces(column + 4));
            format!("\n{dash}- {}", fields.join(&format!("\n{indent}")))
        }
        _ if fields.is_empty() => "[$1]".to_owned(),
        _ => format!("[{{ {} \\}}]", fields.join(", ")),
    };
    Initial { plain: "[]".to_owned(), snippet }
}

/// A key is followed by a space, unless its value begins on the next line.
fn join(separator: &str, value: &str) -> String {
    let separator = if value.starts_with('\n') { separator.trim_end() } else { separator };
    format!("{separator}{value}")
}

/// The other name of a field.
fn twin(row: &Row) -> Option<&'static Row> {
    let (one, other) = (settings::post_call_analysis.row, settings::postcall_analysis.row);
    if std::ptr::eq(row, one) {
        Some(other)
    } else if std::ptr::eq(row, other) {
        Some(one)
    } else {
        None
    }
}

fn is_defaults(table: &Table) -> bool {
    std::ptr::eq(table, &raw const settings::default_dynamic_variables::TABLE)
}

fn is_text_files(path: &[Step]) -> bool {
    let name = configuration::documents::text_files.row.name;
    matches!(path, [.., Step::Name(last)] if last == name)
}

fn spaces(count: u32) -> String {
    " ".repeat(count as usize)
}

/// Whether the kind is that of `voxlint.toml`.
pub(super) const fn is_configuration(kind: DocumentKind) -> bool {
    matches!(kind, DocumentKind::Configuration)
}
