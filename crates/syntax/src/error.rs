use crate::Span;
use crate::description::CURLY;

/// The maximum number of errors listed for a text. One more error then gives the number of the others.
pub const MAX_ERRORS: usize = 100;

/// The maximum length in bytes of a line in a file with one document per line. A longer line is an error and is not parsed, so
/// that a file of any size needs little memory.
pub const MAX_LINE: usize = 16 << 20;

/// A syntax error.
///
/// ```
/// use voxlint_syntax::{Format, SyntaxErrorKind, parse};
///
/// let text = "{ \"on\": True }";
/// let error = &parse(text, Format::Json).errors[0];
/// assert_eq!(error.kind, SyntaxErrorKind::NotALiteral);
/// assert_eq!(error.span.slice(text), "True");
/// assert_eq!(error.message(text), "`True` is not a valid value in JSON");
/// assert_eq!(error.help(text).as_deref(), Some("write `true`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxError {
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// The characters to mark; empty if something is missing.
    pub span: Span,
    /// A second place, such as the bracket that is never closed.
    pub related: Option<Span>,
    /// The number of further errors of the same kind that are not listed.
    pub more: u32,
}

impl SyntaxError {
    pub(crate) const fn new(kind: SyntaxErrorKind, span: Span) -> Self {
        Self { kind, span, related: None, more: 0 }
    }

    /// The error for a line of more than [`MAX_LINE`] bytes.
    pub const fn of_long_line() -> Self {
        Self::new(SyntaxErrorKind::LineTooLong, Span::at(0))
    }

    pub(crate) const fn related(self, span: Span) -> Self {
        Self { related: Some(span), ..self }
    }
}

/// What can be wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// Invalid UTF-8.
    InvalidUtf8,
    /// The file is in UTF-16 or UTF-32.
    Utf16,
    /// The file has 4 GiB or more.
    TooLarge,
    /// A line of a file with one document per line is too long.
    LineTooLong,
    /// The file begins with a byte order mark, which parsers may reject or ignore.
    ByteOrderMark,
    /// There is no value.
    Empty,
    /// A container is never closed.
    Unclosed,
    /// The document begins with a key: the brace before it is missing.
    Unopened,
    /// A string is never closed.
    UnclosedString,
    /// An unescaped quote inside a string.
    QuoteInString,
    /// An unescaped control character inside a string.
    ControlCharacter,
    /// An invalid escape in JSON.
    InvalidEscape,
    /// An unpaired surrogate. The grammar allows it, and parsers differ.
    LoneSurrogate,
    /// A comment in a format without comments.
    Comment,
    /// A comment with `#` in JSONC.
    HashComment,
    /// An unclosed comment in JSONC.
    UnclosedComment,
    /// A comma before a closing bracket.
    TrailingComma,
    /// Two values without a comma between them.
    MissingComma,
    /// A comma in place of a value or a key.
    ExtraComma,
    /// Something else in place of a comma.
    NotAComma,
    /// No colon between a key and its value.
    MissingColon,
    /// Something else in place of a colon.
    NotAColon,
    /// A key without a value.
    MissingValue,
    /// A value without a key.
    MissingKey,
    /// A key without quotes.
    KeyNotQuoted,
    /// A string in single quotes.
    SingleQuotes,
    /// A bracket that is closed by one of another kind.
    MismatchedBracket,
    /// A closing bracket without an opening one.
    StrayClose,
    /// Text without quotes that is not `true`, `false` or `null`.
    NotALiteral,
    /// An invalid number.
    InvalidNumber,
    /// Containers are nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH). The grammar sets no limit.
    TooDeep,
    /// TOML brackets are nested deeper than [`MAX_BRACKETS`](crate::MAX_BRACKETS). The grammar sets no limit.
    BracketsTooDeep,
    /// Text after the end of the document.
    TrailingText,
    /// Unexpected characters.
    Unexpected,
    /// A key that is given twice in one TOML table.
    DuplicateKey,
    /// A TOML key extends a value that is not a table, or a table that is complete.
    NotATable,
    /// A TOML date or time, which JSON does not have.
    DateTime,
    /// An invalid TOML value without quotes.
    TomlValue,
    /// An invalid escape in TOML.
    TomlEscape,
    /// A TOML key that needs quotes or is missing.
    TomlKey,
    /// No equals sign between a TOML key and its value.
    MissingEquals,
    /// A TOML table header that is never closed.
    UnclosedHeader,
    /// Something after a TOML value or header on its line.
    SecondEntry,
    /// A tab that indents a YAML line.
    TabIndentation,
    /// Inconsistent indentation in YAML.
    Indentation,
    /// A colon in a YAML value without quotes.
    NameInValue,
    /// An invalid escape in YAML.
    UnknownEscape,
    /// A YAML alias without an anchor before it, or inside the value of its anchor.
    UnknownAlias,
    /// YAML aliases expand to too many values.
    TooManyNodes,
    /// A YAML tag outside the core schema.
    UnknownTag,
    /// A YAML tag that does not match its value.
    TagMismatch,
    /// A YAML key that is not text.
    NameNotText,
    /// A number that JSON cannot represent, such as infinity.
    NotFinite,
    /// A YAML merge key whose value is not a mapping.
    MergeNotObject,
    /// Text that YAML does not allow in its place.
    NotYaml,
    /// No space after a colon in YAML.
    MissingSpace,
    /// A line of a YAML block scalar that is not indented.
    UnindentedText,
    /// YAML text without quotes that begins with `{{`, `[`, `{` or `*`.
    UnquotedTemplate,
    /// Text after a quoted YAML value.
    TextAfterQuote,
    /// Curly quotes in place of straight ones.
    CurlyQuotes,
    /// Syntax that needs TOML 1.1. The text is parsed.
    Toml11,
    /// A number with a decimal comma.
    DecimalComma,
    /// A merge conflict marker.
    ConflictMarker,
    /// There are more errors than are listed.
    TooManyErrors,
}

