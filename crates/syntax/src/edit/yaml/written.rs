//! New values in block style.

use super::scalar::{ScalarPlace, lines_column, quote_of, spelled};
use crate::edit::new_value::reads_name;
use crate::edit::written::json_value;
use crate::edit::{NewValue, lines, spelling};
use crate::{Format, Kind, Node, Tree};

/// How a document indents.
struct Style<'t> {
    unit: usize,
    line_break: &'t str,
    /// Whether the dashes of a list are in the column of its name.
    is_compact: bool,
}

impl<'t> Style<'t> {
    fn of(tree: &'t Tree) -> Self {
        let text = tree.text();
        let lists = tree.nodes().filter(|node| node.kind() == Kind::Array && node.is_block());
        let mut lists = lists.filter_map(|list| Some((list.name()?, list)));
        // A list begins behind its first dash.
        let is_compact = |(key, list): (Node<'_>, Node<'_>)| {
            let [name, item] = [key, list].map(|it| it.span().start as usize);
            let line = text.get(lines::start(text, item)..item).unwrap_or_default();
            line.find('-') == Some(lines_column(text, name))
        };
        let unit = lines::unit(text);
        let unit = if unit.contains('\t') { 2 } else { unit.len() };
        let is_compact = lists.next().is_some_and(is_compact);
        Self { unit, line_break: lines::line_break(text), is_compact }
    }

    fn line(&self, column: usize) -> String {
        format!("{}{}", self.line_break, " ".repeat(column))
    }

    /// What follows the colon of a member whose name is in this column.
    fn after_key(&self, value: Node<'_>, column: usize) -> Option<String> {
        let is_filled = value.values().next().is_some();
        match value.kind() {
            Kind::Object if is_filled => {
                let column = column + self.unit;
                Some(format!("{}{}", self.line(column), self.members(value, column)?))
            }
            Kind::Array if is_filled => {
                let dash = if self.is_compact { column } else { column + self.unit };
                let item = |item| Some(format!("{}{}", self.line(dash), self.item(item, dash)?));
                value.elements().map(item).collect()
            }
            _ => Some(format!(" {}", self.scalar(value, ScalarPlace::Member(column))?)),
        }
    }

    fn members(&self, object: Node<'_>, column: usize) -> Option<String> {
        let member = |member: crate::Member<'_>| {
            let value = self.after_key(member.value, column)?;
            Some(format!("{}:{value}", key(&member.name())?))
        };
        let members: Vec<String> = object.members().map(member).collect::<Option<_>>()?;
        Some(members.join(&self.line(column)))
    }

    fn item(&self, value: Node<'_>, dash: usize) -> Option<String> {
        let is_filled = value.kind() == Kind::Object && value.members().next().is_some();
        let item = if is_filled {
            self.members(value, dash + 2)?
        } else {
            self.scalar(value, ScalarPlace::Item(dash))?
        };
        Some(format!("- {item}"))
    }

    fn scalar(&self, value: Node<'_>, place: ScalarPlace) -> Option<String> {
        if matches!(value.kind(), Kind::Object | Kind::Array) {
            return flow(NewValue::Value(value));
        }
        NewValue::with(value, |value| self.text(value, place))
    }

    fn text(&self, value: NewValue<'_>, place: ScalarPlace) -> Option<String> {
        let NewValue::Text(text) = value else {
            return Some(value.text().to_owned());
        };
        let column = match place {
            ScalarPlace::Member(column) => column + self.unit,
            ScalarPlace::Item(column) => column + 2,
            ScalarPlace::Root | ScalarPlace::Flow => 0,
        };
        let reads = |source: &str| place.reads(source, value);
        let literal = literal(text, &" ".repeat(column), self.line_break);
        let literal = literal.filter(|it| column > 0 && reads(it));
        literal.or_else(|| spelled(text, None, reads))
    }
}

fn key(name: &str) -> Option<String> {
    let reads = |source: &str| reads_name(format!("{{{source}: 1}}\n"), Format::Yaml, name);
    spelled(name, None, reads)
}

