//! The public type of template errors.

use crate::parse::span::TemplateSpan;

/// The first error of a template.
///
/// ```
/// use voxlint_template::{Stage, TemplateErrorKind, parse};
///
/// let text = "{{#if vip}}Thank you{{/unless}}";
/// let error = parse(text).error.unwrap();
/// assert_eq!(error.kind, TemplateErrorKind::CloseMismatch);
/// assert_eq!(error.span.of(text), "{{/unless}}");
/// assert_eq!(error.related.unwrap().0.of(text), "{{#if vip}}");
/// assert_eq!(error.stage, Stage::BlockName);
/// assert_eq!(error.describe(text).message, "`{{/unless}}` does not match the open block `{{#if vip}}`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The kind of error.
    pub kind: TemplateErrorKind,
    /// The characters to mark.
    pub span: TemplateSpan,
    /// A second place to mark, such as the opening tag of a block, and its label.
    pub related: Option<(TemplateSpan, &'static str)>,
    /// The tag that contains the error, up to its actual or probable end.
    pub tag: TemplateSpan,
    /// The stage of the reference that rejects the template.
    pub stage: Stage,
    pub(crate) offset: u32,
    /// Whether the closing tag matches a block outside the open one.
    pub(crate) closes_outer_block: bool,
}

/// A stage of the reference implementation that can reject a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The lexer: no token starts with a character.
    Lexer,
    /// The grammar: a token is not allowed in its place.
    Grammar,
    /// The check of closing tags: the name is that of another block.
    BlockName,
    /// The check of paths: `this`, `.` or `..` follows a name.
    Path,
    /// The check of decorator blocks: they cannot contain `{{else}}`.
    Decorator,
    /// Block parameters of which the first and the last are in brackets make the parser throw.
    BlockParams,
    /// `precompile`: a partial has two positional arguments.
    Precompile,
}

impl TemplateError {
    pub(crate) fn new(
        kind: TemplateErrorKind,
        span: TemplateSpan,
        tag: TemplateSpan,
        stage: Stage,
    ) -> Self {
        Self {
            kind,
            span,
            related: None,
            tag,
            stage,
            offset: span.start,
            closes_outer_block: false,
        }
    }

    /// The byte offset at which the reference stops. `None` if it reports no offset, which is so for every stage but
    /// [`Stage::Lexer`] and [`Stage::Grammar`].
    ///
    /// It often differs from `span.start`: the reference stops at the first token that it cannot use, which for an
    /// unclosed block is the end of the text.
    pub fn reference_offset(&self) -> Option<u32> {
        matches!(self.stage, Stage::Lexer | Stage::Grammar).then_some(self.offset)
    }

    pub(crate) fn related(mut self, span: TemplateSpan, label: &'static str) -> Self {
        self.related = Some((span, label));
        self
    }

    pub(crate) fn in_tag(mut self, tag: TemplateSpan) -> Self {
        self.tag = tag;
        self
    }
}

/// The kind of a template error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TemplateErrorKind {
    /// `{{name` without `}}` before the next mustache or the end of the text.
    UnclosedMustache,
    /// `{{name}`: closed with one brace.
    OneBrace,
    /// `{{{name}}`: opened with three braces, closed with two.
    TwoBraces,
    /// `{{name}}}`: an extra brace, or one that belongs to JSON around the mustache.
    ExtraBrace,
    /// `{{{{name}}`: four braces, which open a raw block.
    FourBraces,
    /// `{{#if {{name}}}}`: a mustache inside a mustache.
    NestedMustache,
    /// `{{ {name} }}`: a single brace inside a mustache.
    BraceInside,
    /// `{{"key":"value"}}`: JSON whose braces were doubled for another template language.
    DoubledJson,
    /// `{{}}`.
    Empty,

    /// `{{!-- note` without `--}}`, or `{{! note` without `}}`.
    UnclosedComment,

    /// `{{#if x}}` without `{{/if}}`, or `{{{{raw}}}}` without `{{{{/raw}}}}`.
    UnclosedBlock,
    /// `{{/if}}` without a block to close.
    StrayClose,
    /// `{{#if x}} … {{/each}}`.
    CloseMismatch,
    /// `{{else}}` outside any block.
    StrayElse,
    /// `{{else}}` or `{{else if x}}` after the `{{else}}` of the same block.
    SecondElse,
    /// `{{#else}}`, which opens a block named `else`.
    HashElse,

    /// `{{ /if }}`, `{{ #if x }}`: white space between the braces and `/` or `#`.
    SpaceBeforeSign,

    /// `{{x | default: "y"}}`: Liquid and Jinja filters.
    Filter,
    /// `{{#if a == b}}`, `{{price / 2}}`: an operator.
    Operator,
    /// `{{items[0]}}`.
    Index,
    /// `{{items.0}}`, `{{a.true}}`: a number or a keyword as the last segment of a path.
    LiteralSegment,
    /// `{{f(x)}}`.
    CallSyntax,
    /// `{{name.upper()}}`.
    MethodCall,
    /// `{{name=1}}`, `{{f key=}}`, `{{f key=1 x}}`: a named argument in the wrong place, or not a name and a value.
    NamedArgument,
    /// `{{.name}}`.
    LeadingDot,
    /// `{{a/}}`, `{{@}}`, `say "{{"`: a separator, `@` or braces without a name after it.
    MissingName,

    /// `{{customer name, if known}}`, `{{$5.00}}`: prose or a number.
    Prose,
    /// `{{name, x}}`.
    Comma,
    /// `{{customer's}}`.
    Apostrophe,
    /// Curly quotes instead of straight ones.
    SmartQuotes,
    /// `{{time_<ZONE>}}`, `{{name <br/>}}`: a placeholder that was never filled in, or HTML.
    Placeholder,
    /// `{{first\_name}}`, `{{f \"x\"}}`: a backslash, as Markdown and JSON need it.
    Backslash,
    /// A quote without its closing quote, a `[` without its `]`, or a `(` without its `)`.
    Unclosed,

    /// Any other character that is not allowed in its place.
    UnexpectedCharacter,
}
