//! Parses one configuration file. The table of keys checks its structure, this module the meaning of its values.

use std::sync::Arc;

use serde_json::Value;
use voxlint::readings::{self, Reading, SetReading};
use voxlint::schema::configuration::{
    documents, house_rule, overrides, reading, rule, suppression,
};
use voxlint::schema::{Items, Row, Shape, configuration as table, settings};
use voxlint::suggest::nearest;
use voxlint::syntax::file_path::{is_absolute, join};
use voxlint::syntax::{Format, Kind, Node, Span};
use voxlint::{Diagnostic, Document, Source, configuration};

use crate::config_file::{
    BaseSetting, ConfigFile, DocumentsEntry, ExtendedPath, HouseRuleEntry, LocatedName, Location,
    OverrideEntry, RuleConfig, RuleConfigs, SuppressionEntry,
};
use crate::diagnostic::{ConfigDiagnostic, quote};
use crate::house_rules::{read_house_rule, read_pointer};
use crate::limited::Limited;
use crate::pattern::PatternSet;
use crate::value_reader::ConfigReader;
use crate::{Date, DateError, Level, SettingSource, Sourced};
use voxlint::rules::ids::{SYNTAX_ERROR, UNKNOWN_FIELD};

/// Why no setting and no comment hides a syntax error.
pub(crate) const NOT_CHECKED: &str = "a document that cannot be read is not checked";

/// What to do with a syntax error that stays.
const SKIP_IT: &str = "fix the document, or skip its file with `exclude`";

/// Parses a file. Its faults are part of the result.
pub(crate) fn parse_file(path: &Arc<str>, text: &str, patterns: &mut PatternSet) -> ConfigFile {
    let document = Document::parse_as(Source::from(text).without_fixes(), Format::Toml);
    let mut faults = configuration::faults(&document);
    let found = refine(std::mem::take(&mut faults.diagnostics));
    let is_whole = found.iter().all(|found| !found.rule.is_syntax());
    let mut reader = ConfigReader::new(path, &document, found, patterns);
    let mut file = ConfigFile {
        path: Arc::clone(path),
        text: text.into(),
        faults,
        is_whole,
        names: Vec::new(),
        removed: Vec::new(),
        extends: Vec::new(),
        root: None,
        group_comments: None,
        include: None,
        exclude: Vec::new(),
        expect: None,
        baseline: None,
        base: None,
        facts: None,
        variables: None,
        rules: RuleConfigs::new(),
        readings: Vec::new(),
        documents: Vec::new(),
        overrides: Vec::new(),
        suppressions: Vec::new(),
        house_ids: Vec::new(),
        house_fields: Vec::new(),
        house_rules: Vec::new(),
        limited: Vec::new(),
    };
    if let Some(root) = reader.root() {
        fill(&mut file, &mut reader, root);
    }
    file.limited = reader.take_limited();
    file.faults.diagnostics = reader.finish();
    file
}

/// Adds help that is specific to configurations to the faults from the table of keys.
fn refine(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // A key that is misspelled is not also missing.
    let unknown = found.iter().filter(|fault| fault.rule.reports_unknown_fields());
    let unknown: Vec<Span> = unknown.map(|fault| fault.span).collect();
    found.retain(|fault| !fault.rule.reports_missing_fields() || !unknown.contains(&fault.span));
    // The readings know their values, which may also be written as numbers.
    let readings = format!("/{}/", table::readings.row.name);
    let is_words = |field: &str| field.ends_with("/evidence") || field.ends_with("/since");
    let is_value = |field: &str| field.starts_with(&readings) && !is_words(field);
    found.retain(|it| !it.rule.reports_wrong_types() || !is_value(&it.field));
    for fault in &mut found {
        let field = fault.field.strip_prefix('/').unwrap_or_default();
        let first = field.split('/').next().unwrap_or_default();
        let last = field.rsplit_once('/').map(|(_, last)| last);
        if fault.rule.reports_wrong_types() && last.is_none() {
            let shape = table::TABLE.row(first).map(|row| row.shape);
            let help = match shape {
                Some(Shape::List(Items::Maps(_))) => {
                    format!("begin each entry with a line `[[{first}]]`")
                }
                Some(Shape::EntriesOrFirst(_)) => {
                    format!("write a line `[{first}]`, followed by a line for each rule")
                }
                _ => continue,
            };
            fault.help = Some(help);
        } else if fault.rule.reports_unknown_fields()
            && last.is_some_and(|name| table::TABLE.row(name).is_some())
        {
            fault.help = Some(TOP_LEVEL_KEY.to_owned());
        }
    }
    found
}

/// The help for a key that is in an entry by mistake.
pub(crate) const TOP_LEVEL_KEY: &str =
    "this is a top-level key: move it above the first line in brackets";

