//! Objects and lists in brackets: JSON, the flow style of YAML, and values of TOML.

use voxlint::syntax::Span;

use super::lines::{byte, count, line_end, line_start, next_line, skip_spaces};
use super::parts::{
    At, Commas, Cursor, Key, Probe, Purpose, Quote, Step, Style, Value, unquoted, word_end,
};

/// How brackets are written in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Json,
    /// In YAML, with the column that the lines of the value have to reach: what is indented less is not inside.
    Yaml(usize),
    Toml,
}

impl Dialect {
    const fn style(self) -> Style {
        match self {
            Self::Json => Style::Json,
            Self::Yaml(_) => Style::YamlFlow,
            Self::Toml => Style::TomlInline,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Text { quote: Quote, is_closed: bool },
    Bare,
    OpenObject,
    OpenList,
    Close,
    Comma,
    Colon,
    Comment,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    span: Span,
    kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlowState {
    Key,
    Colon,
    Value,
    Comma,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Root,
    Object,
    List,
}

/// A container that has not been closed yet.
#[derive(Debug)]
struct Frame {
    container: Container,
    state: FlowState,
    /// The current name, and how many items came before the current one.
    name: Option<String>,
    index: usize,
    /// The names, or the texts of a list, with their places.
    words: Vec<(Span, String)>,
    /// The end of the last value.
    last_end: u32,
}

impl Frame {
    const fn new(container: Container) -> Self {
        let state =
            if matches!(container, Container::Object) { FlowState::Key } else { FlowState::Value };
        Self { container, state, name: None, index: 0, words: Vec::new(), last_end: 0 }
    }

    fn step(&self) -> Option<Step> {
        match self.container {
            Container::Root => None,
            Container::Object => self.name.clone().map(Step::Name),
            Container::List => Some(Step::Item(self.index)),
        }
    }
}

/// What is known about the place once it has been passed.
struct FlowPath {
    cursor: Cursor,
    /// The number of containers around it.
    depth: usize,
    word: Span,
    /// Whether what follows it has been seen.
    is_followed: bool,
    /// Whether the word that follows is the value here unless a colon follows that word.
    awaits_colon: bool,
}

/// The place in a text that is all in brackets.
pub(super) fn root(text: &str, probe: Probe) -> Option<Cursor> {
    let mut scanner = Scanner::new(text, 0, Dialect::Json, Vec::new(), Some(probe));
    scanner.frames.push(Frame::new(Container::Root));
    scanner.run();
    scanner.finish().1
}

/// Reads a value in brackets. Returns where the line after it begins, and the place if it is inside.
pub(super) fn value(
    text: &str,
    start: usize,
    dialect: Dialect,
    path: Vec<Step>,
    probe: Option<Probe>,
) -> (usize, Option<Cursor>) {
    let mut scanner = Scanner::new(text, start, dialect, path, probe);
    scanner.run();
    let is_cut_short = !scanner.frames.is_empty();
    let (end, found) = scanner.finish();
    let is_end = !is_cut_short || end >= text.len();
    (if is_end { next_line(text, end) } else { line_start(text, end) }, found)
}

struct Scanner<'t> {
    text: &'t str,
    dialect: Dialect,
    base: Vec<Step>,
    probe: Option<Probe>,
    at: usize,
    frames: Vec<Frame>,
    found: Option<FlowPath>,
    /// The words of the innermost container of the place, once it is closed.
    words: Option<Vec<(Span, String)>>,
}

impl<'t> Scanner<'t> {
    const fn new(
        text: &'t str,
        start: usize,
        dialect: Dialect,
        base: Vec<Step>,
        probe: Option<Probe>,
    ) -> Self {
        let frames = Vec::new();
        Self { text, dialect, base, probe, at: start, frames, found: None, words: None }
    }

    fn run(&mut self) {
        let mut is_first = true;
        while let Some(token) = self.token() {
            if self.ends_before(token) {
                let line = line_start(self.text, token.span.start as usize);
                self.gap(Span::at(line.saturating_sub(1) as u32));
                self.at = token.span.start as usize;
                return;
            }
            if !is_first || self.frames.last().is_some() {
                self.gap(token.span);
            }
            is_first = false;
            self.at = token.span.end as usize;
            self.take(token);
            if self.frames.is_empty() || self.is_done() {
                return;
            }
        }
        self.gap(Span::at(self.text.len() as u32));
        self.at = self.text.len();
    }

    /// Whether everything about the place is known, so that the rest need not be read. Only the whole text may be left.
    fn is_done(&self) -> bool {
        self.dialect == Dialect::Json && self.words.is_some()
    }

    /// Whether a token belongs to what follows a value whose bracket was never closed.
    fn ends_before(&self, token: Token) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        match self.dialect {
            Dialect::Json => false,
            Dialect::Toml => {
                if frame.state == FlowState::Colon || !self.begins_line(token.span.start) {
                    return false;
                }
                // A list has no keys, and an object that goes on has a comma.
                let start = token.span.start as usize;
                let line = self.text.get(start..line_end(self.text, start)).unwrap_or_default();
                is_header(line) || (frame.container == Container::List && is_assignment(line))
            }
            Dialect::Yaml(least) => {
                if token.kind == TokenKind::Close || !self.begins_line(token.span.start) {
                    return false;
                }
                // There is nothing but space before it in its line.
                let before = self.text.get(..token.span.start as usize).unwrap_or_default();
                let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
                column < least
            }
        }
    }

    fn begins_line(&self, offset: u32) -> bool {
        let before = self.text.get(..offset as usize).unwrap_or_default();
        let content = before.trim_end_matches([' ', '\t']);
        count(before.len() - content.len());
        content.ends_with('\n')
    }

    /// Looks at the space before a token.
    fn gap(&mut self, next: Span) {
        let Some(probe) = self.probe.filter(|_| self.found.is_none()) else { return };
        let Some(frame) = self.frames.last() else { return };
        if !probe.is_before(next.start) {
            return;
        }
        if probe.purpose == Purpose::Hover || probe.offset < self.at as u32 {
            self.find(At::Nothing, Span::at(probe.offset), None);
            return;
        }
        let word = Span::at(probe.offset);
        let commas = Commas {
            before: (frame.state == FlowState::Comma).then_some(frame.last_end),
            after: false,
        };
        let is_right_after = frame.state == FlowState::Comma && frame.last_end == probe.offset;
        let at = match (frame.container, frame.state) {
            _ if is_right_after => At::Nothing,
            (Container::Object, FlowState::Key | FlowState::Comma) => {
                At::Key(self.key(word, String::new(), commas))
            }
            (Container::List, FlowState::Comma) => {
                let mut step = frame.index;
                step += 1;
                let value = self.value(word, Quote::None, true, commas);
                self.find(At::Value(value), word, Some(&Step::Item(step)));
                return;
            }
            (_, FlowState::Value) => At::Value(self.value(word, Quote::None, true, commas)),
            _ => At::Nothing,
        };
        self.find(at, word, None);
    }

    fn key(&self, word: Span, name: String, commas: Commas) -> Key {
        let style = self.dialect.style();
        Key { word, name, has_value: false, others: Vec::new(), style, commas }
    }

    fn value(&self, word: Span, quote: Quote, is_closed: bool, commas: Commas) -> Value {
        let before = byte(self.text, (word.start as usize).wrapping_sub(1));
        let needs_space = matches!(before, Some(b':' | b'='));
        let mut inner = word;
        let length = match quote {
            Quote::None => 0,
            Quote::Double | Quote::Single => 1,
            Quote::Block => 3,
        };
        inner.start = (inner.start + length).min(inner.end);
        if is_closed {
            inner.end = inner.end.saturating_sub(length).max(inner.start);
        }
        let style = self.dialect.style();
        Value { word, inner, quote, style, commas, needs_space, column: None, others: Vec::new() }
    }

    /// Keeps the place.
    fn find(&mut self, at: At, word: Span, step: Option<&Step>) {
        let mut path = self.base.clone();
        let depth = self.frames.len();
        let is_key = matches!(at, At::Key(_));
        for (index, frame) in self.frames.iter().enumerate() {
            let is_last = index + 1 == depth;
            match (step, is_last) {
                (Some(step), true) => path.push(step.clone()),
                (None, true) if is_key => {}
                _ => path.extend(frame.step()),
            }
        }
        let cursor = Cursor { path, at };
        self.found =
            Some(FlowPath { cursor, depth, word, is_followed: false, awaits_colon: false });
    }

    fn take(&mut self, token: Token) {
        if token.kind == TokenKind::Comment {
            if let Some(probe) = self.probe.filter(|_| self.found.is_none())
                && probe.touches(token.span, false)
            {
                self.find(At::Comment(token.span), token.span, None);
            }
            return;
        }
        self.follow(token);
        match token.kind {
            TokenKind::Text { quote, is_closed } => self.word(token.span, quote, is_closed),
            TokenKind::Bare => self.word(token.span, Quote::None, false),
            TokenKind::OpenObject => self.frames.push(Frame::new(Container::Object)),
            TokenKind::OpenList => self.frames.push(Frame::new(Container::List)),
            TokenKind::Close => self.close(token.span.end),
            TokenKind::Comma => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.index += usize::from(frame.container == Container::List);
                    frame.state = Frame::new(frame.container).state;
                }
            }
            TokenKind::Colon => {
                if let Some(frame) = self.frames.last_mut()
                    && frame.container == Container::Object
                {
                    frame.state = FlowState::Value;
                }
            }
            TokenKind::Comment => {}
        }
    }

    /// Completes what is known about the place from the token after it.
    fn follow(&mut self, token: Token) {
        let Some(found) = self.found.as_mut() else { return };
        if std::mem::take(&mut found.awaits_colon) && token.kind != TokenKind::Colon {
            found.cursor.at = At::Nothing;
        }
        if found.is_followed {
            return;
        }
        if token.span.start < found.word.end {
            return;
        }
        found.is_followed = true;
        let begins_another = matches!(
            token.kind,
            TokenKind::Text { .. } | TokenKind::Bare | TokenKind::OpenObject | TokenKind::OpenList
        );
        match &mut found.cursor.at {
            At::Key(key) => {
                key.has_value = token.kind == TokenKind::Colon && !key.word.is_empty();
                key.commas.after = begins_another;
            }
            At::Value(value) => {
                value.commas.after = begins_another;
                let is_item = matches!(found.cursor.path.last(), Some(Step::Item(_)));
                if value.word.is_empty() && begins_another && !is_item {
                    if matches!(token.kind, TokenKind::OpenObject | TokenKind::OpenList) {
                        found.cursor.at = At::Nothing;
                    } else {
                        found.awaits_colon = true;
                    }
                }
            }
            _ => {}
        }
    }

    fn word(&mut self, span: Span, quote: Quote, is_closed: bool) {
        let source = span.slice(self.text);
        let Some(frame) = self.frames.last() else { return };
        let is_key = frame.container == Container::Object && frame.state != FlowState::Value;
        let commas = Commas {
            before: (frame.state == FlowState::Comma).then_some(frame.last_end),
            after: false,
        };
        let name = unquoted(source);
        if let Some(frame) = self.frames.last_mut() {
            if is_key || frame.container == Container::List {
                frame.words.push((span, name.clone()));
            }
            if is_key {
                frame.name = Some(name.clone());
                frame.state = FlowState::Colon;
            } else {
                frame.index += usize::from(
                    frame.container == Container::List && frame.state == FlowState::Comma,
                );
                frame.state = FlowState::Comma;
            }
            frame.last_end = span.end;
        }
        let Some(probe) = self.probe.filter(|_| self.found.is_none()) else { return };
        if !probe.touches(span, is_closed) {
            return;
        }
        let (mut span, mut is_closed) = (span, is_closed);
        if probe.purpose == Purpose::Completion && quote != Quote::None {
            let end = word_end(self.text, probe.offset, span.end);
            let rest = self.text.get(end as usize..span.end as usize).unwrap_or_default();
            if !is_closed || (is_key && rest.len() > 1) {
                // The quote that follows is not its own.
                span.end = end;
                is_closed = false;
            }
        }
        let at = if is_key {
            At::Key(self.key(span, name, commas))
        } else {
            At::Value(self.value(span, quote, is_closed, commas))
        };
        self.find(at, span, None);
    }

    fn close(&mut self, end: u32) {
        if self.frames.last().is_some_and(|frame| frame.container == Container::Root) {
            return;
        }
        let depth = self.frames.len();
        let closed = self.frames.pop();
        if self.found.as_ref().is_some_and(|found| found.depth == depth) && self.words.is_none() {
            self.words = closed.map(|frame| frame.words);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.state = FlowState::Comma;
            frame.last_end = end;
        }
    }

    fn finish(mut self) -> (usize, Option<Cursor>) {
        let Some(found) = self.found.take() else { return (self.at, None) };
        let open = self.frames.get(found.depth.wrapping_sub(1));
        let words = self.words.take().or_else(|| Some(open?.words.clone())).unwrap_or_default();
        let mut cursor = found.cursor;
        if found.awaits_colon {
            cursor.at = At::Nothing;
        }
        let others = || {
            let others = words
                .iter()
                .filter(|(span, _)| found.word.is_empty() || span.start != found.word.start);
            others.map(|(_, name)| name.clone()).collect()
        };
        match &mut cursor.at {
            At::Key(key) => key.others = others(),
            At::Value(value) => value.others = others(),
            _ => {}
        }
        (self.at, Some(cursor))
    }

    /// The next token.
    fn token(&self) -> Option<Token> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let start = self.at + rest.iter().take_while(blank).count();
        count(start - self.at);
        let first = byte(self.text, start)?;
        let one = |kind| Some((start + 1, kind));
        let (end, kind) = match first {
            b'{' => one(TokenKind::OpenObject),
            b'[' => one(TokenKind::OpenList),
            b'}' | b']' => one(TokenKind::Close),
            b',' => one(TokenKind::Comma),
            b':' if self.dialect != Dialect::Toml => one(TokenKind::Colon),
            b'=' if self.dialect == Dialect::Toml => one(TokenKind::Colon),
            b'"' | b'\'' => Some(self.quoted(start, first)),
            b'#' if self.dialect != Dialect::Json => {
                Some((line_end(self.text, start), TokenKind::Comment))
            }
            b'/' if self.dialect == Dialect::Json => match byte(self.text, start + 1) {
                Some(b'/') => Some((line_end(self.text, start), TokenKind::Comment)),
                Some(b'*') => {
                    let rest = self.text.get(start + 2..).unwrap_or_default();
                    let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
                    count(length);
                    Some((start + 2 + length, TokenKind::Comment))
                }
                _ => None,
            },
            _ => None,
        }
        .unwrap_or_else(|| (self.bare(start), TokenKind::Bare));
        Some(Token { span: Span::new(start as u32, end as u32), kind })
    }

    /// The end of a quoted text.
    fn quoted(&self, start: usize, quote: u8) -> (usize, TokenKind) {
        let least = match self.dialect {
            Dialect::Yaml(least) => Some(least),
            Dialect::Json | Dialect::Toml => None,
        };
        let is_toml = self.dialect == Dialect::Toml;
        quoted(self.text, start, quote, least, is_toml)
    }

    /// The end of a word without quotes. It has at least one character.
    fn bare(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        while let Some(byte) = bytes.get(end) {
            let after = bytes.get(end + 1);
            let is_end = matches!(byte, b'\n' | b'\r' | b',' | b'{' | b'}' | b'[' | b']')
                || match self.dialect {
                    Dialect::Json => {
                        matches!(byte, b' ' | b'\t' | b'"' | b':')
                            || (*byte == b'/' && matches!(after, Some(b'/' | b'*')))
                    }
                    Dialect::Toml => matches!(byte, b' ' | b'\t' | b'"' | b'=' | b'#'),
                    Dialect::Yaml(_) => match byte {
                        b':' => after.is_none_or(|it| b" \t\n\r,}".contains(it)),
                        b' ' | b'\t' => after == Some(&b'#'),
                        _ => false,
                    },
                };
            if is_end {
                break;
            }
            end += 1;
        }
        count(end - start);
        // Spaces at the end are not part of the word.
        while end > start + 1 && matches!(bytes.get(end - 1), Some(b' ' | b'\t')) {
            end -= 1;
        }
        end
    }
}

