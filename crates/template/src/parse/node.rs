//! Navigation in the syntax tree.

use std::borrow::Cow;

use super::{
    span::TemplateSpan,
    tree::{NodeData, NodeKind, TemplateTree, flag},
};

/// A node of a [`TemplateTree`], cheap to copy.
///
/// Functions with a `text` argument expect the text that the tree was parsed from.
#[derive(Clone, Copy)]
pub struct TemplateNode<'a> {
    tree: &'a TemplateTree,
    index: u32,
    data: NodeData,
}

/// The meaning of a path's segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// The name of a property.
    Name,
    /// `.` or `this`: the current value.
    This,
    /// `..`: the parent value.
    Parent,
}

/// A branch of a block: its tag ([`NodeKind::Opening`] or [`NodeKind::Else`]) and its statements.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'a> {
    /// The tag. Its children are its head and arguments.
    pub tag: TemplateNode<'a>,
    /// The statements, as a [`NodeKind::Body`].
    pub body: TemplateNode<'a>,
}

impl TemplateTree {
    /// The statements of the template in order. Their spans cover the text up to the first error without gaps.
    pub fn statements(&self) -> impl Iterator<Item = TemplateNode<'_>> + Clone {
        self.root().into_iter().flat_map(TemplateNode::children)
    }

    /// Every node of the tree in pre-order, except the root.
    ///
    /// ```
    /// use voxlint_template::{NodeKind, parse};
    ///
    /// let text = "{{#each orders}}{{id}}{{/each}}";
    /// let tree = parse(text).tree;
    /// let paths: Vec<_> =
    ///     tree.nodes().filter(|node| node.kind() == NodeKind::Path).map(|node| node.span().of(text)).collect();
    /// assert_eq!(paths, ["each", "orders", "id", "each"]);
    /// ```
    pub fn nodes(&self) -> impl Iterator<Item = TemplateNode<'_>> {
        (1..self.nodes.len() as u32).filter_map(|index| self.node(index))
    }

    /// The whole template as a [`NodeKind::Body`]. `None` only for a text of 4 GiB or more, which is not parsed.
    pub fn root(&self) -> Option<TemplateNode<'_>> {
        self.node(0)
    }

    pub(crate) fn node(&self, index: u32) -> Option<TemplateNode<'_>> {
        self.nodes.get(index as usize).map(|&data| TemplateNode { tree: self, index, data })
    }
}

impl<'a> TemplateNode<'a> {
    /// The kind of the node.
    pub fn kind(self) -> NodeKind {
        self.data.kind
    }

    /// The span of the node in the template's text.
    pub fn span(self) -> TemplateSpan {
        self.data.span
    }

