//! Reading the tree.

use std::borrow::Cow;

use crate::{
    scan::step,
    span::Span,
    tree::{NodeKind, Raw, Tree, flag},
};

/// A node of a [`Tree`]: cheap to copy, and a way to its children.
///
/// Functions that need characters take the template's text again, the one the tree was made from.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    tree: &'a Tree,
    index: u32,
    raw: Raw,
}

/// Which sides of a tag strip white space: `{{~ … ~}}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// A `~` after the opening braces.
    pub before: bool,
    /// A `~` before the closing braces.
    pub after: bool,
}

/// How a mustache's value is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escaping {
    /// `{{x}}`: with HTML escapes.
    Html,
    /// `{{{x}}}`: as it is.
    Triple,
    /// `{{&x}}`: as it is.
    Ampersand,
}

/// What a step of a path means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A property's name.
    Name,
    /// `.` or `this`: the value in hand.
    This,
    /// `..`: the value around it.
    Parent,
}

/// One branch of a block: its tag ([`NodeKind::Opening`] or [`NodeKind::Else`]) and the statements it governs.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'a> {
    /// The tag, with head and arguments as children.
    pub tag: Node<'a>,
    /// The body.
    pub body: Node<'a>,
}

impl<'a> Node<'a> {
    pub(crate) fn new(tree: &'a Tree, index: u32) -> Option<Self> {
        tree.nodes.get(index as usize).map(|&raw| Self { tree, index, raw })
    }

    /// What the node is.
    pub fn kind(self) -> NodeKind {
        self.raw.kind
    }

    /// The place of the node, as byte offsets into the template's text.
    pub fn span(self) -> Span {
        self.raw.span
    }

    /// The node's place in the tree's pre-order; a key for side tables.
    pub fn index(self) -> u32 {
        self.index
    }

    /// False for a block that the text, or a fault, ended before its closing tag; for every other node true.
    pub fn is_complete(self) -> bool {
        self.raw.flags & flag::INCOMPLETE == 0
    }

    /// The children, in the order of the text.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> + Clone {
        let mut next = self.index + 1;
        let (tree, end) = (self.tree, self.raw.next);
        std::iter::from_fn(move || {
            let child = tree.node(next).filter(|_| next < end)?;
            next = child.raw.next;
            Some(child)
        })
    }

    /// What a tag names: the variable of `{{name}}`, the helper of `{{f x}}`, the block of `{{#if x}}` and of
    /// `{{/if}}`, the partial of `{{> p}}`. A block answers with the head of its opening tag.
    pub fn head(self) -> Option<Node<'a>> {
        let tag = if self.raw.kind.is_block() { self.children().next()? } else { self };
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

    /// The positional arguments, as [`Node::head`] finds the tag.
    ///
    /// ```
    /// use voxlint_template::parse;
    ///
    /// let text = "{{formatDate date style=\"short\"}}";
    /// let tree = parse(text).tree;
    /// let mustache = tree.statements().next().unwrap();
    /// assert_eq!(mustache.params().map(|node| node.span().of(text)).collect::<Vec<_>>(), ["date"]);
    /// let pair = mustache.pairs().next().unwrap();
    /// assert_eq!(pair.key(text), "style");
    /// assert_eq!(pair.pair_value().unwrap().value(text), "short");
    /// ```
    pub fn params(self) -> impl Iterator<Item = Node<'a>> + Clone {
        self.arguments().filter(|node| node.kind().is_expression())
    }

    /// The named arguments: nodes of the kind [`NodeKind::Pair`].
    pub fn pairs(self) -> impl Iterator<Item = Node<'a>> + Clone {
        self.arguments().filter(|node| node.kind() == NodeKind::Pair)
    }

    /// The names that a block gives to its values: `item` in `{{#each items as |item|}}`.
    pub fn block_params(self) -> impl Iterator<Item = Node<'a>> + Clone {
        self.arguments().filter(|node| node.kind() == NodeKind::BlockParam)
    }

    fn arguments(self) -> impl Iterator<Item = Node<'a>> + Clone {
        let tag = if self.raw.kind.is_block() { self.children().next() } else { Some(self) };
        tag.into_iter().flat_map(Node::children).skip(1)
    }

    /// The branches of a block: the one its opening tag governs, then those of its `else` tags.
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

    /// The closing tag of a complete block.
    pub fn closing(self) -> Option<Node<'a>> {
        self.children().last().filter(|node| node.kind() == NodeKind::Closing)
    }

    /// Which sides of this tag strip white space. Blocks answer through their tags.
    pub fn strip(self) -> Strip {
        Strip { before: self.has(flag::STRIP_BEFORE), after: self.has(flag::STRIP_AFTER) }
    }

    /// How a [`NodeKind::Mustache`] renders its value.
    pub fn escaping(self) -> Escaping {
        match self.raw.kind {
            NodeKind::Mustache if self.has(flag::TRIPLE) => Escaping::Triple,
            NodeKind::Mustache if self.has(flag::AMPERSAND) => Escaping::Ampersand,
            _ => Escaping::Html,
        }
    }

    /// Whether a path begins with `@`, as `@index` does.
    pub fn is_data(self) -> bool {
        self.raw.kind == NodeKind::Path && self.has(flag::DATA)
    }

    /// What a [`NodeKind::Segment`] means: `[this]` in brackets is a name like any other.
    pub fn segment_kind(self, text: &str) -> SegmentKind {
        match self.raw.span.of(text) {
            "." | "this" => SegmentKind::This,
            ".." => SegmentKind::Parent,
            _ => SegmentKind::Name,
        }
    }

    /// The name of a [`NodeKind::Pair`].
    pub fn key(self, text: &str) -> Cow<'_, str> {
        match self.children().next() {
            Some(key) if self.raw.kind == NodeKind::Pair => key.value(text),
            _ => Cow::Borrowed(""),
        }
    }

    /// The value of a [`NodeKind::Pair`].
    pub fn pair_value(self) -> Option<Node<'a>> {
        self.children().nth(1).filter(|_| self.raw.kind == NodeKind::Pair)
    }

    /// What the node stands for, without quotes, brackets and escapes: the text that is rendered, the content of a
    /// string, the name of a segment, a key or a block parameter. Other nodes answer with their source text.
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
        let source = self.raw.span.of(text);
        step(source.len());
        match self.raw.kind {
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
        self.raw.flags & flag != 0
    }
}

/// Whether the text has one of JavaScript's line ends, which `.` in the reference's patterns does not match.
pub(crate) fn has_line_terminator(text: &str) -> bool {
    text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

/// The name within brackets. The reference undoes `\\` and `\]`, and keeps the brackets around a line break.
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

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{}", self.raw.kind, self.raw.span.start, self.raw.span.end)
    }
}
