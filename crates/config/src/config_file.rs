//! One configuration file, read. The names of rules in it are checked later.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use voxlint::readings::SetReading;
use voxlint::schema::Row;
use voxlint::syntax::Span;
use voxlint::{DocumentKind, PointerPattern, Report, Wildcard};

use crate::limited::Limited;
use crate::pattern::PatternId;
use crate::{Date, Level, SettingSource, Sourced};

/// The settings of a configuration file.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    pub(crate) path: Arc<str>,
    pub(crate) text: Arc<str>,
    /// The faults in the file.
    pub(crate) faults: Report,
    /// Whether the file and all files that it extends could be read completely.
    pub(crate) is_whole: bool,
    /// The rules and groups that the file names.
    pub(crate) names: Vec<LocatedName>,
    /// The rules of earlier versions that the file names.
    pub(crate) removed: Vec<Sourced<String>>,
    pub(crate) extends: Vec<ExtendedPath>,
    pub(crate) root: Option<Sourced<bool>>,
    pub(crate) group_comments: Option<Sourced<bool>>,
    pub(crate) include: Option<Vec<PatternId>>,
    pub(crate) exclude: Vec<PatternId>,
    pub(crate) expect: Option<Sourced<Vec<Expected>>>,
    pub(crate) baseline: Option<Sourced<String>>,
    pub(crate) base: Option<Sourced<BaseSetting>>,
    pub(crate) facts: Option<Sourced<String>>,
    pub(crate) variables: Option<Vec<Sourced<Wildcard>>>,
    pub(crate) rules: RuleConfigs,
    pub(crate) readings: Vec<Sourced<SetReading>>,
    pub(crate) documents: Vec<DocumentsEntry>,
    pub(crate) overrides: Vec<OverrideEntry>,
    pub(crate) suppressions: Vec<SuppressionEntry>,
    /// The ids of all house rules, including faulty ones.
    pub(crate) house_ids: Vec<(LocatedName, SettingSource)>,
    /// The first name in the `field` of each house rule.
    pub(crate) house_fields: Vec<LocatedName>,
    pub(crate) house_rules: Vec<HouseRuleEntry>,
    /// What there can be only so much of, in the order of the text.
    pub(crate) limited: Vec<(Limited, Location)>,
}

/// What a run must check at least.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// So many documents.
    Documents(u64),
    /// A document that the pattern matches.
    Files(PatternId),
}

/// Where the stored configurations that the repository last knew come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseSetting {
    /// The value: a folder, relative to the folder of the file that names it, or the name of a commit.
    pub name: String,
    /// The folder of the file that names it.
    pub folder: String,
}

/// The location of a value, for diagnostics.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) span: Span,
    pub(crate) field: String,
}

/// The name of a rule, a group or a field.
#[derive(Clone, Debug)]
pub(crate) struct LocatedName {
    pub(crate) name: String,
    pub(crate) location: Location,
}

/// A path in `extends`.
#[derive(Debug)]
pub(crate) struct ExtendedPath {
    /// The path as written.
    pub(crate) written: String,
    /// The path relative to where loading began.
    pub(crate) path: String,
    pub(crate) location: Location,
}

/// The settings of rules, by the name of the rule or group.
pub(crate) type RuleConfigs = BTreeMap<String, RuleConfig>;

/// The settings of a rule or group.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleConfig {
    pub(crate) level: Option<Sourced<Level>>,
    pub(crate) allow: Option<Sourced<Vec<Wildcard>>>,
}

/// An entry of `documents`.
#[derive(Debug)]
pub(crate) struct DocumentsEntry {
    /// Where its rules are named.
    pub(crate) source: SettingSource,
    pub(crate) files: Vec<PatternId>,
    pub(crate) kind: Option<Sourced<DocumentKind>>,
    pub(crate) agent_type: Option<Sourced<String>>,
    pub(crate) agent_id: Option<Sourced<String>>,
    /// Relative to the folder of the document.
    pub(crate) stored: Option<Sourced<String>>,
    pub(crate) facts: Option<Sourced<String>>,
    /// Relative to the folder of the document.
    pub(crate) text_files: Vec<Sourced<(&'static Row, String)>>,
    pub(crate) variables: Option<Vec<Sourced<Wildcard>>>,
}

/// An entry of `overrides`.
#[derive(Debug)]
pub(crate) struct OverrideEntry {
    pub(crate) source: SettingSource,
    pub(crate) files: Vec<PatternId>,
    pub(crate) rules: RuleConfigs,
}

/// The values of an entry as written, by key, in the order of the table.
pub(crate) type RawValues = Vec<(&'static str, Sourced<Value>)>;

/// An entry of `suppressions`.
#[derive(Debug)]
pub(crate) struct SuppressionEntry {
    pub(crate) files: Vec<PatternId>,
    pub(crate) pointer: Option<PointerPattern>,
    pub(crate) rules: Vec<LocatedName>,
    pub(crate) reason: String,
    pub(crate) source: SettingSource,
    pub(crate) expires: Option<(Date, Location)>,
    pub(crate) raw: RawValues,
}

impl SuppressionEntry {
    /// Whether the last day of the entry has passed.
    pub(crate) fn has_expired(&self, today: Date) -> bool {
        self.expires.as_ref().is_some_and(|(last, _)| *last < today)
    }

    /// Whether the entry covers the value at a pointer.
    pub(crate) fn matches_pointer(&self, field: &str) -> bool {
        self.pointer.as_ref().is_none_or(|pointer| pointer.matches(field))
    }

    /// Tells one of its names of rules from those of all entries.
    pub(crate) fn id(&self, name: &LocatedName) -> NameId {
        (self.source.clone(), name.location.span.start)
    }
}

/// A name in a configuration file: its entry's source, and its offset in the file.
pub(crate) type NameId = (SettingSource, u32);

/// Whether a name is the id of a rule, the name of its group, or `recommended` for a rule that is on by default.
pub(crate) fn names_rule(name: &str, rule: &voxlint::Rule) -> bool {
    rule.names().any(|known| known == name)
}

/// An entry of `house_rules`.
#[derive(Debug)]
pub(crate) struct HouseRuleEntry {
    pub(crate) source: SettingSource,
    /// `None` for all files.
    pub(crate) files: Option<Vec<PatternId>>,
    pub(crate) rule: voxlint::HouseRule,
    pub(crate) raw: RawValues,
}
