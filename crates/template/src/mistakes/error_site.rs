//! An error with the text it refers to, split into the parts that messages quote and corrections change.

use super::{description::Correction, error::TemplateError};
use crate::parse::span::TemplateSpan;

/// The maximum length of a corrected tag, in bytes.
const MAX_TAG: u32 = 240;

/// An error with the text it refers to.
#[derive(Clone, Copy)]
pub(super) struct ErrorSite<'t> {
    pub(super) error: &'t TemplateError,
    pub(super) text: &'t str,
    pub(super) tag: &'t str,
    /// The characters that are wrong.
    pub(super) wrong: &'t str,
    pub(super) related: &'t str,
}

impl<'t> ErrorSite<'t> {
    pub(super) fn new(error: &'t TemplateError, text: &'t str) -> Self {
        let related = error.related.map(|(span, _)| span.of(text)).unwrap_or_default();
        Self { error, text, tag: error.tag.of(text), wrong: error.span.of(text), related }
    }

    /// The tag up to the end of the wrong characters.
    pub(super) fn tag_to_error(&self) -> &'t str {
        TemplateSpan { start: self.error.tag.start, end: self.error.span.end }.of(self.text)
    }

    /// The text after the wrong characters.
    pub(super) fn after_error(&self) -> &'t str {
        self.text.get(self.error.span.end as usize..).unwrap_or_default()
    }

    /// The span of the tag.
    pub(super) fn extent(&self) -> TemplateSpan {
        let TemplateError { span, tag, .. } = *self.error;
        TemplateSpan { start: tag.start.min(span.start), end: tag.end.max(span.end) }
    }

    /// Corrects the tag.
    pub(super) fn correct(
        &self,
        edit: impl FnOnce(&TagParts<'t>) -> Option<String>,
    ) -> Option<Correction> {
        self.correct_in(self.extent(), edit)
    }

    /// Corrects the characters of `extent`, which contains the wrong ones.
    pub(super) fn correct_in(
        &self,
        extent: TemplateSpan,
        edit: impl FnOnce(&TagParts<'t>) -> Option<String>,
    ) -> Option<Correction> {
        if extent.len() > MAX_TAG || extent.is_empty() {
            return None;
        }
        let part = |start, end| self.text.get(start as usize..end as usize);
        let parts = TagParts {
            tag: extent.of(self.text),
            before: part(extent.start, self.error.span.start)?,
            wrong: self.wrong,
            after: part(self.error.span.end, extent.end)?,
            preceding: self.text.get(..extent.start as usize)?,
            following: self.text.get(extent.end as usize..)?,
        };
        Some(Correction { span: extent, text: edit(&parts)? })
    }
}

/// A tag split at the wrong characters.
pub(super) struct TagParts<'t> {
    pub(super) tag: &'t str,
    pub(super) before: &'t str,
    pub(super) wrong: &'t str,
    pub(super) after: &'t str,
    /// The text before and after the tag.
    pub(super) preceding: &'t str,
    pub(super) following: &'t str,
}

impl TagParts<'_> {
    /// The tag without the wrong characters.
    pub(super) fn without_error(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// `content` closed like the tag, with a space before the braces if the tag starts with one.
    pub(super) fn closed(&self, content: &str) -> String {
        let inner = self.tag.trim_start_matches(['{', '~']);
        let space = if inner.starts_with(' ') && !inner.trim().is_empty() { " " } else { "" };
        format!("{}{space}{}", content.trim_end(), self.closing_braces())
    }

    /// The closing braces that match the opening ones.
    pub(super) fn closing_braces(&self) -> &'static str {
        if self.tag.starts_with("{{{") || self.tag.starts_with("{{~{") {
            if self.tag.ends_with("}~}}") { "}~}}" } else { "}}}" }
        } else if self.tag.ends_with("~}}") {
            "~}}"
        } else {
            "}}"
        }
    }
}
