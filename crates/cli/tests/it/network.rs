//! No command uses the network: the kernel ends each at its first socket.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::{fs, thread};

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use serde_json::{Value, json};
use voxlint_testing::repository;

use crate::process::commit;
use crate::process::{folder, run, stdout, voxlint};

/// What happens to a thread, and to the programs that it starts, at each call that a connection could begin with.
fn without_sockets(action: SeccompAction) -> BpfProgram {
    let calls = [libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_bind];
    let rules: BTreeMap<i64, Vec<_>> = calls.map(|call| (call, Vec::new())).into();
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, architecture).unwrap();
    filter.try_into().unwrap()
}

/// A command to which sockets are denied.
fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = voxlint(folder, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = move || {
        apply_filter(&without_sockets(SeccompAction::KillProcess)).unwrap();
        command.spawn().unwrap()
    };
    // The filter stays with the thread.
    thread::spawn(run).join().unwrap()
}

/// What such a command says of a standard input.
fn output_of(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start(folder, arguments);
    // A command that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[test]
fn no_command_opens_a_socket() {
    let agents = repository().join("fixtures/agents");
    let team = repository().join("fixtures/team");
    let files = [
        ("a.json", r#"{ "version_number": 3, "kb_max_chunks": "3" }"#),
        ("facts.yaml", "voices: []\n"),
        ("records.ndjson", "{ \"body\": { \"version_number\": 3 }, \"status\": 200 }\n"),
    ];
    let own = folder("no-network", &files);
    let out = own.join("plan");
    let out = out.to_str().unwrap();
    let commands: &[(&Path, &[&str])] = &[
        (&agents, &["check"]),
        (&agents, &["check", "--format", "sarif"]),
        (&agents, &["check", "-"]),
        (&team, &["check", "--show-undecided"]),
        (&team, &["predict", "agents/front-desk.json"]),
        (&team, &["diff", "stored/front-desk.json", "agents/front-desk.json"]),
        (&team, &["plan"]),
        (&team, &["plan", "--out", out]),
        (&team, &["plan", "verify", out]),
        (&team, &["vars"]),
        (&team, &["why", "out-of-range"]),
        (&team, &["render", "agents/front-desk.json"]),
        (&team, &["config", "show", "agents/front-desk.json"]),
        (&own, &["adopt", "--check"]),
        (&own, &["merge", "a.json", "a.json", "a.json", "--path", "a.json"]),
        (&own, &["init"]),
        (&own, &["baseline", "write"]),
        (&own, &["check", "--fix"]),
        (&own, &["explain", "out-of-range"]),
        (&own, &["rules"]),
        (&own, &["learn", "records.ndjson"]),
        (&own, &["readings"]),
        (&own, &["facts", "facts.yaml"]),
        (&own, &["facts", "--template"]),
        (&own, &["schema"]),
        (&own, &["completions", "bash"]),
        (&own, &["man"]),
        (&own, &["help"]),
    ];
    for (folder, arguments) in commands {
        let output = output_of(folder, arguments, br#"{ "version_number": 3 }"#);
        let status = output.status.code();
        assert!(status.is_some_and(|status| status < 2), "{arguments:?}: {output:?}");
    }
    let missing = all_commands().into_iter().filter(|name| {
        !matches!(name.as_str(), "server" | "mcp")
            && commands.iter().all(|(_, arguments)| arguments.first() != Some(&name.as_str()))
    });
    assert_eq!(missing.collect::<Vec<_>>(), <[&str; 0]>::default());
}

/// The names of the commands, as `--help` lists them.
fn all_commands() -> Vec<String> {
    let help = run(repository(), &["--help"]);
    let lines = stdout(&help).lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    let names: Vec<String> = names.collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

#[test]
fn git_is_asked_without_a_socket() {
    let folder = folder("no-network-git", &[("a.json", r#"{ "version_number": 3 }"#)]);
    if commit(&folder) {
        fs::write(folder.join("b.json"), r#"{ "version_number": "3" }"#).unwrap();
        let output = output_of(&folder, &["check", "--changed-since", "main"], b"");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}

#[test]
fn requests_to_the_servers_are_answered_without_a_socket() {
    let folder = folder("no-network-servers", &[("a.json", r#"{ "version_number": "3" }"#)]);
    let uri = format!("file://{}/a.json", folder.display());
    let document = json!({ "uri": uri, "languageId": "json", "version": 1, "text": r#"{ "version_number": "3" }"# });
    let position =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 5 } });
    let request = |id: u32, method: &str, params: &Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let notification = |method: &str, params: &Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let to_editor = [
        request(
            1,
            "initialize",
            &json!({ "capabilities": {}, "rootUri": format!("file://{}", folder.display()) }),
        ),
        notification("initialized", &json!({})),
        notification("textDocument/didOpen", &json!({ "textDocument": document })),
        request(2, "textDocument/hover", &position),
        request(3, "textDocument/completion", &position),
    ];
    let end = [request(4, "shutdown", &Value::Null), notification("exit", &Value::Null)];
    let framed = |message: &Value| {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let mut child = start(&folder, &["server"]);
    let mut input = child.stdin.take().unwrap();
    for message in &to_editor {
        input.write_all(framed(message).as_bytes()).unwrap();
    }
    // Requests that are not answered yet are dropped at the end.
    let mut output = child.stdout.take().unwrap();
    let mut said = Vec::new();
    for expected in ["\"id\":2", "\"id\":3"] {
        while !String::from_utf8_lossy(&said).contains(expected) {
            let mut part = [0; 4096];
            let length = output.read(&mut part).unwrap();
            assert_ne!(length, 0, "{expected}: {}", String::from_utf8_lossy(&said));
            said.extend(&part[..length]);
        }
    }
    for message in &end {
        input.write_all(framed(message).as_bytes()).unwrap();
    }
    drop(input);
    io::copy(&mut output, &mut io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));

    let client = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let call = |id, tool: &str, arguments: Value| {
        request(id, "tools/call", &json!({ "name": tool, "arguments": arguments }))
    };
    let to_assistant = [
        request(1, "initialize", &client),
        notification("notifications/initialized", &json!({})),
        call(2, "check", json!({ "path": "a.json" })),
        call(3, "explain", json!({ "rule": "out-of-range" })),
    ];
    let lines: Vec<String> = to_assistant.iter().map(Value::to_string).collect();
    let input = lines.join("\n") + "\n";
    let output = output_of(&folder, &["mcp"], input.as_bytes());
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 3, "{output:?}");
    assert!(answers.iter().all(|answer| answer.get("result").is_some()), "{answers:#?}");
}

#[test]
fn the_filter_denies_sockets() {
    let opened = thread::spawn(|| {
        apply_filter(&without_sockets(SeccompAction::Errno(libc::EACCES as u32))).unwrap();
        UdpSocket::bind("127.0.0.1:0").map_err(|error| error.kind())
    });
    assert_eq!(opened.join().unwrap().unwrap_err(), io::ErrorKind::PermissionDenied);
}
