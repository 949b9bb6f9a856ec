//! What fields, values, variables and rules are, in Markdown.

use std::fmt::Write as _;

use voxlint::docs::pages;
use voxlint::readings::Reading;
use voxlint::schema::settings::agent_function;
use voxlint::schema::{Null, Row};
use voxlint::secrets::{self, Mask};
use voxlint::syntax::{Kind, Node, Span, excerpt};
use voxlint::{Inputs, Origin, Rule, TemplateVariable, VariableTable, counted, docs};

/// The maximum number of characters of a value that is shown.
const LIMIT: usize = 60;

/// A text as code in Markdown, on one line.
pub(crate) fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A field: its meaning, its type and its limits.
pub(crate) fn field(row: &Row) -> String {
    let mut text = format!("{}: {}\n\n{}\n", code(row.name), row.type_name(), row.description());
    let mut facts = pages::limits(row);
    match row.null {
        Null::Clears => facts.push("null clears the value".to_owned()),
        Null::Rejected | Null::Unspecified => {}
    }
    if row.revalidated {
        facts.push("the stored value is checked again if an update omits it".to_owned());
    }
    for (index, fact) in facts.iter().enumerate() {
        let _ = writeln!(text, "{}- {fact}", if index == 0 { "\n" } else { "" });
    }
    text
}

/// The place in the description, and the page with all fields.
pub(crate) fn source(row: &Row) -> String {
    match row.section {
        "facts" | "stored" | "configuration" => "*See docs/fields.md.*\n".to_owned(),
        section => {
            format!("*Section {section} of the service's description. See docs/fields.md.*\n")
        }
    }
}

/// Values of the inputs, with secrets masked.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    inputs: &'a Inputs,
    mask: &'a Mask,
}

impl<'a> Values<'a> {
    pub(crate) const fn new(inputs: &'a Inputs, mask: &'a Mask) -> Self {
        Self { inputs, mask }
    }

    /// A value as one short line.
    pub(crate) fn short(&self, node: Node<'_>, origin: Origin) -> String {
        self.within(LIMIT, node, origin)
    }

    /// A value as one line of so many characters.
    fn within(&self, limit: usize, node: Node<'_>, origin: Origin) -> String {
        let (fields, items) = (node.members().count() as u64, node.elements().count() as u64);
        match node.kind() {
            Kind::Object => counted(fields, "field"),
            Kind::Array => counted(items, "item"),
            _ if self.is_secret(node.span(), origin) => "a masked value".to_owned(),
            Kind::String => {
                let text = node.as_str().unwrap_or_default();
                if text.is_empty() {
                    return "the empty text".to_owned();
                }
                code(&excerpt(&self.mask.value(&text), limit))
            }
            _ => code(&excerpt(&self.mask.value(node.source()), limit)),
        }
    }

    fn is_secret(&self, span: Span, origin: Origin) -> bool {
        let spans = secrets::spans(self.inputs, origin);
        spans.iter().any(|secret| secret.start < span.end && span.start < secret.end)
    }
}

/// A rule: its summary, its group and its levels.
pub(crate) fn rule(rule: &Rule) -> String {
    let levels: Vec<&str> = docs::levels(rule).into_iter().map(voxlint::Severity::name).collect();
    let default = if rule.is_recommended { "" } else { ", off by default" };
    format!(
        "{}: {}\n\nGroup: {}{default}. Level: {}.\n\n*See docs/rules/{}.md or `voxlint explain {}`.*\n",
        code(&rule.id),
        rule.summary(),
        code(rule.group.name()),
        levels.join(" or "),
        rule.id,
        rule.id
    )
}

/// A reading: what is open, what each value means, and which rules depend on it.
pub(crate) fn reading(reading: &Reading) -> String {
    let name = reading.name;
    format!(
        "{}: {}\n*See docs/readings.md or `voxlint readings {name}`.*\n",
        code(name),
        pages::reading(reading)
    )
}

