//! Each setting with where it was made.

use std::fmt::Write as _;

use serde_json::{Value, json};
use voxlint::schema::configuration::house_rule;
use voxlint::{Rule, Severity, Wildcard, rules};

use crate::config_file::{HouseRuleEntry, OverrideEntry, RawValues, RuleConfig};
use crate::pattern::Pattern;
use crate::read::UNKNOWN_FIELD;
use crate::{Configuration, FileSettings, Level, SettingSource, Sourced};

/// One setting, as `voxlint config show` lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedSetting {
    /// The key, as a configuration would spell it: `rules.unknown-field`.
    pub key: String,
    /// The value; none where it is what voxlint does by itself.
    pub value: Option<Value>,
    /// What voxlint does by itself, in words.
    pub default: &'static str,
    /// Where the value was set; `None` where nobody has set it.
    pub source: Option<SettingSource>,
}

impl ResolvedSetting {
    fn set(key: impl Into<String>, value: Value, source: &SettingSource) -> Self {
        Self { key: key.into(), value: Some(value), default: "", source: Some(source.clone()) }
    }

    fn default(key: impl Into<String>, value: Value) -> Self {
        Self { key: key.into(), value: Some(value), default: "", source: None }
    }

    fn unset(key: impl Into<String>, default: &'static str) -> Self {
        Self { key: key.into(), value: None, default, source: None }
    }

    fn of<T>(
        key: &str,
        stated: Option<&Sourced<T>>,
        value: impl Fn(&T) -> Value,
        default: &'static str,
    ) -> Self {
        match stated {
            Some(stated) => Self::set(key, value(&stated.value), &stated.source),
            None => Self::unset(key, default),
        }
    }
}

/// The list as text: a setting a line, `rules.unknown-field = "error"   # voxlint.toml:4`. `shown` turns the path of a
/// configuration file into one to show.
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
    let line = |entry: &ResolvedSetting| {
        let value = match &entry.value {
            Some(value) => to_toml(value),
            None => format!("({})", entry.default),
        };
        format!("{} = {value}", entry.key)
    };
    let lines: Vec<String> = list.iter().map(line).collect();
    // Origins stand below each other, but for those of long lines.
    let widths = lines.iter().map(|line| line.chars().count()).filter(|width| *width <= 48);
    let width = widths.max().unwrap_or(0);
    let mut text = String::new();
    for (entry, line) in list.iter().zip(lines) {
        let source = entry.source.as_ref().map_or("(default)".to_owned(), |it| spell(it, shown));
        let _ = writeln!(text, "{line:<width$}  # {source}");
    }
    text
}

/// The list as JSON: `{"schema": 1, "settings": [{"key", "value", "default", "file", "line", "option"}]}`. What nobody has set
/// has no source, and a value or words in `default`.
pub fn show_json(list: &[ResolvedSetting], shown: &dyn Fn(&str) -> String) -> Value {
    let settings = list.iter().map(|entry| {
        let (file, line, option) = match &entry.source {
            Some(SettingSource::File { path, line }) => (Some(shown(path)), Some(*line), None),
            Some(SettingSource::Argument(option)) => (None, None, Some(*option)),
            None => (None, None, None),
        };
        let default = entry.value.is_none().then_some(entry.default);
        json!({ "key": entry.key, "value": entry.value, "default": default, "file": file, "line": line, "option": option })
    });
    json!({ "schema": 1, "settings": settings.collect::<Vec<_>>() })
}

fn spell(source: &SettingSource, shown: &dyn Fn(&str) -> String) -> String {
    match source {
        SettingSource::File { path, line } => format!("{}:{line}", shown(path)),
        SettingSource::Argument(option) => (*option).to_owned(),
    }
}

