//! The syntax tree: one flat arena in pre-order, 16 bytes a node, no text of its own.

use crate::{node::Node, scan::step, span::Span};

/// The syntax tree of a template.
///
/// Nodes lie in one vector in the order of the text, each knowing where its last descendant ends; names and values
/// stay in the template's text, which the reading functions of [`Node`] take again.
///
/// After a fault the tree holds what was read completely before it: the tag with the fault is missing, and blocks
/// still open are there with [`Node::is_complete`] false.
///
/// ```
/// use voxlint_template::{NodeKind, parse};
///
/// let text = "Hi {{customer.name}}!";
/// let parsed = parse(text);
/// let kinds: Vec<_> = parsed.tree.statements().map(|node| node.kind()).collect();
/// assert_eq!(kinds, [NodeKind::Text, NodeKind::Mustache, NodeKind::Text]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<Raw>,
}

/// A node as it is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw {
    pub(crate) span: Span,
    /// The index just after the last descendant, so that a subtree is `index..next`.
    pub(crate) next: u32,
    pub(crate) kind: NodeKind,
    pub(crate) flags: u8,
}

const _: () = assert!(size_of::<Raw>() == 16, "the tree is to stay compact");

/// What a node is. The first group are statements, the second the parts of a block, the third expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// Text that is rendered as it stands ([`Node::value`] leaves out the backslash that escapes a mustache).
    Text,
    /// `{{! … }}` or `{{!-- … --}}`.
    Comment,
    /// `{{x}}`, `{{{x}}}`, `{{&x}}`: head, positional arguments, named arguments.
    Mustache,
    /// `{{* x}}`.
    Decorator,
    /// `{{> x}}`.
    Partial,
    /// `{{#x}} … {{/x}}`: [`NodeKind::Opening`], [`NodeKind::Body`], (`Else`, `Body`)*, [`NodeKind::Closing`].
    Block,
    /// `{{^x}} … {{/x}}`, built like a block.
    InverseBlock,
    /// `{{#* x}} … {{/x}}`, built like a block without `Else`.
    DecoratorBlock,
    /// `{{#> x}} … {{/x}}`, built like a block without `Else`.
    PartialBlock,
    /// `{{{{x}}}} … {{{{/x}}}}`, built like a block without `Else`; its body holds at most one text.
    RawBlock,

    /// The opening tag of a block: head, positional arguments, named arguments, block parameters.
    Opening,
    /// `{{else}}` or `{{^}}` without children, or `{{else if x}}` with the children of an opening tag.
    Else,
    /// The statements between two tags of a block.
    Body,
    /// The closing tag: one head. The closing tag of a raw block has no child.
    Closing,

    /// `a.b`, `../a`, `@index`, `this`: one or more segments.
    Path,
    /// One step of a path.
    Segment,
    /// `"text"` or `'text'`.
    String,
    /// `12`, `-1.5`.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// `(helper argument)`: head, positional arguments, named arguments.
    SubExpression,
    /// A named argument, `key=value`: key and value.
    Pair,
    /// The name of a named argument.
    Key,
    /// A name that a block gives to a value: `item` in `as |item|`.
    BlockParam,
}

impl NodeKind {
    /// Whether the node is a statement: a child of the template or of a [`NodeKind::Body`].
    pub fn is_statement(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Comment | Self::Mustache | Self::Decorator | Self::Partial
        ) || self.is_block()
    }

    /// Whether the node is a block of any kind.
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Self::Block
                | Self::InverseBlock
                | Self::DecoratorBlock
                | Self::PartialBlock
                | Self::RawBlock
        )
    }

    /// Whether the node is an expression that has a value: a path, a literal or a sub-expression.
    pub fn is_expression(self) -> bool {
        matches!(self, Self::Path | Self::SubExpression) || self.is_literal()
    }

    /// Whether the node is a string, number, boolean, `null` or `undefined`.
    pub fn is_literal(self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Boolean | Self::Undefined | Self::Null)
    }
}

/// The bits of [`Raw::flags`]. Bits 4 to 7 mean what the kind of the node makes of them.
pub(crate) mod flag {
    pub(crate) const STRIP_BEFORE: u8 = 1;
    pub(crate) const STRIP_AFTER: u8 = 2;
    pub(crate) const INCOMPLETE: u8 = 4;
    /// Text: the first character is the backslash of an escape.
    pub(crate) const ESCAPED: u8 = 16;
    /// Text: the last character is a backslash that escapes the one before.
    pub(crate) const SLASH: u8 = 32;
    /// Mustache: three braces.
    pub(crate) const TRIPLE: u8 = 16;
    /// Mustache: `&`.
    pub(crate) const AMPERSAND: u8 = 32;
    /// Path: begins with `@`.
    pub(crate) const DATA: u8 = 16;
    /// Segment: in brackets.
    pub(crate) const BRACKETED: u8 = 16;
}

impl Tree {
    /// The statements of the template, in order. Their spans tile the text, up to the first fault.
    pub fn statements(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        self.root().into_iter().flat_map(Node::children)
    }

    /// Every node of the tree in the order of the text: each before its children.
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
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (1..self.nodes.len() as u32).filter_map(|index| self.node(index))
    }

    /// The whole template as a [`NodeKind::Body`]; `None` only for a text of 4 GiB or more, which is not read.
    pub fn root(&self) -> Option<Node<'_>> {
        self.node(0)
    }

    pub(crate) fn node(&self, index: u32) -> Option<Node<'_>> {
        Node::new(self, index)
    }

    /// Begins a node whose children follow; [`Tree::close`] ends it.
    #[inline]
    pub(crate) fn open(&mut self, kind: NodeKind, start: u32) -> u32 {
        self.push(kind, Span { start, end: start }, 0)
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: NodeKind, span: Span, flags: u8) -> u32 {
        step(1);
        let index = self.nodes.len() as u32;
        self.nodes.push(Raw { span, next: index + 1, kind, flags });
        index
    }

    #[inline]
    pub(crate) fn close(&mut self, index: u32, end: u32, flags: u8) {
        let next = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(index as usize) {
            node.span.end = end;
            node.next = next;
            node.flags |= flags;
        }
    }
}
