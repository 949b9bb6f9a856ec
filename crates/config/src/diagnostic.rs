//! What is wrong with a configuration, before it is a diagnostic.

use std::sync::{Arc, LazyLock};

use voxlint::secrets::mask_text;
use voxlint::syntax::{Span, excerpt};
use voxlint::{Diagnostic, Origin, Related, Rule, RuleRef, Severity, VerdictKind};

/// The most characters of a value that a message shows.
const SHOWN: usize = 60;

/// The text between backquotes, cut short, harmless to a terminal and with secrets masked.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", excerpt(&mask_text(text), SHOWN))
}

/// The rule that mistakes are reported under which the table of the keys does not know of.
pub(crate) fn rule() -> RuleRef {
    static RULE: LazyLock<RuleRef> = LazyLock::new(|| {
        let summary = "A configuration says something that cannot be followed.";
        RuleRef::from(Arc::new(Rule::named("configuration", Severity::Error, summary, summary)))
    });
    RULE.clone()
}

/// Something that a configuration says and that cannot be followed.
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

    /// These characters are at fault, and not all of the value.
    pub(crate) fn at(self, span: Span) -> Self {
        Self { span: Some(span), ..self }
    }

    pub(crate) fn label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(crate) fn also(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    /// The mistake as a diagnostic about the value that a pointer leads to.
    pub(crate) fn told_of(self, field: String, value: Span) -> Diagnostic {
        let related = self.related.into_iter().map(|(span, message)| Related {
            origin: Origin::Document,
            field: field.clone(),
            span,
            message,
        });
        let related = related.collect();
        let mut told = diagnostic(
            rule(),
            VerdictKind::Reject,
            field,
            self.span.unwrap_or(value),
            self.message,
        );
        told.severity = Severity::Error;
        Diagnostic { label: self.label, help: self.help, related, ..told }
    }
}

/// A diagnostic about a configuration.
pub(crate) fn diagnostic(
    rule: RuleRef,
    verdict: VerdictKind,
    field: String,
    span: Span,
    message: String,
) -> Diagnostic {
    Diagnostic {
        verdict,
        severity: rule.advice,
        rule,
        status: None,
        other_status: None,
        field,
        origin: Origin::Document,
        span,
        label: None,
        message,
        help: None,
        depends_on: None,
        note: None,
        is_reading: false,
        related: Vec::new(),
        fixes: Vec::new(),
    }
}
