//! `voxlint why`: says what happened to a rule in a document.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use voxlint::{RuleRef, Severity, Trace, rules};
use voxlint_bindings::{failed_file, skipped_files, with_checked};
use voxlint_project::{
    FileStatus, LintedDocument, ReadOptions, Renderer, RunResult, Session, SkipReason,
};
use voxlint_report::{Lines, LocatedTrace, SkippedFile, render_why, write_why_json};

use super::after_writing;
use crate::args::{TextOrJson, WhyOptions};
use crate::exit::Exit;
use crate::find::find_files;
use crate::findings::NOTHING;
use crate::options::{baseline_options, lint_options};
use crate::terminal::{print_error, print_failures, style_of_stdout};

pub(crate) fn run(options: WhyOptions) -> Exit {
    explain(options).unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

/// Records what happens to the rule in the worker threads.
struct Tracer {
    rule: RuleRef,
    min_severity: Severity,
    lines: Lines,
}

impl Renderer for Tracer {
    type Output = Option<LocatedTrace>;

    fn render(&self, mut document: LintedDocument) -> Self::Output {
        document.trace.finish(&document.report, self.min_severity);
        let extent = document.document.extent();
        with_checked(&document, |checked| {
            LocatedTrace::new(&checked, &document.trace, extent, &self.lines)
        })
    }

    fn wants_fixes(&self) -> bool {
        false
    }

    fn trace(&self) -> Trace {
        Trace::of(self.rule.clone())
    }
}

fn explain(mut options: WhyOptions) -> Result<Exit, String> {
    let lines = take_lines(options.input.paths_mut());
    let mut lint = lint_options(&options.input, &options.configuration);
    options.gate.apply(&mut lint.related);
    lint.selection = options.rules.selection();
    baseline_options(&options.baseline, &mut lint)?;
    lint.changed_since.clone_from(&options.changed.changed_since);
    let mut session = Session::once(lint.clone());
    let mut files = find_files(&mut session, &options.input, options.color.when)?;
    let rules = session.configurations().rules();
    let rule = rules::find_among(&options.rule, &rules, "`voxlint rules` lists them all")?.clone();
    let tracer = Tracer { rule, min_severity: options.min_severity.into(), lines };

    // A file that is named is checked, though its folder may be checked without it.
    let mut skipped = Vec::new();
    let is_named = |path: &&PathBuf| path.as_os_str() != "-" && !path.is_dir();
    let named: Vec<PathBuf> = options.input.paths().iter().filter(is_named).cloned().collect();
    if !named.is_empty() {
        lint.explicit_paths.force_exclude = true;
        lint.explicit_paths.only_documents = true;
        let mut session = Session::once(lint);
        if let Ok(mut files) = session.find_files(&named) {
            let result = session.lint_files(&mut files, &tracer, &mut |_, _| {});
            skipped = all_skipped(&result);
        }
        for path in &named {
            if let Some(why) = session.why_unvisited(path) {
                let path = shown(path);
                skipped.retain(|it: &SkippedFile| it.path != path);
                skipped.push(SkippedFile { path, why: why.to_string() });
            }
        }
    }

    let mut documents = Vec::new();
    let result =
        session.lint_files(&mut files, &tracer, &mut |document, _| documents.extend(document));
    for file in all_skipped(&result) {
        if skipped.iter().all(|known| known.path != file.path) {
            skipped.push(file);
        }
    }
    let mut out = io::stdout().lock();
    let written = match options.output.format {
        TextOrJson::Full => {
            let style = style_of_stdout(options.color.when);
            out.write_all(render_why(&style, &documents, &skipped).as_bytes())
        }
        TextOrJson::Json => {
            let failed: Vec<_> = result.failures.iter().map(failed_file).collect();
            write_why_json(&mut out, &tracer.rule.id, &documents, &skipped, &failed)
        }
    };
    print_failures(&result.failures);
    let is_explained = |path: &str| skipped.iter().any(|file| file.path == path);
    let has_failed = result.failures.iter().any(|failure| !is_explained(&failure.path));
    let is_empty = documents.is_empty() && skipped.is_empty();
    if is_empty && !has_failed {
        print_error(if tracer.lines.is_empty() { NOTHING } else { "no document is at this line" });
    }
    Ok(after_writing(written, if has_failed || is_empty { Exit::Failed } else { Exit::Clean }))
}

/// The files that a run has skipped, also those that have not changed.
fn all_skipped(result: &RunResult) -> Vec<SkippedFile> {
    let unchanged = result.statuses.files.iter().filter_map(|file| match &file.status {
        FileStatus::Skipped(why @ SkipReason::Unchanged(_)) => {
            Some(SkippedFile { path: file.shown.to_string(), why: why.to_string() })
        }
        _ => None,
    });
    skipped_files(result).into_iter().chain(unchanged).collect()
}

/// The path of a file as users see it.
fn shown(path: &Path) -> String {
    ReadOptions::default().input(path).shown.to_string()
}

/// Takes the lines off paths such as `agents/en.json:12`.
fn take_lines(paths: &mut [PathBuf]) -> Lines {
    let mut lines = Lines::new();
    for path in paths.iter_mut().filter(|path| !path.exists()) {
        let text = path.to_string_lossy().into_owned();
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse()
        {
            *path = PathBuf::from(file);
            lines.entry(shown(Path::new(file))).or_default().push(line);
        }
    }
    lines
}
