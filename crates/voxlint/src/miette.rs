//! Findings as diagnostics of the crate `miette`.

use std::fmt;

use miette::{LabeledSpan, SourceCode, SourceSpan};
use voxlint_model::masking::masked_document;
use voxlint_model::{Diagnostic, Document, Severity};
use voxlint_syntax::Span;

use crate::DocumentKind;

/// A finding together with the text that it points into, for programs that show errors with `miette`.
///
/// Secrets in the text are masked. Related places get a label where they are in the same file.
///
/// ```
/// use voxlint::{Document, Inputs, MietteDiagnostic, check};
///
/// let document = Document::parse(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
/// let report = check(&Inputs::new(document.clone()));
/// let finding = MietteDiagnostic::new(&document, report.diagnostics[0].clone());
///
/// let mut shown = String::new();
/// miette::NarratableReportHandler::new().render_report(&mut shown, &finding)?;
/// assert!(shown.contains("out-of-range"), "{shown}");
/// assert!(shown.contains("kb_max_chunks"), "{shown}");
/// # Ok::<(), std::fmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MietteDiagnostic {
    text: String,
    name: Option<String>,
    finding: Diagnostic,
}

impl MietteDiagnostic {
    /// A finding in a document. For a finding in another input ([`Diagnostic::origin`]), give the document of that input.
    pub fn new(document: &Document, finding: Diagnostic) -> Self {
        let text = masked_document(document, DocumentKind::Update).into_owned();
        Self { text, name: None, finding }
    }

    /// Sets the name of the file.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The finding.
    pub const fn diagnostic(&self) -> &Diagnostic {
        &self.finding
    }
}

fn label(text: Option<String>, span: Span) -> LabeledSpan {
    LabeledSpan::new_with_span(text, (span.start as usize, span.len() as usize))
}

impl fmt::Display for MietteDiagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.finding.message)
    }
}

impl std::error::Error for MietteDiagnostic {}

impl miette::Diagnostic for MietteDiagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.finding.rule.id))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.finding.severity {
            Severity::Info => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let parts: Vec<&str> = [&self.finding.help, &self.finding.note]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let text = parts.join("\n");
        (!text.is_empty()).then(|| Box::new(text) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let main = label(self.finding.label.clone(), self.finding.span);
        let related = self.finding.related.iter();
        let related = related.filter(|place| place.origin == self.finding.origin);
        let related = related.map(|place| label(Some(place.message.clone()), place.span));
        Some(Box::new(std::iter::once(main).chain(related)))
    }
}

impl SourceCode for MietteDiagnostic {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        let Some(name) = &self.name else { return Ok(contents) };
        Ok(Box::new(miette::MietteSpanContents::new_named(
            name.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}
