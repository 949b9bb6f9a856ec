use voxlint_model::json;
use voxlint_model::meant_number::{MeantNumber, allows, meant_number};
use voxlint_model::place::Part;
use voxlint_model::quote::list;
use voxlint_model::text::phone_number::PhoneNumber;
use voxlint_schema::{Fractions, Items, Null, TextShape};

use super::out_of_range::range;
use super::shared::with_article;
use crate::prelude::*;

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
        fix: Both("Writes the number, `true` or `false` that is in quotes. That is safe if the text is exactly such a value and the \
                   number is in range. The unsafe fixes put a number in quotes, write a list of keywords or \
                   phone numbers as one text or one text as a list, remove the comma that a value from JSON ends with, and \
                   read other spellings such as `True`, `yes`, `10m` and `65%`. Numbers are never changed to fit a range. A list with comments \
                   stays, and so does a prompt that is a list: only you know whether its items are lines or paragraphs."),
        readings: [DEFAULT_VARIABLES],
        properties: [WrongTypes],
    }
}

fn check(value: &FieldValue<'_>) -> Verdict {
    if value.is_null() || value.node.kind() == Kind::Invalid || value.has_right_type() {
        // Another rule reports null and unreadable values.
        return Verdict::Holds;
    }
    if value.node.members().next().is_some_and(|member| member.key.is_faulty()) {
        // `syntax-error` has reported a text that reads as an object, such as `{{name}}` without quotes in YAML.
        return Verdict::Holds;
    }
    if let Some(finding) = item_of_wrong_type(value) {
        return finding.reject();
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
    // A number in quotes that is in range only in another unit is one mistake.
    let meant = meant(value);
    let is_in_other_unit = meant.as_ref().is_some_and(|it| it.is_allowed);
    let unquoted = unquoted(value).filter(|_| !is_in_other_unit);
    let is_meant = |number: &String| meant.as_ref().is_some_and(|it| it.literal == *number);
    let decimal_comma = decimal_comma(value).filter(|it| !is_in_other_unit || is_meant(it));
    let number = unquoted.clone().or_else(|| decimal_comma.clone());
    if let Some(range) = number.and_then(|number| range_of(value, &number)) {
        finding = finding.help(format!("write a number{range}, without quotes"));
    } else if let Some(literal) = unquoted {
        let shown = quote(&literal);
        let is_quoted = !value.node.is_plain()
            && value.node.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case(&literal));
        let help = if is_quoted {
            format!("write it without quotes: {shown}")
        } else {
            format!("write {shown}")
        };
        finding = finding.help(help).fix(ProposedFix::replace(
            format!("write {}", excerpt(&literal)),
            if is_exact(value, &literal) { Safety::Safe } else { Safety::Unsafe },
            value.place(),
            Replacement::Literal(literal),
        ));
    } else if let Some(number) = decimal_comma {
        finding = finding
            .label("a decimal comma")
            .help(format!("use a decimal point: {}", quote(&number)));
    } else if let (Some(meant), Shape::Number(shape)) = (meant, value.shape()) {
        if meant.is_allowed && !meant.is_certain {
            let help = format!("did you mean `{}`? {}", meant.literal, range(&shape));
            finding = finding.help(help);
        } else if meant.is_allowed {
            let unit = shape.unit.map(|unit| format!(", in {unit}")).unwrap_or_default();
            finding =
                finding.help(format!("write `{}`{unit}", meant.literal)).fix(ProposedFix::replace(
                    format!("write {}", meant.literal),
                    Safety::Unsafe,
                    value.place(),
                    Replacement::Literal(meant.literal),
                ));
        } else {
            finding = finding.help(range(&shape));
        }
    } else if let Some(help) = help(value) {
        finding = finding.help(help);
        finding.fix = in_other_form(value);
    }
    finding.reject()
}

