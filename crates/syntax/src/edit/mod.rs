//! Changes to values as changes to the text of a document, as few bytes as possible: comments, quotes, indentation, line breaks
//! and everything else stay as they are.
//!
//! One file for each format says how it writes a change. A change that a format cannot express at its place with certainty is
//! `None`: at a value that aliases refer to, in a text with a syntax error around it, or where white space has a meaning that
//! the change would alter. What a text or a name becomes is read back before it is returned.

mod commas;
mod json;
mod lines;
mod spelling;
mod text_edit;
#[cfg(feature = "toml")]
mod toml;
#[cfg(feature = "yaml")]
mod yaml;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use self::commas::List;
pub use self::spelling::json_text;
pub use self::text_edit::{TextEdit, apply};
use crate::{Format, Kind, Node, Span, Tree, parse};

/// A new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewValue<'a> {
    /// A string.
    Text(&'a str),
    /// A number, `true`, `false`, `{}`, or where the format has it `null`, as JSON writes it.
    Literal(&'a str),
}

/// The number of bytes that an [`Editor`] reads back at most. Each change to a text reads it once.
const MAX_WORK: usize = 64 << 20;

/// Writes changes to one document.
///
/// The work of one editor is limited, so that thousands of changes to a long text do not take minutes: after 64 MiB, every
/// further change is `None`.
///
/// ```
/// use voxlint_syntax::edit::{Editor, NewValue, apply};
/// use voxlint_syntax::{Format, parse};
///
/// let text = "{\n  \"speed\": \"900\", // fast\n  \"voice\": \"a\"\n}\n";
/// let parsed = parse(text, Format::Jsonc);
/// let root = parsed.documents[0].root().expect("an object");
/// let editor = Editor::new(&parsed.documents[0], Format::Jsonc);
///
/// let speed = root.get("speed").expect("a member");
/// let edits = editor.replace(speed, NewValue::Literal("900")).expect("a number");
/// assert_eq!(
///     apply(text, &edits).as_deref(),
///     Some(&b"{\n  \"speed\": 900, // fast\n  \"voice\": \"a\"\n}\n"[..])
/// );
///
/// let edits = editor.remove(&[root.get("voice").expect("a member")]).expect("a line");
/// assert_eq!(
///     apply(text, &edits).as_deref(),
///     Some(&b"{\n  \"speed\": \"900\" // fast\n}\n"[..])
/// );
/// ```
#[derive(Debug)]
pub struct Editor<'a> {
    tree: &'a Tree,
    format: Format,
    /// How much has been read back.
    work: Cell<usize>,
    /// Whether nodes stand for text elsewhere, as aliases of YAML do.
    has_references: OnceCell<bool>,
    /// What is in the containers that were looked at, so that a thousand changes to one list read it once.
    values: RefCell<HashMap<usize, Rc<[Node<'a>]>>>,
    /// The container between brackets of which something was removed last.
    list: Last<List<'a>>,
    /// The same for one without brackets.
    #[cfg(feature = "yaml")]
    block: Last<Vec<yaml::Entry<'a>>>,
    /// The tables and lines of a text in TOML; `None` if it has an error.
    #[cfg(feature = "toml")]
    entries: OnceCell<Option<toml::Entries>>,
    /// The new parts of strings that are read back already, by [`Self::read_parts`], with their edits.
    parts: RefCell<KnownParts>,
}

/// By the number of the string and the decoded bytes that are replaced: the new text, and the edit that writes it.
type KnownParts = HashMap<(usize, Range<usize>), (String, TextEdit)>;

/// What was read of the last container; `None` if nothing can be removed from it.
#[derive(Debug)]
struct Last<T>(RefCell<Option<(usize, Option<Rc<T>>)>>);

impl<T> Last<T> {
    fn of(&self, container: Node<'_>, read: impl FnOnce() -> Option<T>) -> Option<Rc<T>> {
        let id = container.id().index();
        let mut last = self.0.borrow_mut();
        if last.as_ref().is_none_or(|(known, _)| *known != id) {
            *last = Some((id, read().map(Rc::new)));
        }
        last.as_ref().and_then(|(_, known)| known.clone())
    }
}

impl<T> Default for Last<T> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<'a> Editor<'a> {
    /// An editor of a document that was read in a format.
    pub fn new(tree: &'a Tree, format: Format) -> Self {
        Self {
            tree,
            format,
            work: Cell::new(0),
            has_references: OnceCell::new(),
            values: RefCell::default(),
            list: Last::default(),
            #[cfg(feature = "yaml")]
            block: Last::default(),
            #[cfg(feature = "toml")]
            entries: OnceCell::new(),
            parts: RefCell::default(),
        }
    }

    /// Replaces a value, or renames a key, in the style of the old text where that can express the new one. An object is not
    /// replaced, nor is an array with comments.
    pub fn replace(&self, node: Node<'a>, value: NewValue<'_>) -> Option<Vec<TextEdit>> {
        if node.is_faulty() || node.kind() == Kind::Invalid || self.is_shared(node) {
            return None;
        }
        if node.kind() == Kind::Object || !self.may_read(value.text().len() + node.source().len()) {
            return None;
        }
        let is_array = node.kind() == Kind::Array;
        if is_array && (node.is_incomplete() || self.has_comment(node.span(), &[node])) {
            return None;
        }
        #[cfg(any(feature = "toml", feature = "yaml"))]
        let is_key = node.kind() == Kind::Key;
        let edit = match self.format {
            Format::Text => match value {
                NewValue::Text(text) => Some(TextEdit::new(node.span(), text)),
                NewValue::Literal(_) => None,
            },
            Format::Json | Format::Jsonc => json::replace(node, value),
            #[cfg(feature = "toml")]
            Format::Toml if is_key => return lines::joined(toml::rename(self, node, value)?),
            #[cfg(feature = "toml")]
            Format::Toml if is_array && node.is_block() => None,
            #[cfg(feature = "toml")]
            Format::Toml => toml::replace(node, value),
            #[cfg(feature = "yaml")]
            Format::Yaml if is_key => yaml::rename(self, node, value),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::replace(self, node, value),
        };
        edit.map(|edit| vec![edit])
    }

    /// Replaces some decoded bytes of a string. If the string has no way to express the new text, it is written as a whole in
    /// double quotes.
    pub fn replace_part(
        &self,
        string: Node<'a>,
        range: Range<usize>,
        text: &str,
    ) -> Option<Vec<TextEdit>> {
        if let Some((known, edit)) = self.parts.borrow().get(&(string.id().index(), range.clone()))
            && known == text
        {
            return Some(vec![edit.clone()]);
        }
        if string.is_faulty() || self.is_shared(string) {
            return None;
        }
        let old = string.text()?;
        if self.format == Format::Text {
            return Some(vec![TextEdit::new(old.to_source(range), text)]);
        }
        if !self.may_read(string.source().len() + text.len()) {
            return None;
        }
        let (before, after) = (old.as_str().get(..range.start)?, old.as_str().get(range.end..)?);
        let new = [before, text, after].concat();
        #[cfg(feature = "yaml")]
        if text.is_empty()
            && after.is_empty()
            && self.format.is_yaml()
            && let Some(edits) = yaml::strip(self, string, &new)
        {
            return lines::joined(edits);
        }
        if let Some(spelled) = self.spelled_part(string, text) {
            let edit = TextEdit::new(old.to_source(range), spelled);
            if self.reads_as(string, std::slice::from_ref(&edit), &new) {
                return Some(vec![edit]);
            }
        }
        // In quotes, where the style of the text has no way to write it.
        let edit = match self.format {
            #[cfg(feature = "toml")]
            Format::Toml => toml::replace_in_quotes(string, NewValue::Text(&new)),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::replace_in_quotes(self, string, NewValue::Text(&new)),
            _ => None,
        };
        edit.map(|edit| vec![edit])
    }

    /// Reads back many parts of one string together, so that [`Self::replace_part`] does not read the whole string for each of
    /// them. `parts` are sorted, and none overlaps another one. Those that do not hold together are divided in halves, and a few are
    /// left to be read one by one.
    ///
    /// A part may hold only together with another one: in YAML without quotes, `[` needs its `]`. The caller that applies edits reads the
    /// document with them, and so finds what does not hold.
    pub fn read_parts(&self, string: Node<'a>, parts: &[(Range<usize>, &str)]) {
        if string.is_faulty() || self.is_shared(string) {
            return;
        }
        let Some(old) = string.text() else { return };
        // What is removed at the end of a string may need another edit.
        let spelled = parts.iter().filter(|(range, _)| range.end < old.as_str().len());
        let spelled: Vec<SpelledPart<'_>> = spelled
            .filter_map(|(range, text)| {
                let spelled = self.spelled_part(string, text)?;
                let edit = TextEdit::new(old.to_source(range.clone()), spelled);
                Some(SpelledPart { range: range.clone(), text, edit })
            })
            .collect();
        self.read_spelled(string, old.as_str(), &spelled);
    }

    fn read_spelled(&self, string: Node<'a>, old: &str, parts: &[SpelledPart<'_>]) {
        /// The number of parts up to which none is read with others again.
        const FEW: usize = 4;
        if parts.is_empty() || !self.may_read(string.source().len()) {
            return;
        }
        let edits: Vec<TextEdit> = parts.iter().map(|part| part.edit.clone()).collect();
        if with_parts(old, parts).is_some_and(|new| self.reads_as(string, &edits, &new)) {
            self.parts.borrow_mut().extend(parts.iter().map(|part| {
                let key = (string.id().index(), part.range.clone());
                (key, (part.text.to_owned(), part.edit.clone()))
            }));
        } else if parts.len() > FEW
            && let Some((first, second)) = parts.split_at_checked(parts.len() / 2)
        {
            self.read_spelled(string, old, first);
            self.read_spelled(string, old, second);
        }
    }

    /// How a part of a string is written.
    #[cfg_attr(
        not(any(feature = "toml", feature = "yaml")),
        expect(unused_variables, clippy::unnecessary_wraps, reason = "JSON has one way")
    )]
    fn spelled_part(&self, string: Node<'a>, text: &str) -> Option<String> {
        match self.format {
            Format::Text => Some(text.to_owned()),
            Format::Json | Format::Jsonc => Some(json_text(text)),
            #[cfg(feature = "toml")]
            Format::Toml => toml::spelled_part(string, text),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::spelled_part(string, text),
        }
    }

    /// Whether a string is read as a new text after edits inside of it.
    fn reads_as(&self, string: Node<'a>, edits: &[TextEdit], new: &str) -> bool {
        let start = string.span().start;
        let inside = edits.iter().map(|edit| {
            let span = Span::new(edit.span.start - start, edit.span.end - start);
            TextEdit::new(span, edit.text.as_str())
        });
        let edited = apply(string.source(), &inside.collect::<Vec<_>>());
        let Some(source) = edited.and_then(|edited| String::from_utf8(edited).ok()) else {
            return false;
        };
        match self.format {
            Format::Text => true,
            Format::Json | Format::Jsonc => json::reads(source, NewValue::Text(new)),
            #[cfg(feature = "toml")]
            Format::Toml => toml::reads(&source, NewValue::Text(new)),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::reads_as(self, string, &source, new),
        }
    }

    /// Removes members of objects, given by their keys or values, and items of arrays, with their commas, and with their lines
    /// where they are alone on them. Then a comment at the end of the line goes with them, as [`Self::removes_comment`] tells.
    /// Comments on other lines stay, except inside of what is removed.
    pub fn remove(&self, nodes: &[Node<'a>]) -> Option<Vec<TextEdit>> {
        let mut containers: Vec<(Node<'a>, Vec<usize>)> = Vec::new();
        for node in nodes {
            let (container, at) = self.place(*node)?;
            match containers.iter_mut().find(|(known, _)| *known == container) {
                Some((_, places)) => places.push(at),
                None => containers.push((container, vec![at])),
            }
        }
        let mut edits = Vec::new();
        for (container, mut places) in containers {
            if container.is_incomplete() || self.is_shared(container) {
                return None;
            }
            places.sort_unstable();
            places.dedup();
            edits.extend(match self.format {
                Format::Text => None,
                Format::Json | Format::Jsonc => json::remove(self, container, &places),
                #[cfg(feature = "toml")]
                Format::Toml => toml::remove(self, container, &places),
                #[cfg(feature = "yaml")]
                Format::Yaml => yaml::remove(self, container, &places),
            }?);
        }
        Some(lines::without_final_break(self.tree.text(), lines::joined(edits)?))
    }

    /// Whether edits that [`Self::remove`] has made for these nodes remove a comment too.
    ///
    /// ```
    /// # #[cfg(feature = "toml")] {
    /// use voxlint_syntax::edit::Editor;
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse("a = '#1' # first\nb = '#2'\n", Format::Toml);
    /// let editor = Editor::new(&parsed.documents[0], Format::Toml);
    /// let removes_comment = |name| {
    ///     let node = parsed.documents[0].root()?.get(name)?;
    ///     Some(editor.removes_comment(&[node], &editor.remove(&[node])?))
    /// };
    /// assert_eq!(removes_comment("a"), Some(true));
    /// assert_eq!(removes_comment("b"), Some(false));
    /// # }
    /// ```
    pub fn removes_comment(&self, nodes: &[Node<'a>], edits: &[TextEdit]) -> bool {
        edits.iter().any(|edit| self.has_comment(edit.span, nodes))
    }

    /// Whether a part of the text has a comment outside of the names and values of these nodes.
    fn has_comment(&self, span: Span, nodes: &[Node<'a>]) -> bool {
        let signs: &[&str] = match self.format.name() {
            "jsonc" => &["//", "/*"],
            "yaml" | "toml" => &["#"],
            _ => return false,
        };
        let mut scalars: Vec<Span> = Vec::new();
        for node in nodes {
            let inside = node.id().index()..node.after().index();
            let inside = inside.filter_map(|at| self.tree.at(u32::try_from(at).ok()?));
            let inside = inside.filter(|it| !matches!(it.kind(), Kind::Object | Kind::Array));
            scalars.extend(node.name().into_iter().chain(inside).map(Node::span));
        }
        scalars.sort_unstable();
        let mut from = span.start;
        scalars.into_iter().chain([Span::at(span.end)]).any(|scalar| {
            let gap = Span::new(from, scalar.start.clamp(from, span.end.max(from)));
            from = from.max(scalar.end);
            signs.iter().any(|sign| gap.slice(self.tree.text()).contains(sign))
        })
    }

    /// Adds a member at the end of an object.
    pub fn insert(
        &self,
        object: Node<'a>,
        name: &str,
        value: NewValue<'_>,
    ) -> Option<Vec<TextEdit>> {
        let is_object = object.kind() == Kind::Object && object.get(name).is_none();
        if !is_object || object.is_incomplete() || self.is_shared(object) {
            return None;
        }
        if !self.may_read(self.tree.len() + value.text().len()) {
            return None;
        }
        let edits = match self.format {
            Format::Text => None,
            Format::Json | Format::Jsonc => json::insert(object, self.format, name, value),
            #[cfg(feature = "toml")]
            Format::Toml => toml::insert(self, object, name, value),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::insert(self, object, name, value),
        }?;
        lines::joined(edits)
    }

    /// Adds an item at the end of an array in brackets, in JSON and TOML.
    ///
    /// ```
    /// # #[cfg(feature = "toml")] {
    /// use voxlint_syntax::edit::{Editor, NewValue, apply};
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let text = "names = ['a'] # known\n";
    /// let parsed = parse(text, Format::Toml);
    /// let editor = Editor::new(&parsed.documents[0], Format::Toml);
    /// let names = parsed.documents[0].root().and_then(|root| root.get("names")).expect("an array");
    /// let edits = editor.append(names, NewValue::Text("b")).expect("an item");
    /// assert_eq!(apply(text, &edits).as_deref(), Some(&b"names = ['a', 'b'] # known\n"[..]));
    /// # }
    /// ```
    pub fn append(&self, array: Node<'a>, value: NewValue<'_>) -> Option<Vec<TextEdit>> {
        if array.kind() != Kind::Array || array.is_incomplete() || array.is_block() {
            return None;
        }
        if !self.may_read(array.source().len() + value.text().len()) {
            return None;
        }
        let edits = match self.format {
            Format::Json | Format::Jsonc => json::append(array, self.format, value),
            #[cfg(feature = "toml")]
            Format::Toml => toml::append(array, value),
            _ => None,
        }?;
        lines::joined(edits)
    }

    /// Records work, and returns whether it is still allowed.
    fn may_read(&self, bytes: usize) -> bool {
        self.work.set(self.work.get().saturating_add(bytes));
        self.work.get() <= MAX_WORK
    }

    /// The container of a key or a value, and its number there.
    fn place(&self, node: Node<'_>) -> Option<(Node<'a>, usize)> {
        let path = self.path(node)?;
        let (last, at) = path.last()?;
        Some((*last, *at))
    }

    /// The containers of a node, from the root on, each with the number of the next one in it.
    fn path(&self, node: Node<'_>) -> Option<Vec<(Node<'a>, usize)>> {
        let is_key = node.kind() == Kind::Key;
        let id = if is_key { node.id().index() + 1 } else { node.id().index() };
        let mut path = Vec::new();
        let mut at = self.tree.root()?;
        while at.id().index() != id {
            let mut known = self.values.borrow_mut();
            let values = known.entry(at.id().index()).or_insert_with(|| at.values().collect());
            let index = values.partition_point(|value| value.after().index() <= id);
            path.push((at, index));
            at = *values.get(index)?;
        }
        Some(path)
    }

    /// Whether a node stands for text elsewhere.
    fn has_references(&self) -> bool {
        *self.has_references.get_or_init(|| {
            let mut before: Option<Node<'_>> = None;
            self.tree.nodes().any(|node| {
                let is_behind = before.is_some_and(|before| {
                    let is_empty = before.after().index() == before.id().index() + 1;
                    let end = if is_empty { before.span().end } else { before.span().start };
                    node.span().start < end
                });
                before = Some(node);
                is_behind
            })
        })
    }

    /// Whether the text of a node is also that of another node.
    fn is_shared(&self, node: Node<'a>) -> bool {
        // The text may be inside a value that is referred to.
        self.format.name() == "yaml"
            && self.has_references()
            && (!self.may_read(self.tree.len())
                || self.tree.nodes().any(|other| {
                    other.id() != node.id()
                        && other.span() == node.span()
                        && other.kind() == node.kind()
                }))
    }
}

impl NewValue<'_> {
    const fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Literal(text) => text,
        }
    }

    /// Whether a node has this value.
    fn is_of(&self, node: Node<'_>) -> bool {
        match self {
            Self::Text(text) => {
                matches!(node.kind(), Kind::String | Kind::Key)
                    && node.as_str().as_deref() == Some(text)
            }
            Self::Literal(literal) => {
                let parsed = parse(*literal, Format::Json);
                let is_simple = match node.kind() {
                    Kind::Number | Kind::Bool | Kind::Null => true,
                    Kind::Object => node.members().next().is_none(),
                    _ => false,
                };
                let same = |wanted: Node<'_>| {
                    wanted.kind() == node.kind()
                        && wanted.as_bool() == node.as_bool()
                        && wanted.decimal() == node.decimal()
                        && wanted.members().next().is_none()
                        && is_simple
                };
                parsed.errors.is_empty()
                    && parsed.documents.first().and_then(Tree::root).is_some_and(same)
            }
        }
    }
}

