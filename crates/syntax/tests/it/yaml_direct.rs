//! Most documents in YAML are read directly, and the others with a library. Both lead to the same tree.

use std::fmt::Write as _;
use std::sync::LazyLock;

use voxlint_syntax::{Format, Node, Parsed, Tree, parse};
use voxlint_testing::cases;
use voxlint_testing::generated_inputs::Random;
use voxlint_testing::texts::lines;

/// The first are read directly.
const NAMES: &[&str] = &[
    "a",
    "key",
    "k_1",
    "x-y.z/w",
    "1",
    "\"q r\"",
    "\"\"",
    "'s'",
    "null",
    "~",
    "Null",
    "<<",
    "no",
    "é",
    "a b",
    "\"é: #\"",
    "\"a\tb\"",
    "\"a\\n\"",
];

/// The first are read directly.
static SCALARS: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../words/scalars.txt")));

const LINES: &[&str] = &[
    "word",
    "two words",
    "# no comment",
    "- item",
    "a: b",
    "\ttab",
    "  more",
    "{{x}}",
    "é “q”",
    "---",
    "...",
    "trailing ",
    "",
    "",
    " ",
    "\"",
    "'",
    "\t",
    "x\u{85}",
];

static INSERTED: LazyLock<Vec<&str>> =
    LazyLock::new(|| lines(include_str!("../words/inserted.txt")));

/// A text in the style that this reader knows, more or less.
struct Text<'r> {
    random: &'r mut Random,
    text: String,
}

impl Text<'_> {
    fn add(&mut self, one_of: &[&str]) {
        self.text += self.random.pick(one_of);
    }

    /// Adds one of the first few, or sometimes any.
    fn add_usual(&mut self, first: usize, one_of: &[&str]) {
        let first = if self.random.percent(95) { first } else { one_of.len() };
        self.add(&one_of[..first]);
    }

    fn indent(&mut self, count: usize) {
        self.text += &" ".repeat(count);
    }

    fn end_line(&mut self) {
        if self.random.percent(10) {
            self.add(&[" # comment", " ", "  ", " #", "\t", "#"]);
        }
        self.text.push('\n');
        if self.random.percent(15) {
            let indent = self.random.below(6);
            self.indent(indent);
            self.add(&["", "", "# comment", "#", "# a: b # c"]);
            self.text.push('\n');
        }
    }

    fn container(&mut self, column: usize, depth: usize) {
        let is_mapping = self.random.percent(60);
        for number in 0..=self.random.below(3) {
            if number > 0 {
                let column = if self.random.percent(98) { column } else { column + 1 };
                self.indent(column);
            }
            if is_mapping {
                self.add_usual(6, NAMES);
                self.add_usual(1, &[":", " :"]);
                self.value(column, depth);
            } else {
                self.text.push('-');
                self.item(column, depth);
            }
        }
    }

    fn item(&mut self, column: usize, depth: usize) {
        if depth == 0 || self.random.percent(50) {
            return self.value(column, depth);
        }
        let spaces = 1 + self.random.below(2);
        self.indent(spaces);
        self.container(column + 1 + spaces, depth - 1);
    }

    fn value(&mut self, column: usize, depth: usize) {
        match self.random.below(if depth > 0 { 10 } else { 6 }) {
            0 => self.end_line(),
            1 => self.block(column),
            2..=5 => {
                self.add_usual(1, &[" ", "  ", "   ", "\t", " \t"]);
                self.add_usual(26, &SCALARS);
                self.end_line();
            }
            _ => {
                self.end_line();
                let column = column + self.random.below(4);
                self.indent(column);
                self.container(column, depth - 1);
            }
        }
    }

    fn block(&mut self, column: usize) {
        self.add_usual(6, &[" |", " |-", " |+", " >", " >-", "  |", " |- ", " | # c"]);
        self.text.push('\n');
        let indent = column + 1 + self.random.below(3);
        for _ in 0..=self.random.below(5) {
            let indent = if self.random.percent(95) { indent } else { self.random.below(6) };
            if self.random.percent(90) {
                self.indent(indent);
            }
            self.add_usual(12, LINES);
            self.text.push('\n');
        }
    }

    /// Cuts some characters and inserts others.
    fn mutate(&mut self) {
        let at = self.random.below(self.text.len() + 1);
        let Some((before, after)) = self.text.split_at_checked(at) else { return };
        let after = after.get(self.random.below(3)..).unwrap_or(after);
        self.text = format!("{before}{}{after}", self.random.pick(&INSERTED));
    }
}

