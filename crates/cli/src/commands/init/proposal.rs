//! The settings that fit a folder.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry, FileType};
use std::path::Path;

use serde_json::{Value, json};
use voxlint::DocumentKind;
use voxlint::schema::{Row, Shape, settings};
use voxlint_config::{STEM, to_toml};
use voxlint_project::paths::{folder_of, join, parent_of, relative_or_absolute, stem};
use voxlint_project::{FileSet, FileStats, FileSystem, InputFile, Session};

/// The characters between the words of a file name.
const SEPARATORS: [char; 3] = ['.', '-', '_'];

/// The extensions of texts beside those of templates.
const TEXTS: [&str; 4] = [".md", ".txt", ".prompt", ".markdown"];

/// More folders than these are one pattern.
const FOLDERS: usize = 8;

/// A setting of the configuration, or of an entry of `documents`.
pub(super) struct Setting {
    /// The documents of the entry.
    pub(super) files: Option<String>,
    pub(super) line: String,
    /// Why it is left out.
    pub(super) objection: Option<String>,
}

impl Setting {
    fn new(files: Option<String>, key: &str, path: &str, objection: Option<String>) -> Self {
        Self { files, line: format!("{key} = {}", to_toml(&json!(path))), objection }
    }
}

/// A document and its related file.
type Pair<'p> = (&'p FileStats, &'p FileStats);

/// The settings for a folder, in their order.
pub(super) fn propose(
    top: &str,
    session: &Session,
    files: &FileSet,
    checked: &[FileStats],
) -> Vec<Setting> {
    let configurations = session.configurations();
    if let Some(above) = configurations.configuration_above(top) {
        // Nothing of that configuration is overridden. An absolute path would not work on another machine.
        let path = Some(relative_or_absolute(top, &above)).filter(|path| !path.starts_with('/'));
        return path.iter().map(|path| Setting::new(None, "extends", path, None)).collect();
    }
    let inputs: BTreeMap<&str, &InputFile> =
        files.inputs().iter().map(|input| (&*input.absolute, input)).collect();
    let is_ours = |file: &&FileStats| {
        let configuration = configurations.for_folder(folder_of(&file.absolute));
        configuration.is_some_and(|it| it.folder() == top)
            && file.only_kind().is_some()
            && inputs.get(&*file.absolute).is_some_and(|it| !it.has_document_per_line())
    };
    let (documents, others): (Vec<&FileStats>, Vec<&FileStats>) = checked
        .iter()
        .filter(is_ours)
        .partition(|it| it.only_kind().is_some_and(DocumentKind::has_settings));
    let mut settings = Vec::from_iter(facts(top, &others));
    let mut by_stem: BTreeMap<&str, Vec<&FileStats>> = BTreeMap::new();
    for document in &documents {
        by_stem.entry(stem(&document.absolute)).or_default().push(document);
    }
    let texts = texts_near(top, &documents);
    let mut named: BTreeMap<_, Vec<Pair<'_>>> = BTreeMap::new();
    for file in others.into_iter().chain(&texts) {
        if let Some((document, field, pattern)) = owner(file, &by_stem) {
            let name = (extension(&document.absolute), field, pattern);
            named.entry(name).or_default().push((document, file));
        }
    }
    let mut entries = Vec::new();
    for ((of, field, pattern), pairs) in &named {
        let folders: BTreeSet<&str> = pairs.iter().map(|(it, _)| folder_of(&it.absolute)).collect();
        let is_rival =
            |((other_of, other_field, other), pairs): (&(_, _, String), &Vec<Pair<'_>>)| {
                (other_of, other_field) == (of, field)
                    && other != pattern
                    && pairs.iter().any(|(it, _)| folders.contains(folder_of(&it.absolute)))
            };
        let known: BTreeSet<&str> = pairs.iter().map(|(_, file)| &*file.absolute).collect();
        let mut meant = documents
            .iter()
            .filter(|it| extension(&it.absolute) == *of)
            .map(|it| join(folder_of(&it.absolute), &pattern.replace(STEM, stem(&it.absolute))));
        let shown = |path: &str| relative_or_absolute(top, path);
        let unusable = |(document, file): &Pair<'_>| match field {
            None if file.findings > 0 => Some(format!(
                "{} has findings, which would no longer be shown",
                shown(&file.absolute)
            )),
            Some(field) if has_field(inputs.get(&*document.absolute)?, field) => {
                Some(format!("{} has a `{field}` of its own", shown(&document.absolute)))
            }
            _ => None,
        };
        let objection = if named.iter().any(is_rival) {
            Some("other files could be meant as well".to_owned())
        } else if let Some(path) = meant.find(|it| !known.contains(&**it) && Path::new(it).exists())
        {
            Some(format!("{} may be something else", shown(&path)))
        } else {
            pairs.iter().find_map(unusable)
        };
        let key = field.map_or("stored".to_owned(), |field| format!("text_files.{field}"));
        let files = Some(patterns(top, of, &folders));
        entries.push((folders.len(), Setting::new(files, &key, pattern, objection)));
    }
    // The last entry for a document decides, so the one for most folders is the first.
    entries.sort_by_key(|(folders, entry)| (Reverse(*folders), entry.files.clone()));
    settings.extend(entries.into_iter().map(|(_, entry)| entry));
    settings
}