/// Whether a line is the header of a table.
fn is_header(line: &str) -> bool {
    let Some(name) = line.strip_prefix("[[").or_else(|| line.strip_prefix('[')) else {
        return false;
    };
    let Some((name, after)) = name.split_once(']') else { return false };
    let is_name = |part: &str| {
        let part = part.trim();
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    };
    name.split('.').all(is_name) && !after.contains(',')
}

/// Whether a line sets a key.
fn is_assignment(line: &str) -> bool {
    let Some((name, _)) = line.split_once('=') else { return false };
    let name = name.trim();
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'"');
    !name.is_empty() && name.bytes().all(is_name)
}

/// The end of a quoted text, and whether it is closed. In YAML, a line that does not reach the column `least` ends it.
pub(super) fn quoted_end(
    text: &str,
    start: usize,
    quote: u8,
    least: Option<usize>,
    is_toml: bool,
) -> (usize, Quote, bool) {
    match quoted(text, start, quote, least, is_toml) {
        (end, TokenKind::Text { quote, is_closed }) => (end, quote, is_closed),
        (end, _) => (end, Quote::None, false),
    }
}

fn quoted(
    text: &str,
    start: usize,
    quote: u8,
    least: Option<usize>,
    is_toml: bool,
) -> (usize, TokenKind) {
    let three = if quote == b'"' { "\"\"\"" } else { "'''" };
    if is_toml && text.get(start..).is_some_and(|rest| rest.starts_with(three)) {
        let (end, is_closed) = three_quotes(text, start + 3, quote);
        return (end, TokenKind::Text { quote: Quote::Block, is_closed });
    }
    let kind = |is_closed| {
        let quote = if quote == b'"' { Quote::Double } else { Quote::Single };
        TokenKind::Text { quote, is_closed }
    };
    // Only if it is not closed: a line may have thousands of texts.
    let first_line_end = || line_end(text, start);
    let mut at = start + 1;
    while let Some(next) = byte(text, at) {
        match next {
            b'\\' if quote == b'"' => {
                at += 2;
                // A backslash at the end of a line escapes the line break.
                if byte(text, at - 1) == Some(b'\n') && least.is_none() {
                    return (first_line_end(), kind(false));
                }
            }
            b'\'' if quote == b'\'' && least.is_some() && byte(text, at + 1) == Some(b'\'') => {
                at += 2;
            }
            _ if next == quote => return (at + 1, kind(true)),
            b'\n' => {
                let Some(least) = least else { return (first_line_end(), kind(false)) };
                let line = at + 1;
                let content = skip_spaces(text, line);
                let is_blank = matches!(byte(text, content), Some(b'\n' | b'\r'));
                if !is_blank && content - line < least {
                    return (first_line_end(), kind(false));
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    (first_line_end(), kind(false))
}

/// The end of a text in three quotes that begins at an offset, and whether it is closed.
fn three_quotes(text: &str, start: usize, quote: u8) -> (usize, bool) {
    let mut at = start;
    while let Some(next) = byte(text, at) {
        if next == b'\\' && quote == b'"' {
            at += 2;
        } else if next == quote {
            let rest = text.as_bytes().get(at..).unwrap_or_default();
            let run = rest.iter().take_while(|byte| **byte == quote).count();
            if run >= 3 {
                return (at + run.min(5), true);
            }
            at += run;
        } else {
            at += 1;
        }
    }
    let end = text.len();
    (end, false)
}
