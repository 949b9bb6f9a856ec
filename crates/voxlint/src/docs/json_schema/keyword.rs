//! The keywords of a JSON Schema.

use std::borrow::Cow;

use voxlint_model::json::Json;

/// One keyword of a schema and its value.
pub(super) type Keyword = (Cow<'static, str>, Json<'static>);

pub(super) fn keyword(name: &'static str, value: Json<'static>) -> Keyword {
    (Cow::Borrowed(name), value)
}

pub(super) fn text(text: impl Into<Cow<'static, str>>) -> Json<'static> {
    Json::Text(text.into())
}

pub(super) fn of_type(name: &'static str) -> Json<'static> {
    Json::Object(vec![keyword("type", text(name))])
}
