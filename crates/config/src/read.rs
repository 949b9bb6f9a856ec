//! One configuration file: its text, checked by the table of its keys and then by what its values mean.

use std::sync::Arc;

use serde_json::Value;
use voxlint::schema::configuration::{documents, house_rule, overrides, rule, suppression};
use voxlint::schema::{Items, Row, Shape, configuration as table, settings};
use voxlint::suggest::nearest;
use voxlint::syntax::{Format, Kind, Node, Span};
use voxlint::{Diagnostic, Document, PointerError, PointerPattern, configuration};

use crate::config_file::{
    ConfigFile, DocumentsEntry, ExtendedPath, HouseRuleEntry, LocatedName, Location, OverrideEntry,
    RuleConfig, RuleConfigs, SuppressionEntry,
};
use crate::diagnostic::{ConfigDiagnostic, quote};
use crate::house;
use crate::path::join;
use crate::pattern::PatternSet;
use crate::reader::ConfigReader;
use crate::{Date, DateError, Level, SettingSource, Sourced};

/// Reads a file. Whatever is wrong with it comes with it.
pub(crate) fn read(path: &Arc<str>, text: &str, patterns: &mut PatternSet) -> ConfigFile {
    let document = Document::parse_as(text, Format::Toml);
    let mut faults = configuration::faults(&document);
    let found = in_words_of_ours(std::mem::take(&mut faults.diagnostics));
    let is_whole = found.iter().all(|found| found.rule.id != "syntax-error");
    let mut reader = ConfigReader::new(path, &document, found, patterns);
    let mut file = ConfigFile {
        path: Arc::clone(path),
        text: text.into(),
        faults,
        is_whole,
        names: Vec::new(),
        extends: Vec::new(),
        root: None,
        include: None,
        exclude: Vec::new(),
        baseline: None,
        facts: None,
        variables: None,
        rules: RuleConfigs::new(),
        documents: Vec::new(),
        overrides: Vec::new(),
        suppressions: Vec::new(),
        house_ids: Vec::new(),
        house_fields: Vec::new(),
        house_rules: Vec::new(),
    };
    if let Some(root) = reader.root() {
        fill(&mut file, &mut reader, root);
    }
    file.faults.diagnostics = reader.finish();
    file
}

/// What the table of the keys has found, with what is known of this file beyond its shape.
fn in_words_of_ours(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // A key that is misspelt is not also missing.
    let strange = found.iter().filter(|fault| fault.rule.id == UNKNOWN_FIELD);
    let strange: Vec<Span> = strange.map(|fault| fault.span).collect();
    let is_meant = |fault: &Diagnostic| strange.contains(&fault.span);
    found.retain(|fault| fault.rule.id != "missing-field" || !is_meant(fault));
    for fault in &mut found {
        let field = fault.field.strip_prefix('/').unwrap_or_default();
        let first = field.split('/').next().unwrap_or_default();
        let last = field.rsplit_once('/').map(|(_, last)| last);
        if &*fault.rule.id == "wrong-type" && last.is_none() {
            let shape = table::TABLE.row(first).map(|row| row.shape);
            let header = match shape {
                Some(Shape::List(Items::Maps(_))) => {
                    format!("begin each entry with a line `[[{first}]]`, with two brackets")
                }
                Some(Shape::EntriesOrFirst(_)) => {
                    format!("write a line `[{first}]`, and a line for each rule below it")
                }
                _ => continue,
            };
            fault.help = Some(header);
        } else if fault.rule.id == UNKNOWN_FIELD
            && last.is_some_and(|name| table::TABLE.row(name).is_some())
        {
            fault.help = Some(ABOVE.to_owned());
        }
    }
    found
}

/// Where the keys go that are not about an entry.
pub(crate) const ABOVE: &str =
    "it is a key of the whole file: move it above the first line in brackets";

