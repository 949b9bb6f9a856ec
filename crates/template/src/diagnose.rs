//! From where the parse stopped to what the author did wrong.
//!
//! The reference knows only that a token did not fit. The same stop has different causes for an author, which the
//! characters around it tell apart. Everything here looks at a bounded window, or once at the rest of the text.

use crate::{
    fault::{Fault, FaultKind, Refusal},
    help::tag_name,
    invalid::{self, amount, is_brace_in_prose},
    json,
    node::Node,
    parser::{Cause, Expected, Failure, OpenBlock, Parser},
    scan::{Bytes, step},
    span::Span,
    token::{Kind, Token},
    tree::NodeKind,
    unopened::{escaped_opener, names_outer_block, without_hash},
};

/// How far diagnosis looks for the end of a tag. Longer tags are still diagnosed, with less context.
pub(crate) const WINDOW: usize = 400;

pub(crate) fn diagnose(parser: &Parser<'_>, failure: Failure) -> Fault {
    let Failure { cause, token } = failure;
    let scene = Scene::new(parser, token);
    let refusal = match cause {
        Cause::Expected(_) if token.kind.is_lexical() => Refusal::Lexical,
        Cause::Expected(_) => Refusal::Grammar,
        Cause::Mismatch => Refusal::Name,
        Cause::DecoratorElse => Refusal::Decorator,
        Cause::InvalidPath(_) => Refusal::Path,
        Cause::BracketedBlockParams => Refusal::BlockParams,
    };
    let found = match cause {
        Cause::Expected(expected) => scene.expected(expected),
        Cause::Mismatch => scene.mismatch(parser),
        Cause::DecoratorElse => {
            let place = scene.block.and_then(|block| block.first_else).unwrap_or(token.span());
            scene
                .found(FaultKind::DecoratorElse, place)
                .in_tag(place)
                .beside_block("this is a decorator block")
        }
        Cause::BracketedBlockParams => scene.found(FaultKind::BracketedBlockParam, token.span()),
        Cause::InvalidPath(path) => {
            scene.found(FaultKind::InvalidPath, token.span()).beside(path, "in this path")
        }
    };
    let Found { kind, span, related, tag, names_outer, .. } = found;
    Fault { kind, span, related, tag, refusal, offset: token.span().start, names_outer }
}

/// What diagnosis sees of the parse.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'p> {
    pub(crate) text: &'p str,
    pub(crate) bytes: Bytes<'p>,
    /// The token that opened the tag.
    pub(crate) open: Token,
    /// The tag, to its probable end.
    pub(crate) tag: Span,
    pub(crate) before: Token,
    pub(crate) token: Token,
    pub(crate) block: Option<OpenBlock>,
    /// The head of its opening tag.
    head: Option<Span>,
    /// Whether the tag has an end before the next one begins.
    pub(crate) has_end: bool,
    /// The innermost open parenthesis.
    pub(crate) paren: Option<Span>,
}

/// A fault in the making.
pub(crate) struct Found {
    kind: FaultKind,
    span: Span,
    related: Option<(Span, &'static str)>,
    tag: Span,
    block: Option<Span>,
    names_outer: bool,
}

impl Found {
    pub(crate) fn beside(mut self, span: Span, label: &'static str) -> Self {
        self.related = Some((span, label));
        self
    }

    pub(crate) fn beside_block(mut self, label: &'static str) -> Self {
        self.related = self.block.map(|block| (block, label));
        self
    }

    pub(crate) fn in_tag(mut self, tag: Span) -> Self {
        self.tag = tag;
        self
    }
}

impl<'p> Scene<'p> {
    fn new(parser: &'p Parser<'_>, token: Token) -> Self {
        let bytes = Bytes(parser.text.as_bytes());
        let from = if token.kind.opens() { token.span().end } else { token.span().start };
        let block = parser.open.last().copied();
        let end =
            probable_end(bytes, from as usize).map(|end| whole_end(bytes, parser.tag.kind, end));
        let has_end = end.is_some();
        let end = end.unwrap_or(token.span().end as usize);
        Self {
            text: parser.text,
            bytes,
            open: parser.tag,
            tag: Span { start: parser.tag.span().start, end: (end as u32).max(token.span().end) },
            before: parser.before,
            token,
            block,
            head: block.and_then(|block| parser.tree.node(block.head)).map(Node::span),
            has_end,
            paren: parser.parens.last().map(|paren| paren.paren),
        }
    }

