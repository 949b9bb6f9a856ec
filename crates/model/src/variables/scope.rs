//! Which variables a template reads, by the scope of each name.
//!
//! `{{#each}}`, `{{#with}}` and sections change the object that names are read from, `../` goes back to the one before, and block
//! parameters stand for values of the block. Handlebars does not look for a name in the objects further out.

use std::borrow::Cow;

use voxlint_schema::named;
use voxlint_template::{
    BUILT_IN_HELPERS, NodeKind, SegmentKind, TemplateNode, TemplateSpan, TemplateTree,
    UnintendedCall,
};

/// The variables that one template uses, in the order of the text.
#[derive(Debug, Default)]
pub struct TemplateVariables<'a> {
    /// Where variables are used, in the order of the text.
    pub uses: Vec<VariableUse<'a>>,
    /// The first tag or path that also reads all variables at once, as `{{#each this}}` and partials do.
    pub reads_all: Option<TemplateSpan>,
    /// The paths of those `{{#with customer}}` whose blocks read fields of the value.
    pub(crate) with_fields: Vec<TemplateSpan>,
}

/// A use of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableUse<'a> {
    /// The name.
    pub name: Cow<'a, str>,
    /// Where the name is in the template.
    pub span: TemplateSpan,
    /// The path that begins with the name.
    pub path: TemplateSpan,
    pub(crate) role: VariableRole,
    /// Whether the use is inside a block that is only rendered if the variable has a value.
    pub(crate) is_guarded: bool,
    /// Whether the name is certainly read from the variables of the call. Inside `{{#each}}` it is a name of each item.
    pub is_certain: bool,
    /// Whether it is certainly read from another object, as inside `{{#each}}`.
    pub is_inner: bool,
}

/// What a template does with the value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariableRole {
    /// It is rendered: `{{name}}`.
    Text,
    /// It decides whether a block is rendered: `{{#if name}}`, `{{#unless name}}`, `{{^name}}`.
    Condition,
    /// Its items are visited: `{{#each names}}`.
    List,
    /// Names are read from it: `{{#with name}}`.
    Scope,
    /// A block has its name: `{{#name}}…{{/name}}`.
    Section,
    /// It is an argument of another helper: `{{lookup names 0}}`.
    Argument,
}

named! {
    VariableRole, "what a template does with a variable":
    Text = "text",
    Condition = "condition",
    List = "list",
    Scope = "scope",
    Section = "section",
    Argument = "argument",
}

impl VariableRole {
    /// Whether the use renders nothing by itself if the variable has no value.
    #[doc(hidden)]
    pub const fn is_test(self) -> bool {
        matches!(self, Self::Condition | Self::List | Self::Scope | Self::Section)
    }
}

impl<'a> TemplateVariables<'a> {
    /// How many variables most templates use at most.
    const USUAL: usize = 24;

    /// The variables of a template.
    pub fn of(text: &'a str, tree: &TemplateTree) -> Self {
        let mut walk = Walk {
            text,
            found: Self { uses: Vec::with_capacity(Self::USUAL), ..Self::default() },
            params: Names::default(),
            guards: Names::default(),
            open: Vec::new(),
        };
        walk.statements(tree.statements(), NameScope::default());
        while let Some((node, role, scope)) = walk.open.pop() {
            walk.visit(node, role, scope);
        }
        walk.found.uses.sort_by_key(|found| (found.span.start, found.span.end));
        walk.found
    }
}

/// The meaning of names at a place in the template.
#[derive(Clone, Copy, Debug, Default)]
struct NameScope {
    depth: Depth,
    /// The innermost block parameters.
    params: Option<Link>,
    /// The variables that certainly have a value here.
    guards: Option<Link>,
    /// The path of the `{{#with}}` whose value names are read from.
    with: Option<TemplateSpan>,
}

/// How many objects are around the one that names are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Known(usize),
    /// A section has the variables of the call if its value is `true`, and those of its value otherwise.
    Unknown,
}

impl Default for Depth {
    fn default() -> Self {
        Self::Known(0)
    }
}

impl Depth {
    const fn inner(self) -> Self {
        match self {
            Self::Known(depth) => Self::Known(depth + 1),
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Names that hold in nested blocks: each points to the one that was defined before it, further out.
#[derive(Debug, Default)]
struct Names<'a>(Vec<(Cow<'a, str>, Option<Link>)>);

/// The innermost of some names.
#[derive(Clone, Copy, Debug)]
struct Link(usize);

impl<'a> Names<'a> {
    /// The number of names that are compared, from the innermost one on. The reference cannot compile deeper templates anyway.
    const MAX_COMPARED: usize = 1_000;

