//! A program that keeps voxlint running, and sends the next document only when it has the answer to the last one.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::process::{folder, run_with_input, stderr, stdout, voxlint};
use serde_json::{Value, json};
use voxlint_testing::repository;

const LIVE: [&str; 6] = ["check", "--stdin-format", "ndjson", "--format", "ndjson", "--quiet"];

const GOOD: &str = r#"{ "version_number": 3 }"#;
const FAULTY: &str = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;

/// A child and both ends of the conversation.
struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    fn start(threads: &str, arguments: &[&str]) -> Self {
        Self::of(voxlint(repository(), arguments).env("RAYON_NUM_THREADS", threads))
    }

    fn of(command: &mut Command) -> Self {
        let mut conversation = Self::silent(command);
        // The first line comes before anything was sent.
        assert_eq!(conversation.line()["type"], "run");
        conversation
    }

    /// A child that has not written anything.
    fn silent(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes.as_ref()).unwrap();
        input.flush().unwrap();
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The rules of the findings in the next document, and its last line.
    fn answer(&mut self) -> (Vec<String>, Value) {
        let mut rules = Vec::new();
        loop {
            let line = self.line();
            match line["type"].as_str() {
                Some("document") => return (rules, line),
                Some("finding") => rules.push(line["rule"].as_str().unwrap().to_owned()),
                Some("undecided") => {}
                _ => panic!("{line}"),
            }
        }
    }

    /// Closes the input. Returns the rest of the output and the exit code.
    fn end(mut self) -> (String, Option<i32>) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        (rest, self.child.wait().unwrap().code())
    }
}

#[test]
fn each_line_is_answered_before_the_next_one_is_sent() {
    for threads in ["1", "2", "7"] {
        let mut conversation = Conversation::start(threads, &LIVE);
        for record in 0..1000 {
            let is_faulty = record % 3 == 0;
            conversation.send(format!("{}\n", if is_faulty { FAULTY } else { GOOD }));
            let (rules, end) = conversation.answer();
            let expected: &[&str] = if is_faulty { &["out-of-range"] } else { &[] };
            assert_eq!(rules, expected, "{record}");
            assert_eq!(end["record"], record);
            assert_eq!(end["document"], "<stdin>");
            assert_eq!(end["kind"], "update");
            assert_eq!(end["checked"], true);
            assert_eq!(end["errors"], i32::from(is_faulty));
        }
        let (rest, code) = conversation.end();
        let summary: Value = serde_json::from_str(&rest).unwrap();
        assert_eq!(summary["type"], "summary");
        assert_eq!((&summary["documents"], &summary["errors"]), (&json!(1000), &json!(334)));
        assert_eq!(code, Some(1));
    }
}

