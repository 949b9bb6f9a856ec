//! The reader against `serde_json` on texts with mistakes in them: the same texts are accepted, with the same values; and
//! whatever the text, the tree and the faults hold together.
//!
//! `VOXLINT_CASES` sets how many texts are tried.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use voxlint_testing::texts::lines;
use voxlint_testing::trees::{Verdict, compare_with_serde_json};

#[test]
fn mutated_texts_are_parsed_like_serde_json() {
    let cases = voxlint_testing::cases(2_000, 20_000);
    let documents = documents();
    let mut random = Random(0x5eed);
    let (mut accepted, mut left_out) = (0u64, 0u64);
    for case in 0..cases {
        let bytes = random.input(&documents);
        let outcome = catch_unwind(AssertUnwindSafe(|| compare_with_serde_json(&bytes)));
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
        assert!(
            compare_with_serde_json(document.as_bytes()) == Ok(Verdict::Accepted),
            "{document}"
        );
    }
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
static TOKENS: LazyLock<Vec<&[u8]>> = LazyLock::new(|| {
    let texts = lines(include_str!("../words/tokens.txt")).into_iter().map(str::as_bytes);
    let others: [&[u8]; 5] = [b"\xff", b"\xfe", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80"];
    texts.chain(others).collect()
});

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
                (0..count).flat_map(|_| self.pick(&TOKENS).iter().copied()).collect()
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
                let token = self.pick(&TOKENS);
                drop(bytes.splice(at..end, token.iter().copied()));
            }
            _ => {
                let token = self.pick(&TOKENS);
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