    /// Adds a name to those further out.
    fn add(&mut self, outer: Option<Link>, name: Cow<'a, str>) -> Link {
        self.0.push((name, outer));
        Link(self.0.len() - 1)
    }

    fn contain(&self, innermost: Option<Link>, name: &str) -> bool {
        let entry = |link: Link| self.0.get(link.0);
        let first = innermost.and_then(entry);
        let entries = std::iter::successors(first, |(_, outer)| outer.and_then(entry));
        entries.take(Self::MAX_COMPARED).any(|(known, _)| known == name)
    }
}

/// What the blocks of a name do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    If,
    Unless,
    Each,
    With,
    /// `{{else}}` without a condition.
    Plain,
    /// A section, `{{#name}}`, or the block of an unknown helper.
    Other,
}

impl BlockKind {
    fn of(name: &str) -> Self {
        match name {
            "if" => Self::If,
            "unless" => Self::Unless,
            "each" => Self::Each,
            "with" => Self::With,
            "" => Self::Plain,
            _ => Self::Other,
        }
    }

    /// What the tag does with its arguments.
    const fn role_of_arguments(self) -> VariableRole {
        match self {
            Self::If | Self::Unless => VariableRole::Condition,
            Self::Each => VariableRole::List,
            Self::With => VariableRole::Scope,
            Self::Plain | Self::Other => VariableRole::Argument,
        }
    }
}

struct Walk<'a, 't> {
    text: &'a str,
    found: TemplateVariables<'a>,
    /// The parameters of all blocks.
    params: Names<'a>,
    /// The variables that all blocks test.
    guards: Names<'a>,
    /// The nodes still to be visited. Templates may be nested deeper than the call stack allows.
    open: Vec<(TemplateNode<'t>, VariableRole, NameScope)>,
}

impl<'a, 't> Walk<'a, 't> {
    fn statements(&mut self, nodes: impl Iterator<Item = TemplateNode<'t>>, scope: NameScope) {
        for node in nodes {
            match node.only_path() {
                Some(path) => self.read(path, VariableRole::Text, scope),
                None if node.kind() == NodeKind::Text => {}
                None => self.open.push((node, VariableRole::Text, scope)),
            }
        }
    }

    fn visit(&mut self, node: TemplateNode<'t>, role: VariableRole, scope: NameScope) {
        match node.kind() {
            NodeKind::Mustache | NodeKind::SubExpression | NodeKind::RawBlock => {
                self.call(node, role, scope);
            }
            NodeKind::Partial | NodeKind::PartialBlock => {
                // The partial may read any variable.
                self.reads_all(node);
                self.arguments(node, VariableRole::Argument, scope);
                self.bodies(node, scope);
            }
            NodeKind::DecoratorBlock => self.bodies(node, scope),
            NodeKind::Block | NodeKind::InverseBlock => self.block(node, scope),
            NodeKind::Path => self.read(node, role, scope),
            _ => {}
        }
    }

    /// Visits what a tag reads: its head, unless that is a helper with arguments, and its arguments.
    fn call(&mut self, tag: TemplateNode<'t>, role: VariableRole, scope: NameScope) {
        let has_arguments = has_arguments(tag);
        // The words of `{{customer zip}}` are not variables. The call is reported as a whole.
        if has_arguments
            && tag.kind() == NodeKind::Mustache
            && UnintendedCall::detect(tag, self.text).is_some()
        {
            return;
        }
        let is_call = has_arguments || tag.kind() == NodeKind::SubExpression;
        match tag.head() {
            Some(head) if is_call && head.kind() == NodeKind::SubExpression => {
                self.open.push((head, VariableRole::Argument, scope));
            }
            Some(head) if !is_call => self.head(head, role, scope),
            _ => {}
        }
        self.arguments(tag, VariableRole::Argument, scope);
    }

    /// Visits the head of a tag without arguments. A literal there is the name of a variable: `{{"name"}}`, `{{1}}`.
    fn head(&mut self, head: TemplateNode<'t>, role: VariableRole, scope: NameScope) {
        if matches!(head.kind(), NodeKind::String | NodeKind::Number) {
            self.add(head.value(self.text), (head, head), role, (scope, scope.depth));
        } else {
            self.open.push((head, role, scope));
        }
    }

    fn arguments(&mut self, tag: TemplateNode<'t>, role: VariableRole, scope: NameScope) {
        let mut read_in = scope;
        if role.is_test() && tag.params().nth(1).is_some() {
            // Rendering fails here, and words such as `not` and `in` are probably not meant as variables.
            read_in.depth = Depth::Unknown;
        }
        self.open.extend(tag.params().map(|value| (value, role, read_in)));
        let values = tag.hash_arguments().filter_map(TemplateNode::argument_value);
        self.open.extend(values.map(|value| (value, VariableRole::Argument, scope)));
    }

