//! Conditions between several fields that do not depend on the stored configuration.

use voxlint_model::json::Json;
use voxlint_rules::limits::{CAPPED_PIPELINE, DURATION_CAP};
use voxlint_schema::settings::{
    fallback_stt_enabled, max_call_duration_sec, pipeline_type, stt_fallback_transcriber_id,
};
use voxlint_schema::{DocumentKind, Field};

use super::keyword::{Keyword, keyword, of_type, text};

/// The keyword with the conditions between settings (2.3), for kinds that have them at the root.
pub(super) fn between_fields(kind: DocumentKind) -> Option<Keyword> {
    if !kind.has_settings() {
        return None;
    }
    let mut named = member(&stt_fallback_transcriber_id, of_type("string"));
    if kind == DocumentKind::Settings {
        // A field that an update omits may be stored. A field that settings omit is not set.
        named.push(required(&stt_fallback_transcriber_id));
    }
    let cap = Json::Object(vec![keyword("maximum", Json::Whole(DURATION_CAP))]);
    let capped = member(&max_call_duration_sec, cap);
    Some(keyword(
        "allOf",
        Json::List(vec![
            when(&fallback_stt_enabled, Json::Flag(true), named),
            when(&pipeline_type, text(CAPPED_PIPELINE), capped),
        ]),
    ))
}

/// Applies `then` if the field has this value.
fn when<T>(field: &Field<T>, value: Json<'static>, then: Vec<Keyword>) -> Json<'static> {
    let mut condition = member(field, Json::Object(vec![keyword("const", value)]));
    condition.push(required(field));
    Json::Object(vec![keyword("if", Json::Object(condition)), keyword("then", Json::Object(then))])
}

fn member<T>(field: &Field<T>, schema: Json<'static>) -> Vec<Keyword> {
    vec![keyword("properties", Json::Object(vec![keyword(field.row.name, schema)]))]
}

fn required<T>(field: &Field<T>) -> Keyword {
    keyword("required", Json::List(vec![text(field.row.name)]))
}
