//! The reader against `serde_json` on texts with mistakes in them: the same texts are accepted, with the same values; and
//! whatever the text, the tree and the faults hold together.
//!
//! `VOXLINT_CASES` sets how many texts are tried.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;
use voxlint_syntax::{Format, Kind, Node, Span, SyntaxErrorKind, Tree, decode, parse};

#[test]
fn mutated_texts_are_parsed_like_serde_json() {
    let cases = voxlint_testing::cases(2_000, 20_000);
    let documents = documents();
    let mut random = Random(0x5eed);
    let (mut accepted, mut left_out) = (0u64, 0u64);
    for case in 0..cases {
        let bytes = random.input(&documents);
        let outcome = catch_unwind(AssertUnwindSafe(|| check(&bytes)));
        match outcome.unwrap_or_else(|_| Err("it panics".to_owned())) {
            Ok(Verdict::Accepted) => accepted += 1,
            Ok(Verdict::Rejected) => {}
            Ok(Verdict::LeftOut) => left_out += 1,
            Err(why) => {
                panic!("case {case}: {why}\n{}\n{:?}", String::from_utf8_lossy(&bytes), bytes)
            }
        }
    }
    println!("{cases} texts, {accepted} accepted by both, {left_out} left out");
    // A generator that only makes rubbish, or only sound texts, would test little.
    assert!(accepted > cases / 50 && accepted < cases / 2, "{accepted} of {cases} accepted");
}

#[test]
fn the_documents_to_mutate_are_accepted_as_they_are() {
    for document in documents() {
        assert!(matches!(check(document.as_bytes()), Ok(Verdict::Accepted)), "{document}");
    }
}

enum Verdict {
    Accepted,
    Rejected,
    LeftOut,
}

fn check(bytes: &[u8]) -> Result<Verdict, String> {
    let decoded = decode(bytes);
    if decoded.text.len() != bytes.len() && !decoded.text.is_empty() {
        return Err("decoding moves offsets".to_owned());
    }
    let parsed = parse(&*decoded.text, Format::Json);
    let tree = &parsed.documents[0];
    for error in decoded.errors.iter().chain(&parsed.errors) {
        for span in [Some(error.span), error.related].into_iter().flatten() {
            in_text(span, &decoded.text, "an error")?;
        }
        let words = [
            Some(error.message(&decoded.text)),
            Some(error.label().to_owned()),
            error.help(&decoded.text),
            error.related_label().map(str::to_owned),
        ];
        if words.iter().flatten().any(|words| words.is_empty() || words.contains('\n')) {
            return Err(format!("{error:?} has no words for itself: {words:?}"));
        }
    }
    let listed = parsed.errors.iter().filter(|e| e.kind != SyntaxErrorKind::TooManyErrors);
    if !listed.map(|error| error.span).is_sorted() {
        return Err(format!("the errors are not in order: {:?}", parsed.errors));
    }
    sound_tree(tree)?;
    let accepts = decoded.errors.is_empty() && parsed.errors.is_empty();
    if accepts
        && tree.nodes().any(|n| n.is_faulty() || n.is_incomplete() || n.kind() == Kind::Invalid)
    {
        return Err("a node is faulty and no error says so".to_owned());
    }
    if accepts {
        same_with_recovery(&decoded.text, tree)?;
    }
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) if accepts => {
            let root = tree.root().ok_or("no root")?;
            same_value(root, &value)?;
            Ok(Verdict::Accepted)
        }
        Ok(_) => Err(format!("serde_json accepts it, and here {:?}", parsed.errors)),
        Err(error) => {
            let error = error.to_string();
            // The reader goes deeper, and numbers of any size are numbers to it.
            if error.starts_with("recursion limit") || error.starts_with("number out of range") {
                return Ok(Verdict::LeftOut);
            }
            if accepts {
                Err(format!("serde_json rejects it: {error}"))
            } else {
                Ok(Verdict::Rejected)
            }
        }
    }
}