fn fill<'d>(file: &mut ConfigFile, reader: &mut ConfigReader<'d>, root: Node<'d>) {
    let get = |row: &Row| root.get(row.name);
    let flag = |reader: &ConfigReader<'d>, row: &Row| {
        let node = get(row)?;
        Some(reader.sourced(node, node.as_bool()?))
    };
    file.root = flag(reader, table::root.row);
    file.group_comments = flag(reader, table::group_comments.row);
    if let Some(node) = get(table::extends.row) {
        file.extends = extends(reader, node);
    }
    file.include = get(table::include.row)
        .filter(|node| node.kind() == Kind::Array)
        .map(|node| reader.nonempty_patterns(node));
    file.exclude = get(table::exclude.row).map(|node| reader.patterns(node)).unwrap_or_default();
    file.expect = get(table::expect.row).map(|node| {
        let expected = reader.expected(node);
        reader.sourced(node, expected)
    });
    let relative_path = |reader: &mut ConfigReader<'d>, row: &Row| {
        let path = reader.path(root.get(row.name)?)?;
        Some(path.map(|path| join(reader.folder(), &path)))
    };
    file.baseline = relative_path(reader, table::baseline.row);
    file.facts = relative_path(reader, table::facts.row);
    file.base = get(table::base.row).and_then(|node| base_setting(reader, node));
    file.variables = get(table::variables.row)
        .filter(|node| node.kind() == Kind::Array)
        .map(|node| reader.wildcards(node));
    if let Some(node) = get(table::rules.row) {
        file.rules = rule_configs(reader, node, &mut file.names);
    }
    if let Some(node) = get(table::readings.row) {
        file.readings = readings(reader, node);
    }
    for entry in entries(get(documents.row)) {
        file.documents.push(documents_entry(reader, entry));
    }
    for entry in entries(get(overrides.row)) {
        let files = entry.get(overrides::files.row.name).map(|node| reader.nonempty_patterns(node));
        let rules = entry.get(overrides::rules.row.name);
        let rules = rules.map(|node| rule_configs(reader, node, &mut file.names));
        file.overrides.push(OverrideEntry {
            source: reader.source(entry),
            files: files.unwrap_or_default(),
            rules: rules.unwrap_or_default(),
        });
    }
    for entry in entries(get(table::suppressions.row)) {
        reader
            .limit(Limited::Suppressions, entry.get(suppression::files.row.name).unwrap_or(entry));
        let entry = suppression_entry(reader, entry);
        file.names.extend(entry.rules.iter().cloned());
        file.suppressions.push(entry);
    }
    for entry in entries(get(table::house_rules.row)) {
        file.house_ids.extend(house_id(reader, entry));
        file.house_fields.extend(house_field(reader, entry));
        file.house_rules.extend(house_entry(reader, entry));
        reader.limit(Limited::HouseRules, entry.get(house_rule::id.row.name).unwrap_or(entry));
    }
}

fn entries(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    list.into_iter().flat_map(Node::elements).filter(|entry| entry.kind() == Kind::Object)
}

fn extends<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Vec<ExtendedPath> {
    let one = (node.kind() == Kind::String).then_some(node);
    let mut paths = Vec::new();
    for node in one.into_iter().chain(node.elements()) {
        if let Some(Sourced { value: written, .. }) = reader.path(node) {
            let path = join(reader.folder(), &written);
            paths.push(ExtendedPath { written, path, location: reader.location(node) });
        }
    }
    paths
}

fn base_setting<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Option<Sourced<BaseSetting>> {
    let name = reader.text(node)?;
    let fault = if name.value.is_empty() {
        ConfigDiagnostic::new("the base is empty")
            .help("name a folder or a commit, or remove the key")
    } else if is_absolute(&name.value) {
        let message = "absolute paths are not supported, because they differ between machines";
        ConfigDiagnostic::new(message).help("write a path relative to this folder")
    } else {
        let folder = reader.folder().to_owned();
        return Some(name.map(|name| BaseSetting { name, folder }));
    };
    reader.report(node, fault);
    None
}

