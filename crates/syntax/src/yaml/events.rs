//! Wraps the YAML library. No other file uses it, so that it can be replaced.

use std::borrow::Cow;

use granit_parser::{ErrorKind, Event as Raw, Parser, ScalarStyle, StrInput};

use crate::Span;
use crate::tree::Tag;

/// An event of the parser.
#[derive(Debug)]
pub(super) enum Event<'m> {
    /// The start of a document.
    Begin {
        /// Whether it begins with `---`.
        explicit: bool,
    },
    /// The end of the document.
    End,
    /// The start of an object or an array.
    Open { tag: Tag, anchor: usize },
    /// Its end.
    Close,
    /// A scalar, as the library decodes it.
    Scalar { value: Cow<'m, str>, style: Style, anchor: usize },
    /// An alias, with the number of its anchor.
    Alias(usize),
    /// An alias without an anchor.
    UnknownAlias,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// An event and its span.
#[derive(Debug)]
pub(super) struct SpannedEvent<'m> {
    pub(super) event: Event<'m>,
    pub(super) span: Span,
    /// Its column: the number of characters before it on its line.
    pub(super) column: usize,
    /// The tag before the value, and its span.
    pub(super) tag_before: Option<(YamlTag, Span)>,
}

/// A tag of the core schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum YamlTag {
    String,
    Int,
    Float,
    Bool,
    Null,
    Object,
    Array,
    /// Any other tag.
    Other,
}

/// Why the library stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureKind {
    /// A tab in place of spaces.
    Tab,
    /// Inconsistent indentation.
    Indentation,
    /// An unclosed quote.
    OpenQuote,
    /// Text after a closing quote.
    AfterQuote,
    /// An invalid escape.
    Escape,
    /// A bracket that is not closed, or by one of another kind.
    OpenBracket,
    /// A bracket that closes nothing.
    StrayBracket,
    /// A missing comma inside brackets.
    Separator,
    /// A block item inside brackets.
    Entry,
    /// A colon where no key is allowed.
    Colon,
    /// A line without the colon of a key.
    NoColon,
    /// A character that is not allowed here.
    Character(char),
    /// Text after the end of a document.
    AfterEnd,
    /// Anything else.
    Other,
}

/// The place where the library stopped, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParseFailure {
    pub(super) kind: FailureKind,
    pub(super) at: u32,
}

/// The events of a text, from an offset on.
pub(super) struct Events<'m> {
    parser: Parser<'m, StrInput<'m>>,
    base: u32,
    length: u32,
}

impl<'m> Events<'m> {
    /// Starts parsing `text` at the byte offset of a document.
    pub(super) fn new(text: &'m str, from: u32) -> Self {
        let options = granit_parser::options! {
            strict_indentation: true,
            emit_unresolved_aliases: true,
            // The library does not recurse. `compose` limits the depth of trees.
            flow_nesting_limit: usize::MAX,
            block_nesting_limit: usize::MAX,
        };
        let rest = text.get(from as usize..).unwrap_or_default();
        let parser = Parser::new_from_str_with_options(rest, options);
        Self { parser, base: from, length: text.len() as u32 }
    }

