//! The parts of mustaches by their characters, so that one that is half-written has them too, and so have those behind it.

use std::ops::Range;

use voxlint_template::BUILT_IN_HELPERS;

/// What a [`Token`](super::Token) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The braces around a mustache, with the sign of its kind: `{{#`.
    Delimiter,
    /// A helper that is built in, `else`, `as`, `this`, `true` and other words with a fixed meaning.
    Keyword,
    /// Any other word that is called with arguments, or a partial.
    Function,
    /// A template variable.
    Variable,
    /// A parameter of a block, where it is named.
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

/// The words with a fixed meaning, besides the helpers that are built in.
const WORDS: [&str; 7] = ["else", "as", "this", "true", "false", "null", "undefined"];

/// The parts of the mustaches of a template, in its order.
pub(super) fn parts(text: &str) -> Vec<(Range<usize>, TokenKind)> {
    let mut lexer = Lexer { text, at: 0, parts: Vec::new(), has_end: true, has_long_end: true };
    while let Some(found) = lexer.behind().find("{{") {
        lexer.at += found;
        if text.get(..lexer.at).is_some_and(|before| before.ends_with('\\')) {
            lexer.at += 2;
        } else {
            lexer.tag();
        }
    }
    lexer.parts
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    parts: Vec<(Range<usize>, TokenKind)>,
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
        let content = behind.trim_start_matches(is_opening);
        if content.starts_with('!') {
            return self.comment(content.starts_with("!--"));
        }
        let signs = behind.len() - content.len();
        let is_raw = behind.starts_with("{{{{") && !behind.starts_with("{{{{/");
        // A tag with a mistake ends with its line, or where the next one begins.
        let end = if self.has_end { content.find("}}") } else { None };
        self.has_end = end.is_some();
        let limit = content.find(if end.is_some() { "{{" } else { "\n" }).unwrap_or(content.len());
        let is_closed = end.is_some_and(|end| end < limit);
        self.push(signs, TokenKind::Delimiter);
        let is_partial = behind.get(..signs).is_some_and(|signs| signs.ends_with('>'));
        let mut before = if is_partial { '>' } else { '(' };
        let mut has_bar = false;
        while let Some(first) = self.behind().chars().next() {
            let behind = self.behind();
            if behind.starts_with("}}") || behind.starts_with("~}}") {
                let after = behind.trim_start_matches(['}', '~']);
                self.push(behind.len() - after.len(), TokenKind::Delimiter);
                break;
            }
            if behind.starts_with("{{") || (!is_closed && matches!(first, '\n' | '\r')) {
                return;
            }
            if first.is_whitespace() {
                self.at += first.len_utf8();
                continue;
            }
            let after = behind.trim_start_matches(is_word);
            if after.len() < behind.len() {
                let length = behind.len() - after.len();
                let word = behind.get(..length).unwrap_or_default();
                let kind =
                    if has_bar { TokenKind::Parameter } else { kind_of(word, before, after) };
                self.push(length, kind);
            } else if let Some(length) = quoted(behind, first) {
                let kind = match (first, before) {
                    ('[', '.') => TokenKind::Property,
                    ('[', _) => TokenKind::Variable,
                    _ => TokenKind::String,
                };
                self.push(length, kind);
            } else {
                has_bar ^= first == '|';
                self.push(first.len_utf8(), TokenKind::Operator);
            }
            before = first;
        }
        if is_raw {
            let rest = self.behind();
            self.at += rest.find("{{{{/").unwrap_or(rest.len());
        }
    }

    fn comment(&mut self, is_long: bool) {
        let behind = self.behind();
        let (marker, has_end) =
            if is_long { ("--}}", &mut self.has_long_end) } else { ("}}", &mut self.has_end) };
        let end = if *has_end { behind.find(marker) } else { None };
        *has_end = end.is_some();
        let line = || behind.find(['\n', '\r']).unwrap_or(behind.len());
        self.push(end.map_or_else(line, |end| end + marker.len()), TokenKind::Comment);
    }
}

/// The length of the string or the name in brackets at the start of a text, on one line.
fn quoted(text: &str, first: char) -> Option<usize> {
    let close = match first {
        '"' | '\'' => first,
        '[' => ']',
        _ => return None,
    };
    let end = text.get(1..)?.find([close, '\n', '\r', '}'])? + 1;
    text.get(end..)?.starts_with(close).then_some(end + 1)
}

/// What a word is, by the sign before it and the text behind it. A parenthesis is before the first word of a tag.
fn kind_of(word: &str, before: char, after: &str) -> TokenKind {
    let rest = after.trim_start();
    let has_arguments =
        rest.len() < after.len() && !rest.starts_with(['{', '}', '~', ')', '|', '=']);
    match before {
        '.' => TokenKind::Property,
        _ if after.starts_with('=') => TokenKind::Property,
        '@' => TokenKind::Keyword,
        _ if WORDS.contains(&word) || BUILT_IN_HELPERS.contains(&word) => TokenKind::Keyword,
        _ if word.bytes().all(|byte| byte.is_ascii_digit()) => TokenKind::Number,
        '>' => TokenKind::Function,
        '(' if has_arguments => TokenKind::Function,
        _ => TokenKind::Variable,
    }
}

/// Whether a sign may begin a tag.
const fn is_opening(sign: char) -> bool {
    matches!(sign, '{' | '~' | '#' | '^' | '/' | '>' | '&' | '*')
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}
