//! Secrets in a document: their places, so that no report shows them, and those that deserve a finding.
//!
//! All the bytes that spell a secret are masked, however it is escaped in the file. `mask.rs` keeps secrets out of messages.

mod in_document;
mod look;
mod mask;

use std::borrow::Cow;

use voxlint_schema::DocumentKind;
use voxlint_syntax::{Kind, Node, Span, Tree};

pub use self::in_document::{
    DocumentSecrets, LeakedSecret, all_of, each, each_personal_number, leaked_secrets,
    outside_values, spans_of_values,
};
pub use self::mask::Mask;
pub use self::mask::SECRET_CHANGED;

use self::in_document::spans_of_broken_list;
use crate::secret::mask_spans;
use crate::{Document, Inputs, Origin, Report};

/// The secrets of the inputs of a check, which its report must not show.
pub struct Masking<'i> {
    document: &'i Document,
    kind: DocumentKind,
    in_document: DocumentSecrets<'i>,
    /// The secrets in the other inputs that findings point into.
    in_others: Vec<(Origin, &'i Document, DocumentSecrets<'i>)>,
    mask: Mask,
}

impl<'i> Masking<'i> {
    /// The secrets of the inputs; `None` if nothing of them is shown.
    pub fn of(inputs: &'i Inputs, report: &Report) -> Option<Self> {
        // The configuration crate reports more faults than the table describes, and shows the text with them.
        let is_shown = !report.diagnostics.is_empty() || report.kind == DocumentKind::Configuration;
        is_shown.then(|| Self::new(inputs, report))
    }

    /// The secrets of the inputs, with or without findings.
    pub fn new(inputs: &'i Inputs, report: &Report) -> Self {
        let (kind, findings) = (report.kind, &report.diagnostics);
        let shows = |origin: Origin| {
            findings.iter().any(|finding| {
                finding.origin == origin
                    || finding.related.iter().any(|place| place.origin == origin)
            })
        };
        let document = &inputs.document;
        let in_document = DocumentSecrets::of(document, kind);
        let stored =
            inputs.stored.iter().map(|it| (Origin::Stored, it.document(), DocumentKind::Stored));
        let facts =
            inputs.facts.iter().map(|it| (Origin::Facts, it.document(), DocumentKind::Facts));
        let texts = inputs.texts.iter().zip(0..);
        let texts = texts.map(|(it, at)| (Origin::Text(at), it.document(), DocumentKind::Template));
        let mut mask = Mask::default();
        in_document.collect(&mut mask);
        let mut in_others = Vec::new();
        for (origin, document, kind) in stored.chain(facts).chain(texts) {
            let is_shown = shows(origin);
            // Facts have no fields for secrets, and may be shared by many documents.
            if is_shown || (origin != Origin::Facts && !findings.is_empty()) {
                let found = DocumentSecrets::of(document, kind);
                found.collect(&mut mask);
                if is_shown {
                    in_others.push((origin, document, found));
                }
            }
        }
        Self { document, kind, in_document, in_others, mask }
    }

    /// Removes the fixes that show a secret.
    pub fn drop_fixes(&self, report: &mut Report) {
        for finding in &mut report.diagnostics {
            self.mask.drop_fixes(finding);
        }
    }

    /// Masks the secrets in the findings. The report then has the secrets in the document, and those in the other inputs that
    /// findings point into.
    pub fn apply(&self, report: &mut Report) {
        for finding in &mut report.diagnostics {
            self.mask.finding(finding);
        }
        report.secrets = spans_of(self.document, self.kind, &self.in_document, &self.mask);
        let others = self.in_others.iter().map(|(origin, document, found)| {
            (*origin, spans_of(document, DocumentKind::Template, found, &self.mask))
        });
        report.other_secrets = others.collect();
    }
}

impl Mask {
    /// Finds the secrets of the inputs.
    pub fn of(inputs: &Inputs) -> Self {
        let mut mask = secrets_of(inputs, None);
        if let Some(facts) = &inputs.facts {
            DocumentSecrets::of(facts.document(), DocumentKind::Facts).collect(&mut mask);
        }
        mask
    }
}