    pub(crate) fn found(&self, kind: FaultKind, span: Span) -> Found {
        let block = self.block.map(|block| block.tag);
        Found { kind, span, related: None, tag: self.tag, block, names_outer: false }
    }

    /// Whether nothing of the tag but its opening braces has been read.
    pub(crate) fn is_first(&self) -> bool {
        self.bytes.skip_space(self.open.span().end as usize) == self.token.span().start as usize
    }

    fn expected(&self, expected: Expected) -> Found {
        let got = self.token.span();
        let is_lexical =
            matches!(self.token.kind, Kind::LexicalNul | Kind::LexicalComment | Kind::LexicalRaw);
        if expected != Expected::Statement && !is_lexical {
            let found =
                self.doubled_json().or_else(|| self.braces_in_prose()).or_else(|| amount(self));
            if let Some(found) = found {
                return found;
            }
        }
        match self.token.kind {
            Kind::LexicalNul => self
                .found(FaultKind::NulCharacter, Span { start: got.end - 1, end: got.end })
                .in_tag(got),
            Kind::LexicalComment => self.unclosed_comment(got.start),
            Kind::LexicalRaw => self.unclosed_block(),
            Kind::End if expected == Expected::Statement => self.unclosed_block(),
            Kind::End => self.swallowed_or_unclosed(),
            kind if kind.opens() => self.opener(expected),
            Kind::Close | Kind::CloseUnescaped | Kind::CloseRaw => self.closer(expected),
            Kind::Invalid => invalid::invalid(self, expected),
            Kind::Pipe => self.pipe(expected),
            Kind::Equals => self.equals(expected),
            Kind::CloseParen if self.paren.is_none() => {
                self.found(FaultKind::StrayParenthesis, got)
            }
            Kind::CloseParen if expected == Expected::Head => {
                let parens = Span { start: self.before.span().start, end: got.end };
                self.found(FaultKind::EmptyParentheses, parens)
            }
            Kind::OpenParen if expected == Expected::Head => {
                self.found(FaultKind::ParenthesisFirst, got)
            }
            Kind::OpenBlockParams if expected != Expected::TagEnd => {
                self.found(FaultKind::MisplacedBlockParams, got)
            }
            Kind::Separator
                if matches!(expected, Expected::Head | Expected::Argument | Expected::Value) =>
            {
                self.leading_separator()
            }
            _ => self.misfit(expected),
        }
    }

    /// `{{"key": …`: what another template language makes a single brace.
    fn doubled_json(&self) -> Option<Found> {
        let open = self.open.span();
        let is_json = self.open.kind == Kind::Open
            && open.len() == 2
            && json::begins(self.bytes, open.end as usize);
        is_json.then(|| self.found(FaultKind::DoubledJson, open))
    }

    /// Braces that a sentence speaks of.
    fn braces_in_prose(&self) -> Option<Found> {
        let open = self.open.span();
        is_brace_in_prose(self).then(|| self.found(FaultKind::MissingName, open).in_tag(open))
    }

    /// A token that may stand in a tag, but not here.
    pub(crate) fn misfit(&self, expected: Expected) -> Found {
        let got = self.token.span();
        match expected {
            Expected::Segment if self.token.kind == Kind::Number && self.is_division() => {
                self.found(FaultKind::Operator, self.before.span())
            }
            Expected::Segment | Expected::DataName if self.token.kind.is_literal() => {
                self.found(FaultKind::LiteralSegment, got)
            }
            Expected::Segment | Expected::DataName => {
                self.found(FaultKind::MissingName, self.before.span())
            }
            Expected::Value => self.found(FaultKind::MissingValue, self.before.span()),
            Expected::Equals if self.dots(self.before).is_some() => {
                self.found(FaultKind::Prose, self.dots(self.before).unwrap_or(got))
            }
            Expected::Equals => self.found(FaultKind::PositionalAfterNamed, self.before.span()),
            Expected::Named => self.found(FaultKind::PositionalAfterNamed, got),
            Expected::BlockParam => self.found(FaultKind::BlockParamNames, got),
            Expected::TagEnd if self.open.kind == Kind::OpenClose => {
                self.found(FaultKind::CloseArguments, got)
            }
            Expected::TagEnd => self.found(FaultKind::BlockParamsNotLast, got),
            _ => self.found(FaultKind::UnexpectedCharacter, got),
        }
    }

