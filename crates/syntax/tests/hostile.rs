//! Texts made to be slow to read: ten times the text may take about ten times the time, whatever it holds.

#![allow(clippy::expect_used)]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use voxlint_syntax::{Format, LineIndex, MAX_ERRORS, decode, parse};

/// The shorter of the two lengths. Without optimization less does.
const LENGTH: usize = if cfg!(debug_assertions) { 50_000 } else { 1_000_000 };

#[test]
fn ten_times_the_text_takes_about_ten_times_the_time() {
    let mut slow = String::new();
    for (what, text) in texts() {
        let (short, long) = (time(&text(LENGTH), 3), time(&text(LENGTH * 10), 1));
        println!("{short:>12.2?} {long:>12.2?}  {what}");
        // What takes no time at all is not measured well.
        let floor = Duration::from_millis(5);
        if long > short.max(floor) * 30 {
            writeln!(slow, "{what}: {short:?}, then {long:?}").expect("a string takes all");
        }
    }
    assert!(slow.is_empty(), "{slow}");
}

#[test]
fn faults_are_listed_up_to_the_limit() {
    for (what, text) in texts() {
        let text = text(20_000);
        let parsed = parse(&text, Format::Json);
        assert!(!parsed.errors.is_empty(), "{what}");
        assert!(parsed.errors.len() <= MAX_ERRORS + 1, "{what}");
        // Memory, too, is in proportion: there are no more nodes than bytes and a few.
        assert!(parsed.documents[0].len() <= text.len() + 8, "{what}");
    }
}

/// The least time of several, which noise has the least part in.
fn time(text: &str, times: usize) -> Duration {
    let once = || {
        let start = Instant::now();
        let decoded = decode(text.as_bytes());
        let parsed = parse(&decoded.text, Format::Json);
        let index = LineIndex::new(&decoded.text);
        for error in &parsed.errors {
            let words = error.message(&decoded.text).len()
                + error.help(&decoded.text).map_or(0, |help| help.len());
            assert!(words < 500, "{error:?}");
            let _ = index.position(&decoded.text, error.span.start);
        }
        start.elapsed()
    };
    (0..times).map(|_| once()).min().unwrap_or_default()
}

type Make = Box<dyn Fn(usize) -> String>;

/// What a text begins with, and what it repeats from there.
const REPEATED: &[(&str, &str)] = &[
    ("", "["),
    ("", "{\"a\":"),
    ("", "{\"a\":["),
    ("[", "{\"a\":1},\n"),
    ("", ","),
    ("[", ","),
    ("{", ","),
    ("", "\""),
    ("[", "\""),
    ("[", "\" "),
    ("{", "\" "),
    ("", "\\"),
    ("\"", "\\"),
    ("\"", "\\u"),
    ("\"", "\\ud800"),
    ("[", "\"\\ud800\","),
    ("", "{\"a\":1 "),
    ("{", "\"a\":1 "),
    ("{", "\"a\" 1 "),
    ("{", "\"a\":\n"),
    ("", "'"),
    ("[", "'"),
    ("[", "' "),
    ("[", "'a' "),
    ("{", "'a'"),
    ("[", "'\\'"),
    ("", "/*"),
    ("[", "/*"),
    ("[", "/**/"),
    ("", "#\n"),
    ("[", "//\n"),
    ("", "[}"),
    ("[", "[}"),
    ("{\"a\":", "[}"),
    ("", "{]"),
    ("", "}"),
    ("[", "}"),
    ("{", "]"),
    ("{", "},"),
    ("{", "},\"a\""),
    ("{\"a\":1", "},\"a\":1"),
    ("", "\\\"\\\""),
    ("[", "\"\n"),
    ("{", "\"\n"),
    ("{", "\"a\":\"\n"),
    ("\"", "\n"),
    ("\"", "\n \n\t"),
    ("[\"", "\r\n"),
    ("\"", "x\n}"),
    ("[\"", "x,\n\"x"),
    ("\"", "\n\"a"),
    ("{\"a\":\"", "b\n\"c\" d"),
    ("[", "a"),
    ("[", "a "),
    ("[", "a,"),
    ("{", "a"),
    ("{", "a "),
    ("{", "a,"),
    ("{\"a\":", "a,"),
    ("{\"a\":", "a, b"),
    ("{\"a\":", "a{"),
    ("{\"a\":", "a}b"),
    ("{\"a\":", "(\"x\""),
    ("{\"a\":", " \"b"),
    ("{\"a\":x", " \"b"),
    ("{\"a\":1", " \"b"),
    ("{\"a\":1", " x"),
    ("{\"a\":1", ":"),
    ("[", "\"a\":"),
    ("[1,", "\"a\":[1,"),
    ("{\"a\":", "[1,\"a\":"),
    ("{\"a\":", "{{x}} "),
    ("{\"a\":", "{{"),
    ("{\"a\":", "{{x"),
    ("{\"a\":", "\"x\"y\" "),
    ("{", "\"a\":\"x\"y\","),
    ("{", "\"a\":\"x, \"y\":"),
    ("{\"a\":", "\"x\"+"),
    ("{\"a\":", "\"x\"+\n"),
    ("{\"a\":", "\"\"\""),
    ("[", "\"\"\"x"),
    ("[", "\"\"\"x\"\"\" "),
    ("[", ";"),
    ("[1", ";"),
    ("{\"a\":1", "; "),
    ("[", "="),
    ("{", "a="),
    ("{", "a=>"),
    ("{", ":"),
    ("{", "::"),
    ("[", "-"),
    ("[", "+"),
    ("[", "1 "),
    ("[", "01 "),
    ("[", "01,"),
    ("[", "0"),
    ("[", "1e"),
    ("[", "\u{a0}"),
    ("[", "1\u{a0}"),
    ("[", "“"),
    ("{", "“a"),
    ("{", "“a”:“b”,"),
    ("[", "é"),
    ("[", "\0"),
    ("[", "\u{b}"),
    ("", "```\n"),
    ("", "x "),
    ("", "x\n"),
    ("\"a\"", ":"),
    ("\u{feff}", "\u{feff}"),
    ("", " \n"),
    ("[", "{\n}\n"),
    ("{\n", "  \"a\": {\n"),
    ("{\n", "\"a\": {\n"),
    ("{\n", "  \"a\": {\n\"b\": 1,\n"),
    ("{\n", "  \"a\": [\n],\n}\n"),
    ("[\n", "  {\n \"a\": 1\n ]\n"),
    ("[", "[{\"a\":[1,2,3,{},\"x\\n\"]}],tru,'x',\"\u{1}\",//\n}"),
];

