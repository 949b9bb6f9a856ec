//! Rules about the text and its tree, independent of most fields.

mod byte_order_mark;
mod card_or_id_number;
mod duplicate_key;
mod invisible_character;
mod leaked_secret;
mod lone_surrogate;
mod mojibake;
mod nested_too_deep;
mod not_an_object;
mod replacement_character;
mod secret_in_document;
mod setting_in_variables;
mod syntax_error;
mod toml_1_1_syntax;
mod yaml_ambiguous_value;
mod yaml_comment_cuts_text;

use std::borrow::Cow;

use voxlint_schema::{Shape, TextFormat, settings};
use voxlint_syntax::{Format, Kind, Node, SyntaxError, SyntaxErrorKind};

use crate::document::Document;
use crate::glance::may_skip;
use crate::place::Place;
use crate::text::unusual::{self, may_have_control};
use crate::verdict::{Finding, Verdicts};
use crate::{DocumentKind, Origin, Rule, secrets};

pub(crate) static RULES: &[&Rule] = &[
    &syntax_error::RULE,
    &byte_order_mark::RULE,
    &lone_surrogate::RULE,
    &nested_too_deep::RULE,
    &not_an_object::RULE,
    &duplicate_key::RULE,
    &leaked_secret::RULE,
    &secret_in_document::RULE,
    &card_or_id_number::RULE,
    &invisible_character::RULE,
    &mojibake::RULE,
    &replacement_character::RULE,
    &yaml_ambiguous_value::RULE,
    &toml_1_1_syntax::RULE,
    &yaml_comment_cuts_text::RULE,
    &setting_in_variables::RULE,
];

/// The rules about texts wherever they are, and their findings in a text file.
pub(crate) fn in_text_file(
    document: &Document,
    origin: Origin,
) -> impl Iterator<Item = (&'static Rule, Verdicts)> {
    let secrets = secret_in_document::secrets(document, DocumentKind::Template, origin);
    [
        (&secret_in_document::RULE, secrets),
        (&card_or_id_number::RULE, card_or_id_number::in_texts(document, origin)),
        (&invisible_character::RULE, invisible_character::in_texts(document, origin)),
        (&mojibake::RULE, mojibake::in_texts(document, origin)),
        (&replacement_character::RULE, replacement_character::in_texts(document, origin)),
    ]
    .into_iter()
}

/// The texts of a document that may contain an unusual character, decoded. Names of fields are not included: other rules
/// report names that no table lists. Nor are texts of a fixed format, which have rules of their own.
fn unusual_texts(document: &Document) -> impl Iterator<Item = (Node<'_>, Cow<'_, str>)> {
    let format = document.format();
    // JSON and TOML do not allow control characters in a string, and YAML hardly any.
    let may_have =
        move |text| unusual::may_have(text) || (format == Format::Text && may_have_control(text));
    let is_searched = !may_skip() || document.has_unusual_characters();
    let nodes = is_searched.then(|| document.tree().nodes()).into_iter().flatten();
    let nodes = nodes.filter(move |node| {
        node.kind() == Kind::String
            && !node.is_faulty()
            && may_have(node.source())
            && !has_fixed_format(*node)
    });
    nodes.filter_map(|node| Some((node, node.as_str()?)))
}

/// Whether a text has the name of a setting of which the format or the values are described.
fn has_fixed_format(node: Node<'_>) -> bool {
    let name = node.name().and_then(Node::as_str).unwrap_or_default();
    let tables = [&settings::TABLE, &settings::default_dynamic_variables::TABLE];
    tables.iter().filter_map(|table| table.row(&name)).any(|row| match row.shape {
        Shape::Text(text) => {
            text.format != TextFormat::Any || text.terms.is_some() || !text.choices.is_empty()
        }
        _ => false,
    })
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