    /// `...`, of which the token is the first two.
    fn dots(&self, token: Token) -> Option<Span> {
        let start = token.span().start as usize;
        let mut end = start;
        while self.bytes.at(end) == b'.' {
            step(1);
            end += 1;
        }
        (end > start + 2).then(|| Span::new(start, end))
    }

    /// Whether the slash just taken divides: it has white space around it.
    fn is_division(&self) -> bool {
        let Span { start, end } = self.before.span();
        self.bytes.at(start as usize) == b'/'
            && (self.bytes.space(end as usize) > 0
                || self.bytes.at(start.saturating_sub(1) as usize) == b' ')
    }

    /// The white space between the opening braces and a sign.
    pub(crate) fn space_before_sign(&self) -> Found {
        let space = Span { start: self.open.span().end, end: self.token.span().start };
        self.found(FaultKind::SpaceBeforeSign, space)
            .beside(self.token.span(), "the sign has to follow the braces")
    }

    /// The strings and bracketed names of the tag, as far as it was read.
    pub(crate) fn quoted(&self) -> impl Iterator<Item = Span> {
        let (bytes, stop) = (self.bytes, self.token.span().start as usize);
        let mut at = self.open.span().end as usize;
        std::iter::from_fn(move || {
            while at < stop && !matches!(bytes.at(at), b'"' | b'\'' | b'[') {
                step(1);
                at += 1;
            }
            let close = if bytes.at(at) == b'[' { b']' } else { bytes.at(at) };
            let start = (at < stop).then_some(at)?;
            at = bytes.quoted_end(start, close).filter(|&end| end <= stop)?;
            Some(Span::new(start, at))
        })
    }

    /// A string or a bracketed name that took in the end of its tag, because what was to close it is missing.
    pub(crate) fn swallowed(&self, stop: Span) -> Option<Found> {
        self.quoted().find_map(|quoted| {
            let (kind, label) = match self.bytes.at(quoted.start as usize) {
                b'[' => (FaultKind::UnclosedBracket, "the name goes on to about here"),
                _ => (FaultKind::UnclosedString, "the string goes on to about here"),
            };
            let content = quoted.of(self.text);
            let length = content.find("}}")?;
            let is_last = quoted.end == self.before.span().end;
            // `"}}"` and `"{{x}}"` are whole.
            if !is_last && (content.len() == length + 3 || content.get(..length)?.contains("{{")) {
                return None;
            }
            let end = quoted.start + length as u32;
            let tag = Span { start: self.tag.start, end: end + 2 };
            let found = self.found(kind, Span { start: quoted.start, end });
            Some(found.in_tag(tag).beside(stop, label))
        })
    }

    /// A tag that the end of the text cut short.
    pub(crate) fn swallowed_or_unclosed(&self) -> Found {
        let end = self.before.span().end;
        let last = Span { start: end.saturating_sub(1), end };
        self.swallowed(last).unwrap_or_else(|| self.unclosed_mustache())
    }

    /// The opening braces with the first word after them.
    pub(crate) fn unclosed_mustache(&self) -> Found {
        let start = self.open.span().start;
        let word = self.bytes.skip_space(self.open.span().end as usize);
        let end = self.bytes.skip_name(word);
        let end = if end > word { end as u32 } else { self.open.span().end };
        let span = Span { start, end };
        self.found(FaultKind::UnclosedMustache, span).in_tag(span)
    }

    pub(crate) fn unclosed_comment(&self, start: u32) -> Found {
        let mut end = start as usize + 2;
        while matches!(self.bytes.at(end), b'~' | b'!' | b'-') && end < start as usize + 6 {
            end += 1;
        }
        let span = Span { start, end: end as u32 };
        self.found(FaultKind::UnclosedComment, span).in_tag(span)
    }

