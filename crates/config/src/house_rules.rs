//! Reads house rules: the requirements that a team has for its own documents.

use std::ops::Range;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use voxlint::schema::configuration::house_rule as table;
use voxlint::syntax::{Kind, Node};
use voxlint::{Constraint, HouseRule, PointerError, PointerPattern, Severity, TextPattern};

use crate::diagnostic::{ConfigDiagnostic, quote};
use crate::value_reader::ConfigReader;

/// The maximum size of a compiled regular expression, in bytes.
const MAX_REGEX_SIZE: usize = 2 << 20;

/// A regular expression that is searched for in texts.
#[derive(Debug)]
struct RegexPattern(Regex);

impl TextPattern for RegexPattern {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        self.0.find(text).map(|found| found.range())
    }

    fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// Reads the constraints of an entry.
pub(crate) fn read_house_rule<'d>(
    reader: &mut ConfigReader<'d>,
    entry: Node<'d>,
) -> Option<HouseRule> {
    let get = |name: &str| entry.get(name);
    let id = get(table::id.row.name).and_then(|node| reader.text(node));
    let field = get(table::field.row.name).and_then(|node| read_pointer(reader, node));
    let required = get(table::required.row.name).filter(|node| node.as_bool() == Some(true));
    let must_match = get(table::must_match.row.name).map(|node| (node, expression(reader, node)));
    let must_not_match =
        get(table::must_not_match.row.name).map(|node| (node, expression(reader, node)));
    let one_of = get(table::one_of.row.name).filter(|node| node.kind() == Kind::Array);
    let help = "list the allowed values, or remove the key";
    let one_of = one_of.map(|node| reader.nonempty_texts(node, "the list allows no value", help));
    let max_length = get(table::max_length.row.name);
    let limit = max_length.and_then(|node| node.source().replace('_', "").parse::<usize>().ok());

    let is_unconstrained = required.is_none()
        && must_match.is_none()
        && must_not_match.is_none()
        && one_of.is_none()
        && max_length.is_none();
    if is_unconstrained {
        // A misspelled key is reported already, and is probably a constraint.
        if !reader.has_fault_in(entry.span()) {
            let at = get(table::id.row.name).unwrap_or(entry);
            let help = "add `required`, `must_match`, `must_not_match`, `one_of` or `max_length`";
            reader.report(at, ConfigDiagnostic::new("the house rule has no constraint").help(help));
        }
        return None;
    }
    let mut rule = HouseRule::new(id?.value, field.clone()?);
    if let Some(node) = required
        && let Some(field) = &field
    {
        check_required(reader, node, field);
        rule = rule.constraint(Constraint::Present);
    }
    let is_same = must_match
        .as_ref()
        .zip(must_not_match.as_ref())
        .filter(|((one, _), (other, _))| one.as_str().is_some() && one.as_str() == other.as_str());
    if let Some(((one, _), (other, _))) = is_same {
        let fault =
            ConfigDiagnostic::new("no text can both match and not match the same expression")
                .also(one.span(), "`must_match` is here");
        reader.report(*other, fault.help("remove one of the two"));
    }
    let must_match = must_match.and_then(|(_, expression)| expression);
    let must_not_match = must_not_match.and_then(|(_, expression)| expression);
    if let Some(values) = one_of {
        for (node, value) in &values {
            let why = if must_match.as_ref().is_some_and(|pattern| pattern.find(value).is_none()) {
                "does not match `must_match`"
            } else if must_not_match.as_ref().is_some_and(|pattern| pattern.find(value).is_some()) {
                "matches `must_not_match`"
            } else if limit.is_some_and(|limit| value.chars().count() > limit) {
                "is longer than `max_length`"
            } else {
                continue;
            };
            let message = format!("the allowed value {} {why}", quote(value));
            reader.report(*node, ConfigDiagnostic::new(message).help("change one of the two"));
        }
        rule = rule
            .constraint(Constraint::OneOf(values.into_iter().map(|(_, value)| value).collect()));
    }
    rule = limit.into_iter().fold(rule, |rule, limit| rule.constraint(Constraint::AtMost(limit)));
    rule = must_match.into_iter().fold(rule, |rule, it| rule.constraint(Constraint::Matching(it)));
    rule = must_not_match
        .into_iter()
        .fold(rule, |rule, it| rule.constraint(Constraint::NotMatching(it)));
    Some(add_texts(reader, entry, rule))
}

