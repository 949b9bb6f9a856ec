//! What the command line says of rules: the last word.

use voxlint::Rule;

use crate::config_file::is_meant;
use crate::diagnostic::quote;
use crate::load::RuleNames;
use crate::{Configuration, Level, SettingSource, Sourced};

/// What the command line says of rules, each by its id or by its group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSelection {
    /// Only these; all others but `syntax-error` are off. One that a configuration has switched off speaks as it does by itself. None selects
    /// all.
    pub select: Vec<String>,
    /// Not these.
    pub ignore: Vec<String>,
    /// These as loudly as this: a rule that is named here by its id speaks, whatever else is said of it, and one that is
    /// named by its group unless it is left out. Of several the last one counts.
    pub levels: Vec<(String, Level)>,
}

/// RuleSelection with names that there are.
#[derive(Debug, Default)]
pub(crate) struct AppliedSelection(RuleSelection);

/// The rule that says that a document cannot be read. [`RuleSelection::select`] does not switch it off.
pub const SYNTAX_ERROR: &str = "syntax-error";

const SELECT: &str = "--select";
const IGNORE: &str = "--ignore";
const LEVEL: &str = "--level";

impl AppliedSelection {
    /// The level of a rule that the configuration gives this one.
    pub(crate) fn level(
        &self,
        rule: &Rule,
        configured: Option<&Sourced<Level>>,
    ) -> Option<Sourced<Level>> {
        let RuleSelection { select, ignore, levels } = &self.0;
        let is_named = |names: &[String]| names.iter().any(|name| is_meant(name, rule));
        let here = |option, value| Some(Sourced { value, source: SettingSource::Argument(option) });
        let last = |is_it: &dyn Fn(&str) -> bool| levels.iter().rfind(|(name, _)| is_it(name));
        // Who names a rule wants to hear it. A level for the whole group brings no rule back that is left out.
        if let Some((_, level)) = last(&|name| name == rule.id) {
            return here(LEVEL, *level);
        }
        if is_named(ignore) {
            return here(IGNORE, Level::Off);
        }
        // Whichever rules are wanted, they have seen nothing in a document that cannot be read.
        if !select.is_empty() && !is_named(select) && rule.id != SYNTAX_ERROR {
            return here(SELECT, Level::Off);
        }
        if let Some((_, level)) = last(&|name| name == rule.group()) {
            return here(LEVEL, *level);
        }
        configured.filter(|it| select.is_empty() || it.value != Level::Off).cloned()
    }

    /// Whether anything is said here.
    pub(crate) fn is_silent(&self) -> bool {
        self.0 == RuleSelection::default()
    }
}

impl Configuration {
    /// The configuration with what the command line says of rules.
    ///
    /// # Errors
    ///
    /// If there is no rule and no group of a name: the message says so, and which may have been meant.
    ///
    /// ```
    /// use voxlint_config::{RuleSelection, Configuration, Level};
    ///
    /// let rule = voxlint::rules::find("unknown-field").expect("a rule");
    /// let choices = RuleSelection { ignore: vec!["correctness".into()], ..RuleSelection::default() };
    /// let configuration = Configuration::built_in().with(choices)?;
    /// assert_eq!(configuration.level(rule).map(|level| level.value), Some(Level::Off));
    ///
    /// let choices = RuleSelection { select: vec!["unknown-fields".into()], ..RuleSelection::default() };
    /// let message = Configuration::built_in().with(choices).unwrap_err();
    /// assert_eq!(message, "--select: there is no rule `unknown-fields`: did you mean `unknown-field`?");
    /// # Ok::<(), String>(())
    /// ```
    pub fn with(mut self, choices: RuleSelection) -> Result<Self, String> {
        self.set_rule_selection(choices)?;
        Ok(self)
    }

    /// Takes in what the command line says of rules.
    ///
    /// # Errors
    ///
    /// As [`Self::with`].
    pub fn set_rule_selection(&mut self, choices: RuleSelection) -> Result<(), String> {
        self.check_rule_selection(&choices)?;
        self.command_line = AppliedSelection(choices);
        Ok(())
    }

    /// Says whether all that the choices name is there.
    ///
    /// # Errors
    ///
    /// As [`Self::with`].
    pub fn check_rule_selection(&self, choices: &RuleSelection) -> Result<(), String> {
        let house = self.house.iter().map(|rule| rule.id().to_owned()).collect();
        let known = RuleNames { house };
        let levels: Vec<String> = choices.levels.iter().map(|(name, _)| name.clone()).collect();
        for (option, names) in
            [(SELECT, &choices.select), (IGNORE, &choices.ignore), (LEVEL, &levels)]
        {
            for name in names {
                known.look_up(name).map_err(|help| {
                    let help = help.unwrap_or_else(|| "`voxlint rules` lists them".to_owned());
                    format!("{option}: there is no rule {}: {help}", quote(name))
                })?;
            }
        }
        Ok(())
    }
}