/// Valid texts have a reader of their own. A byte order mark sends a text to the reader that recovers from errors, which must
/// find no other error and build the same tree.
fn same_with_recovery(text: &str, tree: &Tree) -> Result<(), String> {
    let mark = "\u{feff}";
    let parsed = parse(format!("{mark}{text}"), Format::Json);
    if parsed.errors.iter().any(|error| error.kind != SyntaxErrorKind::ByteOrderMark) {
        return Err(format!("the reader that recovers finds {:?}", parsed.errors));
    }
    let nodes = |tree: &Tree, offset: usize| -> Vec<_> {
        let place = |node: Node<'_>| {
            let span = node.span();
            (span.start as usize - offset, span.end as usize - offset, node.after().index())
        };
        let value =
            |node: Node<'_>| node.as_str().map_or(node.source().to_owned(), Cow::into_owned);
        tree.nodes().map(|node| (node.kind(), place(node), node.is_plain(), value(node))).collect()
    };
    let (ours, others) = (nodes(tree, 0), nodes(&parsed.documents[0], mark.len()));
    if ours == others {
        Ok(())
    } else {
        Err(format!("the readers build different trees:\n{ours:?}\n{others:?}"))
    }
}

fn in_text(span: Span, text: &str, what: &str) -> Result<(), String> {
    match text.get(span.start as usize..span.end as usize) {
        Some(_) => Ok(()),
        None => Err(format!("{what} at {span:?} is not in the text")),
    }
}

