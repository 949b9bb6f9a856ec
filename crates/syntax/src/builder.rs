//! Builds trees from the events of a parser.

use crate::tree::{BLOCK, DECODED, INCOMPLETE, Node, RawNode, Tag, Tree};
use crate::{DecodedText, SharedText, Span};

/// A tree under construction. Containers are opened and closed and scalars are added in the order of the document. In
/// an object, keys and values alternate.
#[derive(Debug)]
pub(crate) struct Builder {
    tree: Tree,
    /// The numbers of the open containers.
    open: Vec<u32>,
}

#[cfg_attr(not(feature = "yaml"), allow(dead_code, reason = "the reader of YAML uses all of it"))]
impl Builder {
    /// Starts a tree of a text. All spans refer to this text.
    pub(crate) fn new(text: &SharedText) -> Self {
        Self { tree: Tree::of(text.clone()), open: Vec::new() }
    }

    /// The text of the tree.
    #[cfg(feature = "yaml")]
    pub(crate) fn text(&self) -> &str {
        &self.tree.text
    }

    /// The number of open containers.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The number of the next node.
    pub(crate) fn next_id(&self) -> u32 {
        self.tree.nodes.len() as u32
    }

    /// The node with a number.
    pub(crate) fn node(&self, id: u32) -> Option<Node<'_>> {
        self.tree.at(id)
    }

    /// Whether a node is an open container.
    pub(crate) fn is_open(&self, id: u32) -> bool {
        self.open.binary_search(&id).is_ok()
    }

    /// Opens an object or an array. `is_block`: it has no brackets.
    pub(crate) fn open(&mut self, tag: Tag, start: u32, is_block: bool) {
        self.open.push(self.tree.nodes.len() as u32);
        let flags = if is_block { BLOCK } else { 0 };
        self.push(tag, Span::at(start), flags);
    }

    /// Closes the innermost container. `end` is the byte after it.
    pub(crate) fn close(&mut self, end: u32) {
        let next = self.tree.nodes.len() as u32;
        if let Some(node) = self.open.pop().and_then(|id| self.tree.nodes.get_mut(id as usize)) {
            node.next = next;
            node.end = end.max(node.start);
        }
    }

    /// Marks the innermost container: it may be incomplete.
    pub(crate) fn mark_incomplete(&mut self) {
        if let Some(node) = self.open.last().and_then(|id| self.tree.nodes.get_mut(*id as usize)) {
            node.flags |= INCOMPLETE;
        }
    }

    /// Marks all open containers: they may be incomplete.
    pub(crate) fn mark_open_incomplete(&mut self) {
        for id in &self.open {
            if let Some(node) = self.tree.nodes.get_mut(*id as usize) {
                node.flags |= INCOMPLETE;
            }
        }
    }

    /// Adds a scalar or a key. `decoded` is its value if the source is not valid JSON for it: the text of a string, or a
    /// number in the syntax of JSON. `flags` are those of `tree`.
    pub(crate) fn scalar(
        &mut self,
        tag: Tag,
        span: Span,
        decoded: Option<DecodedText<'static>>,
        flags: u8,
    ) {
        let id = self.tree.nodes.len() as u32;
        let decoded_flag = if decoded.is_some() { DECODED } else { 0 };
        self.push(tag, span, flags | decoded_flag);
        self.tree.decoded.extend(decoded.map(|text| (id, text)));
    }

    fn push(&mut self, tag: Tag, span: Span, flags: u8) {
        let next = self.tree.nodes.len() as u32 + 1;
        self.tree.nodes.push(RawNode {
            start: span.start,
            end: span.end,
            next,
            tag,
            flags,
            name_id: 0,
        });
    }

    /// Returns the tree. Open containers end with the text and may be incomplete.
    pub(crate) fn finish(mut self) -> Tree {
        self.mark_open_incomplete();
        while !self.open.is_empty() {
            self.close(self.tree.text.len() as u32);
        }
        self.tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuilder;

    #[test]
    fn scalars_that_are_not_json_are_decoded() {
        // As YAML: speed: 0x1F, name: 'it''s'
        let text = "speed: 0x1F\nname: 'it''s'\n";
        let mut builder = Builder::new(&text.into());
        builder.open(Tag::Object, 0, true);
        let key = |at: u32, name: &str| {
            let mut text = TextBuilder::at(at);
            text.plain(at, name);
            (Span::new(at, at + name.len() as u32), Some(text.finish()))
        };
        let (span, decoded) = key(0, "speed");
        builder.scalar(Tag::Key, span, decoded, 0);
        let mut number = TextBuilder::at(7);
        number.spelled("31", Span::new(7, 11));
        builder.scalar(Tag::Number, Span::new(7, 11), Some(number.finish()), 0);
        let (span, decoded) = key(12, "name");
        builder.scalar(Tag::Key, span, decoded, 0);
        let mut name = TextBuilder::at(19);
        name.plain(19, "it");
        name.spelled("'", Span::new(21, 23));
        name.plain(23, "s");
        builder.scalar(Tag::String, Span::new(18, 25), Some(name.finish()), 0);
        builder.close(25);
        let tree = builder.finish();

        let root = tree.root().unwrap();
        assert_eq!(root.opening(), Span::new(0, 5));
        assert!(!root.is_incomplete());
        assert!(root.get("speed").unwrap().decimal().unwrap() == 31);
        let name = root.get("name").unwrap();
        assert_eq!(name.as_str().as_deref(), Some("it's"));
        assert_eq!(name.text().unwrap().to_source(2..4), Span::new(21, 24));
        assert_eq!(tree.pointers().pointer(&tree, name.id()), "/name");
    }
}
