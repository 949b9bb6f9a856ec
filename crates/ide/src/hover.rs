use std::fmt::Write as _;

use voxlint::schema::{Catalogue, DocumentKind, Role, TextFormat, settings};
use voxlint::secrets::Mask;
use voxlint::syntax::{Format, Node, Span, parse};
use voxlint::{Inputs, Origin, VariablePlace, counted, rules, template_variables};

use crate::File;
use crate::cursor::{At, Cursor, Step, Value, below, boundary, follow};
use crate::describe::{self, Values, code};
use crate::knowledge;
use crate::mustache::{Mustache, mustache_at};
use crate::names::{Functions, Name, PlaceRole, name_at, occurrences};
use crate::rule_names::word_at;
use crate::slot::{Slot, What};

/// What is shown beside a place.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{File, hover};
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "kb_max_chunks": 5 }"#));
/// let hover = hover(File::new(&inputs), 26).expect("a field");
/// assert!(hover.markdown.contains("1 to 10"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name or value that the text is about.
    pub span: Span,
    /// The text, in Markdown, with secrets masked.
    pub markdown: String,
}

/// What is at an offset of a document; `None` if there is nothing to say.
pub fn hover(file: File<'_>, offset: u32) -> Option<Hover> {
    let text = file.text();
    let offset = boundary(text, offset);
    let cursor = Cursor::under(file.document().tree(), file.document().format(), offset);
    let mask = Mask::of(file.inputs);
    let place = HoverPlace { file, text, offset, kind: file.kind(), mask: &mask };
    let mut hover = place.function().or_else(|| place.hover(&cursor))?;
    hover.markdown = mask.sentence(&hover.markdown);
    Some(hover)
}

/// What is at an offset of a `voxlint.toml`; `None` if there is nothing to say.
///
/// ```
/// use voxlint_ide::hover_configuration;
///
/// let hover = hover_configuration("[rules]\nout-of-range = \"error\"\n", 10).expect("a rule");
/// assert!(hover.markdown.contains("Group: `correctness`"));
/// ```
pub fn hover_configuration(text: &str, offset: u32) -> Option<Hover> {
    let parsed = parse(text, Format::Toml);
    let cursor = Cursor::under(parsed.documents.first()?, Format::Toml, offset);
    let kind = DocumentKind::Configuration;
    let (name, span) = match &cursor.at {
        At::Key(key) => (key.name.as_str(), key.word),
        At::Header(header) => (header.word.slice(text), header.word),
        At::Value(value) => {
            let row = Slot::at(kind, &cursor.path)?.row?;
            let word = value.inner.slice(text);
            let markdown = match row.name {
                "rules" => rule_or_group(word)?,
                _ => reading_at(&cursor.path)?,
            };
            return Some(Hover { span: value.inner, markdown });
        }
        At::Comment(_) | At::Nothing => return None,
    };
    let path = [cursor.path.as_slice(), &[Step::Name(name.to_owned())]].concat();
    let markdown = match Slot::at(kind, &cursor.path)?.what {
        What::EntriesOrFirst(_) => reading_at(&path).or_else(|| rule_or_group(name))?,
        _ => describe::field(Slot::at(kind, &path)?.row?),
    };
    Some(Hover { span, markdown })
}

/// The reading that a path of `voxlint.toml` is about.
fn reading_at(path: &[Step]) -> Option<String> {
    crate::slot::reading(path).map(describe::reading)
}

fn rule_or_group(name: &str) -> Option<String> {
    if let Some(rule) = rules::find(name) {
        return Some(describe::rule(rule));
    }
    crate::rule_names::group(name).map(|about| format!("{}: {about}\n", code(name)))
}

/// A place of a document.
struct HoverPlace<'a> {
    file: File<'a>,
    text: &'a str,
    offset: u32,
    kind: DocumentKind,
    mask: &'a Mask,
}

