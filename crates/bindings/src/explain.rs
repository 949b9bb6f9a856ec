//! The pages of rules.

use voxlint::docs::pages;
use voxlint::{HouseRule, RuleRef, rules};

use crate::error::guarded;
use crate::{Context, Error};

/// The page of a rule in Markdown, as `voxlint explain` prints it. House rules are those of the context.
///
/// ```
/// use voxlint_bindings::{Context, explain};
///
/// let context = Context::default();
/// assert!(explain("out-of-range", &context)?.starts_with("# out-of-range"));
/// let error = explain("out-of-rage", &context).expect_err("no such rule");
/// assert_eq!(error.to_string(), "there is no rule `out-of-rage`: did you mean `out-of-range`?");
/// # Ok::<(), voxlint_bindings::Error>(())
/// ```
///
/// # Errors
///
/// If the rule does not exist.
pub fn explain(rule: &str, context: &Context) -> Result<String, Error> {
    guarded(|| page(rule, context))?
}

fn page(rule: &str, context: &Context) -> Result<String, Error> {
    let house = context.configuration().house_rules().iter().map(HouseRule::rule);
    let known: Vec<RuleRef> = rules::all().map(RuleRef::from).chain(house).collect();
    let hint = "the `rule` of a finding is the id of one";
    rules::find_among(rule, &known, hint).map(|found| pages::rule(found)).map_err(Error::new)
}
