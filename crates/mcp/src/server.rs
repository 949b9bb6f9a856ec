//! The server: messages in, answers out, in the order of the requests.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use voxlint::Cancellation;
use voxlint_project::Failure;

use crate::connection::Connection;
use crate::message::{
    INTERNAL_ERROR, INVALID_REQUEST, Id, Line, MAX_MESSAGE, Message, RpcError, parse, read_line,
};
use crate::tool::Tool;
use crate::tools::TOOLS;
use crate::workspace::Workspace;

/// How many messages are read before the first of them is looked at.
const QUEUE: usize = 4;

/// How many requests may wait for their answers before no further message is read. One that cancels another may come behind them.
const MAX_OPEN: usize = 16;

/// A server of the Model Context Protocol.
#[derive(Debug)]
pub struct Server {
    workspace: Workspace,
    tools: &'static [&'static Tool],
}

/// The requests that are not answered yet.
#[derive(Debug, Default)]
struct Requests {
    open: BTreeMap<Id, Cancellation>,
}

impl Requests {
    fn open(&mut self, message: &Message) {
        match message {
            Message::Request { id, .. } => {
                self.open.insert(id.clone(), Cancellation::default());
            }
            Message::Notification { method, params: Some(params) }
                if method == "notifications/cancelled" =>
            {
                let id = params.get("requestId").and_then(Id::of);
                if let Some(work) = id.and_then(|id| self.open.get(&id)) {
                    work.cancel();
                }
            }
            _ => {}
        }
    }

    /// Ends a request. Returns whether it was cancelled, so that its answer is not wanted.
    fn close(&mut self, id: &Id) -> bool {
        self.open.remove(id).is_some_and(|work| work.is_cancelled())
    }

    fn cancel_all(&self) {
        self.open.values().for_each(Cancellation::cancel);
    }
}

/// The requests, and a sign that one was answered.
type SharedRequests = Arc<(Mutex<Requests>, Condvar)>;

fn lock(requests: &SharedRequests) -> MutexGuard<'_, Requests> {
    requests.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends a request, as [`Requests::close`] does.
fn close(requests: &SharedRequests, id: &Id) -> bool {
    requests.1.notify_all();
    lock(requests).close(id)
}

/// What happens.
enum Event {
    Read(io::Result<Message>),
    /// The input has ended.
    End,
    /// The next message was worked on, with its answer if it wants one.
    Done(Option<String>),
}

impl Server {
    /// A server that may read these folders and everything below them. Paths are relative to the working directory.
    ///
    /// # Errors
    ///
    /// If one of them is not a folder, or there is none.
    pub fn new(folders: &[PathBuf]) -> Result<Self, Failure> {
        Ok(Self { workspace: Workspace::new(folders)?, tools: &TOOLS })
    }

    /// Answers the messages of a client until the input ends. Requests are answered one after the other, in a separate thread,
    /// so that a running request can be cancelled. A ping is answered before the requests that are waiting.
    ///
    /// # Errors
    ///
    /// If the input cannot be read or the output cannot be written.
    pub fn serve(
        &self,
        input: impl Read + Send + 'static,
        mut output: impl Write,
    ) -> io::Result<()> {
        let requests = SharedRequests::default();
        let (events, receiver) = mpsc::sync_channel(QUEUE);
        let (reader, read) = (Arc::clone(&requests), events.clone());
        // It may wait for input when the output is closed, so nothing waits for the thread.
        thread::spawn(move || read_messages(input, &reader, &read));
        thread::scope(|scope| {
            let (calls, waiting) = mpsc::channel();
            let working = Arc::clone(&requests);
            scope.spawn(move || self.work(&waiting, &working, &events));
            let served = self.answer_events(receiver, calls, &requests, &mut output);
            // Nothing is left to answer, or no one listens.
            lock(&requests).cancel_all();
            served
        })
    }

    /// Works on messages, one after the other.
    fn work(
        &self,
        messages: &Receiver<Message>,
        requests: &SharedRequests,
        events: &SyncSender<Event>,
    ) {
        let mut connection = Connection::new(&self.workspace, self.tools);
        for message in messages {
            let answer = answer(&mut connection, message, requests);
            if events.send(Event::Done(answer)).is_err() {
                return;
            }
        }
    }