/// The bytes of an input of a check that must not be shown: its secrets, and wherever it repeats a secret of any input. A [`Report`]
/// has them if it has findings.
///
/// ```
/// use voxlint::{Document, Inputs, Origin, secrets};
///
/// let text = "{ \"password\": \"hunter22\", \"prompt_text\": \"Say hunter22.\" }";
/// let spans = secrets::spans(&Inputs::new(Document::parse(text)), Origin::Document);
/// assert_eq!(spans.iter().map(|span| span.slice(text)).collect::<Vec<_>>(), ["hunter22", "hunter22"]);
/// ```
pub fn spans(inputs: &Inputs, origin: Origin) -> Vec<Span> {
    let Some(document) = inputs.document_of(origin) else { return Vec::new() };
    let kind = match origin {
        Origin::Document => inputs.checked_as(),
        Origin::Stored => DocumentKind::Stored,
        Origin::Facts => DocumentKind::Facts,
        Origin::Text(_) => DocumentKind::Template,
    };
    let found = DocumentSecrets::of(document, kind);
    spans_of(document, kind, &found, &secrets_of(inputs, None))
}

/// The secrets of a document, and wherever it repeats one of those in `mask`.
fn spans_of(
    document: &Document,
    kind: DocumentKind,
    found: &DocumentSecrets<'_>,
    mask: &Mask,
) -> Vec<Span> {
    let mut spans = found.spans();
    spans.extend(mask.repeated_in(document.tree(), document.extent()));
    if kind == DocumentKind::ApiKeys && !document.errors().is_empty() {
        spans.extend(spans_of_broken_list(document.text()));
    }
    merged(spans)
}

/// The text of a document with its secrets masked, for messages that show parts of it. Offsets are unchanged.
pub fn masked_document(document: &Document, kind: DocumentKind) -> Cow<'_, str> {
    let found = DocumentSecrets::of(document, kind);
    mask_spans(document.text(), &spans_of(document, kind, &found, &Mask::default()))
}

/// The spans in the order of the text, without those inside others.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    spans.dedup_by(|next, kept| {
        let overlaps = next.start < kept.end;
        if overlaps {
            kept.end = kept.end.max(next.end);
        }
        overlaps
    });
    spans
}

/// The secrets of all inputs of a check, and of a document of variables.
pub fn secrets_of(inputs: &Inputs, variables: Option<&Document>) -> Mask {
    let stored = inputs.stored.iter().map(|it| (it.document(), DocumentKind::Stored));
    let texts = inputs.texts.iter().map(|it| (it.document(), DocumentKind::Template));
    let variables = variables.into_iter().map(|it| (it, DocumentKind::Update));
    let document = [(&inputs.document, inputs.checked_as())];
    let mut mask = Mask::default();
    for (document, kind) in document.into_iter().chain(stored).chain(texts).chain(variables) {
        DocumentSecrets::of(document, kind).collect(&mut mask);
    }
    mask
}

/// The document of a check, in JSON, with everything masked that [`spans`] finds in it. It stays JSON: a number becomes a string.
///
/// ```
/// use voxlint::{Document, Inputs, secrets};
///
/// let text = "{ \"password\": \"hunter22\", \"prompt_text\": \"Say hunter22.\" }";
/// let masked = secrets::masked_json(&Inputs::new(Document::parse(text)));
/// assert_eq!(masked, "{ \"password\": \"********\", \"prompt_text\": \"Say ********.\" }");
/// ```
pub fn masked_json(inputs: &Inputs) -> String {
    let tree = inputs.document.tree();
    mask_json(tree.text(), tree, &spans(inputs, Origin::Document))
}

/// A text in JSON with these spans masked. It stays JSON: a number is replaced by a string.
pub fn mask_json(text: &str, tree: &Tree, spans: &[Span]) -> String {
    let mut masked = mask_spans(text, spans).into_owned();
    let numbers = tree.nodes().filter(|node| node.kind() == Kind::Number);
    let secret: Vec<_> = numbers.map(Node::span).filter(|span| spans.contains(span)).collect();
    for span in secret.into_iter().rev() {
        masked.replace_range(span.start as usize..span.end as usize, "\"***\"");
    }
    masked
}
