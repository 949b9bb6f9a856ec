//! Detects naming conventions of related files: stored configurations and text files that are named after their documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry, FileType};
use std::path::Path;

use voxlint::DocumentKind;
use voxlint::schema::{Row, Shape, settings};
use voxlint_config::STEM;

use crate::file_set::FileSet;
use crate::file_status::{FileRole, KindCounts};
use crate::file_system::FileSystem;
use crate::input::{InputFile, ReadOptions};
use crate::lint_files::FileStats;
use crate::names::CONFIGURATION_NAME;
use crate::paths::{folder_of, join, parent_of, relative_or_absolute};
use crate::related::{check_agent, parse};

/// The characters between the words of a file name.
const SEPARATORS: [char; 3] = ['.', '-', '_'];

/// The extensions of texts beside those of templates.
const TEXTS: [&str; 4] = ["md", "txt", "prompt", "markdown"];

/// What a related file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelatedPart {
    /// The stored configuration.
    Stored,
    /// The text of the field of that name.
    Text(&'static str),
}

/// The documents of a folder with the same extension.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentGroup {
    /// The absolute path of the folder.
    pub folder: String,
    /// The extension.
    pub extension: String,
    /// How many there are.
    pub documents: usize,
}

/// A convention for the names of related files that some documents follow.
#[derive(Clone, Debug)]
pub struct NamingConvention {
    /// The documents.
    pub group: DocumentGroup,
    /// What the related files contain.
    pub part: RelatedPart,
    /// The path of the related file from the document's folder, with `{stem}` for the document's name.
    pub pattern: String,
    /// How many documents have such a related file.
    pub pairs: usize,
    /// Why the convention may be wrong; `None` if it is safe.
    pub doubt: Option<String>,
}

/// A document and a file whose name contains the document's name.
struct Pair<'s> {
    /// The folder of the document and its extension.
    group: (&'s str, &'s str),
    document: &'s FileStats,
    file: &'s FileStats,
    part: RelatedPart,
    pattern: String,
    /// Whether the name says which text the file contains.
    is_sure: bool,
}

/// The documents of a group by their file names without extension.
type Stems<'s> = BTreeMap<&'s str, &'s FileStats>;

/// Detects the conventions below a folder, from the files of a run and its results.
pub fn find_naming_conventions(
    top: &str,
    files: &FileSet,
    stats: &[FileStats],
) -> Vec<NamingConvention> {
    let inputs: BTreeMap<&str, &InputFile> =
        files.inputs.iter().map(|input| (&*input.absolute, input)).collect();
    let mut groups: BTreeMap<(&str, &str), Stems<'_>> = BTreeMap::new();
    let mut folders: BTreeMap<&str, Vec<&FileStats>> = BTreeMap::new();
    for file in stats {
        let is_lines =
            inputs.get(&*file.absolute).is_none_or(|input| input.has_document_per_line());
        match file.only_kind() {
            Some(kind) if kind.has_settings() && !is_lines => {
                let (stem, extension) = parts(name(&file.absolute));
                let group = groups.entry((folder_of(&file.absolute), extension)).or_default();
                group.insert(stem, file);
            }
            Some(DocumentKind::Agent | DocumentKind::Stored | DocumentKind::Template)
                if !is_lines =>
            {
                folders.entry(folder_of(&file.absolute)).or_default().push(file);
            }
            _ => {}
        }
    }
    let places: BTreeSet<&str> = groups.keys().map(|(place, _)| *place).collect();
    let texts = texts_near(top, &places);
    for text in &texts {
        folders.entry(folder_of(&text.absolute)).or_default().push(text);
    }
    let groups_here: Vec<_> =
        groups.iter().filter(|((place, _), _)| !has_own_configuration(top, place)).collect();
    let pairs = find_pairs(&groups_here, &folders);
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
    let convention =
        |place: (&str, &str), part: RelatedPart, pattern: &str, pairs: &[&Pair<'_>]| {
            let (folder, extension) = place;
            let group = DocumentGroup {
                folder: folder.to_owned(),
                extension: extension.to_owned(),
                documents: groups.get(&place).map_or(0, Stems::len),
            };
            let is_of_several = |pair: &&&Pair<'_>| {
                owners.get(&*pair.file.absolute).is_some_and(|owners| *owners > 1)
            };
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
                reason_for_doubt(part, pattern, &group, pairs, &inputs)
            };
            NamingConvention { group, part, pattern: pattern.to_owned(), pairs: pairs.len(), doubt }
        };
    patterns
        .iter()
        .map(|((group, part, pattern), pairs)| convention(*group, *part, pattern, pairs))
        .collect()
}

