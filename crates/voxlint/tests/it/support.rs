//! Shorthands for checks of texts.

use std::path::Path;

use voxlint::syntax::Format;
use voxlint::{Diagnostic, Document, Facts, Inputs, Report, Rule, Source, Stored, Wildcard, check};

/// The format of a case, by the name of its file.
pub(crate) fn format_of(path: &Path) -> Format {
    match path.extension().and_then(std::ffi::OsStr::to_str) {
        Some("yaml") => Format::Yaml,
        Some("toml") => Format::Toml,
        Some("jsonc") => Format::Jsonc,
        Some("hbs") => Format::Text,
        _ => Format::Json,
    }
}

/// What the check has to say of the bytes of a file, with nothing else known.
pub(crate) fn judge(bytes: &[u8]) -> Report {
    let source = Source::from_bytes(bytes);
    let document = Document::parse(&source);
    check(&Inputs::new(&document))
}

/// What the check has to say of a text over what is stored and known; an empty text is not given.
pub(crate) fn judge_text(text: &str, stored: &str, facts: &str) -> Report {
    judge_with_variables(text, stored, facts, None)
}

/// The same with a list of the template variables that calls bring along.
pub(crate) fn judge_with_variables(
    text: &str,
    stored: &str,
    facts: &str,
    variables: Option<&[Wildcard]>,
) -> Report {
    let sources = [text, stored, facts].map(Source::from);
    let [document, held, known] = sources.each_ref().map(Document::parse);
    let mut inputs = Inputs::new(&document);
    inputs.stored = (!stored.is_empty()).then(|| Stored::new(&held));
    inputs.facts = (!facts.is_empty()).then(|| Facts::new(&known));
    inputs.variables = variables;
    check(&inputs)
}

/// A list of template variables, as JSON.
pub(crate) fn variables(json: &str) -> Vec<Wildcard> {
    let names: Vec<String> = serde_json::from_str(json).expect("an array of strings");
    names.into_iter().map(Wildcard::new).collect()
}

/// What keeps a stored state and facts from being used.
pub(crate) fn faults_of(stored: &str, facts: &str) -> Vec<Diagnostic> {
    let sources = [stored, facts].map(Source::from);
    let [held, known] = sources.each_ref().map(Document::parse);
    let of_stored = (!stored.is_empty()).then(|| Stored::new(&held).faults().diagnostics);
    let of_facts = (!facts.is_empty()).then(|| Facts::new(&known).faults().diagnostics);
    [of_stored, of_facts].into_iter().flatten().flatten().collect()
}

/// A report without what other rules have to say.
pub(crate) fn without_other_rules(mut report: Report, rule: &Rule) -> Report {
    report.diagnostics.retain(|found| found.rule.id == rule.id);
    report.undecided.retain(|entry| entry.rule.id == rule.id);
    report
}