/// A value as a configuration spells it, in one line.
///
/// ```
/// use serde_json::json;
///
/// let value = json!({ "stored": "{stem}.json", "files": ["a b/*.json", "\"c\""] });
/// let spelled = voxlint_config::to_toml(&value);
/// assert_eq!(spelled, r#"{ files = ["a b/*.json", "\"c\""], stored = "{stem}.json" }"#);
/// ```
pub fn to_toml(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(to_toml).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{name} = {}", to_toml(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::String(text) => string(text),
        value => value.to_string(),
    }
}

/// A text between quotes, with what would steer a terminal spelled out.
fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// A line for each pattern of a list.
fn patterns(
    list: &mut Vec<ResolvedSetting>,
    key: &str,
    patterns: Option<&[&Pattern]>,
    default: &'static str,
) {
    let patterns = patterns.unwrap_or_default();
    if patterns.is_empty() {
        list.push(ResolvedSetting::unset(key, default));
    }
    for (pattern, at) in patterns.iter().zip(0..) {
        list.push(ResolvedSetting::set(
            format!("{key}[{at}]"),
            json!(pattern.text),
            &pattern.source,
        ));
    }
}

/// A line for each template variable that is listed.
fn variables(list: &mut Vec<ResolvedSetting>, variables: Option<&[&Sourced<Wildcard>]>) {
    match variables {
        None => list.push(ResolvedSetting::unset("variables", default::VARIABLES)),
        Some([]) => list.push(ResolvedSetting::unset("variables", default::NO_VARIABLES)),
        Some(variables) => {
            for (name, at) in variables.iter().zip(0..) {
                let value = json!(name.value.as_str());
                list.push(ResolvedSetting::set(format!("variables[{at}]"), value, &name.source));
            }
        }
    }
}

fn by_pattern(key: &str, pattern: &Pattern) -> ResolvedSetting {
    ResolvedSetting::set(key, json!(pattern.text), &pattern.source)
}

fn names(names: &[Wildcard]) -> Value {
    json!(names.iter().map(Wildcard::as_str).collect::<Vec<_>>())
}

/// A line for each value of an entry.
fn entry(list: &mut Vec<ResolvedSetting>, key: &str, written: &RawValues) {
    for (name, stated) in written {
        list.push(ResolvedSetting::set(
            format!("{key}.{name}"),
            stated.value.clone(),
            &stated.source,
        ));
    }
}

/// A line for each value of a house rule but its id, which is in all of them.
fn house_rule(list: &mut Vec<ResolvedSetting>, house: &HouseRuleEntry) {
    let id = house_rule::id.row.name;
    let written = house.written.iter().filter(|(name, _)| *name != id).cloned().collect();
    entry(list, &format!("house_rules.{}", house.rule.id()), &written);
}

/// What voxlint does where nobody has set anything.
mod default {
    pub(super) const INCLUDE: &str = "every file with the extension of a document";
    pub(super) const NONE: &str = "none";
    pub(super) const BASELINE: &str = "voxlint-baseline.json, where there is one";
    pub(super) const KIND: &str = "detected from its fields";
    pub(super) const UNKNOWN: &str = "not known";
    pub(super) const VARIABLES: &str = "not listed, so none is unknown";
    pub(super) const NO_VARIABLES: &str = "none but those with a default";
    pub(super) const RULE: &str = "default of each rule";
}

impl Configuration {
    /// Every setting of the project, with where it was made.
    pub fn show(&self) -> Vec<ResolvedSetting> {
        let mut list = vec![match self.root() {
            Some(root) => ResolvedSetting::set("root", json!(root.value), &root.source),
            None => ResolvedSetting::default("root", json!(false)),
        }];
        patterns(&mut list, "include", self.include().as_deref(), default::INCLUDE);
        patterns(&mut list, "exclude", Some(&self.exclude()), default::NONE);
        list.push(ResolvedSetting::of(
            "baseline",
            self.baseline(),
            |path| json!(path),
            default::BASELINE,
        ));
        list.push(ResolvedSetting::of("facts", self.facts(), |path| json!(path), default::NONE));
        let listed = self.variables_with(&[]);
        variables(&mut list, listed.as_deref());
        self.show_levels(&mut list, &[]);
        self.show_entries(&mut list);
        list
    }

