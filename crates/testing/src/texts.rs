//! Texts of tests in files of their own, in which `\u{a}` is the character of that number.

use std::fmt::Write as _;
use std::{env, fs};

use crate::{changed_lines, repository, visible_in_lines};

/// The lines of a file, each a text. Empty lines and those that begin with `// ` are none.
pub fn lines(file: &'static str) -> Vec<&'static str> {
    let texts = file.lines().filter(|line| !line.is_empty() && !line.starts_with("// "));
    let read = |line: &'static str| {
        if line.contains("\\u{") { &*unescaped(line).leak() } else { line }
    };
    texts.map(read).collect()
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('}').expect("a `}` after `\\u{`");
        if !number.is_empty() {
            let number = u32::from_str_radix(number, 16).expect("a number");
            read.push(char::from_u32(number).expect("a character"));
        }
        read.push_str(rest);
    }
    read
}

/// A text with what is claimed about it.
pub struct Block {
    /// The claim, in one line.
    pub claim: String,
    /// The text, without the line break before `=>`.
    pub text: String,
    written: String,
}

/// A file of blocks: what is before the first one, and the blocks. Each is a line `=== ` with the claim, the lines of the text, a line
/// `=>`, and what is said of it.
fn read(file: &str) -> (&str, Vec<Block>) {
    let (head, rest) = file.split_once("=== ").unwrap_or((file, ""));
    let blocks = rest.split("\n=== ").filter(|block| !block.is_empty());
    let block = |block: &str| {
        let (claim, rest) = block.split_once('\n').expect("a text below a claim");
        let (written, _) = rest.split_once("=>\n").expect("a line `=>` below the text");
        let written = written.strip_suffix('\n').unwrap_or(written).to_owned();
        Block { claim: claim.to_owned(), text: unescaped(&written), written }
    };
    (head, blocks.map(block).collect())
}

/// The blocks of a file of the repository.
pub fn blocks(path: &str) -> Vec<Block> {
    read(&fs::read_to_string(repository().join(path)).expect(path)).1
}

/// Compares what is said of each text of a file of the repository with what the file has below it. `UPDATE_PAGES=1` writes the file.
pub fn assert_blocks(path: &str, said: impl Fn(&Block) -> String) {
    let file = repository().join(path);
    let before = fs::read_to_string(&file).expect(path);
    let (head, blocks) = read(&before);
    let mut now = head.to_owned();
    for block in &blocks {
        let said: String = said(block).trim_end().chars().map(visible_in_lines).collect();
        let text = if block.written.is_empty() { "" } else { "\n" };
        let _ = writeln!(now, "=== {}\n{}{text}=>\n{said}\n", block.claim, block.written);
    }
    let now = now.trim_end().to_owned() + "\n";
    if env::var_os("UPDATE_PAGES").is_some() {
        fs::write(&file, now).expect(path);
    } else {
        let how = "UPDATE_PAGES=1 writes it; read `git diff` afterwards";
        assert!(now == before, "{path} differs ({how}):\n{}", changed_lines(&before, &now));
    }
}
