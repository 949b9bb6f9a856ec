//! Checks one text with the same steps as a file.

use std::borrow::Cow;
use std::sync::Arc;

use voxlint::syntax::{LineIndex, SharedText, decode};
use voxlint::{Document, DocumentKind, DocumentPosition, Source, Trace};
use voxlint_config::{CheckSettings, DocumentScope, check_document};
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
        let settings = self.check_settings(options);
        let failure = |why: String| Failure::new(&*options.path, why);
        let mut failures: Vec<Failure> =
            check_contents(&bytes).err().map(|it| failure(it.to_string())).into_iter().collect();
        let (text, documents) = if options.read_as() == DocumentFormat::Ndjson {
            let lines = DocumentOptions::lines(&bytes);
            if lines.is_empty() {
                failures.push(failure("the file contains no documents".to_owned()));
            }
            let text = SharedText::from(decode(bytes).text);
            let documents = lines.into_iter().map(|(at, line)| (Some(at), line)).collect();
            (text, documents)
        } else {
            let documents = options.documents(Source::from_bytes(bytes));
            let text = documents.first().map(|it| it.tree().shared_text());
            (text.unwrap_or_default(), positions(documents))
        };
        let mut check = |(position, document): (Option<DocumentPosition>, Document)| {
            let scope =
                DocumentScope { is_one_of_several: position.is_some(), ..DocumentScope::default() };
            let inputs = self.inputs(document.clone(), &settings);
            let report = check_document(inputs, &settings, scope, &mut Trace::off()).report;
            if !report.unread.is_empty() {
                let before = position.map_or(0, |position| position.lines_before);
                let text = (&*options.path, document.text());
                failures.extend(unread_parts(&report, text, before, &self.origins()));
            }
            let document = (!report.diagnostics.is_empty()).then_some(document);
            CheckedText { document, position, report }
        };
        let documents: Vec<CheckedText> = documents.into_iter().map(&mut check).collect();
        Report::of_text(Arc::clone(&options.path), text, documents, &failures)
            .related(self.origins())
    }

    /// What decides how the documents of a text are checked. A document that resembles none is an update, because it would be
    /// sent like one.
    pub(crate) fn check_settings(&self, options: &DocumentOptions) -> CheckSettings<'_> {
        let is_template = options.read_as() == DocumentFormat::Hbs;
        let template = is_template.then_some(DocumentKind::Template);
        CheckSettings::new(self.configuration().for_file(&options.path), today())
            .kind(template.or(options.kind))
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
