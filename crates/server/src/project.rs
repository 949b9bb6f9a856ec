//! The project as the worker sees it: the session, the open texts, and what was found in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::syntax::Format;
use voxlint::{Document, RuleRef, Safety, Severity};
use voxlint_config::BASELINE_NAME;
use voxlint_project::paths::{absolute, folder_of};
use voxlint_project::{
    CONFIGURATION_NAME, ConfigurationSource, ExplicitPathPolicy, Failure, FixOptions, LintOptions,
    LintedDocument, LoadedDocument, Renderer, Session,
};

use crate::Options;
use crate::analysis::{Analysis, key_of};
use crate::client::Client;
use crate::findings::Findings;
use crate::settings::Settings;
use crate::sync::{OpenText, OpenTexts};

/// The session, and what is known about the open texts.
pub(crate) struct Project {
    options: Options,
    client: Client,
    settings: Settings,
    session: Session,
    texts: OpenTexts,
    /// The documents that use an open text, as far as they have been looked for.
    users: BTreeMap<String, Vec<PathBuf>>,
    /// The open texts that were documents at a check, each with what it was opened with: it may have been closed since.
    documents: BTreeMap<String, Arc<str>>,
    /// The last documents that were checked with fixes, and the text for which they were.
    fixable: Option<(Arc<OpenText>, Vec<LintedDocument>)>,
}

/// A changed file: what it was, and what it is after its fixes.
pub(crate) struct FixedText {
    pub(crate) key: String,
    pub(crate) lines_before: u64,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// Keeps documents, with their fixes or without.
struct Keep {
    fixes: bool,
}

impl Renderer for Keep {
    type Output = LintedDocument;

    fn render(&self, document: LintedDocument) -> LintedDocument {
        document
    }

    fn wants_fixes(&self) -> bool {
        self.fixes
    }
}

impl Project {
    pub(crate) fn new(options: &Options, client: &Client, settings: &Settings) -> Self {
        Self {
            session: session(options, settings),
            options: options.clone(),
            client: client.clone(),
            settings: settings.clone(),
            texts: OpenTexts::default(),
            users: BTreeMap::new(),
            documents: BTreeMap::new(),
            fixable: None,
        }
    }

    /// Forgets everything but the texts, as after an internal error.
    pub(crate) fn restart(&mut self) {
        self.session = session(&self.options, &self.settings);
        (self.users, self.fixable) = (BTreeMap::new(), None);
        for open in self.texts.values() {
            self.session.file_system().set_overlay(&open.path, open.text.shared());
        }
    }

    /// Applies other settings of the editor.
    pub(crate) fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.restart();
    }

    pub(crate) fn texts(&self) -> &OpenTexts {
        &self.texts
    }

    /// Replaces the open texts. Returns the absolute paths of those that were opened, changed or closed.
    pub(crate) fn set_texts(&mut self, texts: &OpenTexts) -> BTreeSet<String> {
        let mut changed = BTreeSet::new();
        for (key, open) in texts.iter() {
            let known = self.texts.get(key);
            if known.is_some_and(|known| Arc::ptr_eq(known, open)) {
                continue;
            }
            changed.insert(key.clone());
            let files = self.session.file_system();
            files.set_overlay(&open.path, open.text.shared());
        }
        for (key, open) in self.texts.iter() {
            if !texts.contains_key(key) {
                self.session.file_system().remove_overlay(&open.path);
                self.users.remove(key);
                self.documents.remove(key);
                changed.insert(key.clone());
            }
        }
        let appears =
            changed.iter().any(|key| texts.contains_key(key) != self.texts.contains_key(key));
        if appears || changed.iter().any(|key| decides_everything(key)) {
            self.users.clear();
        }
        if !changed.is_empty() {
            self.fixable = None;
        }
        self.texts = Arc::clone(texts);
        changed
    }

    /// Notices that files have appeared, changed or disappeared.
    pub(crate) fn forget_files(&mut self) {
        self.users.clear();
        self.fixable = None;
    }

