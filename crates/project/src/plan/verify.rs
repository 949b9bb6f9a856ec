//! Compares the inputs and bodies of a saved plan with what is there now.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use super::PlanOptions;
use super::inputs::{InputRole, PlanInput, hash_of};
use crate::Failure;
use crate::file_set::FileSet;
use crate::file_system::describe_io_error;
use crate::paths::join;
use crate::session::Session;

/// What happened to an input or a body since the plan was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum InputChangeKind {
    /// Its bytes differ.
    Changed,
    /// It is gone.
    Missing,
    /// It was not there, and would be planned now.
    Added,
    /// It is there, and would not be planned any more.
    Unplanned,
}

impl InputChangeKind {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Added => "added",
            Self::Unplanned => "unplanned",
        }
    }
}

/// An input or a body that is not what it was when the plan was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputChange {
    /// The path of an input as the plan has it, or the name of a body.
    pub path: String,
    /// What the file is: the name of an [`InputRole`], or `body`.
    pub role: &'static str,
    /// What happened.
    pub kind: InputChangeKind,
}

impl Session {
    /// The inputs that are not what they were when a plan was saved. `files` are those that its arguments lead to now. A base in
    /// a commit cannot change.
    ///
    /// # Errors
    ///
    /// If nothing has changed and a file cannot be read or used.
    pub fn changed_inputs(
        &mut self,
        files: &mut FileSet,
        options: &PlanOptions,
        recorded: &[PlanInput],
    ) -> Result<Vec<InputChange>, Vec<Failure>> {
        self.take_bases(files, options);
        let bases = self
            .open_bases(files, options)
            .map_err(|error| vec![Failure::new(self.root_of(options), error.to_string())])?;
        let neighbors = self.find_neighbors(files);
        let root = self.root_of(options);
        let (now, mut failures) = self.record_inputs(files, &neighbors, &bases, root);
        failures.extend(files.failures.iter().cloned());
        let now: BTreeMap<&str, InputRole> = now.iter().map(|it| (&*it.path, it.role)).collect();
        let mut changes = Vec::new();
        for input in recorded.iter().filter(|input| !is_committed(input)) {
            let path = PathBuf::from(join(root, &input.path));
            let kind = match hash_of(&path) {
                Ok(sha256) if sha256 != input.sha256 => InputChangeKind::Changed,
                Ok(_) if !now.contains_key(&*input.path) => InputChangeKind::Unplanned,
                Ok(_) => continue,
                Err(error) if error.kind() == io::ErrorKind::NotFound => InputChangeKind::Missing,
                Err(error) => {
                    failures.push(Failure::new(&*input.path, describe_io_error(&error)));
                    continue;
                }
            };
            changes.push(InputChange { path: input.path.clone(), role: input.role.name(), kind });
        }
        let known: BTreeMap<&str, InputRole> =
            recorded.iter().map(|input| (&*input.path, input.role)).collect();
        for (path, role) in now.into_iter().filter(|(path, _)| !known.contains_key(path)) {
            let (path, kind) = (path.to_owned(), InputChangeKind::Added);
            changes.push(InputChange { path, role: role.name(), kind });
        }
        changes.sort_by(|a, b| (&a.path, a.role).cmp(&(&b.path, b.role)));
        // A file that was changed may be unusable now: that is what has changed.
        if changes.is_empty() && !failures.is_empty() { Err(failures) } else { Ok(changes) }
    }
}

/// Whether an input is in a commit: its path begins with the id.
fn is_committed(input: &PlanInput) -> bool {
    let id = input.path.split_once(':').map_or("", |(id, _)| id);
    input.role == InputRole::Base
        && matches!(id.len(), 40 | 64)
        && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}
