//! Every place where the name of a template variable is written, for tools that look variables up and rename them.

use std::collections::HashMap;
use std::ops::Range;

use voxlint_model::value::Value;
use voxlint_model::variables::flow::{GapCause, TEMPLATES};
use voxlint_model::variables::odd_name;
use voxlint_model::variables::scope::{TemplateVariables, VariableUse};
use voxlint_model::{Inputs, Origin};
use voxlint_schema::settings::default_dynamic_variables::agent_transfer_destinations;
use voxlint_schema::{DocumentKind, settings};
use voxlint_syntax::{Kind, Node, NodeId, Span};
use voxlint_template::{NodeKind, ParsedTemplate, SegmentKind, TemplateNode, TemplateSpan};

/// What a template reads a name from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameScope {
    /// The variables of the call.
    Call,
    /// The variables of the call or a value, as in `{{#vip}}{{name}}{{/vip}}`, where it depends on the value of `vip`.
    Unclear,
    /// A value: an item of `{{#each}}`, or the object of `{{#with}}`.
    Value,
}

/// A name that a template reads: a variable of the call, or a name of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TemplateName {
    /// The name, without brackets and quotes.
    pub name: String,
    /// The name as it is written, with its brackets or quotes.
    pub span: TemplateSpan,
    /// The same name in the closing tag of a section, `{{/name}}`.
    pub closing: Option<TemplateSpan>,
    /// What it is read from.
    pub scope: NameScope,
}

/// The names that a template reads, in the order of the text. `text` is the one that was parsed. Names of helpers and block
/// parameters are not among them.
///
/// ```
/// use voxlint::{NameScope, template_names};
///
/// let text = "{{#each orders as |order|}}{{order}} {{total}} {{../vip}}{{/each}}";
/// let names = template_names(text, &voxlint_template::parse(text));
/// let names: Vec<_> = names.iter().map(|found| (found.name.as_str(), found.scope)).collect();
/// assert_eq!(names, [("orders", NameScope::Call), ("total", NameScope::Value), ("vip", NameScope::Call)]);
/// ```
pub fn template_names(text: &str, parsed: &ParsedTemplate) -> Vec<TemplateName> {
    names_and_rest(text, parsed).0
}

/// The names, and the first tag or path that reads all variables at once.
fn names_and_rest(
    text: &str,
    parsed: &ParsedTemplate,
) -> (Vec<TemplateName>, Option<TemplateSpan>) {
    let variables = TemplateVariables::of(text, &parsed.tree);
    let sections = sections(parsed);
    let names = variables.uses.into_iter().map(|used| TemplateName {
        closing: sections
            .get(&used.path.start)
            .and_then(|(opening, closing)| closing_name(text, &used, *opening, *closing)),
        span: used.span,
        scope: match (used.is_certain, used.is_inner) {
            (true, _) => NameScope::Call,
            (false, true) => NameScope::Value,
            (false, false) => NameScope::Unclear,
        },
        name: used.name.into_owned(),
    });
    (names.collect(), variables.reads_all)
}

/// The heads of the opening and closing tags of blocks, by the start of the opening one.
fn sections(parsed: &ParsedTemplate) -> HashMap<u32, (TemplateNode<'_>, TemplateNode<'_>)> {
    let is_block =
        |node: &TemplateNode<'_>| matches!(node.kind(), NodeKind::Block | NodeKind::InverseBlock);
    let mut open: Vec<(TemplateSpan, TemplateNode<'_>)> = Vec::new();
    let mut sections = HashMap::new();
    // The closing tag of a block comes after everything inside it, so looking for the last child would be slow for blocks with
    // many statements.
    for node in parsed.tree.nodes() {
        while open.pop_if(|(block, _)| !block.contains(node.span())).is_some() {}
        if is_block(&node) {
            open.extend(node.head().map(|head| (node.span(), head)));
        } else if node.kind() == NodeKind::Closing
            && let (Some((_, opening)), Some(closing)) = (open.pop(), node.head())
        {
            sections.insert(opening.span().start, (opening, closing));
        }
    }
    sections
}

/// The name in a closing tag that stands for a use in the opening one.
fn closing_name(
    text: &str,
    used: &VariableUse<'_>,
    opening: TemplateNode<'_>,
    closing: TemplateNode<'_>,
) -> Option<TemplateSpan> {
    if opening.span() != used.path {
        return None;
    }
    let is_path = |head: TemplateNode<'_>| head.kind() == NodeKind::Path;
    let name = match (is_path(opening), is_path(closing)) {
        (true, true) => {
            let is_it = |segment: &TemplateNode<'_>| segment.span() == used.span;
            let at = opening.children().position(|segment| is_it(&segment))?;
            let name = closing.children().nth(at)?;
            (name.segment_kind(text) == SegmentKind::Name).then_some(name)?
        }
        (false, true) => closing.children().next()?,
        (_, false) => closing,
    };
    (name.value(text) == used.name).then(|| name.span())
}

/// A place where the name of a template variable is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableName {
    /// The name. Secrets are not masked.
    pub name: String,
    /// The input that it is in.
    pub origin: Origin,
    /// The text with the template, or the key of the default.
    pub node: NodeId,
    /// The name in that text as it is written: in a template, with its brackets or quotes. Bytes of the decoded text.
    pub range: Range<usize>,
    /// The name as bytes of the file.
    pub span: Span,
    /// The same name in the closing tag of a section, as bytes of the decoded text and of the file.
    pub closing: Option<(Range<usize>, Span)>,
    /// What the template reads it from; `None` for the key of a default.
    pub scope: Option<NameScope>,
}

