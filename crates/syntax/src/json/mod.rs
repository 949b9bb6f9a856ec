//! The JSON parser.
//!
//! Valid JSON is read by `valid`, which is fast and knows no errors. Any other text is read by a state machine over the bytes,
//! with an explicit stack of open containers. Each state defines what may come next. Anything else is handled in `recover`,
//! which reports one error and finds a place to continue.

mod close;
mod fix;
mod message;
mod recover;
mod scan;
mod string;
mod valid;

pub(crate) use fix::propose;
pub(crate) use message::describe;

use scan::spaces;
use valid::expected_nodes;

use crate::conflict;
use crate::error::report_up_to;
use crate::tree::{FAULTY, INCOMPLETE, RawNode, Tag, Tree};
use crate::{
    Format, MAX_DEPTH, SharedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Unread,
};

/// The maximum number of missing brackets that are inserted by indentation.
const MAX_INSERTED_CLOSERS: usize = 8;

/// Parses a text in JSON or JSONC.
pub(crate) fn read(
    text: &SharedText,
    format: Format,
    max_errors: usize,
) -> (Tree, Vec<SyntaxError>, Vec<Unread>) {
    if let Some(valid) = valid::read(text) {
        let valid::Valid { nodes, is_as_written } = valid;
        let tree = Tree { nodes, is_as_written, ..Tree::of(text.clone()) };
        return (tree, Vec::new(), Vec::new());
    }
    let resolved = resolved(text);
    let reader = read_resolved(&resolved.text, format, max_errors);
    let Reader { nodes, mut errors, unread, .. } = reader;
    let mut tree = Tree { nodes, ..Tree::of(text.clone()) };
    tree.mark_incomplete_around(&resolved.replaced);
    errors.extend(resolved.errors);
    errors.sort_by_key(|error| (error.kind == ErrorKind::TooManyErrors, error.span));
    (tree, errors, unread)
}

/// JSON strings contain no line breaks, so a line that begins like a conflict marker is one.
fn resolved(text: &str) -> conflict::Resolved<'_> {
    conflict::resolve(text, b' ', |_| false)
}

/// Parses the text.
fn read_resolved(text: &str, format: Format, max_errors: usize) -> Reader<'_> {
    let start = |inserted_closers| {
        let mut reader = Reader::new(text, format, max_errors);
        reader.inserted_closers = inserted_closers;
        reader
    };
    let mut reader = start(Vec::new());
    reader.document();
    // If the indentation shows which container lacks its bracket, the text is parsed again with that bracket, so that
    // the rest gets its right place.
    for _ in 0..MAX_INSERTED_CLOSERS {
        let Some(place) = reader.missing_closer else { break };
        let mut known = reader.inserted_closers.clone();
        known.push(place);
        known.sort_unstable_by(|a, b| b.cmp(a));
        let mut again = start(known.clone());
        again.document();
        if again.weight() > reader.weight() || !again.inserted_closers.is_empty() {
            break;
        }
        again.inserted_closers = known;
        reader = again;
    }
    reader
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaiting {
    /// A value.
    Value,
    /// A value or the end of the array, which was just opened, or whose content after the last comma was skipped.
    FirstElement,
    /// A value after a comma.
    NextElement,
    /// A key or the end of the object, which was just opened, or whose content after the last comma was skipped.
    FirstKey,
    /// A key after a comma.
    NextKey,
    /// A comma or the end of the container.
    AfterValue,
    /// Nothing.
    Done,
}

