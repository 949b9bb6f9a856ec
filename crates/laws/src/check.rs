//! Checks, reports, predictions, differences and plans.

use voxlint::{
    AnswerBody, DiffInputs, Document, FindingIdentities, Inputs, Origin, PlanInputs, Report,
    Source, Stored, check, diff, plan, plan_agent, predict, template_variables, variable_names,
};
use voxlint_report::{
    CheckedDocument, OutputFormat, RelatedFile, RenderOptions, RunInfo, RunOutcome,
    difference_notes, render, write_changes, write_difference_json, write_findings,
};

use crate::texts::Texts;

/// Holds if checking the inputs twice gives the same report, with spans inside the texts.
pub fn checks(bytes: &[u8]) {
    let inputs = Texts::new(bytes).inputs();
    let report = check(&inputs);
    assert_eq!(report, check(&inputs));
    for found in &report.diagnostics {
        inside(&inputs, found.origin, found.span, "a finding");
        for related in &found.related {
            inside(&inputs, related.origin, related.span, "a related span");
        }
        for fix in &found.fixes {
            for edit in &fix.edits {
                inside(&inputs, fix.origin, edit.span, "an edit");
            }
        }
        let words = [Some(&found.message), found.help.as_ref()];
        assert!(words.into_iter().flatten().all(|text| !text.is_empty()), "{found:?}");
    }
    template_variables(&inputs);
    variable_names(&inputs);
    inputs.document().recognition();
    let mut identities = FindingIdentities::new(&inputs);
    for found in &report.diagnostics {
        identities.of(found);
    }
}

fn inside(inputs: &Inputs, origin: Origin, span: voxlint::syntax::Span, what: &str) {
    let Some(document) = inputs.document_of(origin) else { return };
    let text = document.text();
    let range = span.start as usize..span.end as usize;
    assert!(text.get(range).is_some(), "{what} at {span:?} is not inside its text");
}

/// Holds if every format can show the report, JSON formats are valid JSON, and no output controls a terminal.
pub fn reports(bytes: &[u8]) {
    let mut texts = Texts::new(bytes);
    let inputs = texts.inputs();
    let name = String::from_utf8_lossy(texts.next()).replace(['/', '\0'], "");
    let report = check(&inputs);
    for format in OutputFormat::ALL {
        let shown = shown(format, &inputs, &name, &report);
        match format {
            OutputFormat::Json
            | OutputFormat::Sarif
            | OutputFormat::Gitlab
            | OutputFormat::Rdjson => {
                let read: Result<serde_json::Value, _> = serde_json::from_str(&shown);
                assert!(read.is_ok(), "{read:?} in {shown}");
            }
            OutputFormat::Ndjson | OutputFormat::Rdjsonl => {
                for line in shown.lines() {
                    let read: Result<serde_json::Value, _> = serde_json::from_str(line);
                    assert!(read.is_ok(), "{read:?} in {line}");
                }
            }
            _ => {}
        }
        let found = shown.chars().find(|c| controls_terminal(*c));
        assert_eq!(found, None, "{} controls a terminal", format.name());
    }
}

/// Whether a character controls a terminal or changes the direction of text.
fn controls_terminal(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\n' | '\t' | '\r');
    is_control || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn shown(format: OutputFormat, inputs: &Inputs, name: &str, report: &Report) -> String {
    let related = inputs.document_of(Origin::Stored).map(|document| {
        (Origin::Stored, RelatedFile { path: "stored.json", text: document.text() })
    });
    let facts = inputs
        .document_of(Origin::Facts)
        .map(|document| (Origin::Facts, RelatedFile { path: "facts.json", text: document.text() }));
    let files: Vec<_> = related.into_iter().chain(facts).collect();
    let checked = CheckedDocument {
        related_files: &files,
        ..CheckedDocument::new(name, inputs.document().text(), report)
    };
    let run = RunInfo::default();
    let rendered = render(format, &RenderOptions::default(), &checked);
    let mut out = Vec::new();
    write_findings(&mut out, format, &run, [rendered], &RunOutcome::default()).expect("memory");
    String::from_utf8(out).expect("UTF-8")
}

/// Holds if the inputs have a prediction and a difference, and all JSON in them is valid.
pub fn predictions(bytes: &[u8]) {
    let mut texts = Texts::new(bytes);
    let inputs = texts.inputs();
    let prediction = predict(&inputs);
    for answer in prediction.iter().flat_map(|prediction| &prediction.answers) {
        if let AnswerBody::Json(text) = &answer.body {
            let read: Result<serde_json::Value, _> = serde_json::from_str(text);
            assert!(read.is_ok(), "{read:?} in {text}");
        }
    }
    let Some(stored) = inputs.document_of(Origin::Stored).cloned().map(Stored::new) else { return };
    for is_complete in [false, true] {
        let new = DiffInputs::new(stored.clone(), inputs.document().clone());
        let Ok(difference) = diff(&if is_complete { new.complete() } else { new }) else {
            continue;
        };
        let mut out = Vec::new();
        write_difference_json(&mut out, &difference, None).expect("memory");
        let read: Result<serde_json::Value, _> = serde_json::from_slice(&out);
        assert!(read.is_ok(), "{read:?} in {}", String::from_utf8_lossy(&out));
        write_changes(&mut Vec::new(), &difference, &RenderOptions::default()).expect("memory");
        assert!(difference_notes(&difference).all(|note| !note.is_empty()));
    }
}

/// Holds if two documents have a plan, and their order does not matter.
pub fn plans(bytes: &[u8]) {
    let mut texts = Texts::new(bytes);
    let one = texts.inputs();
    let other = Document::parse(Source::from_bytes(texts.next()));
    let stored = texts.json().map(Stored::new);
    let base = texts.json().map(Stored::new);
    let inputs = [
        PlanInputs::new("one.json", one),
        PlanInputs::new("other.json", Inputs::new(other).stored(stored)).base(base),
    ];
    let agents: Vec<_> = inputs.iter().map(plan_agent).collect();
    let joined = plan(agents.clone());
    assert_eq!(joined, plan(agents.into_iter().rev().collect()), "the order changes the plan");
}
