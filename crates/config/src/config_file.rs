//! What one configuration file states, with names still to be looked up.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use voxlint::schema::Row;
use voxlint::syntax::Span;
use voxlint::{DocumentKind, PointerPattern, Report, Wildcard};

use crate::pattern::PatternId;
use crate::{Date, Level, SettingSource, Sourced};

/// A configuration file that was read.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    pub(crate) path: Arc<str>,
    pub(crate) text: Arc<str>,
    /// What is wrong with it.
    pub(crate) faults: Report,
    /// Whether all of it could be read, and all that it extends.
    pub(crate) is_whole: bool,
    /// The rules and groups that it names.
    pub(crate) names: Vec<LocatedName>,
    pub(crate) extends: Vec<ExtendedPath>,
    pub(crate) root: Option<Sourced<bool>>,
    pub(crate) include: Option<Vec<PatternId>>,
    pub(crate) exclude: Vec<PatternId>,
    pub(crate) baseline: Option<Sourced<String>>,
    pub(crate) facts: Option<Sourced<String>>,
    pub(crate) variables: Option<Vec<Sourced<Wildcard>>>,
    pub(crate) rules: RuleConfigs,
    pub(crate) documents: Vec<DocumentsEntry>,
    pub(crate) overrides: Vec<OverrideEntry>,
    pub(crate) suppressions: Vec<SuppressionEntry>,
    /// The ids of its house rules, of faulty ones, too.
    pub(crate) house_ids: Vec<(LocatedName, SettingSource)>,
    /// The members that the fields of its house rules begin with.
    pub(crate) house_fields: Vec<LocatedName>,
    pub(crate) house_rules: Vec<HouseRuleEntry>,
}

/// A value with its characters, for what can be said of it later.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) span: Span,
    pub(crate) field: String,
}

/// The name of a rule or of a group.
#[derive(Clone, Debug)]
pub(crate) struct LocatedName {
    pub(crate) name: String,
    pub(crate) location: Location,
}

/// The path of another configuration file.
#[derive(Debug)]
pub(crate) struct ExtendedPath {
    /// As it is written.
    pub(crate) written: String,
    /// In the coordinates of the file that it was loaded from.
    pub(crate) path: String,
    pub(crate) location: Location,
}

/// What is told to rules, by the name of the rule or the group.
pub(crate) type RuleConfigs = BTreeMap<String, RuleConfig>;

/// What is told to a rule or to a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleConfig {
    pub(crate) level: Option<Sourced<Level>>,
    pub(crate) allow: Option<Sourced<Vec<Wildcard>>>,
}

/// One of the `documents`.
#[derive(Debug)]
pub(crate) struct DocumentsEntry {
    pub(crate) source: SettingSource,
    pub(crate) files: Vec<PatternId>,
    pub(crate) kind: Option<Sourced<DocumentKind>>,
    pub(crate) agent_type: Option<Sourced<String>>,
    pub(crate) agent_id: Option<Sourced<String>>,
    /// From the folder of the document.
    pub(crate) stored: Option<Sourced<String>>,
    pub(crate) facts: Option<Sourced<String>>,
    /// From the folder of the document.
    pub(crate) text_files: Vec<Sourced<(&'static Row, String)>>,
    pub(crate) variables: Option<Vec<Sourced<Wildcard>>>,
}

/// One of the `overrides`.
#[derive(Debug)]
pub(crate) struct OverrideEntry {
    pub(crate) source: SettingSource,
    pub(crate) files: Vec<PatternId>,
    pub(crate) rules: RuleConfigs,
}

/// The values of an entry by their keys, in the order of the table, as somebody wrote them.
pub(crate) type RawValues = Vec<(&'static str, Sourced<Value>)>;

/// One of the `suppressions`.
#[derive(Debug)]
pub(crate) struct SuppressionEntry {
    pub(crate) files: Vec<PatternId>,
    pub(crate) pointer: Option<PointerPattern>,
    pub(crate) rules: Vec<LocatedName>,
    pub(crate) reason: String,
    pub(crate) expires: Option<(Date, Location)>,
    pub(crate) written: RawValues,
}

impl SuppressionEntry {
    /// Whether the last day of the entry is over.
    pub(crate) fn has_expired(&self, today: Date) -> bool {
        self.expires.as_ref().is_some_and(|(last, _)| *last < today)
    }

    /// Whether the entry is about the value that a pointer leads to.
    pub(crate) fn is_about(&self, field: &str) -> bool {
        self.pointer.as_ref().is_none_or(|pointer| pointer.matches(field))
    }

    /// The number of the first name that a rule goes by.
    pub(crate) fn names(&self, rule: &voxlint::Rule) -> Option<usize> {
        self.rules.iter().position(|name| is_meant(&name.name, rule))
    }
}

/// Whether a name is that of a rule or of its group.
pub(crate) fn is_meant(name: &str, rule: &voxlint::Rule) -> bool {
    name == rule.id || name == rule.group()
}

/// One of the `house_rules`.
#[derive(Debug)]
pub(crate) struct HouseRuleEntry {
    pub(crate) source: SettingSource,
    /// All files, where there are none.
    pub(crate) files: Option<Vec<PatternId>>,
    pub(crate) rule: voxlint::HouseRule,
    pub(crate) written: RawValues,
}