/// Reads the message, the help and the level of a rule.
fn add_texts<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>, rule: HouseRule) -> HouseRule {
    let mut text = |name: &str| {
        let node = entry.get(name)?;
        let text = reader.text(node)?.value;
        if text.trim().is_empty() {
            let help = "write a text, or remove the key";
            reader.report(node, ConfigDiagnostic::new(format!("the {name} is empty")).help(help));
        }
        Some(text)
    };
    let message = text(table::message.row.name);
    let help = text(table::help.row.name);
    let level = text(table::level.row.name);
    let rule = message.into_iter().fold(rule, HouseRule::message);
    let rule = help.into_iter().fold(rule, HouseRule::help);
    rule.level(match level.as_deref() {
        Some("error") => Severity::Error,
        Some("info") => Severity::Info,
        _ => Severity::Warning,
    })
}

fn check_required<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>, field: &PointerPattern) {
    if field.names_a_field() {
        return;
    }
    let why = if field.as_str().is_empty() {
        "the whole document is always present"
    } else {
        "`field` matches any value, so no value can be missing"
    };
    let fault = ConfigDiagnostic::new(why)
        .help("end `field` with a name and do not use `**`, or remove `required`");
    reader.report(node, fault);
}

fn expression<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Option<Arc<dyn TextPattern>> {
    let pattern = reader.text(node)?.value;
    match RegexBuilder::new(&pattern).size_limit(MAX_REGEX_SIZE).build() {
        Ok(regex) => Some(Arc::new(RegexPattern(regex))),
        Err(error) => {
            let fault = match fault(&pattern) {
                Some((at, message)) => {
                    let span = node.text().map_or(node.span(), |text| text.to_source(at));
                    ConfigDiagnostic::new(format!("invalid regular expression: {message}")).at(span)
                }
                None if matches!(error, regex::Error::CompiledTooBig(_)) => {
                    ConfigDiagnostic::new("the regular expression is too large")
                        .help("use fewer or smaller repetitions")
                }
                None => ConfigDiagnostic::new("invalid regular expression"),
            };
            let fault = if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|it| pattern.contains(it)) {
                fault.help("write the pattern without lookaround; `must_match` and `must_not_match` can be combined")
            } else {
                fault
            };
            reader.report(node, fault);
            None
        }
    }
}

/// The position of the first fault of a regular expression, in bytes, and its message.
fn fault(pattern: &str) -> Option<(Range<usize>, String)> {
    let error = regex_syntax::Parser::new().parse(pattern).err()?;
    let (span, message) = match &error {
        regex_syntax::Error::Parse(error) => (error.span(), error.kind().to_string()),
        regex_syntax::Error::Translate(error) => (error.span(), error.kind().to_string()),
        _ => return None,
    };
    let (start, end) = (span.start.offset, span.end.offset);
    // An empty span is extended to the next character, so that it is visible.
    let next = pattern.get(end..).and_then(|rest| rest.chars().next());
    let end = if start == end { end + next.map_or(0, char::len_utf8) } else { end };
    Some((start..end, message))
}

/// Reads a pointer pattern.
pub(crate) fn read_pointer<'d>(
    reader: &mut ConfigReader<'d>,
    node: Node<'d>,
) -> Option<PointerPattern> {
    let text = reader.text(node)?.value;
    match PointerPattern::parse(&text) {
        Ok(pointer) => Some(pointer),
        Err(error) => {
            let mut fault = ConfigDiagnostic::new(error.to_string());
            if error == PointerError::NoSlash {
                fault = fault.help(pointer_help(&text));
            }
            if let PointerError::Tilde(at) = error {
                let span = node.text().map_or(node.span(), |text| text.to_source(at..at + 1));
                fault = fault.at(span).label("must be followed by 0 or 1");
            }
            reader.report(node, fault);
            None
        }
    }
}

/// The correct form of a pointer in another notation: a URI fragment or a JSON path.
fn pointer_help(text: &str) -> String {
    if let Some(pointer) = text.strip_prefix('#') {
        if pointer.is_empty() {
            return "remove the `#`: the empty pointer stands for the whole document".to_owned();
        }
        let begin = if pointer.starts_with('/') { "" } else { "/" };
        return format!("remove the `#`: write {}", quote(&format!("{begin}{pointer}")));
    }
    let pointer = text.trim_start_matches("$.").replace('.', "/");
    format!("write {}", quote(&format!("/{pointer}")))
}
