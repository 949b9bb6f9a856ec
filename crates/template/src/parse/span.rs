//! Byte ranges of a template.

use std::ops::Range;

/// A range of a template's text in bytes: `start` is included, `end` is not.
///
/// The text is the decoded template, not the file that contains it, so these offsets are not those of a file. Every
/// span made by this crate starts and ends on a character boundary.
///
/// ```
/// use voxlint_template::TemplateSpan;
///
/// let span = TemplateSpan { start: 3, end: 11 };
/// assert_eq!(span.of("Hi {{name}}!"), "{{name}}");
/// assert_eq!(span.len(), 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TemplateSpan {
    /// The byte offset of the first character.
    pub start: u32,
    /// The byte offset just after the last character.
    pub end: u32,
}

impl TemplateSpan {
    /// The text this span covers. Empty if the span is out of range or cuts a character of `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// The span as a range, for slicing and replacing text.
    ///
    /// ```
    /// use voxlint_template::parse;
    ///
    /// let mut text = "Hi {{name}!".to_owned();
    /// let correction = parse(&text).error.unwrap().describe(&text).correction.unwrap();
    /// text.replace_range(correction.span.range(), &correction.text);
    /// assert_eq!(text, "Hi {{name}}!");
    /// ```
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The length in bytes.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span covers no character.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether `other` lies within this span.
    ///
    /// ```
    /// use voxlint_template::TemplateSpan;
    ///
    /// let outer = TemplateSpan { start: 3, end: 11 };
    /// assert!(outer.contains(TemplateSpan { start: 5, end: 9 }));
    /// assert!(!outer.contains(TemplateSpan { start: 9, end: 12 }));
    /// ```
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }
}
