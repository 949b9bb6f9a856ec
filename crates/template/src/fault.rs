//! Faults: what is wrong, and where.

use crate::{
    correct::{Correction, correct},
    help, message,
    span::Span,
};

pub use crate::kind::FaultKind;

/// The first fault of a template.
///
/// ```
/// use voxlint_template::{FaultKind, Refusal, parse};
///
/// let text = "{{#if vip}}Thank you{{/unless}}";
/// let fault = parse(text).fault.unwrap();
/// assert_eq!(fault.kind, FaultKind::CloseMismatch);
/// assert_eq!(fault.span.of(text), "{{/unless}}");
/// assert_eq!(fault.related.unwrap().0.of(text), "{{#if vip}}");
/// assert_eq!(fault.message(text), "`{{/unless}}` does not match the open block `{{#if vip}}`");
/// assert_eq!(fault.refusal, Refusal::Name);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The class of the fault.
    pub kind: FaultKind,
    /// The offending characters, as byte offsets into the template's text.
    pub span: Span,
    /// Another place that belongs to the fault, such as the opening tag of a wrongly closed block, and a few words
    /// to stand beside it.
    pub related: Option<(Span, &'static str)>,
    /// The tag the fault is in, from its opening braces to where it ends or probably was to end.
    pub tag: Span,
    /// Which step of the reference refuses the template.
    pub refusal: Refusal,
    pub(crate) offset: u32,
    /// Whether a block around the open one has the name of the closing tag.
    pub(crate) names_outer: bool,
}

/// Which step of the reference refuses a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The lexer: a character no token begins with.
    Lexical,
    /// The grammar: a token that does not fit.
    Grammar,
    /// A closing tag that names another block.
    Name,
    /// A path with `this`, `.` or `..` after a name.
    Path,
    /// `{{else}}` in a decorator block.
    Decorator,
    /// Block parameters of which the first and the last are in brackets: the reference falls over them.
    BlockParams,
    /// `precompile`: a partial with two positional arguments.
    Precompile,
}

impl Fault {
    /// One line that says what is wrong: lower case, no full stop.
    ///
    /// `text` is the template the fault was found in; of its content, excerpts of at most 40 characters are shown.
    pub fn message(&self, text: &str) -> String {
        message::message(self, text)
    }

    /// A few words for the offending characters.
    pub fn label(&self) -> &'static str {
        message::label(self)
    }

    /// What to do about it, with the corrected text where the intent is clear.
    pub fn help(&self, text: &str) -> Option<String> {
        help::help(self, text)
    }

    /// The change that mends the fault, where the intent is clear. The corrected text has no fault at or
    /// right behind that place, and needs no helpers of its own.
    ///
    /// It changes punctuation, spaces and braces, and the name in a closing tag: whatever else the author wrote is still
    /// there, and nothing that callers would hear has become a comment. Where that is not possible, the help says what to
    /// write and no correction is offered.
    ///
    /// ```
    /// use voxlint_template::parse;
    ///
    /// let text = "Your {{items[0]}}";
    /// let correction = parse(text).fault.unwrap().correction(text).unwrap();
    /// assert_eq!(correction.span.of(text), "{{items[0]}}");
    /// assert_eq!(correction.text, "{{items.[0]}}");
    /// ```
    pub fn correction(&self, text: &str) -> Option<Correction> {
        correct(self, text)
    }

    /// Where the reference stops, as a byte offset; `None` where it names no offset ([`Refusal::Name`] and after).
    ///
    /// It often differs from `span.start`: the reference stops at the token it cannot use, which for an unclosed
    /// block is the end of the text.
    pub fn reference_offset(&self) -> Option<u32> {
        matches!(self.refusal, Refusal::Lexical | Refusal::Grammar).then_some(self.offset)
    }

    pub(crate) fn surplus_argument(argument: Span, tag: Span) -> Self {
        Self {
            kind: FaultKind::PartialArguments,
            span: argument,
            related: None,
            tag,
            refusal: Refusal::Precompile,
            offset: argument.start,
            names_outer: false,
        }
    }
}
