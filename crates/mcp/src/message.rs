//! Messages of JSON-RPC 2.0: one per line, in any order and of any length.

use std::io::{self, BufRead};

use serde_json::Value;

/// The longest message, in bytes. A document of this size is far larger than the service accepts.
pub(crate) const MAX_MESSAGE: usize = 16 << 20;

/// The text is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The JSON is not a message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// There is no such method.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters do not fit the method.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// A bug of this program.
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// A request names a version of the protocol that this program does not speak.
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

/// A line of the input.
pub(crate) enum Line {
    /// Its bytes, without the line feed.
    Bytes(Vec<u8>),
    /// It is longer than a message may be.
    TooLong,
    /// There is none.
    End,
}

/// Reads the next line. What is too long is skipped and not kept.
pub(crate) fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    let (mut is_too_long, mut has_begun) = (false, false);
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = part.iter().position(|byte| *byte == b'\n');
        let bytes = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
        let (count, is_end_of_input) = (bytes.len(), part.is_empty());
        has_begun |= !is_end_of_input;
        if is_too_long || line.len() + count > most {
            (is_too_long, line) = (true, Vec::new());
        } else {
            line.extend_from_slice(bytes);
        }
        input.consume(count + usize::from(end.is_some()));
        if end.is_some() || is_end_of_input {
            return Ok(match (has_begun, is_too_long) {
                (false, _) => Line::End,
                (true, true) => Line::TooLong,
                (true, false) => Line::Bytes(line),
            });
        }
    }
}

/// A message of a client.
#[derive(Debug)]
pub(crate) enum Message {
    /// Wants an answer.
    Request { id: Id, method: String, params: Option<Value> },
    /// Wants none.
    Notification { method: String, params: Option<Value> },
    /// Answers something that was never asked.
    Response,
    /// Is not a message.
    Invalid { id: Option<Id>, error: RpcError },
}

/// The id of a request, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(pub(crate) String);

impl Id {
    /// An id in JSON; `None` if the value cannot be one.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let is_id = value.is_string() || value.is_i64() || value.is_u64();
        is_id.then(|| Self(value.to_string()))
    }
}

/// The error of a request.
#[derive(Debug)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

impl RpcError {
    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

/// The message of a line.
pub(crate) fn parse(line: &[u8]) -> Message {
    let invalid =
        |why: String| Message::Invalid { id: None, error: RpcError::new(PARSE_ERROR, why) };
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            return invalid(format!(
                "the message is not UTF-8 from byte {} on",
                error.valid_up_to()
            ));
        }
    };
    match serde_json::from_str(text) {
        Ok(value) => message(value),
        Err(error) => invalid(format!("the message is not JSON: {error}")),
    }
}

/// The message that a JSON value is.
fn message(value: Value) -> Message {
    let Value::Object(mut fields) = value else {
        // Batches were a part of an earlier version of the protocol.
        let error = RpcError::new(INVALID_REQUEST, "a line must be one message, an object");
        return Message::Invalid { id: None, error };
    };
    let id = fields.get("id").map(Id::of);
    let invalid = |why: &str| Message::Invalid {
        id: id.clone().flatten(),
        error: RpcError::new(INVALID_REQUEST, why),
    };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("`jsonrpc` must be \"2.0\"");
    }
    let params = fields.remove("params");
    match (fields.remove("method"), &id) {
        (Some(Value::String(method)), None) => Message::Notification { method, params },
        (Some(Value::String(method)), Some(Some(id))) => {
            Message::Request { id: id.clone(), method, params }
        }
        (Some(Value::String(_)), Some(None)) => invalid("`id` must be a string or a whole number"),
        (Some(_), _) => invalid("`method` must be a string"),
        (None, _) if fields.contains_key("result") || fields.contains_key("error") => {
            Message::Response
        }
        (None, _) => invalid("`method` is missing"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// The lines of a text, `None` for one that is too long.
    fn lines(text: &str, most: usize, capacity: usize) -> Vec<Option<String>> {
        let mut input = BufReader::with_capacity(capacity, text.as_bytes());
        let mut lines = Vec::new();
        loop {
            lines.push(match read_line(&mut input, most).unwrap() {
                Line::Bytes(bytes) => Some(String::from_utf8(bytes).unwrap()),
                Line::TooLong => None,
                Line::End => return lines,
            });
        }
    }

    #[test]
    fn a_line_that_is_too_long_does_not_hide_the_next_one() {
        let text = "one\n\n0123456789\ntwo\n12345678\nlast";
        let expected = [Some("one"), Some(""), None, Some("two"), Some("12345678"), Some("last")];
        for capacity in [1, 3, 7, 64] {
            let lines = lines(text, 8, capacity);
            let lines: Vec<_> = lines.iter().map(|line| line.as_deref()).collect();
            assert_eq!(lines, expected, "{capacity}");
        }
        assert!(lines("", 8, 4).is_empty());
        assert_eq!(lines("a\n", 8, 4), [Some("a".to_owned())]);
    }
}
