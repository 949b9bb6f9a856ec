//! Fixes applied to the examples of a rule's page.

use voxlint_model::{Origin, Rule, Safety};
use voxlint_syntax::edit;

use super::page_examples::{self, PageExample};

/// An example of a page before and after one of the rule's fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixExample {
    /// The safety of the fix.
    pub safety: Safety,
    /// The format of the example, as the page names it: `json`.
    pub language: &'static str,
    /// The example.
    pub before: String,
    /// The example after the fix.
    pub after: String,
}

/// For each safety that the fixes of a rule may have, the first example of its page with such a fix.
///
/// ```
/// use voxlint::docs::fix_examples;
///
/// let rule = voxlint::rules::find("boosted-keyword-listed-twice").expect("a rule");
/// let examples = fix_examples::of(rule);
/// assert!(examples[0].before.contains("KYC, premium plan, KYC"));
/// assert!(examples[0].after.contains("KYC, premium plan\""));
/// ```
pub fn of(rule: &Rule) -> Vec<FixExample> {
    let offered = rule.fix.map_or(&[][..], |fix| fix.safety);
    let page = rule.page();
    let mut examples: Vec<FixExample> = Vec::new();
    for example in page_examples::of(rule, &page) {
        let PageExample { language, verdict, text, found, .. } = example;
        if !["reject", "possible", "advice"].contains(&verdict) {
            continue;
        }
        for fix in found.iter().flat_map(|found| &found.fixes) {
            let is_shown = examples.iter().any(|shown| shown.safety == fix.safety);
            let is_here = fix.origin == Origin::Document;
            if !is_here || !offered.contains(&fix.safety) || is_shown {
                continue;
            }
            let before = text.to_owned();
            let Some(after) = edit::apply(text, &fix.edits) else { continue };
            let after = String::from_utf8_lossy(&after).into_owned();
            examples.push(FixExample { safety: fix.safety, language, before, after });
        }
    }
    examples.sort_by_key(|example| offered.iter().position(|safety| *safety == example.safety));
    examples
}
