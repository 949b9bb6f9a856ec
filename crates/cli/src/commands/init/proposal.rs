//! The proposed configuration of a repository, and its text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use voxlint::DocumentKind;
use voxlint_config::{Configuration, to_toml};
use voxlint_project::paths::{folder_of, join, relative_or_absolute};
use voxlint_project::{
    DocumentGroup, FileRole, FileSet, FileStats, NamingConvention, RelatedPart, RunResult,
    find_naming_conventions, has_own_configuration, is_usable_as, read_configuration,
};
use voxlint_report::escape_terminal;

use super::messages::{counted, listed};

/// What every configuration begins with.
const HEAD: &str = "\
Settings of voxlint. `voxlint schema configuration` describes every key.
Patterns in `files` are relative to this file. `stored` and `text_files` are relative to the
folder of each document, and `{stem}` is its file name without the extension.
";

/// The width of comments.
const WIDTH: usize = 100;

/// How many folders the comment at the top lists.
const FOLDERS: usize = 4;

/// How many settings are listed that may be wrong.
const POSSIBILITIES: usize = 2;

/// The conventions of one group of documents.
type GroupConventions<'c> = (&'c DocumentGroup, Vec<&'c NamingConvention>);

/// A path for a setting, with the reason if it may be wrong.
struct ProposedPath {
    path: String,
    doubt: Option<String>,
}

/// The settings that fit a repository, safe ones and doubtful ones.
pub(super) struct Proposal {
    extends: Option<ProposedPath>,
    facts: Option<ProposedPath>,
    conventions: Vec<NamingConvention>,
}

impl Proposal {
    /// The proposal for a folder. `above` is the configuration that applies there without one of its own.
    pub(super) fn of(top: &str, above: Option<&str>, files: &FileSet, result: &RunResult) -> Self {
        let mut proposal = Self {
            extends: above.and_then(|file| extended(top, file)),
            facts: facts(top, &result.files),
            conventions: find_naming_conventions(top, files, &result.files),
        };
        if proposal.extends.is_some() {
            // Nothing of that configuration should be overridden.
            proposal.comment_out_rest("the configuration above may say otherwise");
        }
        proposal
    }

    pub(super) fn has_settings(&self) -> bool {
        [&self.extends, &self.facts].into_iter().flatten().any(|it| it.doubt.is_none())
            || self.conventions.iter().any(|it| it.doubt.is_none())
    }

    /// Comments out every setting, with a reason.
    pub(super) fn comment_out_all(&mut self, doubt: &str) {
        if let Some(extends) = &mut self.extends {
            extends.doubt.get_or_insert_with(|| doubt.to_owned());
        }
        self.comment_out_rest(doubt);
    }

    fn comment_out_rest(&mut self, doubt: &str) {
        let conventions = self.conventions.iter_mut().map(|it| &mut it.doubt);
        for known in self.facts.iter_mut().map(|it| &mut it.doubt).chain(conventions) {
            known.get_or_insert_with(|| doubt.to_owned());
        }
    }

    /// The text of the configuration.
    pub(super) fn text(&self, top: &str, result: &RunResult) -> String {
        let mut text = marked("##", HEAD.lines().map(str::to_owned).chain(head(top, result)));
        let values = [("extends", &self.extends), ("facts", &self.facts)];
        let values = values.into_iter().filter_map(|(key, proposed)| {
            let ProposedPath { path, doubt } = proposed.as_ref()?;
            Some(value(key, path, doubt.as_deref()))
        });
        for part in values.chain(self.entries(top)) {
            text.push('\n');
            text.push_str(&part);
        }
        text
    }