    /// The levels that are set, and what `unknown-field` leaves alone. What holds for most rules of a group stands there once.
    fn show_levels(&self, list: &mut Vec<ResolvedSetting>, overrides: &[&OverrideEntry]) {
        let [_, house] = rules::GROUPS;
        for group in rules::GROUPS {
            let levels = self.rules().filter(|rule| rule.group() == group);
            let levels: Vec<_> =
                levels.map(|rule| (self.level_shown(&rule, overrides), rule)).collect();
            let count = |level: &Option<Sourced<Level>>| {
                levels.iter().filter(|(other, _)| other == level).count()
            };
            let most = levels.iter().find(|(level, _)| 2 * count(level) > levels.len());
            let most = most.filter(|_| levels.len() > 1).map(|(level, _)| level);
            let mut show = |name: &str, level: &Option<Sourced<Level>>| {
                let key = format!("rules.{name}");
                list.push(match level {
                    Some(level) => {
                        ResolvedSetting::set(key, json!(level.value.name()), &level.source)
                    }
                    None => ResolvedSetting::unset(key, default::RULE),
                });
            };
            if group == house {
                // Each house rule has a level of its own, so what is said of all of them is no more than one voice.
                let any = Rule::named("", Severity::Warning, "", "");
                let level = self.level_with(&any, overrides);
                if level.is_some() || !levels.is_empty() {
                    show(group, &level);
                }
            } else if let Some(level) = most {
                show(group, level);
            }
            for (level, rule) in levels.iter().filter(|(level, _)| Some(level) != most) {
                show(&rule.id, level);
            }
        }
        if let Some(allowed) = self.allowed_with(overrides) {
            let key = format!("rules.{UNKNOWN_FIELD}.allow");
            list.push(ResolvedSetting::set(key, names(&allowed.value), &allowed.source));
        }
    }

    /// The level of a rule; of a house rule that nobody speaks of, the one that it has been given itself.
    fn level_shown(&self, rule: &Rule, overrides: &[&OverrideEntry]) -> Option<Sourced<Level>> {
        self.level_with(rule, overrides).or_else(|| {
            let (house, _) = self.house_entries().find(|(_, house)| house.id == rule.id)?;
            let is_it = |level: &Level| level.severity() == Some(rule.advice);
            let value = Level::ALL.into_iter().find(is_it)?;
            let level = house.written.iter().find(|(name, _)| *name == house_rule::level.row.name);
            let source = level.map_or(&house.source, |(_, stated)| &stated.source);
            Some(Sourced { value, source: source.clone() })
        })
    }

