//! Random documents in every format, written in as many ways as people do: with comments, in several quotes, on one line or
//! on many.

use std::fmt::Write as _;

use voxlint_syntax::Format;
use voxlint_testing::generated_inputs::Random;

const KEYS: &[&str] = &["a", "b", "title", "voice_id", "prompt", "x_1", "list", "map"];
const WORDS: &[&str] = &["one", "two words", "Hello {{name}}", "900", "true", "it is", "a-b_c"];

pub(super) struct Writer<'r> {
    format: Format,
    random: &'r mut Random,
    line_break: &'static str,
    comments: u32,
    has_comments: bool,
    tabs: bool,
}

impl<'r> Writer<'r> {
    pub(super) fn new(format: Format, random: &'r mut Random) -> Self {
        let line_break = random.pick(&["\n", "\n", "\r\n"]);
        let has_comments = format != Format::Json && random.percent(60);
        let tabs = format != Format::Yaml && random.percent(20);
        Self { format, random, line_break, comments: 0, has_comments, tabs }
    }

    pub(super) fn document(mut self) -> String {
        let mut text = match self.format {
            Format::Yaml if self.random.percent(80) => {
                let head = self.random.pick(&["", "", "# comment at the top\n", "---\n"]);
                let mut out = head.replace('\n', self.line_break);
                if self.random.percent(85) {
                    self.yaml_members(&mut out, 0, 0);
                } else {
                    self.yaml_items(&mut out, 0, 0);
                }
                out
            }
            Format::Toml => self.toml(),
            _ => {
                let value = self.brackets(0, 0, true);
                format!("{value}{}", self.line_break)
            }
        };
        if self.random.percent(25) {
            text.truncate(text.trim_end_matches(['\n', '\r']).len());
        }
        if self.random.percent(10) && self.format != Format::Toml {
            text.insert(0, '\u{feff}');
        }
        text
    }

    fn comment(&mut self, sign: &str, chance: usize) -> Option<String> {
        if !self.has_comments || !self.random.percent(chance) {
            return None;
        }
        self.comments += 1;
        Some(format!("{sign} comment {}", self.comments))
    }

    fn indentation(&self, depth: usize) -> String {
        if self.tabs { "\t".repeat(depth) } else { "  ".repeat(depth) }
    }