    fn unclosed_block(&self) -> Found {
        let Some(block) = self.block else {
            return self.found(FaultKind::UnexpectedCharacter, self.token.span());
        };
        let kind = if block.kind == NodeKind::RawBlock {
            // Nobody who writes four braces around a few words means a raw block without an end.
            let rest = self.text.get(block.tag.end as usize..).unwrap_or_default();
            step(rest.len());
            let content = block.tag.of(self.text).trim_matches(['{', '}']).trim();
            let is_words = !content.is_empty()
                && content.chars().all(|it| it.is_alphanumeric() || "_ .-".contains(it));
            if is_words && !rest.contains("{{/") {
                let braces = Span { end: block.tag.start + 4, ..block.tag };
                return self.found(FaultKind::FourBraces, braces).in_tag(block.tag);
            }
            FaultKind::UnclosedRawBlock
        } else {
            FaultKind::UnclosedBlock
        };
        self.found(kind, block.tag).in_tag(block.tag)
    }

    fn mismatch(&self, parser: &Parser<'_>) -> Found {
        let tag = Span { start: self.open.span().start, end: self.before_close() };
        let Some(block) = self.block else { return self.found(FaultKind::CloseMismatch, tag) };
        let opener = block.tag.of(self.text);
        let name = opener.trim_start_matches(['{', '~', '#']).trim_start();
        if opener.contains('#') && name.starts_with("else") {
            return self
                .found(FaultKind::HashElse, block.tag)
                .in_tag(block.tag)
                .beside(tag, "closed by this tag");
        }
        // `{{#if .x}}` is the path `if.x` to the reference.
        let head = self.head.unwrap_or_default();
        let parts = head.of(self.text).split_once(char::is_whitespace);
        if let Some((first, rest)) = parts.filter(|(_, rest)| rest.trim_start().starts_with('.')) {
            let space = head.start + first.len() as u32;
            let dot = self.bytes.skip_space(space as usize);
            if dot + rest.trim_start().len() == head.end as usize {
                return self
                    .found(FaultKind::LeadingDot, Span::new(dot, dot + 1))
                    .in_tag(block.tag);
            }
        }
        let found = self.found(FaultKind::CloseMismatch, tag).in_tag(tag);
        let name = tag_name(tag.of(self.text));
        let inside = Span { start: block.tag.end, end: tag.start };
        if block.kind != NodeKind::RawBlock
            && let Some(opener) = without_hash(self.text, inside, &[&name])
        {
            return found.beside(opener, "a `#` is missing");
        }
        if let Some(opener) = escaped_opener(self.text, inside, &[&name]) {
            return found.beside(opener, "the backslash makes this text");
        }
        let blocks = parser.open.iter().map(|block| block.tag);
        let names_outer = names_outer_block(self.text, tag, blocks);
        Found { names_outer, ..found.beside(block.tag, "the open block") }
    }

    /// The end of a closing tag whose name has been read.
    fn before_close(&self) -> u32 {
        let from = self.open.span().end as usize;
        probable_end(self.bytes, from).map_or(self.open.span().end, |end| end as u32)
    }
}

/// The end of a tag of three or four braces, of which `end` is that of the first two.
fn whole_end(bytes: Bytes<'_>, kind: Kind, end: usize) -> usize {
    let more = match kind {
        Kind::OpenUnescaped => 1,
        Kind::OpenRaw => 2,
        _ => 0,
    };
    let braces = bytes.from(end).iter().take(more).take_while(|&&byte| byte == b'}');
    end + braces.count()
}

/// The end of the next `}}`, unless it is far away or another tag opens before it.
pub(crate) fn probable_end(bytes: Bytes<'_>, from: usize) -> Option<usize> {
    let window = bytes.from(from);
    let window = window.get(..WINDOW.min(window.len())).unwrap_or_default();
    step(window.len());
    let close = memchr::memmem::find(window, b"}}")?;
    let open = memchr::memmem::find(window, b"{{");
    open.is_none_or(|open| close < open).then_some(from + close + 2)
}
