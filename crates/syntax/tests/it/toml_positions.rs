//! Every character of a decoded TOML string leads back to the bytes that spell it, in each of the four forms.

use voxlint_syntax::{Format, Span, SyntaxError, SyntaxErrorKind, parse};

/// The form of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Basic,
    Literal,
    MultiLineBasic,
    MultiLineLiteral,
}

/// A fixed sequence of numbers: the gate does not depend on luck.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn one_of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// A text under construction, with what it says and the bytes that spell each decoded byte.
#[derive(Default)]
struct Spelled {
    text: String,
    decoded: String,
    sources: Vec<Span>,
}

impl Spelled {
    fn push(&mut self, spelling: &str, says: &str) {
        let start = self.text.len() as u32;
        self.text.push_str(spelling);
        self.decoded.push_str(says);
        self.sources.resize(self.decoded.len(), Span::new(start, self.text.len() as u32));
    }

    fn plain(&mut self, text: &str) {
        for character in text.chars() {
            let mut buffer = [0; 4];
            let character = &*character.encode_utf8(&mut buffer);
            self.push(character, character);
        }
    }
}

const WORDS: [&str; 10] =
    ["Hello", "नमस्ते", "👩‍👩‍👧", "😀", "{{name}}", "a\tb", "é", " ", "# no comment", "\u{a0}"];

const ESCAPES: [(&str, &str); 14] = [
    ("\\n", "\n"),
    ("\\t", "\t"),
    ("\\r", "\r"),
    ("\\b", "\u{8}"),
    ("\\f", "\u{c}"),
    ("\\e", "\u{1b}"),
    ("\\\"", "\""),
    ("\\\\", "\\"),
    ("\\x41", "A"),
    ("\\u00e9", "é"),
    ("\\u0928", "न"),
    ("\\U0001F600", "😀"),
    ("\\U00000041", "A"),
    ("\\u0000", "\0"),
];

fn body(numbers: &mut Numbers, form: Form, line_break: &str) -> Spelled {
    let mut spelled = Spelled::default();
    let is_basic = matches!(form, Form::Basic | Form::MultiLineBasic);
    let is_multi_line = matches!(form, Form::MultiLineBasic | Form::MultiLineLiteral);
    let quote = if is_basic { "\"" } else { "'" };
    let other = if is_basic { "'" } else { "\"" };
    spelled.push(if is_multi_line { if is_basic { "\"\"\"" } else { "'''" } } else { quote }, "");
    // The first line break is not part of the string.
    if is_multi_line && numbers.below(2) == 0 {
        spelled.push(line_break, "");
    } else if is_multi_line {
        spelled.plain("x");
    }
    let mut quotes = 0;
    for _ in 0..numbers.below(40) {
        let choice = numbers.below(12);
        let may_quote = quotes < 2 && is_multi_line;
        quotes = 0;
        match choice {
            0..=4 => spelled.plain(numbers.one_of(&WORDS)),
            5 => spelled.plain(other),
            6 if may_quote => {
                // At most two in a row.
                spelled.plain(quote);
                spelled.plain("-");
            }
            6..=7 if is_basic => {
                let (spelling, says) = ESCAPES[numbers.below(ESCAPES.len())];
                spelled.push(spelling, says);
            }
            6..=7 => spelled.plain("\\"),
            8..=9 if is_multi_line => {
                for _ in 0..=numbers.below(3) {
                    spelled.push(line_break, "\n");
                }
            }
            10 if form == Form::MultiLineBasic => {
                let spaces = ["", " ", "\t ", "    "];
                let mut rest = format!("\\{}{line_break}", numbers.one_of(&spaces));
                for _ in 0..numbers.below(3) {
                    rest.push_str(numbers.one_of(&spaces));
                    rest.push_str(numbers.one_of(&["", line_break]));
                }
                spelled.push(&rest, "");
                // What follows must not be white space, or the continuation would take it in.
                spelled.plain("y");
            }
            _ => spelled.plain("word "),
        }
    }
    if is_multi_line {
        quotes = numbers.below(3);
        spelled.plain("z");
        for _ in 0..quotes {
            spelled.plain(quote);
        }
        spelled.push(if is_basic { "\"\"\"" } else { "'''" }, "");
    } else {
        spelled.push(quote, "");
    }
    spelled
}

#[test]
fn every_character_leads_to_the_bytes_that_spell_it() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut positions = 0;
    for round in 0..2400 {
        let line_break = if round % 2 == 0 { "\n" } else { "\r\n" };
        let forms = [Form::Basic, Form::Literal, Form::MultiLineBasic, Form::MultiLineLiteral];
        let form = forms[round / 2 % 4];
        let spelled = body(&mut numbers, form, line_break);
        // As a value of a table, in an array, and as a name.
        let (before, after) = match numbers.below(4) {
            0 => (format!("# é{line_break}[t]{line_break}a = 1{line_break}b = "), line_break),
            1 => (format!("b = [ 1, # ]{line_break} "), ",]"),
            2 => ("b = { c.d = ".to_owned(), "}"),
            _ if matches!(form, Form::Basic | Form::Literal) => (String::new(), " = 1"),
            _ => ("b=".to_owned(), ""),
        };
        let text = format!("{before}{}{after}", spelled.text);
        let parsed = parse(&*text, Format::Toml);
        // Some of the escapes are those of TOML 1.1.
        let is_newer = |error: &SyntaxError| error.kind == SyntaxErrorKind::Toml11;
        assert!(parsed.errors.iter().all(is_newer), "{:?} in {text:?}", parsed.errors);
        let offset = before.len() as u32;
        let node = parsed.documents[0]
            .nodes()
            .find(|node| node.span() == Span::new(offset, offset + spelled.text.len() as u32))
            .unwrap_or_else(|| panic!("no string in {text:?}"));
        let read = node.text().unwrap();
        assert_eq!(read.as_str(), spelled.decoded, "{text:?}");
        assert_eq!(node.as_str().unwrap(), spelled.decoded);
        let place = |source: Span| Span::new(source.start + offset, source.end + offset);
        for (at, character) in spelled.decoded.char_indices() {
            let end = at + character.len_utf8();
            let source = place(spelled.sources[at]);
            assert_eq!(read.to_source(at..end), source, "{at} in {text:?}");
            assert_eq!(read.to_source(at..at), Span::at(source.start), "{at} in {text:?}");
            // All of the string up to here.
            let first = place(spelled.sources[0]).start;
            assert_eq!(read.to_source(0..end), Span::new(first, source.end), "{at} in {text:?}");
            positions += 1;
        }
    }
    println!("{positions} positions");
    assert!(positions >= 100_000);
}
