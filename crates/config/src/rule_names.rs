//! The names of rules and groups.

use voxlint::rules;
use voxlint::suggest::nearest;

/// The help for a name without a similar rule.
pub(crate) const LIST_RULES: &str = "`voxlint rules` lists all rules";

/// The names of rules that a configuration can use.
pub(crate) struct RuleNames {
    /// The ids of the house rules.
    pub(crate) house: Vec<String>,
}

impl RuleNames {
    /// Checks that there is a rule or a group of this name. The error is a similar name.
    pub(crate) fn check(&self, name: &str) -> Result<(), Option<String>> {
        let names = || {
            let house = self.house.iter().map(String::as_str);
            rules::all().map(|rule| &*rule.id).chain(house).chain(rules::group_names())
        };
        if names().any(|known| known == name) {
            return Ok(());
        }
        Err(nearest(name, names()).map(str::to_owned))
    }
}
