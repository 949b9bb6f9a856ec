//! What is at a place of a text that may not be written to its end: the fields around it, and the word that is being typed.
//!
//! A marker is written at the place, and the ordinary reader reads the text again. A half-written line lacks more than the
//! marker, such as a quote or a colon, so a few ways to go on are tried, and the one that leaves the fewest errors is taken.
//! The place is that of the marker in its tree.

mod parts;

use voxlint::syntax::{Format, Kind, Node, Parsed, Span, SyntaxErrorKind, Tree, Trivia, parse};

pub use self::parts::{At, Commas, Cursor, Header, Key, Quote, Step, Style, Value};

/// What is written at the place. It is a word in all formats.
const MARKER: &str = "voxlint_cursor";

impl Cursor {
    const NOWHERE: Self = Self { path: Vec::new(), at: At::Nothing };

    /// What is being typed at an offset of a text.
    pub fn typed(text: &str, format: Format, offset: u32) -> Self {
        if format == Format::Text {
            return Self::of_text(text);
        }
        let offset = boundary(text, offset);
        let word = Word::at(text, offset, format);
        let mut best: Option<(u32, Self)> = None;
        for (open, close) in word.endings(text, format) {
            let attempt = Attempt::new(text, format, &word, &open, &close);
            if best.as_ref().is_none_or(|(least, _)| attempt.faults < *least)
                && let Some(cursor) = attempt.cursor(text, format, offset)
            {
                if attempt.faults == 0 {
                    return cursor;
                }
                best = Some((attempt.faults, cursor));
            }
        }
        let before = parse(text, format);
        // Where nothing can be written, whatever is written is an error more.
        let best = best.filter(|(least, _)| *least <= faults(&before)).map(|(_, cursor)| cursor);
        best.or_else(|| Self::comment(&before.documents, format, offset)).unwrap_or(Self::NOWHERE)
    }

    /// What is written under an offset of a document.
    pub fn under(tree: &Tree, format: Format, offset: u32) -> Self {
        let text = tree.text();
        if format == Format::Text {
            return Self::of_text(text);
        }
        let offset = boundary(text, offset);
        let found = leaf(tree, Span::new(offset, offset + 1)).and_then(|node| {
            Place { text, format, offset, node, inserted: &[], commas: &[] }.cursor()
        });
        // The name of a table that an earlier header has too has a node only there.
        let is_name = || text.as_bytes().get(offset as usize).is_some_and(|byte| is_word(*byte));
        let name = || {
            let word = Word { start: offset, offset, end: offset, quote: None, lead: "" };
            let attempt = Attempt::new(text, format, &word, "", "");
            let found = attempt.cursor(text, format, offset)?;
            matches!(found.at, At::Key(_) | At::Header(_)).then_some(found)
        };
        let found = found.or_else(|| (format.is_toml() && is_name()).then(name)?);
        let document = std::slice::from_ref(tree);
        found.or_else(|| Self::comment(document, format, offset)).unwrap_or(Self::NOWHERE)
    }

    fn of_text(text: &str) -> Self {
        let all = Span::new(0, text.len() as u32);
        let value = Value {
            word: all,
            inner: all,
            quote: Quote::Block,
            style: Style::Text,
            commas: Commas::default(),
            needs_space: false,
            column: None,
            others: Vec::new(),
        };
        Self { path: Vec::new(), at: At::Value(value) }
    }

    /// The comment around an offset. JSON has none, but it may be written there.
    fn comment(documents: &[Tree], format: Format, offset: u32) -> Option<Self> {
        let format = if format == Format::Json { Format::Jsonc } else { format };
        let comment =
            Trivia::of(documents, format).around(offset).filter(|it| it.start < offset)?;
        Some(Self { path: Vec::new(), at: At::Comment(comment) })
    }
}

/// The word around an offset, as far as its characters tell.
struct Word {
    /// Where it begins, with its quote.
    start: u32,
    offset: u32,
    /// Where it ends, with its quote.
    end: u32,
    quote: Option<char>,
    /// The space that is missing before it.
    lead: &'static str,
}