    /// The text to check with the documents that use it.
    fn paths(&mut self, open: &OpenText) -> Vec<PathBuf> {
        let mut paths = if let Some(users) = self.users.get(&open.key) {
            users.clone()
        } else if open.is_configuration() {
            Vec::new()
        } else {
            let users = self.session.users_of(&open.path);
            self.users.insert(open.key.clone(), users.clone());
            users
        };
        paths.insert(0, open.path.clone());
        paths
    }

    /// Notes that a document uses other open texts. Returns those for which this is new.
    fn note_user(&mut self, open: &OpenText, depends_on: &BTreeSet<String>) -> BTreeSet<String> {
        let mut noted = BTreeSet::new();
        for (key, users) in &mut self.users {
            let is_used = *key != open.key && depends_on.contains(key) && !decides_everything(key);
            if is_used && !users.contains(&open.path) {
                users.push(open.path.clone());
                noted.insert(key.clone());
            }
        }
        noted
    }

    /// How to treat the file of an open text. A text that was a document when it was opened or at its last check is one until it
    /// is closed: with a brace too many it is not recognized, and its author has to see that.
    fn policy(&self, open: &OpenText, has_users: bool) -> ExplicitPathPolicy {
        let input = self.session.options().read.input(&open.path);
        let documents = |text: &str| input.documents(text.as_bytes());
        let is_recognized = |documents: &[Document]| {
            documents.iter().any(|document| document.recognition().kind().is_some())
        };
        // The faults of a related file are shown in any case, and a template is recognized by its place.
        let may_vanish = !has_users && !open.is_configuration() && {
            let now = documents(open.text.text());
            let is_template = now.iter().any(|document| document.format() == Format::Text);
            !is_template && !is_recognized(&now)
        };
        let is_same = |opened: &Arc<str>| Arc::ptr_eq(opened, &open.opened);
        let was_document = || {
            self.documents.get(&open.key).is_some_and(is_same)
                || is_recognized(&documents(&open.opened))
        };
        let stays = may_vanish && was_document();
        ExplicitPathPolicy { only_documents: !stays, ..POLICY }
    }

    /// Checks an open text with the documents that use it. Returns the result, and the open texts that have to be checked
    /// again because of it.
    pub(crate) fn check(&mut self, open: &Arc<OpenText>) -> (Analysis, BTreeSet<String>) {
        let paths = self.paths(open);
        self.session.set_explicit_paths(self.policy(open, paths.len() > 1));
        let mut depends_on = BTreeSet::from([open.key.clone()]);
        let texts = Arc::clone(&self.texts);
        let client = self.client.clone();
        let settings = self.settings.clone();
        let mut findings = Findings {
            texts: &texts,
            client: &client,
            settings: &settings,
            documentation: self.options.documentation.as_deref(),
            shown: BTreeMap::new(),
        };
        let mut documents = Vec::new();
        let mut checks_alone = true;
        match self.session.find_files(&paths) {
            Err(error) => {
                let failure = Failure::new(open.key.clone(), error.to_string());
                findings.add_failure(&failure, open, is_document(&self.session, open));
            }
            Ok(mut files) => {
                depends_on.extend(self.session.other_paths(&files));
                depends_on.extend(files.inputs().iter().map(|input| input.absolute.to_string()));
                depends_on.extend(files.baselines().iter().map(|baseline| baseline.path.clone()));
                let collect = &mut |document, _| documents.push(document);
                let result = self.session.lint_files(&mut files, &Keep { fixes: false }, collect);
                let has_part = |document: &LintedDocument| {
                    key_of(&document.path) == open.key
                        || document.related.iter().any(|(_, it)| key_of(&it.path) == open.key)
                };
                checks_alone = documents.iter().any(has_part);
                let is_document = !result.failures.is_empty() && is_document(&self.session, open);
                for failure in &result.failures {
                    // A configuration with faults counts as it was before them, so that the document was checked nevertheless.
                    let is_configuration = failure.faults.is_some()
                        && self.session.configurations().is_faulty(&key_of(&failure.path));
                    let is_without = is_document && !(is_configuration && checks_alone);
                    findings.add_failure(failure, open, is_without);
                }
                // After the faults of related files: a file that is also checked as a document shows them once.
                for document in &documents {
                    findings.add_document(document);
                }
                for notice in &result.notices {
                    findings.add_notice(notice, open);
                }
                for file in self.session.check_other_files(&result, None) {
                    findings.add_configuration(&file);
                }
            }
        }
        self.session.set_explicit_paths(POLICY);
        if documents.iter().any(|document| key_of(&document.path) == open.key) {
            self.documents.insert(open.key.clone(), Arc::clone(&open.opened));
        }
        let mut shown = findings.finish();
        let noted = self.note_user(open, &depends_on);
        // Only the file itself and those that belong to its documents are shown: the other documents are not open.
        let others: BTreeSet<String> =
            documents.iter().map(|document| key_of(&document.path)).collect();
        shown.retain(|key, _| *key == open.key || !others.contains(key));
        let open = Arc::clone(open);
        let is_complete = checks_alone && !open.is_configuration();
        (Analysis { open, documents, shown, is_complete, depends_on }, noted)
    }

