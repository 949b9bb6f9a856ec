//! Brings home what was changed in the service: settings that only the service has changed are written into a document.

use std::collections::BTreeSet;

use voxlint::wording::{changed_value, short_value};
use voxlint::{DiffInputs, diff};
use voxlint_engine::fixes::{Promise, prove};
use voxlint_engine::states::{Desired, States, is, is_compared, is_phone_number, version_of};
use voxlint_model::effective::StoredSetting;
use voxlint_model::json::Json;
use voxlint_model::masking::{DocumentSecrets, Mask};
use voxlint_model::pointer::escape_token;
use voxlint_model::{Document, Inputs, Origin, Stored, quote};
use voxlint_schema::settings::{TABLE, is_published, version_number};
use voxlint_schema::{DocumentKind, Row, named};
use voxlint_syntax::{Format, Node};

use crate::values::{Action, Change, Merge, MergeOptions, Prefer, Side, Step, are_same, merge};
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
    let (inputs, base) = (&document.inputs, document.base.as_ref());
    let Some(sides) = DiffInputs::of(inputs) else {
        return Err("has no stored configuration".to_owned());
    };
    diff(&sides).map_err(|error| error.to_string())?;
    let stored = &sides.old;
    let parts = [inputs.document.tree().root(), stored.parts().version];
    let numbers =
        parts.map(|part| part?.get(version_number.row.name).filter(|it| it.decimal().is_some()));
    let Some(number) = numbers.into_iter().flatten().next() else {
        return Err("names no version".to_owned());
    };
    let in_base = base.map(|base| version_of(base, number));
    let in_stored = version_of(stored, number);
    let before = base.zip(in_base.as_ref());
    let before =
        before.map(|(base, named)| States::new(base, named, &inputs.document, &inputs.texts));
    let now = States::new(stored, &in_stored, &inputs.document, &inputs.texts);
    let unix_texts: Vec<Option<Document>> =
        inputs.text_files().iter().map(|text| unix(text.document())).collect();
    let mut adopter = Adopter {
        options,
        mask: mask(inputs, base),
        new_secrets: NewSecrets::of(inputs, stored),
        current: inputs.clone(),
        entries: Vec::new(),
        shared: Vec::new(),
    };
    if let [Some(ours), Some(theirs)] = numbers
        && ours.decimal() != theirs.decimal()
    {
        adopter.never(version_number.row, [None, Some(ours), Some(theirs)]);
    }
    let rows = TABLE.rows.iter().copied().filter(|row| is_compared(row));
    for row in rows {
        let setting = now.setting(row);
        let name = setting.row.name;
        let is_named = options.settings.iter().any(|it| it == name || it == row.name);
        let Some(theirs) = side(setting.old).filter(|_| is_named || options.settings.is_empty())
        else {
            continue;
        };
        let mut written = match setting.new {
            Desired::Value(node) => Some(Some(node)),
            Desired::Empty => Some(None),
            Desired::Omitted => None,
        };
        let text_file = match find(inputs, &[Step::Field(name.to_owned())]) {
            Some((Origin::Text(index), _)) => Some(index),
            _ => None,
        };
        let unix_text =
            text_file.and_then(|index| unix_texts.get(usize::from(index))?.as_ref()?.tree().root());
        let is_windows = written.is_some() && unix_text.is_some() && !has_crlf(theirs);
        if is_windows {
            written = Some(unix_text);
        }
        let known = before.as_ref().and_then(|before| side(before.setting(row).old));
        let place = Place { row: setting.row, text_file, is_windows };
        adopter.setting(&place, known, written, theirs, is_named);
    }
    adopter.settle_shared();
    Ok(Adoption { inputs: adopter.current, entries: adopter.entries })
}

/// Whether changes of a setting are adopted at all.
pub fn is_adopted(row: &Row) -> bool {
    !is_phone_number(row) && !is(row, is_published.row) && !is(row, version_number.row)
}