/// The files near some folders that may be texts although no run checks them by their extension. Of those, only names count.
fn texts_near(top: &str, places: &BTreeSet<&str>) -> Vec<FileStats> {
    let below = |folder: &str| -> Vec<(String, FileType)> {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let entries = entries.filter(|it| !it.file_name().as_encoded_bytes().starts_with(b"."));
        let path = |it: &DirEntry| Some(join(folder, it.file_name().to_str()?));
        entries.filter_map(|it| Some((path(&it)?, it.file_type().ok()?))).collect()
    };
    let mut near: BTreeSet<String> = places.iter().map(|place| (*place).to_owned()).collect();
    for place in places {
        let above = parent_of(place).filter(|_| *place != top);
        for folder in above.into_iter().chain([*place]) {
            near.extend(below(folder).into_iter().filter(|(_, kind)| kind.is_dir()).map(|it| it.0));
        }
    }
    let mut kinds = KindCounts::default();
    kinds.add(DocumentKind::Template);
    let files = near.iter().flat_map(|folder| below(folder)).filter(|(_, kind)| kind.is_file());
    let texts = files.filter(|(path, _)| TEXTS.contains(&parts(name(path)).1));
    texts.map(|(path, _)| FileStats { absolute: path.into(), kinds, findings: 0 }).collect()
}

/// Whether the names may agree by chance: the files are in another folder, most documents have none, and most files have no
/// document.
fn is_by_chance(
    pairs: &[&Pair<'_>],
    documents: usize,
    folders: &BTreeMap<&str, Vec<&FileStats>>,
) -> bool {
    let Some(first) = pairs.first() else { return false };
    let place = folder_of(&first.file.absolute);
    let is_of_its_kind = |file: &&&FileStats| file.only_kind() == first.file.only_kind();
    let files = folders.get(place).map_or(0, |files| files.iter().filter(is_of_its_kind).count());
    place != first.group.0 && pairs.len() * 2 < documents.min(files)
}

/// The documents of folders and the files whose names contain their names. Files that have a document in their own folder
/// belong to that, and so do documents that have such a file, so most folders need not be compared with others.
fn find_pairs<'s>(
    groups: &[(&(&'s str, &'s str), &Stems<'s>)],
    folders: &BTreeMap<&'s str, Vec<&'s FileStats>>,
) -> Vec<Pair<'s>> {
    let mut beside = Vec::new();
    for (group, stems) in groups {
        let files = folders.get(group.0).into_iter().flatten();
        beside.extend(files.filter_map(|file| pair(**group, stems, file, "")));
    }
    let (files, documents): (BTreeSet<&str>, BTreeSet<(&str, RelatedPart)>) = beside
        .iter()
        .map(|pair| (&*pair.file.absolute, (&*pair.document.absolute, pair.part)))
        .unzip();
    let mut alone: Vec<(&str, Vec<&FileStats>)> = Vec::new();
    for (folder, all) in folders {
        let alone_here = all.iter().copied().filter(|file| !files.contains(&*file.absolute));
        let alone_here: Vec<&FileStats> = alone_here.collect();
        if !alone_here.is_empty() {
            alone.push((folder, alone_here));
        }
    }
    let mut pairs = Vec::new();
    for (group, stems) in groups {
        for (folder, files) in alone.iter().filter(|(folder, _)| *folder != group.0) {
            let Some(path) = path_between(group.0, folder) else { continue };
            let found = files.iter().filter_map(|file| pair(**group, stems, file, &path));
            pairs.extend(
                found.filter(|pair| !documents.contains(&(&*pair.document.absolute, pair.part))),
            );
        }
    }
    pairs.extend(beside);
    pairs
}

/// The pair of a file at a path from the folder of the documents.
fn pair<'s>(
    group: (&'s str, &'s str),
    stems: &Stems<'s>,
    file: &'s FileStats,
    path: &str,
) -> Option<Pair<'s>> {
    let (document, part, pattern, is_sure) = matching_document(file, stems, path)?;
    Some(Pair { group, document, file, part, pattern, is_sure })
}