/// What provides a variable.
pub(crate) const fn provided(source: Option<voxlint::VariableSource>) -> &'static str {
    match source {
        Some(source) => source.description(),
        None => "nothing known provides it",
    }
}

/// A template variable: its default, what provides it, its other uses.
pub(crate) fn variable(
    values: &Values<'_>,
    table: &VariableTable,
    variable: &TemplateVariable,
    is_use: bool,
) -> String {
    let mut text = format!("{}: a template variable\n\n", code(&variable.name));
    let _ = writeln!(text, "- source: {}", provided(variable.source));
    if let Some(default) = &variable.default
        && let Some(document) = values.inputs.document_of(default.origin)
    {
        let is_it = |key: &Node<'_>| key.kind() == Kind::Key && key.span() == default.span;
        let tree = document.tree();
        let key = tree.nodes().find(is_it);
        if let Some(value) = key.and_then(|key| tree.node(key.after())) {
            let stored = if default.origin == Origin::Stored { " (stored)" } else { "" };
            let _ = writeln!(text, "- default{stored}: {}", values.short(value, default.origin));
        }
    }
    let uses = variable.uses.len();
    let others = if is_use { uses.saturating_sub(1) } else { uses };
    let noun = if is_use { "other use" } else { "use" };
    // A text that cannot be read to its end may have more.
    let least = if table.gaps.is_empty() { "" } else { "at least " };
    let _ = writeln!(text, "- {least}{}", counted(others as u64, noun));
    if variable.is_guarded() == Some(true) {
        text.push_str("- only rendered if it has a value\n");
    }
    text
}

/// A function of the agent: its type, its description and its parameters.
pub(crate) fn function(values: &Values<'_>, name: &str, entry: Node<'_>, origin: Origin) -> String {
    /// The number of characters of a description, and of parameters, that are shown.
    const LONG: usize = 400;
    let stored = if origin == Origin::Stored { " (stored)" } else { "" };
    let mut text = format!("{}: a function of the agent{stored}\n\n", code(name));
    for row in [agent_function::function_type.row, agent_function::description.row] {
        if let Some(value) = entry.get(row.name) {
            let _ = writeln!(text, "- {}: {}", row.name, values.within(LONG, value, origin));
        }
    }
    // Many functions describe their parameters by a JSON Schema.
    let config = entry.get(agent_function::config.row.name);
    let Some(schema) = config.and_then(|it| it.get("parameters")) else { return text };
    let required = schema.get("required").into_iter().flat_map(Node::elements);
    let required: Vec<_> = required.filter_map(Node::as_str).collect();
    let parameters = schema.get("properties").unwrap_or(schema).members();
    for parameter in parameters.filter(|it| it.value.kind() == Kind::Object).take(LONG) {
        let name = parameter.name();
        let is_required = if required.contains(&name) { ", required" } else { "" };
        let about = ["type", "description"].into_iter().filter_map(|it| parameter.value.get(it));
        let about: Vec<String> = about.map(|it| values.within(LONG, it, origin)).collect();
        let _ = writeln!(text, "- parameter {}{is_required}: {}", code(&name), about.join(", "));
    }
    text
}

/// A helper of templates; `None` if it is not built in.
pub(crate) fn helper(name: &str) -> Option<&'static str> {
    Some(match name {
        "if" => {
            "`{{#if x}}…{{else}}…{{/if}}`: shows the first part if `x` is set, not empty and not 0, and else the second one."
        }
        "unless" => "`{{#unless x}}…{{/unless}}`: shows its content if `x` is not set, empty or 0.",
        "each" => {
            "`{{#each list}}…{{/each}}`: repeats its content for every item. `this` is the item, `@index` its number."
        }
        "with" => "`{{#with object}}…{{/with}}`: reads the names inside from `object`.",
        "lookup" => "`{{lookup list key}}`: the item of a list or object with a computed key.",
        "log" => "`{{log x}}`: writes to the log of the service and shows nothing.",
        "else" => "The part of a block that is shown if its condition does not hold.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn code_contains_its_backquotes() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "``` a``b ```");
    }
}