/// What the texts are, and how to make one of about a length.
fn texts() -> Vec<(String, Make)> {
    let mut texts: Vec<(String, Make)> = Vec::new();
    for &(first, unit) in REPEATED {
        texts.push((
            format!("{first:?} and {unit:?} repeated"),
            Box::new(move |length| format!("{first}{}", unit.repeat(length / unit.len()))),
        ));
    }
    // A deep nest, and then brackets of the wrong kind.
    for (open, close) in [("[", "}"), ("{\"a\":", "]"), ("[{\"a\":", "]"), ("{\"a\":[", "}")] {
        for between in ["", " ", "\n", "\n   ", ","] {
            texts.push((
                format!("a nest of {open:?} and then {close:?} after {between:?}"),
                Box::new(move |length| {
                    let closing = format!("{between}{close}");
                    let count = length / closing.len();
                    format!("{}{}", open.repeat(400), closing.repeat(count))
                }),
            ));
            texts.push((
                format!("nests of {open:?} closed by {close:?} after {between:?}"),
                Box::new(move |length| {
                    let nest = format!("{}{between}{close}", open.repeat(300));
                    nest.repeat(length / nest.len())
                }),
            ));
        }
    }
    for bracket in ["}", "]", "},\n", "{", "[", "\"a\": {", "\"a\": 1", "\"", "x"] {
        texts.push((
            format!("{bracket:?} far inside each line"),
            Box::new(move |length| {
                let line = format!("{}{bracket}\n", " ".repeat(2000));
                format!("{{{}", line.repeat(length / line.len()))
            }),
        ));
        texts.push((
            format!("{bracket:?} after white space as long as the text"),
            Box::new(move |length| {
                let far = " ".repeat(length / 4);
                format!("{{\"a\":[{far}{bracket}{far}{bracket}\n{far}{bracket}{far}")
            }),
        ));
    }
    texts.extend(indented());
    texts
}

/// Texts that take their brackets apart by indentation.
fn indented() -> Vec<(String, Make)> {
    let mut texts: Vec<(String, Make)> = Vec::new();
    texts.push((
        "lines of growing indentation".to_owned(),
        Box::new(|length| {
            let mut text = "{\n".to_owned();
            let mut depth = 1;
            while text.len() < length {
                writeln!(text, "{}\"a\": {{", " ".repeat(depth % 1500)).expect("a string");
                depth += 1;
            }
            text
        }),
    ));
    texts.push((
        "short lines that close with another indentation".to_owned(),
        Box::new(|length| format!("{{\n{}", "    \"a\": {\n\"b\": 1\n   },\n".repeat(length / 25))),
    ));
    texts
}
