//! The thread that checks texts, shows what it finds, and answers the requests that need the project.
//!
//! It takes all jobs that wait before it checks the next text, so that only the newest text is checked, and checks a text that a
//! request waits for first.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::Receiver;
use lsp_types::notification::PublishDiagnostics;
use lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use voxlint_project::paths::absolute;

use crate::analysis::Analysis;
use crate::findings::found_in;
use crate::project::{Project, decides_everything};
use crate::routes::{Pending, answer};
use crate::settings::Settings;
use crate::shared::Shared;
use crate::sync::{OpenText, OpenTexts};
use crate::uri;

/// Something for the worker to do.
pub(crate) enum Job {
    /// The open texts are these now.
    Texts(OpenTexts),
    /// Files have changed on the disk.
    Files(Vec<PathBuf>),
    /// The editor has other settings.
    Settings(Settings),
    /// A request that needs the project, or a text that was just opened.
    Request(Box<Pending>),
}

/// What was sent about a file.
struct Published {
    uri: Uri,
    version: Option<i32>,
    found: Vec<Diagnostic>,
}

/// The state of the thread.
pub(crate) struct Worker {
    shared: Arc<Shared>,
    project: Project,
    analyses: BTreeMap<String, Arc<Analysis>>,
    /// The open texts to check, those that were changed first at the end.
    dirty: Vec<String>,
    requests: Vec<Pending>,
    published: BTreeMap<String, Published>,
    /// Whether the client should ask for diagnostics again.
    needs_refresh: bool,
}

impl Worker {
    pub(crate) fn new(shared: Arc<Shared>, settings: &Settings) -> Self {
        Self {
            project: Project::new(&shared.options, &shared.client, settings),
            shared,
            analyses: BTreeMap::new(),
            dirty: Vec::new(),
            requests: Vec::new(),
            published: BTreeMap::new(),
            needs_refresh: false,
        }
    }

    /// Works until the server ends.
    pub(crate) fn run(mut self, jobs: &Receiver<Job>) {
        while let Ok(job) = jobs.recv() {
            self.take(std::iter::once(job).chain(jobs.try_iter()).collect());
            loop {
                self.take(jobs.try_iter().collect());
                if let Some(at) = self.ready_request() {
                    let request = self.requests.remove(at);
                    answer(&self.shared, request, Some(&mut self.project));
                } else if let Some(key) = self.next_text() {
                    self.check(&key);
                } else {
                    break;
                }
            }
            if std::mem::take(&mut self.needs_refresh) {
                self.shared.request::<lsp_types::request::WorkspaceDiagnosticRefresh>(());
            }
        }
    }

    /// A request whose text is checked.
    fn ready_request(&self) -> Option<usize> {
        self.requests.iter().position(|request| {
            request.open.as_ref().is_none_or(|open| !self.dirty.contains(&open.key))
        })
    }

    /// The text to check next: one that a request waits for, or the one that was changed last.
    fn next_text(&mut self) -> Option<String> {
        let waits = |key: &String| {
            self.requests
                .iter()
                .any(|request| request.open.as_ref().is_some_and(|it| it.key == *key))
        };
        let at = self.dirty.iter().rposition(waits).or(self.dirty.len().checked_sub(1))?;
        Some(self.dirty.remove(at))
    }

    fn mark(&mut self, key: &str) {
        if !self.dirty.iter().any(|known| known == key) {
            // Those that depend on a changed text come after it.
            self.dirty.insert(0, key.to_owned());
        }
    }

    fn take(&mut self, jobs: Vec<Job>) {
        if jobs.is_empty() {
            return;
        }
        let mut newest = None;
        for job in jobs {
            match job {
                Job::Texts(texts) => newest = Some(texts),
                Job::Files(paths) => self.take_files(&paths),
                Job::Settings(settings) => {
                    self.project.set_settings(settings);
                    self.mark_all();
                }
                Job::Request(request) => self.requests.push(*request),
            }
        }
        if let Some(texts) = newest {
            self.take_texts(&texts);
        }
        self.share();
    }

    fn take_texts(&mut self, texts: &OpenTexts) {
        let changed = self.project.set_texts(texts);
        if changed.is_empty() {
            return;
        }
        self.mark_users(&changed);
        for key in &changed {
            self.dirty.retain(|known| known != key);
            if texts.contains_key(key) {
                self.dirty.push(key.clone());
            } else {
                self.close(key);
            }
        }
    }