    /// The children in order.
    pub fn children(self) -> impl Iterator<Item = TemplateNode<'a>> + Clone {
        let mut next = self.index + 1;
        let (tree, end) = (self.tree, self.data.next);
        std::iter::from_fn(move || {
            let child = tree.node(next).filter(|_| next < end)?;
            next = child.data.next;
            Some(child)
        })
    }

    /// The variable of a tag that does nothing but render it, as `{{name}}` does: its only child, a path.
    ///
    /// ```
    /// use voxlint_template::parse;
    ///
    /// let text = "{{name}}{{f x}}";
    /// let tree = parse(text).tree;
    /// let names: Vec<_> = tree.statements().map(|tag| tag.only_path().map(|path| path.span().of(text))).collect();
    /// assert_eq!(names, [Some("name"), None]);
    /// ```
    pub fn only_path(self) -> Option<TemplateNode<'a>> {
        let child = self.tree.node(self.index + 1)?;
        let is_only = self.data.kind == NodeKind::Mustache && child.data.next == self.data.next;
        (is_only && child.data.kind == NodeKind::Path).then_some(child)
    }

    /// The first expression of a tag or subexpression: the variable of `{{name}}`, the helper of `{{f x}}`, the block's
    /// name in `{{#if x}}` and `{{/if}}`, the partial of `{{> p}}`. The head of a block is that of its opening tag.
    pub fn head(self) -> Option<TemplateNode<'a>> {
        let tag = if self.data.kind.is_block() { self.children().next()? } else { self };
        let takes_head = matches!(
            tag.kind(),
            NodeKind::Mustache
                | NodeKind::Decorator
                | NodeKind::Partial
                | NodeKind::Opening
                | NodeKind::Else
                | NodeKind::Closing
                | NodeKind::SubExpression
        );
        tag.children().next().filter(|_| takes_head)
    }

    /// The positional arguments. Those of a block are in its opening tag.
    ///
    /// ```
    /// use voxlint_template::parse;
    ///
    /// let text = "{{formatDate date style=\"short\"}}";
    /// let tree = parse(text).tree;
    /// let mustache = tree.statements().next().unwrap();
    /// assert_eq!(mustache.params().map(|node| node.span().of(text)).collect::<Vec<_>>(), ["date"]);
    /// let style = mustache.hash_arguments().next().unwrap();
    /// assert_eq!(style.key(text), "style");
    /// assert_eq!(style.argument_value().unwrap().value(text), "short");
    /// ```
    pub fn params(self) -> impl Iterator<Item = TemplateNode<'a>> + Clone {
        self.arguments().filter(|node| node.kind().is_expression())
    }

    /// The hash arguments: nodes of the kind [`NodeKind::HashArgument`].
    pub fn hash_arguments(self) -> impl Iterator<Item = TemplateNode<'a>> + Clone {
        self.arguments().filter(|node| node.kind() == NodeKind::HashArgument)
    }

    /// The block parameters: `item` in `{{#each items as |item|}}`.
    pub fn block_params(self) -> impl Iterator<Item = TemplateNode<'a>> + Clone {
        self.arguments().filter(|node| node.kind() == NodeKind::BlockParam)
    }

    fn arguments(self) -> impl Iterator<Item = TemplateNode<'a>> + Clone {
        let tag = if self.data.kind.is_block() { self.children().next() } else { Some(self) };
        tag.into_iter().flat_map(TemplateNode::children).skip(1)
    }

    /// The branches of a block: that of its opening tag, then those of its `else` tags.
    ///
    /// ```
    /// use voxlint_template::parse;
    ///
    /// let text = "{{#if vip}}a{{else if regular}}b{{else}}c{{/if}}";
    /// let tree = parse(text).tree;
    /// let block = tree.statements().next().unwrap();
    /// let bodies: Vec<_> = block.branches().map(|branch| branch.body.span().of(text)).collect();
    /// assert_eq!(bodies, ["a", "b", "c"]);
    /// ```
    pub fn branches(self) -> impl Iterator<Item = Branch<'a>> {
        let mut parts = self.children();
        std::iter::from_fn(move || {
            let tag = parts
                .next()
                .filter(|tag| matches!(tag.kind(), NodeKind::Opening | NodeKind::Else))?;
            Some(Branch { tag, body: parts.next()? })
        })
    }

    /// Whether a path begins with `@`, as `@index` does.
    pub fn is_data(self) -> bool {
        self.data.kind == NodeKind::Path && self.has(flag::DATA)
    }

    /// The meaning of a [`NodeKind::Segment`]. In brackets, as in `[this]`, every segment is a name.
    pub fn segment_kind(self, text: &str) -> SegmentKind {
        match self.data.span.of(text) {
            "." | "this" => SegmentKind::This,
            ".." => SegmentKind::Parent,
            _ => SegmentKind::Name,
        }
    }

    /// The key of a [`NodeKind::HashArgument`].
    pub fn key(self, text: &str) -> Cow<'_, str> {
        match self.children().next() {
            Some(key) if self.data.kind == NodeKind::HashArgument => key.value(text),
            _ => Cow::Borrowed(""),
        }
    }

    /// The value of a [`NodeKind::HashArgument`].
    pub fn argument_value(self) -> Option<TemplateNode<'a>> {
        self.children().nth(1).filter(|_| self.data.kind == NodeKind::HashArgument)
    }

    /// The value of the node without quotes, brackets and escapes: rendered text, the content of a string, the name of a
    /// segment, a key or a block parameter. For other nodes, their source text.
    ///
    /// ```
    /// use voxlint_template::{NodeKind, parse};
    ///
    /// let text = r#"\{{x}} {{[first name]}}"#;
    /// let tree = parse(text).tree;
    /// let values: Vec<_> = tree
    ///     .nodes()
    ///     .filter(|node| matches!(node.kind(), NodeKind::Text | NodeKind::Segment))
    ///     .map(|node| node.value(text))
    ///     .collect();
    /// assert_eq!(values, ["{{x}} ", "first name"]);
    /// ```
    pub fn value(self, text: &str) -> Cow<'_, str> {
        let source = self.data.span.of(text);
        match self.data.kind {
            NodeKind::Text => {
                let source = source.get(usize::from(self.has(flag::ESCAPED))..).unwrap_or_default();
                Cow::Borrowed(
                    source
                        .get(..source.len() - usize::from(self.has(flag::SLASH)))
                        .unwrap_or_default(),
                )
            }
            NodeKind::String => {
                let (quote, escaped) =
                    if source.starts_with('"') { ('"', r#"\""#) } else { ('\'', r"\'") };
                let inner = source
                    .strip_prefix(quote)
                    .and_then(|rest| rest.strip_suffix(quote))
                    .unwrap_or_default();
                if inner.contains(escaped) {
                    Cow::Owned(inner.replace(escaped, escaped.trim_start_matches('\\')))
                } else {
                    Cow::Borrowed(inner)
                }
            }
            NodeKind::Segment | NodeKind::Key | NodeKind::BlockParam if source.starts_with('[') => {
                bracketed(source)
            }
            _ => Cow::Borrowed(source),
        }
    }

    pub(crate) fn has(self, flag: u8) -> bool {
        self.data.flags & flag != 0
    }
}

/// Whether the text contains a line terminator of JavaScript, which `.` in the reference's patterns does not match.
pub(crate) fn has_line_terminator(text: &str) -> bool {
    text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

/// The name in brackets. The reference unescapes `\\` and `\]`, and keeps the brackets if there is a line break.
fn bracketed(source: &str) -> Cow<'_, str> {
    let has_line_break = has_line_terminator(source);
    if !source.contains('\\') {
        let inner = source.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        return Cow::Borrowed(inner.filter(|_| !has_line_break).unwrap_or(source));
    }
    let mut name = String::with_capacity(source.len());
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        match (character, characters.as_str().chars().next()) {
            ('\\', Some(escaped @ ('\\' | ']'))) => {
                name.push(escaped);
                characters.next();
            }
            _ => name.push(character),
        }
    }
    if !has_line_break {
        name = name
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap_or_default()
            .to_owned();
    }
    Cow::Owned(name)
}

impl std::fmt::Debug for TemplateNode<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{}", self.data.kind, self.data.span.start, self.data.span.end)
    }
}
