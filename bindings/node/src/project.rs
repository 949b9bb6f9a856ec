//! The files of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;
use voxlint_bindings::{Error, Project as Core, ProjectOptions};

use crate::input::thrown;
use crate::outcome::{self, Answer};
use crate::task::{Work, start};

/// The agent documents of a file or folder.
#[napi]
pub struct Project(Arc<Core>);

#[napi]
impl Project {
    /// Opens a project. Nothing is read yet.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        path: String,
        stored: Option<String>,
        facts: Option<String>,
        config: Option<String>,
        agent_id: Option<String>,
    ) -> napi::Result<Self> {
        let options = ProjectOptions {
            stored: stored.map(PathBuf::from),
            facts: facts.map(PathBuf::from),
            config: config.map(PathBuf::from),
            agent_id,
        };
        let core = Core::open(Path::new(&path), options).map_err(thrown)?;
        Ok(Self(Arc::new(core)))
    }

    /// Checks files and folders, or all of the project.
    #[napi(catch_unwind)]
    pub fn check(&self, paths: Vec<String>) -> napi::Result<Answer> {
        check(&self.0, paths).map_err(thrown)
    }

    /// Checks files on another thread.
    #[napi(catch_unwind)]
    pub fn check_async(&self, paths: Vec<String>) -> AsyncTask<Work<Answer>> {
        let core = Arc::clone(&self.0);
        start(move || check(&core, paths))
    }

    /// Checks a text as if it were saved at a path.
    #[napi(catch_unwind)]
    pub fn check_text(&self, path: String, text: String) -> napi::Result<Answer> {
        check_text(&self.0, &path, &text).map_err(thrown)
    }

    /// Checks a text as if it were saved at a path, on another thread.
    #[napi(catch_unwind)]
    pub fn check_text_async(&self, path: String, text: String) -> AsyncTask<Work<Answer>> {
        let core = Arc::clone(&self.0);
        start(move || check_text(&core, &path, &text))
    }

    /// Predicts the answers to the update in a file.
    #[napi(catch_unwind)]
    pub fn predict(&self, path: String) -> napi::Result<Answer> {
        predict(&self.0, &path).map_err(thrown)
    }

    /// Predicts the answers to the update in a file on another thread.
    #[napi(catch_unwind)]
    pub fn predict_async(&self, path: String) -> AsyncTask<Work<Answer>> {
        let core = Arc::clone(&self.0);
        start(move || predict(&core, &path))
    }

    /// Compares the stored configuration of a file with the settings in it.
    #[napi(catch_unwind)]
    pub fn diff(&self, path: String, complete: bool) -> napi::Result<Answer> {
        diff(&self.0, &path, complete).map_err(thrown)
    }

    /// Compares the stored configuration of a file with the settings in it on another thread.
    #[napi(catch_unwind)]
    pub fn diff_async(&self, path: String, complete: bool) -> AsyncTask<Work<Answer>> {
        let core = Arc::clone(&self.0);
        start(move || diff(&core, &path, complete))
    }

    /// Plans the updates of some files and folders, or of all of the project.
    #[napi(catch_unwind)]
    pub fn plan(&self, paths: Vec<String>, base: Option<String>) -> napi::Result<Answer> {
        plan(&self.0, paths, base.as_deref()).map_err(thrown)
    }

    /// Plans updates on another thread.
    #[napi(catch_unwind)]
    pub fn plan_async(&self, paths: Vec<String>, base: Option<String>) -> AsyncTask<Work<Answer>> {
        let core = Arc::clone(&self.0);
        start(move || plan(&core, paths, base.as_deref()))
    }
}

fn files(paths: Vec<String>) -> Vec<PathBuf> {
    paths.into_iter().map(PathBuf::from).collect()
}

fn check(core: &Core, paths: Vec<String>) -> Result<Answer, Error> {
    core.check(&files(paths)).map(|it| outcome::report(&it))
}

fn check_text(core: &Core, path: &str, text: &str) -> Result<Answer, Error> {
    core.check_text(Path::new(path), text).map(|it| outcome::report(&it))
}

fn predict(core: &Core, path: &str) -> Result<Answer, Error> {
    core.predict(Path::new(path)).map(|it| outcome::prediction(&it))
}

fn diff(core: &Core, path: &str, complete: bool) -> Result<Answer, Error> {
    core.diff(Path::new(path), complete).map(|it| outcome::difference(&it))
}

fn plan(core: &Core, paths: Vec<String>, base: Option<&str>) -> Result<Answer, Error> {
    core.plan(&files(paths), base).map(|it| outcome::plan(&it))
}