/// A text of several lines as a literal block; `None` if that needs more than its lines.
fn literal(text: &str, indentation: &str, line_break: &str) -> Option<String> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let is_odd = |c: char| (c.is_control() && c != '\n') || "\u{2028}\u{2029}\u{feff}".contains(c);
    let is_plain = |line: &str| line.is_empty() || !line.trim().is_empty();
    if !text.contains('\n')
        || body.starts_with([' ', '\n'])
        || body.ends_with('\n')
        || body.is_empty()
        || text.contains(is_odd)
        || !body.split('\n').all(is_plain)
    {
        return None;
    }
    let mut source = String::from(if text.ends_with('\n') { "|" } else { "|-" });
    for line in body.split('\n') {
        source.push_str(line_break);
        if !line.is_empty() {
            source.push_str(indentation);
            source.push_str(line);
        }
    }
    Some(source)
}

/// A text as a literal block with the indentation of another block.
pub(super) fn like(node: Node<'_>, value: NewValue<'_>) -> Option<String> {
    let NewValue::Text(text) = value else {
        return None;
    };
    let first = node.source().lines().skip(1).find(|line| !line.trim().is_empty())?;
    let indentation = first.get(..first.len() - first.trim_start_matches(' ').len())?;
    literal(text, indentation, lines::line_break(node.tree().text()))
}

/// A value after the colon of a member whose name is in this column: a block, or what follows on the line.
pub(super) fn after_key(tree: &Tree, value: Node<'_>, column: usize) -> Option<String> {
    Style::of(tree).after_key(value, column)
}

/// A list, an object or a text of several lines in block style; `None` for other values, and beside texts in quotes.
pub(super) fn block(tree: &Tree, value: NewValue<'_>, column: usize) -> Option<String> {
    let style = Style::of(tree);
    match value {
        NewValue::Value(node) => {
            let block = style.after_key(node, column)?;
            Some(block.strip_prefix(' ').map(str::to_owned).unwrap_or(block))
        }
        NewValue::Text(text) if text.contains('\n') => {
            let source = style.text(value, ScalarPlace::Member(column));
            source.filter(|source| quote_of(source).is_none())
        }
        _ => None,
    }
}

/// An item of a list whose dashes are in this column.
pub(super) fn item(tree: &Tree, value: NewValue<'_>, dash: usize) -> Option<String> {
    let style = Style::of(tree);
    match value {
        NewValue::Value(node) => style.item(node, dash),
        _ => Some(format!("- {}", style.text(value, ScalarPlace::Item(dash))?)),
    }
}

/// A value between brackets.
pub(super) fn flow(value: NewValue<'_>) -> Option<String> {
    let string = |text: &str| format!("\"{}\"", spelling::shared(text));
    match value {
        NewValue::Value(node) => json_value(node, None, &string),
        NewValue::Text(text) => {
            spelled(text, None, |source| ScalarPlace::Flow.reads(source, value))
        }
        NewValue::Literal(literal) => Some(literal.to_owned()),
    }
}

/// A member with the quotes of its neighbours.
pub(super) fn member(
    object: Node<'_>,
    name: &str,
    value: NewValue<'_>,
    place: ScalarPlace,
    colon: &str,
) -> Option<String> {
    let last = object.members().last();
    let quotes = |node: Option<Node<'_>>| node.and_then(|node| quote_of(node.source()));
    let is_name = |source: &str| reads_name(format!("{{{source}: 1}}\n"), Format::Yaml, name);
    let key = spelled(name, quotes(last.map(|last| last.key)), is_name)?;
    let reads = |source: &str| place.reads(source, value);
    let written = match place {
        ScalarPlace::Member(column) => block(object.tree(), value, column),
        _ => None,
    };
    let value = match value {
        _ if let Some(block) = written.as_ref().filter(|it| it.starts_with(['\n', '\r'])) => {
            return Some(format!("{key}:{block}"));
        }
        _ if let Some(block) = written => block,
        NewValue::Value(_) => flow(value)?,
        NewValue::Text(text) => spelled(text, quotes(last.map(|last| last.value)), reads)?,
        NewValue::Literal(literal) => reads(literal).then(|| literal.to_owned())?,
    };
    // Without a space, only a key in quotes ends at its colon.
    let colon = if quote_of(&key).is_some() && place == ScalarPlace::Flow { colon } else { ": " };
    Some(format!("{key}{colon}{value}"))
}
