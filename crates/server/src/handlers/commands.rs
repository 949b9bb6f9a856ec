//! Commands: the answer that the service would give, the least update, and the page of a rule.
//!
//! Each returns the text, and shows it if the client can show files, unless its argument says `"show": false`.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::notification::ShowMessage;
use lsp_types::request::ShowDocument;
use lsp_types::{ExecuteCommandParams, MessageType, ShowDocumentParams, ShowMessageParams, Uri};
use serde_json::{Value, json};
use voxlint::docs::pages;
use voxlint::{Difference, Severity, rules};
use voxlint_project::{Failure, LoadedDocument};
use voxlint_report::{
    CheckedDocument, RelatedFile, RenderOptions, difference_notes, escape_json, render_prediction,
    write_changes,
};

use crate::context::Context;
use crate::error::Error;
use crate::project::Project;
use crate::uri;

/// Shows what the service would answer to a document.
pub(crate) const PREDICT: &str = "voxlint.predict";

/// Shows the least update that brings the stored configuration up to date.
pub(crate) const DIFF: &str = "voxlint.diff";

/// Shows the page of a rule.
pub(crate) const EXPLAIN: &str = "voxlint.explain";

/// All commands.
pub(crate) const ALL: [&str; 3] = [PREDICT, DIFF, EXPLAIN];

/// A text that a command has made.
struct Shown {
    /// The name of its file, which says what it is.
    name: String,
    language: &'static str,
    text: String,
    /// What else is to be said, one remark a line.
    notes: Vec<String>,
}

pub(crate) fn execute(
    context: &Context<'_>,
    project: &mut Project,
    parameters: &ExecuteCommandParams,
) -> Result<Option<Value>, Error> {
    let argument = parameters.arguments.first().cloned().unwrap_or_default();
    let stated = argument.as_str().or_else(|| argument.get("uri")?.as_str());
    let stated = stated.and_then(|stated| Uri::from_str(stated).ok());
    let path = match &context.open {
        Some(open) => Some(open.path.clone()),
        None => stated.as_ref().and_then(uri::to_path),
    };
    let file =
        || path.clone().ok_or_else(|| Error::Parameters("name a document by its URI".to_owned()));
    let shown = match &*parameters.command {
        PREDICT => predict(context, project, &file()?)?,
        DIFF => difference(context, project, &file()?)?,
        EXPLAIN => {
            let rule = argument.get("rule").unwrap_or(&argument).as_str();
            explain(project, rule, path.as_deref())?
        }
        other => return Err(Error::Parameters(format!("there is no command `{other}`"))),
    };
    if argument.get("show").and_then(Value::as_bool) != Some(false) {
        show(context, &shown);
    }
    let Shown { name, language, text, notes } = shown;
    Ok(Some(json!({ "name": name, "language": language, "text": text, "notes": notes })))
}

/// Shows a text as a file, because every editor can show files. A client that cannot be asked to shows a message.
fn show(context: &Context<'_>, shown: &Shown) {
    let Shown { name, text, notes, .. } = shown;
    let file = || uri::of_path(&context.shared.temporary.write(name, text).ok()?);
    let uri = if text.is_empty() || !context.shared.client.shows_documents { None } else { file() };
    let message = match uri {
        Some(uri) => {
            context.shared.request::<ShowDocument>(ShowDocumentParams {
                uri,
                external: None,
                take_focus: Some(true),
                selection: None,
            });
            notes.join("\n")
        }
        None if notes.is_empty() => text.clone(),
        None => [notes.join("\n"), text.clone()].join("\n").trim_end().to_owned(),
    };
    if !message.is_empty() {
        let typ = MessageType::INFO;
        context.shared.notify::<ShowMessage>(ShowMessageParams { typ, message });
    }
}

fn failed(context: &Context<'_>, failures: &[Failure]) -> Error {
    let line = |it: &Failure| format!("{}: {}", context.shown_path(&it.path), it.message);
    let lines: Vec<String> = failures.iter().map(line).collect();
    Error::Failed(lines.join("\n"))
}