fn fill<'d>(file: &mut ConfigFile, reader: &mut ConfigReader<'d>, root: Node<'d>) {
    let get = |row: &Row| root.get(row.name);
    file.root = get(table::root.row).and_then(|node| Some(reader.stated(node, node.as_bool()?)));
    if let Some(node) = get(table::extends.row) {
        file.extends = extends(reader, node);
    }
    file.include = get(table::include.row)
        .filter(|node| node.kind() == Kind::Array)
        .map(|node| reader.patterns(node));
    file.exclude =
        get(table::exclude.row).map(|node| reader.patterns_or_none(node)).unwrap_or_default();
    let file_beside = |reader: &mut ConfigReader<'d>, row: &Row| {
        let path = reader.path(root.get(row.name)?)?;
        Some(path.map(|path| join(reader.folder(), &path)))
    };
    file.baseline = file_beside(reader, table::baseline.row);
    file.facts = file_beside(reader, table::facts.row);
    file.variables = get(table::variables.row)
        .filter(|node| node.kind() == Kind::Array)
        .map(|node| reader.wildcards(node));
    if let Some(node) = get(table::rules.row) {
        file.rules = levels(reader, node, &mut file.names);
    }
    for entry in entries(get(documents.row)) {
        file.documents.push(documents_entry(reader, entry));
    }
    for entry in entries(get(overrides.row)) {
        let files = entry.get(overrides::files.row.name).map(|node| reader.patterns(node));
        let rules = entry.get(overrides::rules.row.name);
        let rules = rules.map(|node| levels(reader, node, &mut file.names));
        file.overrides.push(OverrideEntry {
            source: reader.source(entry),
            files: files.unwrap_or_default(),
            rules: rules.unwrap_or_default(),
        });
    }
    for entry in entries(get(table::suppressions.row)) {
        let entry = suppression_entry(reader, entry);
        file.names.extend(entry.rules.iter().cloned());
        file.suppressions.push(entry);
    }
    for entry in entries(get(table::house_rules.row)) {
        file.house_ids.extend(house_id(reader, entry));
        file.house_fields.extend(house_field(reader, entry));
        file.house_rules.extend(house_entry(reader, entry));
    }
}

fn entries(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    list.into_iter().flat_map(Node::elements).filter(|entry| entry.kind() == Kind::Object)
}

fn extends<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Vec<ExtendedPath> {
    let one = (node.kind() == Kind::String).then_some(node);
    let mut references = Vec::new();
    for node in one.into_iter().chain(node.elements()) {
        if let Some(written) = reader.path(node) {
            let path = join(reader.folder(), &written.value);
            references.push(ExtendedPath {
                written: written.value,
                path,
                location: reader.location(node),
            });
        }
    }
    references
}

/// The levels of rules and groups.
fn levels<'d>(
    reader: &mut ConfigReader<'d>,
    node: Node<'d>,
    names: &mut Vec<LocatedName>,
) -> RuleConfigs {
    let mut levels = RuleConfigs::new();
    for member in node.members().filter(|member| !member.key.is_faulty()) {
        let name = member.name().into_owned();
        names.push(LocatedName { name: name.clone(), location: reader.location(member.key) });
        let told: &mut RuleConfig = levels.entry(name.clone()).or_default();
        let is_object = member.value.kind() == Kind::Object;
        let level =
            if is_object { member.value.get(rule::level.row.name) } else { Some(member.value) };
        if let Some(level) = level
            && let Some(stated) = reader.text(level)
            && let Ok(value) = stated.value.parse::<Level>()
        {
            told.level = Some(Sourced { value, source: stated.source });
        }
        let allow = member.value.members().filter(|option| option.is_named(rule::allow.row.name));
        if let Some(allow) = allow.last() {
            if name == UNKNOWN_FIELD {
                let names = reader.wildcards(allow.value);
                let names = names.into_iter().map(|name| name.value).collect();
                told.allow = Some(reader.stated(allow.value, names));
            } else {
                let message = format!("{} has no option `allow`", quote(&name));
                let help = format!("only `{UNKNOWN_FIELD}` has `allow`");
                reader.mistake(
                    allow.value,
                    ConfigDiagnostic::new(message).at(allow.key.span()).help(help),
                );
            }
        }
    }
    levels
}

/// The rule that leaves the members alone that it is told to.
pub(crate) const UNKNOWN_FIELD: &str = "unknown-field";

