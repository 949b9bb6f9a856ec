//! Related files: the stored configuration, workspace facts and text files that a document is checked with.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use voxlint::schema::Row;
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Facts, Faults as _, Stored, TextFile, secrets};
use voxlint_config::{FileReport, FileSettings};

use crate::Failure;
use crate::configurations::{Configurations, NamedFile};
use crate::failure::FaultyFile;
use crate::file_status::FileRole;
use crate::file_system::{FileSystem, Stamp};
use crate::input::{InputFile, ReadOptions};
use crate::options::{LintOptions, RelatedOptions};
use crate::paths::{absolute, absolute_path};
use crate::related_document::RelatedDocument;
use crate::size_limit::SizeLimit;
use crate::text_files::{TextFilePath, text_file_paths};

/// Parsed related files of earlier runs, by path and role.
#[derive(Debug, Default)]
pub(crate) struct RelatedCache {
    /// `None` keeps nothing.
    parsed: Option<Mutex<ParsedFiles>>,
}

/// Parsed files with the state that they were read in.
type ParsedFiles = BTreeMap<(PathBuf, FileRole), (Stamp, RelatedDocument)>;

impl RelatedCache {
    pub(crate) fn new() -> Self {
        Self { parsed: Some(Mutex::default()) }
    }

    /// The parsed text of a file in this state.
    fn get(&self, path: &Path, role: FileRole, stamp: Stamp) -> Option<RelatedDocument> {
        let parsed = self.parsed.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, document) = parsed.get(&(absolute_path(path), role))?;
        (*known == stamp).then(|| document.clone())
    }

    fn insert(&self, path: &Path, role: FileRole, stamp: Stamp, document: &RelatedDocument) {
        if let Some(parsed) = self.parsed.as_ref().filter(|_| stamp.is_reliable()) {
            let mut parsed = parsed.lock().unwrap_or_else(PoisonError::into_inner);
            parsed.insert((absolute_path(path), role), (stamp, document.clone()));
        }
    }
}

/// Reads related files.
#[derive(Clone, Copy)]
pub(crate) struct RelatedReader<'a> {
    pub(crate) configurations: &'a Configurations,
    pub(crate) cache: &'a RelatedCache,
}

impl RelatedReader<'_> {
    fn files(&self, role: FileRole) -> &FileSystem {
        match role {
            FileRole::Text => self.configurations.file_system(),
            FileRole::Stored => self.configurations.files_of_the_service(),
            _ => self.configurations.settings_files(),
        }
    }

    /// A file that a configuration names, as users see it.
    fn configured(&self, path: &str) -> InputFile {
        let mut input = ReadOptions::default().input(Path::new(path));
        input.shown = self.configurations.shown(path).into();
        input
    }

    /// Reads and parses a file that a configuration names.
    fn parse_named(
        &self,
        mut input: InputFile,
        role: FileRole,
        file: NamedFile,
    ) -> Result<RelatedDocument, Failure> {
        input.set_source(file.source);
        self.parse(self.files(role), &input, role, Some(file.stamp))
    }

    /// Reads and parses a file in the state of `stamp`.
    fn parse(
        &self,
        files: &FileSystem,
        input: &InputFile,
        role: FileRole,
        stamp: Option<Stamp>,
    ) -> Result<RelatedDocument, Failure> {
        let known = input.path.as_deref().zip(stamp);
        if let Some(document) = known.and_then(|(path, stamp)| self.cache.get(path, role, stamp)) {
            return Ok(RelatedDocument { path: Arc::clone(&input.shown), ..document });
        }
        let document = parse(input, role, &input.read_limited(files, &SizeLimit::related())?)?;
        if let Some((path, stamp)) = known {
            self.cache.insert(path, role, stamp, &document);
        }
        Ok(document)
    }

    /// The stored configuration that the configuration names for a document; `None` if there is no such file.
    pub(crate) fn configured_stored(
        &self,
        settings: &FileSettings<'_>,
        agent_id: Option<&str>,
    ) -> Result<Option<RelatedDocument>, Failure> {
        let Some(path) = settings.stored().map(|stored| stored.value) else { return Ok(None) };
        let input = self.configured(&path);
        let file = self.configurations.named_stored(Path::new(&path));
        let Some(file) = file.map_err(|message| input.failure(message))? else { return Ok(None) };
        let stored = self.parse_named(input.clone(), FileRole::Stored, file)?;
        check_agent(&input, &stored, agent_id)?;
        Ok(Some(stored))
    }

    /// The text files that exist, by field.
    pub(crate) fn text_files(
        &self,
        files: &[TextFilePath],
    ) -> Result<Vec<(&'static Row, RelatedDocument)>, Failure> {
        let mut found = Vec::new();
        for TextFilePath { field, path, .. } in files {
            let input = InputFile::text(path, self.configurations);
            let file = self.configurations.named_text(path);
            if let Some(file) = file.map_err(|message| input.failure(message))? {
                found.push((*field, self.parse_named(input, FileRole::Text, file)?));
            }
        }
        Ok(found)
    }
}

