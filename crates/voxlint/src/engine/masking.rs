//! Masks secrets in the findings of a check.

use voxlint_schema::DocumentKind;
use voxlint_syntax::{Format, Span};

use crate::secrets::{DocumentSecrets, Redactor};
use crate::{Diagnostic, Document, Inputs, Origin, secrets};

/// Masks the secrets of all inputs in the findings. Returns the secrets in the document, and those in the other inputs that
/// findings point into.
pub(crate) fn mask(
    inputs: &Inputs,
    kind: DocumentKind,
    may_be_shown: bool,
    diagnostics: &mut [Diagnostic],
) -> (Vec<Span>, Vec<(Origin, Vec<Span>)>) {
    let document = &inputs.document;
    let in_document = (may_be_shown || !diagnostics.is_empty()).then(|| secrets_of(document, kind));
    let mut secrets = Vec::new();
    if may_be_shown && let Some(found) = &in_document {
        secrets = found.spans();
    }
    if kind == DocumentKind::ApiKeys && !document.errors().is_empty() {
        secrets.extend(secrets::spans_of_broken_list(document.text()));
        secrets.sort_unstable();
    }
    let Some(in_document) = in_document.filter(|_| !diagnostics.is_empty()) else {
        return (secrets, Vec::new());
    };

    let shows = |origin: Origin| {
        diagnostics.iter().any(|finding| {
            finding.origin == origin || finding.related.iter().any(|place| place.origin == origin)
        })
    };
    let stored =
        inputs.stored.iter().map(|it| (Origin::Stored, it.document(), DocumentKind::Stored));
    let facts = inputs.facts.iter().map(|it| (Origin::Facts, it.document(), DocumentKind::Facts));
    let texts = inputs.texts.iter().zip(0..);
    let texts = texts.map(|(it, at)| (Origin::Text(at), it.document(), DocumentKind::Template));
    let mut redactor = Redactor::default();
    in_document.collect(&mut redactor);
    let mut other_secrets = Vec::new();
    for (origin, document, kind) in stored.chain(facts).chain(texts) {
        let is_shown = shows(origin);
        // Facts have no fields for secrets, and may be shared by many documents.
        if is_shown || origin != Origin::Facts {
            let found = secrets_of(document, kind);
            found.collect(&mut redactor);
            if is_shown {
                other_secrets.push((origin, found.spans()));
            }
        }
    }
    for finding in diagnostics {
        redactor.redact_finding(finding);
    }
    (secrets, other_secrets)
}

/// The secrets of all inputs of a check, and of a document of variables.
pub(crate) fn redactor(inputs: &Inputs, variables: Option<&Document>) -> Redactor {
    let stored = inputs.stored.iter().map(|it| (it.document(), DocumentKind::Stored));
    let texts = inputs.texts.iter().map(|it| (it.document(), DocumentKind::Template));
    let variables = variables.into_iter().map(|it| (it, DocumentKind::Update));
    let document = [(&inputs.document, inputs.checked_as())];
    let mut redactor = Redactor::default();
    for (document, kind) in document.into_iter().chain(stored).chain(texts).chain(variables) {
        secrets_of(document, kind).collect(&mut redactor);
    }
    redactor
}

fn secrets_of(document: &Document, kind: DocumentKind) -> DocumentSecrets<'_> {
    if document.format() == Format::Json && document.errors().is_empty() {
        return DocumentSecrets::in_nodes(document.tree(), kind);
    }
    DocumentSecrets::find(document.tree(), document.extent(), kind)
}
