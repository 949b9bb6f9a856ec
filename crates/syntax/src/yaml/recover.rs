//! Error recovery: what is wrong where the library stopped, and which characters to skip.

use super::delimiters::{OpenDelimiters, closing_quote};
use super::events::{Event, FailureKind, ParseFailure, SpannedEvent, Style};
use super::flow_scalar::escaped;
use super::lines::{Line, colon, line_at, looks_like_entry, tabbed_lines, trimmed};
use crate::description::CURLY;
use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// The state of the parser when it stopped.
#[derive(Clone, Debug)]
pub(super) struct ParserState {
    /// The start of the document.
    from: u32,
    /// The end of the last value or indicator.
    after: u32,
    /// The last value, if it is a plain scalar.
    plain: Option<Span>,
    /// The open containers, with the offset of the bracket of flow containers.
    open: Vec<Option<u32>>,
}

impl ParserState {
    pub(super) const fn new(from: u32) -> Self {
        Self { from, after: from, plain: None, open: Vec::new() }
    }

    /// Records an event.
    pub(super) fn pass(&mut self, item: &SpannedEvent<'_>) {
        self.plain = None;
        match item.event {
            // For a document without `---`, the library reports the start of its first text.
            Event::Begin { explicit: false } => return,
            Event::Open { .. } => {
                self.open.push((!item.span.is_empty()).then_some(item.span.start));
            }
            Event::Close => {
                self.open.pop();
            }
            Event::Scalar { style: Style::Plain, .. } => self.plain = Some(item.span),
            _ => {}
        }
        self.after = self.after.max(item.span.end);
    }

    /// What is open at an offset.
    fn open_delimiters(&self, text: &str, at: usize) -> OpenDelimiters {
        let bracket = self.open.iter().flatten().next().map(|at| *at as usize);
        OpenDelimiters::find(text, self.after as usize, at, bracket)
    }
}

/// An error to report, and the text to skip.
#[derive(Debug)]
pub(super) struct RecoveryStep {
    pub(super) error: Option<SyntaxError>,
    pub(super) masks: Vec<Span>,
}

impl RecoveryStep {
    fn new(kind: ErrorKind, span: Span, mask: Span) -> Self {
        Self { error: Some(SyntaxError::new(kind, span)), masks: vec![mask] }
    }
}

/// What previous steps have skipped.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    /// The end of the last skipped part.
    last: Option<u32>,
}

impl Recovery {
    /// The next step. `text` has the masks, `original` does not.
    pub(super) fn step(
        &mut self,
        text: &str,
        original: &str,
        failure: ParseFailure,
        state: &ParserState,
    ) -> RecoveryStep {
        let at = failure.at as usize;
        let mut step = match failure.kind {
            FailureKind::Escape => escapes(text, at),
            FailureKind::OpenQuote | FailureKind::AfterQuote => quote(text, at, state),
            FailureKind::Indentation | FailureKind::Entry
                if state.open_delimiters(text, at).has_open_quote(at) =>
            {
                quote(text, at, state)
            }
            FailureKind::OpenBracket => brackets(text, failure, state),
            FailureKind::StrayBracket => {
                let span = character(text, at);
                RecoveryStep::new(ErrorKind::StrayClose, span, span)
            }
            FailureKind::Tab => {
                tabs(text, at).unwrap_or_else(|| invalid_line(text, failure, state))
            }
            FailureKind::AfterEnd => {
                let rest = text.get(at..).unwrap_or_default();
                let length = rest.find("\n---").unwrap_or(rest.len());
                let is_entry = looks_like_entry(line_at(text, at).text(text));
                let kind = match word(text, at).len() {
                    0 => ErrorKind::NotYaml,
                    _ if is_entry => ErrorKind::Indentation,
                    _ => ErrorKind::TrailingText,
                };
                RecoveryStep::new(kind, word(text, at), trimmed(text, at, at + length))
            }
            _ => invalid_line(text, failure, state),
        };
        if let Some(mask) = step.masks.last() {
            // A vague error right after a skipped part is probably a consequence.
            let is_next = self.last.is_some_and(|last| {
                last <= mask.start && Span::new(last, mask.start).slice(text).trim().is_empty()
            });
            let is_vague = |error: &SyntaxError| {
                matches!(
                    error.kind,
                    ErrorKind::NotYaml
                        | ErrorKind::Indentation
                        | ErrorKind::MissingColon
                        | ErrorKind::UnindentedText
                )
            };
            step.error = step.error.filter(|error| !(is_next && is_vague(error)));
            self.last = Some(mask.end);
        }
        if let Some(error) = &mut step.error {
            value_without_quotes(text, error);
        }
        step.inside(original)
    }
}

