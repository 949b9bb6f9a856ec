//! A client that writes all of its messages and reads all answers.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use voxlint_mcp::Server;

/// The answers to an input.
pub(crate) fn answers_to(folders: &[PathBuf], input: impl Into<Vec<u8>>) -> Vec<Value> {
    let mut output = Vec::new();
    let server = Server::new(folders).unwrap();
    server.serve(Cursor::new(input.into()), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.is_empty() || output.ends_with('\n'), "{output}");
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Messages, one per line.
pub(crate) fn lines(messages: &[Value]) -> String {
    let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// The first two messages of a client.
pub(crate) fn handshake(version: &str) -> Vec<Value> {
    let params = json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    vec![
        request("handshake", "initialize", params),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ]
}

/// A folder with files that the server may read.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self { folder: tempfile::tempdir().unwrap() };
        // Configurations above the folder are not looked for, but this says so.
        folder.write("voxlint.toml", "root = true\n");
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// A path as an argument.
    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// The answers to some messages after the handshake.
    pub(crate) fn answers(&self, messages: &[Value]) -> Vec<Value> {
        let all = [handshake("2025-11-25"), messages.to_vec()].concat();
        let mut answers = answers_to(&[self.root().to_owned()], lines(&all));
        assert_eq!(answers.remove(0)["id"], "handshake");
        answers
    }

    /// The result of a tool.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Value {
        call(&[self.root().to_owned()], tool, arguments)
    }

    /// What a tool says in its text, without an error.
    pub(crate) fn text(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result:#}");
        text(&result).to_owned()
    }

    /// What a tool says about wrong use.
    pub(crate) fn wrong_use(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result:#}");
        text(&result).to_owned()
    }
}

/// The result of a tool of a server that may read these folders.
pub(crate) fn call(folders: &[PathBuf], tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let all = [handshake("2025-11-25"), vec![request(1, "tools/call", params)]].concat();
    let answers = answers_to(folders, lines(&all));
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers[1].get("error").is_none(), "{}", answers[1]);
    answers[1]["result"].clone()
}

/// The text of a result.
pub(crate) fn text(result: &Value) -> &str {
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    assert_eq!(result["content"][0]["type"], "text");
    result["content"][0]["text"].as_str().unwrap()
}