fn documents_entry<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> DocumentsEntry {
    let get = |row: &Row| entry.get(row.name);
    let kind = get(documents::kind.row).and_then(|node| {
        let name = reader.text(node)?;
        Some(Sourced { value: name.value.parse().ok()?, source: name.source })
    });
    let name = |reader: &mut ConfigReader<'d>, row: &Row| {
        let node = entry.get(row.name)?;
        let name = reader.text(node)?;
        if name.value.is_empty() {
            let message = format!("the {} is empty", row.name.replace('_', " "));
            reader.mistake(
                node,
                ConfigDiagnostic::new(message).help("remove the key where it is not known"),
            );
            return None;
        }
        Some(name)
    };
    let facts = get(documents::facts.row).and_then(|node| {
        let path = reader.path(node)?;
        Some(path.map(|path| join(reader.folder(), &path)))
    });
    let variables = get(documents::variables.row).filter(|node| node.kind() == Kind::Array);
    DocumentsEntry {
        source: reader.source(entry),
        files: get(documents::files.row).map(|node| reader.patterns(node)).unwrap_or_default(),
        kind,
        agent_type: name(reader, documents::agent_type.row),
        agent_id: name(reader, documents::agent_id.row),
        stored: get(documents::stored.row).and_then(|node| reader.path_beside(node)),
        facts,
        text_files: get(documents::text_files.row)
            .map(|node| text_files(reader, node))
            .unwrap_or_default(),
        variables: variables.map(|node| reader.wildcards(node)),
    }
}

fn text_files<'d>(
    reader: &mut ConfigReader<'d>,
    node: Node<'d>,
) -> Vec<Sourced<(&'static Row, String)>> {
    let mut files = Vec::new();
    for member in node.members().filter(|member| !member.key.is_faulty()) {
        let name = member.name();
        let Some(field) = text_field(&name) else {
            let mut mistake =
                ConfigDiagnostic::new(format!("{} is not a text field", quote(&name)))
                    .at(member.key.span());
            let texts = settings::TABLE.rows.iter().filter(|row| is_text(row));
            if let Some(near) = nearest(&name, texts.map(|row| row.name)) {
                mistake = mistake.help(format!("did you mean `{near}`?"));
            }
            reader.mistake(member.value, mistake);
            continue;
        };
        if member.value.kind() == Kind::String {
            if let Some(path) = reader.path_beside(member.value) {
                files.push(path.map(|path| (field, path)));
            }
        } else if member.value.kind() != Kind::Invalid {
            let message = format!("`{name}` must be the path of a file, in quotes");
            let help = format!("write `{name} = \"{{stem}}.hbs\"`");
            let span = member.value.opening();
            reader.mistake(member.value, ConfigDiagnostic::new(message).at(span).help(help));
        }
    }
    files
}

fn is_text(row: &Row) -> bool {
    matches!(row.shape, Shape::Text(text) if text.choices.is_empty())
}

fn text_field(name: &str) -> Option<&'static Row> {
    settings::TABLE.row(name).filter(|row| is_text(row))
}

fn suppression_entry<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> SuppressionEntry {
    let get = |row: &Row| entry.get(row.name);
    let reason = get(suppression::reason.row).and_then(|node| {
        let reason = reader.text(node)?.value;
        if reason.trim().is_empty() {
            let message = "the reason is empty";
            reader.mistake(
                node,
                ConfigDiagnostic::new(message).help("say why the finding is accepted"),
            );
        }
        Some(reason)
    });
    SuppressionEntry {
        files: get(suppression::files.row).map(|node| reader.patterns(node)).unwrap_or_default(),
        pointer: get(suppression::pointer.row).and_then(|node| pointer(reader, node)),
        rules: get(suppression::rules.row).map(|node| reader.names(node)).unwrap_or_default(),
        reason: reason.unwrap_or_default(),
        expires: get(suppression::expires.row).and_then(|node| {
            let date = expires(reader, node)?;
            Some((date, reader.location(node)))
        }),
        written: reader.written(entry, &suppression::TABLE),
    }
}

/// The day that an entry expires on, be it in quotes or as TOML writes dates.
fn expires<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Option<Date> {
    let is_quoted = node.kind() == Kind::String;
    let text = match node.kind() {
        Kind::String => reader.text(node)?.value,
        // JSON has no dates, so the tree has none.
        Kind::Invalid | Kind::Number if node.source().starts_with(|c: char| c.is_ascii_digit()) => {
            reader.forgive(node);
            node.source().to_owned()
        }
        _ => return None,
    };
    match text.parse::<Date>() {
        Ok(date) => Some(date),
        Err(error) => {
            let mark = if is_quoted { "\"" } else { "" };
            let mistake = match error {
                DateError::Form => {
                    let day = text.get(..10).filter(|day| day.parse::<Date>().is_ok());
                    ConfigDiagnostic::new(format!("{} is not a valid date", quote(&text))).help(
                        match day {
                            Some(day) => format!("write the day alone: {mark}{day}{mark}"),
                            None => "write a day as in \"2027-01-31\"".to_owned(),
                        },
                    )
                }
                error => {
                    let mistake = ConfigDiagnostic::new(format!(
                        "{} is not a valid date: {error}",
                        quote(&text)
                    ));
                    mistake.help(match error {
                        DateError::Day { year, month, days } => {
                            format!("its last day is {mark}{year:04}-{month:02}-{days:02}{mark}")
                        }
                        _ => format!("write a day as in {mark}2027-01-31{mark}"),
                    })
                }
            };
            reader.mistake(node, mistake);
            None
        }
    }
}

