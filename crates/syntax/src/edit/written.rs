//! Values of other documents, as a format writes them.

use super::NewValue;
use crate::{Kind, Node};

/// The longest array of scalars on one line.
const MAX_LINE: usize = 60;

/// The indentation of the line, one more level, and the line break.
pub(super) type Layout<'l> = (&'l str, &'l str, &'l str);

/// A value between brackets, as in JSON and in flow collections of YAML: on several lines with a layout.
pub(super) fn json_value(
    node: Node<'_>,
    layout: Option<Layout<'_>>,
    string: &impl Fn(&str) -> String,
) -> Option<String> {
    let inner = layout.map(|(indentation, unit, _)| format!("{indentation}{unit}"));
    let below = layout.zip(inner.as_deref()).map(|((_, unit, line), inner)| (inner, unit, line));
    let parts: Vec<String> = match node.kind() {
        Kind::Object => {
            let member = |member: crate::Member<'_>| {
                let value = json_value(member.value, below, string)?;
                Some(format!("{}: {value}", string(&member.name())))
            };
            node.members().map(member).collect::<Option<_>>()?
        }
        Kind::Array => {
            node.elements().map(|it| json_value(it, below, string)).collect::<Option<_>>()?
        }
        _ => {
            return NewValue::with(node, |value| {
                Some(match value {
                    NewValue::Text(text) => string(text),
                    other => other.text().to_owned(),
                })
            });
        }
    };
    let (open, close) = if node.kind() == Kind::Object { ('{', '}') } else { ('[', ']') };
    let is_short = node.kind() == Kind::Array
        && parts.iter().map(|part| part.len() + 2).sum::<usize>() < MAX_LINE
        && node.elements().all(|it| !matches!(it.kind(), Kind::Object | Kind::Array));
    Some(match layout.filter(|_| !parts.is_empty() && !is_short) {
        Some((indentation, unit, line)) => {
            let between = format!(",{line}{indentation}{unit}");
            let parts = parts.join(&between);
            format!("{open}{line}{indentation}{unit}{parts}{line}{indentation}{close}")
        }
        None => format!("{open}{}{close}", parts.join(", ")),
    })
}
