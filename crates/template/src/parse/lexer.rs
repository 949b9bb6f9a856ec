//! The lexer: text to tokens, with the rules of the reference's lexer.
//!
//! The reference takes the first rule that matches, not the longest match. The checks below are in that order.

use memchr::{memchr, memmem};

use super::{
    scan::Bytes,
    span::TemplateSpan,
    token::{Token, TokenKind},
};

pub(crate) struct Lexer<'t> {
    pub(crate) bytes: Bytes<'t>,
    at: usize,
    state: LexerState,
    /// The offset of the next U+0000, or the length of the text. It is searched for again once `at` is past it.
    next_nul: usize,
    braces: memmem::Finder<'static>,
}

/// Decides which rules apply.
enum LexerState {
    Text,
    Tag,
    /// Just before two braces that are escaped by the backslash before `at`.
    Escaped,
    Comment,
    /// Inside a raw block, with the number of open raw blocks.
    Raw(u32),
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self::from(text, 0)
    }

    /// A lexer that begins at an offset, outside of tags.
    pub(super) fn from(text: &'t str, at: usize) -> Self {
        let bytes = Bytes(text.as_bytes());
        let mut lexer = Self {
            bytes,
            at,
            state: LexerState::Text,
            next_nul: 0,
            braces: memmem::Finder::new(b"{{"),
        };
        lexer.search_nul(at);
        lexer
    }

    /// The next token. [`TokenKind::End`], invalid and lexical tokens are the last.
    #[inline]
    pub(crate) fn next(&mut self) -> Token {
        loop {
            let token = match self.state {
                LexerState::Tag => return self.tag(),
                LexerState::Text => self.text(),
                LexerState::Escaped => Some(self.escaped()),
                LexerState::Comment => Some(self.long_comment()),
                LexerState::Raw(depth) => Some(self.raw(depth)),
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
        match bytes.at(start) {
            b'{' if bytes.at(start + 1) == b'{' => self.opener(start),
            b'}' => self.closer(start),
            b'~' if bytes.starts(start + 1, b"}}") => self.close(TokenKind::Close, start, 3),
            b'(' => self.take(TokenKind::OpenParen, 1),
            b')' => self.take(TokenKind::CloseParen, 1),
            b'=' => self.take(TokenKind::Equals, 1),
            b'@' => self.take(TokenKind::At, 1),
            b'|' => self.take(TokenKind::Pipe, 1),
            b'.' if bytes.at(start + 1) == b'.' => self.take(TokenKind::Name, 2),
            b'.' if bytes.ends_name(start + 1) => self.take(TokenKind::Name, 1),
            b'.' | b'/' => self.take(TokenKind::Separator, 1),
            quote @ (b'"' | b'\'') => self.quoted(TokenKind::String, quote),
            b'[' => self.quoted(TokenKind::Bracketed, b']'),
            _ if bytes.is_name(start) => self.name(start),
            _ if start >= bytes.len() => self.token(TokenKind::End, start),
            // Only ASCII characters remain: all others are part of a name or white space.
            _ => self.take(TokenKind::Invalid, 1),
        }
    }

    fn opener(&mut self, start: usize) -> Token {
        let bytes = self.bytes;
        if bytes.starts(start, b"{{{{") {
            return self.take(TokenKind::OpenRaw, 4);
        }
        let sigil = start + 2 + usize::from(bytes.at(start + 2) == b'~');
        let length = sigil - start;
        match bytes.at(sigil) {
            b'>' => self.take(TokenKind::OpenPartial, length + 1),
            b'#' => match bytes.at(sigil + 1) {
                b'>' => self.take(TokenKind::OpenPartialBlock, length + 2),
                b'*' => self.take(TokenKind::OpenBlock, length + 2),
                _ => self.take(TokenKind::OpenBlock, length + 1),
            },
            b'/' => self.take(TokenKind::OpenClose, length + 1),
            b'^' => match self.inverse_end(sigil + 1) {
                Some(end) => self.close(TokenKind::Inverse, start, end - start),
                None => self.take(TokenKind::OpenInverse, length + 1),
            },
            b'{' => self.take(TokenKind::OpenUnescaped, length + 1),
            b'&' | b'*' => self.take(TokenKind::Open, length + 1),
            b'!' => self.comment(start, sigil),
            _ => {
                let word = bytes.skip_space(sigil);
                if !bytes.starts(word, b"else") {
                    return self.take(TokenKind::Open, length);
                }
                let after = bytes.at(word + 4);
                if let Some(end) = self.inverse_end(word + 4) {
                    self.close(TokenKind::Inverse, start, end - start)
                } else if after.is_ascii_alphanumeric() || after == b'_' {
                    self.take(TokenKind::Open, length)
                } else {
                    self.take(TokenKind::OpenChain, word + 4 - start)
                }
            }
        }
    }

    /// The end of a complete `{{else}}` or `{{^}}`, if only white space and one `~` precede its `}}`.
    fn inverse_end(&self, from: usize) -> Option<usize> {
        let close = self.bytes.skip_space(from);
        let close = close + usize::from(self.bytes.at(close) == b'~');
        self.bytes.starts(close, b"}}").then_some(close + 2)
    }

    fn comment(&mut self, start: usize, sigil: usize) -> Token {
        if self.bytes.starts(sigil + 1, b"--") {
            self.at = start;
            self.state = LexerState::Comment;
            return self.long_comment();
        }
        match self.bytes.find(sigil + 1, b"}}") {
            Some(close) => self.close(TokenKind::Comment, start, close + 2 - start),
            // The reference reads an unclosed comment as a mustache, in which `!` is invalid.
            None => self.take(TokenKind::Open, sigil - start),
        }
    }

    fn closer(&mut self, start: usize) -> Token {
        let rest = self.bytes.from(start);
        if rest.starts_with(b"}}}}") {
            self.state = LexerState::Raw(1);
            self.take(TokenKind::CloseRaw, 4)
        } else if rest.starts_with(b"}}}") {
            self.close(TokenKind::CloseUnescaped, start, 3)
        } else if rest.starts_with(b"}~}}") {
            self.close(TokenKind::CloseUnescaped, start, 4)
        } else if rest.starts_with(b"}}") {
            self.close(TokenKind::Close, start, 2)
        } else {
            self.take(TokenKind::Invalid, 1)
        }
    }

    fn quoted(&mut self, kind: TokenKind, close: u8) -> Token {
        match self.bytes.quoted_end(self.at, close) {
            Some(end) => self.take(kind, end - self.at),
            None => self.take(TokenKind::Invalid, 1),
        }
    }

    fn name(&mut self, start: usize) -> Token {
        let end = self.bytes.skip_name(start);
        let name = self.bytes.0.get(start..end).unwrap_or_default();
        if self.bytes.ends_literal(end) {
            match name {
                b"true" | b"false" => {
                    return self.take(TokenKind::Boolean, 4 + usize::from(name.len() == 5));
                }
                b"undefined" => return self.take(TokenKind::Undefined, 9),
                b"null" => return self.take(TokenKind::Null, 4),
                b"as" => {
                    let bar = self.bytes.skip_space(end);
                    if bar > end && self.bytes.at(bar) == b'|' {
                        return self.take(TokenKind::OpenBlockParams, bar + 1 - start);
                    }
                }
                _ => {}
            }
        }
        if let Some(length) = self.number(name, end) {
            return self.take(TokenKind::Number, name.len() + length);
        }
        if self.bytes.ends_name(end) {
            self.take(TokenKind::Name, name.len())
        } else {
            self.take(TokenKind::Invalid, name.len())
        }
    }

    /// The length of the fraction with its dot, or 0, if `name` and the text at `end` are a number.
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
        (fraction > 0 && self.bytes.ends_literal(end + 1 + fraction)).then_some(fraction + 1)
    }

    fn text(&mut self) -> Option<Token> {
        let start = self.at;
        if start == self.bytes.len() {
            return Some(self.token(TokenKind::End, start));
        }
        let nul = self.nul_from(start);
        match self.find_braces(start) {
            Some(braces) if braces < nul => {
                self.at = braces;
                let content = self.bytes.0.get(start..braces).unwrap_or_default();
                if content.ends_with(b"\\\\") {
                    self.state = LexerState::Tag;
                    Some(self.token(TokenKind::TextSlash, start))
                } else if content.ends_with(b"\\") {
                    self.state = LexerState::Escaped;
                    (content.len() > 1).then(|| spanned(TokenKind::Text, start, braces - 1))
                } else {
                    self.state = LexerState::Tag;
                    (!content.is_empty()).then(|| self.token(TokenKind::Text, start))
                }
            }
            _ if nul == start => Some(spanned(TokenKind::LexicalNul, nul, nul + 1)),
            _ => {
                self.at = nul;
                Some(self.token(TokenKind::Text, start))
            }
        }
    }

    /// The offset of the next `{{`. Most braces of a template come in pairs, so a search for a single brace comes before
    /// the search that is faster over long text.
    fn find_braces(&self, start: usize) -> Option<usize> {
        let rest = self.bytes.from(start);
        let first = memchr(b'{', rest)?;
        if self.bytes.at(start + first + 1) == b'{' {
            return Some(start + first);
        }
        let from = start + first + 1;
        self.braces.find(self.bytes.from(from)).map(|offset| from + offset)
    }

    /// The text after an escaped opener: at least its two braces, up to the next opener and its backslashes.
    fn escaped(&mut self) -> Token {
        let start = self.at;
        let least = start + 2;
        let end = match self.bytes.find(least, b"{{") {
            Some(braces) if braces >= least + 2 && self.bytes.starts(braces - 2, b"\\\\") => {
                braces - 2
            }
            Some(braces) if braces > least && self.bytes.at(braces - 1) == b'\\' => braces - 1,
            Some(braces) => braces,
            None => self.bytes.len(),
        };
        let nul = self.nul_from(start);
        if nul < end {
            return spanned(TokenKind::LexicalNul, start, nul + 1);
        }
        self.at = end;
        self.state = LexerState::Text;
        self.token(TokenKind::TextEscaped, start - 1)
    }

    fn long_comment(&mut self) -> Token {
        let start = self.at;
        // The dashes that open a comment may also close it.
        let mut from = start + if self.bytes.at(start + 2) == b'~' { 4 } else { 3 };
        while let Some(dashes) = self.bytes.find(from, b"--") {
            let braces = dashes + 2 + usize::from(self.bytes.at(dashes + 2) == b'~');
            if self.bytes.starts(braces, b"}}") {
                self.at = braces + 2;
                self.state = LexerState::Text;
                return self.token(TokenKind::Comment, start);
            }
            from = dashes + 1;
        }
        spanned(TokenKind::LexicalComment, start, self.bytes.len())
    }

    fn raw(&mut self, depth: u32) -> Token {
        let start = self.at;
        if start == self.bytes.len() {
            return self.token(TokenKind::End, start);
        }
        if self.bytes.starts(start, b"{{{{") {
            if self.bytes.at(start + 4) == b'/' {
                let name_end = self.bytes.skip_name(start + 5);
                if name_end > start + 5 && self.bytes.starts(name_end, b"}}}}") {
                    self.at = name_end + 4;
                    if depth > 1 {
                        self.state = LexerState::Raw(depth - 1);
                        return self.token(TokenKind::RawText, start);
                    }
                    self.state = LexerState::Text;
                    return self.token(TokenKind::EndRaw, start);
                }
            } else if start + 4 < self.bytes.len() {
                self.at = start + 4;
                self.state = LexerState::Raw(depth + 1);
                return self.token(TokenKind::RawText, start);
            }
        }
        let nul = self.nul_from(start);
        match self.bytes.find(start + 1, b"{{{{") {
            Some(braces) if braces <= nul => {
                self.at = braces;
                self.token(TokenKind::RawText, start)
            }
            _ if nul < self.bytes.len() => spanned(TokenKind::LexicalNul, start, nul + 1),
            _ => spanned(TokenKind::LexicalRaw, start, self.bytes.len()),
        }
    }

    fn nul_from(&mut self, at: usize) -> usize {
        if self.next_nul < at {
            self.search_nul(at);
        }
        self.next_nul
    }

    fn search_nul(&mut self, at: usize) {
        let rest = self.bytes.from(at);
        self.next_nul = at + memchr(0, rest).unwrap_or(rest.len());
    }

    #[inline]
    fn take(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.at;
        self.at = start + length;
        self.token(kind, start)
    }

    fn close(&mut self, kind: TokenKind, start: usize, length: usize) -> Token {
        self.state = LexerState::Text;
        self.at = start + length;
        self.token(kind, start)
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        spanned(kind, start, self.at)
    }
}

fn spanned(kind: TokenKind, start: usize, end: usize) -> Token {
    Token::new(kind, TemplateSpan::new(start, end))
}
