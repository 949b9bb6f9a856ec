//! The fixes of one text, as `voxlint check --fix` applies them.

use voxlint::syntax::edit::{TextEdit, apply};
use voxlint::{Document, DocumentPosition, Safety, Source};
use voxlint_config::{DocumentScope, fix_document};

use crate::check::positions;
use crate::error::guarded;
use crate::{Context, DocumentFormat, DocumentOptions, Error};

impl Context {
    /// The text after its fixes, which are applied in rounds and proven, as `voxlint check --fix` does: with [`Safety::Safe`] only
    /// the safe ones, and with [`Safety::Unsafe`] also those that need a review. A text without such fixes is returned as it is.
    ///
    /// ```
    /// use voxlint_bindings::{Context, DocumentOptions, Safety};
    ///
    /// let text = br#"{ "version_number": 3, "kb_max_chunks": "5", "kb_min_score": "0.5" }"#;
    /// let fixed = Context::default().fix(text, &DocumentOptions::default(), Safety::Safe)?;
    /// assert_eq!(fixed, br#"{ "version_number": 3, "kb_max_chunks": 5, "kb_min_score": 0.5 }"#);
    /// # Ok::<(), voxlint_bindings::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only because of a bug.
    pub fn fix(
        &self,
        bytes: &[u8],
        options: &DocumentOptions,
        safety: Safety,
    ) -> Result<Vec<u8>, Error> {
        guarded(|| self.fixed(bytes, options, safety))
    }

    fn fixed(&self, bytes: &[u8], options: &DocumentOptions, safety: Safety) -> Vec<u8> {
        let settings = self.check_settings(options);
        let is_by_line = options.read_as() == DocumentFormat::Ndjson;
        let documents: Vec<(Option<DocumentPosition>, Document)> = if is_by_line {
            let lines = DocumentOptions::lines(bytes).into_iter();
            lines.map(|(at, line)| (Some(at), line)).collect()
        } else {
            positions(options.documents(Source::from_bytes(bytes)))
        };
        let is_one = documents.len() <= 1;
        let mut edits: Vec<TextEdit> = Vec::new();
        for (position, document) in documents {
            let scope =
                DocumentScope { is_one_of_several: position.is_some(), ..DocumentScope::default() };
            let inputs = self.inputs(document, &settings);
            let fixed = fix_document(inputs, &settings, safety, scope, &|_| (), &mut |_| true);
            let before = position.map_or(0, |position| position.bytes_before);
            // A line break in a line would begin another document.
            if is_by_line && fixed.edits.iter().any(|edit| edit.text.contains('\n')) {
                continue;
            }
            let Ok(before) = u32::try_from(before) else { continue };
            edits.extend(fixed.edits.into_iter().map(|mut edit| {
                edit.span.start = edit.span.start.saturating_add(before);
                edit.span.end = edit.span.end.saturating_add(before);
                edit
            }));
        }
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let text = apply(bytes, &edits).unwrap_or_else(|| bytes.to_vec());
        // Each document was proven alone; together they must have no faults that were not there.
        if !is_one && !edits.is_empty() {
            let [old, new] = [bytes, &text].map(|text| *self.check(text, options).summary());
            if new.documents != old.documents || new.errors > old.errors {
                return bytes.to_vec();
            }
        }
        text
    }
}
