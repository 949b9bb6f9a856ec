use voxlint_schema::{Items, Role, Shape, TextFormat};
use voxlint_syntax::{Decimal, Kind};

use super::with_article;
use crate::Safety;
use crate::quote::{excerpt, quote};
use crate::rule::rule;
use crate::value::FieldValue;
use crate::verdict::{Finding, ProposedFix, Replacement, Verdict, Verdicts};

rule! {
    /// A value has the wrong JSON type.
    ///
    /// The service does not convert: `"20"` is not a number and `1` is not true.
    ///
    /// ```json,reject
    /// { "version_number": 3, "end_call_on_silence_sec": "20" }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "knowledge_base_ids": ["kb_returns", 7] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "end_call_on_silence_sec": 20 }
    /// ```
    "wrong-type": Value {
        group: Correctness,
        basis: Stated,
        section: "2.3",
        status: 400,
        properties: [WrongTypes],
    }
}

fn check(value: &FieldValue<'_>) -> Verdicts {
    if value.is_null() || value.node.kind() == Kind::Invalid || value.has_right_type() {
        // Another rule reports null and unreadable values.
        return Verdict::Holds.into();
    }
    if value.node.members().next().is_some_and(|member| member.key.is_faulty()) {
        // `syntax-error` has reported a text that reads as an object, such as `{{name}}` without quotes in YAML.
        return Verdict::Holds.into();
    }
    if let Some(finding) = item_of_wrong_type(value) {
        return finding.reject().into();
    }
    let found = found(value);
    let place = match value.node.kind() {
        Kind::Object | Kind::Array => value.place().opening(),
        _ => value.place(),
    };
    let label = if value.node.is_plain() && value.node.source().starts_with('+') {
        "YAML reads this as a number and drops the `+`".to_owned()
    } else {
        found.clone()
    };
    let mut finding = Finding::new(
        place,
        format!("{} must be {}, not {found}", value.name(), expected(value.shape())),
    )
    .label(label)
    .section(value.section());
    if let Some(literal) = unquoted(value) {
        let shown = quote(&literal);
        let help = if value.node.is_plain() {
            format!("write {shown}")
        } else {
            format!("write it without quotes: {shown}")
        };
        finding = finding.help(help).fix(ProposedFix {
            title: format!("write {}", excerpt(&literal)),
            safety: Safety::Unsafe,
            at: value.place(),
            replacement: Replacement::Literal(literal),
        });
    } else if let Some(number) = decimal_comma(value) {
        finding = finding
            .label("a decimal comma")
            .help(format!("use a decimal point: {}", quote(&number)));
    } else if let Some(help) = help(value) {
        finding = finding.help(help);
    }
    finding.reject().into()
}

/// The first item that is not a string, in a field for a string or an array of strings.
fn item_of_wrong_type(value: &FieldValue<'_>) -> Option<Finding> {
    let is_either = matches!(value.shape(), Shape::TextOrTexts);
    let (index, element) = value
        .node
        .elements()
        .enumerate()
        .find(|(_, element)| is_either && element.kind() != Kind::String)?;
    let item = FieldValue { node: element, item: Some(index), ..*value };
    let found = found(&item);
    let message = format!("{} must be a string, not {found}", item.name());
    Some(
        Finding::new(item.place(), message)
            .about_value(value.place())
            .label(found)
            .section(value.section()),
    )
}

fn expected(shape: Shape) -> String {
    match shape {
        Shape::Flag => "true or false".to_owned(),
        Shape::List(Items::Texts(_)) => "an array of strings".to_owned(),
        Shape::List(Items::Maps(_)) => "an array of objects".to_owned(),
        Shape::Map(_) | Shape::EntriesOrFirst(_) => "an object".to_owned(),
        Shape::Entries(_) => "an object of objects".to_owned(),
        shape => with_article(shape.name()),
    }
}

/// The value's type with its article, or the value itself if it is a flag or null.
fn found(value: &FieldValue<'_>) -> String {
    match value.node.kind() {
        Kind::Object => with_article("object"),
        Kind::Array => with_article("array"),
        Kind::String | Kind::Key => with_article("string"),
        Kind::Number => with_article("number"),
        Kind::Bool if value.node.as_bool() == Some(true) => "true".to_owned(),
        Kind::Bool => "false".to_owned(),
        Kind::Null | Kind::Invalid => "null".to_owned(),
    }
}

/// The number or flag that a string spells, in a field for numbers or flags.
fn unquoted(value: &FieldValue<'_>) -> Option<String> {
    let text = value.node.as_str()?;
    let text = text.trim();
    match value.shape() {
        Shape::Number(_) => Decimal::parse(text).map(|_| text.to_owned()),
        Shape::Flag => match text.to_ascii_lowercase().as_str() {
            "true" => Some("true".to_owned()),
            "false" => Some("false".to_owned()),
            "yes" | "on" | "y" if value.node.is_plain() => Some("true".to_owned()),
            "no" | "off" | "n" if value.node.is_plain() => Some("false".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// The number that a string with a decimal comma spells, in a field for numbers.
fn decimal_comma(value: &FieldValue<'_>) -> Option<String> {
    let text = value.node.as_str()?;
    let number = text.trim().replacen(',', ".", 1);
    let is_number = matches!(value.shape(), Shape::Number(_)) && text.contains(',');
    (is_number && Decimal::parse(&number).is_some()).then_some(number)
}

fn help(value: &FieldValue<'_>) -> Option<String> {
    let kind = value.node.kind();
    match (value.shape(), kind) {
        (Shape::Flag, Kind::Number) => Some("use true or false".to_owned()),
        (Shape::Text(text), Kind::Array)
            if matches!(text.format, TextFormat::Destinations { .. }) =>
        {
            Some("write the numbers in one string, separated by `|`".to_owned())
        }
        (Shape::Text(text), Kind::Array) if text.role == Role::Keywords => {
            Some("write the terms in one string, separated by commas".to_owned())
        }
        (Shape::Text(text), Kind::Object | Kind::Array) if text.format == TextFormat::Json => {
            Some("write the JSON as a string".to_owned())
        }
        (Shape::Text(_), Kind::Number | Kind::Bool) => {
            Some(format!("put it in quotes: `\"{}\"`", excerpt(value.node.source())))
        }
        (Shape::List(Items::Maps(_)), Kind::Object)
        | (Shape::List(Items::Texts(_)), Kind::String) => {
            Some("put it in brackets to make a list of one item".to_owned())
        }
        _ => None,
    }
}