    fn take_files(&mut self, paths: &[PathBuf]) {
        let keys: BTreeSet<String> = paths.iter().map(|path| absolute(path)).collect();
        self.project.forget_files();
        self.mark_users(&keys);
    }

    fn mark_all(&mut self) {
        let keys: Vec<String> = self.project.texts().keys().cloned().collect();
        for key in keys {
            self.mark(&key);
        }
    }

    /// Marks the open texts whose results depend on some files.
    fn mark_users(&mut self, files: &BTreeSet<String>) {
        if files.iter().any(|file| decides_everything(file)) {
            return self.mark_all();
        }
        let is_below = |folder: &String, path: &String| Path::new(path).starts_with(folder);
        let depends = |analysis: &Analysis| {
            files.iter().any(|file| {
                analysis.depends_on.contains(file)
                    // A folder may have been moved.
                    || analysis.depends_on.iter().any(|path| is_below(file, path))
            })
        };
        let users = self.analyses.iter().filter(|(_, analysis)| depends(analysis));
        let users: Vec<String> = users.map(|(key, _)| key.clone()).collect();
        for key in users {
            self.mark(&key);
        }
    }

    /// Forgets a text that was closed.
    fn close(&mut self, key: &str) {
        self.shared.set_analysis(key, None);
        let known = self.analyses.remove(key);
        self.show(
            std::iter::once(key.to_owned())
                .chain(known.iter().flat_map(|it| it.shown.keys().cloned())),
        );
    }

    /// Checks a text, and shows what was found.
    fn check(&mut self, key: &str) {
        let Some(open) = self.project.texts().get(key).cloned() else { return };
        let project = &mut self.project;
        let checked = catch_unwind(AssertUnwindSafe(|| project.check(&open)));
        let Ok((analysis, again)) = checked else {
            self.shared.report_bug(&format!("the check of {key}"));
            self.project.restart();
            return;
        };
        for key in &again {
            self.mark(key);
        }
        let analysis = Arc::new(analysis);
        self.shared.set_analysis(key, Some(Arc::clone(&analysis)));
        let former = self.analyses.insert(key.to_owned(), Arc::clone(&analysis));
        // The client has asked for the diagnostics of a text that it changed, and cannot know that another one has others now.
        let is_new =
            former.as_ref().is_none_or(|former| !Arc::ptr_eq(&former.open, &analysis.open));
        let differs = former.as_ref().is_some_and(|former| former.shown != analysis.shown);
        self.needs_refresh |= self.shared.client.pulls && !is_new && differs;
        let files = former.iter().flat_map(|it| it.shown.keys()).chain(analysis.shown.keys());
        self.show(std::iter::once(key.to_owned()).chain(files.cloned()));
    }

    /// Lets requests see what is up to date.
    fn share(&self) {
        let current = self.analyses.iter().filter(|(key, _)| !self.dirty.contains(key));
        self.shared.set_shown(current.map(|(key, it)| (key.clone(), Arc::clone(it))).collect());
    }

    /// Sends what has changed about some files.
    fn show(&mut self, keys: impl Iterator<Item = String>) {
        let keys: BTreeSet<String> = keys.collect();
        self.share();
        if self.shared.client.pulls {
            return;
        }
        for key in keys {
            if self.dirty.contains(&key) {
                continue;
            }
            let open = self.analyses.get(&key).map(|analysis| Arc::clone(&analysis.open));
            let found = found_in(&self.shared.shown(), &key);
            self.publish(&key, open.as_deref(), found);
        }
    }

    fn publish(&mut self, key: &str, open: Option<&OpenText>, found: Vec<Diagnostic>) {
        let known = self.published.get(key);
        let version = open.map(|open| open.version);
        let is_known = match known {
            Some(known) => known.found == found && known.version == version,
            None => open.is_none() && found.is_empty(),
        };
        if is_known {
            return;
        }
        let uri = match (open, known) {
            (Some(open), _) => Some(open.uri.clone()),
            (None, Some(known)) => Some(known.uri.clone()),
            (None, None) => uri::of_path(Path::new(key)),
        };
        let Some(uri) = uri else { return };
        let parameters =
            PublishDiagnosticsParams { uri: uri.clone(), diagnostics: found.clone(), version };
        self.shared.notify::<PublishDiagnostics>(parameters);
        if open.is_none() && found.is_empty() {
            self.published.remove(key);
        } else {
            self.published.insert(key.to_owned(), Published { uri, version, found });
        }
    }
}