/// A setting, and where the document has it.
#[derive(Clone, Copy)]
struct Place {
    row: &'static Row,
    text_file: Option<u16>,
    /// Whether its text file has the line breaks of Windows, and the stored text has not.
    is_windows: bool,
}

struct Adopter<'a> {
    options: &'a AdoptOptions,
    mask: Mask,
    new_secrets: NewSecrets,
    current: Inputs,
    entries: Vec<Entry>,
    shared: Vec<Shared<'a>>,
}

/// A setting whose value cannot be written alone, as one with an anchor of YAML.
struct Shared<'a> {
    place: Place,
    sides: [Side<'a>; 3],
    /// What it should become.
    value: Option<Document>,
}

impl<'a> Adopter<'a> {
    /// Adopts a setting. `known` is its base, as far as that is known, and `written` what the document says of it.
    fn setting(
        &mut self,
        place: &Place,
        known: Option<Side<'a>>,
        written: Option<Side<'a>>,
        theirs: Side<'a>,
        is_named: bool,
    ) {
        let (row, name) = (place.row, place.row.name);
        if written.is_some_and(|ours| are_same(ours, theirs))
            || known.is_some_and(|it| are_same(it, theirs))
        {
            return;
        }
        if !is_adopted(row) {
            if let Some(base) = known {
                self.never(row, [base, written.flatten(), theirs]);
            }
            return;
        }
        let prefer = self.options.prefer;
        let (base, ours) = match (known, written) {
            (Some(base), _) => (base, written.unwrap_or(base)),
            // Without a base, nothing tells whether the document leaves a setting to the service.
            (None, None) if !is_named => return,
            (None, _) => {
                let ours = written.flatten();
                match prefer {
                    Some(Prefer::Theirs) => {}
                    Some(Prefer::Ours) => return,
                    None => {
                        return self.conflict(
                            place,
                            &[name.to_owned()],
                            [None, ours, theirs],
                            false,
                        );
                    }
                }
                (ours, ours)
            }
        };
        let merged = match (written, theirs) {
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
            self.conflict(place, &conflict.names, conflict.sides, true);
        }
        for (names, ours) in &merged.kept {
            let what = names.join("/");
            let sentence =
                format!("`{what}` was removed in the service, and is kept here without --remove");
            self.add(EntryKind::NotRemoved, place, names, [None, Some(*ours), None], &sentence);
        }
        if !merged.changes.is_empty() {
            self.write(place, &merged, [base, written.flatten(), theirs]);
        }
    }