/// The related files that belong to all documents of a run, or to many.
#[derive(Clone, Debug, Default)]
pub(crate) struct RelatedFiles {
    stored: Option<RelatedDocument>,
    /// Whether a stored configuration was given, usable or not, or is to be left out.
    has_stored: bool,
    facts: Option<RelatedDocument>,
    /// The facts that configurations name, by path.
    configured_facts: BTreeMap<String, RelatedDocument>,
    agent_id: Option<Arc<str>>,
}

impl RelatedFiles {
    /// Reads the files of the options, and the facts that configurations name if the options name none. Files that cannot be
    /// used are left out: to check with a part of them would give another result.
    pub(crate) fn read(
        options: &RelatedOptions,
        read: &ReadOptions,
        configured: &BTreeSet<String>,
        reader: RelatedReader<'_>,
        failures: &mut Vec<Failure>,
    ) -> Self {
        let read = ReadOptions { stdin_filename: None, stdin_format: None, ..read.clone() };
        let explicit = |path: &PathBuf, role: FileRole| {
            let input = read.input(path);
            // A pipe has no state, and is not cached.
            let stamp =
                input.path.as_deref().and_then(|path| reader.files(role).stamp(path).ok()?);
            // Who runs voxlint chooses the file, which a reference need not have.
            let files = stamp.map_or(reader.configurations.file_system(), |_| reader.files(role));
            let related = reader.parse(files, &input, role, stamp)?;
            if role == FileRole::Stored {
                check_agent(&input, &related, options.agent_id.as_deref())?;
            }
            Ok(related)
        };
        let mut usable = |related: Result<RelatedDocument, Failure>| {
            related.map_err(|failure| failures.push(failure)).ok()
        };
        let stored = options.stored.as_ref();
        let stored = stored.and_then(|path| usable(explicit(path, FileRole::Stored)));
        let facts = options.facts.as_ref();
        let facts = facts.and_then(|path| usable(explicit(path, FileRole::Facts)));
        let mut configured_facts = BTreeMap::new();
        let none_given = options.facts.is_none() && !options.without_facts;
        for path in configured.iter().filter(|_| none_given) {
            let input = reader.configured(path);
            // Reading a named pipe could wait forever.
            let facts = match reader.configurations.named_file(Path::new(path)) {
                Ok(Some(file)) => reader.parse_named(input, FileRole::Facts, file),
                Ok(None) => {
                    let files = reader.files(FileRole::Facts);
                    reader.parse(files, &input, FileRole::Facts, None)
                }
                Err(message) => Err(input.failure(message)),
            };
            let place = || reader.configurations.place_of_facts(path);
            let facts = usable(facts.map_err(|failure| failure.named_at(place().as_deref())));
            configured_facts.extend(facts.map(|facts| (path.clone(), facts)));
        }
        Self {
            stored,
            has_stored: options.stored.is_some() || options.without_stored,
            facts,
            configured_facts,
            agent_id: options.agent_id.as_deref().map(Arc::from),
        }
    }

    /// Whether the options decide about the stored configuration, so that those of configurations do not count.
    pub(crate) fn has_stored(&self) -> bool {
        self.has_stored
    }

    pub(crate) fn stored(&self) -> Option<&RelatedDocument> {
        self.stored.as_ref()
    }

    /// The facts for a file.
    pub(crate) fn facts(&self, settings: &FileSettings<'_>) -> Option<&RelatedDocument> {
        let configured = || self.configured_facts.get(settings.facts()?.value.as_str());
        self.facts.as_ref().or_else(configured)
    }

    /// The secrets in the facts, with one report for each file that has any.
    pub(crate) fn secrets_in_facts(&self, configurations: &Configurations) -> Vec<FileReport> {
        let report = |facts: &RelatedDocument| {
            let mut report = secrets::findings(&facts.document, DocumentKind::Facts);
            let path = facts.location.as_deref().map(absolute);
            let path = path.unwrap_or_else(|| facts.path.to_string());
            if let Some(settings) = configurations.settings_for(&path) {
                settings.apply_levels(&mut report);
            }
            let text = facts.document.text();
            (!report.diagnostics.is_empty()).then(|| FileReport::new(path, text, report))
        };
        self.facts.iter().chain(self.configured_facts.values()).filter_map(report).collect()
    }

    /// The id of the agent that the documents of a file are for.
    pub(crate) fn agent_id(&self, settings: &FileSettings<'_>) -> Option<Arc<str>> {
        let configured = || settings.agent_id().map(|stated| Arc::from(&*stated.value));
        self.agent_id.clone().or_else(configured)
    }
}