fn text(random: &mut Random) -> String {
    let mut text = Text { random, text: String::new() };
    text.add_usual(5, &["", "", "", "---\n", "# c\n", "\n", "--- \n", " ", "%YAML 1.2\n---\n"]);
    let depth = text.random.below(4);
    text.container(0, depth);
    if text.random.percent(30) {
        for _ in 0..=text.random.below(2) {
            text.mutate();
        }
    }
    if text.random.percent(20) {
        text.text.pop();
    }
    text.text
}

/// A text that only the library reads, because of a directive or the mark of its end, and by how much all its places are later.
fn for_library(text: &str) -> (String, u32) {
    const DIRECTIVE: &str = "%YAML 1.2\n---\n";
    if text.ends_with('\n') {
        (format!("{text}...\n"), 0)
    } else {
        (format!("{DIRECTIVE}{text}"), DIRECTIVE.len() as u32)
    }
}

/// Everything about a tree whose places are later by `offset`, with the place of every character.
fn described(tree: &Tree, offset: u32) -> String {
    let mut described = String::new();
    for node in tree.nodes() {
        let (start, end) = (node.span().start - offset, node.span().end - offset);
        let flags = [node.is_block(), node.is_plain(), node.is_faulty(), node.is_incomplete()];
        let after = node.after().index();
        write!(described, "{:?} {start}..{end} {after} {flags:?}", node.kind()).expect("a text");
        if let Some(text) = node.text() {
            let length = text.as_str().len();
            let places = (0..=length).flat_map(|at| [at..at, at..at + 1]);
            let places = places.map(|place| {
                let span = text.to_source(place);
                (span.start - offset, span.end - offset)
            });
            let places: Vec<_> = places.collect();
            write!(described, " {:?} {places:?}", text.as_str()).expect("a text");
        }
        described.push('\n');
    }
    described
}

fn is_one_valid_document(parsed: &Parsed) -> bool {
    parsed.errors.is_empty() && parsed.unread.is_empty() && parsed.documents.len() == 1
}

/// Whether a text is one document without errors. Then the library must read it in the same way.
fn is_read(text: &str) -> bool {
    let ours = parse(text, Format::Yaml);
    let has_own_marks = text.starts_with(['%', '-', '\u{feff}']) && !text.ends_with('\n');
    if !is_one_valid_document(&ours) || has_own_marks || text.contains("...") {
        return false;
    }
    let (longer, offset) = for_library(text);
    let theirs = parse(longer, Format::Yaml);
    assert!(is_one_valid_document(&theirs), "{text:?}: {:?}", theirs.errors);
    let ours = described(&ours.documents[0], 0);
    let theirs = described(&theirs.documents[0], offset);
    assert!(ours == theirs, "{text:?}\n{ours}\n{theirs}");
    true
}

#[test]
fn trees_equal_those_of_the_library() {
    let mut random = Random::new(1);
    let count = cases(20_000, 2_000_000);
    let read = (0..count).filter(|_| is_read(&text(&mut random))).count() as u64;
    assert!(read * 3 > count, "{read} of {count}");
}

/// Every text of the public suite, and what its files quote.
#[test]
fn trees_of_the_suite_equal_those_of_the_library() {
    let Some(folder) = voxlint_testing::shared_folder("suites/yaml/src") else { return };
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a file");
        let file = parse(text.as_str(), Format::Yaml);
        let quoted = file.documents.iter().flat_map(Tree::nodes).filter_map(Node::as_str);
        for text in quoted.map(|text| visible(&text)).chain([text.clone()]) {
            read += u32::from(is_read(&text));
        }
    }
    assert!(read > 300, "{read}");
}

/// The text that the suite spells with visible signs.
fn visible(text: &str) -> String {
    text.replace('␣', " ").replace('»', "\t").replace(['—', '↵'], "").replace("∎\n", "")
}
