//! Texts made to be slow to read.

use std::fmt::Write as _;

pub(crate) type Make = Box<dyn Fn(usize) -> String>;

/// What a text begins with, and what it repeats from there.
pub(crate) const REPEATED: &[(&str, &str)] = &[
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
    ("[", "-0"),
    ("[", "1-"),
    ("[", "null-"),
    ("[", "1$"),
    ("[", "-1$-"),
    ("{\"a\":", "1-"),
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
pub(crate) fn texts() -> Vec<(String, Make)> {
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
pub(crate) fn indented() -> Vec<(String, Make)> {
    let mut texts: Vec<(String, Make)> = Vec::new();
    texts.push((
        "lines of growing indentation".to_owned(),
        Box::new(|length| {
            let mut text = "{\n".to_owned();
            let mut depth = 1;
            while text.len() < length {
                let _ = writeln!(text, "{}\"a\": {{", " ".repeat(depth % 1500));
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
