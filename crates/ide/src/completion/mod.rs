//! What can be written at a place.

mod fields;
mod functions;
mod mustaches;
mod spelling;
mod values;

use voxlint::readings;
use voxlint::schema::{DocumentKind, Role, configuration};
use voxlint::secrets::Mask;
use voxlint::syntax::{Format, Span};
use voxlint::{Inputs, TextEdit, rules};

use crate::File;
use crate::cursor::{At, Commas, Cursor, Step, boundary};
use crate::describe;
use crate::mustache::mustache_at;
use crate::rule_names::{KEYWORD, groups, word_at};
use crate::slot::{Slot, What};

/// One thing that can be written at a place.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{CompletionOptions, File, complete};
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "pipe"#));
/// let completions = complete(File::new(&inputs), 28, CompletionOptions::default());
/// let found = completions.iter().find(|it| it.label == "pipeline_type").expect("a field");
/// // The opening quote is already there.
/// assert_eq!(found.edit.text, r#"pipeline_type": "Cascaded""#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What the list shows.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words beside the label.
    pub detail: Option<String>,
    /// What it means, in Markdown.
    pub documentation: Option<String>,
    /// What it writes, with its own indentation. It replaces the half-written word.
    pub edit: TextEdit,
    /// Changes elsewhere: the comma that is missing before it.
    pub additional: Vec<TextEdit>,
    /// Whether the new text has places to fill in: `$1`, `${2:x}` and `$0`. Then it is escaped for that.
    pub is_snippet: bool,
    /// Its place in the list.
    pub sort: u32,
    /// The text that is compared with what has been typed, if it is not the label.
    pub filter: Option<String>,
}

/// What a completion writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A field with its value, or a key of `voxlint.toml`.
    Field,
    /// An allowed value.
    Value,
    /// An id from the facts about the workspace.
    Id,
    /// A template variable.
    Variable,
    /// A helper of templates, or the opening or closing tag of a block.
    Helper,
    /// The id of a rule, or the name of a group.
    Rule,
    /// A function of the agent.
    Function,
}

/// What the editor can do with completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletionOptions {
    /// Whether it knows snippets.
    pub snippets: bool,
}

/// What can be written at an offset of a document, in the order to show.
pub fn complete(file: File<'_>, offset: u32, options: CompletionOptions) -> Vec<Completion> {
    let (text, format) = (file.text(), file.document().format());
    let offset = boundary(text, offset);
    let kind = file.kind();
    // The answers of the service are not written by hand.
    if !(kind.is_sent() || kind.is_voxlint_format()) {
        return Vec::new();
    }
    let cursor = Cursor::typed(text, format, offset);
    let request = Request { text, offset, kind, inputs: Some(file.inputs), options };
    let slot = |path: &[Step]| file.slot(kind, path);
    let mut list = request.complete(&cursor, &slot);
    let mask = Mask::of(file.inputs);
    list.retain(|it| !it.is_secret(&mask));
    list
}

/// What can be written at an offset of a `voxlint.toml`, in the order to show.
///
/// ```
/// use voxlint_ide::{CompletionOptions, complete_configuration};
///
/// let list = complete_configuration("[rules]\nout-of-", 15, CompletionOptions::default());
/// let found = list.iter().find(|it| it.label == "out-of-range").expect("a rule");
/// assert_eq!(found.edit.text, "out-of-range = \"warning\"");
/// ```
pub fn complete_configuration(
    text: &str,
    offset: u32,
    options: CompletionOptions,
) -> Vec<Completion> {
    let offset = boundary(text, offset);
    let cursor = Cursor::typed(text, Format::Toml, offset);
    let kind = DocumentKind::Configuration;
    let request = Request { text, offset, kind, inputs: None, options };
    request.complete(&cursor, &|path| Slot::at(kind, path))
}

impl Completion {
    fn is_secret(&self, mask: &Mask) -> bool {
        let texts = [Some(&self.label), self.detail.as_ref(), Some(&self.edit.text)];
        texts.into_iter().flatten().any(|text| mask.hides(text.trim_matches(['"', '\''])))
    }
}

/// A place where something is to be written.
struct Request<'a> {
    text: &'a str,
    offset: u32,
    kind: DocumentKind,
    inputs: Option<&'a Inputs>,
    options: CompletionOptions,
}