    /// The next event; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<Result<SpannedEvent<'m>, ParseFailure>> {
        loop {
            let (raw, span) = match self.parser.next_event()? {
                Ok(next) => next,
                Err(error) => {
                    let at = self.offset(error.marker().byte_offset());
                    return Some(Err(ParseFailure { kind: failure_kind(error.kind()), at }));
                }
            };
            let tag_before = raw.tag().map(|tag| {
                let place = span.tag_span().map_or(Span::default(), |span| self.span(&span));
                (yaml_tag(tag), place)
            });
            let event = match raw {
                Raw::StreamEnd => return None,
                Raw::DocumentStart(explicit, _) => Event::Begin { explicit },
                Raw::DocumentEnd => Event::End,
                Raw::Alias(anchor) => Event::Alias(anchor),
                Raw::UnresolvedAlias(_) => Event::UnknownAlias,
                Raw::Scalar(value, style, anchor, _) => {
                    Event::Scalar { value, style: style_of(style), anchor }
                }
                Raw::SequenceStart(_, anchor, _) => Event::Open { tag: Tag::Array, anchor },
                Raw::MappingStart(_, anchor, _) => Event::Open { tag: Tag::Object, anchor },
                Raw::SequenceEnd | Raw::MappingEnd => Event::Close,
                // The start of the text, and events of newer versions.
                _ => continue,
            };
            let column = span.start.col();
            return Some(Ok(SpannedEvent { event, span: self.span(&span), column, tag_before }));
        }
    }

    fn span(&self, span: &granit_parser::Span) -> Span {
        let start = self.offset(span.start.byte_offset());
        Span::new(start, self.offset(span.end.byte_offset()).max(start))
    }

    fn offset(&self, offset: Option<usize>) -> u32 {
        offset.map_or(self.length, |at| self.base + at as u32).min(self.length)
    }
}

const fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn yaml_tag(tag: &granit_parser::Tag) -> YamlTag {
    // `!` alone makes the value text.
    if tag.original() == "!" {
        return YamlTag::String;
    }
    match tag.core_suffix() {
        Some("str") => YamlTag::String,
        Some("int") => YamlTag::Int,
        Some("float") => YamlTag::Float,
        Some("bool") => YamlTag::Bool,
        Some("null") => YamlTag::Null,
        Some("map") => YamlTag::Object,
        Some("seq") => YamlTag::Array,
        _ => YamlTag::Other,
    }
}

const fn failure_kind(kind: &ErrorKind) -> FailureKind {
    use ErrorKind as Kind;
    match kind {
        Kind::TabNotAllowed
        | Kind::TabInBlockIndentation
        | Kind::TabInIndentation
        | Kind::TabAtBlockScalarStart
        | Kind::TabInPlainScalar => FailureKind::Tab,
        Kind::InvalidIndentation
        | Kind::InvalidFlowScalarIndent
        | Kind::InvalidBlockScalarIndent
        | Kind::ExpectedBlockMappingKey
        | Kind::ExpectedBlockSequenceEntry => FailureKind::Indentation,
        Kind::UnclosedQuotedScalar
        | Kind::InvalidQuotedScalarIndent
        | Kind::DocumentIndicatorInQuotedScalar => FailureKind::OpenQuote,
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => {
            FailureKind::AfterQuote
        }
        Kind::UnknownQuotedScalarEscape
        | Kind::InvalidQuotedScalarHexEscape
        | Kind::InvalidLowSurrogateHexEscape
        | Kind::InvalidLowSurrogate
        | Kind::MissingLowSurrogate
        | Kind::UnpairedLowSurrogate
        | Kind::InvalidUnicodeEscape => FailureKind::Escape,
        Kind::UnclosedFlowCollection { .. }
        | Kind::MismatchedFlowCollectionEnd { .. }
        | Kind::UnexpectedEofFlowSequence
        | Kind::UnexpectedEofFlowMapping
        | Kind::UnexpectedEofImplicitFlowMapping => FailureKind::OpenBracket,
        Kind::MisplacedFlowCollectionEnd => FailureKind::StrayBracket,
        Kind::ExpectedFlowMappingSeparator | Kind::ExpectedFlowSequenceSeparator => {
            FailureKind::Separator
        }
        Kind::BlockEntryInFlowCollection => FailureKind::Entry,
        Kind::MappingValueNotAllowed => FailureKind::Colon,
        Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => FailureKind::NoColon,
        Kind::UnexpectedCharacter { character } => FailureKind::Character(*character),
        Kind::BomInsideDocument => FailureKind::Character('\u{feff}'),
        Kind::ExpectedDocumentStart | Kind::InvalidDocumentEnd => FailureKind::AfterEnd,
        _ => FailureKind::Other,
    }
}
