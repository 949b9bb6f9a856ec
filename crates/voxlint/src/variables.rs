//! The variables that templates use and calls provide.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use voxlint_schema::settings::default_dynamic_variables;
use voxlint_syntax::Node as Value;
use voxlint_template::{
    BUILT_IN_HELPERS, NodeKind, SegmentKind, TemplateNode, TemplateSpan, TemplateTree,
    UnintendedCall,
};

use crate::{Inputs, Stored, Wildcard, WildcardSet, suggest};

/// The known template variables of a document: those with a default in the document or the stored version, and those that the
/// configuration lists.
#[derive(Debug)]
pub(crate) struct KnownVariables<'a> {
    inputs: &'a Inputs,
    /// The names with a default, computed on first use.
    defaults: OnceCell<BTreeSet<String>>,
    /// The listed patterns, without those that match nearly every name, computed on first use.
    specific: OnceCell<WildcardSet>,
    /// The listed names without `*`, computed on first use.
    literal: OnceCell<HashSet<String>>,
}

impl<'a> KnownVariables<'a> {
    pub(crate) fn new(inputs: &'a Inputs) -> Self {
        Self {
            inputs,
            defaults: OnceCell::new(),
            specific: OnceCell::new(),
            literal: OnceCell::new(),
        }
    }

    fn defaults(&self) -> &BTreeSet<String> {
        self.defaults.get_or_init(|| {
            let held = self.inputs.stored.as_ref().map(Stored::parts).unwrap_or_default();
            let documents = [self.inputs.document.tree().root(), held.version];
            let name = default_dynamic_variables.row.name;
            let objects = documents.into_iter().flatten().filter_map(|root| root.get(name));
            objects.flat_map(Value::members).map(|member| member.name().into_owned()).collect()
        })
    }

    fn listed(&self) -> &'a [Wildcard] {
        self.inputs.variables.as_deref().unwrap_or_default()
    }

    /// Whether a pattern other than `*` matches the variable.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let specific = self.specific.get_or_init(|| {
            let is_specific = |known: &&Wildcard| known.as_str().trim_matches('*').len() > 1;
            self.listed().iter().filter(is_specific).cloned().collect()
        });
        specific.matches(name)
    }

    /// Whether the variable is known by this exact name and not only by a pattern.
    pub(crate) fn names(&self, name: &str) -> bool {
        let literal = self.literal.get_or_init(|| {
            let literal = self.listed().iter().filter(|known| known.is_literal());
            literal.map(|known| known.as_str().to_owned()).collect()
        });
        self.defaults().contains(name) || literal.contains(name)
    }

    /// The known variable that a misspelled name most likely means.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        suggest::nearest(name, self.literal_names())
    }

    fn literal_names(&self) -> impl Iterator<Item = &str> {
        let literal = self.listed().iter().filter(|known| known.is_literal());
        literal.map(Wildcard::as_str).chain(self.defaults().iter().map(String::as_str))
    }
}

/// A use of a variable.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct VariableUse<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) span: TemplateSpan,
    /// The path that begins with the name.
    pub(crate) path: TemplateSpan,
}

/// The variables that a template certainly reads from the call, in the order of the text. Names inside a block that may change
/// the context (`each`, `with`, a block named like a variable) are left out.
pub(crate) fn uses<'a>(text: &'a str, tree: &TemplateTree) -> Vec<VariableUse<'a>> {
    let mut walk = Walk { text, found: Vec::new(), open: Vec::new() };
    let outermost = NameScope::default();
    walk.open.extend(tree.statements().map(|node| (node, outermost.clone())));
    while let Some((node, scope)) = walk.open.pop() {
        walk.statement(node, &scope);
    }
    walk.found.sort_by_key(|found| (found.span.start, found.span.end));
    walk.found
}

struct Walk<'a, 't> {
    text: &'a str,
    found: Vec<VariableUse<'a>>,
    /// The nodes still to be visited. Templates may be nested deeper than the call stack allows.
    open: Vec<(TemplateNode<'t>, NameScope<'a>)>,
}

/// The meaning of names at a place in the template.
#[derive(Clone, Debug, Default)]
struct NameScope<'a> {
    /// Whether the context may be another than that of the call.
    is_inner: bool,
    /// The innermost block parameters.
    params: Option<Rc<BlockParams<'a>>>,
}

#[derive(Debug)]
struct BlockParams<'a> {
    names: Vec<Cow<'a, str>>,
    outer: Option<Rc<BlockParams<'a>>>,
}

impl NameScope<'_> {
    fn gives(&self, name: &str) -> bool {
        let mut next = self.params.as_deref();
        while let Some(given) = next {
            if given.names.iter().any(|it| it == name) {
                return true;
            }
            next = given.outer.as_deref();
        }
        false
    }
}

