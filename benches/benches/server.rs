//! From a keystroke to what an editor shows: a change of one character in a document of 15 KB, until its diagnostics arrive.

use std::thread;

use criterion::{Criterion, criterion_group, criterion_main};
use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use voxlint_corpus::{Corpus, Format};
use voxlint_server::{Options, run};

const BYTES: usize = 15_000;

/// A client with one open document.
struct Editor {
    connection: Connection,
    uri: String,
    version: i32,
}

impl Editor {
    fn open(name: &str, text: &str, folder: &str) -> Self {
        let (server, connection) = Connection::memory();
        thread::spawn(move || run(&server, &Options::default()));
        let uri = format!("file://{folder}/{name}");
        let editor = Self { connection, uri, version: 1 };
        let id = 1.into();
        let params = json!({ "capabilities": {} });
        let request = Request { id, method: "initialize".to_owned(), params };
        editor.connection.sender.send(request.into()).expect("a server");
        editor.connection.receiver.recv().expect("an answer");
        editor.notify("initialized", json!({}));
        let document =
            json!({ "uri": editor.uri, "languageId": "json", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        editor.wait();
        editor
    }

    fn notify(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("a server");
    }

    /// Waits for the diagnostics of the present version.
    fn wait(&self) {
        for message in &self.connection.receiver {
            if let Message::Notification(sent) = message
                && sent.method == "textDocument/publishDiagnostics"
                && sent.params["version"] == self.version
            {
                return;
            }
        }
    }

    /// Types a character at the beginning of the second line, and takes it back the next time.
    fn type_one(&mut self) {
        self.version += 1;
        let end = u32::from(self.version % 2 == 1);
        let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": end } });
        let text = if end == 0 { " " } else { "" };
        let document = json!({ "uri": self.uri, "version": self.version });
        let changes = json!([{ "range": range, "text": text }]);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
        self.wait();
    }
}

fn keystrokes(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().to_str().expect("a path in UTF-8");
    let mut group = criterion.benchmark_group("keystroke");
    for (name, format) in [("json", Format::Json), ("yaml", Format::Yaml)] {
        let clean = Corpus::clean(1).huge(BYTES, format);
        let mut editor = Editor::open(&format!("clean.{name}"), &clean, folder);
        group.bench_function(format!("{name}, 15 KB"), |bencher| {
            bencher.iter(|| editor.type_one());
        });
        let faulty = Corpus::clean(1).faulty_text(1, 30, format);
        let kilobytes = faulty.len() / 1_000;
        let mut editor = Editor::open(&format!("faulty.{name}"), &faulty, folder);
        group.bench_function(format!("{name}, {kilobytes} KB, 30 mistakes"), |bencher| {
            bencher.iter(|| editor.type_one());
        });
    }
    group.finish();
}

criterion_group!(benches, keystrokes);
criterion_main!(benches);
