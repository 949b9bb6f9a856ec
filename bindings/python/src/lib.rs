//! The compiled part of the Python package. It releases the global interpreter lock during all work, and passes on texts and JSON.
//! The interface for users is in `python/voxlint`.

#![forbid(unsafe_code)]

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use voxlint_bindings as native;
use voxlint_bindings::{ContextOptions, DocumentOptions, PlanEntry, ProjectOptions, Unit};

create_exception!(
    voxlint,
    UsageError,
    PyValueError,
    "An argument that cannot be used, such as an unknown format or a stored configuration with syntax errors.\n\nWhat is wrong with a document never raises it: that is a finding."
);

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` passes it")]
fn misuse(error: native::Error) -> PyErr {
    UsageError::new_err(error.to_string())
}

/// Paths and messages.
type Pairs = Vec<(String, String)>;

fn options(
    format: Option<&str>,
    kind: Option<&str>,
    path: Option<&str>,
) -> PyResult<DocumentOptions> {
    DocumentOptions::parse(format, kind, path).map_err(misuse)
}

/// The stored configuration, facts and configuration that documents are checked with.
#[pyclass(frozen, module = "voxlint._native")]
struct Context(native::Context);

#[pymethods]
impl Context {
    #[new]
    fn new(
        py: Python<'_>,
        stored: Option<&[u8]>,
        facts: Option<&[u8]>,
        config: Option<&str>,
        agent_id: Option<&str>,
    ) -> PyResult<Self> {
        let options = ContextOptions { stored, facts, config, agent_id };
        py.detach(|| native::Context::new(&options)).map(Self).map_err(misuse)
    }

    fn with_stored(&self, py: Python<'_>, stored: Option<&[u8]>) -> PyResult<Self> {
        py.detach(|| self.0.with_stored(stored)).map(Self).map_err(misuse)
    }

    fn check(
        &self,
        py: Python<'_>,
        document: &[u8],
        format: Option<&str>,
        kind: Option<&str>,
        path: Option<&str>,
    ) -> PyResult<Report> {
        let options = options(format, kind, path)?;
        Ok(Report(py.detach(|| self.0.check(document, &options))))
    }

    fn predict(
        &self,
        py: Python<'_>,
        document: &[u8],
        format: Option<&str>,
        path: Option<&str>,
    ) -> PyResult<Prediction> {
        let options = options(format, None, path)?;
        py.detach(|| self.0.predict(document, &options)).map(Prediction).map_err(misuse)
    }

    fn diff(
        &self,
        py: Python<'_>,
        document: &[u8],
        partial: bool,
        format: Option<&str>,
        path: Option<&str>,
    ) -> PyResult<Difference> {
        let options = options(format, None, path)?;
        py.detach(|| self.0.diff(document, &options, partial)).map(Difference).map_err(misuse)
    }

    fn explain(&self, py: Python<'_>, rule: &str) -> PyResult<String> {
        py.detach(|| native::explain(rule, &self.0)).map_err(misuse)
    }
}

/// Defines a class for a result that is written as JSON.
macro_rules! result {
    ($(#[$doc:meta])* $name:ident { $($methods:tt)* }) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "voxlint._native")]
        struct $name(native::$name);

        #[pymethods]
        impl $name {
            fn to_json(&self, py: Python<'_>) -> String {
                py.detach(|| String::from(self.0.to_json()))
            }

            fn text(&self, path: &str) -> Option<&str> {
                self.0.texts().get(path)
            }

            fn offsets(&self, py: Python<'_>, path: &str, bytes: Vec<u64>) -> Option<Vec<u64>> {
                py.detach(|| self.0.offsets(path, &bytes, Unit::CodePoints))
            }

            $($methods)*
        }
    };
}

result! {
    /// The findings of a check.
    Report {
        #[getter]
        fn ok(&self) -> bool {
            self.0.is_ok()
        }

        #[getter]
        fn clean(&self) -> bool {
            self.0.is_clean()
        }

        #[getter]
        fn kind(&self) -> Option<&'static str> {
            self.0.kind()
        }

        #[getter]
        fn summary(&self) -> [(&'static str, u32); 12] {
            let counts = self.0.summary();
            [
                ("files", counts.files),
                ("documents", counts.documents),
                ("skipped", counts.skipped),
                ("errors", counts.errors),
                ("warnings", counts.warnings),
                ("infos", counts.infos),
                ("undecided", counts.undecided),
                ("fixable", counts.fixable),
                ("unsafe_fixable", counts.unsafe_fixable),
                ("fixed", counts.fixed),
                ("suppressed", counts.suppressed),
                ("baselined", counts.baselined),
            ]
        }

        #[getter]
        fn failures(&self) -> Pairs {
            self.0.failures().iter().map(|it| (it.path.clone(), it.message.clone())).collect()
        }
    }
}

result! {
    /// The answers to an update.
    Prediction {}
}

result! {
    /// The update between two states.
    Difference {
        #[getter]
        fn update(&self) -> Option<&str> {
            self.0.update()
        }
    }
}

result! {
    /// What would happen to documents.
    Plan {
        #[getter]
        fn bodies(&self) -> Pairs {
            self.0.bodies().iter().map(|(name, body)| (name.to_string(), body.clone())).collect()
        }

        #[getter]
        fn line(&self) -> &str {
            self.0.summary()
        }
    }
}

/// Name, text, context, and the stored configuration that the repository last knew.
type Planned<'py> = (String, Vec<u8>, Bound<'py, Context>, Option<Vec<u8>>);

#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python passes a new list")]
fn plan(py: Python<'_>, documents: Vec<Planned<'_>>, format: Option<&str>) -> PyResult<Plan> {
    let mut entries = Vec::with_capacity(documents.len());
    for (name, bytes, context, base) in &documents {
        let options = options(format, None, Some(name))?;
        let context = context.get().0.clone();
        entries.push(PlanEntry { bytes, options, context, base: base.as_deref() });
    }
    py.detach(|| native::plan(&entries)).map(Plan).map_err(misuse)
}

/// Checks of many texts.
#[pyclass(frozen, module = "voxlint._native")]
struct Batch(Mutex<native::Batch>);

impl Batch {
    fn batch(&self) -> MutexGuard<'_, native::Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        context: &Context,
        format: Option<&str>,
        kind: Option<&str>,
        threads: NonZeroUsize,
    ) -> PyResult<Self> {
        let options = options(format, kind, None)?;
        Ok(Self(Mutex::new(native::Batch::new(&context.0, &options, threads))))
    }

    fn add(&self, py: Python<'_>, document: &[u8]) {
        py.detach(|| self.batch().add(document.to_vec()));
    }

    /// Whether another text should be added before the next result is taken.
    fn wants_more(&self, py: Python<'_>) -> bool {
        py.detach(|| self.batch().wants_more())
    }

    fn next(&self, py: Python<'_>) -> Option<Report> {
        py.detach(|| self.batch().next_report()).map(Report)
    }
}

/// The files of a folder.
#[pyclass(frozen, module = "voxlint._native")]
struct Project(native::Project);

#[pymethods]
impl Project {
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "Python passes new paths")]
    fn new(
        path: PathBuf,
        stored: Option<PathBuf>,
        facts: Option<PathBuf>,
        config: Option<PathBuf>,
        agent_id: Option<String>,
    ) -> PyResult<Self> {
        let options = ProjectOptions { stored, facts, config, agent_id };
        native::Project::open(&path, options).map(Self).map_err(misuse)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes new paths")]
    fn check(&self, py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Report> {
        py.detach(|| self.0.check(&paths)).map(Report).map_err(misuse)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes a new path")]
    fn check_text(&self, py: Python<'_>, path: PathBuf, text: &str) -> PyResult<Report> {
        py.detach(|| self.0.check_text(&path, text)).map(Report).map_err(misuse)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes a new path")]
    fn predict(&self, py: Python<'_>, path: PathBuf) -> PyResult<Prediction> {
        py.detach(|| self.0.predict(&path)).map(Prediction).map_err(misuse)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes a new path")]
    fn diff(&self, py: Python<'_>, path: PathBuf, partial: bool) -> PyResult<Difference> {
        py.detach(|| self.0.diff(&path, partial)).map(Difference).map_err(misuse)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes new paths")]
    fn plan(&self, py: Python<'_>, paths: Vec<PathBuf>, base: Option<&str>) -> PyResult<Plan> {
        py.detach(|| self.0.plan(&paths, base)).map(Plan).map_err(misuse)
    }
}

/// The compiled part of voxlint.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Batch, Context, Difference, Plan, Prediction, Project, Report, UsageError, plan};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
