//! The classes of faults.

/// Declares the classes with their names, so that neither can be forgotten.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// The class of a fault. Each has a message, a label and help of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum FaultKind {
            $($(#[$doc])* $kind,)*
        }

        impl FaultKind {
            /// Every class, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The class's name, in lower case with hyphens.
            ///
            /// ```
            /// assert_eq!(voxlint_template::FaultKind::OneBrace.name(), "one-brace");
            /// ```
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// `{{name` with no end before the next mustache or the end of the text.
    UnclosedMustache = "unclosed-mustache",
    /// `{{name}`: closed with one brace.
    OneBrace = "one-brace",
    /// `{{{name}}`: opened with three braces, closed with two.
    TwoBraces = "two-braces",
    /// `{{name}}}`: a brace too many, or one that belongs to JSON around the mustache.
    ExtraBrace = "extra-brace",
    /// `{{{{name}}`: four braces open a raw block.
    FourBraces = "four-braces",
    /// `{{#if {{name}}}}`: a mustache within a mustache.
    NestedMustache = "nested-mustache",
    /// `{{ {name} }}`: a brace within a mustache.
    BraceInside = "brace-inside",
    /// `{{"key":"value"}}`: JSON whose braces were doubled for another template language.
    DoubledJson = "doubled-json",
    /// `{{}}`.
    Empty = "empty",

    /// `{{!-- note` without `--}}`, or `{{! note` without `}}`.
    UnclosedComment = "unclosed-comment",
    /// `{{{{raw}}}}` without `{{{{/raw}}}}`.
    UnclosedRawBlock = "unclosed-raw-block",
    /// `{{// note}}`, `{{/* note */}}`: a comment of another language.
    ForeignComment = "foreign-comment",
    /// The character U+0000 in text.
    NulCharacter = "nul-character",

    /// `{{#if x}}` without `{{/if}}`.
    UnclosedBlock = "unclosed-block",
    /// `{{/if}}` without a block to close.
    StrayClose = "stray-close",
    /// `{{#if x}} … {{/each}}`.
    CloseMismatch = "close-mismatch",
    /// `{{/if x}}`: a closing tag with more than a name.
    CloseArguments = "close-arguments",
    /// `{{else}}` outside a block.
    StrayElse = "stray-else",
    /// `{{else}}` or `{{else if x}}` after the `{{else}}` of the same block.
    SecondElse = "second-else",
    /// `{{else}}` in a partial block, or `{{else if x}}` in `{{^x}}`.
    MisplacedElse = "misplaced-else",
    /// `{{#else}}`, which opens a block named `else`.
    HashElse = "hash-else",
    /// `{{else}}` in a decorator block.
    DecoratorElse = "decorator-else",

    /// `{{ /if }}`, `{{ #if x }}`: white space between the braces and the sign.
    SpaceBeforeSign = "space-before-sign",
    /// `{{ ~name }}`, `{{{~name~}}}`: a `~` that does not touch the outer braces.
    MisplacedTilde = "misplaced-tilde",
    /// `{{a ~ b}}`: two values joined with a sign.
    Concatenation = "concatenation",
    /// `{{#output#}}`: a sign before the name and one after it.
    HashMarks = "hash-marks",

    /// `{{x | default: "y"}}`: Liquid and Jinja filters.
    Filter = "filter",
    /// `{{#if a == b}}`, `{{price / 2}}`: an operator.
    Operator = "operator",
    /// `{{items[0]}}`.
    Index = "index",
    /// `{{items.0}}`, `{{a.true}}`: a number or a keyword as the last step of a path.
    LiteralSegment = "literal-segment",
    /// `{{f(x)}}`.
    CallSyntax = "call-syntax",
    /// `{{name.upper()}}`.
    MethodCall = "method-call",
    /// `{{(f x)}}`.
    ParenthesisFirst = "parenthesis-first",
    /// `(f x` without its `)`.
    UnclosedParenthesis = "unclosed-parenthesis",
    /// A `)` that nothing opened.
    StrayParenthesis = "stray-parenthesis",
    /// `()`.
    EmptyParentheses = "empty-parentheses",
    /// `{{name=1}}`: a named argument without a helper before it.
    NamedFirst = "named-first",
    /// `{{f key=1 x}}`: a positional argument after a named one.
    PositionalAfterNamed = "positional-after-named",
    /// `{{f key=}}`.
    MissingValue = "missing-value",
    /// `{{f a.b=1}}`, `{{f "key"=1}}`: what stands before `=` is not one name.
    KeyName = "key-name",
    /// `{{.name}}`.
    LeadingDot = "leading-dot",
    /// `{{a/}}`, `{{@}}`: a separator or `@` without a name after it, or braces that a sentence speaks of.
    MissingName = "missing-name",
    /// `{{a.this}}`, `{{a/../b}}`.
    InvalidPath = "invalid-path",

    /// `{{customer name, if known}}`, `{{$5.00}}`: prose or a number.
    Prose = "prose",
    /// `{{name, x}}`.
    Comma = "comma",
    /// `{{customer's}}`.
    Apostrophe = "apostrophe",
    /// Curly quotes where straight ones were meant.
    SmartQuotes = "smart-quotes",
    /// `{{%name%}}`, `{{% if x %}}`.
    PercentSigns = "percent-signs",
    /// `{{time_<ZONE>}}`: a placeholder that was not filled in.
    Placeholder = "placeholder",
    /// `{{name <br/>}}`: an HTML tag.
    HtmlTag = "html-tag",
    /// `{{first\_name}}`: a backslash that Markdown needs and Handlebars does not allow.
    Backslash = "backslash",
    /// `{{f \"x\"}}`.
    EscapedQuotes = "escaped-quotes",
    /// A quote without its partner.
    UnclosedString = "unclosed-string",
    /// `'don't'`: a quote within a string in the same quotes.
    QuoteInString = "quote-in-string",
    /// A `[` without its `]`.
    UnclosedBracket = "unclosed-bracket",

    /// `{{#each items as|item|}}`, `{{#each items |item|}}`.
    AsWithoutSpace = "as-without-space",
    /// `as |x|` where no block begins.
    MisplacedBlockParams = "misplaced-block-params",
    /// `as ||`, `as |a, b|`, `as |a`: not a list of names between bars.
    BlockParamNames = "block-param-names",
    /// `as |[first name]|`: a name in brackets.
    BracketedBlockParam = "bracketed-block-param",
    /// Something between `as |x|` and the closing braces.
    BlockParamsNotLast = "block-params-not-last",
    /// `{{> partial a b}}`: two positional arguments.
    PartialArguments = "partial-arguments",

    /// A character that has no meaning where it stands.
    UnexpectedCharacter = "unexpected-character",
}