/// Every node is reached from the root, in its own order, inside its parent and after its elder siblings.
fn sound_tree(tree: &Tree) -> Result<(), String> {
    let mut pending: Vec<(Node<'_>, Span)> = Vec::new();
    pending.extend(tree.root().map(|root| (root, Span::new(0, tree.text().len() as u32))));
    let mut next = 0;
    while let Some((node, bounds)) = pending.pop() {
        if node.id().index() != next {
            return Err(format!("{node:?} is number {} and not {next}", node.id().index()));
        }
        next += 1;
        in_text(node.span(), tree.text(), "a node")?;
        if node.span().start > node.span().end || !bounds.contains(node.span()) {
            return Err(format!("{node:?} reaches out of {bounds:?}"));
        }
        let mut children = Vec::new();
        for member in node.members() {
            if member.key.kind() != Kind::Key || member.value.kind() == Kind::Key {
                return Err(format!("{member:?} is not a member"));
            }
            children.extend([member.key, member.value]);
        }
        children.extend(node.elements());
        if node.kind() == Kind::Array && children.iter().any(|child| child.kind() == Kind::Key) {
            return Err(format!("a name in {node:?}"));
        }
        let spans = || children.iter().map(|child| child.span());
        if spans().zip(spans().skip(1)).any(|(elder, younger)| elder.end > younger.start) {
            return Err(format!("the children of {node:?} overlap: {children:?}"));
        }
        pending.extend(children.iter().rev().map(|child| (*child, node.span())));
        sound_text(node)?;
    }
    if next == tree.len() { Ok(()) } else { Err("some nodes have no parent".to_owned()) }
}

fn sound_text(node: Node<'_>) -> Result<(), String> {
    if node.kind() == Kind::Number && node.decimal().is_none() {
        return Err(format!("{node:?} has no value"));
    }
    let Some(text) = node.text() else {
        return match node.kind() {
            Kind::Key | Kind::String => Err(format!("{node:?} has no text")),
            _ => Ok(()),
        };
    };
    if node.as_str().as_deref() != Some(text.as_str()) {
        return Err(format!("{node:?} decodes in two ways"));
    }
    let mut from = node.span().start;
    for (at, character) in text.as_str().char_indices() {
        let span = text.to_source(at..at + character.len_utf8());
        if span.start < from || span.is_empty() || !node.span().contains(span) {
            return Err(format!("{character:?} at {at} of {node:?} comes from {span:?}"));
        }
        from = span.end;
    }
    Ok(())
}

fn same_value(node: Node<'_>, value: &Value) -> Result<(), String> {
    let same = match value {
        Value::Null => node.kind() == Kind::Null,
        Value::Bool(value) => node.as_bool() == Some(*value),
        Value::String(value) => {
            node.kind() == Kind::String && node.as_str().as_deref() == Some(value.as_str())
        }
        Value::Number(value) => same_number(node, value),
        Value::Array(values) => {
            for (node, value) in node.elements().zip(values) {
                same_value(node, value)?;
            }
            node.kind() == Kind::Array && node.elements().count() == values.len()
        }
        Value::Object(values) => {
            for (name, value) in values {
                let node = node.get(name).ok_or_else(|| format!("no {name:?} in {node:?}"))?;
                same_value(node, value)?;
            }
            node.kind() == Kind::Object
                && node.members().all(|member| values.contains_key(&*member.name()))
        }
    };
    if same { Ok(()) } else { Err(format!("{node:?} is {value} to serde_json")) }
}

fn same_number(node: Node<'_>, value: &serde_json::Number) -> bool {
    let Some(decimal) = node.decimal() else { return false };
    if let Some(integer) = value.as_i64() {
        return decimal == integer && decimal.is_whole();
    }
    if let Some(integer) = value.as_u64() {
        return decimal.literal().parse() == Ok(integer) && decimal.is_whole();
    }
    // Without its `float_roundtrip`, serde_json may miss the nearest number by a little.
    let (ours, theirs) = (decimal.to_f64(), value.as_f64().unwrap());
    (ours - theirs).abs() <= ours.abs() * 1e-15 + f64::MIN_POSITIVE
}

/// Documents as people write them, in several layouts, and small ones of random structure.
fn documents() -> Vec<String> {
    let mut documents = vec![
        "{\n  \"title\": \"Front desk\",\n  \"model\": \"fast-2\",\n  \"temperature\": 0.7,\n  \"system_prompt\": \"You are Ada.\\n\\nGreet {{caller_name}} and ask \\\"what for\\\"?\\n- Be brief \\u2013 two sentences.\\n\",\n  \"tags\": [\"de\", \"en\"],\n  \"voice\": {\n    \"id\": \"v_12\",\n    \"speed\": 1.0,\n    \"pitch\": null\n  },\n  \"max_turns\": 40\n}\n".to_owned(),
        r#"{"title":"Bäckerei Grün","keywords":["Brötchen","Öffnung"],"transfer":[{"to":"+49 30 1234","when":"asks for {{name}}"},{"to":"+49 30 999","when":null}],"recording":false,"wait":1.5e1}"#.to_owned(),
        "{\r\n\t\"a\" : [ 1 , -2.50 , 3E+2, 0 ],\r\n\t\"b\" : { },\r\n\t\"c\" : [ ]\r\n}".to_owned(),
        r#"[{"escapes":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\uD83D\uDE00"},"日本語 🎧","",[[[]]],{"":{"":{}}}]"#.to_owned(),
        r#"{"a":1,"a":2,"\u0061":3,"n":[18446744073709551615,-9223372036854775808,18446744073709551616,0.1,1e-7,-0,-0.0,123456789012345678901234567890]}"#.to_owned(),
        " \"just a text\" ".to_owned(),
        "true".to_owned(),
        "-12.5e-3".to_owned(),
        "null\n".to_owned(),
    ];
    let mut random = Random(7);
    for _ in 0..40 {
        let mut text = String::new();
        random.value(&mut text, 0);
        documents.push(text);
    }
    documents
}

/// What mistakes are made of.
const TOKENS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"'",
    b"\\",
    b"/",
    b"//",
    b"/*",
    b"*/",
    b"#",
    b"\n",
    b"\r",
    b"\r\n",
    b"\t",
    b" ",
    b"  ",
    b"\x0b",
    b"\x0c",
    b"\0",
    b"\x1f",
    b"\x7f",
    b"\xc2\xa0",
    b"\xe2\x80\x9c",
    b"\xe2\x80\x9d",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xfe",
    b"\xc3",
    b"\xe2\x82",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
    b"\xe2\x80\xa8",
    b"\\u",
    b"\\u0041",
    b"\\ud83d",
    b"\\ude00",
    b"\\ud83d\\ude00",
    b"\\uD8",
    b"\\u00g0",
    b"\\x41",
    b"\\'",
    b"\\\n",
    b"\\0",
    b"\\n",
    b"\\\\",
    b"\\\"",
    b"true",
    b"True",
    b"false",
    b"null",
    b"None",
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"undefined",
    b"0",
    b"-",
    b"+",
    b".",
    b"e",
    b"E",
    b"01",
    b"-0",
    b"1.",
    b".5",
    b"1e",
    b"1e+",
    b"0x1F",
    b"1_000",
    b"1e400",
    b"1e-400",
    b"123456789012345678901234567890",
    b"=",
    b"=>",
    b";",
    b"key",
    b"key: ",
    b"'key': ",
    b"\"key\": ",
    b"\"key\" ",
    b"{}",
    b"[]",
    b"\"\"",
    b"\",\n",
    b"},",
    b"],\n",
    b"\n}",
    b"\n]",
    b",,",
    b", }",
    b",]",
    b"$a",
    b"@",
    b"`",
    b"<",
    b"|",
];