    fn keys(&mut self, most: usize) -> Vec<&'static str> {
        let count = self.random.below(most + 1);
        let mut keys: Vec<&str> = Vec::new();
        for _ in 0..count {
            let key = self.random.pick(KEYS);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// A scalar that JSON, flow collections of YAML and TOML read alike.
    fn scalar(&mut self) -> String {
        let word = self.random.pick(WORDS);
        match self.random.below(8) {
            0 => "12".to_owned(),
            1 => "true".to_owned(),
            2 if self.format != Format::Toml => "null".to_owned(),
            3 => "\"tab\\tand \\\"quotes\\\" \\u00e9\\\\\"".to_owned(),
            4 if matches!(self.format, Format::Yaml | Format::Toml) => format!("'{word}'"),
            5 => "\"\"".to_owned(),
            _ => format!("\"{word}\""),
        }
    }

    /// An object or an array in brackets, or a scalar.
    fn brackets(&mut self, depth: usize, base: usize, may_break: bool) -> String {
        let is_container = depth == 0 || (depth < 3 && self.random.percent(40));
        if !is_container {
            return self.scalar();
        }
        let is_object = if depth == 0 { self.random.percent(90) } else { self.random.percent(50) };
        let breaks = may_break && self.random.percent(60);
        let mut items = Vec::new();
        let inner = |writer: &mut Self| writer.brackets(depth + 1, base, breaks);
        if is_object {
            let spaced = self.random.percent(80);
            for key in self.keys(4) {
                let value = inner(self);
                let sign = match self.format {
                    Format::Toml => " = ",
                    _ if spaced => ": ",
                    _ => ":",
                };
                let is_bare = self.format == Format::Toml && self.random.percent(70)
                    || self.format == Format::Yaml && spaced && self.random.percent(50);
                let key = if is_bare { key.to_owned() } else { format!("\"{key}\"") };
                items.push(format!("{key}{sign}{value}"));
            }
        } else {
            for _ in 0..self.random.below(4) {
                items.push(inner(self));
            }
        }
        let (open, close) = if is_object { ('{', '}') } else { ('[', ']') };
        // Inline tables of TOML 1.0 are on one line and have no trailing comma.
        let is_inline_table = self.format == Format::Toml && is_object;
        self.join(&items, (open, close), base + depth, breaks && !is_inline_table, !is_inline_table)
    }

    fn join(
        &mut self,
        items: &[String],
        (open, close): (char, char),
        depth: usize,
        breaks: bool,
        may_trail: bool,
    ) -> String {
        let sign = if self.format == Format::Jsonc { "//" } else { "#" };
        let trails = may_trail
            && self.format != Format::Json
            && !items.is_empty()
            && self.random.percent(30);
        let mut out = String::from(open);
        if breaks {
            let (indentation, outer) = (self.indentation(depth + 1), self.indentation(depth));
            if let Some(comment) = self.comment(sign, 15) {
                let _ = write!(out, " {comment}");
            }
            out.push_str(self.line_break);
            for (at, item) in items.iter().enumerate() {
                if let Some(comment) = self.comment(sign, 15) {
                    let _ = write!(out, "{indentation}{comment}{}", self.line_break);
                }
                let comma = if at + 1 < items.len() || trails { "," } else { "" };
                let _ = write!(out, "{indentation}{item}{comma}");
                if self.format == Format::Jsonc
                    && let Some(comment) = self.comment("/*", 10)
                {
                    let _ = write!(out, " {comment} */");
                }
                if let Some(comment) = self.comment(sign, 20) {
                    let _ = write!(out, " {comment}");
                    out.push_str(self.line_break);
                } else if at + 1 == items.len() || self.random.percent(90) {
                    out.push_str(self.line_break);
                } else {
                    out.push(' ');
                }
            }
            let _ = write!(out, "{outer}{close}");
            return out;
        }
        let space = if self.random.percent(50) { " " } else { "" };
        out.push_str(space);
        for (at, item) in items.iter().enumerate() {
            out.push_str(item);
            if self.format == Format::Jsonc
                && let Some(comment) = self.comment("/*", 5)
            {
                let _ = write!(out, " {comment} */");
            }
            if at + 1 < items.len() {
                out.push_str(", ");
            } else if trails {
                out.push(',');
            }
        }
        out.push_str(space);
        out.push(close);
        out
    }

    fn yaml_key(&mut self, key: &str) -> String {
        match self.random.below(6) {
            0 => format!("\"{key}\""),
            1 => format!("'{key}'"),
            _ => key.to_owned(),
        }
    }

    /// The members of a block mapping. `at` is how far the first one is already indented.
    fn yaml_members(&mut self, out: &mut String, depth: usize, mut at: usize) {
        let column = depth * 2;
        let mut keys = self.keys(4);
        if keys.is_empty() {
            keys.push("only");
        }
        for key in keys {
            if at == 0 && depth > 0 || self.random.percent(100) && at < column {
                if let Some(comment) = self.comment("#", 15) {
                    let _ = write!(out, "{:column$}{comment}{}", "", self.line_break);
                }
                let _ = write!(out, "{:1$}", "", column);
            }
            at = 0;
            let key = self.yaml_key(key);
            let _ = write!(out, "{key}:");
            self.yaml_value(out, depth, true);
        }
    }

    fn yaml_items(&mut self, out: &mut String, depth: usize, mut at: usize) {
        let column = depth * 2;
        for _ in 0..=self.random.below(3) {
            if at < column {
                if let Some(comment) = self.comment("#", 15) {
                    let _ = write!(out, "{:column$}{comment}{}", "", self.line_break);
                }
                let _ = write!(out, "{:1$}", "", column);
            }
            at = 0;
            out.push('-');
            if depth < 3 && self.random.percent(35) {
                out.push(' ');
                if self.random.percent(75) {
                    self.yaml_members(out, depth + 1, column + 2);
                } else {
                    self.yaml_items(out, depth + 1, column + 2);
                }
            } else {
                self.yaml_value(out, depth, false);
            }
        }
    }

    /// A value after its colon or dash, to the end of its last line.
    fn yaml_value(&mut self, out: &mut String, depth: usize, is_member: bool) {
        if is_member && depth < 3 && self.random.percent(30) {
            if let Some(comment) = self.comment("#", 20) {
                let _ = write!(out, " {comment}");
            }
            out.push_str(self.line_break);
            match self.random.below(3) {
                0 => self.yaml_members(out, depth + 1, 0),
                1 => self.yaml_items(out, depth + 1, 0),
                // At the same column as the key.
                _ => self.yaml_items(out, depth, 0),
            }
            return;
        }
        let word = self.random.pick(WORDS);
        match self.random.below(12) {
            0 => {
                let header = self.random.pick(&["|", "|-", ">", ">-", "|+"]);
                let (indentation, line_break) = ("  ".repeat(depth + 1), self.line_break);
                let _ = write!(out, " {header}{line_break}{indentation}{word}{line_break}");
                if self.random.percent(50) {
                    let _ = write!(out, "{indentation}more # text{line_break}");
                }
                if self.random.percent(30) {
                    let _ = write!(out, "{line_break}{indentation}the end{line_break}");
                }
                if self.random.percent(20) {
                    out.push_str(line_break);
                }
                return;
            }
            1 => {
                let indentation = "  ".repeat(depth + 2);
                let quote = self.random.pick(&["", "\"", "'"]);
                let line_break = self.line_break;
                let _ = write!(out, " {quote}first{line_break}{indentation}second{quote}");
            }
            2 => {}
            3 | 4 => {
                let value = self.brackets(1, depth + 1, true);
                let _ = write!(out, " {value}");
            }
            5 | 6 => {
                let value = self.scalar();
                let _ = write!(out, " {value}");
            }
            _ => {
                let plain = self.random.pick(&["plain", "two words", "say {{name}}", "x-y", "12"]);
                let _ = write!(out, " {plain}");
            }
        }
        if let Some(comment) = self.comment("#", 25) {
            let _ = write!(out, " {comment}");
        }
        out.push_str(self.line_break);
        if self.random.percent(8) {
            out.push_str(self.line_break);
        }
    }

    fn toml(&mut self) -> String {
        let mut out = String::new();
        if let Some(comment) = self.comment("#", 40) {
            let _ = write!(out, "{comment}{0}{0}", self.line_break);
        }
        self.toml_lines(&mut out);
        for table in ["t", "u", "arrays", "more"] {
            match self.random.below(5) {
                0 => self.toml_table(&mut out, &format!("[{table}]")),
                1 => {
                    self.toml_table(&mut out, &format!("[{table}]"));
                    self.toml_table(&mut out, &format!("[{table}.\"sub\"]"));
                }
                2 => {
                    self.toml_table(&mut out, &format!("[{table}.sub]"));
                    self.toml_table(&mut out, &format!("[{table}.other]"));
                }
                3 => {
                    for _ in 0..=self.random.below(3) {
                        self.toml_table(&mut out, &format!("[[{table}]]"));
                        if self.random.percent(30) {
                            self.toml_table(&mut out, &format!("[{table}.inner]"));
                        }
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn toml_table(&mut self, out: &mut String, header: &str) {
        if self.random.percent(70) && !out.is_empty() {
            out.push_str(self.line_break);
        }
        if let Some(comment) = self.comment("#", 20) {
            let _ = write!(out, "{comment}{}", self.line_break);
        }
        out.push_str(header);
        if let Some(comment) = self.comment("#", 20) {
            let _ = write!(out, " {comment}");
        }
        out.push_str(self.line_break);
        self.toml_lines(out);
    }

    fn toml_lines(&mut self, out: &mut String) {
        for key in self.keys(4) {
            if let Some(comment) = self.comment("#", 15) {
                let _ = write!(out, "{comment}{}", self.line_break);
            }
            let value = match self.random.below(6) {
                0 => format!("\"\"\"{0}first line{0}second \\\"\"\"\"", self.line_break),
                1 => format!("'''raw{0}text'''", self.line_break),
                2 => self.brackets(1, 0, true),
                _ => self.scalar(),
            };
            let key = match self.random.below(5) {
                0 => format!("\"{key}\""),
                1 => format!("dotted.{key}"),
                _ => key.to_owned(),
            };
            let _ = write!(out, "{key} = {value}");
            if let Some(comment) = self.comment("#", 20) {
                let _ = write!(out, " {comment}");
            }
            out.push_str(self.line_break);
        }
    }
}
