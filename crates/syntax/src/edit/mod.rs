//! Changes to values as changes to the text of a document, as few bytes as possible: comments, quotes, indentation, line breaks
//! and everything else stay as they are.
//!
//! One file for each format says how it writes a change. A change that a format cannot express at its place with certainty is
//! `None`: at a value that aliases refer to, in a text with a syntax error around it, or where white space has a meaning that
//! the change would alter. What a text or a name becomes is read back before it is returned.

mod batch;
mod commas;
mod editor;
mod json;
pub(crate) mod lines;
mod new_value;
mod spelling;
mod text_edit;
#[cfg(feature = "toml")]
mod toml;
mod written;
#[cfg(feature = "yaml")]
mod yaml;

use std::ops::Range;

pub use self::batch::hold_together;
pub use self::editor::Editor;
pub use self::lines::line_break;
pub use self::new_value::NewValue;
pub use self::spelling::json_text;
pub use self::text_edit::{TextEdit, apply};
use crate::{Format, Kind, Node, Span};

impl<'a> Editor<'a> {
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
        if is_array && (node.is_incomplete() || self.trivia().is_in(node.span())) {
            return None;
        }
        #[cfg(any(feature = "toml", feature = "yaml"))]
        let is_key = node.kind() == Kind::Key;
        let edit = match self.format {
            Format::Text => match value {
                NewValue::Text(text) => Some(TextEdit::new(node.span(), text)),
                NewValue::Literal(_) | NewValue::Value(_) => None,
            },
            Format::Json | Format::Jsonc => json::replace(node, value),
            #[cfg(feature = "toml")]
            Format::Toml if is_key => toml::rename(node, value),
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
    /// them. `parts` are sorted, and none overlaps another one. Those that do not hold with
    /// the others are left to be read one by one.
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
        let all: Vec<&SpelledPart<'_>> = spelled.iter().collect();
        let mut kept = Vec::new();
        hold_together(&mut kept, &all, &mut |parts| {
            let edits: Vec<TextEdit> = parts.iter().map(|part| part.edit.clone()).collect();
            self.may_read(string.source().len())
                && with_parts(old.as_str(), parts)
                    .is_some_and(|new| self.reads_as(string, &edits, &new))
        });
        self.parts.borrow_mut().extend(kept.into_iter().map(|part| {
            let key = (string.id().index(), part.range.clone());
            (key, (part.text.to_owned(), part.edit.clone()))
        }));
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

    /// Whether edits that [`Self::remove`] has made remove a comment too.
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
    ///     Some(editor.removes_comment(&editor.remove(&[node])?))
    /// };
    /// assert_eq!(removes_comment("a"), Some(true));
    /// assert_eq!(removes_comment("b"), Some(false));
    /// # }
    /// ```
    pub fn removes_comment(&self, edits: &[TextEdit]) -> bool {
        edits.iter().any(|edit| self.trivia().is_in(edit.span))
    }

    /// Adds a member at the end of an object.
    pub fn insert(
        &self,
        object: Node<'a>,
        name: &str,
        value: NewValue<'_>,
    ) -> Option<Vec<TextEdit>> {
        self.insert_at(object, object.members().count(), name, value)
    }

    /// Adds a member to an object, behind this number of its members.
    ///
    /// ```
    /// use voxlint_syntax::edit::{Editor, NewValue, apply};
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let text = "{\n  \"a\": 1, // first\n  \"c\": 3\n}\n";
    /// let parsed = parse(text, Format::Jsonc);
    /// let root = parsed.documents[0].root().expect("an object");
    /// let editor = Editor::new(&parsed.documents[0], Format::Jsonc);
    /// let edits = editor.insert_at(root, 1, "b", NewValue::Literal("2")).expect("a member");
    /// let edited = apply(text, &edits);
    /// assert_eq!(edited.as_deref(), Some(&b"{\n  \"a\": 1, // first\n  \"b\": 2,\n  \"c\": 3\n}\n"[..]));
    /// ```
    pub fn insert_at(
        &self,
        object: Node<'a>,
        at: usize,
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
            Format::Json | Format::Jsonc => json::insert(self, object, at, name, value),
            #[cfg(feature = "toml")]
            Format::Toml => toml::insert(self, object, at, name, value),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::insert(self, object, at, name, value),
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
        self.insert_item(array, array.elements().count(), value).filter(|_| !array.is_block())
    }

    /// Adds an item to an array, behind this number of its items.
    pub fn insert_item(
        &self,
        array: Node<'a>,
        at: usize,
        value: NewValue<'_>,
    ) -> Option<Vec<TextEdit>> {
        if array.kind() != Kind::Array || array.is_incomplete() || self.is_shared(array) {
            return None;
        }
        if !self.may_read(array.source().len() + value.text().len()) {
            return None;
        }
        let edits = match self.format {
            Format::Text => None,
            Format::Json | Format::Jsonc => json::insert_item(self, array, at, value),
            #[cfg(feature = "toml")]
            Format::Toml => toml::insert_item(self, array, at, value),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::insert_item(self, array, at, value),
        }?;
        lines::joined(edits)
    }

    /// Puts the items of an array in another order: their numbers. Those on lines of their own take the comments above and beside them
    /// along.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use voxlint_syntax::edit::{Editor, apply};
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let text = "# main\n- a # first\n\n- b\n";
    /// let parsed = parse(text, Format::Yaml);
    /// let editor = Editor::new(&parsed.documents[0], Format::Yaml);
    /// let edits = editor.reorder(parsed.documents[0].root().expect("an array"), &[1, 0]).expect("items");
    /// assert_eq!(apply(text, &edits).as_deref(), Some(&b"- b\n\n# main\n- a # first\n"[..]));
    /// # }
    /// ```
    pub fn reorder(&self, array: Node<'a>, order: &[usize]) -> Option<Vec<TextEdit>> {
        if array.is_incomplete() || self.is_shared(array) || !self.may_read(array.source().len()) {
            return None;
        }
        let text = self.tree.text();
        let own: Vec<Range<usize>> = array
            .elements()
            .map(|item| match self.format {
                #[cfg(feature = "toml")]
                Format::Toml if array.is_block() => toml::table(self, item),
                _ => Some(item.span().start as usize..item.span().end as usize),
            })
            .collect::<Option<_>>()?;
        let has_dashes = self.format.is_yaml() && array.is_block();
        let with_comments = |range: &Range<usize>| self.with_comments(range, has_dashes);
        let ranges = own.iter().map(with_comments).collect::<Option<_>>().unwrap_or(own);
        let moved = ranges.iter().zip(order).enumerate().filter(|(at, (_, from))| at != *from);
        let edit = |(_, (range, from)): (usize, (&Range<usize>, &usize))| {
            let span = Span::of(range.start, range.end);
            Some(TextEdit::new(span, text.get(ranges.get(*from)?.clone())?))
        };
        moved.map(edit).collect()
    }

    /// An item that begins its line, with the comments on the lines above, and one in a block of YAML from its dash on and with the
    /// comment at its end. `None` if anything else is before it.
    fn with_comments(&self, item: &Range<usize>, has_dash: bool) -> Option<Range<usize>> {
        let text = self.tree.text();
        let before = text.get(..item.start)?;
        let mut from =
            if has_dash { before.trim_end().strip_suffix('-')?.len() } else { item.start };
        lines::indentation(text, from)?;
        while let Some(above) = lines::start(text, from).checked_sub(1)
            && let Some(above) = text.get(..above)
            && let above = above.strip_suffix('\r').unwrap_or(above)
            && let Some(comment) = self.trivia().around(above.trim_end().len() as u32)
            && lines::start(text, above.len()) <= comment.end as usize
            && lines::indentation(text, comment.start as usize).is_some()
        {
            from = comment.start as usize;
        }
        // A text in a block ends behind its line.
        let end = item.end;
        let line_end = if text.get(..end)?.ends_with('\n') { end } else { lines::end(text, end) };
        let has_comment = has_dash && self.trivia().is_in(Span::of(end, line_end));
        Some(from..if has_comment { line_end } else { end })
    }

    /// Writes any value in the place of another one. Comments inside of the old value would be lost, so a value with one is `None`.
    pub fn overwrite(&self, node: Node<'a>, value: Node<'_>) -> Option<Vec<TextEdit>> {
        let is_scalar = |node: Node<'_>| !matches!(node.kind(), Kind::Object | Kind::Array);
        if is_scalar(value) && node.kind() != Kind::Object {
            return NewValue::with(value, |value| self.replace(node, value));
        }
        if node.is_faulty()
            || node.is_incomplete()
            || self.is_shared(node)
            || !self.may_read(value.source().len() + node.source().len())
            || self.trivia().is_in(node.span())
        {
            return None;
        }
        let edit = match self.format {
            Format::Text => None,
            Format::Json | Format::Jsonc => json::overwrite(node, value),
            #[cfg(feature = "toml")]
            Format::Toml => toml::overwrite(node, value),
            #[cfg(feature = "yaml")]
            Format::Yaml => yaml::overwrite(self, node, value),
        };
        edit.map(|edit| vec![edit])
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
fn with_parts(old: &str, parts: &[&SpelledPart<'_>]) -> Option<String> {
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