    /// The entries of `documents`, safe ones first. A convention that several folders follow is one entry.
    fn entries(&self, top: &str) -> Vec<String> {
        let mut groups: BTreeMap<&DocumentGroup, Vec<&NamingConvention>> = BTreeMap::new();
        for convention in self.conventions.iter().filter(|it| it.doubt.is_none()) {
            groups.entry(&convention.group).or_default().push(convention);
        }
        let mut entries: BTreeMap<Vec<(RelatedPart, &str)>, Vec<GroupConventions<'_>>> =
            BTreeMap::new();
        for (group, conventions) in groups {
            let values = conventions.iter().map(|it| (it.part, &*it.pattern)).collect();
            entries.entry(values).or_default().push((group, conventions));
        }
        let mut texts: Vec<String> = Vec::new();
        for (values, conventions) in &entries {
            let groups: Vec<&DocumentGroup> = conventions.iter().map(|(group, _)| *group).collect();
            let documents: usize = groups.iter().map(|group| group.documents).sum();
            let counts: Vec<String> = values
                .iter()
                .map(|(part, _)| {
                    let same =
                        conventions.iter().flat_map(|(_, it)| it).filter(|it| it.part == *part);
                    let count: usize = same.map(|it| it.pairs).sum();
                    match part {
                        RelatedPart::Stored => format!("the stored configuration of {count}"),
                        RelatedPart::Text(field) => format!("the `{field}` of {count}"),
                    }
                })
                .collect();
            let of = counted(documents, "document");
            let found = format!("Found for {of}: {}.", counts.join(", "));
            texts.push(format!("{}{}", comment(&found), entry(top, &groups, values)));
        }
        let doubtful: Vec<_> = self.conventions.iter().filter(|it| it.doubt.is_some()).collect();
        for convention in doubtful.iter().take(POSSIBILITIES) {
            if let Some(doubt) = &convention.doubt {
                let why = format!("Possible, but {doubt}:");
                let values = [(convention.part, &*convention.pattern)];
                let entry = entry(top, &[&convention.group], &values);
                let example = marked("#", entry.lines().map(str::to_owned));
                texts.push(format!("{}{example}", comment(&why)));
            }
        }
        if let Some(more) = doubtful.len().checked_sub(POSSIBILITIES).filter(|more| *more > 0) {
            texts.push(comment(&format!("{} more.", counted(more, "possibility"))));
        }
        texts
    }

    /// The settings that follow from file names, as messages.
    pub(super) fn summary(&self) -> String {
        let mut taken = Vec::new();
        if let Some(ProposedPath { path, doubt: None }) = &self.extends {
            taken.push(format!("extends {path}"));
        }
        if let Some(ProposedPath { path, doubt: None }) = &self.facts {
            taken.push(format!("facts in {path}"));
        }
        let sure = self.conventions.iter().filter(|it| it.doubt.is_none());
        let (stored, texts): (Vec<_>, Vec<_>) = sure.partition(|it| it.part == RelatedPart::Stored);
        for (conventions, what) in [(stored, "stored configuration"), (texts, "text file")] {
            let count: usize = conventions.iter().map(|it| it.pairs).sum();
            if count > 0 {
                taken.push(counted(count, what));
            }
        }
        let doubtful = self.conventions.iter().filter(|it| it.doubt.is_some()).count();
        let doubtful = doubtful.min(POSSIBILITIES)
            + [&self.extends, &self.facts]
                .into_iter()
                .flatten()
                .filter(|it| it.doubt.is_some())
                .count();
        let mut message = String::new();
        if !taken.is_empty() {
            let _ = writeln!(message, "active settings: {}", taken.join(", "));
        }
        if doubtful > 0 {
            let _ = writeln!(
                message,
                "{} commented out in it, with the reason",
                counted(doubtful, "possibility")
            );
        }
        message
    }
}

/// The configuration above a folder, which applies here as long as there is no other.
fn extended(top: &str, file: &str) -> Option<ProposedPath> {
    let path = relative_or_absolute(top, file);
    // An absolute path would not work on another machine.
    if path.starts_with('/') {
        return None;
    }
    let usable = Configuration::load(file, &mut |path| read_configuration(path));
    let doubt = usable.is_err().then(|| "that file cannot be used".to_owned());
    Some(ProposedPath { path, doubt })
}

