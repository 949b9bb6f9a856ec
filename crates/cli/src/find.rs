//! Finds the files of a run.

use voxlint_project::{FileSet, Session, SessionError};

use crate::args::{ColorArgument, InputOptions};
use crate::options::{ONE_STDIN, UNNAMED_STDIN, name_stdin_twice};
use crate::terminal::print_faults;

/// Finds the files to check, and prints the faults of files that cannot be used.
///
/// # Errors
///
/// If an option does not fit the others, or the files.
pub(crate) fn find_files(
    session: &mut Session,
    input: &InputOptions,
    color: ColorArgument,
) -> Result<FileSet, String> {
    let paths = input.paths();
    if name_stdin_twice(input.context.paths().chain(&paths)) {
        return Err(ONE_STDIN.to_owned());
    }
    match session.find_files(&paths) {
        Ok(files) => {
            print_faults(files.failures(), color);
            Ok(files)
        }
        Err(error) => {
            print_faults(&session.configurations_mut().take_failures(), color);
            Err(match error {
                SessionError::NoFileName => UNNAMED_STDIN.to_owned(),
                error => error.to_string(),
            })
        }
    }
}
