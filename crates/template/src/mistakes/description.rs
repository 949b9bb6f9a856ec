//! Descriptions of errors, and the drafts from which they are made.

use crate::parse::span::TemplateSpan;

/// The longest corrected text in a help line, in characters.
const MAX_SHOWN: usize = 60;

/// What to show to the author of a template with an error. See [`describe`](crate::TemplateError::describe).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// What is wrong, in one line that starts in lower case and has no full stop.
    pub message: String,
    /// A few words for the marked characters.
    pub label: &'static str,
    /// How to fix it, in one line.
    pub help: String,
    /// An edit that fixes the error, if the author's intention is clear.
    ///
    /// It changes only punctuation, spaces, braces and the name in a closing tag. All other content is kept, and content
    /// that callers would hear does not become a comment. The corrected text has no error at or directly after that
    /// place and calls only built-in helpers.
    pub correction: Option<Correction>,
}

/// An edit that fixes an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The characters to replace.
    pub span: TemplateSpan,
    /// The text to replace them with.
    pub text: String,
}

/// The description that a family suggests. Its fix is not verified.
pub(super) struct Draft {
    pub(super) message: String,
    pub(super) label: &'static str,
    /// The help without a fix.
    pub(super) help: String,
    pub(super) fix: Option<SuggestedFix>,
}

/// A correction and the help that goes with it.
pub(super) struct SuggestedFix {
    pub(super) correction: Correction,
    pub(super) help: String,
}

impl Draft {
    pub(super) fn new(
        message: impl Into<String>,
        label: &'static str,
        help: impl Into<String>,
    ) -> Self {
        Self { message: message.into(), label, help: help.into(), fix: None }
    }

    /// Adds a correction. The help is followed by the corrected text.
    pub(super) fn fix(self, correction: Option<Correction>) -> Self {
        let advice = self.help.clone();
        self.fix_as(&advice, correction)
    }

    /// Adds a correction with help of its own, followed by the corrected text.
    pub(super) fn fix_as(self, advice: &str, correction: Option<Correction>) -> Self {
        self.fix_with(correction, |text| format!("{advice}: `{text}`"))
    }

    /// Adds a correction with help made from the corrected text.
    pub(super) fn fix_with(
        mut self,
        correction: Option<Correction>,
        help: impl FnOnce(&str) -> String,
    ) -> Self {
        self.fix =
            correction.map(|correction| SuggestedFix { help: help(&correction.text), correction });
        self
    }

    /// The description, once it is known whether the fix corrects the error.
    pub(super) fn finish(self, is_fixed: bool) -> Description {
        let Self { message, label, help, fix } = self;
        match fix.filter(|_| is_fixed) {
            None => Description { message, label, help, correction: None },
            Some(fix) => Description {
                message,
                label,
                help: if is_short(&fix.correction.text) { fix.help } else { help },
                correction: Some(fix.correction),
            },
        }
    }
}

/// Whether a corrected text fits in a help line.
fn is_short(text: &str) -> bool {
    text.chars().count() <= MAX_SHOWN && !text.contains(char::is_control)
}
