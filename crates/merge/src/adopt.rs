//! Brings home what was changed in the service: settings that only the service has changed are written into a document.

use std::collections::BTreeSet;

use voxlint::wording::{changed_value, short_value};
use voxlint::{DiffInputs, diff};
use voxlint_engine::fixes::{Promise, prove};
use voxlint_engine::states::{ThreeStates, ThreeWay, is, is_phone_number};
use voxlint_model::equality::{Side, are_same};
use voxlint_model::json::Json;
use voxlint_model::masking::{DocumentSecrets, Mask, secrets_of};
use voxlint_model::pointer::escape_token;
use voxlint_model::{Document, Inputs, Origin, Stored, TextFile, quote};
use voxlint_schema::settings::{
    TABLE, is_published, post_call_analysis, postcall_analysis, version_number,
};
use voxlint_schema::{DocumentKind, Row, named};
use voxlint_syntax::{Format, Node};

use crate::values::{Action, Change, Merge, MergeOptions, Prefer, Step, merge};
use crate::write::{find, names_of, write};

/// A document, and what is known about its agent.
#[derive(Clone, Debug)]
pub struct AdoptInputs {
    /// The document with its stored configuration and text files.
    pub inputs: Inputs,
    /// The stored configuration that the repository last knew. Without it nothing tells who has changed a setting.
    pub base: Option<Stored>,
}

/// What is adopted.
#[derive(Clone, Debug, Default)]
pub struct AdoptOptions {
    /// The side that decides conflicts: ours is the document, theirs the service.
    pub prefer: Option<Prefer>,
    /// The names of the only settings to adopt; without any, all are.
    pub settings: Vec<String>,
    /// Whether settings, functions and analysis items are removed that the stored configuration lacks.
    pub removes: bool,
    /// Whether secrets are written.
    pub with_secrets: bool,
}

/// A document with the changes that were made in the service.
#[derive(Clone, Debug)]
pub struct Adoption {
    /// The document and its text files with the changes.
    pub inputs: Inputs,
    /// What became of each change, in the service's order.
    pub entries: Vec<Entry>,
}

/// A value that was changed in the service, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What became of it.
    pub kind: EntryKind,
    /// A JSON Pointer (RFC 6901) to the value, with the names of functions and analysis items in place of their numbers.
    pub field: String,
    /// The number of the text file that has the setting.
    pub text_file: Option<u16>,
    /// The value that the repository last knew: short, on one line, with secrets masked. `None` if it was not set or is not known.
    pub base: Option<String>,
    /// The value in the document before, likewise.
    pub document: Option<String>,
    /// The stored value, likewise.
    pub stored: Option<String>,
    /// What happened: lower case, without a full stop, with secrets masked.
    pub sentence: String,
}

/// What became of a change made in the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// It is written into the document or its text file.
    Adopted,
    /// The document was changed as well, differently, or it is not known who has changed the setting.
    Conflict,
    /// The stored configuration lacks the value, and the document keeps it.
    NotRemoved,
    /// The stored value contains a secret.
    Secret,
    /// A setting that is never adopted.
    NeverAdopted,
    /// The document has no place where it could be written safely.
    NotWritten,
    /// Other documents share the text file, or other values the anchor of YAML, and do not agree.
    Shared,
}

named! {
    EntryKind, "what became of a change":
    Adopted = "adopted",
    Conflict = "conflict",
    NotRemoved = "not-removed",
    Secret = "secret",
    NeverAdopted = "never-adopted",
    NotWritten = "not-written",
    Shared = "shared",
}

impl EntryKind {
    /// Whether somebody has to decide about it.
    pub const fn is_left(self) -> bool {
        !matches!(self, Self::Adopted | Self::NeverAdopted | Self::NotRemoved)
    }
}

