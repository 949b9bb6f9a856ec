//! Adopts what was changed in the service: writes it into the documents of a run and their text files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::{Inputs, Origin, secrets};
use voxlint_merge::{
    AdoptInputs, AdoptOptions, Adoption, Entry, EntryKind, FileLayout, adopt, merge_files,
};

use super::base::{BaseSource, Bases};
use super::{Planned, Planner, name};
use crate::Failure;
use crate::file_set::FileSet;
use crate::fixes::FileChange;
use crate::fixes::key::real_path;
use crate::fixes::target::{NotWritable, replace, target_of};
use crate::git::GitError;
use crate::input::ReadOptions;
use crate::lint_files::RunResult;
use crate::linted::LintedDocument;
use crate::linter::Renderer;
use crate::notice::Notice;
use crate::paths::{absolute, absolute_path};
use crate::session::Session;

/// What a run has adopted, or would adopt.
#[derive(Debug)]
pub struct AdoptRun {
    /// The updates with a change, by name.
    pub documents: Vec<AdoptedDocument>,
    /// How many files were changed, or would be.
    pub files: usize,
    /// How many updates were found.
    pub updates: u64,
    /// How many of them have a stored configuration and no base, so that nothing tells who has changed a setting.
    pub without_base: u64,
    /// How many have no stored configuration.
    pub without_stored: u64,
    /// The status of every file, and failures.
    pub result: RunResult,
}

/// A document, and what became of the changes that were made in the service.
#[derive(Debug)]
pub struct AdoptedDocument {
    /// Its path, with `:line` or `#n` if the file has several documents.
    pub name: Arc<str>,
    /// What became of each change.
    pub entries: Vec<Entry>,
    /// The paths of its text files as users see them.
    pub text_files: Vec<Arc<str>>,
    own: PathBuf,
    /// The line of the document in a file with one document per line, from 0.
    line: Option<u64>,
    shown: Arc<str>,
    texts: Vec<PathBuf>,
    before: Inputs,
    after: Inputs,
}

/// Adopts in the threads that check the documents.
struct Adopter<'a> {
    planner: Planner<'a>,
    options: &'a AdoptOptions,
}

enum Adopted<'a> {
    Document(Box<AdoptedDocument>, Option<(&'a str, bool)>, bool),
    WithoutStored,
    Failed(Option<Failure>),
    Other,
}

impl<'a> Renderer for Adopter<'a> {
    type Output = Adopted<'a>;

    fn render(&self, document: LintedDocument) -> Adopted<'a> {
        let path = absolute(Path::new(&*document.path));
        let (base, searched) = match self.planner.base_of(&document, &path) {
            Ok(found) => found,
            Err(Planned::Failed(failure)) => return Adopted::Failed(failure),
            Err(_) => return Adopted::Other,
        };
        let name = name(&document);
        let inputs = document.inputs;
        if inputs.known_stored().is_none() {
            return Adopted::WithoutStored;
        }
        let has_base = base.is_some();
        let before = inputs.clone();
        let Adoption { inputs: after, entries } =
            match adopt(&AdoptInputs { inputs, base }, self.options) {
                Ok(adoption) => adoption,
                Err(why) => {
                    return Adopted::Failed(Some(Failure::new(
                        &*name,
                        format!("not adopted: {why}"),
                    )));
                }
            };
        let texts = document.related.iter().filter(|(origin, _)| matches!(origin, Origin::Text(_)));
        let texts: Vec<_> = texts.map(|(_, text)| text).collect();
        let line = document.position.filter(|_| document.lines.is_none());
        let document = AdoptedDocument {
            name,
            entries,
            text_files: texts.iter().map(|text| Arc::clone(&text.path)).collect(),
            own: real_path(Path::new(&path)),
            line: line.map(|position| position.line.saturating_sub(1)),
            shown: document.path,
            texts: texts
                .iter()
                .map(|text| real_path(&absolute_path(Path::new(&*text.path))))
                .collect(),
            before,
            after,
        };
        Adopted::Document(Box::new(document), searched, has_base)
    }

    fn wants_fixes(&self) -> bool {
        false
    }

    fn file_done(&self) {
        (self.planner.file_done)();
    }
}