impl Word {
    fn at(text: &str, offset: u32, format: Format) -> Self {
        let (before, after) = text.split_at(offset as usize);
        let is_part = |character: char| {
            if character.is_ascii() { is_word(character as u8) } else { character != '\u{feff}' }
        };
        let mut head = before.trim_end_matches(is_part);
        let is_dash = format.is_yaml() && before.strip_prefix(head) == Some("-");
        if is_dash {
            head = before;
        }
        let is_value = format.is_yaml() && head.len() == before.len() && head.ends_with(':');
        let lead = if is_dash || is_value { " " } else { "" };
        let quote = head.chars().next_back().filter(|last| matches!(last, '"' | '\''));
        let rest = after.trim_start_matches(is_part);
        let is_closed = quote.is_some_and(|quote| rest.starts_with(quote));
        let start = head.len() - usize::from(quote.is_some());
        let end = text.len() - rest.len() + usize::from(is_closed);
        Self { start: start as u32, offset, end: end as u32, quote, lead }
    }

    /// What may be missing before the word and behind it, the likeliest first.
    fn endings(&self, text: &str, format: Format) -> Vec<(String, String)> {
        let before = text.get(..self.start as usize).unwrap_or_default();
        let line = before.get(line_start(before)..).unwrap_or_default();
        let behind = Span::new(self.offset, self.end).slice(text);
        let is_json = matches!(format, Format::Json | Format::Jsonc);
        let quotes = |default| match self.quote {
            Some(quote) if behind.ends_with(quote) => ("", ""),
            Some('"') => ("", "\""),
            Some(_) => ("", "'"),
            None => (default, default),
        };
        let text_quotes = quotes(if format.is_yaml() { "" } else { "\"" });
        let name_quotes = quotes(if is_json { "\"" } else { "" });
        // Lines behind it do not go on with a quoted text.
        let value = if format.is_toml() { " = \"\"" } else { ": \"\"" };
        let mut endings = vec![
            (String::new(), String::new()),
            (text_quotes.0.to_owned(), text_quotes.1.to_owned()),
            (name_quotes.0.to_owned(), format!("{}{value}", name_quotes.1)),
        ];
        if format.is_yaml() && self.start < self.end {
            // The value is already there, on the lines below.
            endings.push((name_quotes.0.to_owned(), format!("{}:", name_quotes.1)));
        }
        // A text of several words that is not closed.
        let open = line.rfind(['"', '\'']).and_then(|at| line.get(at..=at));
        endings.extend(open.map(|quote| (String::new(), quote.to_owned())));
        let brackets = closers(before);
        if !is_json && !brackets.is_empty() {
            let likeliest = if format.is_toml() { endings.get(2) } else { endings.first() };
            let with_comma = likeliest.map(|(open, close)| (format!(",{open}"), close.clone()));
            endings.extend(with_comma);
        }
        let closers = match format {
            _ if format.is_toml() && line.trim_start().starts_with('[') => {
                vec!["]".to_owned(), "]]".to_owned()]
            }
            _ if format.is_yaml() => vec![brackets],
            _ => Vec::new(),
        };
        let closers = closers.iter().filter(|closer| !closer.is_empty());
        let closed = closers.flat_map(|closer| {
            endings.iter().map(move |(open, close)| (open.clone(), format!("{close}{closer}")))
        });
        let closed: Vec<_> = closed.collect();
        endings.extend(closed);
        endings
    }
}

/// The brackets that are missing behind the start of a text.
fn closers(text: &str) -> String {
    let mut missing = Vec::new();
    for character in text.chars() {
        match character {
            '{' => missing.push('}'),
            '[' => missing.push(']'),
            '}' | ']' => {
                missing.pop();
            }
            _ => {}
        }
    }
    missing.iter().rev().collect()
}

/// A text with the marker, read.
struct Attempt {
    parsed: Parsed,
    marker: Span,
    /// Where something was inserted in the text, and how many bytes.
    inserted: [(u32, u32); 3],
    /// Where a comma is missing.
    commas: Vec<u32>,
    faults: u32,
}