/// A pattern of values.
pub(crate) fn pointer<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Option<PointerPattern> {
    let text = reader.text(node)?.value;
    match PointerPattern::parse(&text) {
        Ok(pointer) => Some(pointer),
        Err(error) => {
            let mut mistake = ConfigDiagnostic::new(error.to_string());
            match error {
                PointerError::NoSlash => mistake = mistake.help(begun_with_a_slash(&text)),
                PointerError::Tilde(at) => {
                    let span = node.text().map_or(node.span(), |text| text.to_source(at..at + 1));
                    mistake = mistake.at(span).label("followed by neither 0 nor 1");
                }
            }
            reader.mistake(node, mistake);
            None
        }
    }
}

/// How a pointer is written that was begun as other tools begin them: as the fragment of an address, or as a JSON Path.
fn begun_with_a_slash(text: &str) -> String {
    if let Some(pointer) = text.strip_prefix('#') {
        if pointer.is_empty() {
            return "omit the `#`: the empty pointer is the whole document".to_owned();
        }
        let begin = if pointer.starts_with('/') { "" } else { "/" };
        return format!("omit the `#`: write {}", quote(&format!("{begin}{pointer}")));
    }
    let pointer = text.trim_start_matches("$.").replace('.', "/");
    format!("write {}", quote(&format!("/{pointer}")))
}

fn house_entry<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> Option<HouseRuleEntry> {
    let files = entry.get(house_rule::files.row.name).map(|node| reader.patterns(node));
    let written = reader.written(entry, &house_rule::TABLE);
    let of_files = written.iter().filter(|(name, _)| *name == house_rule::files.row.name);
    let of_files = of_files.filter_map(|(_, stated)| stated.value.as_array()).flatten();
    let of_files: Vec<&str> = of_files.filter_map(Value::as_str).collect();
    let rule = house::rule(reader, entry)?.about_files(&of_files);
    Some(HouseRuleEntry { source: reader.source(entry), files, rule, written })
}

fn house_id<'d>(
    reader: &mut ConfigReader<'d>,
    entry: Node<'d>,
) -> Option<(LocatedName, SettingSource)> {
    let node = entry.get(house_rule::id.row.name)?;
    let id = LocatedName { name: reader.text(node)?.value, location: reader.location(node) };
    if let Some((span, meant)) = malformed_id(&id.name, node) {
        let shown = quote(&id.name);
        let message =
            format!("{shown} is not a valid rule id: use lower-case letters, digits and hyphens");
        let mut mistake = ConfigDiagnostic::new(message).at(span);
        if let Some(meant) = meant {
            mistake = mistake.help(format!("write `{meant}`"));
        }
        reader.mistake(node, mistake);
    }
    Some((id, reader.source(node)))
}

/// The member that the field of a house rule begins with, where it is one by its name.
fn house_field<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> Option<LocatedName> {
    let node = entry.get(house_rule::field.row.name)?;
    let text = reader.text(node)?.value;
    let first = text.strip_prefix('/')?.split('/').next()?;
    let span = node.text()?.to_source(1..first.len() + 1);
    let location = Location { span, field: reader.pointer(node) };
    let name = voxlint::pointer::unescape_token(first).into_owned();
    (!name.contains('*')).then_some(LocatedName { name, location })
}

/// The characters that make an id none, and what it may have been meant to be.
fn malformed_id(id: &str, node: Node<'_>) -> Option<(Span, Option<String>)> {
    let is_well_formed = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.split('-').all(|word| {
            !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
    if is_well_formed {
        return None;
    }
    let stray = id
        .char_indices()
        .find(|(_, c)| !(c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-'));
    let span = stray.and_then(|(at, c)| Some(node.text()?.to_source(at..at + c.len_utf8())));
    let words: Vec<String> = id
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let meant = words.join("-");
    let is_id = meant.starts_with(|c: char| c.is_ascii_lowercase());
    Some((span.unwrap_or(node.span()), is_id.then_some(meant)))
}