/// A bracket is not closed, or closed by one of another kind.
fn brackets(text: &str, failure: ParseFailure, state: &ParserState) -> RecoveryStep {
    let at = failure.at as usize;
    let span = character(text, at);
    if span.slice(text) == "," {
        return RecoveryStep::new(ErrorKind::ExtraComma, span, span);
    }
    let first = state.open_delimiters(text, at).bracket.unwrap_or(at).min(at);
    let line = line_at(text, first);
    let mut end = line.block_end(text, line.indent);
    let after = line_at(text, end + 1);
    let closes = after.text(text).trim_start().starts_with([']', '}']);
    if after.start > line.start && closes && after.indent == line.indent {
        end = after.end;
    }
    RecoveryStep::new(ErrorKind::Unclosed, span, trimmed(text, first, end))
}

/// A line is invalid.
fn invalid_line(text: &str, failure: ParseFailure, state: &ParserState) -> RecoveryStep {
    let line = last_with_text(text, (failure.at as usize).max(state.from as usize));
    let at = (failure.at as usize).clamp(line.start, line.end);
    let invalid = InvalidLine { line, at, failure: failure.kind };
    match state.open_delimiters(text, at).bracket {
        Some(bracket) => line_in_brackets(text, invalid, bracket, state),
        None if line.is_indented_by_tabs(text) => {
            tabs(text, line.start).unwrap_or_else(|| block_line(text, invalid, state))
        }
        None => block_line(text, invalid, state),
    }
}

/// A line inside brackets is invalid, or the first one after brackets that are not closed. The brackets are skipped.
fn line_in_brackets(
    text: &str,
    invalid: InvalidLine,
    bracket: usize,
    state: &ParserState,
) -> RecoveryStep {
    let InvalidLine { line, at, failure } = invalid;
    let opening = line_at(text, bracket);
    let is_outside = opening.start < line.start && line.indent <= opening.indent;
    let closer = line.start + line.indent;
    let is_closed = text.get(closer..).is_some_and(|rest| rest.starts_with([']', '}']));
    if failure == FailureKind::Indentation && is_outside && is_closed {
        // The brackets are closed, but the closing bracket is not indented.
        let mask = trimmed(text, bracket, line.end);
        return RecoveryStep::new(ErrorKind::Indentation, character(text, closer), mask);
    }
    if failure == FailureKind::Indentation && is_outside || failure == FailureKind::Entry {
        // This line is not part of the brackets, so they are unclosed.
        let end = if is_outside { line.start } else { opening.block_end(text, opening.indent) };
        let mask = trimmed(text, bracket, end);
        return RecoveryStep::new(ErrorKind::Unclosed, character(text, bracket), mask);
    }
    let end = opening.block_end(text, opening.indent).max(line.end);
    let mask = trimmed(text, bracket, end);
    let is_comma_missing = matches!(failure, FailureKind::Separator | FailureKind::Colon);
    if let Some(plain) = state.plain.filter(|_| is_comma_missing) {
        let first = line_at(text, plain.start as usize);
        if first.start < line_at(text, at).start {
            // The value continues on the next line, because its comma is missing.
            let end = trimmed(text, plain.start as usize, first.end).end;
            return RecoveryStep::new(ErrorKind::MissingComma, Span::at(end), mask);
        }
    }
    RecoveryStep::new(ErrorKind::NotYaml, word(text, at), mask)
}

/// An invalid line.
#[derive(Clone, Copy)]
struct InvalidLine {
    line: Line,
    /// The offset of the error.
    at: usize,
    failure: FailureKind,
}

impl RecoveryStep {
    /// Moves the span of the error to character boundaries of the text.
    fn inside(mut self, original: &str) -> Self {
        if let Some(error) = &mut self.error {
            let boundary = |at: u32| {
                let at = (at as usize).min(original.len());
                (0..=at).rev().find(|at| original.is_char_boundary(*at)).unwrap_or(0) as u32
            };
            let start = boundary(error.span.start);
            error.span = Span::new(start, boundary(error.span.end).max(start));
        }
        self
    }
}

/// Changes the error if its real cause is a value without quotes or in curly quotes.
fn value_without_quotes(text: &str, error: &mut SyntaxError) {
    let at = error.span.start as usize;
    let line = line_at(text, at);
    let Some((_, value)) = line.value(text, at) else { return };
    let value = trimmed(text, value, line.end);
    let said = value.slice(text);
    if said.starts_with("{{") || is_cut_off(said, text.get(value.start as usize..at), error.kind) {
        *error = SyntaxError::new(ErrorKind::UnquotedTemplate, value);
    } else if said.starts_with(CURLY) && error.span.start >= value.start {
        *error = SyntaxError::new(ErrorKind::CurlyQuotes, character(text, value.start as usize));
    }
}

