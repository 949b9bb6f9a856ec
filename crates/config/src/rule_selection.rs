//! The rules that a caller selects, ignores or gives a level. These choices override every configuration.

use std::fmt;

use voxlint::Rule;

use crate::config_file::names_rule;
use crate::diagnostic::quote;
use crate::rule_names::{LIST_RULES, RuleNames};
use crate::{Level, SettingSource, Sourced};
use voxlint::rules::ids::SYNTAX_ERROR;

/// The rules that a caller selects, ignores or gives a level, each by its id, its group or `recommended`.
///
/// ```
/// use voxlint_config::{Configuration, Level, RuleSelection};
///
/// let rule = voxlint::rules::find("unknown-field").expect("a rule");
/// let selection = RuleSelection::default().ignore(["correctness"]);
/// let configuration = Configuration::built_in().with_rule_selection(&selection)?;
/// assert_eq!(configuration.level(rule).map(|level| level.value), Some(Level::Off));
///
/// let selection = RuleSelection::default().select(["unknown-fields"]).arguments("-s", "-i", "-l");
/// let error = Configuration::built_in().with_rule_selection(&selection).unwrap_err();
/// assert_eq!(error.to_string(), "-s: there is no rule `unknown-fields`: did you mean `unknown-field`?");
/// # Ok::<(), voxlint_config::UnknownRule>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSelection {
    select: Vec<String>,
    ignore: Vec<String>,
    levels: Vec<(String, Level)>,
    arguments: [&'static str; 3],
}

impl Default for RuleSelection {
    fn default() -> Self {
        let arguments = ["select", "ignore", "level"];
        Self { select: Vec::new(), ignore: Vec::new(), levels: Vec::new(), arguments }
    }
}

impl RuleSelection {
    /// Turns off all rules but these and `syntax-error`, which is always on. A selected rule that is off otherwise gets its default severity. An
    /// empty list selects all rules that are on.
    #[must_use]
    pub fn select(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.select.extend(names.into_iter().map(Into::into));
        self
    }

    /// Turns off these rules.
    #[must_use]
    pub fn ignore(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ignore.extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets the levels of these rules; the last one counts. A rule that is named by its id is enabled even if it is ignored or
    /// not selected. A group changes only rules that are enabled.
    #[must_use]
    pub fn levels(mut self, levels: impl IntoIterator<Item = (impl Into<String>, Level)>) -> Self {
        self.levels.extend(levels.into_iter().map(|(name, level)| (name.into(), level)));
        self
    }

    /// The names of the caller's arguments, for [`SettingSource::Argument`] and errors.
    #[must_use]
    pub fn arguments(
        self,
        select: &'static str,
        ignore: &'static str,
        level: &'static str,
    ) -> Self {
        Self { arguments: [select, ignore, level], ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.select.is_empty() && self.ignore.is_empty() && self.levels.is_empty()
    }

    /// The level of a rule to which the configuration gives the level `configured`.
    pub(crate) fn level(
        &self,
        rule: &Rule,
        configured: Option<&Sourced<Level>>,
    ) -> Option<Sourced<Level>> {
        let Self { select, ignore, levels, arguments: [by_select, by_ignore, by_level] } = self;
        let has_rule = |names: &[String]| names.iter().any(|name| names_rule(name, rule));
        let set = |name, value| Some(Sourced { value, source: SettingSource::Argument(name) });
        let last = |wanted: &str| levels.iter().rfind(|(name, _)| name == wanted);
        if let Some((_, level)) = last(&rule.id) {
            return set(by_level, *level);
        }
        if has_rule(ignore) {
            return set(by_ignore, Level::Off);
        }
        if !select.is_empty() && !has_rule(select) {
            return set(by_select, Level::Off);
        }
        if let Some((_, level)) = rule.names().find_map(last) {
            return set(by_level, *level);
        }
        let configured = configured.filter(|it| select.is_empty() || it.value != Level::Off);
        if configured.is_none() && !rule.is_recommended && has_rule(select) {
            return set(by_select, rule.advice.into());
        }
        configured.cloned()
    }

    /// Every name, with the argument that it comes from.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let [by_select, by_ignore, by_level] = self.arguments;
        let select = self.select.iter().map(move |name| (by_select, name.as_str()));
        let ignore = self.ignore.iter().map(move |name| (by_ignore, name.as_str()));
        let levels = self.levels.iter().map(move |(name, _)| (by_level, name.as_str()));
        select.chain(ignore).chain(levels)
    }

    /// The part with these names. If none of the selected rules is known, no rule is selected.
    pub(crate) fn known_to(&self, names: &RuleNames) -> Self {
        let is_known = |name: &String| names.check(name).is_ok();
        let known = |list: &[String]| list.iter().filter(|name| is_known(name)).cloned().collect();
        let levels = self.levels.iter().filter(|(name, _)| is_known(name)).cloned().collect();
        let arguments = self.arguments;
        let mut own =
            Self { select: known(&self.select), ignore: known(&self.ignore), levels, arguments };
        if own.select.is_empty() && !self.select.is_empty() {
            own.select.push(SYNTAX_ERROR.to_owned());
        }
        own
    }
}

/// There is no rule and no group of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The argument with the name.
    pub argument: &'static str,
    /// The name.
    pub name: String,
    /// A rule or group with a similar name.
    pub suggestion: Option<String>,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { argument, name, suggestion } = self;
        write!(formatter, "{argument}: there is no rule {}: ", quote(name))?;
        match suggestion {
            Some(near) => write!(formatter, "did you mean `{near}`?"),
            None => formatter.write_str(LIST_RULES),
        }
    }
}

impl std::error::Error for UnknownRule {}