impl Session {
    /// Writes what was changed in the service since the base into the documents of some files and their text files: each setting
    /// that only the service has changed. A text file that several documents share is changed only if all of them agree.
    ///
    /// With `show`, nothing is written, and it is called for each change instead.
    ///
    /// # Errors
    ///
    /// If the base is a commit that cannot be read.
    pub fn adopt_files(
        &mut self,
        files: &mut FileSet,
        base: &BaseSource,
        options: &AdoptOptions,
        show: Option<&mut dyn FnMut(&FileChange<'_>)>,
        file_done: &(dyn Fn() + Sync),
    ) -> Result<AdoptRun, GitError> {
        self.take_bases(files, base);
        let bases = Bases::open(base, files, self)?;
        let session = &*self;
        let related = files.related.iter().map(|(input, _)| absolute(Path::new(&*input.shown)));
        let related: BTreeSet<String> = related.collect();
        let planner = Planner { session, bases: &bases, related: &related, file_done };
        let adopter = Adopter { planner, options };
        let (mut documents, mut failures) = (Vec::new(), Vec::new());
        let (mut updates, mut without_base, mut without_stored) = (0, 0, 0);
        let mut searched: BTreeMap<&str, bool> = BTreeMap::new();
        let mut result = session.lint_files(files, &adopter, &mut |adopted, _| {
            updates += u64::from(!matches!(adopted, Adopted::Other));
            match adopted {
                Adopted::Document(document, base, has_base) => {
                    if let Some((folder, is_found)) = base {
                        *searched.entry(folder).or_default() |= is_found;
                    }
                    without_base += u64::from(!has_base);
                    documents.push(*document);
                }
                Adopted::WithoutStored => without_stored += 1,
                Adopted::Failed(failure) => {
                    failures.extend(failure.filter(|it| !failures.contains(it)));
                }
                Adopted::Other => {}
            }
        });
        let empty = searched.into_iter().filter(|(_, is_found)| !is_found);
        let empty = empty.map(|(folder, _)| session.configurations().shown(folder));
        result.notices.extend(empty.map(Notice::EmptyBase));
        result.failures.extend(failures);
        documents.sort_by(|one, other| one.name.cmp(&other.name));
        self.settle_shared_texts(&mut documents);
        let files = self.write_adopted(&documents, show, &mut result.failures);
        documents.retain(|document| !document.entries.is_empty());
        Ok(AdoptRun { documents, files, updates, without_base, without_stored, result })
    }

    /// Takes back the changes of text files about which the documents that share them do not agree.
    fn settle_shared_texts(&mut self, documents: &mut [AdoptedDocument]) {
        let mut wanted: BTreeMap<PathBuf, BTreeSet<&str>> = BTreeMap::new();
        let mut changed = BTreeSet::new();
        for document in documents.iter() {
            let texts = [&document.before, &document.after].map(Inputs::text_files);
            for ((path, before), after) in document.texts.iter().zip(texts[0]).zip(texts[1]) {
                let [before, after] = [before, after].map(|it| it.document().text());
                if before != after {
                    changed.insert(path.clone());
                }
                wanted.entry(path.clone()).or_default().insert(after);
            }
        }
        let disputed: BTreeSet<PathBuf> = wanted
            .iter()
            .filter(|(_, texts)| texts.len() > 1)
            .map(|(path, _)| path.clone())
            .collect();
        for path in &changed {
            let own = |document: &&AdoptedDocument| document.texts.contains(path);
            let mut users: BTreeSet<PathBuf> =
                self.users_of(path).iter().map(|user| real_path(user)).collect();
            let known: BTreeSet<PathBuf> =
                documents.iter().filter(own).map(|it| it.own.clone()).collect();
            users.retain(|user| !known.contains(user));
            if users.is_empty() && !disputed.contains(path) {
                continue;
            }
            let shown = |user: &PathBuf| self.configurations().shown(&absolute(user)).clone();
            let mut names: Vec<String> = users.iter().map(shown).collect();
            names.extend(documents.iter().filter(own).map(|document| document.name.to_string()));
            for document in documents.iter_mut().filter(|document| document.texts.contains(path)) {
                document.take_back(path, &names);
            }
        }
    }

    /// Writes or shows the files that have changed. Returns how many.
    fn write_adopted(
        &self,
        documents: &[AdoptedDocument],
        mut show: Option<&mut dyn FnMut(&FileChange<'_>)>,
        failures: &mut Vec<Failure>,
    ) -> usize {
        let mut done: BTreeMap<(&PathBuf, Option<u64>), String> = BTreeMap::new();
        for document in documents {
            let texts = document.texts.iter().zip(&document.text_files).zip(0..);
            let texts = texts.map(|((path, shown), index)| (path, shown, Origin::Text(index)));
            let own = (&document.own, &document.shown, Origin::Document);
            for (path, shown, origin) in texts.chain([own]) {
                let text = |inputs: &Inputs| Some(inputs.document_of(origin)?.text().to_owned());
                let (Some(before), Some(after)) = (text(&document.before), text(&document.after))
                else {
                    continue;
                };
                let line = document.line.filter(|_| origin == Origin::Document);
                // A stream of YAML has the changes of its other documents by now.
                let earlier = done.get(&(path, line));
                let now = earlier.map_or(Some(after.clone()), |earlier| {
                    let versions = [&before, earlier, &after].map(String::as_str);
                    let merged = merge_files(versions, FileLayout::Lines, 7);
                    (merged.conflicts == 0).then_some(merged.text)
                });
                if before == after || now.as_ref() == earlier {
                    continue;
                }
                let Some(now) = now else {
                    failures.push(crate::fixes::target::changed(shown));
                    continue;
                };
                let known = earlier.unwrap_or(&before).clone();
                done.insert((path, line), now.clone());
                let break_ = if line.is_some() { "\n" } else { "" };
                let change = FileChange {
                    path: shown,
                    is_line: line.is_some(),
                    lines_before: line.unwrap_or(0),
                    before: &(before.clone() + break_),
                    after: &(after.clone() + break_),
                    secrets_before: &secrets::spans(&document.before, origin),
                    secrets_after: &secrets::spans(&document.after, origin),
                };
                match &mut show {
                    Some(show) => show(&change),
                    None => failures.extend(self.write_one(shown, line, &known, &now).err()),
                }
            }
        }
        done.keys().map(|(path, _)| path).collect::<BTreeSet<_>>().len()
    }

    fn write_one(
        &self,
        shown: &str,
        line: Option<u64>,
        before: &str,
        after: &str,
    ) -> Result<(), Failure> {
        let input = ReadOptions::default().input(Path::new(shown));
        let Some(path) = input.path.as_deref() else {
            return Err(Failure::new(
                shown,
                "not changed: name the file, because standard input is not written",
            ));
        };
        let target = target_of(shown, path, self.configurations());
        let target = target.map_err(|why| match why {
            NotWritable::Kept(failure, _) | NotWritable::Failed(failure) => failure,
        })?;
        let Some(line) = line else {
            return replace(shown, &target, before.as_bytes(), after.as_bytes());
        };
        let bytes = fs::read(&target)
            .map_err(|error| Failure::new(shown, crate::describe_io_error(&error)))?;
        let start = bytes
            .split_inclusive(|byte| *byte == b'\n')
            .take(line as usize)
            .map(<[u8]>::len)
            .sum::<usize>();
        let (head, rest) = bytes.split_at_checked(start).unwrap_or_default();
        let Some(rest) = rest.strip_prefix(before.as_bytes()) else {
            return Err(crate::fixes::target::changed(shown));
        };
        replace(shown, &target, &bytes, &[head, after.as_bytes(), rest].concat())
    }
}

impl AdoptedDocument {
    /// Leaves a text file as it is, because other documents use it.
    fn take_back(&mut self, path: &Path, names: &[String]) {
        for index in (0..).zip(&self.texts).filter(|(_, text)| *text == path).map(|(at, _)| at) {
            let at = usize::from(index);
            let (Some(text), Some(before)) =
                (self.text_files.get(at), self.before.text_files().get(at))
            else {
                continue;
            };
            let mut texts = self.after.text_files().to_vec();
            if let Some(after) = texts.get_mut(at) {
                *after = before.clone();
            }
            self.after = self.after.clone().texts(texts);
            let others = names.iter().filter(|name| **name != *self.name);
            let others = others.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            for entry in self
                .entries
                .iter_mut()
                .filter(|it| it.text_file == Some(index) && it.kind == EntryKind::Adopted)
            {
                let name = entry.field.trim_start_matches('/');
                entry.sentence = format!(
                    "`{name}` is not changed, because `{text}` is also the text of {others}, which would not get this change"
                );
                entry.kind = EntryKind::Shared;
            }
        }
    }
}
