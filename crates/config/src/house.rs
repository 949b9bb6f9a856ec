//! House rules: what a team demands of its documents, as a configuration states it.

use std::ops::Range;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use voxlint::schema::configuration::house_rule as table;
use voxlint::syntax::{Kind, Node};
use voxlint::{Constraint, HouseRule, PointerPattern, Severity, TextPattern};

use crate::diagnostic::{ConfigDiagnostic, quote};
use crate::read::pointer;
use crate::reader::ConfigReader;

/// The most bytes that a regular expression may take when it is compiled.
const MOST_BYTES: usize = 2 << 20;

/// A regular expression that is looked for in texts.
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

/// Reads the demands of an entry.
pub(crate) fn rule<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>) -> Option<HouseRule> {
    let get = |name: &str| entry.get(name);
    let id = get(table::id.row.name).and_then(|node| reader.text(node));
    let field = get(table::field.row.name).and_then(|node| pointer(reader, node));
    let required = get(table::required.row.name).filter(|node| node.as_bool() == Some(true));
    let must_match = get(table::must_match.row.name).map(|node| (node, expression(reader, node)));
    let must_not_match =
        get(table::must_not_match.row.name).map(|node| (node, expression(reader, node)));
    let one_of = get(table::one_of.row.name).filter(|node| node.kind() == Kind::Array);
    let help = "list the values that are allowed, or remove the key";
    let one_of = one_of.map(|node| reader.some_texts(node, "no value is allowed", help));
    let max_length = get(table::max_length.row.name);
    let limit = max_length.and_then(|node| node.source().replace('_', "").parse::<usize>().ok());

    let demands_nothing = required.is_none()
        && must_match.is_none()
        && must_not_match.is_none()
        && one_of.is_none()
        && max_length.is_none();
    if demands_nothing {
        // A demand with a misspelt name is one all the same.
        if !reader.has_fault_in(entry.span()) {
            let at = get(table::id.row.name).unwrap_or(entry);
            let help = "add `required`, `must_match`, `must_not_match`, `one_of` or `max_length`";
            reader.mistake(at, ConfigDiagnostic::new("the house rule demands nothing").help(help));
        }
        return None;
    }
    let mut rule = HouseRule::new(id?.value, field.clone()?);
    if let Some(node) = required
        && let Some(field) = &field
    {
        require(reader, node, field);
        rule = rule.constraint(Constraint::Present);
    }
    let is_same = must_match
        .as_ref()
        .zip(must_not_match.as_ref())
        .filter(|((one, _), (other, _))| one.as_str().is_some() && one.as_str() == other.as_str());
    if let Some(((one, _), (other, _))) = is_same {
        let mistake = ConfigDiagnostic::new("no text matches the expression and does not match it")
            .also(one.span(), "has to match here");
        reader.mistake(*other, mistake.help("keep one of them"));
    }
    let wanted = must_match.and_then(|(_, expression)| expression);
    let unwanted = must_not_match.and_then(|(_, expression)| expression);
    if let Some(values) = one_of {
        for (node, value) in &values {
            let why = if wanted.as_ref().is_some_and(|wanted| wanted.find(value).is_none()) {
                "`must_match` does not allow it"
            } else if unwanted.as_ref().is_some_and(|unwanted| unwanted.find(value).is_some()) {
                "`must_not_match` does not allow it"
            } else if limit.is_some_and(|limit| value.chars().count() > limit) {
                "it is longer than `max_length`"
            } else {
                continue;
            };
            let message = format!("{} is listed, and {why}", quote(value));
            reader.mistake(
                *node,
                ConfigDiagnostic::new(message).help("remove one of the two demands"),
            );
        }
        rule = rule
            .constraint(Constraint::OneOf(values.into_iter().map(|(_, value)| value).collect()));
    }
    rule = limit.into_iter().fold(rule, |rule, limit| rule.constraint(Constraint::AtMost(limit)));
    rule = wanted.into_iter().fold(rule, |rule, it| rule.constraint(Constraint::Matching(it)));
    rule = unwanted.into_iter().fold(rule, |rule, it| rule.constraint(Constraint::NotMatching(it)));
    Some(words(reader, entry, rule))
}

/// What is said of a breach, and how loudly.
fn words<'d>(reader: &mut ConfigReader<'d>, entry: Node<'d>, rule: HouseRule) -> HouseRule {
    let mut text = |name: &str| {
        let node = entry.get(name)?;
        let text = reader.text(node)?.value;
        if text.trim().is_empty() {
            let help = "say it in words, or remove the key";
            reader.mistake(node, ConfigDiagnostic::new(format!("the {name} is empty")).help(help));
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

fn require<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>, field: &PointerPattern) {
    if field.names_a_member() {
        return;
    }
    let why = if field.as_str().is_empty() {
        "the whole document is always there"
    } else {
        "`field` can match any value, so none of them can be missing"
    };
    let mistake = ConfigDiagnostic::new(why)
        .help("let `field` end with a name and have no `**`, or remove `required`");
    reader.mistake(node, mistake);
}

fn expression<'d>(reader: &mut ConfigReader<'d>, node: Node<'d>) -> Option<Arc<dyn TextPattern>> {
    let pattern = reader.text(node)?.value;
    match RegexBuilder::new(&pattern).size_limit(MOST_BYTES).build() {
        Ok(regex) => Some(Arc::new(RegexPattern(regex))),
        Err(error) => {
            let mistake = match fault(&pattern) {
                Some((at, message)) => {
                    let span = node.text().map_or(node.span(), |text| text.to_source(at));
                    ConfigDiagnostic::new(format!("invalid regular expression: {message}")).at(span)
                }
                None if matches!(error, regex::Error::CompiledTooBig(_)) => {
                    ConfigDiagnostic::new("the regular expression is too large")
                        .help("repeat less in it")
                }
                None => ConfigDiagnostic::new("invalid regular expression"),
            };
            let mistake = if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|it| pattern.contains(it)) {
                mistake.help("use `must_not_match` for what must not be there")
            } else {
                mistake
            };
            reader.mistake(node, mistake);
            None
        }
    }
}

/// Where the fault of a regular expression is, in bytes, and what it is.
fn fault(pattern: &str) -> Option<(Range<usize>, String)> {
    let error = regex_syntax::Parser::new().parse(pattern).err()?;
    let (span, message) = match &error {
        regex_syntax::Error::Parse(error) => (error.span(), error.kind().to_string()),
        regex_syntax::Error::Translate(error) => (error.span(), error.kind().to_string()),
        _ => return None,
    };
    let (start, end) = (span.start.offset, span.end.offset);
    // A fault between two characters is shown at the next one, so that there is something to see.
    let next = pattern.get(end..).and_then(|rest| rest.chars().next());
    let end = if start == end { end + next.map_or(0, char::len_utf8) } else { end };
    Some((start..end, message))
}
