//! Every setting and where it comes from.

use std::fmt::Write as _;

use serde_json::{Value, json};
use voxlint::readings::SetReading;
use voxlint::schema::configuration::house_rule;
use voxlint::secrets::mask_text;
use voxlint::syntax::Invisible;
use voxlint::{Group, Rule, Severity, Wildcard};

use crate::config_file::{Expected, HouseRuleEntry, OverrideEntry, RawValues, RuleConfig};
use crate::pattern::{Pattern, PatternId};
use crate::{Configuration, FileSettings, Level, SettingSource, Sourced};
use voxlint::rules::ids::UNKNOWN_FIELD;

/// One setting of the resolved configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedSetting {
    /// The key, as in a configuration: `rules.unknown-field`.
    pub key: String,
    /// The value; `None` if the default cannot be written as a value.
    pub value: Option<Value>,
    /// The default in words, if there is no value.
    pub default: &'static str,
    /// Where the value is set; `None` for a default.
    pub source: Option<SettingSource>,
}

/// The list as text, one setting on each line: `rules.unknown-field = "error"   # voxlint.toml:4`. `shown` returns the path to
/// show for a configuration file.
///
/// ```
/// use voxlint_config::{Configuration, show_text};
///
/// let text = "[rules]\nunknown-field = 'error'\n";
/// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
/// let shown = show_text(&configuration.show(), &|path| path.to_owned());
/// let line = shown.lines().find(|line| line.starts_with("rules.unknown-field = \"error\" "));
/// assert!(line.is_some_and(|line| line.ends_with("# voxlint.toml:2")), "{shown}");
/// # Ok::<(), voxlint_config::LoadError>(())
/// ```
pub fn show_text(list: &[ResolvedSetting], shown: &dyn Fn(&str) -> String) -> String {
    let line = |setting: &ResolvedSetting| match &setting.value {
        Some(value) => format!("{} = {}", setting.key, to_toml(value)),
        None => format!("{} = ({})", setting.key, setting.default),
    };
    let lines: Vec<String> = list.iter().map(line).collect();
    // Sources are aligned, except after long lines.
    let widths = lines.iter().map(|line| line.chars().count()).filter(|width| *width <= 48);
    let width = widths.max().unwrap_or(0);
    let mut text = String::new();
    for (setting, line) in list.iter().zip(lines) {
        let source = match &setting.source {
            Some(SettingSource::File { path, line }) => format!("{}:{line}", shown(path)),
            Some(SettingSource::Argument(name)) => (*name).to_owned(),
            None => "(default)".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line:<width$}  # {source}");
    }
    text
}

/// The list as JSON: `{"schema": 1, "settings": [{"key", "value", "default", "file", "line", "option"}]}`. A default has no
/// `file`, `line` and `option`.
pub fn show_json(list: &[ResolvedSetting], shown: &dyn Fn(&str) -> String) -> Value {
    let settings = list.iter().map(|setting| {
        let (file, line, option) = match &setting.source {
            Some(SettingSource::File { path, line }) => (Some(shown(path)), Some(*line), None),
            Some(SettingSource::Argument(name)) => (None, None, Some(*name)),
            None => (None, None, None),
        };
        let default = setting.value.is_none().then_some(setting.default);
        json!({ "key": setting.key, "value": setting.value, "default": default, "file": file, "line": line, "option": option })
    });
    json!({ "schema": 1, "settings": settings.collect::<Vec<_>>() })
}

/// A value as TOML, on one line.
///
/// ```
/// use serde_json::json;
///
/// let value = json!({ "stored": "{stem}.json", "files": ["a b/*.json", "\"c\""] });
/// let toml = voxlint_config::to_toml(&value);
/// assert_eq!(toml, r#"{ files = ["a b/*.json", "\"c\""], stored = "{stem}.json" }"#);
/// ```
pub fn to_toml(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(to_toml).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{name} = {}", to_toml(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::String(text) => to_toml_string(text),
        value => value.to_string(),
    }
}