    /// Passes messages on to the thread that works, and writes the answers.
    fn answer_events(
        &self,
        events: Receiver<Event>,
        calls: Sender<Message>,
        requests: &SharedRequests,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let (mut calls, mut failed) = (Some(calls), None);
        for event in events {
            match event {
                Event::Read(Ok(ping)) if is_ping(&ping) => {
                    write(
                        output,
                        answer(&mut Connection::new(&self.workspace, self.tools), ping, requests),
                    )?;
                }
                Event::Read(Ok(message)) => {
                    // The thread takes all that it is given.
                    let _ = calls.as_ref().map(|calls| calls.send(message));
                }
                Event::Read(Err(error)) => (calls, failed) = (None, Some(error)),
                Event::End => calls = None,
                Event::Done(answer) => write(output, answer)?,
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

fn is_ping(message: &Message) -> bool {
    matches!(message, Message::Request { method, .. } if method == "ping")
}

fn write(output: &mut impl Write, answer: Option<String>) -> io::Result<()> {
    let Some(answer) = answer else { return Ok(()) };
    output.write_all(answer.as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()
}

/// The answer to a message; `None` if it wants none.
fn answer(
    connection: &mut Connection<'_>,
    message: Message,
    requests: &SharedRequests,
) -> Option<String> {
    let (id, method, params) = match message {
        Message::Request { id, method, params } => (id, method, params),
        Message::Invalid { id, error } => return Some(error_response(id.as_ref(), &error)),
        Message::Notification { .. } | Message::Response => return None,
    };
    let work = lock(requests).open.get(&id).cloned().unwrap_or_default();
    let answered = if work.is_cancelled() {
        None
    } else {
        let answer = || work.run(|| connection.answer(&method, params.as_ref()));
        catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Some(Err(bug())))
    };
    if close(requests, &id) {
        return None;
    }
    Some(match answered? {
        Ok(result) => {
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}}}", id.0, result.get())
        }
        Err(error) => error_response(Some(&id), &error),
    })
}

/// The error for a panic. Its message may quote the document, so it is only on standard error.
fn bug() -> RpcError {
    RpcError::new(
        INTERNAL_ERROR,
        "internal error: this is a bug in voxlint, which its standard error describes; other requests still work",
    )
}

/// Reads messages to the end of the input.
fn read_messages(input: impl Read, requests: &SharedRequests, events: &SyncSender<Event>) {
    let mut input = BufReader::with_capacity(64 << 10, input);
    loop {
        let read = match read_line(&mut input, MAX_MESSAGE) {
            Ok(Line::End) => {
                // No one listens where this fails.
                let _ = events.send(Event::End);
                return;
            }
            Ok(Line::Bytes(line)) if line.trim_ascii().is_empty() => continue,
            Ok(Line::Bytes(line)) => Ok(parse(&line)),
            Ok(Line::TooLong) => {
                let limit = MAX_MESSAGE >> 20;
                let why = format!("the message is longer than {limit} MiB");
                let error = RpcError::new(INVALID_REQUEST, why);
                Ok(Message::Invalid { id: None, error })
            }
            Err(error) => Err(error),
        };
        if let Ok(message) = &read {
            lock(requests).open(message);
        }
        let is_over = read.is_err();
        if events.send(Event::Read(read)).is_err() || is_over {
            return;
        }
        let is_full = |requests: &mut Requests| requests.open.len() > MAX_OPEN;
        drop(requests.1.wait_while(lock(requests), is_full));
    }
}

/// The answer to a request that failed. Without an id, the request could not be read.
fn error_response(id: Option<&Id>, error: &RpcError) -> String {
    let mut fields = serde_json::Map::new();
    fields.insert("code".to_owned(), error.code.into());
    let message = voxlint::secrets::mask_text(&error.message);
    fields.insert("message".to_owned(), message.into_owned().into());
    fields.extend(error.data.clone().map(|data| ("data".to_owned(), data)));
    let id = id.map_or("null", |id| &id.0);
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{}}}", serde_json::Value::Object(fields))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, Cursor};

    use serde_json::{Value, json};

    use super::*;
    use crate::answer::Answer;

    static BROKEN: Tool = Tool {
        name: "broken",
        title: "Broken",
        description: "",
        arguments: &[],
        output_schema: None,
        run: |_, _| panic!("a secret of the document"),
    };

    static WORKING: Tool = Tool {
        name: "working",
        title: "Working",
        description: "",
        arguments: &[],
        output_schema: None,
        run: |_, _| Ok(Answer::text("works".to_owned())),
    };

    static BOTH: [&Tool; 2] = [&BROKEN, &WORKING];

    static ENDLESS: Tool = Tool {
        name: "endless",
        title: "Endless",
        description: "",
        arguments: &[],
        output_schema: None,
        run: |_, _| loop {
            voxlint::check_text("{ \"version_number\": 3 }");
        },
    };

    static LONG: [&Tool; 2] = [&ENDLESS, &WORKING];

    #[test]
    fn during_a_long_call_a_ping_is_answered_and_a_cancel_ends_it() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::new(&[folder.path().to_owned()]).unwrap();
        let server = Server { workspace, tools: &LONG };
        let (input, mut messages) = io::pipe().unwrap();
        let (answers, output) = io::pipe().unwrap();
        let serving = thread::spawn(move || server.serve(input, output));
        let mut answers = BufReader::new(answers).lines();
        let mut answered = || -> Value {
            let line = answers.next().unwrap().unwrap();
            serde_json::from_str::<Value>(&line).unwrap()["id"].clone()
        };
        let mut send = |method: &str, id: Option<u32>, params: Value| {
            let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
            if let Some(id) = id {
                message["id"] = id.into();
            }
            writeln!(messages, "{message}").unwrap();
        };
        send("initialize", Some(0), json!({ "protocolVersion": "2025-11-25" }));
        assert_eq!(answered(), 0);
        send("tools/call", Some(1), json!({ "name": "endless" }));
        send("ping", Some(2), json!({}));
        assert_eq!(answered(), 2);
        send("tools/call", Some(3), json!({ "name": "working" }));
        send("notifications/cancelled", None, json!({ "requestId": 1 }));
        assert_eq!(answered(), 3);
        drop(messages);
        serving.join().unwrap().unwrap();
    }

    #[test]
    fn a_bug_in_one_call_does_not_end_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::new(&[folder.path().to_owned()]).unwrap();
        let server = Server { workspace, tools: &BOTH };
        let call = |id: u32, name: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name } });
        let params = json!({ "protocolVersion": "2025-11-25" });
        let initialize =
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let input = [initialize, call(1, "broken"), call(2, "working")];
        let input: Vec<String> = input.iter().map(Value::to_string).collect();
        let mut output = Vec::new();
        server.serve(Cursor::new(input.join("\n")), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let answers: Vec<Value> =
            output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers[1]["error"]["code"], INTERNAL_ERROR);
        let message = answers[1]["error"]["message"].as_str().unwrap();
        assert!(message.contains("bug in voxlint") && !message.contains("secret"), "{message}");
        assert_eq!(answers[2]["result"]["content"][0]["text"], "works");
    }

    #[test]
    fn a_request_that_is_cancelled_before_its_turn_is_not_answered() {
        let request = |id: &str| Message::Request {
            id: Id(id.to_owned()),
            method: "ping".to_owned(),
            params: None,
        };
        let cancel = |id: Value| Message::Notification {
            method: "notifications/cancelled".to_owned(),
            params: Some(json!({ "requestId": id })),
        };
        let mut requests = Requests::default();
        for message in [request("1"), request("2"), cancel(json!(2)), cancel(json!("unknown"))] {
            requests.open(&message);
        }
        assert!(!requests.close(&Id("1".to_owned())));
        assert!(requests.close(&Id("2".to_owned())));
        assert!(requests.open.is_empty());
    }
}
