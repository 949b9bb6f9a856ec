//! `voxlint render`: shows what callers would hear.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use voxlint::syntax::Kind;
use voxlint::{Document, RenderedTemplate, RenderedText};
use voxlint_bindings::related_file;
use voxlint_project::{Failure, FileSystem, ReadOptions, all_read};
use voxlint_report::{
    CheckedDocument, RenderOptions as Style, show_templates, write_templates_json,
};

use super::{after_writing, failed, load};
use crate::args::{RenderOptions, TextOrJson};
use crate::exit::Exit;
use crate::options::{ONE_STDIN, name_stdin_twice};
use crate::terminal::{print_error, print_findings, style_of_stdout};

pub(crate) fn run(options: &RenderOptions) -> Exit {
    let files = options.reading.context.paths();
    if name_stdin_twice(files.chain(&options.variables).chain([&options.document])) {
        print_error(ONE_STDIN);
        return Exit::Failed;
    }
    render(options).unwrap_or_else(|failures| failed(&failures, options.color.when))
}

/// Renders the templates. Every failure ends the run: a text from a part of the files would be another one.
fn render(options: &RenderOptions) -> Result<Exit, Vec<Failure>> {
    let loaded = load(&options.document, &options.reading)?;
    let read = options.reading.stdin.read_options(&options.reading.syntax);
    let variables = options.variables.as_ref().map(|path| read_variables(path, &read));
    let variables = variables.transpose().map_err(|failure| vec![failure])?;
    let inputs = loaded.inputs();
    let render = if options.paths { voxlint::render_paths } else { voxlint::render };
    let Some(mut rendered) = render(&inputs, variables.as_ref()) else {
        let what = inputs.checked_as().noun_phrase();
        let message = format!("looks like {what}, which has no templates");
        return Err(vec![loaded.failure(message)]);
    };
    let has_template =
        |it: &RenderedTemplate| !matches!(it.outcome, RenderedText::Unset | RenderedText::Unknown);
    if loaded.document.recognise().is_none() && !rendered.templates.iter().any(has_template) {
        return Err(vec![loaded.failure("is not an agent document".to_owned())]);
    }
    if !options.fields.is_empty() {
        rendered.templates.retain(|it| options.fields.iter().any(|field| field == it.field));
        let fields = rendered.templates.iter().map(|it| format!("/{}", it.field));
        let fields: Vec<String> = fields.collect();
        rendered.report.diagnostics.retain(|found| fields.contains(&found.field));
    }
    let related = loaded.related.origins();
    let (path, text) = (&*loaded.input.shown, loaded.document.text());
    all_read(&rendered.report, (path, text), &related)?;
    let related: Vec<_> = related.iter().map(related_file).collect();
    let checked = CheckedDocument::new(path, text, &rendered.report).related_files(&related);
    let mut out = BufWriter::new(io::stdout().lock());
    let style = style_of_stdout(options.color.when);
    let style = Style { words_per_minute: options.words_per_minute, ..style };
    let written = match options.output.format {
        TextOrJson::Full => out.write_all(show_templates(&rendered, &style).as_bytes()),
        TextOrJson::Json => write_templates_json(&mut out, &checked, &rendered, &style),
    };
    let written = written.and_then(|()| out.flush());
    let is_clean = rendered.report.diagnostics.is_empty();
    if !is_clean && options.output.format == TextOrJson::Full {
        print_findings(&checked, options.color.when);
    }
    Ok(after_writing(written, if is_clean { Exit::Clean } else { Exit::Findings }))
}

/// The variables of a call: a file with one object.
fn read_variables(path: &Path, read: &ReadOptions) -> Result<Document, Failure> {
    let input = read.input(path);
    let document = input.document(input.read(&FileSystem::default())?)?;
    match document.tree().root() {
        Some(root) if root.kind() == Kind::Object && !document.has_errors() => Ok(document),
        Some(root) if root.kind() == Kind::Object => {
            Err(input.failure("has a syntax error: `voxlint check` shows it"))
        }
        _ => Err(input.failure("must be an object of variables")),
    }
}