    /// The documents of an open text, with their fixes. A check without fixes is enough for the findings, and a proof of each fix
    /// would take too long at each keystroke.
    pub(crate) fn with_fixes(&mut self, open: &Arc<OpenText>) -> Vec<LintedDocument> {
        if let Some((known, documents)) = &self.fixable
            && Arc::ptr_eq(known, open)
        {
            return documents.clone();
        }
        let paths = self.paths(open);
        let mut documents = Vec::new();
        self.session.set_explicit_paths(self.policy(open, paths.len() > 1));
        if let Ok(mut files) = self.session.find_files(&paths) {
            let collect = &mut |document, _| documents.push(document);
            self.session.lint_files(&mut files, &Keep { fixes: true }, collect);
        }
        self.session.set_explicit_paths(POLICY);
        self.fixable = Some((Arc::clone(open), documents.clone()));
        documents
    }

    /// The documents that use a file, and the file itself if it is one, as they are now.
    pub(crate) fn documents_with(&mut self, file: &Path) -> Vec<LintedDocument> {
        let mut paths = self.session.users_of(file);
        paths.push(file.to_owned());
        let mut documents = Vec::new();
        if let Ok(mut files) = self.session.find_files(&paths) {
            let collect = &mut |document, _| documents.push(document);
            self.session.lint_files(&mut files, &Keep { fixes: false }, collect);
        }
        documents
    }

    /// The open text and the documents that use it, checked as if a configuration had another text.
    pub(crate) fn check_with_configuration(
        &mut self,
        open: &OpenText,
        (path, text): (&str, &str),
    ) -> Vec<LintedDocument> {
        let path = Path::new(path);
        let paths = self.paths(open);
        let former = self.session.file_system().set_overlay(path, text);
        let mut documents = Vec::new();
        if let Ok(mut files) = self.session.find_files(&paths) {
            let collect = &mut |document, _| documents.push(document);
            self.session.lint_files(&mut files, &Keep { fixes: false }, collect);
        }
        match former {
            Some(former) => drop(self.session.file_system().set_overlay(path, former)),
            None => self.session.file_system().remove_overlay(path),
        }
        documents
    }

    /// The configuration that applies to a file, with its text.
    pub(crate) fn configuration_of(&mut self, file: &Path) -> Option<(String, String)> {
        let file = absolute(file);
        let configurations = self.session.configurations_mut();
        configurations.look_up(folder_of(&file));
        drop(configurations.take_failures());
        let path = configurations.for_folder(folder_of(&file))?.path()?.to_owned();
        let bytes = self.session.file_system().read(Path::new(&path)).ok()?;
        Some((path, String::from_utf8(bytes).ok()?))
    }