/// Writes what was changed in the service since the base into a document and its text files. Each setting that was written is
/// read again: it has the merged value, and nothing else has changed. Otherwise it is not written.
///
/// ```
/// use voxlint::{Document, Inputs, Stored};
/// use voxlint_merge::{AdoptInputs, AdoptOptions, EntryKind, adopt};
///
/// let stored = |title: &str| Stored::new(Document::parse(format!(r#"{{ "version_number": 3, "title": "{title}" }}"#)));
/// let document = Document::parse("{ \"version_number\": 3,  \"title\": \"Desk\" }\n");
/// let inputs = Inputs::new(document).stored(stored("Front desk"));
/// let adoption = adopt(&AdoptInputs { inputs, base: Some(stored("Desk")) }, &AdoptOptions::default())?;
/// assert_eq!(adoption.inputs.document().text(), "{ \"version_number\": 3,  \"title\": \"Front desk\" }\n");
/// assert_eq!(adoption.entries[0].kind, EntryKind::Adopted);
/// assert_eq!(adoption.entries[0].sentence, "changes `title` from `Desk` to `Front desk`");
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
///
/// If the document or the stored configuration cannot be used.
pub fn adopt(document: &AdoptInputs, options: &AdoptOptions) -> Result<Adoption, String> {
    let sides = DiffInputs::of(&document.inputs).ok_or("has no stored configuration")?;
    diff(&sides).map_err(|error| error.to_string())?;
    let (inputs, base) = (with_stored_breaks(&document.inputs), document.base.as_ref());
    let states = ThreeStates::of(&inputs, base).ok_or("names no version")?;
    let mut mask = secrets_of(&inputs, None);
    let mut stored_secrets = Mask::default();
    DocumentSecrets::of(sides.old.document(), DocumentKind::Stored).collect(&mut stored_secrets);
    if let Some(base) = base {
        DocumentSecrets::of(base.document(), DocumentKind::Stored).collect(&mut mask);
    }
    let mut adopter = Adopter {
        options,
        mask,
        own_secrets: secrets_of(&inputs.clone().stored(None), None),
        stored_secrets,
        current: inputs.clone(),
        entries: Vec::new(),
        shared: Vec::new(),
    };
    let number = version_number.row.name;
    let parts = [inputs.document.tree().root(), sides.old.parts().version];
    let numbers = parts.map(|part| part?.get(number).filter(|it| it.decimal().is_some()));
    if let [Some(ours), Some(theirs)] = numbers
        && ours.decimal() != theirs.decimal()
    {
        adopter.never(number, [None, Some(ours), Some(theirs)]);
    }
    for setting in states.settings() {
        // The analysis has two names.
        let first = if is(setting.row, postcall_analysis.row) {
            post_call_analysis.row
        } else {
            setting.row
        };
        let names = [first.name, setting.row.name];
        let is_named = options.settings.iter().any(|it| names.contains(&it.as_str()));
        if is_named || options.settings.is_empty() {
            adopter.setting(setting, is_named);
        }
    }
    adopter.settle_shared();
    let Adopter { current, entries, .. } = adopter;
    Ok(Adoption { inputs: with_own_breaks(&document.inputs, &inputs, current), entries })
}

/// Whether changes of a setting are adopted at all.
pub fn is_adopted(row: &Row) -> bool {
    !is_phone_number(row) && !is(row, is_published.row) && !is(row, version_number.row)
}

struct Adopter<'a> {
    options: &'a AdoptOptions,
    mask: Mask,
    own_secrets: Mask,
    stored_secrets: Mask,
    current: Inputs,
    entries: Vec<Entry>,
    shared: Vec<Shared<'a>>,
}

/// A setting whose value cannot be written alone, as one with an anchor of YAML.
struct Shared<'a> {
    name: &'static str,
    sides: [Side<'a>; 3],
    /// What it should become.
    value: Option<Document>,
}

impl<'a> Adopter<'a> {
    /// Adopts a setting. `is_named` is whether it was asked for by its name.
    fn setting(&mut self, setting: ThreeWay<'a>, is_named: bool) {
        let ThreeWay { row, base, stored, desired } = setting;
        let Some(theirs) = stored else { return };
        if [base, desired].into_iter().flatten().any(|known| are_same(known, theirs)) {
            return;
        }
        let (name, written) = (row.name, desired.flatten());
        if !is_adopted(row) {
            if let Some(base) = base {
                self.never(name, [base, written, theirs]);
            }
            return;
        }
        let prefer = self.options.prefer;
        let (base, ours) = match (base, prefer) {
            (Some(base), _) => (base, desired.unwrap_or(base)),
            // Without a base, nothing tells whether the document leaves a setting to the service.
            (None, _) if desired.is_none() && !is_named => return,
            (None, Some(Prefer::Theirs)) => (written, written),
            (None, Some(Prefer::Ours)) => return,
            (None, None) => {
                return self.conflict(&[name.to_owned()], [None, written, theirs], false);
            }
        };
        let merged = match (desired, theirs) {
            (None, None) => return,
            (None, Some(node)) => {
                let at = place_of(&self.current, row);
                let action = Action::Insert(at, Some(name.to_owned()), node);
                let changes = vec![Change { path: Vec::new(), action }];
                Merge { value: Some(Json::Node(node)), changes, ..Merge::default() }
            }
            _ => {
                let options = MergeOptions { prefer, removes: self.options.removes };
                merge(name, [base, ours, theirs], options)
            }
        };
        for conflict in &merged.conflicts {
            self.conflict(&conflict.names, conflict.sides, true);
        }
        for (names, ours) in &merged.kept {
            let what = names.join("/");
            let sentence =
                format!("`{what}` was removed in the service, and is kept here without --remove");
            self.add(EntryKind::NotRemoved, names, [None, Some(*ours), None], &sentence);
        }
        if !merged.changes.is_empty() {
            self.write(name, &merged, [base, written, theirs]);
        }
    }

