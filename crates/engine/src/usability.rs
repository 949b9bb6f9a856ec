//! Faults that make a document unusable for voxlint itself: a stored configuration, facts, a configuration.
//!
//! A value that cannot be read as it was meant would silently disable a check.

use voxlint_model::rule::Property;
use voxlint_model::{
    Diagnostic, Document, Facts, Family, Inputs, Report, Severity, Stored, VerdictKind,
};
use voxlint_schema::{DocumentKind, settings, stored};

use super::checker::UndecidedScope;
use super::finish::finish;
use super::run::run;

/// An input that a check reads beside the document.
pub trait Faults {
    /// What makes the input unusable, because a value that cannot be read would silently disable a check.
    ///
    /// ```
    /// use voxlint::{Document, Facts, Faults as _};
    ///
    /// let facts = Facts::new(Document::parse(r#"{ "phone_number": ["pn_front_desk"] }"#));
    /// let faults = facts.faults();
    /// assert_eq!(faults.diagnostics[0].help.as_deref(), Some("did you mean `phone_numbers`?"));
    /// ```
    fn faults(&self) -> Report;
}

/// Syntax errors, misspelled fields, and values of a type that the service never stores. The only exception are the fields that the
/// service revalidates with every update (update agent, rule 6): there a wrong type is a finding of the check, like any other
/// stored value that is rejected. Other findings in the document do not concern an update.
impl Faults for Stored {
    fn faults(&self) -> Report {
        let kind = self.kind();
        faults(self.document(), kind.unwrap_or(DocumentKind::Stored), |finding| match kind {
            Some(kind) => is_fault(finding, kind) || is_unusable_value(finding, kind),
            None => finding.rule.family() == Family::Document,
        })
    }
}

/// Syntax errors, misspelled fields, values of the wrong type.
impl Faults for Facts {
    fn faults(&self) -> Report {
        let mut report = faults_of_voxlint_format(self.document(), DocumentKind::Facts);
        if self.are_only_comments() {
            report.diagnostics.clear();
        }
        report
    }
}

/// The faults of a document in one of voxlint's own formats: faults of the text, misspelled fields, values of the wrong type.
pub fn faults_of_voxlint_format(document: &Document, kind: DocumentKind) -> Report {
    let is_fault = |finding: &Diagnostic| {
        finding.verdict == VerdictKind::Reject || finding.rule.has(Property::HidesValues)
    };
    faults(document, kind, is_fault)
}

/// Checks a document alone and keeps the faults, as errors. The document is not sent, so no answer is predicted.
fn faults(
    document: &Document,
    kind: DocumentKind,
    is_fault: impl Fn(&Diagnostic) -> bool,
) -> Report {
    let inputs = Inputs::new(document.clone()).kind(kind);
    let mut report = run(&inputs, UndecidedScope::Touched);
    let are_faults: Vec<bool> = report.diagnostics.iter().map(is_fault).collect();
    finish(&inputs, &mut report);
    let mut are_faults = are_faults.into_iter();
    report.diagnostics.retain(|_| are_faults.next().unwrap_or_default());
    for fault in &mut report.diagnostics {
        fault.note = None;
        fault.severity = Severity::Error;
    }
    report
}

/// Whether a finding makes a document of this kind unusable, wherever in it the finding is.
fn is_fault(finding: &Diagnostic, kind: DocumentKind) -> bool {
    let is_top_level = kind == DocumentKind::Stored && finding.field.matches('/').count() <= 1;
    let is_rejected = finding.verdict == VerdictKind::Reject;
    let is_text = finding.rule.family() == Family::Document;
    // A fix means that the name is misspelled, so the field is not what it looks like.
    let is_misspelled = (finding.rule.reports_unknown_fields()
        || finding.rule.reports_missing_fields())
        && !finding.fixes.is_empty();
    is_misspelled
        || finding.rule.has(Property::HidesValues)
        || finding.rule.has(Property::AltersText)
        || (is_rejected && (is_text || is_top_level))
}

/// Whether a finding makes settings unusable that an update shall set.
pub fn is_fault_of_desired(finding: &Diagnostic) -> bool {
    is_fault(finding, DocumentKind::Settings) || finding.rule.reports_texts_given_twice()
}

/// Whether a finding is about a stored value that no rule can read.
fn is_unusable_value(finding: &Diagnostic, kind: DocumentKind) -> bool {
    let version = match kind {
        DocumentKind::Stored => Some(format!("/{}", stored::version.row.name)),
        DocumentKind::Settings => Some(String::new()),
        _ => None,
    };
    let in_version = version.and_then(|version| finding.field.strip_prefix(version.as_str()));
    let row = in_version.and_then(|field| {
        let name = field.strip_prefix('/')?.split('/').next()?;
        settings::TABLE.row(name)
    });
    if finding.rule.reports_wrong_types() {
        // A value that the service revalidates has a finding of its own in each check.
        !row.is_some_and(|row| row.revalidated)
    } else if finding.rule.has(Property::Nulls) {
        // Without its number, the version of the settings is unknown.
        row.is_some_and(|row| std::ptr::eq(row, settings::version_number.row))
    } else {
        // A fix means that the value is misspelled.
        finding.rule.has(Property::UnknownValues) && !finding.fixes.is_empty()
    }
}
