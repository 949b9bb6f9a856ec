//! The JSON reader.
//!
//! One pass over the bytes, with the open containers on a stack of its own. Each state names what may come next; what
//! comes instead is handed to `recover`, which reports one fault and finds the place to go on from.

mod close;
mod message;
mod recover;
mod string;

pub(crate) use message::message;

use std::sync::Arc;

use crate::conflict;
use crate::error::report;
use crate::tree::{FAULTY, INCOMPLETE, RawNode, Tag, Tree};
use crate::{Format, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Unread};

/// How deep containers may be nested before the reader passes over what is inside. JSON itself sets no limit.
pub const MAX_DEPTH: usize = 512;

/// How many faults of one text are listed. The last entry says how many there are beyond.
pub const MAX_ERRORS: usize = 100;

/// How many lost brackets are looked for by their indentation.
const REREADS: usize = 8;

/// Reads a text in JSON or JSONC.
pub(crate) fn read(text: &Arc<str>, format: Format) -> (Tree, Vec<SyntaxError>, Vec<Unread>) {
    if u32::try_from(text.len()).is_err() {
        let error = SyntaxError::new(ErrorKind::TooLarge, Span::at(0));
        return (Tree::default(), vec![error], Vec::new());
    }
    // A string of JSON has no line breaks, so a line that begins like a conflict marker is one.
    let resolved = conflict::resolve(text, |_| false);
    let mut reader = Reader::new(&resolved.text, format);
    reader.document();
    // Where the indentation tells which container has lost its bracket, the text is read again with that in mind, so that
    // what comes after is found where it belongs.
    for _ in 0..REREADS {
        let Some(place) = reader.missing_closer else { break };
        let mut again = Reader::new(&resolved.text, format);
        again.inserted_closers.clone_from(&reader.inserted_closers);
        again.inserted_closers.push(place);
        again.inserted_closers.sort_unstable_by(|a, b| b.cmp(a));
        let known = again.inserted_closers.clone();
        again.document();
        if again.weight() > reader.weight() || !again.inserted_closers.is_empty() {
            break;
        }
        again.inserted_closers = known;
        reader = again;
    }
    let Reader { nodes, mut errors, unread, .. } = reader;
    let mut tree = Tree { nodes, ..Tree::of(Arc::clone(text)) };
    tree.mark_incomplete_around(&resolved.replaced);
    errors.extend(resolved.errors);
    errors.sort_by_key(|error| (error.kind == ErrorKind::TooManyErrors, error.span));
    (tree, errors, unread)
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A value, and nothing else.
    Value,
    /// A value, or the end of the array: it was just opened, or what came after its last comma was passed over.
    FirstElement,
    /// A value after a comma.
    NextElement,
    /// A name, or the end of the object: it was just opened, or what came after its last comma was passed over.
    FirstKey,
    /// A name after a comma.
    NextKey,
    /// A comma, or the end of the container.
    AfterValue,
    /// Nothing.
    Done,
}

