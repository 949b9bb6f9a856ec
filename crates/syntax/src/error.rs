use crate::Span;
use crate::message::CURLY;

/// One fault of a text.
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
pub struct SyntaxError {
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// The characters at fault; empty where something is missing.
    pub span: Span,
    /// A second place that takes part, such as the bracket that was never closed.
    pub related: Option<Span>,
    /// How many further faults of the same kind were folded into this one.
    pub more: u32,
}

impl SyntaxError {
    pub(crate) const fn new(kind: SyntaxErrorKind, span: Span) -> Self {
        Self { kind, span, related: None, more: 0 }
    }

    /// The fault of a line of more than [`MAX_LINE`](crate::MAX_LINE) bytes.
    pub const fn of_long_line() -> Self {
        Self::new(SyntaxErrorKind::LineTooLong, Span::at(0))
    }

    pub(crate) const fn related(self, span: Span) -> Self {
        Self { related: Some(span), ..self }
    }
}

/// Defines the kinds and the list of all of them.
macro_rules! kinds {
    ($($(#[$attribute:meta])* $kind:ident,)*) => {
        /// What can be wrong with a text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum SyntaxErrorKind {
            $($(#[$attribute])* $kind,)*
        }

        #[cfg(test)]
        impl SyntaxErrorKind {
            /// Every kind.
            pub(crate) const ALL: &[Self] = &[$(Self::$kind,)*];
        }
    };
}

kinds! {
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// The file is written in UTF-16.
    Utf16,
    /// The file has 4 GiB or more.
    TooLarge,
    /// A document of many in one file is longer than anybody writes one.
    LineTooLong,
    /// The file begins with a byte order mark, which a reader may refuse or ignore.
    ByteOrderMark,
    /// There is no value at all.
    Empty,
    /// The text ends inside containers.
    Unclosed,
    /// The document begins with a name: the brace before it is missing.
    Unopened,
    /// A string does not end on its line.
    UnclosedString,
    /// A quote inside a string that ends it too early.
    QuoteInString,
    /// A control character stands inside a string as it is.
    ControlCharacter,
    /// A line break in a string of TOML that has one quote on each side.
    LineBreakInString,
    /// A backslash is followed by something that is no escape.
    InvalidEscape,
    /// An escape names half of a surrogate pair. The grammar allows it, readers differ.
    LoneSurrogate,
    /// A comment, in a format that has none.
    Comment,
    /// A comment that begins with `#`, in a format whose comments begin otherwise.
    HashComment,
    /// A comment without an end, in a format that has comments.
    UnclosedComment,
    /// A comma before a closing bracket.
    TrailingComma,
    /// Two values without a comma between them.
    MissingComma,
    /// A comma where a value or a name should be.
    ExtraComma,
    /// Something else stands where a comma should.
    NotAComma,
    /// No colon between a name and its value.
    MissingColon,
    /// Something else stands where a colon should.
    NotAColon,
    /// A name without a value.
    MissingValue,
    /// A value without a name.
    MissingKey,
    /// A name without quotes.
    KeyNotQuoted,
    /// A string in single quotes.
    SingleQuotes,
    /// A bracket of one kind closes one of the other.
    MismatchedBracket,
    /// A closing bracket that closes nothing.
    StrayClose,
    /// A word that is neither a string nor `true`, `false` or `null`.
    NotALiteral,
    /// Something like a number.
    InvalidNumber,
    /// Containers are nested deeper than the reader goes. The grammar sets no limit.
    TooDeep,
    /// Brackets of TOML are nested deeper than the reader goes. The grammar sets no limit.
    BracketsTooDeep,
    /// Text after the end of the document.
    TrailingText,
    /// Characters that mean nothing where they stand.
    Unexpected,
    /// A name that is given twice in one table.
    DuplicateKey,
    /// A name leads into a value that takes no members, or none from there.
    NotATable,
    /// A date or a time, which JSON does not have.
    DateTime,
    /// A value without quotes that TOML does not know.
    TomlValue,
    /// A backslash in a string of TOML is followed by something that is no escape.
    TomlEscape,
    /// A name that TOML wants in quotes, or that is missing.
    TomlKey,
    /// No equals sign between a name and its value.
    MissingEquals,
    /// The header of a table does not end on its line.
    UnclosedHeader,
    /// Something follows a value or a header on its line.
    SecondEntry,
    /// A carriage return without a line feed.
    LoneCarriageReturn,
    /// A control character stands inside a comment.
    ControlInComment,
    /// A tab indents a line of YAML.
    TabIndentation,
    /// A line of YAML is indented unlike those around it.
    Indentation,
    /// A colon makes a name in YAML where only a value can be.
    NameInValue,
    /// A backslash in double quotes is followed by something that is no escape of YAML.
    UnknownEscape,
    /// An alias names an anchor that does not stand before it, or one of a value that the alias is part of.
    UnknownAlias,
    /// Aliases stand for more values than the reader repeats.
    TooManyNodes,
    /// A tag that JSON has no place for.
    UnknownTag,
    /// A tag says one thing and the value is another.
    TagMismatch,
    /// A name in YAML that is no text.
    NameNotText,
    /// A number that JSON cannot write, such as infinity.
    NotFinite,
    /// What `<<` names are no names and values.
    MergeNotObject,
    /// Text that is no YAML where it stands.
    NotYaml,
    /// No space between the colon and the value after it in YAML.
    MissingSpace,
    /// A line of a block of text in YAML is not indented.
    UnindentedText,
    /// A text in YAML that begins with `{{`, `[`, `{` or `*` and has no quotes.
    UnquotedTemplate,
    /// Text after the quotes of a value in YAML.
    TextAfterQuote,
    /// Curly quotes where the format has straight ones.
    CurlyQuotes,
    /// Syntax that TOML 1.1 allows and TOML 1.0 does not. The text is read.
    Toml11,
    /// A number with a comma as its decimal separator.
    DecimalComma,
    /// A line that version control has left in the file, as both sides of a merge have changed it.
    ConflictMarker,
    /// There are more faults than the reader lists.
    TooManyErrors,
}

/// Makes one fault of all the curly quotes of a text, whatever they were taken for.
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
            // One that was meant to close a string.
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

/// How many bytes a curly quote has.
const CURLY_WIDTH: u32 = 3;

/// Adds a fault to a list. What is too much for the list is counted.
pub(crate) fn report(errors: &mut Vec<SyntaxError>, error: SyntaxError) {
    if errors.len() < crate::MAX_ERRORS {
        errors.push(error);
    } else if let Some(last) = errors.last_mut() {
        if last.kind == SyntaxErrorKind::TooManyErrors {
            last.more += 1;
        } else {
            errors.push(SyntaxError::new(SyntaxErrorKind::TooManyErrors, error.span));
        }
    }
}