impl Attempt {
    fn new(text: &str, format: Format, word: &Word, open: &str, close: &str) -> Self {
        let Word { start, offset, end, lead, .. } = *word;
        let [head, tail] = [Span::new(start, offset), Span::new(offset, end)];
        let [before, behind] = [Span::new(0, start), Span::new(end, text.len() as u32)];
        let [before, head, tail, behind] = [before, head, tail, behind].map(|it| it.slice(text));
        let new = [before, lead, open, head, MARKER, tail, close, behind].concat();
        let lead = (lead.len() + open.len()) as u32;
        let marker = Span::new(offset + lead, offset + lead + MARKER.len() as u32);
        let inserted = [(start, lead), (offset, marker.len()), (end, close.len() as u32)];
        let parsed = parse(new, format);
        let errors = parsed.errors.iter();
        let missing = errors.filter(|error| error.kind == SyntaxErrorKind::MissingComma);
        let written = open.starts_with(',').then_some(start);
        let commas = missing.map(|error| error.span.start).chain(written).collect();
        let faults = faults(&parsed);
        Self { parsed, marker, inserted, commas, faults }
    }

    /// The place of the marker.
    fn cursor(&self, text: &str, format: Format, offset: u32) -> Option<Cursor> {
        let node = self.parsed.documents.iter().find_map(|tree| leaf(tree, self.marker))?;
        // What could not be read may be more than a value.
        let is_value = node.kind() != Kind::Invalid || !node.source().contains('\n');
        let Self { inserted, commas, .. } = self;
        is_value.then_some(Place { text, format, offset, node, inserted, commas })?.cursor()
    }
}

/// The number of errors. A comma that is missing is written together with what is completed.
fn faults(parsed: &Parsed) -> u32 {
    let errors = parsed.errors.iter().filter(|it| it.kind != SyntaxErrorKind::MissingComma);
    errors.map(|error| 1 + error.more).sum()
}

/// A value or name at a place.
struct Place<'a> {
    /// The text without what was inserted.
    text: &'a str,
    format: Format,
    offset: u32,
    node: Node<'a>,
    inserted: &'a [(u32, u32)],
    commas: &'a [u32],
}

impl<'a> Place<'a> {
    fn cursor(&self) -> Option<Cursor> {
        let word = self.old(self.node.span());
        let typed = word.slice(self.text);
        let is_before_quote = typed.starts_with(['"', '\'']) && word.start == self.offset;
        let is_behind = word.start + (typed.trim_end().len() as u32) < self.offset;
        let is_apart = is_before_quote || is_behind && self.node.is_plain();
        if is_apart && !self.inserted.is_empty() {
            return None;
        }
        let (path, container) = steps(self.node)?;
        let at = if self.node.is_name() {
            self.header(container?).map_or_else(|| self.key(container), |it| Some(At::Header(it)))
        } else {
            self.value(container)
        };
        Some(Cursor { path, at: at? })
    }

    fn key(&self, container: Option<Node<'a>>) -> Option<At> {
        let word = self.old(self.node.span());
        let behind = self.text.get(word.end as usize..)?.trim_start();
        Some(At::Key(Key {
            word: self.own(word),
            name: self.name(),
            has_value: behind.starts_with([':', '=', '.']),
            others: self.others(container),
            style: self.style(container),
            commas: self.commas(container),
        }))
    }

