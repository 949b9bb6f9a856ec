//! Rules about the text and its tree, independent of most fields.

mod byte_order_mark;
mod duplicate_key;
mod leaked_secret;
mod lone_surrogate;
mod nested_too_deep;
mod not_an_object;
mod secret_in_document;
mod setting_in_variables;
mod syntax_error;
mod toml_1_1_syntax;
mod yaml_ambiguous_value;
mod yaml_comment_cuts_text;

use crate::document::Document;
use crate::place::Place;
use crate::verdict::{Finding, Verdicts};
use crate::{DocumentKind, Origin, Rule, secrets};
use voxlint_syntax::{SyntaxError, SyntaxErrorKind};

pub(crate) static RULES: &[&Rule] = &[
    &syntax_error::RULE,
    &byte_order_mark::RULE,
    &lone_surrogate::RULE,
    &nested_too_deep::RULE,
    &not_an_object::RULE,
    &duplicate_key::RULE,
    &leaked_secret::RULE,
    &secret_in_document::RULE,
    &yaml_ambiguous_value::RULE,
    &toml_1_1_syntax::RULE,
    &yaml_comment_cuts_text::RULE,
    &setting_in_variables::RULE,
];

/// The rule about secrets, and its findings in a text file.
pub(crate) fn secrets_in_text(document: &Document, origin: Origin) -> (&'static Rule, Verdicts) {
    let found = secret_in_document::secrets(document, DocumentKind::Template, origin);
    (&secret_in_document::RULE, found)
}

/// The help for the first fault of a file that is valid as JSONC. Only JSON may be sent to the service.
const VALID_AS_JSONC: &str = "remove it, or check the file as JSONC (extension `.jsonc`) and convert it to JSON before sending it";

/// A finding for each syntax error of these kinds.
fn findings(
    document: &Document,
    kind: DocumentKind,
    wanted: impl Fn(SyntaxErrorKind) -> bool,
) -> impl Iterator<Item = Finding> {
    let mut masked = None;
    let mut is_fine_as_jsonc = false;
    if document.errors().first().is_some_and(|first| wanted(first.kind)) {
        is_fine_as_jsonc = document.is_fine_as_jsonc();
    }
    document.errors().iter().filter(move |error| wanted(error.kind)).map(move |error| {
        // Messages quote the text, which may contain a secret. A control character or an escape is not masked, because its
        // name would be wrong.
        let is_harmless = matches!(
            error.kind,
            SyntaxErrorKind::ControlCharacter | SyntaxErrorKind::InvalidEscape
        );
        let shown = if is_harmless {
            document.text()
        } else {
            masked.get_or_insert_with(|| {
                secrets::masked_document(document.tree(), document.extent(), kind)
            })
        };
        let mut finding = finding(shown, error);
        // Once is enough for all errors of a file.
        if std::mem::take(&mut is_fine_as_jsonc) {
            finding.help = Some(VALID_AS_JSONC.to_owned());
        }
        finding
    })
}

fn finding(text: &str, error: &SyntaxError) -> Finding {
    let mut finding =
        Finding::new(Place::bytes(error.span), error.message(text)).of_root().label(error.label());
    if let Some(help) = error.help(text) {
        finding = finding.help(help);
    }
    if let (Some(related), Some(label)) = (error.related, error.related_label()) {
        finding = finding.also(Place::bytes(related), label);
    }
    finding
}
