//! The syntax tree and how it is built: one vector in pre-order, 16 bytes per node.

use super::span::TemplateSpan;

/// The syntax tree of a template.
///
/// The tree does not contain the template's text: functions of [`TemplateNode`](crate::TemplateNode) that read
/// names and values take it as an argument.
///
/// If the template has an error, the tree ends before the tag with the error. Blocks that are open there are part of
/// the tree, without their closing tag.
///
/// ```
/// use voxlint_template::{NodeKind, parse};
///
/// let text = "Hi {{customer.name}}!";
/// let parsed = parse(text);
/// let kinds: Vec<_> = parsed.tree.statements().map(|node| node.kind()).collect();
/// assert_eq!(kinds, [NodeKind::Text, NodeKind::Mustache, NodeKind::Text]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateTree {
    pub(crate) nodes: Vec<NodeData>,
}

/// A stored node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeData {
    pub(crate) span: TemplateSpan,
    /// The index just after the last descendant, so that a subtree is `index..next`.
    pub(crate) next: u32,
    pub(crate) kind: NodeKind,
    pub(crate) flags: u8,
}

const _: () = assert!(size_of::<NodeData>() == 16, "nodes are compact");

/// The kind of a node: statements first, then the parts of a block, then expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// Text that is rendered unchanged. Its [value](crate::TemplateNode::value) omits the backslash that escapes a mustache.
    Text,
    /// `{{! … }}` or `{{!-- … --}}`.
    Comment,
    /// `{{x}}`, `{{{x}}}`, `{{&x}}`: head, positional arguments, hash arguments.
    Mustache,
    /// `{{* x}}`.
    Decorator,
    /// `{{> x}}`.
    Partial,
    /// `{{#x}} … {{/x}}`: [`Opening`](Self::Opening), [`Body`](Self::Body), (`Else`, `Body`)*,
    /// [`Closing`](Self::Closing).
    Block,
    /// `{{^x}} … {{/x}}`, with the children of a block.
    InverseBlock,
    /// `{{#* x}} … {{/x}}`, with the children of a block but no `Else`.
    DecoratorBlock,
    /// `{{#> x}} … {{/x}}`, with the children of a block but no `Else`.
    PartialBlock,
    /// `{{{{x}}}} … {{{{/x}}}}`, with the children of a block but no `Else`. Its body contains at most one text.
    RawBlock,

    /// The opening tag of a block: head, positional arguments, hash arguments, block parameters.
    Opening,
    /// `{{else}}` or `{{^}}` without children, or `{{else if x}}` with the children of an opening tag.
    Else,
    /// The statements between two tags of a block.
    Body,
    /// The closing tag: one head. That of a raw block has no children.
    Closing,

    /// `a.b`, `../a`, `@index`, `this`: one or more segments.
    Path,
    /// A segment of a path.
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
    /// `(helper argument)`: head, positional arguments, hash arguments.
    SubExpression,
    /// A hash argument, `key=value`: key and value.
    HashArgument,
    /// The key of a hash argument.
    Key,
    /// A block parameter: `item` in `as |item|`.
    BlockParam,
}

impl NodeKind {
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

    /// Whether the node is a path, a literal or a subexpression.
    pub fn is_expression(self) -> bool {
        matches!(self, Self::Path | Self::SubExpression) || self.is_literal()
    }

    /// Whether the node is a string, number, boolean, `null` or `undefined`.
    pub fn is_literal(self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Boolean | Self::Undefined | Self::Null)
    }
}

/// The bits of [`NodeData::flags`]. Their meaning depends on the kind of the node.
pub(crate) mod flag {
    /// Text: starts with the backslash that escapes a mustache.
    pub(crate) const ESCAPED: u8 = 16;
    /// Text: ends with an escaped backslash.
    pub(crate) const SLASH: u8 = 32;
    /// Path: begins with `@`.
    pub(crate) const DATA: u8 = 16;
    /// Segment: in brackets.
    pub(crate) const BRACKETED: u8 = 16;
}

impl TemplateTree {
    /// Starts a node whose children follow. [`TemplateTree::close`] ends it.
    #[inline]
    pub(crate) fn open(&mut self, kind: NodeKind, start: u32) -> u32 {
        self.push(kind, TemplateSpan { start, end: start }, 0)
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: NodeKind, span: TemplateSpan, flags: u8) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(NodeData { span, next: index + 1, kind, flags });
        index
    }

    #[inline]
    pub(crate) fn close(&mut self, index: u32, end: u32) {
        let next = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(index as usize) {
            node.span.end = end;
            node.next = next;
        }
    }
}
