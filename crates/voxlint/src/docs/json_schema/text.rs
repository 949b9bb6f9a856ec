//! The keywords for strings.

use voxlint_model::json::Json;
use voxlint_model::text::destinations::DIGITS;
use voxlint_model::text::time_zones;
use voxlint_schema::{Catalogue, DocumentKind, Role, TermLimits, TextFormat, TextShape};

use super::keyword::{Keyword, keyword, text};

/// The keywords for a string in addition to its type.
pub(super) fn keywords(shape: TextShape, kind: DocumentKind, is_nullable: bool) -> Vec<Keyword> {
    let mut keywords = Vec::new();
    if !shape.choices.is_empty() {
        let null = is_nullable.then_some(Json::Null);
        let choices = shape.choices.iter().copied().map(text).chain(null);
        keywords.push(keyword("enum", Json::List(choices.collect())));
    }
    if let Role::Id(catalogue) = shape.role
        && kind.is_sent()
        && catalogue != Catalogue::PhoneNumbers
    {
        keywords.push(keyword("minLength", Json::Whole(1)));
    }
    if let Some(limit) = shape.max_characters {
        // A schema counts code points. Graphemes are never more, so nothing is missed that every count rejects. UTF-16 units
        // are never fewer, so whatever the schema rejects exceeds the limit by at least one count.
        keywords.push(keyword("maxLength", Json::Whole(i64::from(limit))));
    }
    match shape.format {
        // The database grows, and a saved schema would reject new names. So the names are only examples.
        TextFormat::TimeZone if kind.is_sent() => {
            keywords.push(keyword(
                "examples",
                Json::List(time_zones::time_zones().map(text).collect()),
            ));
        }
        // JSON Schema only knows RFC 3339, and lists of API keys may have other forms of ISO 8601.
        TextFormat::DateTime if kind != DocumentKind::ApiKeys => {
            keywords.push(keyword("format", text("date-time")));
        }
        TextFormat::Json => keywords.push(keyword("contentMediaType", text("application/json"))),
        TextFormat::Destinations { most } => {
            keywords.push(keyword("pattern", text(destinations(most))));
        }
        TextFormat::Any | TextFormat::TimeZone | TextFormat::DateTime => {}
    }
    if let Some(limits) = shape.terms {
        keywords.push(keyword("allOf", Json::List(terms(limits))));
    }
    keywords
}

fn destinations(most: u32) -> String {
    let number = format!(r"\+(1|91)[0-9]{{{DIGITS}}}");
    format!(r"^{number}(\|{number}){{0,{}}}$", most.saturating_sub(1))
}

/// One pattern for each limit, so that an editor shows which one is exceeded. A pattern cannot limit the total length.
fn terms(limits: TermLimits) -> Vec<Json<'static>> {
    let pattern = |comment: String, pattern: String| {
        Json::Object(vec![keyword("$comment", text(comment)), keyword("pattern", text(pattern))])
    };
    let TermLimits { most, max_characters, max_total: _ } = limits;
    // A term without surrounding spaces: its first character, those in the middle, and its last one.
    let middle = max_characters.saturating_sub(2);
    let term = format!("([^ ,]([^,]{{0,{middle}}}[^ ,])? *)?");
    vec![
        pattern(
            "letters, digits and spaces, between commas".to_owned(),
            "^[A-Za-z0-9 ,]*$".to_owned(),
        ),
        pattern(
            format!("at most {max_characters} characters in a term"),
            format!("^ *{term}(, *{term})*$"),
        ),
        pattern(
            format!("at most {most} terms"),
            format!("^[^,]*(,[^,]*){{0,{}}}$", most.saturating_sub(1)),
        ),
    ]
}