/// The settings of rules and groups.
fn rule_configs<'d>(
    reader: &mut ConfigReader<'d>,
    node: Node<'d>,
    names: &mut Vec<LocatedName>,
) -> RuleConfigs {
    let mut configs = RuleConfigs::new();
    for member in node.members().filter(|member| !member.key.is_faulty()) {
        let name = member.name().into_owned();
        names.push(LocatedName { name: name.clone(), location: reader.location(member.key) });
        let config: &mut RuleConfig = configs.entry(name.clone()).or_default();
        let is_object = member.value.kind() == Kind::Object;
        let level =
            if is_object { member.value.get(rule::level.row.name) } else { Some(member.value) };
        if let Some(level) = level
            && let Some(text) = reader.text(level)
            && let Ok(value) = text.value.parse::<Level>()
        {
            if name == SYNTAX_ERROR && value != Level::Error {
                let message = format!("`{SYNTAX_ERROR}` is always an error: {NOT_CHECKED}");
                reader.report(level, ConfigDiagnostic::new(message).help(SKIP_IT));
            }
            config.level = Some(Sourced { value, source: text.source });
        }
        let allow = member.value.members().filter(|option| option.is_named(rule::allow.row.name));
        if let Some(allow) = allow.last() {
            if name == UNKNOWN_FIELD {
                let names = reader.wildcards(allow.value);
                let names = names.into_iter().map(|name| name.value).collect();
                config.allow = Some(reader.sourced(allow.value, names));
            } else {
                let message = format!("{} has no option `allow`", quote(&name));
                let help = format!("only `{UNKNOWN_FIELD}` has `allow`");
                reader.report(
                    allow.value,
                    ConfigDiagnostic::new(message).at(allow.key.span()).help(help),
                );
            }
        }
    }
    configs
}

fn readings<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Vec<Sourced<SetReading>> {
    let mut set = Vec::new();
    for member in node.members().filter(|member| !member.key.is_faulty()) {
        let name = member.name();
        let Some(known) = Reading::named(&name) else {
            let names = readings::ALL.iter().map(|reading| reading.name);
            let help = match nearest(&name, names) {
                Some(name) => format!("did you mean `{name}`?"),
                None => "`voxlint readings` lists them".to_owned(),
            };
            let message = format!("{} is not the name of a reading", quote(&name));
            reader.report(member.key, ConfigDiagnostic::new(message).help(help));
            continue;
        };
        let is_object = member.value.kind() == Kind::Object;
        let value =
            if is_object { member.value.get(reading::value.row.name) } else { Some(member.value) };
        let Some(value) = value else {
            let message = format!("`{}` has no `value`", known.name);
            reader.report(member.key, ConfigDiagnostic::new(message).help(choices(known)));
            continue;
        };
        let words = |row: &Row| {
            let node = member.value.get(row.name).filter(|_| is_object)?;
            reader.text(node).map(|text| text.value.into())
        };
        let (evidence, since) = (words(reading::evidence.row), words(reading::since.row));
        let source = reader.source(member.key);
        let single = (value.kind() != Kind::Array).then_some(value);
        let nodes: Vec<Node<'d>> = value.elements().chain(single).collect();
        // `responsiveness-maximum = 5` says what it means.
        let name = |node: &Node<'d>| node.as_str().unwrap_or_else(|| node.source().into());
        let texts: Vec<_> = nodes.iter().map(name).collect();
        let texts = texts.iter().map(|it| &**it);
        match SetReading::new(known, texts, source.to_string(), evidence, since) {
            Ok(value) => set.push(Sourced { value, source }),
            Err("") if nodes.is_empty() => {
                let message = format!("`{}` has no value", known.name);
                reader.report(value, ConfigDiagnostic::new(message).help(choices(known)));
            }
            Err(wrong) => {
                let at = nodes.iter().find(|node| name(node) == wrong);
                let message = format!("{} is not a value of `{}`", quote(wrong), known.name);
                let diagnostic = ConfigDiagnostic::new(message).help(choices(known));
                reader.report(at.copied().unwrap_or(value), diagnostic);
            }
        }
    }
    set
}

/// The values of a reading, as an instruction.
fn choices(reading: &Reading) -> String {
    let names: Vec<String> = reading.values.iter().map(|it| format!("`{}`", it.name)).collect();
    format!("allowed: {}", names.join(", "))
}

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
            reader.report(
                node,
                ConfigDiagnostic::new(message).help("remove the key if the value is not known"),
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
        files: get(documents::files.row)
            .map(|node| reader.nonempty_patterns(node))
            .unwrap_or_default(),
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
            let mut fault = ConfigDiagnostic::new(format!("{} is not a text field", quote(&name)))
                .at(member.key.span());
            let texts = settings::TABLE.rows.iter().filter(|row| row.is_free_text());
            if let Some(near) = nearest(&name, texts.map(|row| row.name)) {
                fault = fault.help(format!("did you mean `{near}`?"));
            }
            reader.report(member.value, fault);
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
            reader.report(member.value, ConfigDiagnostic::new(message).at(span).help(help));
        }
    }
    files
}

fn text_field(name: &str) -> Option<&'static Row> {
    settings::TABLE.row(name).filter(|row| row.is_free_text())
}