    fn write(&mut self, place: &Place, merged: &Merge<'_>, sides: [Side<'a>; 3]) {
        let name = place.row.name;
        let names = [name.to_owned()];
        if !self.options.with_secrets && merged.changes.iter().any(|it| self.new_secrets.are_in(it))
        {
            let sentence = format!(
                "the stored `{name}` contains a secret, which is not written without --with-secrets"
            );
            return self.add(EntryKind::Secret, place, &names, sides, &sentence);
        }
        let windows = |text: &str| text.replace('\n', "\r\n");
        let (mut changes, mut value) = (merged.changes.clone(), merged.value.clone());
        if place.is_windows {
            for change in &mut changes {
                change.action = match &change.action {
                    Action::Text(text) => Action::Text(windows(text)),
                    Action::Set(node) => Action::Text(windows(&node.as_str().unwrap_or_default())),
                    other => other.clone(),
                };
            }
            let text = value.as_ref().and_then(|value| Some(windows(&text_of(value)?)));
            value = text.map(|text| Json::Text(text.into())).or(value);
        }
        let after = write(&self.current, &changes);
        if let Some(after) = after.filter(|it| holds(&self.current, it, name, value.as_ref())) {
            self.adopted(place, sides, after);
        } else {
            let value = value.map(|value| Document::parse(value.pretty()));
            self.shared.push(Shared { place: *place, sides, value });
        }
    }

    fn adopted(&mut self, place: &Place, sides: [Side<'_>; 3], after: Inputs) {
        let name = place.row.name;
        let old = if place.is_windows { value_of(&self.current, name) } else { sides[1] };
        let sentence = changed_value(name, old, value_of(&after, name));
        self.add(EntryKind::Adopted, place, &[name.to_owned()], sides, &sentence);
        self.current = after;
    }

    /// Writes settings that share an anchor of YAML, if all of them get the value that they should.
    fn settle_shared(&mut self) {
        let shared = std::mem::take(&mut self.shared);
        let wanted = |name: &str| {
            let found = shared.iter().find(|it| it.place.row.name == name)?;
            Some(found.value.as_ref().and_then(|value| value.tree().root()))
        };
        for Shared { place, sides, .. } in &shared {
            let name = place.row.name;
            let after = brought(&self.current, name, wanted(name).flatten());
            let others = after.as_ref().map(|after| {
                let all = after.document.tree().root().into_iter().flat_map(Node::members);
                let changed = all.flat_map(|member| {
                    let name = &*member.name();
                    let is = Some(member.value);
                    let should = wanted(name).unwrap_or_else(|| value_of(&self.current, name));
                    let options = MergeOptions { removes: true, ..MergeOptions::default() };
                    let changes = merge(name, [should, should, is], options).changes;
                    changes
                        .into_iter()
                        .map(|change| names_of(after, &change.path))
                        .collect::<Vec<_>>()
                });
                changed.collect::<BTreeSet<String>>()
            });
            let (kind, sentence) = match (after, others) {
                (Some(after), Some(others)) if others.is_empty() => {
                    self.adopted(place, *sides, after);
                    continue;
                }
                (Some(_), Some(others)) => {
                    let others = quote::all(others.iter().map(String::as_str));
                    (
                        EntryKind::Shared,
                        format!(
                            "`{name}` is not changed, because it shares a YAML anchor with {others}, which would not get this change"
                        ),
                    )
                }
                _ => (
                    EntryKind::NotWritten,
                    format!(
                        "`{name}` was changed in the service, but cannot be written here safely: change it by hand"
                    ),
                ),
            };
            self.add(kind, place, &[name.to_owned()], *sides, &sentence);
        }
        let row = |entry: &Entry| {
            let name = entry.field.split('/').nth(1).unwrap_or_default();
            TABLE.row(name).map(|row| row.index)
        };
        self.entries.sort_by_key(row);
    }

    fn conflict(&mut self, place: &Place, names: &[String], sides: [Side<'_>; 3], has_base: bool) {
        let [base, ours, theirs] =
            sides.map(|side| side.map_or_else(|| "unset".to_owned(), short_value));
        let what = names.join("/");
        let sentence = if has_base {
            format!("`{what}` was {base}, is {ours} here and {theirs} in the service")
        } else {
            format!(
                "`{what}` is {ours} here and {theirs} in the service, and no base tells who has changed it"
            )
        };
        self.add(EntryKind::Conflict, place, names, sides, &sentence);
    }

    fn never(&mut self, row: &'static Row, sides: [Side<'_>; 3]) {
        let [_, ours, theirs] =
            sides.map(|side| side.map_or_else(|| "unset".to_owned(), short_value));
        let name = row.name;
        let sentence =
            format!("`{name}` is {theirs} in the service and {ours} here: it is never adopted");
        let place = Place { row, text_file: None, is_windows: false };
        self.add(EntryKind::NeverAdopted, &place, &[name.to_owned()], sides, &sentence);
    }

    fn add(
        &mut self,
        kind: EntryKind,
        place: &Place,
        names: &[String],
        sides: [Side<'_>; 3],
        sentence: &str,
    ) {
        let short = |side: Side<'_>| side.map(|node| self.mask.value(&short_value(node)));
        let [base, document, stored] = sides.map(short);
        let field = names.iter().fold(String::new(), |at, name| at + "/" + &escape_token(name));
        let field = self.mask.pointer(&field);
        let sentence = self.mask.sentence(sentence);
        let text_file = place.text_file;
        self.entries.push(Entry { kind, field, text_file, base, document, stored, sentence });
    }
}

fn value_of<'i>(inputs: &'i Inputs, name: &str) -> Side<'i> {
    find(inputs, &[Step::Field(name.to_owned())]).map(|(_, node)| node)
}

