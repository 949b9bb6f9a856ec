//! Places in a template.

/// A range of a template's text: byte offsets, `start` included, `end` not.
///
/// Every span that this crate makes starts and ends between characters of the text it was made from.
///
/// ```
/// use voxlint_template::Span;
///
/// let span = Span { start: 3, end: 11 };
/// assert_eq!(span.of("Hi {{name}}!"), "{{name}}");
/// assert_eq!(span.len(), 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The byte offset of the first character.
    pub start: u32,
    /// The byte offset just after the last character.
    pub end: u32,
}

impl Span {
    /// The text this span covers, or nothing where `text` is not the text it was made from.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
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
    /// use voxlint_template::Span;
    ///
    /// let outer = Span { start: 3, end: 11 };
    /// assert!(outer.contains(Span { start: 5, end: 9 }));
    /// assert!(!outer.contains(Span { start: 9, end: 12 }));
    /// ```
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }
}