fn suppression_entry<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> SuppressionEntry {
    let get = |row: &Row| entry.get(row.name);
    let reason = get(suppression::reason.row).and_then(|node| {
        let reason = reader.text(node)?.value;
        if reason.trim().is_empty() {
            let message = "the reason is empty";
            reader.report(
                node,
                ConfigDiagnostic::new(message).help("write why the finding is accepted"),
            );
        }
        Some(reason)
    });
    let node = get(suppression::rules.row);
    let rules = node.map(|node| reader.names(node)).unwrap_or_default();
    if let Some((node, named)) = node.zip(rules.iter().find(|it| it.name == SYNTAX_ERROR)) {
        let message = format!("`{SYNTAX_ERROR}` cannot be suppressed: {NOT_CHECKED}");
        let fault = ConfigDiagnostic::new(message).at(named.location.span).help(SKIP_IT);
        reader.report(node, fault);
    }
    SuppressionEntry {
        files: get(suppression::files.row)
            .map(|node| reader.nonempty_patterns(node))
            .unwrap_or_default(),
        pointer: get(suppression::pointer.row).and_then(|node| read_pointer(reader, node)),
        rules,
        reason: reason.unwrap_or_default(),
        source: reader.source(node.unwrap_or(entry)),
        expires: get(suppression::expires.row).and_then(|node| {
            let date = expires(reader, node)?;
            Some((date, reader.location(node)))
        }),
        raw: reader.raw_values(entry, &suppression::TABLE),
    }
}

/// The last day of an entry, as a string or as a TOML date.
fn expires<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Option<Date> {
    let text = match node.kind() {
        Kind::String => reader.text(node)?.value,
        // The tree has the types of JSON, which has no dates.
        Kind::Invalid | Kind::Number if node.source().starts_with(|c: char| c.is_ascii_digit()) => {
            reader.remove_fault(node);
            node.source().to_owned()
        }
        _ => return None,
    };
    let error = match text.parse::<Date>() {
        Ok(date) => return Some(date),
        Err(error) => error,
    };
    let marks = if node.kind() == Kind::String { "\"" } else { "" };
    let shown = quote(&text);
    let day = text.get(..10).filter(|day| day.parse::<Date>().is_ok());
    let (message, help) = match (error, day) {
        (DateError::Form, Some(day)) => (
            format!("{shown} is not a valid date"),
            format!("write only the day: {marks}{day}{marks}"),
        ),
        (DateError::Form, None) => (
            format!("{shown} is not a valid date"),
            "write a date such as \"2027-01-31\"".to_owned(),
        ),
        (DateError::Day { year, month, days }, _) => (
            format!("{shown} is not a valid date: {error}"),
            format!("the last day of the month is {marks}{year:04}-{month:02}-{days:02}{marks}"),
        ),
        (error, _) => (
            format!("{shown} is not a valid date: {error}"),
            format!("write a date such as {marks}2027-01-31{marks}"),
        ),
    };
    reader.report(node, ConfigDiagnostic::new(message).help(help));
    None
}

fn house_entry<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> Option<HouseRuleEntry> {
    let files = entry.get(house_rule::files.row.name).map(|node| reader.nonempty_patterns(node));
    let raw = reader.raw_values(entry, &house_rule::TABLE);
    let patterns = raw.iter().filter(|(name, _)| *name == house_rule::files.row.name);
    let patterns = patterns.filter_map(|(_, files)| files.value.as_array()).flatten();
    let patterns: Vec<&str> = patterns.filter_map(Value::as_str).collect();
    let rule = read_house_rule(reader, entry)?.about_files(&patterns);
    Some(HouseRuleEntry { source: reader.source(entry), files, rule, raw })
}

fn house_id<'d>(
    reader: &mut ConfigReader<'d>,
    entry: Node<'d>,
) -> Option<(LocatedName, SettingSource)> {
    let node = entry.get(house_rule::id.row.name)?;
    let id = LocatedName { name: reader.text(node)?.value, location: reader.location(node) };
    if let Some((span, corrected)) = malformed_id(&id.name, node) {
        let shown = quote(&id.name);
        let message =
            format!("{shown} is not a valid rule id: use lowercase letters, digits and hyphens");
        let fault = ConfigDiagnostic::new(message).at(span);
        let help = corrected.map(|corrected| format!("write `{corrected}`"));
        reader.report(node, help.into_iter().fold(fault, ConfigDiagnostic::help));
    }
    Some((id, reader.source(node)))
}

/// The first name in the `field` of a house rule, unless it has a wildcard.
fn house_field<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> Option<LocatedName> {
    let node = entry.get(house_rule::field.row.name)?;
    let text = reader.text(node)?.value;
    let first = text.strip_prefix('/')?.split('/').next()?;
    let span = node.text()?.to_source(1..first.len() + 1);
    let location = Location { span, field: reader.pointer(node) };
    let name = voxlint::pointer::unescape_token(first).into_owned();
    (!name.contains('*')).then_some(LocatedName { name, location })
}

/// The part of an id that is not allowed, and a corrected id.
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
