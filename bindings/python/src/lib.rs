//! The compiled part of the Python package. It releases the global interpreter lock during all work, and passes on texts and JSON.
//! The interface for users is in `python/voxlint`.

#![forbid(unsafe_code)]

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use voxlint_bindings as native;
use voxlint_bindings::{
    ContextOptions, DocumentFormat, DocumentOptions, PlanEntry, ProjectOptions, Safety, Unit,
    guarded,
};

create_exception!(
    voxlint,
    UsageError,
    PyValueError,
    "An argument that cannot be used, such as an unknown format or a stored configuration with syntax errors.\n\nWhat is wrong with a document never raises it: that is a finding."
);

create_exception!(
    voxlint,
    InternalError,
    PyRuntimeError,
    "A bug of voxlint, which standard error describes. Please report it. No caller can avoid it by another argument."
);

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` passes it")]
fn raised(error: native::Error) -> PyErr {
    if error.is_bug() {
        InternalError::new_err(error.to_string())
    } else {
        UsageError::new_err(error.to_string())
    }
}

/// Does something without the lock of the interpreter. A panic is an [`InternalError`], because one of pyo3 is not an `Exception`.
fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, native::Error> + Send,
) -> PyResult<T> {
    py.detach(|| guarded(work)).and_then(|it| it).map_err(raised)
}

/// Paths and messages.
type Pairs = Vec<(String, String)>;

/// How a document is read. `is_value`: it was written as JSON, whatever its path.
fn options(
    is_value: bool,
    format: Option<&str>,
    kind: Option<&str>,
    path: Option<&str>,
) -> PyResult<DocumentOptions> {
    let parse = if is_value { DocumentOptions::of_value } else { DocumentOptions::parse };
    parse(format, kind, path).map_err(raised)
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
        run(py, || native::Context::new(&options)).map(Self)
    }

    fn with_stored(&self, py: Python<'_>, stored: Option<&[u8]>) -> PyResult<Self> {
        run(py, || self.0.with_stored(stored)).map(Self)
    }

    fn check(
        &self,
        py: Python<'_>,
        document: &[u8],
        is_value: bool,
        format: Option<&str>,
        kind: Option<&str>,
        path: Option<&str>,
    ) -> PyResult<Report> {
        let options = options(is_value, format, kind, path)?;
        run(py, || Ok(self.0.check(document, &options))).map(Report)
    }

    fn predict(
        &self,
        py: Python<'_>,
        document: &[u8],
        is_value: bool,
        format: Option<&str>,
        kind: Option<&str>,
        path: Option<&str>,
    ) -> PyResult<Prediction> {
        let options = options(is_value, format, kind, path)?;
        run(py, || self.0.predict(document, &options)).map(Prediction)
    }

    fn diff(
        &self,
        py: Python<'_>,
        document: &[u8],
        is_value: bool,
        complete: bool,
        format: Option<&str>,
        path: Option<&str>,
    ) -> PyResult<Difference> {
        let options = options(is_value, format, None, path)?;
        run(py, || self.0.diff(document, &options, complete)).map(Difference)
    }

    /// The text after its fixes.
    #[expect(clippy::too_many_arguments, reason = "they are those of `check`")]
    fn fix(
        &self,
        py: Python<'_>,
        document: &[u8],
        is_value: bool,
        format: Option<&str>,
        kind: Option<&str>,
        path: Option<&str>,
        is_unsafe: bool,
    ) -> PyResult<Vec<u8>> {
        let options = options(is_value, format, kind, path)?;
        let safety = if is_unsafe { Safety::Unsafe } else { Safety::Safe };
        run(py, || self.0.fix(document, &options, safety))
    }

    fn explain(&self, py: Python<'_>, rule: &str) -> PyResult<String> {
        run(py, || native::explain(rule, &self.0))
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
            fn to_json(&self, py: Python<'_>) -> PyResult<String> {
                run(py, || Ok(String::from(self.0.to_json())))
            }

            /// Every text that spans point into, by its path.
            fn texts(&self) -> Vec<(&str, &str)> {
                self.0.texts().iter().collect()
            }

            fn text(&self, path: &str) -> Option<&str> {
                self.0.texts().get(path)
            }

            fn offsets(
                &self,
                py: Python<'_>,
                path: &str,
                bytes: Vec<u64>,
            ) -> PyResult<Option<Vec<u64>>> {
                run(py, || Ok(self.0.offsets(path, &bytes, Unit::CodePoints)))
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

/// Name, text, whether it was a value, context, and the stored configuration that the repository last knew.
type Planned<'py> = (String, Vec<u8>, bool, Bound<'py, Context>, Option<Vec<u8>>);

#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python passes a new list")]
fn plan(py: Python<'_>, documents: Vec<Planned<'_>>, format: Option<&str>) -> PyResult<Plan> {
    let mut entries = Vec::with_capacity(documents.len());
    for (name, bytes, is_value, context, base) in &documents {
        let options = options(*is_value, format, None, Some(name))?;
        let context = context.get().0.clone();
        entries.push(PlanEntry { bytes, options, context, base: base.as_deref() });
    }
    run(py, || native::plan(&entries)).map(Plan)
}

/// Checks of many texts.
#[pyclass(frozen, module = "voxlint._native")]
struct Batch {
    batch: Mutex<native::Batch>,
    /// Why a value cannot be read with the format and kind of the batch.
    not_for_values: Option<native::Error>,
}

impl Batch {
    fn batch(&self) -> MutexGuard<'_, native::Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
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
        let options = options(false, format, kind, None)?;
        Ok(Self {
            batch: Mutex::new(native::Batch::new(&context.0, &options, threads)),
            not_for_values: DocumentOptions::of_value(format, kind, None).err(),
        })
    }

    fn add(&self, py: Python<'_>, document: &[u8], is_value: bool) -> PyResult<()> {
        if let Some(error) = self.not_for_values.as_ref().filter(|_| is_value) {
            return Err(raised(error.clone()));
        }
        run(py, || {
            self.batch().add(document.to_vec());
            Ok(())
        })
    }

    /// Whether another text should be added before the next result is taken.
    fn wants_more(&self, py: Python<'_>) -> PyResult<bool> {
        run(py, || Ok(self.batch().wants_more()))
    }

    fn next(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        Ok(run(py, || Ok(self.batch().next_report()))?.map(Report))
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
        py: Python<'_>,
        path: PathBuf,
        stored: Option<PathBuf>,
        facts: Option<PathBuf>,
        config: Option<PathBuf>,
        agent_id: Option<String>,
    ) -> PyResult<Self> {
        let options = ProjectOptions { stored, facts, config, agent_id };
        run(py, || native::Project::open(&path, options)).map(Self)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes new paths")]
    fn check(&self, py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Report> {
        run(py, || self.0.check(&paths)).map(Report)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes a new path")]
    fn check_text(
        &self,
        py: Python<'_>,
        path: PathBuf,
        text: &[u8],
        is_value: bool,
    ) -> PyResult<Report> {
        let format = run(py, || Ok(DocumentFormat::of_path(&path.to_string_lossy())))?;
        // JSON is YAML as well.
        let is_json =
            matches!(format, DocumentFormat::Json | DocumentFormat::Jsonc | DocumentFormat::Yaml);
        if is_value && !is_json {
            return Err(UsageError::new_err(format!(
                "{}: a value is read as JSON, not as `{}`: give the text of the file",
                path.display(),
                format.name()
            )));
        }
        run(py, || self.0.check_text(&path, text)).map(Report)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes a new path")]
    fn predict(&self, py: Python<'_>, path: PathBuf) -> PyResult<Prediction> {
        run(py, || self.0.predict(&path)).map(Prediction)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes a new path")]
    fn diff(&self, py: Python<'_>, path: PathBuf, complete: bool) -> PyResult<Difference> {
        run(py, || self.0.diff(&path, complete)).map(Difference)
    }

    #[expect(clippy::needless_pass_by_value, reason = "Python passes new paths")]
    fn plan(&self, py: Python<'_>, paths: Vec<PathBuf>, base: Option<&str>) -> PyResult<Plan> {
        run(py, || self.0.plan(&paths, base)).map(Plan)
    }
}

/// The compiled part of voxlint.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        Batch, Context, Difference, InternalError, Plan, Prediction, Project, Report, UsageError,
        plan,
    };

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
