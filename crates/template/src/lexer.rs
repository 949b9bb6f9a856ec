//! Text to tokens, rule for rule as the reference's lexer makes them.
//!
//! The reference takes the first rule that matches, not the longest; the order of the tests below is that order.

use memchr::memmem;

use crate::{
    scan::{Bytes, step},
    span::Span,
    token::{Kind, Token},
};

pub(crate) struct Lexer<'t> {
    pub(crate) bytes: Bytes<'t>,
    pub(crate) at: usize,
    pub(crate) state: State,
    /// The place of the first U+0000 at or after some earlier place; the length of the text where there is none.
    pub(crate) next_nul: usize,
    pub(crate) braces: memmem::Finder<'static>,
}

/// The lexer's states: which rules apply.
pub(crate) enum State {
    Text,
    Tag,
    /// Just before two braces that the backslash before `at` escapes.
    Escaped,
    Comment,
    /// Within a raw block, counting the raw openers.
    Raw(u32),
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let bytes = Bytes(text.as_bytes());
        let mut lexer = Self {
            bytes,
            at: 0,
            state: State::Text,
            next_nul: 0,
            braces: memmem::Finder::new(b"{{"),
        };
        lexer.search_nul(0);
        lexer
    }

    /// The next token. After [`Kind::End`], an invalid or a lexical one there is nothing more to ask for.
    #[inline]
    pub(crate) fn next(&mut self) -> Token {
        loop {
            let token = match self.state {
                State::Tag => return self.tag(),
                State::Text => self.text(),
                State::Escaped => Some(self.escaped()),
                State::Comment => Some(self.long_comment()),
                State::Raw(depth) => Some(self.raw(depth)),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    fn tag(&mut self) -> Token {
        let bytes = self.bytes;
        let start = bytes.skip_space(self.at);
        self.at = start;
        step(1);
        match bytes.at(start) {
            b'{' if bytes.at(start + 1) == b'{' => self.opener(start),
            b'}' => self.closer(start),
            b'~' if bytes.starts(start + 1, b"}}") => self.close(Kind::Close, start, 3),
            b'(' => self.take(Kind::OpenParen, 1),
            b')' => self.take(Kind::CloseParen, 1),
            b'=' => self.take(Kind::Equals, 1),
            b'@' => self.take(Kind::At, 1),
            b'|' => self.take(Kind::Pipe, 1),
            b'.' if bytes.at(start + 1) == b'.' => self.take(Kind::Name, 2),
            b'.' if bytes.ends_name(start + 1) => self.take(Kind::Name, 1),
            b'.' | b'/' => self.take(Kind::Separator, 1),
            quote @ (b'"' | b'\'') => self.quoted(Kind::String, quote),
            b'[' => self.quoted(Kind::Bracketed, b']'),
            _ if bytes.is_name(start) => self.name(start),
            _ if start >= bytes.len() => self.token(Kind::End, start),
            // Whatever is left is ASCII: all other characters are names or white space.
            _ => self.take(Kind::Invalid, 1),
        }
    }

    fn opener(&mut self, start: usize) -> Token {
        let bytes = self.bytes;
        if bytes.starts(start, b"{{{{") {
            return self.take(Kind::OpenRaw, 4);
        }
        let sigil = start + 2 + usize::from(bytes.at(start + 2) == b'~');
        let length = sigil - start;
        match bytes.at(sigil) {
            b'>' => self.take(Kind::OpenPartial, length + 1),
            b'#' => match bytes.at(sigil + 1) {
                b'>' => self.take(Kind::OpenPartialBlock, length + 2),
                b'*' => self.take(Kind::OpenBlock, length + 2),
                _ => self.take(Kind::OpenBlock, length + 1),
            },
            b'/' => self.take(Kind::OpenClose, length + 1),
            b'^' => match self.inverse_end(sigil + 1) {
                Some(end) => self.close(Kind::Inverse, start, end - start),
                None => self.take(Kind::OpenInverse, length + 1),
            },
            b'{' => self.take(Kind::OpenUnescaped, length + 1),
            b'&' | b'*' => self.take(Kind::Open, length + 1),
            b'!' => self.comment(start, sigil),
            _ => {
                let word = bytes.skip_space(sigil);
                if !bytes.starts(word, b"else") {
                    return self.take(Kind::Open, length);
                }
                let after = bytes.at(word + 4);
                if let Some(end) = self.inverse_end(word + 4) {
                    self.close(Kind::Inverse, start, end - start)
                } else if after.is_ascii_alphanumeric() || after == b'_' {
                    self.take(Kind::Open, length)
                } else {
                    self.take(Kind::OpenChain, word + 4 - start)
                }
            }
        }
    }

    /// The end of the `}}` of a complete `{{else}}` or `{{^}}`, if only white space and one `~` stand before it.
    fn inverse_end(&self, from: usize) -> Option<usize> {
        let close = self.bytes.skip_space(from);
        let close = close + usize::from(self.bytes.at(close) == b'~');
        self.bytes.starts(close, b"}}").then_some(close + 2)
    }

    fn comment(&mut self, start: usize, sigil: usize) -> Token {
        if self.bytes.starts(sigil + 1, b"--") {
            self.at = start;
            self.state = State::Comment;
            return self.long_comment();
        }
        match self.bytes.find(sigil + 1, b"}}") {
            Some(close) => self.close(Kind::Comment, start, close + 2 - start),
            // Without an end the reference takes it for a mustache; the `!` is then invalid.
            None => self.take(Kind::Open, sigil - start),
        }
    }

    fn closer(&mut self, start: usize) -> Token {
        let rest = self.bytes.from(start);
        if rest.starts_with(b"}}}}") {
            self.state = State::Raw(1);
            self.take(Kind::CloseRaw, 4)
        } else if rest.starts_with(b"}}}") {
            self.close(Kind::CloseUnescaped, start, 3)
        } else if rest.starts_with(b"}~}}") {
            self.close(Kind::CloseUnescaped, start, 4)
        } else if rest.starts_with(b"}}") {
            self.close(Kind::Close, start, 2)
        } else {
            self.take(Kind::Invalid, 1)
        }
    }

    fn quoted(&mut self, kind: Kind, close: u8) -> Token {
        match self.bytes.quoted_end(self.at, close) {
            Some(end) => self.take(kind, end - self.at),
            None => self.take(Kind::Invalid, 1),
        }
    }

    fn name(&mut self, start: usize) -> Token {
        let end = self.bytes.skip_name(start);
        let name = self.bytes.0.get(start..end).unwrap_or_default();
        if self.bytes.ends_literal(end) {
            match name {
                b"true" | b"false" => {
                    return self.take(Kind::Boolean, 4 + usize::from(name.len() == 5));
                }
                b"undefined" => return self.take(Kind::Undefined, 9),
                b"null" => return self.take(Kind::Null, 4),
                b"as" => {
                    let bar = self.bytes.skip_space(end);
                    if bar > end && self.bytes.at(bar) == b'|' {
                        return self.take(Kind::OpenBlockParams, bar + 1 - start);
                    }
                }
                _ => {}
            }
        }
        if let Some(length) = self.number(name, end) {
            return self.take(Kind::Number, name.len() + length);
        }
        if self.bytes.ends_name(end) {
            self.take(Kind::Name, name.len())
        } else {
            self.take(Kind::Invalid, name.len())
        }
    }

    /// The length of the fraction, possibly 0, if `name` and what follows it at `end` make a number.
    fn number(&self, name: &[u8], end: usize) -> Option<usize> {
        let digits = name.strip_prefix(b"-").unwrap_or(name);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        if self.bytes.ends_literal(end) {
            return Some(0);
        }
        let fraction = self
            .bytes
            .from(end)
            .strip_prefix(b".")?
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        step(fraction);
        (fraction > 0 && self.bytes.ends_literal(end + 1 + fraction)).then_some(fraction + 1)
    }

    #[inline]
    fn take(&mut self, kind: Kind, length: usize) -> Token {
        let start = self.at;
        self.at = start + length;
        self.token(kind, start)
    }

    fn close(&mut self, kind: Kind, start: usize, length: usize) -> Token {
        self.state = State::Text;
        self.at = start + length;
        self.token(kind, start)
    }

    pub(crate) fn token(&self, kind: Kind, start: usize) -> Token {
        spanned(kind, start, self.at)
    }
}

pub(crate) fn spanned(kind: Kind, start: usize, end: usize) -> Token {
    Token::new(kind, Span::new(start, end))
}