    fn value(&self, container: Option<Node<'a>>) -> Option<At> {
        let span = self.node.span();
        let word = self.old(span);
        let typed = word.slice(self.text);
        let (quote, length) = match typed.as_bytes() {
            _ if self.node.is_plain() => (Quote::None, 0),
            [b'"', b'"', b'"', ..] | [b'\'', b'\'', b'\'', ..] if self.format.is_toml() => {
                (Quote::Block, 3)
            }
            [b'"', ..] => (Quote::Double, 1),
            [b'\'', ..] => (Quote::Single, 1),
            [b'|' | b'>', ..] => (Quote::Block, 0),
            _ => (Quote::None, 0),
        };
        let mut inner = word;
        if length > 0 {
            let closing = typed.get(..length)?;
            inner.start = (word.start + length as u32).min(word.end);
            if inner.slice(self.text).ends_with(closing) {
                inner.end -= length as u32;
            }
        } else if quote == Quote::Block {
            inner.start += typed.find('\n').map_or(typed.len(), |at| at + 1) as u32;
        }
        let before = self.text.get(..word.start as usize)?;
        let has_sign = |key: Node<'a>| {
            let between = Span::new(key.span().end, span.start);
            between.slice(self.node.tree().text()).contains([':', '='])
        };
        if self.node.name().is_some_and(|key| !has_sign(key)) {
            return Some(At::Nothing);
        }
        let style = self.style(container);
        let needs_space =
            before.ends_with([':', '=']) || self.format.is_yaml() && before.ends_with('-');
        let line = self.before_in_line(span.start);
        let is_first = line.trim_matches([' ', '-']).is_empty();
        let is_open =
            matches!(style, Style::YamlBlock(_)) && quote == Quote::None && !typed.contains(' ');
        let is_item = container.is_some_and(|it| it.kind() == Kind::Array);
        Some(At::Value(Value {
            word: self.own(word),
            inner,
            quote,
            style,
            commas: self.commas(container),
            needs_space,
            column: (is_first && is_open).then_some(line.len() as u32),
            others: if is_item { self.others(container) } else { Vec::new() },
        }))
    }

    /// A word without what comes after its first part, if its quote is not closed: that is hardly its own.
    fn own(&self, word: Span) -> Span {
        let typed = word.slice(self.text);
        let is_open =
            |quote| typed.starts_with(quote) && !(typed.len() > 1 && typed.ends_with(quote));
        if self.inserted.is_empty() || !(is_open('"') || is_open('\'')) {
            return word;
        }
        let behind = Span::new(self.offset, word.end).slice(self.text);
        let length = behind.bytes().take_while(|byte| is_word(*byte)).count() as u32;
        Span::new(word.start, self.offset + length)
    }

    /// The header of a table whose name this is.
    fn header(&self, container: Node<'a>) -> Option<Header> {
        let member = container.members().find(|member| member.key == self.node)?;
        let word = self.old(self.node.span());
        let start = line_start(self.text.get(..word.start as usize)?);
        let line = self.text.get(start..word.start as usize)?;
        let brackets = line.trim_start();
        if !self.format.is_toml() || !member.value.is_block() || !brackets.starts_with('[') {
            return None;
        }
        let behind = self.text.get(word.end as usize..)?;
        let name = behind.find([']', '#', '\n', '\r']).unwrap_or(behind.len());
        let closing = behind.get(name..)?.bytes().take_while(|byte| *byte == b']').take(2).count();
        let end = if closing == 0 { word.end } else { word.end + (name + closing) as u32 };
        let first = word.start - brackets.len() as u32;
        let root = self.node.tree().root();
        Some(Header {
            word,
            brackets: Span::new(first, end),
            is_item: brackets.starts_with("[["),
            others: self.others(root),
        })
    }

    /// The name without the marker.
    fn name(&self) -> String {
        let name = self.node.as_str().unwrap_or_default();
        if self.inserted.is_empty() { name.into_owned() } else { name.replacen(MARKER, "", 1) }
    }

    /// The names or texts beside this one.
    fn others(&self, container: Option<Node<'a>>) -> Vec<String> {
        let Some(container) = container else { return Vec::new() };
        // Merged members are elsewhere in the text.
        let is_here =
            |node: &Node<'a>| !self.format.is_yaml() || container.span().contains(node.span());
        let names = container.members().map(|member| member.key).filter(is_here);
        let others = names.chain(container.elements()).filter(|other| *other != self.node);
        others.filter_map(|other| Some(other.as_str()?.into_owned())).collect()
    }

    fn style(&self, container: Option<Node<'a>>) -> Style {
        let is_block = container.is_none_or(Node::is_block);
        match self.format {
            format if format.is_yaml() && is_block => {
                let first = self.node.name().unwrap_or(self.node);
                Style::YamlBlock(self.before_in_line(first.span().start).len() as u32)
            }
            format if format.is_yaml() => Style::YamlFlow,
            format if format.is_toml() && is_block => Style::TomlTable,
            format if format.is_toml() => Style::TomlInline,
            _ => Style::Json,
        }
    }

    /// The commas that are missing around the entry.
    fn commas(&self, container: Option<Node<'a>>) -> Commas {
        let missing = |from, to| self.commas.iter().any(|at| (from..=to).contains(at));
        let Some(container) = container else { return Commas::default() };
        let first = self.node.name().unwrap_or(self.node);
        let members = container.members().map(|member| (member.key, member.span()));
        let mut entries = members.chain(container.elements().map(|item| (item, item.span())));
        let (mut before, mut own) = (None, first.span());
        for (entry, span) in entries.by_ref() {
            if entry == first {
                own = span;
                break;
            }
            before = Some(span.end);
        }
        // What is missing before a name is not written together with its value.
        let before = before.filter(|end| first == self.node && missing(*end, own.start));
        Commas {
            before: before.map(|end| self.old(Span::at(end)).end),
            after: entries.next().is_some_and(|(_, next)| missing(own.end, next.start)),
        }
    }

    /// What is before an offset in its line, in the text that was read.
    fn before_in_line(&self, offset: u32) -> &'a str {
        let before = self.node.tree().text().get(..offset as usize).unwrap_or_default();
        before.get(line_start(before)..).unwrap_or_default()
    }

    /// A part of the text that was read, in the text without what was inserted.
    fn old(&self, span: Span) -> Span {
        let old = |offset: u32| {
            let mut rest = offset;
            for (at, length) in self.inserted {
                rest -= rest.saturating_sub(*at).min(*length);
            }
            rest
        };
        Span::new(old(span.start), old(span.end))
    }
}