/// Parses the text of a related file, and checks that it can be used.
pub(crate) fn parse(
    input: &InputFile,
    role: FileRole,
    bytes: &[u8],
) -> Result<RelatedDocument, Failure> {
    let document = if role == FileRole::Text {
        let text = std::str::from_utf8(bytes).map_err(|_| input.failure("is not UTF-8"))?;
        Document::parse_as(text, Format::Text)
    } else {
        input.document(bytes)?
    };
    let (name, faults) = match role {
        FileRole::Stored => ("the stored configuration", Stored::new(document.clone()).faults()),
        FileRole::Facts => ("workspace facts", Facts::new(document.clone()).faults()),
        FileRole::Text | FileRole::Baseline | FileRole::Report | FileRole::Base => {
            return Ok(RelatedDocument::new(input, document));
        }
    };
    if faults.diagnostics.is_empty() {
        return Ok(RelatedDocument::new(input, document));
    }
    let (path, text) = (input.shown.to_string(), document.text().into());
    Err(Failure::unusable(FaultyFile { path, text, report: faults, related: Vec::new() }, name))
}

/// Checks that a stored configuration belongs to the agent of a document.
pub(crate) fn check_agent(
    input: &InputFile,
    stored: &RelatedDocument,
    agent_id: Option<&str>,
) -> Result<(), Failure> {
    let stored = Stored::new(stored.document.clone());
    let objection = match (stored.kind(), agent_id) {
        (None, _) => Some("it contains neither an agent nor the settings of a version".to_owned()),
        (Some(_), Some(id)) => stored.agent_mismatch(id),
        (Some(_), None) => None,
    };
    match objection {
        None => Ok(()),
        Some(objection) => {
            Err(input.failure(format!("cannot be used as the stored configuration: {objection}")))
        }
    }
}

impl RelatedDocument {
    fn new(input: &InputFile, document: Document) -> Self {
        let location = input.path.as_deref().map(|path| absolute_path(path).into());
        Self { path: Arc::clone(&input.shown), location, document }
    }

    /// The stored configuration in a text without a file, in JSON. `name` is what users see instead of a path.
    ///
    /// # Errors
    ///
    /// If it cannot be used, or belongs to another agent than the one with this id.
    pub fn stored(name: &str, bytes: &[u8], agent_id: Option<&str>) -> Result<Self, Failure> {
        let (input, stored) = Self::in_memory(name, FileRole::Stored, bytes)?;
        check_agent(&input, &stored, agent_id)?;
        Ok(stored)
    }

    /// Workspace facts in a text without a file, in JSON. `name` is what users see instead of a path.
    ///
    /// # Errors
    ///
    /// If they cannot be used.
    pub fn facts(name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        Self::in_memory(name, FileRole::Facts, bytes).map(|(_, facts)| facts)
    }

    fn in_memory(name: &str, role: FileRole, bytes: &[u8]) -> Result<(InputFile, Self), Failure> {
        let input = ReadOptions::default().input(Path::new(name));
        let related = parse(&input, role, bytes)?;
        Ok((input, Self { location: None, ..related }))
    }

    /// The document as the stored configuration.
    pub fn as_stored(&self) -> Stored {
        Stored::new(self.document.clone())
    }

    /// The document as workspace facts.
    pub fn as_facts(&self) -> Facts {
        Facts::new(self.document.clone())
    }

    /// The document as the text of a field.
    pub(crate) fn text_file(&self, field: &'static Row) -> TextFile {
        TextFile::new(field, self.document.clone())
    }
}

/// The related files of a file, by the configuration and the conventions. They need not exist.
pub(crate) fn related_paths(
    input: &InputFile,
    options: &LintOptions,
    configurations: &Configurations,
) -> Vec<(PathBuf, FileRole)> {
    related_paths_by(configurations.settings_for(&input.absolute).as_ref(), input, options)
}

/// As [`related_paths`], with the settings of the file.
pub(crate) fn related_paths_by(
    settings: Option<&FileSettings<'_>>,
    input: &InputFile,
    options: &LintOptions,
) -> Vec<(PathBuf, FileRole)> {
    let of_path = |path: &str, role| (absolute_path(Path::new(path)), role);
    let facts = settings.and_then(FileSettings::facts);
    let facts = facts.map(|facts| of_path(&facts.value, FileRole::Facts));
    let stored = settings.and_then(FileSettings::stored);
    let stored = stored.map(|stored| of_path(&stored.value, FileRole::Stored));
    let texts = text_file_paths(input, &options.conventions, settings);
    let texts = texts.into_iter().map(|text| (absolute_path(&text.path), FileRole::Text));
    facts.into_iter().chain(stored).chain(texts).collect()
}
