//! `voxlint predict`: prints the possible answers to an update.

use std::io::{self, BufWriter, Write as _};

use voxlint_bindings::related_file;
use voxlint_project::Failure;
use voxlint_report::{CheckedDocument, render_prediction, write_prediction_json};

use super::{after_writing, failed, load};
use crate::args::{PredictOptions, TextOrJson};
use crate::exit::Exit;
use crate::options::{ONE_STDIN, name_stdin_twice};
use crate::terminal::{print_error, style_of_stdout};

pub(crate) fn run(options: &PredictOptions) -> Exit {
    if name_stdin_twice(options.reading.context.paths().chain([&options.update])) {
        print_error(ONE_STDIN);
        return Exit::Failed;
    }
    predict(options).unwrap_or_else(|failures| failed(&failures, options.color.when))
}

/// Predicts the answers. Every failure ends the run: a prediction from a part of the files would be another one.
fn predict(options: &PredictOptions) -> Result<Exit, Vec<Failure>> {
    let loaded = load(&options.update, &options.reading)?;
    let related = loaded.related.origins();
    let (path, text) = (&*loaded.input.shown, loaded.document.text());
    let prediction = voxlint_project::predict(path, &loaded.inputs(), &related)?;
    let related: Vec<_> = related.iter().map(related_file).collect();
    let checked = CheckedDocument::new(path, text, &prediction.report).related_files(&related);
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.output.format {
        TextOrJson::Full => {
            let style = style_of_stdout(options.color.when);
            out.write_all(render_prediction(&style, &checked, &prediction).as_bytes())
        }
        TextOrJson::Json => write_prediction_json(&mut out, &checked, &prediction),
    };
    let is_broken = prediction.report.diagnostics.iter().any(|it| it.rule.is_syntax());
    if loaded.input.is_unnamed_stdin()
        && is_broken
        && let Some(suggestion) = voxlint_project::suggest_stdin_format(text)
    {
        print_error(&format!("{path}: {suggestion}"));
    }
    let is_sure = prediction.is_certainly_accepted();
    let exit = if is_sure { Exit::Clean } else { Exit::Findings };
    Ok(after_writing(written.and_then(|()| out.flush()), exit))
}