impl<'a, 't> Walk<'a, 't> {
    fn statement(&mut self, node: TemplateNode<'t>, scope: &NameScope<'a>) {
        match node.kind() {
            NodeKind::Mustache | NodeKind::SubExpression | NodeKind::RawBlock => {
                self.call(node, scope);
            }
            NodeKind::Partial => self.arguments(node, scope),
            NodeKind::Block | NodeKind::InverseBlock => self.block(node, scope),
            NodeKind::Path => self.read(node, scope),
            _ => {}
        }
    }

    /// Visits what a tag reads: its head, unless that is a helper with arguments, and its arguments.
    fn call(&mut self, tag: TemplateNode<'t>, scope: &NameScope<'a>) {
        // The words of `{{customer zip}}` are not variables. The call is reported as a whole.
        if tag.kind() == NodeKind::Mustache && UnintendedCall::detect(tag, self.text).is_some() {
            return;
        }
        let is_helper = tag.params().next().is_some()
            || tag.hash_arguments().next().is_some()
            || tag.kind() == NodeKind::SubExpression;
        if let Some(head) = tag.head()
            && (!is_helper || head.kind() == NodeKind::SubExpression)
        {
            self.open.push((head, scope.clone()));
        }
        self.arguments(tag, scope);
    }

    fn arguments(&mut self, tag: TemplateNode<'t>, scope: &NameScope<'a>) {
        let values = tag.hash_arguments().filter_map(TemplateNode::argument_value);
        self.open.extend(tag.params().chain(values).map(|value| (value, scope.clone())));
    }

    fn block(&mut self, block: TemplateNode<'t>, scope: &NameScope<'a>) {
        for branch in block.branches() {
            let tag = branch.tag;
            let name = tag.head().map_or("", |head| head.span().of(self.text));
            let has_arguments =
                tag.params().next().is_some() || tag.hash_arguments().next().is_some();
            if tag.head().is_some() {
                self.call(tag, scope);
            }
            let keeps_value = match name {
                "if" | "unless" | "" => true,
                // An inverse block keeps the context.
                _ => block.kind() == NodeKind::InverseBlock && !has_arguments,
            };
            let names: Vec<_> = tag.block_params().map(|param| param.value(self.text)).collect();
            let params = if names.is_empty() {
                scope.params.clone()
            } else {
                Some(Rc::new(BlockParams { names, outer: scope.params.clone() }))
            };
            let inner = NameScope { is_inner: scope.is_inner || !keeps_value, params };
            self.open.extend(branch.body.children().map(|child| (child, inner.clone())));
        }
    }

    fn read(&mut self, path: TemplateNode<'t>, scope: &NameScope<'a>) {
        if path.is_data() || scope.is_inner {
            return;
        }
        let mut segments = path.children();
        let first = segments.find(|it| it.segment_kind(self.text) != SegmentKind::This);
        let Some(first) = first.filter(|it| it.segment_kind(self.text) == SegmentKind::Name) else {
            return;
        };
        let name = first.value(self.text);
        if !scope.gives(&name) && !BUILT_IN_HELPERS.contains(&&*name) {
            self.found.push(VariableUse { name, span: first.span(), path: path.span() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let parsed = voxlint_template::parse(text);
        uses(text, &parsed.tree).into_iter().map(|found| found.name.into_owned()).collect()
    }

    #[test]
    fn uses_of_variables_are_found() {
        for (text, expected) in [
            ("Hello {{name}}, {{{title}}} {{&x}}", &["name", "title", "x"][..]),
            ("{{customer.name}} {{[first name]}} {{this.age}}", &["customer", "first name", "age"]),
            ("{{format date style=kind}}", &["date", "kind"]),
            ("{{lookup (join first last) 0}}", &["first", "last"]),
            ("{{customer zip}} {{x ?? \"y\"}} {{-- note --}} {{zip}}", &["zip"]),
            (
                "{{#if vip}}{{a}}{{else if regular}}{{b}}{{else}}{{c}}{{/if}}",
                &["vip", "a", "regular", "b", "c"],
            ),
            ("{{#unless vip}}{{a}}{{/unless}}", &["vip", "a"]),
            ("{{#each items}}{{name}}{{else}}{{none}}{{/each}}", &["items", "none"]),
            ("{{#with customer as |c|}}{{c.name}}{{/with}}", &["customer"]),
            ("{{#vip}}{{a}}{{/vip}}{{^vip}}{{b}}{{/vip}}", &["vip", "vip", "b"]),
            ("{{#if x as |y|}}{{y}}{{z}}{{/if}}", &["x", "z"]),
            ("{{@index}} {{../up}} {{.}} {{log}} {{lookup map key}}", &["map", "key"]),
            ("{{> card person}} {{! note }} \\{{no}} {{12}} {{\"s\"}} {{true}}", &["person"]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_safe() {
        let deep = format!("{}{{{{x}}}}{}", "{{#if a}}".repeat(20_000), "{{/if}}".repeat(20_000));
        assert_eq!(names(&deep).len(), 20_001);
    }
}