/// A new part of a string, as its format writes it.
struct SpelledPart<'p> {
    /// The decoded bytes to replace.
    range: Range<usize>,
    text: &'p str,
    edit: TextEdit,
}

/// A decoded text with its new parts.
fn with_parts(old: &str, parts: &[SpelledPart<'_>]) -> Option<String> {
    let mut new = String::with_capacity(old.len());
    let mut at = 0;
    for part in parts {
        new.push_str(old.get(at..part.range.start)?);
        new.push_str(part.text);
        at = part.range.end;
    }
    new.push_str(old.get(at..)?);
    Some(new)
}

/// Whether a text is an object with one member of this name, and that is a number.
#[cfg(any(feature = "yaml", feature = "toml"))]
fn reads_name(text: String, format: Format, name: &str) -> bool {
    let is_named = |root: Node<'_>| {
        let mut members = root.members();
        let member = members.next()?;
        let is_it = member.is_named(name) && member.value.kind() == Kind::Number;
        (is_it && members.next().is_none()).then_some(())
    };
    read_back(text, format, is_named).is_some()
}

/// Reads a text that must have one document without errors.
fn read_back<T>(
    text: String,
    format: Format,
    look: impl FnOnce(Node<'_>) -> Option<T>,
) -> Option<T> {
    let parsed = parse(text, format);
    match parsed.documents.as_slice() {
        [tree] if parsed.errors.is_empty() && parsed.unread.is_empty() => look(tree.root()?),
        _ => None,
    }
}