/// The steps from the root to a value, or to the object with a name, and the container around it.
fn steps(node: Node<'_>) -> Option<(Vec<Step>, Option<Node<'_>>)> {
    let (mut path, mut container) = (Vec::new(), None);
    let mut at = node.tree().root()?;
    while at != node {
        container = Some(at);
        let is_around = |value: Node<'_>| node.id() < value.after();
        if let Some(member) = at.members().find(|member| is_around(member.value)) {
            if member.key == node {
                break;
            }
            // An object without a name is the one around it with a brace too many.
            if !member.key.span().is_empty() {
                path.push(Step::Name(member.name().into_owned()));
            }
            at = member.value;
        } else {
            let (index, item) = at.elements().enumerate().find(|(_, item)| is_around(*item))?;
            path.push(Step::Item(index));
            at = item;
        }
    }
    Some((path, container))
}

/// The value or name that has a part of the text. What an alias stands for comes after it.
fn leaf(tree: &Tree, part: Span) -> Option<Node<'_>> {
    tree.nodes().filter(is_leaf).find(|node| node.span().contains(part))
}

fn is_leaf(node: &Node<'_>) -> bool {
    !matches!(node.kind(), Kind::Object | Kind::Array)
}

/// Where the last line of a text begins.
fn line_start(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

/// Whether a character can be part of the names and values that are completed.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'+') || byte >= 0x80
}

/// The offset itself, or the next lower one between characters and inside the text.
pub(crate) fn boundary(text: &str, offset: u32) -> u32 {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset as u32
}

/// The value at the end of a path.
pub fn follow<'a>(tree: &'a Tree, path: &[Step]) -> Option<Node<'a>> {
    path.iter().try_fold(tree.root()?, |node, step| below(node, step))
}

/// The value one step below another.
pub(crate) fn below<'a>(node: Node<'a>, step: &Step) -> Option<Node<'a>> {
    match step {
        Step::Name(name) if node.kind() == Kind::Object => node.get(name),
        Step::Item(index) if node.kind() == Kind::Array => node.elements().nth(*index),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text is read a few times for a place, whatever it is, and reading takes linear time.
    #[test]
    fn a_text_is_read_a_few_times_for_a_place() {
        for format in [Format::Json, Format::Jsonc, Format::Yaml, Format::Toml] {
            for before in ["", "a: \"x", "a = 'x", "- ", "[a.", "[[a", "{ \"a\": [{ b", "a: [{"] {
                for before in [before.to_owned(), before.repeat(100), "[{".repeat(100)] {
                    for after in ["", "\"", "x\n", "}]"] {
                        let text = format!("{before}{after}");
                        let word = Word::at(&text, before.len() as u32, format);
                        assert!(word.endings(&text, format).len() <= 18, "{format} {text}");
                    }
                }
            }
        }
    }
}