/// Whether a value is text that begins like a list, a mapping or an alias: `[pause] hello`. `before` is the part of the
/// value before the error.
fn is_cut_off(value: &str, before: Option<&str>, kind: ErrorKind) -> bool {
    let Some(before) = before.map(str::trim_end).filter(|it| !it.is_empty()) else { return false };
    if kind != ErrorKind::NotYaml {
        return false;
    }
    if value.starts_with('*') {
        return !before.contains(char::is_whitespace);
    }
    let mut depth = 0_usize;
    let end = before.find(|c: char| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    value.starts_with(['[', '{']) && end.is_some_and(|end| end + 1 == before.len())
}

/// The colon of a line that lacks the space after it: `title:Claims`.
fn colon_without_space(text: &str, line: Line) -> Option<Span> {
    let start = line.start + line.indent;
    let body = text.get(start..line.end)?;
    let body = body.strip_prefix("- ").unwrap_or(body).trim_start();
    let start = line.end - body.len();
    let (name, rest) = body.split_once(':')?;
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let is_value = !rest.is_empty() && !rest.starts_with(|c: char| c.is_whitespace() || c == '/');
    (is_name && is_value).then(|| Span::of(start + name.len(), start + name.len() + 1))
}

/// Whether a line follows a block scalar or its header without being indented.
fn leaves_block(text: &str, line: Line) -> bool {
    let mut before = line;
    while before.start > 0 {
        before = line_at(text, before.start - 1);
        let body = before.text(text).trim();
        if body.is_empty() || before.indent > line.indent {
            continue;
        }
        let header = body.rsplit([' ', ':']).next().unwrap_or_default();
        return header.starts_with(['|', '>']) && colon(body).is_some();
    }
    false
}

/// The error of a line that lacks the colon of a key.
fn no_colon(text: &str, line: Line) -> SyntaxError {
    if let Some(colon) = colon_without_space(text, line) {
        return SyntaxError::new(ErrorKind::MissingSpace, colon);
    }
    let whole = trimmed(text, line.start, line.end);
    if leaves_block(text, line) {
        return SyntaxError::new(ErrorKind::UnindentedText, word(text, whole.start as usize));
    }
    SyntaxError::new(ErrorKind::MissingColon, Span::at(whole.end))
}

/// A line outside brackets is invalid.
fn block_line(text: &str, invalid: InvalidLine, state: &ParserState) -> RecoveryStep {
    let InvalidLine { line, at, failure } = invalid;
    let whole = trimmed(text, line.body(text), line.block_end(text, line.indent));
    if failure == FailureKind::NoColon {
        return RecoveryStep { error: Some(no_colon(text, line)), masks: vec![whole] };
    }
    if let (FailureKind::Colon, Some(plain)) = (failure, state.plain) {
        let first = line_at(text, plain.start as usize);
        if first.start < line.start {
            if first.indent < line.indent {
                return RecoveryStep::new(
                    ErrorKind::Indentation,
                    word(text, whole.start as usize),
                    whole,
                );
            }
            // A line without a colon, continued on the next line.
            let mask = trimmed(text, plain.start as usize, line.start);
            return RecoveryStep { error: Some(no_colon(text, first)), masks: vec![mask] };
        }
    }
    // An error in the middle of a line is not about its indentation.
    let failure = match failure {
        FailureKind::Indentation if at > whole.start as usize + 2 => FailureKind::Other,
        failure => failure,
    };
    let (kind, span) = match failure {
        FailureKind::Colon => (ErrorKind::NameInValue, character(text, at)),
        FailureKind::Indentation => (ErrorKind::Indentation, word(text, whole.start as usize)),
        FailureKind::Tab => (ErrorKind::TabIndentation, character(text, at)),
        FailureKind::Character(_) => (ErrorKind::NotYaml, character(text, at)),
        _ => (ErrorKind::NotYaml, word(text, at)),
    };
    let mask = match line.value(text, at) {
        // The key stays, and only its value is skipped.
        Some((column, value)) if failure != FailureKind::Indentation => {
            trimmed(text, value, line.block_end(text, column))
        }
        _ => whole,
    };
    let mask = if mask.is_empty() { whole } else { mask };
    RecoveryStep::new(kind, span, mask)
}

/// An unclosed quote, or text after a closing quote.
fn quote(text: &str, at: usize, state: &ParserState) -> RecoveryStep {
    let opened = state.open_delimiters(text, at);
    let found = opened.quote.or_else(|| {
        let before = text.get(state.after as usize..at)?;
        before.find(['"', '\'']).map(|quote| (state.after as usize + quote, None))
    });
    let Some((start, close)) = found else {
        let line = last_with_text(text, at);
        let mask = trimmed(text, line.start, line.end);
        return RecoveryStep::new(ErrorKind::NotYaml, word(text, at), mask);
    };
    let line = line_at(text, start);
    let from = opened.bracket.filter(|bracket| *bracket >= line.start).unwrap_or(start);
    let rest = trimmed(text, start, line.end);
    match close {
        Some(close) if close < line.end && at > close => {
            let (column, _) = line.value(text, start).unwrap_or((line.indent, start));
            let mask = trimmed(text, from, line.block_end(text, column));
            let close = character(text, close);
            let is_inside =
                opened.bracket.is_some() || rest.slice(text).ends_with(close.slice(text));
            let kind = if is_inside { ErrorKind::QuoteInString } else { ErrorKind::TextAfterQuote };
            RecoveryStep::new(kind, close, mask)
        }
        // The text is closed, but its lines are not indented enough.
        Some(close) if !has_entry(text, line.end, close) && at <= close => {
            let mask = trimmed(text, from, line_at(text, close).end);
            let bad = line_at(text, at);
            RecoveryStep::new(ErrorKind::Indentation, word(text, bad.start + bad.indent), mask)
        }
        _ => RecoveryStep::new(ErrorKind::UnclosedString, rest, trimmed(text, from, line.end)),
    }
}

/// Whether one of the lines after an offset looks like a name and a value.
fn has_entry(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).unwrap_or_default().lines().any(looks_like_entry)
}

