//! Adopts what was changed in the service: writes it into the documents of a run and their text files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::{Document, Inputs, Origin, secrets};
use voxlint_merge::{AdoptInputs, AdoptOptions, Entry, EntryKind, FileLayout, adopt, merge_files};

use super::base::BaseSource;
use super::updates::{Update, UpdatesRun, name};
use crate::Failure;
use crate::file_set::FileSet;
use crate::fixes::FileChange;
use crate::fixes::key::real_path;
use crate::fixes::target::{NotWritable, changed, replace, target_of};
use crate::git::GitError;
use crate::input::ReadOptions;
use crate::lint_files::RunResult;
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
    /// Its number in the file, from 0.
    index: u64,
    /// The line of the document in a file with one document per line, from 0.
    line: Option<u64>,
    shown: Arc<str>,
    texts: Vec<PathBuf>,
    before: Inputs,
    after: Inputs,
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
        let run =
            self.each_update(files, base, file_done, &|_, update| adopted(update, options))?;
        let UpdatesRun { found, updates, mut result, .. } = run;
        let without_stored = found.iter().filter(|it| it.is_none()).count() as u64;
        let found = found.into_iter().flatten();
        let (mut documents, have_base): (Vec<_>, Vec<bool>) = found.unzip();
        let without_base = have_base.iter().filter(|has_base| !**has_base).count() as u64;
        documents.sort_by(|one, other| one.name.cmp(&other.name));
        self.settle_shared_texts(&mut documents);
        let files = self.write_adopted(&documents, show, &mut result.failures);
        documents.retain(|document| !document.entries.is_empty());
        Ok(AdoptRun { documents, files, updates, without_base, without_stored, result })
    }

    /// Takes back the changes of text files about which the documents that share them do not agree.
    fn settle_shared_texts(&mut self, documents: &mut [AdoptedDocument]) {
        // The documents of each text file, with its number there.
        let mut by_path: BTreeMap<PathBuf, Vec<(usize, u16)>> = BTreeMap::new();
        for (at, document) in documents.iter().enumerate() {
            for (path, index) in document.texts.iter().zip(0..) {
                by_path.entry(path.clone()).or_default().push((at, index));
            }
        }
        for (path, places) in by_path {
            let texts =
                places.iter().filter_map(|(at, index)| documents.get(*at)?.texts_of(*index));
            let (before, after): (BTreeSet<&str>, BTreeSet<&str>) = texts.unzip();
            if before == after {
                continue;
            }
            let known = places.iter().filter_map(|(at, _)| documents.get(*at));
            let own: BTreeSet<&Path> = known.clone().map(|document| &*document.own).collect();
            let users: BTreeSet<PathBuf> =
                self.users_of(&path).iter().map(|user| real_path(user)).collect();
            let others = users.iter().filter(|user| !own.contains(user.as_path()));
            let shown = |user: &PathBuf| self.configurations().shown(&absolute(user)).clone();
            let mut names: Vec<String> = others.map(shown).collect();
            if names.is_empty() && after.len() == 1 {
                continue;
            }
            names.extend(known.map(|document| document.name.to_string()));
            for (at, index) in places {
                if let Some(document) = documents.get_mut(at) {
                    document.take_back(index, &names);
                }
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
        let mut files: BTreeMap<&Path, BTreeMap<Option<u64>, Change<'_>>> = BTreeMap::new();
        for (document, (path, shown, origin)) in
            documents.iter().flat_map(|document| document.files().map(move |file| (document, file)))
        {
            let text = |inputs: &'_ Inputs| Some(inputs.document_of(origin)?.text().to_owned());
            let (Some(before), Some(mut after)) = (text(&document.before), text(&document.after))
            else {
                continue;
            };
            if before == after {
                continue;
            }
            let line = document.line.filter(|_| origin == Origin::Document);
            let changes = files.entry(path).or_default();
            let mut documents = Vec::new();
            // A stream of YAML has the changes of its other documents by now.
            if let Some(earlier) = changes.remove(&line) {
                let versions = [&before, &earlier.after, &after].map(String::as_str);
                let merged = merge_files(versions, FileLayout::Lines, 7);
                if merged.conflicts > 0 {
                    failures.push(changed(shown));
                }
                after = if merged.conflicts > 0 { earlier.after } else { merged.text };
                documents = earlier.documents;
            }
            documents.push((document, origin));
            changes.insert(line, Change { shown, before, after, documents });
        }
        for changes in files.values() {
            match &mut show {
                Some(show) => changes.iter().for_each(|(line, change)| change.show(*line, show)),
                None => failures.extend(self.write_changes(changes).err()),
            }
        }
        files.len()
    }

    /// Writes the changes of a file: the whole of it, or some of its lines.
    fn write_changes(&self, changes: &BTreeMap<Option<u64>, Change<'_>>) -> Result<(), Failure> {
        let Some(Change { shown, .. }) = changes.values().next() else { return Ok(()) };
        let input = ReadOptions::default().input(Path::new(shown));
        let Some(path) = input.path.as_deref() else {
            return Err(Failure::new(
                *shown,
                "not changed: name the file, because standard input is not written",
            ));
        };
        let target = target_of(shown, path, self.configurations());
        let target = target.map_err(|why| match why {
            NotWritable::Kept(failure, _) | NotWritable::Failed(failure) => failure,
        })?;
        if let Some(Change { before, after, .. }) = changes.get(&None) {
            return replace(shown, &target, before.as_bytes(), after.as_bytes());
        }
        let bytes = fs::read(&target)
            .map_err(|error| Failure::new(*shown, crate::describe_io_error(&error)))?;
        let mut lines: Vec<Cow<'_, [u8]>> =
            bytes.split_inclusive(|byte| *byte == b'\n').map(Cow::Borrowed).collect();
        for (number, Change { before, after, .. }) in changes {
            let line = number.and_then(|number| lines.get_mut(number as usize));
            let rest = |line: &[u8]| Some(line.strip_prefix(before.as_bytes())?.to_owned());
            let Some((line, rest)) = line.and_then(|line| rest(line).map(|rest| (line, rest)))
            else {
                return Err(changed(shown));
            };
            *line = [after.as_bytes(), &rest].concat().into();
        }
        replace(shown, &target, &bytes, &lines.concat())
    }
}

/// What changes in a file, or in one of its lines.
struct Change<'d> {
    shown: &'d str,
    before: String,
    after: String,
    /// The documents that it is of, and what it is for them.
    documents: Vec<(&'d AdoptedDocument, Origin)>,
}

impl Change<'_> {
    fn show(&self, line: Option<u64>, show: &mut dyn FnMut(&FileChange<'_>)) {
        let (mut secrets_before, mut secrets_after) = (Vec::new(), Vec::new());
        for (document, origin) in &self.documents {
            secrets_before.extend(secrets::spans(&document.before, *origin));
            secrets_after.extend(secrets::spans(&document.after_in(&self.after, *origin), *origin));
        }
        let line_break = if line.is_some() { "\n" } else { "" };
        show(&FileChange {
            path: self.shown,
            is_line: line.is_some(),
            lines_before: line.unwrap_or(0),
            before: &(self.before.clone() + line_break),
            after: &(self.after.clone() + line_break),
            secrets_before: &secrets_before,
            secrets_after: &secrets_after,
        });
    }
}

/// Adopts what was changed in the service in an update, and says whether it has a base; `None` without a stored configuration.
fn adopted(
    Update { document, path, base }: Update,
    options: &AdoptOptions,
) -> Result<Option<(AdoptedDocument, bool)>, Failure> {
    let name = name(&document);
    let inputs = document.inputs;
    if inputs.known_stored().is_none() {
        return Ok(None);
    }
    let (has_base, before) = (base.is_some(), inputs.clone());
    let adoption = adopt(&AdoptInputs { inputs, base }, options)
        .map_err(|why| Failure::new(&*name, format!("not adopted: {why}")))?;
    let texts = document.related.iter().filter(|(origin, _)| matches!(origin, Origin::Text(_)));
    let texts: Vec<_> = texts.map(|(_, text)| Arc::clone(&text.path)).collect();
    let is_line = document.lines.is_none();
    let adopted = AdoptedDocument {
        name,
        entries: adoption.entries,
        own: real_path(Path::new(&path)),
        index: document.position.map_or(0, |position| position.index),
        line: document.position.filter(|_| is_line).map(|it| it.line.saturating_sub(1)),
        shown: document.path,
        texts: texts.iter().map(|text| real_path(&absolute_path(Path::new(&**text)))).collect(),
        text_files: texts,
        before,
        after: adoption.inputs,
    };
    Ok(Some((adopted, has_base)))
}

impl AdoptedDocument {
    /// Its text files, and then its own: the path, as users see it, and what it is.
    fn files(&self) -> impl Iterator<Item = (&Path, &str, Origin)> {
        let texts = self.texts.iter().zip(&self.text_files).zip(0..);
        let texts = texts.map(|((path, shown), at)| (&**path, &**shown, Origin::Text(at)));
        texts.chain([(&*self.own, &*self.shown, Origin::Document)])
    }

    /// The inputs after the adoption, in a file that may also have the changes of other documents.
    fn after_in(&self, text: &str, origin: Origin) -> Inputs {
        let document = self.after.document();
        if origin != Origin::Document || document.text() == text {
            return self.after.clone();
        }
        let all = Document::parse_all(text, document.format());
        let own = all.into_iter().nth(self.index as usize);
        own.map_or_else(|| self.after.clone(), |own| self.after.clone().with_document(own))
    }

    /// A text file before and after the adoption.
    fn texts_of(&self, index: u16) -> Option<(&str, &str)> {
        let origin = Origin::Text(index);
        let [before, after] = [&self.before, &self.after].map(|it| it.document_of(origin));
        Some((before?.text(), after?.text()))
    }

    /// Leaves a text file as it is, because other documents use it.
    fn take_back(&mut self, index: u16, names: &[String]) {
        let mut texts = self.after.text_files().to_vec();
        for (at, before) in (0..).zip(self.before.text_files()).filter(|(at, _)| *at == index) {
            texts.get_mut(usize::from(at)).into_iter().for_each(|text| text.clone_from(before));
        }
        self.after = self.after.clone().texts(texts);
        let text = self.text_files.get(usize::from(index)).map_or("", |text| text);
        let others = names.iter().filter(|name| **name != *self.name);
        let others = others.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let is_it = |it: &&mut Entry| it.text_file == Some(index) && it.kind == EntryKind::Adopted;
        for entry in self.entries.iter_mut().filter(is_it) {
            let name = entry.field.trim_start_matches('/');
            entry.sentence = format!(
                "`{name}` is not changed, because `{text}` is also the text of {others}, which would not get this change"
            );
            entry.kind = EntryKind::Shared;
        }
    }
}
