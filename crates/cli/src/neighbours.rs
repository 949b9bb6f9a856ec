//! Which files belong to which documents, as far as their names tell: what the service holds, and texts that are kept apart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use voxlint::schema::{Row, Shape, settings};
use voxlint::{DocumentKind, Source};

use crate::files::{Input, Reading};
use crate::partners::{Role, parse};
use crate::paths::{above, folder, join, relative};
use crate::survey::Seen;

/// What stands between the words of a file's name.
const SEPARATORS: [char; 3] = ['.', '-', '_'];

/// What a file is to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// What the service holds.
    Stored,
    /// The text of the field of that name.
    Text(&'static str),
}

/// Documents that lie side by side: those of a folder that have the same extension.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Group {
    pub(crate) folder: String,
    pub(crate) extension: String,
    /// How many there are.
    pub(crate) documents: usize,
}

/// A way of naming files that documents follow.
#[derive(Clone, Debug)]
pub(crate) struct Convention {
    pub(crate) group: Group,
    pub(crate) part: Part,
    /// The way from a document to its file, with `{stem}` for the document's name.
    pub(crate) pattern: String,
    /// How many documents have such a file.
    pub(crate) pairs: usize,
    /// Why nobody should rely on it unasked; `None` where nothing speaks against it.
    pub(crate) doubt: Option<String>,
}

/// A file whose name is that of a document with something before it, behind it, or elsewhere.
struct Pair<'s> {
    /// The folder of the document, and its extension.
    group: (&'s str, &'s str),
    document: &'s Seen,
    file: &'s Seen,
    part: Part,
    pattern: String,
    /// Whether the name says which text it is.
    is_sure: bool,
}

/// A document by its group and its stem.
type Stems<'s> = BTreeMap<&'s str, &'s Seen>;

/// The conventions that the files of a folder and of those below follow.
pub(crate) fn conventions(top: &str, inputs: &[Input], seen: &[Seen]) -> Vec<Convention> {
    let inputs: BTreeMap<&str, &Input> =
        inputs.iter().map(|input| (&*input.absolute, input)).collect();
    let mut groups: BTreeMap<(&str, &str), Stems<'_>> = BTreeMap::new();
    let mut folders: BTreeMap<&str, Vec<&Seen>> = BTreeMap::new();
    for file in seen {
        let is_lines = inputs.get(&*file.absolute).is_none_or(|input| input.is_lines());
        match only_kind(file) {
            Some(kind) if kind.has_settings() && !is_lines => {
                let (stem, extension) = parts(name(&file.absolute));
                let group = groups.entry((folder(&file.absolute), extension)).or_default();
                group.insert(stem, file);
            }
            Some(DocumentKind::Agent | DocumentKind::Stored | DocumentKind::Template)
                if !is_lines =>
            {
                folders.entry(folder(&file.absolute)).or_default().push(file);
            }
            _ => {}
        }
    }
    let mut pairs = Vec::new();
    for ((place, extension), stems) in &groups {
        if has_its_own_configuration(top, place) {
            continue;
        }
        for (other, files) in &folders {
            let Some(way) = way(place, other) else { continue };
            for &file in files {
                if let Some((document, part, pattern, is_sure)) = belongs(file, stems, &way) {
                    let group = (*place, *extension);
                    pairs.push(Pair { group, document, file, part, pattern, is_sure });
                }
            }
        }
    }
    keep_the_nearest(&mut pairs);
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    let mut patterns: BTreeMap<_, Vec<&Pair<'_>>> = BTreeMap::new();
    for pair in &pairs {
        *owners.entry(&pair.file.absolute).or_default() += 1;
        patterns.entry((pair.group, pair.part, &*pair.pattern)).or_default().push(pair);
    }
    let mut alike: BTreeMap<_, usize> = BTreeMap::new();
    for (group, part, _) in patterns.keys() {
        *alike.entry((*group, *part)).or_default() += 1;
    }
    let convention = |place: (&str, &str), part: Part, pattern: &str, pairs: &[&Pair<'_>]| {
        let (folder, extension) = place;
        let group = Group {
            folder: folder.to_owned(),
            extension: extension.to_owned(),
            documents: groups.get(&place).map_or(0, Stems::len),
        };
        let is_of_several =
            |pair: &&&Pair<'_>| owners.get(&*pair.file.absolute).is_some_and(|owners| *owners > 1);
        let doubt = if alike.get(&(place, part)).is_some_and(|count| *count > 1) {
            Some("other files could be meant as well".to_owned())
        } else if let Some(pair) = pairs.iter().find(is_of_several) {
            let path = inputs.get(&*pair.file.absolute).map_or("a file", |it| &*it.shown);
            Some(format!("{path} could belong to another document as well"))
        } else if is_by_chance(pairs, group.documents, &folders) {
            Some("few of the names agree".to_owned())
        } else if pairs.iter().any(|pair| !pair.is_sure) {
            Some("the names do not say which texts these are".to_owned())
        } else {
            doubt(part, pattern, &group, pairs, &inputs)
        };
        Convention { group, part, pattern: pattern.to_owned(), pairs: pairs.len(), doubt }
    };
    patterns
        .iter()
        .map(|((group, part, pattern), pairs)| convention(*group, *part, pattern, pairs))
        .collect()
}

