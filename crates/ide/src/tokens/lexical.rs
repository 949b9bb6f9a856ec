//! The parts of a tag by their characters: what is between its names, and tags behind a syntax error.

use std::ops::Range;

use voxlint_template::BUILT_IN_HELPERS;

/// What a [`Token`](super::Token) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The braces around a mustache, with the sign of its kind: `{{#`.
    Delimiter,
    /// A helper that is built in, `else`, `as`, `this`, `true` and other words with a fixed meaning.
    Keyword,
    /// Any other helper, or a partial.
    Function,
    /// A template variable.
    Variable,
    /// A parameter of a block.
    Parameter,
    /// A name inside a value: `name` in `customer.name`, and the key of a named argument.
    Property,
    /// A string.
    String,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// Any other sign.
    Operator,
}

type Parts = Vec<(Range<usize>, TokenKind)>;

/// The words with a fixed meaning, besides the helpers that are built in.
const WORDS: [&str; 7] = ["else", "as", "this", "true", "false", "null", "undefined"];

/// Adds the signs that begin a tag, and takes them from the tag.
pub(super) fn start(text: &str, tag: &mut Option<Range<u32>>, parts: &mut Parts) {
    let Some(tag) = tag else { return };
    let source = text.get(tag.start as usize..tag.end as usize).unwrap_or_default();
    let signs = source.len() - source.trim_start_matches(is_opening).len();
    // `{{^}}` and `{{else}}` have nothing else.
    let from = tag.start as usize;
    parts.push((from..from + signs, TokenKind::Delimiter));
    tag.start += signs as u32;
}

/// Adds what is between two names.
pub(super) fn between(text: &str, range: Range<usize>, parts: &mut Parts) {
    let source = text.get(range.clone()).unwrap_or_default();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let from = range.start + source.len() - rest.len();
        let after = if first.is_whitespace() {
            rest.trim_start()
        } else if is_word(first) {
            rest.trim_start_matches(is_word)
        } else {
            rest.trim_start_matches(|sign: char| !sign.is_whitespace() && !is_word(sign))
        };
        if !first.is_whitespace() {
            let kind = if is_word(first) { TokenKind::Keyword } else { TokenKind::Operator };
            parts.push((from..from + rest.len() - after.len(), kind));
        }
        rest = after;
    }
}

/// Adds the rest of a tag with the signs that end it.
pub(super) fn end(text: &str, range: Range<usize>, parts: &mut Parts) {
    let source = text.get(range.clone()).unwrap_or_default();
    let before = source.trim_end_matches(['}', '~']);
    let at = range.start + before.len();
    between(text, range.start..at, parts);
    if at < range.end {
        parts.push((at..range.end, TokenKind::Delimiter));
    }
}

/// Adds the parts of the tags from an offset on, as far as their characters tell.
pub(super) fn rest(text: &str, offset: usize, parts: &mut Parts) {
    let mut lexer = Lexer { text, at: offset, parts, has_end: true, has_long_end: true };
    while let Some(found) = lexer.behind().find("{{") {
        let at = lexer.at + found;
        let is_escaped = text.get(..at).is_some_and(|before| before.ends_with('\\'));
        lexer.at = at;
        if is_escaped {
            lexer.at += 2;
        } else {
            lexer.tag();
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    parts: &'a mut Parts,
    /// Whether there may be another `}}`, and another `--}}`: each is looked for in vain only once.
    has_end: bool,
    has_long_end: bool,
}

impl<'a> Lexer<'a> {
    fn behind(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, length: usize, kind: TokenKind) {
        self.parts.push((self.at..self.at + length, kind));
        self.at += length;
    }

    fn tag(&mut self) {
        let behind = self.behind();
        let signs = behind.len() - behind.trim_start_matches(is_opening).len();
        if behind.get(signs..).is_some_and(|inner| inner.starts_with('!')) {
            return self.comment(signs);
        }
        self.push(signs, TokenKind::Delimiter);
        let mut is_after_dot = false;
        // A tag with a mistake ends with its line.
        while let Some(first) = self.behind().chars().next() {
            let behind = self.behind();
            let length = |after: &str| behind.len() - after.len();
            if behind.starts_with("}}") || behind.starts_with("~}}") {
                let after = behind.trim_start_matches(['}', '~']);
                return self.push(length(after), TokenKind::Delimiter);
            }
            if behind.starts_with("{{") || matches!(first, '\n' | '\r') {
                return;
            }
            if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if is_word(first) {
                let word = length(behind.trim_start_matches(is_word));
                let kind = kind_of(behind.get(..word).unwrap_or_default(), is_after_dot);
                self.push(word, kind);
            } else if let Some(string) = string(behind) {
                self.push(string, TokenKind::String);
            } else {
                self.push(first.len_utf8(), TokenKind::Operator);
            }
            is_after_dot = first == '.';
        }
    }

    fn comment(&mut self, signs: usize) {
        let behind = self.behind();
        let is_long = behind.get(signs..).is_some_and(|inner| inner.starts_with("!--"));
        let (marker, has_end) =
            if is_long { ("--}}", &mut self.has_long_end) } else { ("}}", &mut self.has_end) };
        let end = if *has_end { behind.find(marker) } else { None };
        *has_end = end.is_some();
        let line = || behind.find(['\n', '\r']).unwrap_or(behind.len());
        self.push(end.map_or_else(line, |end| end + marker.len()), TokenKind::Comment);
    }
}

/// The length of the string at the start of a text, on one line.
fn string(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let end = text.get(1..)?.find([quote, '\n', '\r', '}'])? + 1;
    text.get(end..)?.starts_with(quote).then_some(end + 1)
}

fn kind_of(word: &str, is_after_dot: bool) -> TokenKind {
    if is_after_dot {
        TokenKind::Property
    } else if WORDS.contains(&word) || BUILT_IN_HELPERS.contains(&word) {
        TokenKind::Keyword
    } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
        TokenKind::Number
    } else {
        TokenKind::Variable
    }
}

/// Whether a sign may begin a tag.
const fn is_opening(sign: char) -> bool {
    matches!(sign, '{' | '~' | '#' | '^' | '/' | '>' | '&' | '*')
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}