/// Whether a folder below `top` has another configuration than `top`.
pub fn has_own_configuration(top: &str, place: &str) -> bool {
    let mut next = Some(place);
    while let Some(folder) = next.filter(|folder| *folder != top) {
        if Path::new(&join(folder, CONFIGURATION_NAME)).is_file() {
            return true;
        }
        next = parent_of(folder);
    }
    false
}

/// Whether a file can be used in a role: as a stored configuration, as facts or as a text.
pub fn is_usable_as(absolute: &str, role: FileRole) -> bool {
    let input = ReadOptions::default().input(Path::new(absolute));
    let is_usable = |bytes: Vec<u8>| {
        let related = parse(&input, role, &bytes);
        let is_stored = role == FileRole::Stored;
        related.is_ok_and(|it| !is_stored || check_agent(&input, &it, None).is_ok())
    };
    input.read(&FileSystem::default()).is_ok_and(is_usable)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A file name in two: the stem and the extension.
fn parts(name: &str) -> (&str, &str) {
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""))
}

/// The relative path from a folder to one that may contain related files: the same folder, its parent, a child, or a folder
/// whose path differs in one name.
fn path_between(from: &str, to: &str) -> Option<String> {
    let is_near = from == to || parent_of(from) == Some(to) || parent_of(to) == Some(from);
    if !is_near && !differ_in_one_name(from, to) {
        return None;
    }
    let path = relative_or_absolute(from, &join(to, "x"));
    let path = path.strip_suffix('x')?;
    // Other paths cannot be written in a configuration.
    let is_valid = !path.starts_with('/') && !path.contains(['{', '}', '\\', '\u{fffd}']);
    is_valid.then(|| path.to_owned())
}

/// Whether two paths are equal but for one name.
fn differ_in_one_name(one: &str, other: &str) -> bool {
    let (mut names, mut others) = (one.split('/'), other.split('/'));
    let mut differing = 0;
    loop {
        match (names.next(), others.next()) {
            (None, None) => return differing == 1,
            (Some(name), Some(other)) if name == other => {}
            (Some(_), Some(_)) if differing == 0 => differing = 1,
            _ => return false,
        }
    }
}

/// The document that a file belongs to by its name: the one with the longest matching name.
fn matching_document<'s>(
    file: &FileStats,
    stems: &Stems<'s>,
    path: &str,
) -> Option<(&'s FileStats, RelatedPart, String, bool)> {
    let name = name(&file.absolute);
    let (whole, _) = parts(name);
    let is_separator = |(_, character): &(usize, char)| SEPARATORS.contains(character);
    let front = name.char_indices().filter(is_separator).filter_map(|(at, _)| {
        let (stem, rest) = name.split_at_checked(at)?;
        Some((stem, format!("{STEM}{rest}"), rest))
    });
    let back = whole.char_indices().filter(is_separator).filter_map(|(at, separator)| {
        let stem = whole.get(at + separator.len_utf8()..)?;
        let lead = name.get(..at + separator.len_utf8())?;
        Some((stem, format!("{lead}{STEM}{}", name.get(whole.len()..)?), lead))
    });
    let (stem, pattern, rest) = front
        .chain(back)
        .filter(|(stem, _, _)| stems.contains_key(stem))
        .max_by_key(|(stem, _, _)| stem.len())?;
    if pattern.replace(STEM, "").contains(['{', '}', '\\', '\u{fffd}']) {
        return None;
    }
    let (part, is_sure) = if file.only_kind()? == DocumentKind::Template {
        let words = name.get(whole.len()..).and_then(|extension| rest.strip_suffix(extension));
        let words = words.unwrap_or(rest).trim_matches(SEPARATORS);
        let in_folder = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        match field(words).or_else(|| field(in_folder.trim_end_matches('s'))) {
            Some(field) => (RelatedPart::Text(field), true),
            None if words.is_empty() => (RelatedPart::Text(settings::prompt_text.row.name), false),
            None => return None,
        }
    } else {
        (RelatedPart::Stored, true)
    };
    Some((*stems.get(stem)?, part, format!("{path}{pattern}"), is_sure))
}