/// A part of a template that may use variables unnoticed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameGap {
    /// The input that it is in.
    pub origin: Origin,
    /// The syntax error, or what reads all variables.
    pub span: Span,
    /// Why.
    pub cause: GapCause,
}

/// Every place where the name of a template variable is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableNames {
    /// The places, input by input in the order of the text. With aliases of YAML, several may have the same span.
    pub names: Vec<VariableName>,
    /// Where templates may use variables unnoticed.
    pub gaps: Vec<NameGap>,
    /// The templates that were searched.
    pub templates: Vec<(Origin, NodeId)>,
}

/// Finds every place where the name of a template variable is written: the keys of the defaults, in the document and stored, and
/// the names that templates read. These are the templates of the document and of its text files, and the stored ones that the
/// document leaves unchanged. It is empty if documents of this kind have no templates.
///
/// ```
/// use voxlint::{Document, Inputs, variable_names};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Hello {{name}}", "default_dynamic_variables": { "name": "you" } }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// let spans: Vec<_> = variable_names(&inputs).names.iter().map(|found| found.span.slice(text)).collect();
/// assert_eq!(spans, ["name", "\"name\""]);
/// ```
pub fn variable_names(inputs: &Inputs) -> VariableNames {
    let mut found = VariableNames::default();
    let kind = inputs.checked_as();
    if kind == DocumentKind::Template {
        if let Some(root) = inputs.document.tree().root() {
            found.add_template(Origin::Document, root);
        }
        return found;
    }
    if !kind.has_settings() {
        return found;
    }
    let config = inputs.effective(kind);
    let mut templates: Vec<(Origin, Node<'_>)> = Vec::new();
    for row in TEMPLATES {
        if let Value::Known(node, place) = config.node(row) {
            templates.push((place.origin, node));
        }
    }
    // A text file whose text the document also contains is not sent, but its author means the same variables.
    for (text, at) in inputs.texts.iter().zip(0..) {
        let origin = Origin::Text(at);
        let is_template = TEMPLATES.iter().any(|row| std::ptr::eq(*row, text.field));
        if is_template && !templates.iter().any(|(known, _)| *known == origin) {
            templates.extend(text.document.tree().root().map(|root| (origin, root)));
        }
    }
    for (origin, node) in templates {
        found.add_template(origin, node);
    }
    let row = settings::default_dynamic_variables.row;
    let document = inputs.document.tree().root();
    let stored = inputs.stored.as_ref().and_then(|stored| stored.parts().version);
    for (origin, root) in [(Origin::Document, document), (Origin::Stored, stored)] {
        let object = root.and_then(|root| root.get(row.name));
        let members = object.into_iter().flat_map(Node::members);
        found.names.extend(members.filter_map(|member| {
            let text = member.key.text()?;
            let range = 0..text.as_str().len();
            Some(VariableName {
                name: text.as_str().to_owned(),
                origin,
                node: member.key.id(),
                range,
                span: member.key.span(),
                closing: None,
                scope: None,
            })
        }));
    }
    // The service reads the transfer destinations itself.
    let is_setting = |found: &VariableName| {
        found.scope.is_none() && found.name == agent_transfer_destinations.row.name
    };
    found.names.retain(|found| !is_setting(found));
    found.names.sort_by_key(|found| (found.origin, found.span, found.node));
    found
}

impl VariableNames {
    fn add_template(&mut self, origin: Origin, node: Node<'_>) {
        if node.kind() != Kind::String || node.is_faulty() {
            return;
        }
        self.templates.push((origin, node.id()));
        let Some(text) = node.text().filter(|text| text.as_str().contains("{{")) else { return };
        let parsed = voxlint_template::parse(text.as_str());
        let (names, reads_all) = names_and_rest(text.as_str(), &parsed);
        let place = |span: TemplateSpan| (span.range(), text.to_source(span.range()));
        self.names.extend(names.into_iter().map(|found| {
            let (range, span) = place(found.span);
            VariableName {
                name: found.name,
                origin,
                node: node.id(),
                range,
                span,
                closing: found.closing.map(place),
                scope: Some(found.scope),
            }
        }));
        let error = parsed.error.as_ref().map(|error| (error.span, GapCause::Error));
        let reads_all = reads_all.map(|span| (span, GapCause::ReadsAll));
        let gaps = error.into_iter().chain(reads_all);
        self.gaps.extend(gaps.map(|(span, cause)| NameGap { origin, span: place(span).1, cause }));
    }
}

/// Whether the name of a variable is valid but probably not meant: it has a character that readers cannot see, or one that other
/// template languages use, as in `$name` and `name?`.
pub fn is_odd_variable_name(name: &str) -> bool {
    odd_name(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_tags_are_found() {
        for (text, expected) in [
            ("{{#vip}}{{a}}{{/vip}}", &["vip|vip", "a|"][..]),
            ("{{^vip}}a{{else}}{{b}}{{/vip}}", &["vip|vip", "b|"]),
            ("{{#a.b}}{{#c}}{{/c}}{{/a.b}}", &["a|a", "c|c"]),
            ("{{#this.vip}}{{/this.vip}}{{#[vip]}}{{/vip}}", &["vip|vip", "[vip]|vip"]),
            ("{{#[a.b]}}{{/a.b}}", &["[a.b]|"]),
            ("{{#if vip}}{{vip}}{{/if}}", &["vip|", "vip|"]),
            ("{{#\"a\"}}{{/a}}", &["\"a\"|a"]),
            ("{{#a}}{{b", &["a|"]),
        ] {
            let names = template_names(text, &voxlint_template::parse(text));
            let shown = names.iter().map(|found| {
                let closing = found.closing.map_or("", |closing| closing.of(text));
                format!("{}|{closing}", found.span.of(text))
            });
            assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