/// Brings a setting to a value, change by change, because each may make others that share an anchor with it. It stops where that leads
/// no further. `None` if a change cannot be written.
fn brought(inputs: &Inputs, name: &str, value: Side<'_>) -> Option<Inputs> {
    let (mut now, mut left) = (inputs.clone(), usize::MAX);
    let options = MergeOptions { removes: true, ..MergeOptions::default() };
    loop {
        let is = value_of(&now, name);
        let changes = merge(name, [is, is, value], options).changes;
        let first = changes.first().filter(|_| changes.len() < left);
        let Some(change) = first else { return (!now.document.has_errors()).then_some(now) };
        left = changes.len();
        let next = write(&now, std::slice::from_ref(change))?;
        now = next;
    }
}

fn side(setting: StoredSetting<'_>) -> Option<Side<'_>> {
    match setting {
        StoredSetting::Value(node) => Some(Some(node)),
        StoredSetting::Unset => Some(None),
        StoredSetting::Unknown => None,
    }
}

fn has_crlf(side: Side<'_>) -> bool {
    side.and_then(Node::as_str).is_some_and(|text| text.contains("\r\n"))
}

fn text_of(value: &Json<'_>) -> Option<String> {
    match value {
        Json::Node(node) => node.as_str().map(std::borrow::Cow::into_owned),
        Json::Text(text) => Some(text.to_string()),
        _ => None,
    }
}

/// A text file with the line breaks of Unix, if it has those of Windows.
fn unix(text: &Document) -> Option<Document> {
    let is_windows = text.text().contains("\r\n");
    is_windows.then(|| Document::parse_as(text.text().replace("\r\n", "\n"), Format::Text))
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
fn holds(before: &Inputs, after: &Inputs, name: &str, value: Option<&Json<'_>>) -> bool {
    let expected = value.map(|value| Document::parse(value.pretty()));
    let expected = expected.as_ref().and_then(|it| it.tree().root());
    let is = value_of(after, name);
    let root = after.document.tree().root();
    let named = root.into_iter().flat_map(Node::members).filter(|it| it.is_named(name));
    are_same(is, expected)
        && named.count() <= 1
        && prove(before, after, &Promise::values(&[&format!("/{}", escape_token(name))]))
}

/// The secrets of everything that is shown.
fn mask(inputs: &Inputs, base: Option<&Stored>) -> Mask {
    let mut mask = Mask::default();
    let own = (&inputs.document, DocumentKind::Update);
    let texts = inputs.text_files().iter().map(|text| (text.document(), DocumentKind::Template));
    let stored = inputs.stored.iter().chain(base).map(|it| (it.document(), DocumentKind::Stored));
    for (document, kind) in texts.chain(stored).chain([own]) {
        DocumentSecrets::of(document, kind).collect(&mut mask);
    }
    mask
}

/// The secrets of a stored configuration that its document does not have.
struct NewSecrets {
    own: Mask,
    stored: Mask,
}

impl NewSecrets {
    fn of(inputs: &Inputs, stored: &Stored) -> Self {
        let without_stored = inputs.clone().stored(None);
        let mut secrets = Mask::default();
        DocumentSecrets::of(stored.document(), DocumentKind::Stored).collect(&mut secrets);
        Self { own: mask(&without_stored, None), stored: secrets }
    }

    fn are_in(&self, change: &Change<'_>) -> bool {
        let text = match &change.action {
            Action::Text(text) => text.clone(),
            Action::Set(node) | Action::Insert(_, _, node) => match node.as_str() {
                Some(text) => text.into_owned(),
                None => Json::Node(*node).pretty(),
            },
            Action::Remove | Action::Order(_) => return false,
        };
        self.stored.hides(&self.own.value(&text))
    }
}