#[test]
fn lines_are_answered_however_they_are_cut() {
    for threads in ["1", "2"] {
        let mut conversation = Conversation::start(threads, &LIVE);
        let mut is_answered = |sent: &[&[u8]], expected: &[bool]| {
            for piece in sent {
                conversation.send(piece);
            }
            for is_faulty in expected {
                let (rules, end) = conversation.answer();
                assert_eq!(rules.len(), usize::from(*is_faulty), "{end}");
            }
        };
        let lines = format!("{GOOD}\n{FAULTY}\n");
        // Two in one write, half a line and its rest, and a line with the half of the next one.
        is_answered(&[lines.as_bytes()], &[false, true]);
        let (half, rest) = FAULTY.as_bytes().split_at(20);
        is_answered(&[half, rest, b"\n"], &[true]);
        is_answered(&[GOOD.as_bytes(), b"\n", half], &[false]);
        is_answered(&[rest, b"\n"], &[true]);
        // Line breaks of Windows, and blank lines, which have no answer.
        is_answered(&[b"\r\n \r\n", FAULTY.as_bytes(), b"\r\n\n"], &[true]);
        is_answered(&[GOOD.as_bytes(), b"\r", b"\n"], &[false]);
        // Many at once, as many as do not fit into a pipe, then one by one again.
        let many = lines.repeat(500);
        is_answered(&[many.as_bytes()], &[false, true].repeat(500));
        is_answered(&[GOOD.as_bytes(), b"\n"], &[false]);
        is_answered(&[FAULTY.as_bytes(), b"\n"], &[true]);
        // The last line needs no line break.
        conversation.send(FAULTY);
        let (rest, code) = conversation.end();
        assert_eq!(rest.matches("out-of-range").count(), 1, "{rest}");
        assert!(rest.contains(r#""record":1009,"checked":true"#), "{rest}");
        assert_eq!(code, Some(1));
    }
}

#[test]
fn a_line_longer_than_a_pipe_is_answered() {
    let mut conversation = Conversation::start("2", &LIVE);
    for length in [10, 1 << 16, 1 << 20] {
        let text = "x".repeat(length);
        conversation.send(format!("{{ \"version_number\": 3, \"prompt_text\": \"{text}\" }}\n"));
        let (rules, end) = conversation.answer();
        assert_eq!(rules, [""; 0]);
        assert_eq!(end["checked"], true);
    }
    assert_eq!(conversation.end().1, Some(0));
}

#[test]
fn every_line_has_one_answer_in_order() {
    let mut conversation = Conversation::start("2", &LIVE);
    let lines: [(&[u8], bool); 6] = [
        (b"\xef\xbb\xbf{ \"version_number\": 3 }", true),
        (b"{ \"version_number\": ", true),
        (b"\xff", true),
        (b"[]", true),
        (b"null", true),
        (b"{}", true),
    ];
    for (record, (line, checked)) in lines.into_iter().enumerate() {
        conversation.send(line);
        conversation.send("\n");
        let (_, end) = conversation.answer();
        assert_eq!((&end["record"], &end["checked"]), (&json!(record), &json!(checked)), "{end}");
    }
    assert_eq!(conversation.end().1, Some(1));
}

#[test]
fn a_baseline_and_other_formats_do_not_delay_answers() {
    let folder = folder("live-baseline", &[("a.ndjson", format!("{FAULTY}\n"))]);
    let known = ["--baseline", "known.json"];
    let write = [&["baseline", "write", "a.ndjson"][..], &known].concat();
    let written = voxlint(&folder, &write).output().unwrap();
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    let named = [&LIVE[..], &["--stdin-filename", "a.ndjson"], &known].concat();
    let mut conversation = Conversation::of(&mut voxlint(&folder, &named));
    for expected in [0, 1] {
        conversation.send(format!("{FAULTY}\n"));
        assert_eq!(conversation.answer().0.len(), expected);
    }
    conversation.end();

    let concise = ["check", "--stdin-format", "ndjson", "--format", "concise", "--quiet"];
    let mut child =
        voxlint(&folder, &concise).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    for line in 1..4 {
        input.write_all(format!("{FAULTY}\n").as_bytes()).unwrap();
        let mut found = String::new();
        output.read_line(&mut found).unwrap();
        assert!(found.starts_with(&format!("<stdin>:{line}:")), "{found}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn exit_codes_are_those_of_a_check() {
    let with = |more: &[&str], input: &str| run_with_input(&[&LIVE[..], more].concat(), input);
    let faulty = format!("{FAULTY}\n");
    assert_eq!(with(&[], &faulty).status.code(), Some(1));
    assert_eq!(with(&["--exit-zero"], &faulty).status.code(), Some(0));
    assert_eq!(with(&[], GOOD).status.code(), Some(0));
    let nothing = with(&[], "");
    assert_eq!(nothing.status.code(), Some(2), "{}", stderr(&nothing));
    assert!(stdout(&nothing).contains(r#""type":"failure""#), "{}", stdout(&nothing));
    assert_eq!(with(&["--allow-empty"], "\n\n").status.code(), Some(0));
}

#[test]
fn a_reader_that_stops_does_not_change_the_exit_code() {
    let mut conversation = Conversation::start("2", &LIVE);
    conversation.send(format!("{FAULTY}\n"));
    conversation.answer();
    let Conversation { mut child, input, output } = conversation;
    drop(output);
    let mut input = input.unwrap();
    for _ in 0..100 {
        input.write_all(format!("{FAULTY}\n").as_bytes()).unwrap();
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// Files with one document per line are reports of many documents: their clean documents have no lines.
#[test]
fn only_standard_input_has_lines_that_end_a_document() {
    let folder = folder("live-file", &[("a.ndjson", format!("{GOOD}\n{FAULTY}\n"))]);
    let output = voxlint(&folder, &["check", "a.ndjson", "--format", "ndjson"]).output().unwrap();
    assert!(stdout(&output).contains(r#""type":"finding""#), "{}", stdout(&output));
    assert!(!stdout(&output).contains(r#""type":"document""#), "{}", stdout(&output));
}

/// Runs the program of the page about pipelines.
#[test]
fn the_python_program_of_the_page_works() {
    let page = std::fs::read_to_string(repository().join("docs/pipelines.md")).unwrap();
    let program = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let program_folder = std::path::Path::new(env!("CARGO_BIN_EXE_voxlint")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(program_folder.to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new("python3")
        .args(["-c", program])
        .env("PATH", std::env::join_paths(paths).unwrap())
        .output();
    let Ok(output) = output else {
        voxlint_testing::skip("python3 is not installed");
        return;
    };
    assert!(output.status.success(), "{}", stderr(&output));
    let expected = "accepted\n`kb_max_chunks` is 12, over the maximum of 10\n";
    assert_eq!(stdout(&output), expected);
}

/// Without a stated format, the first line decides: it is a document, or the beginning of one.
#[test]
fn lines_of_documents_are_recognized_by_the_first_one() {
    let mut command = voxlint(repository(), &["check", "--format", "ndjson", "-"]);
    let mut conversation = Conversation::silent(&mut command);
    for number in 0..3 {
        conversation.send(format!("{FAULTY}\n"));
        if number == 0 {
            assert_eq!(conversation.line()["type"], "run");
        }
        let (rules, last) = conversation.answer();
        assert_eq!((rules, &last["record"]), (vec!["out-of-range".to_owned()], &json!(number)));
    }
    // A line with a mistake is answered as well.
    conversation.send("{\n");
    assert_eq!(conversation.answer().0, ["syntax-error"]);
    assert_eq!(conversation.end().1, Some(1));

    let whole = |input: &str, arguments: &[&str]| {
        let all = [&["check", "--format", "ndjson", "-"], arguments].concat();
        let output = run_with_input(&all, input);
        let has_lines = stdout(&output).contains(r#""type":"document""#);
        (has_lines, stdout(&output).matches("out-of-range").count())
    };
    // One document over several lines, with blank lines before it, or without a line break at its end.
    let formatted = "{\n  \"version_number\": 3,\n  \"kb_max_chunks\": 12\n}\n";
    for input in [formatted, &format!("\n\n{formatted}"), FAULTY] {
        assert_eq!(whole(input, &[]), (false, 1), "{input}");
    }
    assert_eq!(whole(&format!("\r\n{FAULTY}\r\n{FAULTY}"), &[]), (true, 2));
    // What is stated counts.
    let line = format!("{FAULTY}\n");
    for arguments in [&["--stdin-format", "json"][..], &["--stdin-filename", "a.json"]] {
        assert_eq!(whole(&line, arguments), (false, 1), "{arguments:?}");
    }
    let folder = folder("live-stored", &[("stored.json", r#"{ "version_number": 3 }"#)]);
    let stored = folder.join("stored.json");
    assert_eq!(whole(&line, &["--stored", stored.to_str().unwrap()]), (false, 1));
}