/// A TOML string, with escapes for characters that could control a terminal or are hidden.
fn to_toml_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            character if is_escaped(character) => {
                // Writing to a string cannot fail.
                let _ = match u32::from(character) {
                    code @ ..=0xffff => write!(quoted, "\\u{code:04x}"),
                    code => write!(quoted, "\\U{code:08x}"),
                };
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a character could control a terminal or is hidden.
fn is_escaped(character: char) -> bool {
    character.is_control() || Invisible::of(character) == Some(Invisible::Hidden)
}

/// Defaults that cannot be written as values.
mod default {
    pub(super) const INCLUDE: &str = "every file with the extension of a document";
    pub(super) const NONE: &str = "none";
    pub(super) const BASELINE: &str = "voxlint-baseline.json, if it exists";
    pub(super) const KIND: &str = "detected from its fields";
    pub(super) const UNKNOWN: &str = "unknown";
    pub(super) const VARIABLES: &str = "no list, so any variable is allowed";
    pub(super) const NO_VARIABLES: &str = "only those with a default";
    pub(super) const RULE: &str = "default of each rule";
    pub(super) const OFF: &str = "off";
}

/// A value with the secrets in its texts masked.
fn masked(value: Value) -> Value {
    match value {
        Value::String(text) => mask_text(&text).into(),
        Value::Array(items) => items.into_iter().map(masked).collect(),
        Value::Object(fields) => {
            let name = |name: String| mask_text(&name).into_owned();
            fields.into_iter().map(|(key, value)| (name(key), masked(value))).collect()
        }
        value => value,
    }
}

/// A list of settings that is being collected.
#[derive(Default)]
struct SettingList(Vec<ResolvedSetting>);

impl SettingList {
    fn set(&mut self, key: impl Into<String>, value: Value, source: &SettingSource) {
        let (value, source) = (Some(masked(value)), Some(source.clone()));
        let key = mask_text(&key.into()).into_owned();
        self.0.push(ResolvedSetting { key, value, default: "", source });
    }

    fn unset(&mut self, key: impl Into<String>, default: &'static str) {
        self.0.push(ResolvedSetting { key: key.into(), value: None, default, source: None });
    }

    fn text(&mut self, key: &str, text: Option<&Sourced<String>>, default: &'static str) {
        match text {
            Some(text) => self.set(key, json!(text.value), &text.source),
            None => self.unset(key, default),
        }
    }

    /// One setting for each pattern.
    fn patterns(&mut self, key: &str, patterns: &[&Pattern], default: &'static str) {
        if patterns.is_empty() {
            self.unset(key, default);
        }
        for (pattern, at) in patterns.iter().zip(0..) {
            self.set(format!("{key}[{at}]"), json!(pattern.text), &pattern.source);
        }
    }

    /// One setting for each template variable.
    fn variables(&mut self, variables: Option<&[&Sourced<Wildcard>]>) {
        match variables {
            None => self.unset("variables", default::VARIABLES),
            Some([]) => self.unset("variables", default::NO_VARIABLES),
            Some(variables) => {
                for (name, at) in variables.iter().zip(0..) {
                    let value = json!(name.value.as_str());
                    self.set(format!("variables[{at}]"), value, &name.source);
                }
            }
        }
    }

    /// One setting for each reading that is set.
    fn readings(&mut self, readings: &[&Sourced<SetReading>]) {
        for set in readings {
            let value = match &*set.value.values {
                [only] => json!(only),
                several => json!(several),
            };
            self.set(format!("readings.{}", set.value.reading.name), value, &set.source);
        }
    }

    /// One setting for each value of an entry.
    fn entry(&mut self, key: &str, raw: &RawValues) {
        for (name, setting) in raw {
            self.set(format!("{key}.{name}"), setting.value.clone(), &setting.source);
        }
    }

    /// One setting for each value of a house rule except its id, which is part of the keys.
    fn house_rule(&mut self, house: &HouseRuleEntry) {
        let id = house_rule::id.row.name;
        let raw = house.raw.iter().filter(|(name, _)| *name != id).cloned().collect();
        self.entry(&format!("house_rules.{}", house.rule.id()), &raw);
    }
}

fn names(names: &[Wildcard]) -> Value {
    json!(names.iter().map(Wildcard::as_str).collect::<Vec<_>>())
}

impl Configuration {
    /// Every setting of the project, and where it comes from.
    pub fn show(&self) -> Vec<ResolvedSetting> {
        let mut list = SettingList::default();
        for (key, flag) in [("root", self.root()), ("group_comments", self.group_comments())] {
            let value = Some(json!(flag.is_some_and(|flag| flag.value)));
            let source = flag.map(|flag| flag.source.clone());
            list.0.push(ResolvedSetting { key: key.to_owned(), value, default: "", source });
        }
        list.patterns("include", &self.include().unwrap_or_default(), default::INCLUDE);
        list.patterns("exclude", &self.exclude(), default::NONE);
        match self.expect() {
            Some(expect) => {
                let value = |expected: &Expected| match expected {
                    Expected::Documents(count) => Some(json!(count)),
                    Expected::Files(id) => Some(json!(self.patterns.get(*id)?.text)),
                };
                let values: Vec<_> = expect.value.iter().filter_map(value).collect();
                let value = if let [one] = &*values { one.clone() } else { json!(values) };
                list.set("expect", value, &expect.source);
            }
            None => list.unset("expect", default::NONE),
        }
        list.text("baseline", self.baseline(), default::BASELINE);
        let base = self.base().map(|base| base.clone().map(|base| base.name));
        list.text("base", base.as_ref(), default::NONE);
        list.text("facts", self.facts(), default::NONE);
        list.variables(self.variables_with(&[]).as_deref());
        list.readings(&self.readings());
        self.show_levels(&mut list, &[]);
        self.show_entries(&mut list);
        list.0
    }

    /// The levels of rules, and the fields that `unknown-field` allows. A level of most rules in a group is shown once, for
    /// the group.
    fn show_levels(&self, list: &mut SettingList, overrides: &[&OverrideEntry]) {
        for group in Group::ALL {
            let levels = self.rules().filter(|rule| rule.group == group);
            let levels: Vec<_> =
                levels.map(|rule| (self.shown_level(&rule, overrides), rule)).collect();
            let count = |level: &Option<Sourced<Level>>| {
                levels.iter().filter(|(other, _)| other == level).count()
            };
            let most = levels.iter().find(|(level, _)| 2 * count(level) > levels.len());
            let most = most.filter(|_| levels.len() > 1).map(|(level, _)| level);
            let mut show = |name: &str, level: &Option<Sourced<Level>>| {
                let key = format!("rules.{name}");
                match level {
                    Some(level) => list.set(key, json!(level.value.as_str()), &level.source),
                    None if group == Group::Style => list.unset(key, default::OFF),
                    None => list.unset(key, default::RULE),
                }
            };
            if group == Group::House {
                // Each house rule has its own level, so the level of the group is the one that is set for the group.
                let any = Rule::named("", Severity::Warning, "", "");
                let level = self.level_with(&any, overrides);
                if level.is_some() || !levels.is_empty() {
                    show(group.name(), &level);
                }
            } else if let Some(level) = most {
                show(group.name(), level);
            }
            for (level, rule) in levels.iter().filter(|(level, _)| Some(level) != most) {
                show(&rule.id, level);
            }
        }
        if let Some(allowed) = self.allowed_with(overrides) {
            let key = format!("rules.{UNKNOWN_FIELD}.allow");
            list.set(key, names(&allowed.value), &allowed.source);
        }
    }

    /// The level of a rule. A house rule has a level of its own if no other is set.
    fn shown_level(&self, rule: &Rule, overrides: &[&OverrideEntry]) -> Option<Sourced<Level>> {
        self.level_with(rule, overrides).or_else(|| {
            let (house, _) = self.house_entries().find(|(_, house)| house.id == rule.id)?;
            let value = rule.advice.into();
            let level = house.raw.iter().find(|(name, _)| *name == house_rule::level.row.name);
            let source = level.map_or(&house.source, |(_, level)| &level.source);
            Some(Sourced { value, source: source.clone() })
        })
    }

    /// The entries of the lists.
    fn show_entries(&self, list: &mut SettingList) {
        let files = |list: &mut SettingList, key, ids: &[PatternId], entry| {
            let patterns = self.patterns(ids);
            let texts: Vec<&str> = patterns.iter().map(|it| it.text.as_str()).collect();
            list.set(key, json!(texts), patterns.first().map_or(entry, |first| &first.source));
        };
        for (entry, at) in self.documents().zip(0..) {
            let key = |name: &str| format!("documents[{at}].{name}");
            files(list, key("files"), &entry.files, &entry.source);
            if let Some(kind) = &entry.kind {
                list.set(key("kind"), json!(kind.value.name()), &kind.source);
            }
            for (name, value) in [
                ("agent_type", &entry.agent_type),
                ("agent_id", &entry.agent_id),
                ("stored", &entry.stored),
                ("facts", &entry.facts),
            ] {
                if let Some(value) = value {
                    list.set(key(name), json!(value.value), &value.source);
                }
            }
            for file in &entry.text_files {
                let (row, path) = &file.value;
                list.set(key(&format!("text_files.{}", row.name)), json!(path), &file.source);
            }
            if let Some(variables) = &entry.variables {
                let source = variables.first().map_or(&entry.source, |first| &first.source);
                let variables: Vec<&str> = variables.iter().map(|it| it.value.as_str()).collect();
                list.set(key("variables"), json!(variables), source);
            }
        }
        for (entry, at) in self.overrides().zip(0..) {
            let key = |name: &str| format!("overrides[{at}].{name}");
            files(list, key("files"), &entry.files, &entry.source);
            for (name, RuleConfig { level, allow }) in &entry.rules {
                if let Some(level) = level {
                    let key = key(&format!("rules.{name}"));
                    list.set(key, json!(level.value.as_str()), &level.source);
                }
                if let Some(allow) = allow {
                    let key = key(&format!("rules.{name}.allow"));
                    list.set(key, names(&allow.value), &allow.source);
                }
            }
        }
        for (suppression, at) in self.suppressions().zip(0..) {
            list.entry(&format!("suppressions[{at}]"), &suppression.raw);
        }
        for (house, _) in self.house_entries() {
            list.house_rule(house);
        }
    }
}

impl FileSettings<'_> {
    /// Every setting for the file, and where it comes from.
    pub fn show(&self) -> Vec<ResolvedSetting> {
        let mut list = SettingList::default();
        let include = self.configuration.include().unwrap_or_default();
        match (self.excluded_by(), self.included_by(), include.first()) {
            (Some(by), ..) => list.set("excluded_by", json!(by.text), &by.source),
            (None, Some(by), _) => list.set("included_by", json!(by.text), &by.source),
            (None, None, Some(first)) => list.set("included", json!(false), &first.source),
            (None, None, None) => list.unset("included", default::INCLUDE),
        }
        match self.kind() {
            Some(kind) => list.set("kind", json!(kind.value.name()), &kind.source),
            None => list.unset("kind", default::KIND),
        }
        list.text("agent_type", self.agent_type(), default::UNKNOWN);
        list.text("agent_id", self.agent_id(), default::UNKNOWN);
        list.text("stored", self.stored().as_ref(), default::NONE);
        list.text("facts", self.facts(), default::NONE);
        list.text("baseline", self.configuration.baseline(), default::BASELINE);
        let texts = self.text_files();
        if texts.is_empty() {
            list.unset("text_files", default::NONE);
        }
        for Sourced { value: (row, path), source } in texts {
            list.set(format!("text_files.{}", row.name), json!(path), &source);
        }
        list.variables(self.variables().as_deref());
        list.readings(&self.readings());
        self.configuration.show_levels(&mut list, &self.overrides);
        for (index, suppression) in self.suppressions() {
            list.entry(&format!("suppressions[{index}]"), &suppression.raw);
        }
        for (house, rule) in self.configuration.house_entries() {
            if self.house_rules().iter().any(|own| own.id() == rule.id) {
                list.house_rule(house);
            }
        }
        list.0
    }
}
