//! The tool `predict`: the answers of the service to an update.

use voxlint_bindings::related_file;
use voxlint_report::{CheckedDocument, render_prediction, write_prediction_json};

use crate::answer::{Answer, WrongUse};
use crate::arguments::Arguments;
use crate::tool::Tool;
use crate::workspace::{
    AGENT_ID, FACTS_PATH, FACTS_TEXT, FORMAT, PATH, STORED_PATH, STORED_TEXT, TEXT, Workspace,
    failures_text, style, written,
};

pub(super) static TOOL: Tool = Tool {
    name: "predict",
    title: "Predict the service's answer",
    description: "Predicts how the service would answer an update of an agent, without sending it: the HTTP status, the reasons, and the body of the answer. Use it after `check` has no more errors, or to explain a rejection. The document must be one update in JSON, YAML or TOML.

If the answer depends on something unknown, every possible answer is listed with what it depends on; `certain` says whether there is only one. With the stored configuration (`stored_text` or `stored_path`) and the workspace facts the prediction is exact. 401, 429 and 500 do not depend on the document and are never predicted. `structuredContent` is the JSON of `voxlint predict --format json`. Secrets are masked, also in the body.",
    arguments: &[
        &TEXT, &FORMAT, &PATH, &STORED_TEXT, &STORED_PATH, &FACTS_TEXT, &FACTS_PATH, &AGENT_ID,
    ],
    output_schema: None,
    run,
};

fn run(workspace: &Workspace, arguments: &Arguments<'_>) -> Result<Answer, WrongUse> {
    let mut named = workspace.document(arguments)?;
    let loaded = named.session.load_document(&named.path);
    let loaded = loaded.map_err(|failures| failures_text(&failures))?;
    let related = loaded.related.origins();
    let (path, text) = (&*loaded.input.shown, loaded.document.text());
    let prediction = voxlint_project::predict(path, &loaded.inputs(), &related);
    let prediction = prediction.map_err(|failures| failures_text(&failures))?;
    let related: Vec<_> = related.iter().map(related_file).collect();
    let checked = CheckedDocument::new(path, text, &prediction.report).related_files(&related);
    // The arguments of this tool have other names than the options of the command.
    let text = render_prediction(&style(), &checked, &prediction)
        .replace("`voxlint check --show-undecided`", "`structuredContent`")
        .replace("`voxlint check`", "`check`")
        .replace("--stored with", "`stored_text` with")
        .replace("--facts with", "`facts_text` with");
    let json = written(|out| write_prediction_json(out, &checked, &prediction));
    Ok(Answer::with_json(&text, json.as_bytes()))
}