/// Merges all errors about curly quotes into one.
pub(crate) fn fold_curly_quotes(text: &str, errors: &mut Vec<SyntaxError>) {
    use SyntaxErrorKind as Kind;
    let mut is_first = true;
    let mut is_moved = false;
    let mut more = 0;
    errors.retain_mut(|error| {
        let found = error.span.slice(text);
        match error.kind {
            Kind::CurlyQuotes => {}
            Kind::KeyNotQuoted | Kind::NotALiteral | Kind::TomlKey | Kind::TomlValue
                if found.starts_with(CURLY) => {}
            // A curly quote in place of a closing quote.
            Kind::UnclosedString if found.ends_with(CURLY) => {
                error.span.start = error.span.end - CURLY_WIDTH;
                is_moved = true;
            }
            _ => return true,
        }
        error.kind = Kind::CurlyQuotes;
        error.related = None;
        more += u32::from(!is_first);
        std::mem::take(&mut is_first)
    });
    if let Some(first) = errors.iter_mut().find(|error| error.kind == Kind::CurlyQuotes) {
        first.more += more;
    }
    if is_moved {
        errors.sort_by_key(|error| (error.kind == Kind::TooManyErrors, error.span));
    }
}

/// The length of a curly quote in bytes.
const CURLY_WIDTH: u32 = 3;

/// Adds an error to a list. Errors over the limit are counted.
#[cfg(feature = "yaml")]
pub(crate) fn report(errors: &mut Vec<SyntaxError>, error: SyntaxError) {
    report_up_to(MAX_ERRORS, errors, error);
}

/// As [`report`], with another limit.
pub(crate) fn report_up_to(max_errors: usize, errors: &mut Vec<SyntaxError>, error: SyntaxError) {
    if errors.len() < max_errors {
        errors.push(error);
    } else if let Some(last) = errors.last_mut() {
        if last.kind == SyntaxErrorKind::TooManyErrors {
            last.more += 1;
        } else {
            errors.push(SyntaxError::new(SyntaxErrorKind::TooManyErrors, error.span));
        }
    }
}
