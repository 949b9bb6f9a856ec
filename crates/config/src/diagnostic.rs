//! Diagnostics about configuration files.

use std::sync::{Arc, LazyLock};

use voxlint::secrets::mask_text;
use voxlint::syntax::{Span, excerpt};
use voxlint::{Diagnostic, Origin, Related, Rule, RuleRef, Severity, VerdictKind};

/// How many characters of a value a message shows.
const EXCERPT_LENGTH: usize = 60;

/// An excerpt of a text in backticks, safe for terminals and with secrets masked.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", excerpt(&mask_text(text), EXCERPT_LENGTH))
}

/// The rule of all faults that the table of keys does not find.
fn rule() -> RuleRef {
    static RULE: LazyLock<RuleRef> = LazyLock::new(|| {
        let summary = "A configuration contains a setting that cannot be applied.";
        RuleRef::from(Arc::new(Rule::named("configuration", Severity::Error, summary, summary)))
    });
    RULE.clone()
}

/// A fault in a configuration, before its location is known.
#[derive(Debug)]
pub(crate) struct ConfigDiagnostic {
    span: Option<Span>,
    message: String,
    label: Option<String>,
    help: Option<String>,
    related: Vec<(Span, String)>,
}

impl ConfigDiagnostic {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { span: None, message: message.into(), label: None, help: None, related: Vec::new() }
    }

    /// The faulty part of the value.
    pub(crate) fn at(self, span: Span) -> Self {
        Self { span: Some(span), ..self }
    }

    pub(crate) fn label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Another part of the file that the fault is about.
    pub(crate) fn also(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push((span, message.into()));
        self
    }

    /// The diagnostic for a value, by its pointer and its span.
    pub(crate) fn into_diagnostic(self, field: String, value: Span) -> Diagnostic {
        let Self { span, message, label, help, related } = self;
        let related = related
            .into_iter()
            .map(|(span, message)| Related::new(Origin::Document, field.clone(), span, message));
        let related = related.collect();
        let span = span.unwrap_or(value);
        let mut found = diagnostic(rule(), VerdictKind::Reject, field, span, message);
        found.severity = Severity::Error;
        (found.label, found.help, found.related) = (label, help, related);
        found
    }
}

/// A diagnostic about a configuration, with the default severity of its rule.
pub(crate) fn diagnostic(
    rule: RuleRef,
    verdict: VerdictKind,
    field: String,
    span: Span,
    message: String,
) -> Diagnostic {
    let severity = rule.advice;
    let mut found = Diagnostic::new(rule, verdict, span, message);
    (found.severity, found.field) = (severity, field);
    found
}
