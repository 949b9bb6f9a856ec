//! Applies fixes before a check, or shows what they would change.

use std::io::{self, Write};

use voxlint::fixes::NotApplied;
use voxlint::{Severity, counted};
use voxlint_project::{FileChange, FileSet, FixOptions as ProjectOptions, FixResult, Session};
use voxlint_report::{
    Masked, PatchInput, RenderOptions, RunSummary, escape_terminal, render_patch, unapplied_part,
};

use crate::args::{FixOptions, InputOptions};
use crate::outputs::ReportWriter;
use crate::terminal::print_error;

/// What was fixed, or would be.
pub(crate) struct FixRun {
    pub(crate) result: FixResult,
    /// What the diff masks.
    masked: Masked,
}

/// A change as it is printed.
pub(crate) struct ShownChange {
    pub(crate) header: String,
    pub(crate) hunks: String,
    pub(crate) masked: Masked,
}

/// Reads standard input to its end if a run that fixes files reads it: such a run reads every file twice.
///
/// # Errors
///
/// If standard input cannot be kept.
pub(crate) fn keep_stdin(session: &Session, input: &InputOptions) -> Result<(), String> {
    let paths = input.paths();
    let mut named = input.context.paths().chain(&paths);
    if named.all(|path| path.as_os_str() != "-") {
        return Ok(());
    }
    let kept = session.file_system().keep_stdin();
    kept.map_err(|error| format!("standard input cannot be read: {error}"))
}

/// Applies the fixes, or writes the changes to `out`. Findings below `min_severity` are not fixed.
pub(crate) fn run(
    session: &Session,
    files: &FileSet,
    options: FixOptions,
    min_severity: Severity,
    style: &RenderOptions,
    out: &mut dyn Write,
) -> FixRun {
    let show = |change: &FileChange<'_>| shown(change, style);
    let mut masked = Masked::default();
    let mut header = String::new();
    let mut write = |change: ShownChange| {
        masked.add(change.masked);
        // The lines of a file have one header.
        if change.header != header {
            // A failure is reported when the writer is finished.
            let _ = out.write_all(change.header.as_bytes());
            header = change.header;
        }
        let _ = out.write_all(change.hunks.as_bytes());
    };
    let project =
        ProjectOptions { safety: options.safety(), write: options.writes(), min_severity };
    let result = session.fix_files(files, project, &show, &mut write);
    FixRun { result, masked }
}

pub(crate) fn shown(change: &FileChange<'_>, style: &RenderOptions) -> ShownChange {
    let input = PatchInput {
        path: change.path,
        lines_before: change.lines_before,
        is_line: change.is_line,
        before: change.before,
        after: change.after,
        secrets_before: change.secrets_before,
        secrets_after: change.secrets_after,
    };
    let patch = render_patch(&input, style);
    ShownChange { header: patch.header, hunks: patch.hunks, masked: patch.masked }
}

/// Writes standard input with its fixes to standard output.
///
/// # Errors
///
/// If that is not possible. A closed pipe is not a failure.
pub(crate) fn write_stdin(session: &Session) -> Result<(), String> {
    let mut out = ReportWriter::new("standard output", io::stdout().lock());
    let copied = io::copy(&mut session.file_system().stdin(), &mut out);
    copied.map_err(|error| format!("standard input cannot be read: {error}"))?;
    out.finish().map(drop)
}

impl FixRun {
    /// Prints the files that were left as they are on purpose.
    pub(crate) fn print_kept(&self) {
        for kept in &self.result.kept {
            print_error(&kept.to_string());
        }
    }

    /// Prints what was fixed, or would be.
    pub(crate) fn print_summary(&self, options: FixOptions, summary: &RunSummary) {
        let FixResult { problems, files, .. } = self.result;
        let unchanged = (self.result.kept.len() + self.result.failures.len()) as u64;
        let verb = if options.diff { "would fix" } else { "fixed" };
        let line = if files > 0 {
            format!("{verb} {} in {}", counted(problems, "finding"), counted(files, "file"))
        } else if unchanged > 0 {
            format!("{verb} nothing")
        } else {
            format!("nothing to fix in {}", counted(summary.documents, "document"))
        };
        let line = if unchanged > 0 {
            format!("{line}; {} could not be changed", counted(unchanged, "file"))
        } else {
            line
        };
        // The files that could not be changed have messages of their own.
        let mut summary = *summary;
        for reason in [NotApplied::LinkOutside, NotApplied::OpenFile, NotApplied::NotWritten] {
            summary.unapplied.forget(reason);
        }
        let left = unapplied_part(&summary).map(|left| format!(" · {left}")).unwrap_or_default();
        let more = if options.diff && self.result.is_unfinished() {
            " · there may be more after these: run voxlint again"
        } else {
            ""
        };
        let line = format!("{line}{left}{more}");
        // A failure to write to standard error cannot be reported.
        let _ = writeln!(io::stderr(), "{}", escape_terminal(&line));
        if let Some(notice) = self.masked.notice() {
            print_error(&format!("{notice}, so it cannot be applied: use --fix"));
        }
    }
}