impl Request<'_> {
    fn complete(&self, cursor: &Cursor, slot: &dyn Fn(&[Step]) -> Option<Slot>) -> Vec<Completion> {
        let mut list = List::default();
        match &cursor.at {
            At::Key(key) => {
                if let Some(slot) = slot(&cursor.path) {
                    self.fields(slot, &cursor.path, key, &mut list);
                }
            }
            At::Header(header) => {
                if let Some(slot) = slot(&cursor.path) {
                    self.headers(slot, header, &mut list);
                }
            }
            At::Value(value) => {
                if let Some(slot) = slot(&cursor.path) {
                    let role =
                        if let What::Text(text) = slot.what { text.role } else { Role::Free };
                    let is_template = role.is_template();
                    match mustache_at(self.text, value.inner, self.offset) {
                        Some(tag) if is_template && tag.sign == Some('!') => {
                            self.names_of_rules(tag.content, &mut list);
                        }
                        Some(tag) if is_template => self.in_mustache(&tag, &mut list),
                        _ if role == Role::Prompt => self.functions(value, &mut list),
                        _ => self.values(slot, &cursor.path, value, &mut list),
                    }
                }
            }
            At::Comment(span) => self.names_of_rules(*span, &mut list),
            At::Nothing => {}
        }
        list.0
    }

    /// The rules that a comment can name, or the comment itself.
    fn names_of_rules(&self, comment: Span, list: &mut List) {
        if let Some(word) = word_at(self.text, comment, self.offset) {
            // A text that cannot be read is fixed, and seldom suppressed.
            let (syntax, others): (Vec<_>, Vec<_>) =
                rules::all().partition(|rule| rule.is_syntax());
            for rule in others.into_iter().chain(syntax) {
                list.push(Completion {
                    documentation: Some(describe::rule(rule)),
                    detail: Some(rule.group.name().to_owned()),
                    ..Completion::plain(&rule.id, CompletionKind::Rule, word, rule.id.as_ref())
                });
            }
            return;
        }
        let before = Span::new(comment.start, self.offset.max(comment.start)).slice(self.text);
        let is_part = |character: &char| character.is_ascii_lowercase() || *character == '-';
        let typed = before.chars().rev().take_while(is_part).count();
        let typed = before.get(before.len() - typed..).unwrap_or_default().trim_start_matches('-');
        let lead = before.strip_suffix(typed).unwrap_or(before);
        let is_first = !lead.contains(|character: char| character.is_alphanumeric());
        if !is_first || !KEYWORD.starts_with(typed) {
            return;
        }
        let word = Span::new(self.offset - typed.len() as u32, self.offset);
        let about = "Suppresses findings on its line or the next one, with a reason.";
        for (label, about) in [
            (KEYWORD, about),
            ("voxlint-ignore-file", "Suppresses findings in the whole document, with a reason."),
        ] {
            let (text, is_snippet) = if self.options.snippets {
                (format!("{label} ${{1:RULE}}: ${{2:reason}}"), true)
            } else {
                (format!("{label} "), false)
            };
            list.push(Completion {
                documentation: Some(about.to_owned()),
                is_snippet,
                ..Completion::plain(label, CompletionKind::Rule, word, &text)
            });
        }
    }
}

/// What a group is, in a few words.
const GROUP: &str = "a group of rules";

/// The names of rules and groups, each with a few words and a description.
fn rule_ids(groups_too: bool) -> Vec<(String, String, String)> {
    let rules = rules::all()
        .map(|rule| (rule.id.to_string(), rule.group.name().to_owned(), describe::rule(rule)));
    let groups = groups()
        .filter(|_| groups_too)
        .map(|(name, about)| (name.to_owned(), GROUP.to_owned(), about.to_owned()));
    groups.chain(rules).collect()
}

/// The names that an object with a value for each name can have: rules and groups, or readings. With what a snippet offers as
/// the value.
fn entry_names(slot: Slot) -> Vec<(String, String, String, Vec<&'static str>)> {
    if slot.row.is_none_or(|row| row.name != configuration::readings.row.name) {
        let rules = rule_ids(true).into_iter();
        return rules
            .map(|(name, detail, about)| (name, detail, about, configuration::LEVELS.to_vec()))
            .collect();
    }
    let named = readings::ALL.iter().map(|reading| {
        let values: Vec<&str> = reading.values.iter().map(|value| value.name).collect();
        (reading.name.to_owned(), values.join(", "), describe::reading(reading), values)
    });
    named.collect()
}

/// The missing comma before a word, and the one after it.
fn commas(commas: Commas) -> (Vec<TextEdit>, &'static str) {
    let before = commas.before.map(|at| TextEdit::new(Span::at(at), ","));
    (before.into_iter().collect(), if commas.after { "," } else { "" })
}

impl Completion {
    /// The same for a word that has its opening quote already: editors compare what is replaced with the name alone.
    fn behind_quote(mut self, typed: &str) -> Self {
        let quote = typed.chars().next().filter(|first| matches!(first, '"' | '\''));
        let Some(quote) = quote else { return self };
        match self.edit.text.strip_prefix(quote) {
            Some(rest) => {
                self.edit.text = rest.to_owned();
                self.edit.span.start += 1;
            }
            None => self.filter = Some(format!("{quote}{}", self.label)),
        }
        self
    }

    /// A completion that writes a text as it is.
    fn plain(label: &str, kind: CompletionKind, word: Span, text: &str) -> Self {
        Self {
            label: label.to_owned(),
            kind,
            detail: None,
            documentation: None,
            edit: TextEdit::new(word, text),
            additional: Vec::new(),
            is_snippet: false,
            sort: 0,
            filter: None,
        }
    }
}

/// Completions in the order to show.
#[derive(Debug, Default)]
struct List(Vec<Completion>);

impl List {
    fn push(&mut self, completion: Completion) {
        let sort = self.0.len() as u32;
        self.0.push(Completion { sort, ..completion });
    }
}
