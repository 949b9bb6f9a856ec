use std::io::{self, BufWriter, Write as _};

use voxlint::{DocumentKind, Source};
use voxlint_config::FileSettings;
use voxlint_report::{CheckedDocument, FailedFile, render_prediction, write_prediction_json};

use super::after_writing;
use crate::Outcome;
use crate::args::{PredictOptions, TextOrJson};
use crate::files::{self, Reading};
use crate::judge;
use crate::partners::{PartnerFile, PartnerFiles, Partners, Role, parse};
use crate::paths::folder;
use crate::project::Project;
use crate::stdin;
use crate::terminal::{complain, style_of_stdout};
use crate::texts::{self, Texts};

pub(crate) fn run(options: &PredictOptions) -> Outcome {
    if files::name_stdin_twice(options.context.paths().chain([&options.update])) {
        complain(files::ONE_STDIN);
        return Outcome::Failed;
    }
    predict(options).unwrap_or_else(|failures| {
        for failure in &failures {
            complain(&format!("{}: {}", failure.path, failure.message));
        }
        Outcome::Failed
    })
}

/// A prediction from half of what was asked for would be another prediction, so anything that goes wrong ends the run.
fn predict(options: &PredictOptions) -> Result<Outcome, Vec<FailedFile>> {
    let reading = Reading {
        stdin_filename: options.stdin.stdin_filename.as_deref(),
        jsonc: options.syntax.jsonc,
    };
    let input = reading.named(&options.update);
    let fail = |message: String| vec![FailedFile { path: input.shown.clone(), message }];
    if options.update.is_dir() {
        let path = options.update.to_string_lossy().into_owned();
        let message = "is a directory, and one update is predicted at a time".to_owned();
        return Err(vec![FailedFile { path, message }]);
    }
    if let Some(complaint) = texts::have_no_place(&input, &options.texts.text_files) {
        return Err(fail(complaint));
    }
    let mut failures = Vec::new();
    let bytes = input.read().map_err(|failure| failures.push(failure));
    let mut project = Project::new(&options.configuration, options.color.when);
    project.look_up(folder(&input.absolute));
    failures.append(&mut project.failures);
    let settings = project.settings(&input.absolute);
    let stated = settings.as_ref().and_then(FileSettings::facts);
    let facts = stated.map(|facts| facts.value.clone()).into_iter().collect();
    let files = PartnerFiles::read(&options.context, reading, facts, &project, &mut failures);
    let sources = files.sources();
    let partners = Partners::parse(&sources, &options.context, options.color.when, &mut failures);
    let held = if options.context.stored.is_some() {
        None
    } else {
        let held = PartnerFile::stored(settings.as_ref(), &project);
        held.map_err(|failure| failures.push(failure)).ok().flatten()
    };
    let held = held.as_ref().map(PartnerFile::source);
    let role = Role::Stored(partners.agent_id(settings.as_ref()));
    let held = held.as_ref().and_then(|(held, source)| {
        let parsed = parse(held, source, role).map_err(|unusable| unusable.failure(role));
        parsed.map_err(|failure| failures.push(failure)).ok()
    });
    let Ok(bytes) = bytes else { return Err(failures) };
    if !failures.is_empty() {
        return Err(failures);
    }

    let source = Source::from_bytes(&bytes);
    let document = input.document(&source).map_err(|failure| vec![failure])?;
    let has_some =
        settings.as_ref().is_some_and(|it| it.stored().is_some() || !it.text_files().is_empty());
    if let Some(failure) = input.lost(has_some).filter(|_| has_some || project.looks_above()) {
        return Err(vec![failure]);
    }
    let beside = texts::beside(&input, &options.texts.text_files, settings.as_ref());
    let texts = Texts::read(&beside, &project).map_err(|failure| vec![failure])?;
    let texts = texts.sources();
    let inputs = partners.inputs(&document, settings.as_ref(), held.as_ref());
    let inputs = inputs.texts(texts::inputs(&texts));
    let Some(prediction) = voxlint::predict(&inputs) else {
        let what = inputs.checked_as().noun_phrase();
        let wanted = DocumentKind::Update.noun_phrase();
        return Err(fail(format!("looks like {what}, and only {wanted} can be predicted")));
    };
    let twice = prediction.report.diagnostics.iter().find(|it| it.rule.id == "text-given-twice");
    if let Some(found) = twice {
        return Err(fail(found.message.clone()));
    }
    let beside = partners.list(settings.as_ref(), held.as_ref());
    let beside: Vec<_> = beside.into_iter().chain(texts::partners(&texts)).collect();
    let checked = CheckedDocument::new(&input.shown, source.text(), &prediction.report)
        .related_files(&beside);
    let unread = judge::unread(&checked);
    if !unread.is_empty() {
        return Err(unread);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.output.format {
        TextOrJson::Full => {
            let style = style_of_stdout(options.color.when);
            out.write_all(render_prediction(&style, &checked, &prediction).as_bytes())
        }
        TextOrJson::Json => write_prediction_json(&mut out, &checked, &prediction),
    };
    let is_broken = prediction.report.diagnostics.iter().any(|it| it.rule.id == "syntax-error");
    if input.is_unnamed_stdin()
        && is_broken
        && let Some(suggestion) = stdin::suggestion(source.text())
    {
        complain(&format!("{}: {suggestion}", input.shown));
    }
    let is_sure = prediction.is_surely_accepted();
    let outcome = if is_sure { Outcome::Clean } else { Outcome::Findings };
    Ok(after_writing(written.and_then(|()| out.flush()), outcome))
}