    /// The open text after all safe fixes, as `voxlint check --fix` would write it.
    pub(crate) fn fix_all(&mut self, open: &OpenText) -> Vec<FixedText> {
        let paths = self.paths(open);
        let Ok(files) = self.session.find_files(&paths) else { return Vec::new() };
        let options =
            FixOptions { safety: Safety::Safe, write: false, min_severity: Severity::Info };
        let mut changes = Vec::new();
        self.session.fix_files(
            &files,
            options,
            &|change| FixedText {
                key: key_of(change.path),
                lines_before: change.lines_before,
                before: change.before.to_owned(),
                after: change.after.to_owned(),
            },
            &mut |change| changes.push(change),
        );
        changes.retain(|change| change.key == open.key);
        changes
    }

    /// Checks everything in some folders. The findings are those of each file.
    pub(crate) fn check_folders(
        &mut self,
        folders: &[PathBuf],
    ) -> BTreeMap<String, Vec<lsp_types::Diagnostic>> {
        let texts = Arc::clone(&self.texts);
        let (client, settings) = (self.client.clone(), self.settings.clone());
        let mut findings = Findings {
            texts: &texts,
            client: &client,
            settings: &settings,
            documentation: self.options.documentation.as_deref(),
            shown: BTreeMap::new(),
        };
        if let Ok(mut files) = self.session.find_files(folders) {
            for input in files.inputs() {
                findings.shown.entry(input.absolute.to_string()).or_default();
            }
            let collect = &mut |document: LintedDocument, _| findings.add_document(&document);
            let result = self.session.lint_files(&mut files, &Keep { fixes: false }, collect);
            for failure in &result.failures {
                findings.add_failure_of_folder(failure);
            }
            for file in self.session.check_other_files(&result, None) {
                findings.add_configuration(&file);
            }
        }
        findings.finish()
    }

    /// Checks a file that is not open, with the documents that use it. The findings are those in the file.
    pub(crate) fn check_closed(&mut self, file: &Path) -> Vec<lsp_types::Diagnostic> {
        // Nothing can be said about a file that is gone.
        if self.session.file_system().exists(file) != Ok(true) {
            return Vec::new();
        }
        let mut paths = self.session.users_of(file);
        paths.push(file.to_owned());
        self.check_folders(&paths).remove(&absolute(file)).unwrap_or_default()
    }

    /// Reads the document of an open text with everything that it is checked with.
    pub(crate) fn load(&mut self, path: &Path) -> Result<LoadedDocument, Vec<Failure>> {
        self.session.load_document(path)
    }

    /// All rules, with the house rules for a file.
    pub(crate) fn rules(&mut self, file: Option<&Path>) -> Vec<RuleRef> {
        let configurations = self.session.configurations_mut();
        if let Some(file) = file {
            let file = absolute(file);
            configurations.look_up(folder_of(&file));
            drop(configurations.take_failures());
        }
        configurations.rules()
    }
}

/// How open texts are treated: those of other programs are open as well.
const POLICY: ExplicitPathPolicy =
    ExplicitPathPolicy { force_exclude: true, only_documents: true, without_users: true };

/// Whether a change of a file may change the result for any other.
pub(crate) fn decides_everything(key: &str) -> bool {
    let name = Path::new(key).file_name();
    name.is_some_and(|name| name == CONFIGURATION_NAME || name == BASELINE_NAME)
}

/// Whether an open text looks like a document, so that it would have been checked.
fn is_document(session: &Session, open: &OpenText) -> bool {
    let input = session.options().read.input(&open.path);
    let documents = input.documents(open.text.text().as_bytes());
    documents.iter().any(|document| document.recognition().kind().is_some())
}

fn session(options: &Options, settings: &Settings) -> Session {
    let configuration = match &settings.configuration {
        Some(file) => ConfigurationSource::File(PathBuf::from(absolute(file))),
        None => options.configuration.clone(),
    };
    let lint = LintOptions { configuration, explicit_paths: POLICY, ..LintOptions::default() };
    let mut session = Session::new(lint);
    session.keep_usable_configurations();
    session
}
