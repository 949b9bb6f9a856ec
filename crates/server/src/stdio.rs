//! Messages over standard input and output.
//!
//! The transport of `lsp-server` ends at the first message that is not valid. This one answers it with an error and goes on
//! with the next.

use std::io::{self, BufRead, Read as _, Write as _};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// The longest message that is read, so that a wrong length cannot fill the memory.
const MAX_LENGTH: u64 = 1 << 30;

/// The thread that writes.
pub(crate) struct Writer {
    thread: JoinHandle<io::Result<()>>,
    stop: Sender<()>,
}

/// Reads and writes messages in threads of their own.
pub(crate) fn connect() -> (Connection, Writer) {
    let (sender, messages) = unbounded::<Message>();
    let (incoming, receiver) = unbounded::<Message>();
    let (rejections, rejected) = unbounded::<Value>();
    let (stop, stopped) = unbounded::<()>();
    // It ends with the input, which may be never. The process does not wait for it.
    drop(thread::spawn(move || read_all(&mut io::stdin().lock(), &incoming, &rejections)));
    let thread = thread::spawn(move || {
        let mut rejected = Some(rejected);
        loop {
            let none = crossbeam_channel::never();
            let answers = rejected.as_ref().unwrap_or(&none);
            select! {
                recv(messages) -> message => match message {
                    Ok(message) => write_message(&message)?,
                    Err(_) => return Ok(()),
                },
                recv(answers) -> answer => match answer {
                    Ok(answer) => write(&answer)?,
                    // The input has ended.
                    Err(_) => rejected = None,
                },
                recv(stopped) -> _ => {
                    messages.try_iter().try_for_each(|message| write_message(&message))?;
                    return answers.try_iter().try_for_each(|answer| write(&answer));
                }
            }
        }
    });
    (Connection { sender, receiver }, Writer { thread, stop })
}

impl Writer {
    /// Waits until everything that was sent so far is written.
    pub(crate) fn finish(self) -> io::Result<()> {
        let _ = self.stop.send(());
        match self.thread.join() {
            Ok(Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

fn write_message(message: &Message) -> io::Result<()> {
    write(&serde_json::to_value(message).map(with_version).map_err(io::Error::other)?)
}

fn write(message: &Value) -> io::Result<()> {
    let text = message.to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

fn with_version(mut message: Value) -> Value {
    if let Some(fields) = message.as_object_mut() {
        fields.insert("jsonrpc".to_owned(), "2.0".into());
    }
    message
}

/// Reads messages until the input ends, or the server has gone.
fn read_all(input: &mut dyn BufRead, messages: &Sender<Message>, rejections: &Sender<Value>) {
    while let Ok(Some(body)) = read_body(input) {
        let is_open = match parse(&body) {
            Ok(message) => messages.send(message).is_ok(),
            Err(answer) => rejections.send(answer).is_ok(),
        };
        if !is_open {
            break;
        }
    }
}

/// A message, or the answer to something that is not one.
fn parse(body: &[u8]) -> Result<Message, Value> {
    let error = |id: Value, code: ErrorCode, message: String| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } });
    if let Ok(message) = serde_json::from_slice::<Message>(body) {
        return Ok(message);
    }
    match serde_json::from_slice::<Value>(body) {
        Err(why) => {
            Err(error(Value::Null, ErrorCode::ParseError, format!("not valid JSON: {why}")))
        }
        Ok(value) => {
            let id = value.get("id").filter(|id| id.is_number() || id.is_string());
            let id = id.cloned().unwrap_or_default();
            let message = "not a request, a response or a notification".to_owned();
            Err(error(id, ErrorCode::InvalidRequest, message))
        }
    }
}

/// The body of the next message; `None` at the end of the input. Lines that are not headers are skipped.
fn read_body(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    loop {
        let mut length = None;
        loop {
            let mut line = Vec::new();
            if (&mut *input).take(MAX_HEADER).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            let line = line.trim_ascii();
            if line.is_empty() {
                break;
            }
            let header = String::from_utf8_lossy(line);
            if let Some((name, value)) = header.split_once(':')
                && name.trim().eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse::<u64>().ok().filter(|length| *length <= MAX_LENGTH);
            }
        }
        let Some(length) = length else { continue };
        let mut body = Vec::new();
        // The memory grows with what arrives, not with what was announced.
        (&mut *input).take(length).read_to_end(&mut body)?;
        let is_whole = body.len() as u64 == length;
        return Ok(is_whole.then_some(body));
    }
}

/// The longest line of a header that is read at once.
const MAX_HEADER: u64 = 1 << 16;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn bodies(mut input: &[u8]) -> Vec<String> {
        let mut all = Vec::new();
        while let Some(body) = read_body(&mut input).unwrap() {
            all.push(String::from_utf8(body).unwrap());
        }
        all
    }

    #[test]
    fn headers_are_read_in_any_order_and_case() {
        let text = b"content-type: x\r\nCONTENT-LENGTH:  2\r\n\r\n{}Content-Length: 4\r\n\r\nnull";
        assert_eq!(bodies(text), ["{}", "null"]);
    }

    #[test]
    fn what_is_not_a_message_is_skipped() {
        assert_eq!(bodies(b"hello\r\n\r\nContent-Length: x\n\nContent-Length: 1\n\n7"), ["7"]);
        assert!(bodies(b"Content-Length: 99999999999\r\n\r\n{}").is_empty());
        assert!(bodies(b"Content-Length: 100\r\n\r\n{}").is_empty());
    }

    #[test]
    fn what_is_not_a_request_is_answered_with_its_id() {
        assert_eq!(parse(b"{").unwrap_err()["error"]["code"], -32700);
        let answer = parse(br#"{"id": 1.5, "method": 3}"#).unwrap_err();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1.5), &json!(-32600)));
        assert!(parse(br#"[{"id": 1, "method": "x"}]"#).is_err());
        assert!(parse(br#"{"jsonrpc": "2.0", "id": 1, "method": "x"}"#).is_ok());
    }
}
