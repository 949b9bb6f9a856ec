//! Masks secrets in the findings of a check.

use voxlint_schema::DocumentKind;
use voxlint_syntax::Span;

use crate::secrets::Redactor;
use crate::{Diagnostic, Inputs, Origin, secrets};

/// Masks the secrets of all inputs in the findings. Returns the secrets in the document, and those in the other inputs that
/// findings point into.
pub(super) fn mask(
    inputs: &Inputs,
    kind: DocumentKind,
    may_be_shown: bool,
    diagnostics: &mut [Diagnostic],
) -> (Vec<Span>, Vec<(Origin, Vec<Span>)>) {
    let document = &inputs.document;
    let mut secrets = if may_be_shown {
        secrets::spans(document.tree(), document.extent(), kind)
    } else {
        Vec::new()
    };
    if kind == DocumentKind::ApiKeys && !document.errors().is_empty() {
        secrets.extend(secrets::spans_of_broken_list(document.text()));
        secrets.sort_unstable();
    }
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
    let others = stored.chain(facts).chain(texts);
    let other_secrets = others
        .clone()
        .filter(|(origin, ..)| shows(*origin))
        .map(|(origin, document, kind)| {
            (origin, secrets::spans(document.tree(), document.extent(), kind))
        })
        .collect();
    if !diagnostics.is_empty() {
        let mut redactor = Redactor::default();
        secrets::collect(document.tree(), document.extent(), kind, &mut redactor);
        // Facts have no fields for secrets, and may be shared by many documents.
        for (_, document, kind) in
            others.filter(|(origin, ..)| *origin != Origin::Facts || shows(*origin))
        {
            secrets::collect(document.tree(), document.extent(), kind, &mut redactor);
        }
        for finding in diagnostics {
            redactor.redact_finding(finding);
        }
    }
    (secrets, other_secrets)
}
