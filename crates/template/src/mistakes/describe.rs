//! Describes errors: asks the families and verifies the correction they suggest.

use super::{
    arguments, blocks, braces,
    description::{Description, Draft, SuggestedFix},
    error::TemplateError,
    error_site::ErrorSite,
    operators, paths, prose, quotes, verify,
};
use crate::parsed::parse;

/// Every family. Each describes its own kinds of errors.
const FAMILIES: [fn(&ErrorSite<'_>) -> Option<Draft>; 8] = [
    paths::describe_time_variable,
    braces::describe,
    blocks::describe,
    arguments::describe,
    paths::describe,
    quotes::describe,
    operators::describe,
    prose::describe,
];

impl TemplateError {
    /// Describes the error for the author of the template.
    ///
    /// `text` is the template, or a copy of the same length in which secrets are masked. Messages quote at most 40
    /// characters of it in one place.
    ///
    /// ```
    /// use voxlint_template::parse;
    ///
    /// let text = "Your {{items[0]}}";
    /// let description = parse(text).error.unwrap().describe(text);
    /// assert_eq!(description.message, "an index in brackets needs a dot before it");
    /// assert_eq!(description.label, "missing dot");
    /// assert_eq!(description.help, "put a dot before the brackets: `{{items.[0]}}`");
    /// let correction = description.correction.unwrap();
    /// assert_eq!(correction.span.of(text), "{{items[0]}}");
    /// assert_eq!(correction.text, "{{items.[0]}}");
    /// ```
    pub fn describe(&self, text: &str) -> Description {
        let draft = self.draft(text);
        let is_fixed = draft.fix.as_ref().is_some_and(|SuggestedFix { correction, .. }| {
            let mut corrected = text.to_owned();
            corrected.replace_range(correction.span.range(), &correction.text);
            verify::is_fixed(correction, &corrected, &parse(&corrected))
        });
        draft.finish(is_fixed)
    }

    /// The description with a fix that may correct the error.
    pub(super) fn draft(&self, text: &str) -> Draft {
        let site = ErrorSite::new(self, text);
        // Every kind has a family; a test ensures it.
        let draft = FAMILIES.iter().find_map(|describe| describe(&site));
        let mut draft = draft.unwrap_or_else(|| Draft::new("not valid", "", ""));
        draft.fix = draft.fix.filter(|SuggestedFix { correction, .. }| {
            correction.text != correction.span.of(text) && verify::may_fix(correction, text)
        });
        draft
    }
}
