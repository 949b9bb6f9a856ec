//! A client that waits for its answers, and keeps what it is sent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use tempfile::TempDir;
use voxlint_server::{Ended, Options, run};

/// A client with a folder of its own.
pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<Ended>>,
    next: i32,
    /// What was sent about each text: its version and its findings.
    pub(crate) published: BTreeMap<String, (Value, Vec<Value>)>,
    /// How often something was sent about each text.
    pub(crate) times: BTreeMap<String, usize>,
    /// The other notifications and requests of the server.
    pub(crate) received: Vec<(String, Value)>,
    /// The answer to `initialize`.
    pub(crate) server_info: Value,
    open: Vec<String>,
    pub(crate) folder: TempDir,
}

/// An error of the server: its code and its message.
pub(crate) type ServerError = (i64, String);

/// What a usual client can do.
pub(crate) fn usual() -> Value {
    json!({
        "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "textDocument": {
            "publishDiagnostics": {
                "relatedInformation": true, "tagSupport": { "valueSet": [1, 2] },
                "codeDescriptionSupport": true, "versionSupport": true,
            },
            "codeAction": {
            },
            "completion": { "completionItem": { "snippetSupport": true } },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
        },
    })
}

/// Adds what another client can do.
pub(crate) fn with(mut capabilities: Value, more: Value) -> Value {
    merge(&mut capabilities, more);
    capabilities
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (name, value) in more {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}

impl Client {
    /// A usual client.
    pub(crate) fn start() -> Self {
        Self::with(usual(), json!({}))
    }

    /// A client that can do this, with these settings.
    pub(crate) fn with(capabilities: Value, settings: Value) -> Self {
        let mut client = Self::connected();
        client.initialize(capabilities, settings);
        client
    }

    /// A client that has not said anything yet.
    pub(crate) fn connected() -> Self {
        let (server, connection) = Connection::memory();
        let documentation = Some("https://example.com/voxlint".to_owned());
        let options = Options { documentation, ..Options::default() };
        let server = thread::spawn(move || run(&server, &options));
        Self {
            connection,
            server: Some(server),
            next: 0,
            published: BTreeMap::new(),
            times: BTreeMap::new(),
            received: Vec::new(),
            server_info: Value::Null,
            open: Vec::new(),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn initialize(&mut self, capabilities: Value, settings: Value) {
        let folders = json!([{ "uri": self.uri(""), "name": "test" }]);
        let parameters = json!({
            "processId": null, "rootUri": null, "workspaceFolders": folders,
            "capabilities": capabilities, "initializationOptions": settings,
        });
        self.server_info = self.request("initialize", parameters).unwrap();
        self.notify("initialized", json!({}));
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.folder.path().to_owned() } else { self.folder.path().join(name) }
    }

    /// Writes a file into the folder.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The address of a file in the folder.
    pub(crate) fn uri(&self, name: &str) -> String {
        uri_of(&self.path(name))
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        self.connection.sender.send(message.into()).unwrap();
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a request without waiting for its answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params });
        id
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: &RequestId) -> Result<Value, ServerError> {
        loop {
            match self.connection.receiver.recv().expect("an answer") {
                Message::Response(response) if response.id == *id => {
                    return response
                        .response_result
                        .map_err(|error| (i64::from(error.code), error.message));
                }
                Message::Response(response) => panic!("an answer to nothing: {response:?}"),
                Message::Notification(notification) => {
                    self.take(notification.method, notification.params);
                }
                Message::Request(request) => self.take(request.method, request.params),
            }
        }
    }

    fn take(&mut self, method: String, params: Value) {
        if method != "textDocument/publishDiagnostics" {
            self.received.push((method, params));
            return;
        }
        let uri = params["uri"].as_str().unwrap().to_owned();
        let found = params["diagnostics"].as_array().unwrap().clone();
        *self.times.entry(uri.clone()).or_default() += 1;
        self.published.insert(uri, (params["version"].clone(), found));
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, ServerError> {
        let id = self.ask(method, params);
        self.answer(&id)
    }

    /// A request about a place in a text.
    pub(crate) fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        let parameters = json!({ "textDocument": { "uri": uri }, "position": position });
        self.request(method, parameters).unwrap()
    }

    /// Opens a text at an address.
    pub(crate) fn open_at(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.open.push(uri.to_owned());
    }

    /// Opens a file of the folder with a text, saved or not.
    pub(crate) fn open(&mut self, name: &str, text: &str) -> String {
        let uri = self.uri(name);
        self.open_at(&uri, "json", text);
        uri
    }

    /// Replaces a whole text.
    pub(crate) fn replace(&mut self, uri: &str, version: i32, text: &str) {
        self.change(uri, version, json!([{ "text": text }]));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        let parameters = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", parameters);
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.open.retain(|open| open != uri);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Waits until every open text is checked.
    pub(crate) fn settle(&mut self) {
        // A check may ask for another one.
        for _ in 0..2 {
            for uri in self.open.clone() {
                self.pull(&uri);
            }
        }
        if self.open.is_empty() {
            // Closing is done when the next text is checked.
            self.open_at("untitled:settle", "json", "{}");
            self.pull("untitled:settle");
            self.close("untitled:settle");
        }
    }

    /// Asks for the findings of a text, which waits for its check.
    pub(crate) fn pull(&mut self, uri: &str) -> Vec<Value> {
        let parameters = json!({ "textDocument": { "uri": uri } });
        let report = self.request("textDocument/diagnostic", parameters).unwrap();
        assert_eq!(report["kind"], "full");
        report["items"].as_array().unwrap().clone()
    }

    /// What is shown in a text, after every check.
    pub(crate) fn found(&mut self, uri: &str) -> Vec<Value> {
        self.settle();
        self.published.get(uri).map(|(_, found)| found.clone()).unwrap_or_default()
    }

    /// The ids of the rules of what is shown in a text.
    pub(crate) fn rules(&mut self, uri: &str) -> Vec<String> {
        self.found(uri).iter().map(|it| it["code"].as_str().unwrap_or("-").to_owned()).collect()
    }

    /// Ends the server, and returns how it ended.
    pub(crate) fn end(mut self) -> Ended {
        let _ = self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap()
    }

    /// Closes the connection.
    pub(crate) fn leave(mut self) -> Ended {
        let Self { connection, server, .. } = &mut self;
        let (_, nothing) = Connection::memory();
        drop(std::mem::replace(connection, nothing));
        server.take().unwrap().join().unwrap()
    }

    /// Sends `exit`, and returns how the server ended.
    pub(crate) fn exit(mut self) -> Ended {
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap()
    }
}

/// The address of a file, spelled as simply as possible.
pub(crate) fn uri_of(path: &Path) -> String {
    format!("file://{}", path.display().to_string().replace('%', "%25").replace(' ', "%20"))
}
