//! Checks one text with the same steps as a file.

use std::borrow::Cow;
use std::sync::Arc;

use voxlint::syntax::{LineIndex, SharedText, decode};
use voxlint::{Document, DocumentKind, DocumentPosition, Inputs, Source, check};
use voxlint_config::{Date, FileSettings, ReportFilter};
use voxlint_project::{Failure, check_contents, today, unread_parts};

use crate::error::guarded;
use crate::report::{CheckedText, Report};
use crate::{Context, DocumentFormat, DocumentOptions};

impl Context {
    /// Checks a text. The bytes of a `Vec` are not copied.
    ///
    /// Bytes that are not UTF-8 are findings. Parts that were not read are [failures](Report::failures), and so is a text
    /// without documents.
    pub fn check<'a>(&self, bytes: impl Into<Cow<'a, [u8]>>, options: &DocumentOptions) -> Report {
        let bytes = bytes.into();
        let report = guarded(|| self.checked(bytes, options));
        report.unwrap_or_else(|_| Report::of_internal_error(&options.path))
    }

    fn checked(&self, bytes: Cow<'_, [u8]>, options: &DocumentOptions) -> Report {
        let settings = self.configuration().for_file(&options.path);
        let check = Checker { context: self, options, settings: &settings, today: today() };
        let mut failures = Vec::new();
        failures.extend(check_contents(&bytes).err().map(|it| check.failure(it.to_string())));
        let (text, documents) = if options.read_as() == DocumentFormat::Ndjson {
            let lines = DocumentOptions::lines(&bytes);
            if lines.is_empty() {
                failures.push(check.failure("the file contains no documents"));
            }
            let text = SharedText::from(decode(bytes).text);
            let documents = lines.into_iter().map(|(at, line)| (Some(at), line)).collect();
            (text, documents)
        } else {
            let documents = options.documents(Source::from_bytes(bytes));
            let text = documents.first().map(|it| it.tree().shared_text());
            (text.unwrap_or_default(), positions(documents))
        };
        let documents: Vec<CheckedText> =
            documents.into_iter().map(|(at, it)| check.document(it, at, &mut failures)).collect();
        Report::of_text(Arc::clone(&options.path), text, documents, &failures)
            .related(self.origins())
    }
}

/// The documents of a text that is read as a whole, each with its position if there are several.
pub(crate) fn positions(documents: Vec<Document>) -> Vec<(Option<DocumentPosition>, Document)> {
    if documents.len() == 1 {
        return documents.into_iter().map(|document| (None, document)).collect();
    }
    let lines = LineIndex::new(documents.first().map_or("", |document| document.text()));
    let position = |(index, document): (u64, Document)| {
        let line = u64::from(lines.line_of(document.start()));
        (Some(DocumentPosition { index, line, ..DocumentPosition::default() }), document)
    };
    (0..).zip(documents).map(position).collect()
}

/// Checks the documents of a text.
pub(crate) struct Checker<'a> {
    pub(crate) context: &'a Context,
    pub(crate) options: &'a DocumentOptions,
    pub(crate) settings: &'a FileSettings<'a>,
    pub(crate) today: Date,
}

impl Checker<'_> {
    fn failure(&self, message: impl Into<String>) -> Failure {
        Failure::new(&*self.options.path, message)
    }

    /// The kind of a document: the stated one, or else the one that it resembles. A document that resembles none is an update,
    /// because it would be sent like one.
    fn kind_of(&self, document: &Document) -> DocumentKind {
        if self.options.read_as() == DocumentFormat::Hbs {
            return DocumentKind::Template;
        }
        let configured = || self.settings.kind().map(|stated| stated.value);
        let stated = self.options.kind.or_else(configured);
        stated.unwrap_or_else(|| Inputs::new(document.clone()).checked_as())
    }

    pub(crate) fn inputs(&self, document: Document) -> Inputs {
        let kind = self.kind_of(&document);
        let settings = self.settings;
        let mut inputs = self
            .context
            .inputs(document, settings)
            .kind(kind)
            .optional_rules(settings.has_optional_rules())
            .groups(&settings.groups());
        let house = settings.house_rules();
        if !house.is_empty() {
            inputs = inputs.house(house);
        }
        if let Some(allowed) = settings.allowed_fields() {
            inputs = inputs.allowed(&*allowed.value);
        }
        if let Some(variables) = settings.variables() {
            let variables: Vec<_> = variables.into_iter().map(|it| it.value.clone()).collect();
            inputs = inputs.variables(variables);
        }
        inputs
    }

    fn document(
        &self,
        document: Document,
        position: Option<DocumentPosition>,
        failures: &mut Vec<Failure>,
    ) -> CheckedText {
        let inputs = self.inputs(document.clone());
        let mut report = check(&inputs);
        let _ = ReportFilter::new(self.settings, self.today)
            .one_of_several(position.is_some())
            .apply(&mut report, &inputs);
        if !report.unread.is_empty() {
            let before = position.map_or(0, |position| position.lines_before);
            let text = (&*self.options.path, document.text());
            failures.extend(unread_parts(&report, text, before, &self.context.origins()));
        }
        let document = (!report.diagnostics.is_empty()).then_some(document);
        CheckedText { document, position, report }
    }
}