struct Reader<'t> {
    text: &'t str,
    /// Whether comments and trailing commas are allowed.
    is_jsonc: bool,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<RawNode>,
    /// The numbers of the open containers.
    open: Vec<u32>,
    errors: Vec<SyntaxError>,
    /// The maximum number of errors in the list.
    max_errors: usize,
    unread: Vec<Unread>,
    state: Awaiting,
    /// The offset of the last comma, for the error about a trailing comma.
    last_comma: usize,
    /// The index in `errors` of the first comment.
    first_comment: Option<usize>,
    /// The last gap between two tokens that contains a comment.
    comment_gap: (usize, usize),
    /// The index in `errors` of the first character that only looks like white space.
    first_foreign_space: Option<usize>,
    /// The container that was opened as an array and contains keys.
    array_with_keys: Option<u32>,
    /// Whether the document begins with a key instead of a brace.
    lacks_opening_brace: bool,
    /// Whether a comment is unclosed.
    comment_is_open: bool,
    /// The last search for the end of a comment: where it started and what it found.
    comment_search: Option<(usize, Option<usize>)>,
    /// Offsets of keys before which a missing closing bracket is inserted, in descending order.
    inserted_closers: Vec<u32>,
    /// Another such offset, found at the end of the text.
    missing_closer: Option<u32>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, format: Format, max_errors: usize) -> Self {
        Self {
            text,
            is_jsonc: format == Format::Jsonc,
            bytes: text.as_bytes(),
            at: 0,
            nodes: Vec::with_capacity(expected_nodes(text)),
            open: Vec::new(),
            errors: Vec::new(),
            max_errors,
            unread: Vec::new(),
            state: Awaiting::Value,
            last_comma: 0,
            first_comment: None,
            comment_gap: (0, 0),
            first_foreign_space: None,
            array_with_keys: None,
            lacks_opening_brace: false,
            comment_is_open: false,
            comment_search: None,
            inserted_closers: Vec::new(),
            missing_closer: None,
        }
    }

    fn document(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.error(ErrorKind::ByteOrderMark, 0, 3);
            self.at = 3;
        }
        loop {
            self.skip_space();
            let Some(byte) = self.peek() else { break };
            match self.state {
                Awaiting::Value | Awaiting::FirstElement | Awaiting::NextElement => {
                    self.value(byte);
                }
                Awaiting::FirstKey | Awaiting::NextKey => self.member(byte),
                Awaiting::AfterValue => self.after_value(byte),
                Awaiting::Done => {
                    if byte == b':' && self.begins_with_name() {
                        continue;
                    }
                    self.trailing_text();
                    break;
                }
            }
        }
        self.end_of_text();
    }

    fn value(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.string(Tag::String);
                self.value_done();
            }
            b'{' => self.open_container(Tag::Object, Awaiting::FirstKey),
            b'[' => self.open_container(Tag::Array, Awaiting::FirstElement),
            b'-' | b'0'..=b'9' => {
                self.number();
                self.value_done();
            }
            b't' if self.literal("true", Tag::True) => {}
            b'f' if self.literal("false", Tag::False) => {}
            b'n' if self.literal("null", Tag::Null) => {}
            b']' if self.state == Awaiting::FirstElement => self.close(byte),
            _ => self.not_a_value(byte),
        }
    }

    fn member(&mut self, byte: u8) {
        if !self.inserted_closers.is_empty() && self.close_before_entry() {
            return;
        }
        match byte {
            b'"' => {
                self.string(Tag::Key);
                self.colon();
            }
            b'}' if self.state == Awaiting::FirstKey => self.close(byte),
            _ => self.not_a_key(byte),
        }
    }

    fn after_value(&mut self, byte: u8) {
        match byte {
            b',' => self.comma(),
            b'}' | b']' => self.close(byte),
            _ => self.not_a_comma(byte),
        }
    }

    fn comma(&mut self) {
        self.last_comma = self.at;
        self.at += 1;
        self.state = if self.in_object() { Awaiting::NextKey } else { Awaiting::NextElement };
    }

    /// After a key: the colon, and then a value.
    fn colon(&mut self) {
        self.skip_space();
        if self.peek() == Some(b':') {
            self.at += 1;
            self.state = Awaiting::Value;
        } else {
            self.not_a_colon();
        }
    }

    fn open_container(&mut self, tag: Tag, inside: Awaiting) {
        if self.open.len() >= MAX_DEPTH {
            self.too_deep();
            return;
        }
        self.open.push(self.nodes.len() as u32);
        self.push(tag, self.at, self.at + 1, 0);
        self.at += 1;
        self.state = inside;
    }

    /// Selects the state after a value.
    fn value_done(&mut self) {
        self.state = if self.open.is_empty() { Awaiting::Done } else { Awaiting::AfterValue };
    }

    /// Parses `true`, `false` or `null`, if the whole word is there.
    fn literal(&mut self, word: &str, tag: Tag) -> bool {
        let end = self.at + word.len();
        let is_there = self.bytes.get(self.at..end) == Some(word.as_bytes()) && !self.goes_on(end);
        if is_there {
            self.push(tag, self.at, end, 0);
            self.at = end;
            self.value_done();
        }
        is_there
    }

    fn number(&mut self) {
        let start = self.at;
        let end = self.number_end(start);
        // A hyphen inside is part of one value, such as a date or a telephone number.
        let goes_on = self.goes_on(end) || self.bytes.get(end) == Some(&b'-');
        if end > start && !goes_on {
            self.push(Tag::Number, start, end, 0);
            self.at = end;
        } else {
            self.not_a_number(start);
        }
    }

    /// Whether a number or a word continues after the end of its grammar.
    fn goes_on(&self, end: usize) -> bool {
        self.bytes.get(end).is_some_and(|byte| {
            (is_word(*byte) || *byte == b'.' || *byte == b'+')
                && (*byte < 0x80 || self.foreign_space(end) == 0)
        })
    }

    /// The end of the number that begins here, or its start if there is no valid number.
    fn number_end(&self, start: usize) -> usize {
        let digits = |from: usize| {
            self.bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count()
        };
        let whole = if self.bytes.get(start) == Some(&b'-') { start + 1 } else { start };
        let count = digits(whole);
        if count == 0 || (count > 1 && self.bytes.get(whole) == Some(&b'0')) {
            return start;
        }
        let mut end = whole + count;
        if self.bytes.get(end) == Some(&b'.') {
            match digits(end + 1) {
                0 => return start,
                count => end += 1 + count,
            }
        }
        if matches!(self.bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.bytes.get(end + 1), Some(b'+' | b'-')));
            match digits(end + 1 + sign) {
                0 => return start,
                count => end += 1 + sign + count,
            }
        }
        end
    }

    #[inline]
    fn skip_space(&mut self) {
        // Usually there is none, or one space, or a line break and a few spaces.
        match self.peek() {
            Some(b'!'..=b'"' | b'$'..=b'.' | b'0'..=0x7f) => {}
            _ => self.skip_more_space(),
        }
    }

    fn skip_more_space(&mut self) {
        let start = self.at;
        if self.skip_space_and_comments() {
            self.comment_gap = (start, self.at);
        }
    }

    /// Skips white space and comments. Returns whether there was anything but white space.
    fn skip_space_and_comments(&mut self) -> bool {
        let mut at = self.at;
        let mut is_more = false;
        loop {
            match self.bytes.get(at) {
                Some(b' ' | b'\n') => at += 1 + spaces(self.bytes, at + 1),
                Some(b'\r' | b'\t') => at += 1,
                Some(b'/' | b'#' | 0x0b | 0x0c | 0x80..) => {
                    self.at = at;
                    if !self.comment() && !self.skip_foreign_space() {
                        return is_more;
                    }
                    at = self.at;
                    is_more = true;
                }
                _ => {
                    self.at = at;
                    return is_more;
                }
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn push(&mut self, tag: Tag, start: usize, end: usize, flags: u8) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(RawNode {
            start: start as u32,
            end: end as u32,
            next,
            tag,
            flags,
            name_id: 0,
        });
    }

    /// Adds an invalid or missing value.
    fn push_invalid(&mut self, start: usize, end: usize) {
        self.push(Tag::Invalid, start, end, FAULTY);
    }

    fn in_object(&self) -> bool {
        self.innermost().is_some_and(|container| container.tag == Tag::Object)
    }

    fn innermost(&self) -> Option<&RawNode> {
        self.nodes.get(*self.open.last()? as usize)
    }

    /// Marks the innermost container: some of its content was skipped.
    fn mark_incomplete(&mut self) {
        if let Some(container) = self.open.last()
            && let Some(node) = self.nodes.get_mut(*container as usize)
        {
            node.flags |= INCOMPLETE;
        }
    }

    /// The number of errors, counting every unclosed container.
    fn weight(&self) -> usize {
        let open = self.errors.iter().filter(|error| error.kind == ErrorKind::Unclosed);
        self.errors.len() + open.map(|error| error.more as usize).sum::<usize>()
    }

    fn error(&mut self, kind: ErrorKind, start: usize, end: usize) {
        self.report(SyntaxError::new(kind, Span::of(start, end)));
    }

    fn report(&mut self, error: SyntaxError) {
        report_up_to(self.max_errors, &mut self.errors, error);
    }
}

/// Whether a byte continues a word or a number.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