struct Reader<'t> {
    text: &'t str,
    /// Whether comments and commas before closing brackets are no faults.
    is_jsonc: bool,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<RawNode>,
    /// The numbers of the containers that are open.
    open: Vec<u32>,
    errors: Vec<SyntaxError>,
    unread: Vec<Unread>,
    state: State,
    /// Where the last comma stands, to point at it when nothing follows it.
    last_comma: usize,
    /// Where in `errors` the first comment is reported.
    first_comment: Option<usize>,
    /// The last stretch between two tokens that had a comment in it.
    comment_gap: (usize, usize),
    /// Where in `errors` the first character is reported that only looks like white space.
    first_foreign_space: Option<usize>,
    /// The container that was opened as an array and holds members.
    array_with_keys: Option<u32>,
    /// Whether the document began with a name in place of a brace.
    lacks_opening_brace: bool,
    /// Whether a comment has run to the end of the text.
    comment_is_open: bool,
    /// Names before which the object around them ends, as its bracket is lost; the first one last.
    inserted_closers: Vec<u32>,
    /// Another such name, found at the end of the text.
    missing_closer: Option<u32>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, format: Format) -> Self {
        Self {
            text,
            is_jsonc: format == Format::Jsonc,
            bytes: text.as_bytes(),
            at: 0,
            // A guess that pretty-printed documents stay under, so that the vector seldom moves.
            nodes: Vec::with_capacity(text.len() / 24 + 4),
            open: Vec::new(),
            errors: Vec::new(),
            unread: Vec::new(),
            state: State::Value,
            last_comma: 0,
            first_comment: None,
            comment_gap: (0, 0),
            first_foreign_space: None,
            array_with_keys: None,
            lacks_opening_brace: false,
            comment_is_open: false,
            inserted_closers: Vec::new(),
            missing_closer: None,
        }
    }

    fn document(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.fault(ErrorKind::ByteOrderMark, 0, 3);
            self.at = 3;
        }
        loop {
            self.skip_space();
            let Some(byte) = self.peek() else { break };
            match self.state {
                State::Value | State::FirstElement | State::NextElement => self.value(byte),
                State::FirstKey | State::NextKey => self.member(byte),
                State::AfterValue => self.after_value(byte),
                State::Done => {
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
            b'{' => self.open_container(Tag::Object, State::FirstKey),
            b'[' => self.open_container(Tag::Array, State::FirstElement),
            b'-' | b'0'..=b'9' => {
                self.number();
                self.value_done();
            }
            b't' if self.literal("true", Tag::True) => {}
            b'f' if self.literal("false", Tag::False) => {}
            b'n' if self.literal("null", Tag::Null) => {}
            b']' if self.state == State::FirstElement => self.close(byte),
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
            b'}' if self.state == State::FirstKey => self.close(byte),
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
        self.state = if self.in_object() { State::NextKey } else { State::NextElement };
    }

    /// After a name: the colon, and then a value.
    fn colon(&mut self) {
        self.skip_space();
        if self.peek() == Some(b':') {
            self.at += 1;
            self.state = State::Value;
        } else {
            self.not_a_colon();
        }
    }

    fn open_container(&mut self, tag: Tag, inside: State) {
        if self.open.len() >= MAX_DEPTH {
            self.too_deep();
            return;
        }
        self.open.push(self.nodes.len() as u32);
        self.push(tag, self.at, self.at + 1, 0);
        self.at += 1;
        self.state = inside;
    }

    /// A value has been read: what may come next depends on the container around it.
    fn value_done(&mut self) {
        self.state = if self.open.is_empty() { State::Done } else { State::AfterValue };
    }

    /// Reads `true`, `false` or `null`, if the whole word is there.
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
        // A sign inside belongs to what was meant for one value, such as a date or a telephone number.
        let goes_on = self.goes_on(end) || self.bytes.get(end) == Some(&b'-');
        if end > start && !goes_on {
            self.push(Tag::Number, start, end, 0);
            self.at = end;
        } else {
            self.not_a_number(start);
        }
    }

    /// Whether a number or a word does not end where its grammar ends.
    fn goes_on(&self, end: usize) -> bool {
        self.bytes.get(end).is_some_and(|byte| {
            (is_word(*byte) || *byte == b'.' || *byte == b'+')
                && (*byte < 0x80 || self.foreign_space(end) == 0)
        })
    }

    /// Where the number that begins here ends, by the grammar; its start when there is none.
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
        // Mostly there is none, or one space, or a line break and an indentation of a few spaces.
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

    /// Passes over white space, and says whether there was a comment or something like it.
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
        self.nodes.push(RawNode { start: start as u32, end: end as u32, next, tag, flags });
    }

    /// A value that could not be read, or that is not there.
    fn push_invalid(&mut self, start: usize, end: usize) {
        self.push(Tag::Invalid, start, end, FAULTY);
    }

    fn in_object(&self) -> bool {
        self.innermost().is_some_and(|container| container.tag == Tag::Object)
    }

    fn innermost(&self) -> Option<&RawNode> {
        self.nodes.get(*self.open.last()? as usize)
    }

    /// Something of the innermost container was passed over.
    fn mark_incomplete(&mut self) {
        if let Some(container) = self.open.last()
            && let Some(node) = self.nodes.get_mut(*container as usize)
        {
            node.flags |= INCOMPLETE;
        }
    }

    /// How much is wrong with the text: the faults, and the containers that are left open.
    fn weight(&self) -> usize {
        let open = self.errors.iter().filter(|error| error.kind == ErrorKind::Unclosed);
        self.errors.len() + open.map(|error| error.more as usize).sum::<usize>()
    }

    fn fault(&mut self, kind: ErrorKind, start: usize, end: usize) {
        self.report(SyntaxError::new(kind, Span::of(start, end)));
    }

    fn report(&mut self, error: SyntaxError) {
        report(&mut self.errors, error);
    }
}

/// How many spaces stand here, up to eight: an indentation is counted at once.
#[inline]
fn spaces(bytes: &[u8], at: usize) -> usize {
    let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else { return 0 };
    let differences = u64::from_le_bytes(*word) ^ 0x2020_2020_2020_2020;
    (differences.trailing_zeros() / 8) as usize
}

/// Bytes that go on with a word or a number, so that what ended before them did not end.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