    fn write(&mut self, name: &'static str, merged: &Merge<'_>, sides: [Side<'a>; 3]) {
        if !self.options.with_secrets && merged.changes.iter().any(|it| self.has_new_secret(it)) {
            let sentence = format!(
                "the stored `{name}` contains a secret, which is not written without --with-secrets"
            );
            return self.add(EntryKind::Secret, &[name.to_owned()], sides, &sentence);
        }
        let value = merged.value.as_ref().map(|value| Document::parse(value.pretty()));
        let wanted = value.as_ref().and_then(|value| value.tree().root());
        let after = write(&self.current, &merged.changes);
        match after.filter(|after| holds(&self.current, after, name, wanted)) {
            Some(after) => self.adopted(name, sides, after),
            None => self.shared.push(Shared { name, sides, value }),
        }
    }

    /// Whether a change writes a secret of the stored configuration that the document does not have.
    fn has_new_secret(&self, change: &Change<'_>) -> bool {
        let text = match &change.action {
            Action::Text(text) => text.clone(),
            Action::Set(node) | Action::Insert(_, _, node) => match node.as_str() {
                Some(text) => text.into_owned(),
                None => Json::Node(*node).pretty(),
            },
            Action::Remove | Action::Order(_) => return false,
        };
        self.stored_secrets.hides(&self.own_secrets.value(&text))
    }

    fn adopted(&mut self, name: &str, sides: [Side<'_>; 3], after: Inputs) {
        let sentence = changed_value(name, sides[1], value_of(&after, name));
        self.add(EntryKind::Adopted, &[name.to_owned()], sides, &sentence);
        self.current = after;
    }

    /// Writes settings that share an anchor of YAML, if all of them get the value that they should.
    fn settle_shared(&mut self) {
        let shared = std::mem::take(&mut self.shared);
        let wanted = |name: &str| {
            let found = shared.iter().find(|it| it.name == name)?;
            Some(found.value.as_ref().and_then(|value| value.tree().root()))
        };
        for Shared { name, sides, .. } in &shared {
            let after = brought(&self.current, name, wanted(name).flatten());
            let others = after.as_ref().map(|after| -> BTreeSet<String> {
                let all = after.document.tree().root().into_iter().flat_map(Node::members);
                let changed = all.flat_map(|member| {
                    let name = &*member.name();
                    let should = wanted(name).unwrap_or_else(|| value_of(&self.current, name));
                    changes_to(name, should, Some(member.value))
                });
                changed.map(|change| names_of(after, &change.path)).collect()
            });
            let (kind, sentence) = match (after, others) {
                (Some(after), Some(others)) if others.is_empty() => {
                    self.adopted(name, *sides, after);
                    continue;
                }
                (Some(_), Some(others)) => {
                    let others = quote::all(others.iter().map(String::as_str));
                    let why = format!(
                        "`{name}` is not changed, because it shares a YAML anchor with {others}, which would not get this change"
                    );
                    (EntryKind::Shared, why)
                }
                _ => {
                    let why = format!(
                        "`{name}` was changed in the service, but cannot be written here safely: change it by hand"
                    );
                    (EntryKind::NotWritten, why)
                }
            };
            self.add(kind, &[(*name).to_owned()], *sides, &sentence);
        }
        let row = |entry: &Entry| {
            let name = entry.field.split('/').nth(1).unwrap_or_default();
            TABLE.row(name).map(|row| row.index)
        };
        self.entries.sort_by_key(row);
    }

    fn conflict(&mut self, names: &[String], sides: [Side<'_>; 3], has_base: bool) {
        let [base, ours, theirs] = sides.map(in_words);
        let what = names.join("/");
        let sentence = if has_base {
            format!("`{what}` was {base}, is {ours} here and {theirs} in the service")
        } else {
            format!(
                "`{what}` is {ours} here and {theirs} in the service, and no base tells who has changed it"
            )
        };
        self.add(EntryKind::Conflict, names, sides, &sentence);
    }

    fn never(&mut self, name: &str, sides: [Side<'_>; 3]) {
        let [_, ours, theirs] = sides.map(in_words);
        let sentence =
            format!("`{name}` is {theirs} in the service and {ours} here: it is never adopted");
        self.add(EntryKind::NeverAdopted, &[name.to_owned()], sides, &sentence);
    }

    fn add(&mut self, kind: EntryKind, names: &[String], sides: [Side<'_>; 3], sentence: &str) {
        let short = |side: Side<'_>| side.map(|node| self.mask.value(&short_value(node)));
        let [base, document, stored] = sides.map(short);
        let setting = names.first().cloned().unwrap_or_default();
        let text_file = match find(&self.current, &[Step::Field(setting)]) {
            Some((Origin::Text(index), _)) => Some(index),
            _ => None,
        };
        let field = names.iter().fold(String::new(), |at, name| at + "/" + &escape_token(name));
        let field = self.mask.pointer(&field);
        let sentence = self.mask.sentence(sentence);
        self.entries.push(Entry { kind, field, text_file, base, document, stored, sentence });
    }
}

fn in_words(side: Side<'_>) -> String {
    side.map_or_else(|| "unset".to_owned(), short_value)
}

fn value_of<'i>(inputs: &'i Inputs, name: &str) -> Side<'i> {
    find(inputs, &[Step::Field(name.to_owned())]).map(|(_, node)| node)
}

/// What makes a value of a setting another one.
fn changes_to<'a>(name: &str, is: Side<'a>, wanted: Side<'a>) -> Vec<Change<'a>> {
    let options = MergeOptions { removes: true, ..MergeOptions::default() };
    merge(name, [is, is, wanted], options).changes
}

/// Brings a setting to a value, change by change, because each may make others that share an anchor with it. It stops where that leads
/// no further. `None` if a change cannot be written.
fn brought(inputs: &Inputs, name: &str, value: Side<'_>) -> Option<Inputs> {
    let (mut now, mut left) = (inputs.clone(), usize::MAX);
    loop {
        let changes = changes_to(name, value_of(&now, name), value);
        let first = changes.first().filter(|_| changes.len() < left);
        let Some(change) = first else { return (!now.document.has_errors()).then_some(now) };
        left = changes.len();
        let next = write(&now, std::slice::from_ref(change))?;
        now = next;
    }
}

/// The inputs with the line breaks of Unix in text files with those of Windows, where the stored text has none of these.
fn with_stored_breaks(inputs: &Inputs) -> Inputs {
    let has_some = |text: &str| text.contains("\r\n");
    let text = |file: &TextFile| {
        let stored = inputs.stored_value(file.field()).and_then(Node::as_str);
        let text = file.document().text();
        if !has_some(text) || stored.is_some_and(|stored| has_some(&stored)) {
            return file.clone();
        }
        let unix = Document::parse_as(text.replace("\r\n", "\n"), Format::Text);
        TextFile::new(file.field(), unix)
    };
    let texts: Vec<TextFile> = inputs.text_files().iter().map(text).collect();
    inputs.clone().texts(texts)
}

/// The inputs after an adoption with the line breaks that their text files had before [`with_stored_breaks`].
fn with_own_breaks(own: &Inputs, before: &Inputs, after: Inputs) -> Inputs {
    let files = own.text_files().iter().zip(before.text_files()).zip(after.text_files());
    let text = |((own, before), after): ((&TextFile, &TextFile), &TextFile)| {
        let [was, unix, is] = [own, before, after].map(|file| file.document().text());
        if unix == is {
            own.clone()
        } else if was == unix {
            after.clone()
        } else {
            let windows = Document::parse_as(is.replace('\n', "\r\n"), Format::Text);
            TextFile::new(own.field(), windows)
        }
    };
    let texts: Vec<TextFile> = files.map(text).collect();
    after.texts(texts)
}

/// How many fields of a document are before a new one: it goes behind the one that is next before it in the table.
fn place_of(inputs: &Inputs, row: &Row) -> usize {
    let root = inputs.document.tree().root();
    let members = root.into_iter().flat_map(Node::members).enumerate();
    let known = members.filter_map(|(at, member)| Some((TABLE.row(&member.name())?.index, at)));
    let known: BTreeSet<(usize, usize)> = known.collect();
    let before = known.iter().rfind(|(index, _)| *index < row.index);
    before.map(|(_, at)| at + 1).or_else(|| known.first().map(|(_, at)| *at)).unwrap_or(0)
}

/// Whether a setting has a value, and nothing else has changed.
fn holds(before: &Inputs, after: &Inputs, name: &str, value: Side<'_>) -> bool {
    let root = after.document.tree().root();
    let named = root.into_iter().flat_map(Node::members).filter(|it| it.is_named(name));
    are_same(value_of(after, name), value)
        && named.count() <= 1
        && prove(before, after, &Promise::values(&[&format!("/{}", escape_token(name))]))
}