/// The template field that a word stands for: its name or the first part of it, as in `en.prompt.hbs`.
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

/// Why a convention may be wrong: findings would be hidden, or a run would fail.
fn reason_for_doubt(
    part: RelatedPart,
    pattern: &str,
    group: &DocumentGroup,
    pairs: &[&Pair<'_>],
    inputs: &BTreeMap<&str, &InputFile>,
) -> Option<String> {
    let shown = |path: &str| inputs.get(path).map_or(path, |input| &*input.shown).to_owned();
    let paired: BTreeSet<&str> = pairs.iter().map(|pair| &*pair.document.absolute).collect();
    let below = format!("{}/", group.folder.trim_end_matches('/'));
    let inputs_below =
        inputs.range(below.as_str()..).take_while(|(path, _)| path.starts_with(&below));
    for (path, input) in inputs_below {
        let (stem, extension) = parts(name(path));
        if folder_of(path) == group.folder && extension == group.extension && !paired.contains(path)
        {
            let related = join(&group.folder, &pattern.replace(STEM, stem));
            if related != *path && Path::new(&related).exists() {
                return Some(format!(
                    "{} would be treated as related to {}, which may be wrong",
                    shown(&related),
                    input.shown
                ));
            }
        }
    }
    for Pair { document, file, .. } in pairs {
        match part {
            RelatedPart::Stored if file.findings > 0 => {
                let path = shown(&file.absolute);
                return Some(format!(
                    "{path} has findings of its own, which would no longer be shown"
                ));
            }
            RelatedPart::Stored if !is_usable_as(&file.absolute, FileRole::Stored) => {
                let path = shown(&file.absolute);
                return Some(format!("{path} cannot be used as the stored configuration"));
            }
            RelatedPart::Text(field) if has_field(inputs.get(&*document.absolute)?, field) => {
                let path = shown(&document.absolute);
                return Some(format!("{path} has a `{field}` of its own"));
            }
            _ => {}
        }
    }
    None
}

/// Whether the document of a file has a field of that name.
fn has_field(input: &InputFile, field: &str) -> bool {
    input.read(&FileSystem::default()).is_ok_and(|bytes| {
        let document = input.document(&bytes);
        document.is_ok_and(|it| it.tree().root().is_some_and(|root| root.get(field).is_some()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn related_files_are_found_near_their_documents() {
        for (from, to, expected) in [
            ("/r/agents", "/r/agents", Some("")),
            ("/r/agents", "/r/agents/stored", Some("stored/")),
            ("/r/agents/updates", "/r/agents", Some("../")),
            ("/r/agents", "/r/stored", Some("../stored/")),
            ("/r/agents/prod", "/r/stored/prod", Some("../../stored/prod/")),
            ("/r/agents/prod", "/r/stored/test", None),
            ("/r/agents", "/r/x/stored", None),
            ("/agents", "/stored", None),
            ("/r/agents", "/r/a{b}", None),
        ] {
            assert_eq!(path_between(from, to).as_deref(), expected, "{from} {to}");
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
