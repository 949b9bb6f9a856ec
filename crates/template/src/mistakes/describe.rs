//! Describes errors: asks the families and verifies the correction they suggest.

use super::{
    arguments, block_params, blocks, braces, comments,
    description::{Correction, Description, Draft, SuggestedFix},
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::ErrorSite,
    operators, paths, prose, quotes, signs, verify,
};
use crate::parsed::{ParsedTemplate, parse};

/// The longest corrected text in a help line, in characters.
const MAX_SHOWN: usize = 60;

/// Every family. Each describes its own kinds of errors.
const FAMILIES: [fn(&ErrorSite<'_>) -> Option<Draft>; 11] = [
    paths::describe_time_variable,
    braces::describe,
    comments::describe,
    blocks::describe,
    block_params::describe,
    arguments::describe,
    paths::describe,
    quotes::describe,
    operators::describe,
    signs::describe,
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
        self.describe_with(text, parse)
    }

    /// Describes the error. `parse` is called at most once, with the corrected text.
    pub(super) fn describe_with(
        &self,
        text: &str,
        parse: impl FnOnce(&str) -> ParsedTemplate,
    ) -> Description {
        let site = ErrorSite::new(self, text);
        // Every kind has a family; a test ensures it.
        let draft = FAMILIES.iter().find_map(|describe| describe(&site));
        let Draft { message, label, help, fix } =
            draft.unwrap_or_else(|| Draft::new(self.kind.name(), "", ""));
        let fix = fix.filter(|SuggestedFix { correction, .. }| {
            correction.text != correction.span.of(text)
                && verify::fixes_cleanly(correction, text, parse)
        });
        match fix {
            None => Description { message, label, help, correction: None },
            Some(fix) => Description {
                message,
                label,
                help: if is_short(&fix.correction.text) { fix.help } else { help },
                correction: Some(fix.correction)
                    .filter(|correction| self.is_safe(correction, text)),
            },
        }
    }

    /// Whether a correction keeps the content of the text and does not make it a comment.
    fn is_safe(&self, correction: &Correction, text: &str) -> bool {
        let Correction { span, text: corrected } = correction;
        let makes_comment = self.kind != Kind::ForeignComment
            && ["{{!", "{{~!"].iter().any(|opener| corrected.contains(opener));
        // The name in a closing tag only repeats that of its block.
        let is_closing = matches!(self.kind, Kind::CloseMismatch | Kind::CloseArguments);
        !makes_comment && (is_closing || verify::keeps_content(span.of(text), corrected))
    }
}

/// Whether a corrected text fits in a help line.
fn is_short(text: &str) -> bool {
    text.chars().count() <= MAX_SHOWN && !text.contains(char::is_control)
}
