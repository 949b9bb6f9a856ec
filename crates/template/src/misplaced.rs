//! Tokens that are valid somewhere, and stand where the grammar has no place for them.

use crate::{
    diagnose::{Found, Scene, probable_end},
    fault::FaultKind,
    help::tag_name,
    parser::Expected,
    scan::step,
    span::Span,
    token::Kind,
    unopened::{BLOCKS, escaped_opener, without_hash},
};

impl Scene<'_> {
    pub(crate) fn opener(&self, expected: Expected) -> Found {
        let got = self.token;
        if expected == Expected::Statement {
            let tag = if got.kind == Kind::Inverse { got.span() } else { self.tag };
            return match (got.kind, self.block) {
                (Kind::OpenClose, _) => {
                    if let Some(found) = self.foreign_comment(got.span().end - 1) {
                        return found;
                    }
                    let name = tag_name(tag.of(self.text));
                    self.unopened(FaultKind::StrayClose, tag, &[&name])
                }
                (_, None) => self.unopened(FaultKind::StrayElse, tag, &BLOCKS),
                (_, Some(block)) => match block.last_else {
                    Some(first) => self
                        .found(FaultKind::SecondElse, tag)
                        .beside(first, "the block's `else` is here"),
                    None => self.found(FaultKind::MisplacedElse, tag).beside_block("in this block"),
                }
                .in_tag(tag),
            };
        }
        if let Some(found) = self.swallowed(got.span()) {
            return found;
        }
        // A mustache within a mustache has its end and leaves another one for the outer tag.
        let inner_end = probable_end(self.bytes, got.span().end as usize);
        let has_outer_end = |end: usize| {
            self.bytes.starts(end, b"}}")
                || probable_end(self.bytes, end).is_some_and(|outer| outer - end < 60)
        };
        match inner_end {
            Some(end) if has_outer_end(end) => {
                let inner = Span::new(got.span().start as usize, end);
                let outer = probable_end(self.bytes, end).unwrap_or(end);
                self.found(FaultKind::NestedMustache, inner)
                    .in_tag(Span { start: self.tag.start, end: outer as u32 })
                    .beside(self.open.span(), "this mustache is still open")
            }
            _ => self
                .unclosed_mustache()
                .beside(got.span(), "the next one opens before it is closed"),
        }
    }

    /// A tag of a block that is not open, perhaps because its opening tag has no `#`.
    fn unopened(&self, kind: FaultKind, tag: Span, names: &[&str]) -> Found {
        let found = self.found(kind, tag).in_tag(tag);
        match without_hash(self.text, Span { start: 0, end: tag.start }, names) {
            Some(opener) => found.beside(opener, "a `#` is missing"),
            None => match escaped_opener(self.text, Span { start: 0, end: tag.start }, names) {
                Some(opener) => found.beside(opener, "the backslash makes this text"),
                None => found,
            },
        }
    }

    /// `//` or `/*` at the beginning of a tag.
    pub(crate) fn foreign_comment(&self, slash: u32) -> Option<Found> {
        let is_comment = self.bytes.at(slash as usize) == b'/'
            && matches!(self.bytes.at(slash as usize + 1), b'/' | b'*');
        let sign = Span { start: slash, end: slash + 2 };
        is_comment.then(|| self.found(FaultKind::ForeignComment, sign))
    }

    /// The closing braces, at a place where they may not stand, or of the wrong number.
    pub(crate) fn closer(&self, expected: Expected) -> Found {
        let got = self.token;
        if let Some(paren) = self.paren {
            return match expected {
                Expected::Head | Expected::Argument | Expected::Named => {
                    self.found(FaultKind::UnclosedParenthesis, paren)
                }
                _ => self.misfit(expected),
            };
        }
        match expected {
            Expected::Head => {
                let empty = self.found(
                    FaultKind::Empty,
                    Span { start: self.open.span().start, end: got.span().end },
                );
                if self.open.kind == Kind::OpenClose {
                    empty.beside_block("the open block")
                } else {
                    empty
                }
            }
            Expected::BlockParam => {
                let end = got.span().start;
                let names = self.bytes.0.get(..end as usize).unwrap_or_default();
                let bar = memchr::memrchr(b'|', names).unwrap_or(end as usize);
                self.found(FaultKind::BlockParamNames, Span { start: bar as u32, end })
            }
            Expected::Argument | Expected::Named | Expected::TagEnd => self.brace_count(),
            _ => self.misfit(expected),
        }
    }

    fn brace_count(&self) -> Found {
        let (kind, span) = self.token.parts();
        match (self.open.kind, kind) {
            (Kind::OpenRaw, _) => self.found(FaultKind::FourBraces, self.open.span()),
            (Kind::OpenUnescaped, Kind::Close) => self.found(FaultKind::TwoBraces, span),
            (Kind::OpenUnescaped, _) => {
                self.found(FaultKind::ExtraBrace, Span { start: span.end - 1, ..span })
            }
            (_, Kind::CloseRaw) => {
                self.found(FaultKind::ExtraBrace, Span { start: span.end - 2, ..span })
            }
            _ => self.found(FaultKind::ExtraBrace, Span { start: span.end - 1, ..span }),
        }
    }

    pub(crate) fn pipe(&self, expected: Expected) -> Found {
        let got = self.token.span();
        let is_double = self.bytes.at(got.end as usize) == b'|';
        if expected == Expected::BlockParam {
            self.found(FaultKind::BlockParamNames, got)
        } else if self.before.span().of(self.text) == "as" && self.before.span().end == got.start {
            let end = if is_double { got.end + 1 } else { got.end };
            self.found(FaultKind::AsWithoutSpace, Span { start: self.before.span().start, end })
        } else if self.open.kind == Kind::OpenBlock && !is_double && self.has_two_bars() {
            self.found(FaultKind::AsWithoutSpace, got)
        } else if is_double {
            self.found(FaultKind::Operator, Span { end: got.end + 1, ..got })
        } else if expected == Expected::TagEnd || self.is_first() {
            self.found(FaultKind::UnexpectedCharacter, got)
        } else {
            self.found(FaultKind::Filter, got)
        }
    }

    /// Whether a bar ends the tag, as another one in hand begins a list of names.
    fn has_two_bars(&self) -> bool {
        let names = Span { start: self.token.span().end, end: self.tag.end }.of(self.text);
        let names = names.trim_end_matches(['}', '~', ' ']).strip_suffix('|').unwrap_or_default();
        !names.trim().is_empty()
            && names
                .chars()
                .all(|character| character.is_alphanumeric() || "_, ".contains(character))
    }

    pub(crate) fn equals(&self, expected: Expected) -> Found {
        let got = self.token.span();
        // `a = = b` counts too: the first sign was read as that of a named argument.
        let start = if expected == Expected::Value { self.before.span().start } else { got.start };
        let mut end = got.end;
        while self.bytes.at(end as usize) == b'=' && end - start < 3 {
            end += 1;
        }
        if end - start == 1 && self.bytes.at(end as usize) == b'>' {
            end += 1;
        }
        if end - start > 1 {
            return self.found(FaultKind::Operator, Span { start, end });
        }
        match expected {
            Expected::Argument if self.before.kind.is_literal() || self.before_is_long_path() => {
                self.found(FaultKind::KeyName, self.path_before())
            }
            Expected::Argument => self.found(FaultKind::NamedFirst, got),
            Expected::Head => self.found(FaultKind::UnexpectedCharacter, got),
            _ => self.misfit(expected),
        }
    }

    /// Whether the name just taken ends a path of several segments.
    fn before_is_long_path(&self) -> bool {
        let start = self.before.span().start as usize;
        start > 0 && matches!(self.bytes.at(start - 1), b'.' | b'/' | b'@')
    }

    /// The path or literal just taken, as far as it stands without white space.
    fn path_before(&self) -> Span {
        let Span { mut start, end } = self.before.span();
        while start > self.open.span().end {
            let at = start as usize - 1;
            if !self.bytes.is_name(at) && !matches!(self.bytes.at(at), b'.' | b'/' | b'@') {
                break;
            }
            step(1);
            start -= 1;
        }
        if self.text.is_char_boundary(start as usize) {
            Span { start, end }
        } else {
            self.before.span()
        }
    }

    pub(crate) fn leading_separator(&self) -> Found {
        let got = self.token.span();
        let first_slash = if self.open.kind == Kind::OpenClose { got.start - 1 } else { got.start };
        if self.bytes.at(got.start as usize) == b'.' {
            self.found(FaultKind::LeadingDot, got)
        } else if self.is_first()
            && let Some(found) = self.foreign_comment(first_slash)
        {
            found
        } else if self.is_first()
            && self.open.kind == Kind::Open
            && self.open.span().end < got.start
        {
            self.space_before_sign()
        } else {
            self.found(FaultKind::UnexpectedCharacter, got)
        }
    }
}