    /// The entries of the lists, each with where it begins.
    fn show_entries(&self, list: &mut Vec<ResolvedSetting>) {
        let files = |ids| {
            let patterns: Vec<&str> =
                self.patterns(ids).into_iter().map(|it| it.text.as_str()).collect();
            json!(patterns)
        };
        let begins = |ids, entry| {
            self.patterns(ids).into_iter().map(|it| &it.source).next().unwrap_or(entry)
        };
        for (entry, at) in self.documents().zip(0..) {
            let key = |name: &str| format!("documents[{at}].{name}");
            list.push(ResolvedSetting::set(
                key("files"),
                files(&entry.files),
                begins(&entry.files, &entry.source),
            ));
            let texts = [
                ("agent_type", &entry.agent_type),
                ("agent_id", &entry.agent_id),
                ("stored", &entry.stored),
                ("facts", &entry.facts),
            ];
            if let Some(kind) = &entry.kind {
                list.push(ResolvedSetting::set(
                    key("kind"),
                    json!(kind.value.name()),
                    &kind.source,
                ));
            }
            for (name, value) in texts {
                if let Some(value) = value {
                    list.push(ResolvedSetting::set(key(name), json!(value.value), &value.source));
                }
            }
            for file in &entry.text_files {
                let (row, path) = &file.value;
                let key = key(&format!("text_files.{}", row.name));
                list.push(ResolvedSetting::set(key, json!(path), &file.source));
            }
            if let Some(variables) = &entry.variables {
                let source = variables.first().map_or(&entry.source, |first| &first.source);
                let variables: Vec<&str> = variables.iter().map(|it| it.value.as_str()).collect();
                list.push(ResolvedSetting::set(key("variables"), json!(variables), source));
            }
        }
        for (entry, at) in self.overrides().zip(0..) {
            let key = |name: &str| format!("overrides[{at}].{name}");
            list.push(ResolvedSetting::set(
                key("files"),
                files(&entry.files),
                begins(&entry.files, &entry.source),
            ));
            for (name, RuleConfig { level, allow }) in &entry.rules {
                if let Some(level) = level {
                    let key = key(&format!("rules.{name}"));
                    list.push(ResolvedSetting::set(key, json!(level.value.name()), &level.source));
                }
                if let Some(allow) = allow {
                    let key = key(&format!("rules.{name}.allow"));
                    list.push(ResolvedSetting::set(key, names(&allow.value), &allow.source));
                }
            }
        }
        for ((_, suppression), at) in self.suppressions().zip(0..) {
            entry(list, &format!("suppressions[{at}]"), &suppression.written);
        }
        for (house, _) in self.house_entries() {
            house_rule(list, house);
        }
    }
}

impl FileSettings<'_> {
    /// Every setting for the file, with where it was made.
    pub fn show(&self) -> Vec<ResolvedSetting> {
        let mut list = Vec::new();
        list.push(match (self.excluded_by(), self.included_by(), self.is_included()) {
            (Some(pattern), ..) => by_pattern("excluded_by", pattern),
            (None, Some(pattern), _) => by_pattern("included_by", pattern),
            (None, None, Some(_)) => {
                let include = self.configuration.include().unwrap_or_default();
                match include.first() {
                    Some(first) => ResolvedSetting::set("included", json!(false), &first.source),
                    None => ResolvedSetting::unset("included", default::INCLUDE),
                }
            }
            (None, None, None) => ResolvedSetting::unset("included", default::INCLUDE),
        });
        list.push(ResolvedSetting::of(
            "kind",
            self.kind(),
            |kind| json!(kind.name()),
            default::KIND,
        ));
        let texts = [("agent_type", self.agent_type()), ("agent_id", self.agent_id())];
        for (key, value) in texts {
            list.push(ResolvedSetting::of(key, value, |text| json!(text), default::UNKNOWN));
        }
        let path = |path: &String| json!(path);
        list.push(ResolvedSetting::of("stored", self.stored().as_ref(), path, default::NONE));
        list.push(ResolvedSetting::of("facts", self.facts(), path, default::NONE));
        let baseline = self.configuration.baseline();
        list.push(ResolvedSetting::of("baseline", baseline, path, default::BASELINE));
        let texts = self.text_files();
        if texts.is_empty() {
            list.push(ResolvedSetting::unset("text_files", default::NONE));
        }
        for file in texts {
            let (row, path) = file.value;
            list.push(ResolvedSetting::set(
                format!("text_files.{}", row.name),
                json!(path),
                &file.source,
            ));
        }
        variables(&mut list, self.variables().as_deref());
        self.configuration.show_levels(&mut list, &self.overrides);
        // An entry goes by the same number as among all of them.
        let own: Vec<_> = self.suppressions().map(|(at, _)| at).collect();
        let all = self.configuration.suppressions().zip(0..);
        for ((_, suppression), at) in all.filter(|((at, _), _)| own.contains(at)) {
            entry(&mut list, &format!("suppressions[{at}]"), &suppression.written);
        }
        for (house, rule) in self.configuration.house_entries() {
            if self.house_rules().iter().any(|own| own.id() == rule.id) {
                house_rule(&mut list, house);
            }
        }
        list
    }
}
