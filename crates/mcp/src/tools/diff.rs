//! The tool `diff`: the smallest update from the stored configuration to the desired settings.

use std::fmt::Write as _;

use voxlint::secrets::masked_json;
use voxlint::{Difference, Document, DocumentKind, Inputs};
use voxlint_bindings::with_update;
use voxlint_project::{RelatedDocument, difference};
use voxlint_report::{
    CheckedDocument, OutputFormat, difference_notes, escape_json, write_changes,
    write_difference_json,
};

use crate::answer::{Answer, WrongUse};
use crate::arguments::{Argument, ArgumentKind, Arguments};
use crate::tool::Tool;
use crate::workspace::{
    AGENT_ID, FACTS_PATH, FACTS_TEXT, FORMAT, PATH, STORED_PATH, STORED_TEXT, TEXT, Workspace,
    failures_text, findings_text, style, written,
};

static COMPLETE: Argument = Argument::optional(
    "complete",
    ArgumentKind::Flag,
    "Whether the document has all settings, so that fields that it omits are unset instead of keeping their stored values. Default: false.",
);

pub(super) static TOOL: Tool = Tool {
    name: "diff",
    title: "Compare with the stored configuration",
    description: "Compares the stored configuration of an agent with the desired settings, and answers with the smallest update that turns one into the other, and with what each change does, the riskiest first (marked with ! in the text, `dangerous` in the JSON), such as publishing, moving a phone number or emptying a prompt. Use it to tell a person what an update would change before it is sent.

The document has the desired settings, and fields that it omits keep their stored values; the stored configuration is `stored_text` or `stored_path`, or what voxlint.toml names for the document. `cannot_unset` lists what no update can remove, and `diagnostics` what is wrong with the update. `structuredContent` is the JSON of `voxlint diff --format json`, with one difference: secrets are masked in the body `update` as well, so do not send that body; a person gets the real one with `voxlint diff STORED DOCUMENT`.",
    arguments: &[
        &TEXT, &FORMAT, &PATH, &STORED_TEXT, &STORED_PATH, &FACTS_TEXT, &FACTS_PATH, &AGENT_ID, &COMPLETE,
    ],
    output_schema: None,
    run,
};

fn run(workspace: &Workspace, arguments: &Arguments<'_>) -> Result<Answer, WrongUse> {
    let mut named = workspace.document(arguments)?;
    let new = named.session.load_document(&named.path);
    let new = new.map_err(|failures| failures_text(&failures))?;
    let (path, related) = (&*new.input.shown, new.related.origins());
    let found = difference(path, &new.inputs(), arguments.flag(COMPLETE.name), &related);
    let Some((difference, name)) = found.map_err(|failures| failures_text(&failures))? else {
        return Err("`diff` needs the stored configuration: give it as `stored_text` or `stored_path`, or name it in voxlint.toml and give the `path` of the document".to_owned());
    };
    let mut shown = difference.clone();
    shown.update = difference.update.as_deref().map(|update| {
        let sent = Inputs::new(Document::parse(update)).kind(DocumentKind::Update);
        let sent = sent.stored(new.related.stored().map(RelatedDocument::as_stored));
        masked_json(&sent.texts(new.related.text_files()))
    });
    Ok(with_update(&difference, &name, &related, |checked| {
        let json = written(|out| write_difference_json(out, &shown, checked));
        Answer::with_json(&text(&shown, checked), json.as_bytes())
    }))
}

/// What the update changes, what is wrong with it, and its body.
fn text(difference: &Difference, checked: Option<&CheckedDocument<'_>>) -> String {
    let mut text = String::new();
    if difference.update.is_none() && difference.cannot_unset.is_empty() {
        text.push_str("nothing to change\n");
    }
    if difference.is_rejected() {
        text.push_str("the service would reject this update\n");
    }
    text.push_str(&written(|out| write_changes(out, difference, &style())));
    for note in difference_notes(difference) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{note}");
    }
    if let Some(checked) = checked {
        let findings = findings_text(checked, OutputFormat::Full);
        if !findings.is_empty() {
            let _ = write!(text, "\n{findings}");
        }
    }
    if let Some(update) = &difference.update {
        let _ = write!(
            text,
            "\nthe body of the update, with secrets masked:\n{}\n",
            escape_json(update)
        );
    }
    text
}
