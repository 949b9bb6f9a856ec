//! The lexer's rules outside tags: text, escaped openers, long comments, raw blocks.

use memchr::memchr;

use crate::{
    lexer::{Lexer, State, spanned},
    scan::step,
    token::{Kind, Token},
};

impl Lexer<'_> {
    pub(crate) fn text(&mut self) -> Option<Token> {
        let start = self.at;
        if start == self.bytes.len() {
            return Some(self.token(Kind::End, start));
        }
        let nul = self.nul_from(start);
        let found = self.find_braces(start);
        match found {
            Some(braces) if braces < nul => {
                self.at = braces;
                let content = self.bytes.0.get(start..braces).unwrap_or_default();
                if content.ends_with(b"\\\\") {
                    self.state = State::Tag;
                    Some(self.token(Kind::TextSlash, start))
                } else if content.ends_with(b"\\") {
                    self.state = State::Escaped;
                    (content.len() > 1).then(|| spanned(Kind::Text, start, braces - 1))
                } else {
                    self.state = State::Tag;
                    (!content.is_empty()).then(|| self.token(Kind::Text, start))
                }
            }
            _ if nul == start => Some(spanned(Kind::LexicalNul, nul, nul + 1)),
            _ => {
                self.at = nul;
                Some(self.token(Kind::Text, start))
            }
        }
    }

    /// The place of the next two braces. Most braces of a template come in twos, so the first one is looked for alone
    /// before the search that is faster over long text.
    fn find_braces(&self, start: usize) -> Option<usize> {
        let rest = self.bytes.from(start);
        let Some(first) = memchr(b'{', rest) else {
            step(rest.len());
            return None;
        };
        step(first);
        if self.bytes.at(start + first + 1) == b'{' {
            return Some(start + first);
        }
        let from = start + first + 1;
        let found = self.braces.find(self.bytes.from(from));
        step(found.unwrap_or(self.bytes.len() - from));
        found.map(|offset| from + offset)
    }

    /// The text after an escaped opener: at least its two braces, up to the next opener with its backslashes.
    pub(crate) fn escaped(&mut self) -> Token {
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
            return spanned(Kind::LexicalNul, start, nul + 1);
        }
        self.at = end;
        self.state = State::Text;
        self.token(Kind::TextEscaped, start - 1)
    }

    pub(crate) fn long_comment(&mut self) -> Token {
        let start = self.at;
        // The two dashes that open a comment may also be those that close it.
        let mut from = start + if self.bytes.at(start + 2) == b'~' { 4 } else { 3 };
        while let Some(dashes) = self.bytes.find(from, b"--") {
            let braces = dashes + 2 + usize::from(self.bytes.at(dashes + 2) == b'~');
            if self.bytes.starts(braces, b"}}") {
                self.at = braces + 2;
                self.state = State::Text;
                return self.token(Kind::Comment, start);
            }
            from = dashes + 1;
        }
        spanned(Kind::LexicalComment, start, self.bytes.len())
    }

    pub(crate) fn raw(&mut self, depth: u32) -> Token {
        let start = self.at;
        if start == self.bytes.len() {
            return self.token(Kind::End, start);
        }
        if self.bytes.starts(start, b"{{{{") {
            if self.bytes.at(start + 4) == b'/' {
                let name_end = self.bytes.skip_name(start + 5);
                if name_end > start + 5 && self.bytes.starts(name_end, b"}}}}") {
                    self.at = name_end + 4;
                    if depth > 1 {
                        self.state = State::Raw(depth - 1);
                        return self.token(Kind::RawText, start);
                    }
                    self.state = State::Text;
                    return self.token(Kind::EndRaw, start);
                }
            } else if start + 4 < self.bytes.len() {
                self.at = start + 4;
                self.state = State::Raw(depth + 1);
                return self.token(Kind::RawText, start);
            }
        }
        let nul = self.nul_from(start);
        match self.bytes.find(start + 1, b"{{{{") {
            Some(braces) if braces <= nul => {
                self.at = braces;
                self.token(Kind::RawText, start)
            }
            _ if nul < self.bytes.len() => spanned(Kind::LexicalNul, start, nul + 1),
            _ => spanned(Kind::LexicalRaw, start, self.bytes.len()),
        }
    }

    fn nul_from(&mut self, at: usize) -> usize {
        if self.next_nul < at {
            self.search_nul(at);
        }
        self.next_nul
    }

    pub(crate) fn search_nul(&mut self, at: usize) {
        let rest = self.bytes.from(at);
        let found = memchr(0, rest).unwrap_or(rest.len());
        step(found);
        self.next_nul = at + found;
    }
}
