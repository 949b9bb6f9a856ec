//! Shorthands for checks of texts.

use std::path::Path;

use voxlint::syntax::Format;
use voxlint::{
    Diagnostic, Document, Facts, Faults as _, Inputs, Report, Rule, Source, Stored, Wildcard, check,
};

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

/// Checks the bytes of a file, without other inputs.
pub(crate) fn check_bytes(bytes: &[u8]) -> Report {
    check(&Inputs::new(Document::parse(Source::from_bytes(bytes))))
}

/// Checks a text with a stored configuration and facts. An empty text is not given.
pub(crate) fn check_text(text: &str, stored: &str, facts: &str) -> Report {
    check_with_variables(text, stored, facts, None)
}

/// A document, its stored configuration and facts; an empty text is not given.
pub(crate) fn inputs(text: &str, stored: &str, facts: &str) -> Inputs {
    let stored = (!stored.is_empty()).then(|| Stored::new(Document::parse(stored)));
    let facts = (!facts.is_empty()).then(|| Facts::new(Document::parse(facts)));
    Inputs::new(Document::parse(text)).stored(stored).facts(facts)
}

/// The same with a list of the template variables that calls provide.
pub(crate) fn check_with_variables(
    text: &str,
    stored: &str,
    facts: &str,
    variables: Option<&[Wildcard]>,
) -> Report {
    let inputs = inputs(text, stored, facts).optional_rules(true);
    match variables {
        Some(variables) => check(&inputs.variables(variables)),
        None => check(&inputs),
    }
}

/// A list of template variables, as JSON.
pub(crate) fn variables(json: &str) -> Vec<Wildcard> {
    let names: Vec<String> = serde_json::from_str(json).expect("an array of strings");
    names.into_iter().map(Wildcard::new).collect()
}

/// The mistakes that make a stored configuration and facts unusable.
pub(crate) fn faults_of(stored: &str, facts: &str) -> Vec<Diagnostic> {
    let of_stored = Stored::new(Document::parse(stored)).faults().diagnostics;
    let of_facts = Facts::new(Document::parse(facts)).faults().diagnostics;
    let given = [(stored, of_stored), (facts, of_facts)].into_iter();
    given.filter(|(text, _)| !text.is_empty()).flat_map(|(_, found)| found).collect()
}

/// A report without the findings of other rules.
pub(crate) fn without_other_rules(mut report: Report, rule: &Rule) -> Report {
    report.diagnostics.retain(|found| found.rule.id == rule.id);
    report.undecided.retain(|entry| entry.rule.id == rule.id);
    report
}