/// Invalid escapes in the double quotes that open at an offset.
fn escapes(text: &str, open: usize) -> RecoveryStep {
    let bytes = text.as_bytes();
    let end = closing_quote(bytes, open, b'"').unwrap_or(text.len());
    let mut wrong: Vec<(Span, ErrorKind)> = Vec::new();
    let mut at = open;
    while let Some(found) = bytes.get(at..end).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found;
        let rest = text.get(at..end).unwrap_or_default();
        if matches!(rest.as_bytes().get(1), Some(b'\n' | b'\r')) {
            at += 2;
        } else if let Some((_, length)) = escaped(rest) {
            at += length;
        } else {
            let is_half = crate::text::code_unit(rest.as_bytes()).is_some();
            let kind = if is_half { ErrorKind::LoneSurrogate } else { ErrorKind::UnknownEscape };
            let length = rest.chars().skip(1).take(if is_half { 5 } else { 1 });
            let length = 1 + length.map(char::len_utf8).sum::<usize>();
            wrong.push((Span::of(at, at + length), kind));
            at += 1;
        }
    }
    let masks = wrong.iter().map(|(span, _)| Span::new(span.start, span.start + 1)).collect();
    let Some((span, kind)) = wrong.first() else {
        let line = line_at(text, open);
        return RecoveryStep::new(
            ErrorKind::NotYaml,
            word(text, open),
            trimmed(text, open, line.end),
        );
    };
    let more = wrong.len() as u32 - 1;
    let error = SyntaxError { more, ..SyntaxError::new(*kind, *span) };
    RecoveryStep { error: Some(error), masks }
}

/// The tabs that indent a line and the lines after it. If the line before them already has a value, nothing can be
/// indented below it, and these lines are skipped.
fn tabs(text: &str, at: usize) -> Option<RecoveryStep> {
    let here = line_at(text, at);
    let line = if here.is_indented_by_tabs(text) { here } else { line_at(text, here.next) };
    let before = last_with_text(text, line.start.saturating_sub(1));
    let opens = before.text(text).trim_end();
    let opens = opens.ends_with([':', '-', '|', '>', '+', '[', '{', ',']);
    let (lines, tabs) = tabbed_lines(text, line);
    let error = SyntaxError::new(ErrorKind::TabIndentation, *tabs.first()?);
    Some(RecoveryStep { error: Some(error), masks: if opens { tabs } else { lines } })
}

/// The line at an offset, or the last line before it that is not empty.
fn last_with_text(text: &str, at: usize) -> Line {
    let mut line = line_at(text, at);
    if line.text(text).trim().is_empty() {
        let before = text.get(..line.start).unwrap_or_default();
        line = line_at(text, before.trim_end().len().saturating_sub(1));
    }
    line
}

/// The span of the character at an offset; empty at the end of the text.
fn character(text: &str, at: usize) -> Span {
    let length = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    Span::of(at, at + length)
}

/// The span from an offset up to white space.
fn word(text: &str, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or_default();
    Span::of(at, at + rest.find(char::is_whitespace).unwrap_or(rest.len()))
}