/// Whether most documents have no such file and most such files no document, in another folder: then the names may agree by
/// chance.
fn is_by_chance(
    pairs: &[&Pair<'_>],
    documents: usize,
    folders: &BTreeMap<&str, Vec<&Seen>>,
) -> bool {
    let Some(first) = pairs.first() else { return false };
    let place = folder(&first.file.absolute);
    let is_of_its_kind = |file: &&&Seen| only_kind(file) == only_kind(first.file);
    let files = folders.get(place).map_or(0, |files| files.iter().filter(is_of_its_kind).count());
    place != first.group.0 && pairs.len() * 2 < documents.min(files)
}

/// A file that lies beside a document of its name belongs to that one, and the document has no other of its kind.
fn keep_the_nearest(pairs: &mut Vec<Pair<'_>>) {
    let beside = |pair: &&Pair<'_>| folder(&pair.document.absolute) == folder(&pair.file.absolute);
    let near = pairs.iter().filter(beside);
    let (files, documents): (BTreeSet<String>, BTreeSet<(String, Part)>) = near
        .map(|pair| (pair.file.absolute.clone(), (pair.document.absolute.clone(), pair.part)))
        .unzip();
    pairs.retain(|pair| {
        let is_taken = files.contains(&pair.file.absolute)
            || documents.contains(&(pair.document.absolute.clone(), pair.part));
        beside(&pair) || !is_taken
    });
}

/// The kind of a file's one document.
pub(crate) fn only_kind(file: &Seen) -> Option<DocumentKind> {
    let mut kinds = file.kinds.iter();
    let (kind, count) = kinds.next()?;
    (kinds.next().is_none() && *count == 1).then_some(*kind)
}

/// Whether another configuration speaks of a folder, which lies below the top.
pub(crate) fn has_its_own_configuration(top: &str, place: &str) -> bool {
    let mut next = Some(place);
    while let Some(folder) = next.filter(|folder| *folder != top) {
        if Path::new(&join(folder, crate::project::CONFIGURATION_NAME)).is_file() {
            return true;
        }
        next = above(folder);
    }
    false
}

/// Whether a file can be used as what its role is.
pub(crate) fn is_usable(absolute: &str, role: Role<'_>) -> bool {
    let input = Reading { stdin_filename: None, jsonc: false }.named(Path::new(absolute));
    input.read().is_ok_and(|bytes| parse(&input, &Source::from_bytes(&bytes), role).is_ok())
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The stem of a name, and its extension.
fn parts(name: &str) -> (&str, &str) {
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""))
}

/// The way from a folder to one that could hold what belongs to its files: itself, the one above, one below, or one that is
/// called the same but for one name.
fn way(from: &str, to: &str) -> Option<String> {
    let names = |path: &str| -> Vec<String> { path.split('/').map(str::to_owned).collect() };
    let is_parallel = || {
        let (one, other) = (names(from), names(to));
        let differing = one.iter().zip(&other).filter(|(one, other)| one != other).count();
        one.len() == other.len() && differing == 1
    };
    let is_near = from == to || above(from) == Some(to) || above(to) == Some(from);
    if !is_near && !is_parallel() {
        return None;
    }
    let way = relative(from, &join(to, "x"));
    let way = way.strip_suffix('x')?;
    // What a path in a configuration cannot say.
    let is_sayable = !way.starts_with('/') && !way.contains(['{', '}', '\\', '\u{fffd}']);
    is_sayable.then(|| way.to_owned())
}