/// A small generator of random numbers (`SplitMix64`), so that a case has the same text everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        voxlint_testing::split_mix(&mut self.0)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    fn input(&mut self, documents: &[String]) -> Vec<u8> {
        let mut bytes = match self.below(8) {
            // Snippets in a row, which are seldom sound and often nearly.
            0 => {
                let count = 1 + self.below(12);
                (0..count).flat_map(|_| self.pick(TOKENS).iter().copied()).collect()
            }
            1 | 2 => {
                let mut text = String::new();
                self.value(&mut text, 0);
                text.into_bytes()
            }
            _ => documents[self.below(documents.len())].clone().into_bytes(),
        };
        // Some stay as they are.
        let mutations = [0, 1, 1, 1, 2, 2, 3, 6][self.below(8)];
        for _ in 0..mutations {
            self.mutate(&mut bytes, documents);
        }
        bytes
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>, documents: &[String]) {
        let at = self.below(bytes.len() + 1);
        let end = (at + self.below(12)).min(bytes.len());
        match self.below(11) {
            0 if at < bytes.len() => bytes[at] = self.next() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let again = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, again));
            }
            4 => {
                let other = documents[self.below(documents.len())].as_bytes();
                let from = self.below(other.len());
                let to = (from + self.below(40)).min(other.len());
                drop(bytes.splice(at..end, other[from..to].iter().copied()));
            }
            5 => bytes.truncate(at),
            6 => {
                let far = self.below(bytes.len() + 1);
                let (from, to) = (at.min(far), at.max(far));
                bytes[from..to].reverse();
            }
            7 if at < bytes.len() => drop(bytes.remove(at)),
            8 => {
                let token = self.pick(TOKENS);
                drop(bytes.splice(at..end, token.iter().copied()));
            }
            _ => {
                let token = self.pick(TOKENS);
                drop(bytes.splice(at..at, token.iter().copied()));
            }
        }
    }

    fn value(&mut self, text: &mut String, depth: usize) {
        match self.below(if depth > 4 { 6 } else { 9 }) {
            0 => text.push_str(self.pick(&["true", "false", "null"])),
            1 | 2 => self.number(text),
            3..=5 => self.string(text),
            6 => self.container(text, depth, '[', ']'),
            _ => self.container(text, depth, '{', '}'),
        }
    }

    fn container(&mut self, text: &mut String, depth: usize, open: char, close: char) {
        text.push(open);
        let count = self.below(4);
        for entry in 0..count {
            if entry > 0 {
                text.push(',');
            }
            self.space(text, depth + 1);
            if open == '{' {
                self.string(text);
                text.push_str(self.pick(&[":", ": ", " : "]));
            }
            self.value(text, depth + 1);
        }
        self.space(text, depth);
        text.push(close);
    }

    fn space(&mut self, text: &mut String, depth: usize) {
        match self.below(4) {
            0 => {}
            1 => text.push(' '),
            _ => {
                text.push('\n');
                text.push_str(&"  ".repeat(depth));
            }
        }
    }

    fn number(&mut self, text: &mut String) {
        if self.below(3) == 0 {
            text.push('-');
        }
        match self.below(4) {
            0 => text.push('0'),
            1 => write!(text, "{}", self.next()).unwrap(),
            _ => write!(text, "{}", self.below(2000)).unwrap(),
        }
        if self.below(3) == 0 {
            write!(text, ".{:03}", self.below(1000)).unwrap();
        }
        if self.below(4) == 0 {
            write!(text, "{}{}", self.pick(&["e", "E", "e+", "E-"]), self.below(30)).unwrap();
        }
    }

    fn string(&mut self, text: &mut String) {
        const PARTS: &[&str] = &[
            "a",
            "name",
            "title",
            " ",
            "{{x}}",
            "é",
            "日",
            "🎧",
            "\\n",
            "\\\"",
            "\\\\",
            "\\/",
            "\\t",
            "\\u00e9",
            "\\u0000",
            "\\ud83d\\ude00",
            "\\uFFFF",
            "'",
            "//",
            "#",
            "}",
            "]",
            ",",
            ": ",
        ];
        text.push('"');
        for _ in 0..self.below(6) {
            text.push_str(self.pick(PARTS));
        }
        text.push('"');
    }
}