    /// Visits the bodies of a block that keeps the scope.
    fn bodies(&mut self, block: TemplateNode<'t>, scope: NameScope) {
        for branch in block.branches() {
            self.statements(branch.body.children(), scope);
        }
    }

    fn block(&mut self, block: TemplateNode<'t>, scope: NameScope) {
        // The variable that has a value in the branches after the first one: that of `{{#unless name}}`.
        let mut guard_of_else: Option<Cow<'a, str>> = None;
        for (branch, at) in block.branches().zip(0..) {
            let tag = branch.tag;
            let kind = BlockKind::of(tag.head().map_or("", |head| head.span().of(self.text)));
            let is_section = kind == BlockKind::Other && !has_arguments(tag);
            let is_inverse = at == 0 && block.kind() == NodeKind::InverseBlock;
            if let Some(head) = tag.head() {
                if is_section {
                    let role =
                        if is_inverse { VariableRole::Condition } else { VariableRole::Section };
                    self.head(head, role, scope);
                } else {
                    self.arguments(tag, kind.role_of_arguments(), scope);
                }
            }
            let tested = if is_section { tag.head() } else { tag.params().next() };
            let tested = tested.and_then(|path| self.root_variable(path, scope));
            let renders_if_false = is_inverse != (kind == BlockKind::Unless);
            let (guard, other) = if renders_if_false { (None, tested) } else { (tested, None) };
            let mut inner = scope;
            for name in guard.into_iter().chain(guard_of_else.clone()) {
                inner.guards = Some(self.guards.add(inner.guards, name));
            }
            guard_of_else = other.or(guard_of_else);
            for param in tag.block_params() {
                inner.params = Some(self.params.add(inner.params, param.value(self.text)));
            }
            inner.depth = match kind {
                _ if is_inverse => scope.depth,
                BlockKind::If | BlockKind::Unless | BlockKind::Plain => scope.depth,
                BlockKind::Each | BlockKind::With => scope.depth.inner(),
                BlockKind::Other => Depth::Unknown,
            };
            if kind == BlockKind::With {
                inner.with = tag.params().next().map(TemplateNode::span);
            } else if inner.depth != scope.depth {
                inner.with = None;
            }
            self.statements(branch.body.children(), inner);
        }
    }