/// The document that a file belongs to by its name: the one whose name takes up the most of it.
fn belongs<'s>(
    file: &Seen,
    stems: &Stems<'s>,
    way: &str,
) -> Option<(&'s Seen, Part, String, bool)> {
    let name = name(&file.absolute);
    let (whole, _) = parts(name);
    let is_separator = |(_, character): &(usize, char)| SEPARATORS.contains(character);
    let front = name.char_indices().filter(is_separator).filter_map(|(at, _)| {
        let (stem, rest) = name.split_at_checked(at)?;
        Some((stem, format!("{{stem}}{rest}"), rest))
    });
    let back = whole.char_indices().filter(is_separator).filter_map(|(at, separator)| {
        let stem = whole.get(at + separator.len_utf8()..)?;
        let lead = name.get(..at + separator.len_utf8())?;
        Some((stem, format!("{lead}{{stem}}{}", name.get(whole.len()..)?), lead))
    });
    let (stem, pattern, rest) = front
        .chain(back)
        .filter(|(stem, _, _)| stems.contains_key(stem))
        .max_by_key(|(stem, _, _)| stem.len())?;
    if pattern.replace("{stem}", "").contains(['{', '}', '\\', '\u{fffd}']) {
        return None;
    }
    let (part, is_sure) = if only_kind(file)? == DocumentKind::Template {
        let words = name.get(whole.len()..).and_then(|extension| rest.strip_suffix(extension));
        let words = words.unwrap_or(rest).trim_matches(SEPARATORS);
        let in_folder = way.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        match field(words).or_else(|| field(in_folder.trim_end_matches('s'))) {
            Some(field) => (Part::Text(field), true),
            None if words.is_empty() => (Part::Text(settings::prompt_text.row.name), false),
            None => return None,
        }
    } else {
        (Part::Stored, true)
    };
    Some((*stems.get(stem)?, part, format!("{way}{pattern}"), is_sure))
}

/// The template that a word stands for: its field's name, or how that begins, as in `en.prompt.hbs`.
fn field(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase().replace(['-', '.'], "_");
    let is_template =
        |row: &&&Row| matches!(row.shape, Shape::Text(text) if text.role.is_template());
    let is_meant =
        |row: &&&Row| row.name == word || row.name.split('_').next() == Some(word.as_str());
    let mut rows = settings::TABLE.rows.iter().filter(is_template).filter(is_meant);
    let row = rows.next()?;
    rows.next().is_none().then_some(row.name)
}

/// What speaks against a convention: that findings would no longer be shown, or that a run would fail.
fn doubt(
    part: Part,
    pattern: &str,
    group: &Group,
    pairs: &[&Pair<'_>],
    inputs: &BTreeMap<&str, &Input>,
) -> Option<String> {
    let shown = |path: &str| inputs.get(path).map_or(path, |input| &*input.shown).to_owned();
    let paired: BTreeSet<&str> = pairs.iter().map(|pair| &*pair.document.absolute).collect();
    for (path, input) in inputs {
        let (stem, extension) = parts(name(path));
        if folder(path) == group.folder && extension == group.extension && !paired.contains(path) {
            let partner = join(&group.folder, &pattern.replace("{stem}", stem));
            if partner != *path && Path::new(&partner).exists() {
                return Some(format!(
                    "{} would be treated as related to {}, which may be wrong",
                    shown(&partner),
                    input.shown
                ));
            }
        }
    }
    for Pair { document, file, .. } in pairs {
        match part {
            Part::Stored if file.findings > 0 => {
                let path = shown(&file.absolute);
                return Some(format!(
                    "{path} has findings of its own, which would no longer be shown"
                ));
            }
            Part::Stored if !is_usable(&file.absolute, Role::Stored(None)) => {
                let path = shown(&file.absolute);
                return Some(format!("{path} cannot be used as the stored state"));
            }
            Part::Text(field) if has(inputs.get(&*document.absolute)?, field) => {
                let path = shown(&document.absolute);
                return Some(format!("{path} has a `{field}` of its own"));
            }
            _ => {}
        }
    }
    None
}

/// Whether the document of a file has a member of that name.
fn has(input: &Input, field: &str) -> bool {
    input.read().is_ok_and(|bytes| {
        let source = Source::from_bytes(&bytes);
        let document = input.document(&source);
        document.is_ok_and(|it| it.tree().root().is_some_and(|root| root.get(field).is_some()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_looked_for_near_their_documents() {
        for (from, to, expected) in [
            ("/r/agents", "/r/agents", Some("")),
            ("/r/agents", "/r/agents/held", Some("held/")),
            ("/r/agents/updates", "/r/agents", Some("../")),
            ("/r/agents", "/r/held", Some("../held/")),
            ("/r/agents/prod", "/r/held/prod", Some("../../held/prod/")),
            ("/r/agents/prod", "/r/held/test", None),
            ("/r/agents", "/r/x/held", None),
            ("/agents", "/held", None),
            ("/r/agents", "/r/a{b}", None),
        ] {
            assert_eq!(way(from, to).as_deref(), expected, "{from} {to}");
        }
    }

    #[test]
    fn words_stand_for_templates() {
        assert_eq!(field("prompt"), Some("prompt_text"));
        assert_eq!(field("welcome-message"), Some("welcome_message"));
        assert_eq!(field("Voicemail"), Some("voicemail_message"));
        for word in ["", "title", "notes"] {
            assert_eq!(field(word), None, "{word}");
        }
    }
}