/// The first item that is not a string, in a field for a string or an array of strings.
fn item_of_wrong_type(value: &FieldValue<'_>) -> Option<Finding> {
    let is_either = value.shape().allows_texts();
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
    // A comma at the end of a line of YAML comes from JSON.
    let text = text.strip_suffix(',').filter(|_| value.node.is_plain()).unwrap_or(text);
    match value.shape() {
        Shape::Number(_) => Decimal::parse(text).map(|_| text.to_owned()),
        Shape::Flag => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" => Some("true".to_owned()),
            "false" | "no" | "off" | "n" => Some("false".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// The number in the unit of its field that a string spells with a unit, or that fits only in another unit.
fn meant(value: &FieldValue<'_>) -> Option<MeantNumber> {
    let Shape::Number(shape) = value.shape() else { return None };
    meant_number(&value.node.as_str()?, &shape)
}

/// Whether a string is exactly the number or flag that it spells. It then has one meaning.
fn is_exact(value: &FieldValue<'_>, literal: &str) -> bool {
    // Not every YAML reader reads `1e3` as a number.
    let is_plain = !matches!(value.shape(), Shape::Number(_)) || !literal.contains(['e', 'E']);
    is_plain && value.node.as_str().is_some_and(|text| text == literal)
}

/// What a number has to be, if one in quotes is not that: the next finding would be about it.
fn range_of(value: &FieldValue<'_>, number: &str) -> Option<String> {
    let Shape::Number(shape) = value.shape() else { return None };
    if allows(&shape, Decimal::parse(number)?) {
        return None;
    }
    let (min, max) =
        shape.disputed.map_or((shape.min, shape.max), |narrower| (narrower.min, narrower.max));
    let range = super::shared::range(min, max).unwrap_or_default();
    let whole = if shape.fractions == Fractions::Allowed { "" } else { " without a fraction" };
    Some(format!("{range}{whole}"))
}

/// The same value in the form of its field: a list as one string, a string as a list, a number as a string.
fn in_other_form(value: &FieldValue<'_>) -> Option<ProposedFix> {
    let quoted = |text: &str| format!("\"{}\"", json::escaped(text));
    let node = value.node;
    let whole = Place { part: Part::Bytes(node.span()), ..value.place() };
    let (title, at, replacement) = match (value.shape(), node.kind()) {
        (Shape::Text(text), Kind::Array) => {
            let separator = match text.format {
                TextFormat::Destinations { .. } => "|",
                _ if text.role == Role::Keywords => ", ",
                _ => return None,
            };
            let items: Option<Vec<_>> = node.elements().map(Node::as_str).collect();
            let items = items.filter(|items| {
                !items.is_empty() && !items.iter().any(|item| item.contains(separator.trim()))
            })?;
            let text = items.join(separator);
            ("write one string".to_owned(), value.place(), Replacement::Text(text))
        }
        (Shape::Text(text), Kind::Number | Kind::Bool) if helps_quoted(value, text) => {
            let source = node.source();
            let title = format!("write {}", excerpt(&quoted(source)));
            (title, value.place(), Replacement::Text(source.to_owned()))
        }
        (Shape::List(Items::Texts(_)), Kind::String) if !node.is_faulty() => {
            let text = node.as_str()?;
            let items = items(&text)?;
            let title = match items.len() {
                1 => "write a list of one item".to_owned(),
                count => format!("write a list of {count} items"),
            };
            let items: Vec<String> = items.into_iter().map(quoted).collect();
            (title, whole, Replacement::Literal(format!("[{}]", items.join(", "))))
        }
        _ => return None,
    };
    Some(ProposedFix::replace(title, Safety::Unsafe, at, replacement))
}

/// The items of a list that is written as one text: one word each, with a comma between two. A dash may begin an item of YAML.
fn items(text: &str) -> Option<Vec<&str>> {
    let is_word = |item: &&str| {
        !item.is_empty()
            && !item.starts_with('-')
            && !item.contains(|c: char| c.is_whitespace() || matches!(c, '|' | ';'))
    };
    let items: Vec<&str> = text.split(',').map(str::trim).collect();
    items.iter().all(is_word).then_some(items)
}

/// The number that a string with a decimal comma spells, in a field for numbers.
fn decimal_comma(value: &FieldValue<'_>) -> Option<String> {
    let text = value.node.as_str()?;
    let number = text.trim().replacen(',', ".", 1);
    let is_number = matches!(value.shape(), Shape::Number(_)) && text.contains(',');
    (is_number && Decimal::parse(&number).is_some()).then_some(number)
}

/// How to write a text as a list.
fn help_for_list(value: &FieldValue<'_>) -> &'static str {
    let text = value.node.as_str().unwrap_or_default();
    match items(&text).map(|items| items.len()) {
        Some(1) => "put it in brackets to make a list of one item",
        None if value.node.is_plain() && text.starts_with('-') => {
            "write each item on its own line, with a space after the dash"
        }
        _ => "write a list, with each item as a string of its own",
    }
}

/// Whether a number or a flag is what the field means, once it is in quotes. A text that another rule reports next is not, and
/// a flag is probably not an id, or something that an agent says.
fn helps_quoted(value: &FieldValue<'_>, text: TextShape) -> bool {
    let source = value.node.source();
    let is_short = |most: u32| source.len() <= most as usize;
    let is_plain = || source.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.choices.is_empty()
        && matches!(text.format, TextFormat::Any)
        && text.max_characters.is_none_or(is_short)
        && (text.terms.is_none() || is_plain())
        && (value.node.kind() == Kind::Number || text.role == Role::Label)
}

/// What to write in place of a number or a flag that is not the text of the field.
fn text_instead(value: &FieldValue<'_>, text: TextShape) -> String {
    let none = if value.null() == Null::Clears { ", or null for none" } else { "" };
    let digits = || PhoneNumber::read(value.node.source(), 0).normalized();
    match text.format {
        _ if !text.choices.is_empty() => {
            format!("use one of {}{none}", list(text.choices.iter().copied()))
        }
        TextFormat::Destinations { .. } => match digits() {
            Some(number) => format!("write `\"{number}\"`"),
            None => "write each number in one string, as `+1` or `+91` and ten digits".to_owned(),
        },
        TextFormat::TimeZone => {
            "write the IANA name of a place, such as `\"Asia/Kolkata\"`".to_owned()
        }
        TextFormat::DateTime => {
            "write a date and time such as `\"2025-01-31T09:30:00Z\"`".to_owned()
        }
        TextFormat::Json => "write the JSON as a string".to_owned(),
        TextFormat::Any if text.terms.is_some() => {
            "write the terms in one string, with letters, digits and spaces only".to_owned()
        }
        TextFormat::Any => format!("write a string{none}"),
    }
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
        (Shape::Text(text), Kind::Number | Kind::Bool) if helps_quoted(value, text) => {
            Some(format!("put it in quotes: `\"{}\"`", excerpt(value.node.source())))
        }
        (Shape::Text(text), Kind::Number | Kind::Bool) => Some(text_instead(value, text)),
        (Shape::List(Items::Maps(_)), Kind::Object) => {
            Some("put it in brackets to make a list of one item".to_owned())
        }
        (Shape::List(Items::Texts(_)), Kind::String) => Some(help_for_list(value).to_owned()),
        _ => None,
    }
}