/// The name of a document, for the name of a file about it.
fn stem(loaded: &LoadedDocument) -> String {
    let path = PathBuf::from(&*loaded.input.shown);
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

fn predict(context: &Context<'_>, project: &mut Project, path: &Path) -> Result<Shown, Error> {
    let loaded = project.load(path).map_err(|failures| failed(context, &failures))?;
    let origins = loaded.related.origins();
    let prediction = voxlint_project::predict(&loaded.input.shown, &loaded.inputs(), &origins);
    let prediction = prediction.map_err(|failures| failed(context, &failures))?;
    let path = context.shown_path(&loaded.input.shown);
    let (path, text) = (&*path, loaded.document.text());
    let paths: Vec<String> =
        origins.iter().map(|(_, related)| context.shown_path(&related.path)).collect();
    let related = origins.iter().zip(&paths);
    let related: Vec<_> = related
        .map(|((origin, related), path)| {
            (*origin, RelatedFile { path, text: related.document.text() })
        })
        .collect();
    let checked = CheckedDocument::new(path, text, &prediction.report).related_files(&related);
    let text = render_prediction(&RenderOptions::default(), &checked, &prediction);
    // An editor shows the lines itself, and has a setting in the place of an option.
    let text = text.replace("`voxlint check --show-undecided`", "the setting `undecided`").replace(
        "`voxlint check` with the same arguments shows",
        "the findings in the document show",
    );
    let name = format!("prediction-{}.txt", stem(&loaded));
    Ok(Shown { name, language: "plaintext", text, notes: Vec::new() })
}

fn difference(context: &Context<'_>, project: &mut Project, path: &Path) -> Result<Shown, Error> {
    let loaded = project.load(path).map_err(|failures| failed(context, &failures))?;
    let (path, related) = (&*loaded.input.shown, loaded.related.origins());
    let found = voxlint_project::difference(path, &loaded.inputs(), false, &related);
    let Some((difference, _)) = found.map_err(|failures| failed(context, &failures))? else {
        let message = "there is no stored configuration for it: `stored` in voxlint.toml names one";
        return Err(failed(context, &[loaded.failure(message)]));
    };
    let Some(update) = &difference.update else {
        let mut notes: Vec<String> = difference_notes(&difference).collect();
        notes.push("nothing to change".to_owned());
        let name = format!("update-{}.jsonc", stem(&loaded));
        return Ok(Shown { name, language: "jsonc", text: String::new(), notes });
    };
    let mut text = String::new();
    for line in about_update(&difference) {
        text.push_str(format!("// {line}").trim_end());
        text.push('\n');
    }
    text.push_str(&escape_json(update));
    text.push('\n');
    let name = format!("update-{}.jsonc", stem(&loaded));
    let notes = difference_notes(&difference).collect();
    Ok(Shown { name, language: "jsonc", text, notes })
}

/// What an update changes and what is wrong with it, one line each, as `voxlint diff --explain` says it.
fn about_update(difference: &Difference) -> Vec<String> {
    let mut lines = Vec::new();
    if difference.is_rejected() {
        lines.push("the service would reject this update:".to_owned());
        let report = difference.report.iter().flat_map(|report| &report.diagnostics);
        let errors = report.filter(|found| found.severity == Severity::Error);
        lines.extend(errors.map(|found| format!("  error[{}]: {}", found.rule.id, found.message)));
    }
    let mut changes = Vec::new();
    // Writing to a vector cannot fail.
    let _ = write_changes(&mut changes, difference, &RenderOptions::default());
    let changes = String::from_utf8_lossy(&changes).into_owned();
    lines.extend(changes.lines().map(str::to_owned));
    lines.extend(difference_notes(difference));
    // A break inside of a message would end its comment.
    lines.iter().flat_map(|line| line.split(['\n', '\r'])).map(str::to_owned).collect()
}

fn explain(project: &mut Project, rule: Option<&str>, path: Option<&Path>) -> Result<Shown, Error> {
    let Some(wanted) = rule else { return Err(Error::Parameters("name a rule".to_owned())) };
    let known = project.rules(path);
    let hint = "a finding shows the id of its rule";
    let rule = rules::find_among(wanted, &known, hint).map_err(Error::Failed)?;
    let (name, text) = (format!("{}.md", rule.id), pages::rule(rule));
    Ok(Shown { name, language: "markdown", text, notes: Vec::new() })
}
