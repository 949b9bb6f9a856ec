//! `voxlint vars`: lists the template variables of documents.

use std::io::{self, BufWriter, Write as _};

use voxlint::template_variables;
use voxlint_bindings::{failed_file, skipped_files, with_checked};
use voxlint_project::{LintedDocument, Renderer, Session};
use voxlint_report::{LocatedVariables, render_variables, write_variables_json};

use super::after_writing;
use crate::args::{TextOrJson, VarsOptions};
use crate::exit::Exit;
use crate::find::find_files;
use crate::findings::{NOTHING, stored_conflict};
use crate::options::lint_options;
use crate::terminal::{print_error, print_failures, style_of_stdout};

pub(crate) fn run(options: &VarsOptions) -> Exit {
    list(options).unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

/// Finds the variables of each document in the worker threads.
struct VariableRenderer;

/// The variables of a document, if it may have templates, and whether a stored configuration applies to it.
struct DocumentVariables {
    located: Option<LocatedVariables>,
    has_settings: bool,
}

impl Renderer for VariableRenderer {
    type Output = DocumentVariables;

    fn render(&self, document: LintedDocument) -> DocumentVariables {
        let table = template_variables(&document.inputs);
        let locate =
            |table| with_checked(&document, |checked| LocatedVariables::new(&checked, &table));
        DocumentVariables { located: table.map(locate), has_settings: document.kind.has_settings() }
    }
}

fn list(options: &VarsOptions) -> Result<Exit, String> {
    let mut session = Session::once(lint_options(&options.input, &options.configuration));
    let mut files = find_files(&mut session, &options.input, options.color.when)?;
    let (mut documents, mut changes, mut changed_files) = (Vec::new(), 0, 0);
    let mut has_changes = false;
    let result = session.lint_files(&mut files, &VariableRenderer, &mut |document, is_first| {
        has_changes &= !is_first;
        if document.has_settings {
            changes += 1;
            changed_files += u64::from(!std::mem::replace(&mut has_changes, true));
        }
        documents.extend(document.located);
    });
    if options.input.context.stored.is_some()
        && let Some(conflict) = stored_conflict(changes, changed_files)
    {
        return Err(conflict);
    }
    let is_empty = documents.is_empty() && result.failures.is_empty();
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.output.format {
        TextOrJson::Full => {
            let style = style_of_stdout(options.color.when);
            let tables = documents.iter().map(|located| render_variables(&style, located));
            out.write_all(tables.collect::<Vec<_>>().join("\n").as_bytes())
        }
        TextOrJson::Json => {
            let skipped = skipped_files(&result);
            let failed: Vec<_> = result.failures.iter().map(failed_file).collect();
            write_variables_json(&mut out, &documents, &skipped, &failed)
        }
    };
    let written = written.and_then(|()| out.flush());
    print_failures(&result.failures);
    if is_empty {
        print_error(NOTHING);
    }
    let is_complete = !is_empty && result.failures.is_empty();
    let exit = if is_complete { Exit::Clean } else { Exit::Failed };
    Ok(after_writing(written, exit))
}