    /// The variable of the call that a path certainly begins with.
    fn root_variable(&self, path: TemplateNode<'t>, scope: NameScope) -> Option<Cow<'a, str>> {
        match self.resolve(path, scope)? {
            Resolved::Name { name, depth: Depth::Known(0), .. } => Some(name),
            _ => None,
        }
    }

    fn read(&mut self, path: TemplateNode<'t>, role: VariableRole, scope: NameScope) {
        match self.resolve(path, scope) {
            Some(Resolved::Name { name, segment, depth }) => {
                self.add(name, (segment, path), role, (scope, depth));
            }
            Some(Resolved::AllVariables) => self.reads_all(path),
            None => {}
        }
    }

    /// Notes that something reads all variables. Nodes are not visited in the order of the text.
    fn reads_all(&mut self, node: TemplateNode<'t>) {
        let first = self.found.reads_all.get_or_insert(node.span());
        if node.span().start < first.start {
            *first = node.span();
        }
    }

    /// What a path reads; `None` if it is certainly no variable of the call.
    fn resolve(&self, path: TemplateNode<'t>, scope: NameScope) -> Option<Resolved<'a, 't>> {
        if path.kind() != NodeKind::Path {
            return None;
        }
        let mut segments = path.children();
        let mut depth = scope.depth;
        if path.is_data() {
            // `@root` has the variables of the call, wherever it is used.
            segments.next().filter(|root| root.span().of(self.text) == "root")?;
            depth = Depth::Known(0);
        }
        let mut is_first = !path.is_data();
        for segment in segments {
            match segment.segment_kind(self.text) {
                SegmentKind::This => {}
                SegmentKind::Parent => {
                    if let Depth::Known(known) = depth {
                        depth = Depth::Known(known.checked_sub(1)?);
                    }
                }
                SegmentKind::Name => {
                    let name = segment.value(self.text);
                    let is_param = is_first && self.params.contain(scope.params, &name);
                    if is_param || BUILT_IN_HELPERS.contains(&&*name) {
                        return None;
                    }
                    return Some(Resolved::Name { name, segment, depth });
                }
            }
            is_first = false;
        }
        let may_be_all = matches!(depth, Depth::Known(0) | Depth::Unknown);
        may_be_all.then_some(Resolved::AllVariables)
    }

    fn add(
        &mut self,
        name: Cow<'a, str>,
        (segment, path): (TemplateNode<'t>, TemplateNode<'t>),
        role: VariableRole,
        (scope, depth): (NameScope, Depth),
    ) {
        let is_certain = depth == Depth::Known(0);
        let is_inner = !is_certain && depth != Depth::Unknown;
        let is_guarded = is_certain && self.guards.contain(scope.guards, &name);
        let (span, path) = (segment.span(), path.span());
        // A text has a length.
        let with = scope.with.filter(|_| depth == scope.depth && name != "length");
        self.found.with_fields.extend(with);
        let found = VariableUse { name, span, path, role, is_guarded, is_certain, is_inner };
        self.found.uses.push(found);
    }
}

/// What a path reads.
enum Resolved<'a, 't> {
    /// A name, where it is, and how many objects are around the one that it is read from.
    Name { name: Cow<'a, str>, segment: TemplateNode<'t>, depth: Depth },
    /// The object with all variables.
    AllVariables,
}

fn has_arguments(tag: TemplateNode<'_>) -> bool {
    tag.params().next().is_some() || tag.hash_arguments().next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let parsed = voxlint_template::parse(text);
        let variables = TemplateVariables::of(text, &parsed.tree);
        let certain = variables.uses.into_iter().filter(|found| found.is_certain);
        certain.map(|found| found.name.into_owned()).collect()
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
            ("{{> card person}} {{! note }} \\{{no}} {{true}}", &["person"]),
            ("{{\"name\"}} {{12}} {{f \"s\"}}", &["name", "12"]),
            (
                "{{#each a}}{{../b}}{{#with c}}{{../../d}}{{../e}}{{/with}}{{/each}}",
                &["a", "b", "d"],
            ),
            ("{{#each a}}{{@root.b}}{{@key}}{{this}}{{./c}}{{/each}}", &["a", "b"]),
            ("{{#vip}}{{../a}}{{@root.b}}{{/vip}}", &["vip", "b"]),
            ("{{#> card}}{{a}}{{/card}}{{#*inline \"x\"}}{{b}}{{/inline}}", &["a", "b"]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn roles_and_guards_are_found() {
        for (text, expected) in [
            ("{{a}}", "a text"),
            ("{{#if a}}{{a}}{{else}}{{a}}{{/if}}", "a condition, a text guarded, a text"),
            ("{{#unless a}}{{a}}{{else}}{{a}}{{/unless}}", "a condition, a text, a text guarded"),
            ("{{^a}}{{a}}{{else}}{{a}}{{/a}}", "a condition, a text, a text guarded"),
            (
                "{{#if a}}x{{else if b}}{{a}}{{b}}{{/if}}",
                "a condition, b condition, a text, b text guarded",
            ),
            (
                "{{#if a.b}}{{#if c}}{{a.d}}{{/if}}{{/if}}",
                "a condition, c condition, a text guarded",
            ),
            ("{{#each a}}{{../a}}{{/each}}", "a list, a text guarded"),
            ("{{#with a}}{{b}}{{/with}}{{lookup a 0}}", "a scope, a argument"),
            ("{{#if (eq a 1)}}{{a}}{{/if}}", "a argument, a text"),
        ] {
            let parsed = voxlint_template::parse(text);
            let variables = TemplateVariables::of(text, &parsed.tree);
            let certain = variables.uses.iter().filter(|used| used.is_certain);
            let shown = certain.map(|used| {
                let guarded = if used.is_guarded { " guarded" } else { "" };
                format!("{} {}{guarded}", used.name, used.role.name())
            });
            assert_eq!(shown.collect::<Vec<_>>().join(", "), expected, "{text}");
        }
    }

    #[test]
    fn templates_that_read_everything_are_known() {
        for (text, expected) in [
            ("{{a}} {{#each a}}{{this}}{{/each}}", false),
            ("{{#each this}}{{@key}}{{/each}}", true),
            ("{{lookup . name}}", true),
            ("{{#with a}}{{lookup .. name}}{{/with}}", true),
            ("{{> card}}", true),
            ("{{@root}}", true),
        ] {
            let parsed = voxlint_template::parse(text);
            assert_eq!(
                TemplateVariables::of(text, &parsed.tree).reads_all.is_some(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn deep_nesting_is_safe() {
        let deep = format!("{}{{{{x}}}}{}", "{{#if a}}".repeat(20_000), "{{/if}}".repeat(20_000));
        assert_eq!(names(&deep).len(), 20_001);
    }
}
