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
mod shared;
mod syntax_error;
mod toml_1_1_syntax;
mod yaml_ambiguous_value;
mod yaml_comment_cuts_text;
mod yaml_folded_lines;

use self::shared::in_unusual_texts;
use voxlint_model::Rule;

use crate::check;
use crate::prelude::*;

family! {
    check::Document:
    SYNTAX_ERROR = syntax_error,
    BYTE_ORDER_MARK = byte_order_mark,
    LONE_SURROGATE = lone_surrogate,
    NESTED_TOO_DEEP = nested_too_deep,
    NOT_AN_OBJECT = not_an_object,
    DUPLICATE_KEY = duplicate_key,
    LEAKED_SECRET = leaked_secret,
    SECRET_IN_DOCUMENT = secret_in_document,
    CARD_OR_ID_NUMBER = card_or_id_number,
    INVISIBLE_CHARACTER = invisible_character,
    MOJIBAKE = mojibake,
    REPLACEMENT_CHARACTER = replacement_character,
    YAML_AMBIGUOUS_VALUE = yaml_ambiguous_value,
    TOML_1_1_SYNTAX = toml_1_1_syntax,
    YAML_COMMENT_CUTS_TEXT = yaml_comment_cuts_text,
    YAML_FOLDED_LINES = yaml_folded_lines,
    SETTING_IN_VARIABLES = setting_in_variables,
}

/// The rule about secrets, and its findings in a stored configuration.
pub fn in_stored(document: &Document) -> (&'static Rule, Verdicts) {
    let kind = DocumentKind::Stored;
    (&secret_in_document::RULE, secret_in_document::secrets(document, kind, Origin::Stored))
}

/// The rules about texts wherever they are, and their findings in a text file.
pub fn in_text_file(
    document: &Document,
    origin: Origin,
) -> impl Iterator<Item = (&'static Rule, Verdicts)> {
    let secrets = secret_in_document::secrets(document, DocumentKind::Template, origin);
    [
        (&secret_in_document::RULE, secrets),
        (&card_or_id_number::RULE, card_or_id_number::in_texts(document, origin)),
        (
            &invisible_character::RULE,
            in_unusual_texts(document, origin, invisible_character::finding),
        ),
        (&mojibake::RULE, in_unusual_texts(document, origin, mojibake::finding)),
        (
            &replacement_character::RULE,
            in_unusual_texts(document, origin, replacement_character::finding),
        ),
    ]
    .into_iter()
}