/// The workspace facts, if there is one file of them.
fn facts(top: &str, files: &[FileStats]) -> Option<ProposedPath> {
    let is_facts = |file: &&FileStats| {
        file.only_kind() == Some(DocumentKind::Facts)
            && !has_own_configuration(top, folder_of(&file.absolute))
            && !file.absolute.contains(['\\', '\u{fffd}'])
    };
    let mut files = files.iter().filter(is_facts);
    let file = files.next()?;
    let others = files.count();
    let path = relative_or_absolute(top, &file.absolute);
    let doubt = if path.starts_with('/') {
        return None;
    } else if others > 0 {
        Some(format!("{} of facts were found", counted(others + 1, "file")))
    } else if !is_usable_as(&file.absolute, FileRole::Facts) || file.findings > 0 {
        Some(format!("`voxlint facts {path}` says what is wrong with it"))
    } else {
        None
    };
    Some(ProposedPath { path, doubt })
}

/// A setting with a path, commented out if it is doubtful.
fn value(key: &str, path: &str, doubt: Option<&str>) -> String {
    let line = format!("{key} = {}\n", to_toml(&json!(path)));
    match doubt {
        Some(doubt) => {
            format!("{}# {line}", comment(&format!("Possible, but {doubt}:")))
        }
        None => line,
    }
}

/// An entry of `documents`.
fn entry(top: &str, groups: &[&DocumentGroup], values: &[(RelatedPart, &str)]) -> String {
    let patterns: Vec<String> =
        groups.iter().map(|group| to_toml(&json!(pattern(top, group)))).collect();
    let files = match &*patterns {
        [one] => one.clone(),
        several => format!("[\n    {},\n]", several.join(",\n    ")),
    };
    let mut text = format!("[[documents]]\nfiles = {files}\n");
    let mut texts = Map::new();
    for (part, pattern) in values {
        let pattern = Value::from(*pattern);
        match part {
            RelatedPart::Stored => {
                let _ = writeln!(text, "stored = {}", to_toml(&pattern));
            }
            RelatedPart::Text(field) => {
                texts.insert((*field).to_owned(), pattern);
            }
        }
    }
    if !texts.is_empty() {
        let _ = writeln!(text, "text_files = {}", to_toml(&Value::Object(texts)));
    }
    text
}

/// The pattern of the files of a group, from the top folder.
fn pattern(top: &str, group: &DocumentGroup) -> String {
    let escaped = |name: &str| -> String {
        name.chars()
            .flat_map(|it| {
                let is_special = "*?[]{}!\\".contains(it);
                is_special.then_some('\\').into_iter().chain([it])
            })
            .collect()
    };
    let way = relative_or_absolute(top, &join(&group.folder, "x"));
    // A slash at the beginning limits it to the folder of the configuration.
    let place = if way == "x" { "/" } else { way.strip_suffix('x').unwrap_or("/") };
    format!("{}*.{}", escaped(place), escaped(&group.extension))
}

/// A text as comment lines.
fn comment(prose: &str) -> String {
    marked("##", lines(prose))
}

/// Lines with a comment marker.
fn marked(mark: &str, lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().fold(String::new(), |mut text, line| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{mark} {line}");
        text
    })
}

/// A text wrapped into lines, with control characters escaped.
fn lines(prose: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in escape_terminal(prose).split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() + 4 <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The comment at the top: the documents that were found.
fn head(top: &str, result: &RunResult) -> Vec<String> {
    let mut folders: BTreeMap<&str, BTreeMap<DocumentKind, u32>> = BTreeMap::new();
    for file in &result.files {
        let kinds = folders.entry(folder_of(&file.absolute)).or_default();
        for (kind, count) in file.kinds.iter() {
            *kinds.entry(kind).or_default() += count;
        }
    }
    if folders.is_empty() {
        return lines("No documents were found when this file was made.");
    }
    let mut head = lines("Found when this file was made:");
    for (place, kinds) in folders.iter().take(FOLDERS) {
        let way = relative_or_absolute(top, &join(place, "x"));
        let place = way.strip_suffix('x').unwrap_or(&way);
        let place = if place.is_empty() { "./" } else { place };
        head.push(format!("  {}  {}", escape_terminal(place), listed(kinds)));
    }
    if let Some(more) = folders.len().checked_sub(FOLDERS).filter(|more| *more > 0) {
        head.push(format!("  and more in {}", counted(more, "folder")));
    }
    head
}