impl<'a> HoverPlace<'a> {
    fn inputs(&self) -> &'a Inputs {
        self.file.inputs
    }

    fn values(&self) -> Values<'_> {
        Values::new(self.inputs(), self.mask)
    }

    fn hover(&self, cursor: &Cursor) -> Option<Hover> {
        let named = |name: &str, span| {
            let path = [cursor.path.as_slice(), &[Step::Name(name.to_owned())]].concat();
            self.field(&path, span)
        };
        match &cursor.at {
            At::Key(key) => named(&key.name, key.word),
            At::Header(header) => named(header.word.slice(self.text), header.word),
            At::Value(value) => self.value(&cursor.path, value),
            At::Comment(span) => self.comment(*span),
            At::Nothing => None,
        }
    }

    /// A function: what it is, and how often texts mention it.
    fn function(&self) -> Option<Hover> {
        let (Name::Function(name), span) = name_at(self.file, self.offset)? else { return None };
        let functions = Functions::of(self.inputs())?;
        let (_, entry) = functions.named().find(|(it, _)| *it == name)?;
        let mut markdown = describe::function(&self.values(), &name, entry, functions.origin);
        let places = occurrences(self.inputs(), &Name::Function(name));
        let count = |role| places.iter().filter(|place| place.role == role).count() as u64;
        let _ = writeln!(markdown, "- {}", counted(count(PlaceRole::Use), "mention"));
        let possible = counted(count(PlaceRole::Possible), "other place");
        if count(PlaceRole::Possible) > 0 {
            let _ = writeln!(markdown, "- {possible} with the same word, which a rename leaves");
        }
        Some(Hover { span, markdown })
    }

    /// A field: what it is, and what its values are.
    fn field(&self, path: &[Step], span: Span) -> Option<Hover> {
        if let Some(name) = variable_of_default(self.kind, path) {
            let row = settings::default_dynamic_variables::TABLE.row(name);
            if row.is_none() {
                return self.default(name, span);
            }
        }
        let row = match Slot::at(self.kind, path) {
            Some(Slot { row: Some(row), .. }) if matches!(path.last(), Some(Step::Name(_))) => row,
            _ => return None,
        };
        if row.name != path.last()?.to_string() {
            return None;
        }
        let mut markdown = describe::field(row);
        let values = self.states(path);
        if !values.is_empty() {
            let _ = write!(markdown, "\n{values}");
        }
        let _ = write!(markdown, "\n{}", describe::source(row));
        Some(Hover { span, markdown })
    }

    /// The stored value, the value in the document and the effective one.
    fn states(&self, path: &[Step]) -> String {
        if !self.kind.has_settings() || self.file.origin != Origin::Document {
            return String::new();
        }
        let Some((Step::Name(first), rest)) = path.split_first() else { return String::new() };
        let Some(row) = settings::TABLE.row(first) else { return String::new() };
        let inside = |node: Node<'a>| rest.iter().try_fold(node, |node, step| below(node, step));
        let values = self.values();
        let stored = self.inputs().stored_value(row).and_then(inside);
        let written = follow(self.inputs().document().tree(), path);
        let stored = stored.map(|node| values.short(node, Origin::Stored));
        let written = written.map(|node| values.short(node, Origin::Document));
        let mut text = String::new();
        match (&stored, &written) {
            (Some(stored), Some(written)) if stored == written => {
                let _ = writeln!(text, "- stored: {stored}, as in this document");
            }
            (Some(stored), Some(written)) => {
                let _ = writeln!(text, "- this document changes it: {stored} → {written}");
            }
            (Some(stored), None) => {
                let _ = writeln!(text, "- stored: {stored}");
            }
            (None, Some(_)) if self.inputs().known_stored().is_some() => {
                text.push_str("- stored: not known or not set\n");
            }
            _ => {}
        }
        if let Some((node, origin)) = self.inputs().effective_value(row)
            && let Some(node) = inside(node)
            && origin != Origin::Document
            && self.inputs().known_stored().is_some()
        {
            let from = match origin {
                Origin::Text(_) => " (from its text file)",
                Origin::Stored => " (stored)",
                Origin::Document | Origin::Facts => "",
            };
            let _ = writeln!(text, "- effective: {}{from}", values.short(node, origin));
        }
        text
    }

    fn value(&self, path: &[Step], value: &Value) -> Option<Hover> {
        let slot = self.slot(path);
        let is_template = match slot.map(|slot| slot.what) {
            Some(What::Text(text)) => text.role.is_template(),
            _ => false,
        };
        if is_template {
            if let Some(tag) = mustache_at(self.text, value.inner, self.offset) {
                return self.mustache(&tag);
            }
            // A long text has no hover of its own.
            return None;
        }
        let text = match slot?.what {
            What::Text(text) if text.choices.is_empty() => text,
            What::Text(_) | What::Number | What::Flag => return self.field(path, value.word),
            _ => return None,
        };
        let word = value.inner.slice(self.text);
        let markdown = match (text.role, text.format) {
            (Role::Id(catalogue), _) => self.id(catalogue, word)?,
            (_, TextFormat::TimeZone | TextFormat::Destinations { .. }) => {
                return self.field(path, value.word);
            }
            _ => return None,
        };
        Some(Hover { span: value.word, markdown })
    }

    fn slot(&self, path: &[Step]) -> Option<Slot> {
        self.file.slot(self.kind, path)
    }

    fn id(&self, catalogue: Catalogue, id: &str) -> Option<String> {
        let facts = self.inputs().known_facts()?;
        let known = knowledge::ids(self.inputs(), catalogue);
        let name = code(&self.mask.value(id));
        let list = catalogue.name();
        let Some(known) = known.iter().find(|known| known.id == id) else {
            let row = catalogue.fact().filter(|row| facts.contains(row))?;
            return Some(format!("{name}: not in `{}` of the workspace facts\n", row.name));
        };
        let about = known.about.as_deref().map(|about| self.mask.value(about));
        let about = about.map(|about| format!("\n\n{}", code(&about))).unwrap_or_default();
        Some(format!("{name}: in the {list} of the workspace{about}\n"))
    }

    fn default(&self, name: &str, span: Span) -> Option<Hover> {
        let table = template_variables(self.inputs())?;
        let variable = table.variables.iter().find(|variable| variable.name == name)?;
        let markdown = describe::variable(&self.values(), &table, variable, false);
        Some(Hover { span, markdown })
    }

    fn mustache(&self, tag: &Mustache) -> Option<Hover> {
        if tag.sign == Some('!') {
            return self.comment(tag.content);
        }
        let word = tag.word.slice(self.text);
        if word.is_empty() {
            return None;
        }
        let is_block = matches!(tag.sign, Some('#' | '/' | '^'));
        let table = template_variables(self.inputs());
        let variables = table.as_ref().map(|table| table.variables.as_slice()).unwrap_or_default();
        let about =
            |variable| Some(describe::variable(&self.values(), table.as_ref()?, variable, true));
        let is_here = |place: &VariablePlace| {
            place.origin == self.file.origin
                && place.span.start <= self.offset
                && self.offset < place.span.end
        };
        let used = variables.iter().find_map(|variable| {
            let used = variable.uses.iter().find(|used| is_here(&used.place))?;
            Some((variable, used.place.span))
        });
        if let Some((variable, span)) = used {
            let markdown = about(variable)?;
            return Some(Hover { span, markdown });
        }
        if (tag.is_head || is_block || word == "else")
            && let Some(about) = describe::helper(word)
        {
            return Some(Hover { span: tag.word, markdown: format!("{about}\n") });
        }
        // In a template that is not finished, the name itself has to be enough.
        let first = word.split('.').next().unwrap_or_default();
        let variable = variables.iter().find(|variable| variable.name == first)?;
        let markdown = about(variable)?;
        Some(Hover { span: tag.word, markdown })
    }

    /// The rule that a comment names.
    fn comment(&self, comment: Span) -> Option<Hover> {
        let span = word_at(self.text, comment, self.offset)?;
        let rule = rules::find(span.slice(self.text))?;
        Some(Hover { span, markdown: describe::rule(rule) })
    }
}

/// The name of a template variable, if the path is that of its default.
fn variable_of_default(kind: DocumentKind, path: &[Step]) -> Option<&str> {
    match path {
        [Step::Name(object), Step::Name(name)]
            if kind.has_settings() && object == settings::default_dynamic_variables.row.name =>
        {
            Some(name)
        }
        _ => None,
    }
}