/// The workspace facts, if there is one file of them.
fn facts(top: &str, files: &[&FileStats]) -> Option<Setting> {
    let mut all = files.iter().filter(|file| {
        file.only_kind() == Some(DocumentKind::Facts) && !file.absolute.contains(['\\', '\u{fffd}'])
    });
    let file = all.next()?;
    let path = relative_or_absolute(top, &file.absolute);
    let objection = match all.next() {
        Some(_) => Some("there are several files of facts".to_owned()),
        None => (file.findings > 0)
            .then(|| format!("`voxlint facts {path}` says what is wrong with it")),
    };
    Some(Setting::new(None, "facts", &path, objection))
}

/// The pattern of the files with an extension in some folders, or a list of patterns.
fn patterns(top: &str, extension: &str, folders: &BTreeSet<&str>) -> String {
    let pattern = |folder: &&str| {
        let place = relative_or_absolute(top, &join(folder, "x"));
        // A slash at the beginning limits it to the folder of the configuration.
        let place = if place == "x" { "/" } else { place.strip_suffix('x').unwrap_or("/") };
        let mut pattern = String::new();
        for character in place.chars() {
            pattern.extend("*?[]{}!\\".contains(character).then_some('\\'));
            pattern.push(character);
        }
        json!(pattern + "*" + extension)
    };
    let mut patterns: Vec<Value> = folders.iter().map(pattern).collect();
    to_toml(&match patterns.len() {
        1 => patterns.remove(0),
        0..=FOLDERS => Value::from(patterns),
        _ => json!(format!("*{extension}")),
    })
}

/// The files near the documents that may be texts although no run checks them by their extension.
fn texts_near(top: &str, documents: &[&FileStats]) -> Vec<FileStats> {
    let below = |folder: &str| -> Vec<(String, FileType)> {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let entries = entries.filter(|it| !it.file_name().as_encoded_bytes().starts_with(b"."));
        let path = |it: &DirEntry| Some(join(folder, it.file_name().to_str()?));
        entries.filter_map(|it| Some((path(&it)?, it.file_type().ok()?))).collect()
    };
    let places = documents.iter().map(|it| folder_of(&it.absolute));
    let with_above = |place| [Some(place), parent_of(place).filter(|_| place != top)];
    let around: BTreeSet<&str> = places.flat_map(with_above).flatten().collect();
    let mut near: BTreeSet<String> = around.iter().map(|folder| (*folder).to_owned()).collect();
    for folder in around {
        near.extend(below(folder).into_iter().filter(|(_, kind)| kind.is_dir()).map(|it| it.0));
    }
    let files = near.iter().flat_map(|folder| below(folder)).filter(|(_, kind)| kind.is_file());
    let texts = files.filter(|(path, _)| TEXTS.contains(&extension(path)));
    texts.map(|(path, _)| FileStats { absolute: path.into(), ..FileStats::default() }).collect()
}

/// The extension of a file name with its dot.
pub(super) fn extension(path: &str) -> &str {
    let name = name(path);
    name.strip_prefix(stem(name)).unwrap_or_default()
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The only document that a file is named after, the field whose text it contains unless it is a stored configuration, and the pattern of its path. Documents in the same folder come first.
fn owner<'r>(
    file: &FileStats,
    documents: &BTreeMap<&str, Vec<&'r FileStats>>,
) -> Option<(&'r FileStats, Option<&'static str>, String)> {
    let (folder, name) = (folder_of(&file.absolute), name(&file.absolute));
    let mut ends = name.rmatch_indices(SEPARATORS).map(|(at, _)| name.split_at(at));
    let (suffix, mut near) = ends.find_map(|(stem, suffix)| {
        let way = |it: &&'r FileStats| Some((way(folder_of(&it.absolute), folder)?, *it));
        let near: Vec<_> = documents.get(stem)?.iter().filter_map(way).collect();
        (!near.is_empty()).then_some((suffix, near))
    })?;
    if near.iter().any(|(way, _)| way.is_empty()) {
        near.retain(|(way, _)| way.is_empty());
    }
    let [(way, document)] = &*near else { return None };
    // Other paths cannot be written in a configuration.
    if [way, suffix].iter().any(|it| it.contains(['{', '}', '\\', '\u{fffd}'])) {
        return None;
    }
    let field = match file.only_kind() {
        Some(DocumentKind::Agent | DocumentKind::Stored) => None,
        Some(DocumentKind::Template) | None => {
            let word = suffix.rsplit_once('.').map_or(suffix, |(word, _)| word);
            let word = word.trim_matches(SEPARATORS);
            let place = self::name(way.trim_end_matches('/')).trim_end_matches('s');
            Some(field(if word.is_empty() { place } else { word })?)
        }
        _ => return None,
    };
    Some((document, field, format!("{way}{STEM}{suffix}")))
}

/// The path from a folder to itself, a folder in it, the folder around it or another folder in that one.
fn way(from: &str, to: &str) -> Option<String> {
    let above = parent_of(from)?;
    match (relative_or_absolute(from, to), parent_of(to)) {
        (_, _) if from == to => Some(String::new()),
        (path, to_above) if to == above || to_above == Some(from) || to_above == Some(above) => {
            Some(path + "/")
        }
        _ => None,
    }
}

/// The template field that a word stands for: its name or the first part of it, as in `en.prompt.hbs`.
fn field(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase().replace(['-', '.'], "_");
    let is_meant = |row: &&&Row| {
        matches!(row.shape, Shape::Text(text) if text.role.is_template())
            && (row.name == word || row.name.split('_').next() == Some(&*word))
    };
    let mut rows = settings::TABLE.rows.iter().filter(is_meant);
    rows.next().filter(|_| rows.next().is_none()).map(|row| row.name)
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
            ("/r/agents/prod", "/r/stored/test", None),
            ("/r/agents", "/r/x/stored", None),
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
