//! The tables of a document under construction. A table may be defined in several places, so the tree is built when the
//! whole text is parsed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::builder::Builder;
use crate::tree::{FAULTY, INCOMPLETE, Tag, Tree};
use crate::{DecodedText, MAX_DEPTH, SharedText, Span};

/// A part of a key at one place of the text.
#[derive(Debug)]
pub(super) struct Key<'t> {
    pub(super) span: Span,
    pub(super) flags: u8,
    pub(super) decoded: Option<Box<DecodedText<'static>>>,
    pub(super) text: Cow<'t, str>,
}

/// The kind of an item. For a table, how it was defined decides what may extend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Scalar(Tag),
    /// An array.
    Array,
    /// An inline table.
    InlineTable,
    /// A table with a header, or the document.
    HeaderTable,
    /// A table that the header of a sub-table implies.
    ImplicitTable,
    /// A table that a dotted key implies.
    DottedTable,
    /// An array of tables with headers.
    ArrayOfTables,
}

/// Why something cannot be added.
#[derive(Clone, Copy, Debug)]
pub(super) enum InsertError {
    /// The key is used by this item, at this place.
    Duplicate { by: u32, at: Span },
    /// The key belongs to a value that cannot be extended.
    NotATable { at: Span },
    /// Containers are nested deeper than [`MAX_DEPTH`].
    TooDeep,
}

const NONE: u32 = u32::MAX;

/// The maximum number of items for which memory is reserved, so that no text makes it reserve more than it uses.
const MAX_RESERVED: usize = 1024;

/// The document.
pub(super) const ROOT: u32 = 0;

#[derive(Debug)]
struct Item {
    kind: ItemKind,
    flags: u8,
    /// The nesting depth; 0 for items outside the document.
    depth: u32,
    span: Span,
    name: Option<(Span, u8)>,
    key_text: Option<Box<DecodedText<'static>>>,
    decoded: Option<Box<DecodedText<'static>>>,
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
}

#[derive(Debug)]
pub(super) struct Tables<'t> {
    /// All items, each container before its contents.
    items: Vec<Item>,
    /// The members of the tables, by key.
    index: HashMap<(u32, Cow<'t, str>), u32>,
}

impl<'t> Tables<'t> {
    /// An empty document. `members` is about the number of its keys.
    pub(super) fn new(members: usize) -> Self {
        let members = members.min(MAX_RESERVED);
        let mut tables =
            Self { items: Vec::with_capacity(members), index: HashMap::with_capacity(members) };
        let root = tables.loose(ItemKind::HeaderTable, Span::at(0));
        if let Some(root) = tables.item_mut(root) {
            root.depth = 1;
        }
        tables
    }

    pub(super) fn kind(&self, id: u32) -> Option<ItemKind> {
        self.item(id).map(|item| item.kind)
    }

    /// The start of an item.
    pub(super) fn start(&self, id: u32) -> u32 {
        self.item(id).map_or(0, |item| item.span.start)
    }

    /// Marks a container that may lack something.
    pub(super) fn mark_incomplete(&mut self, id: u32) {
        if let Some(item) = self.item_mut(id) {
            item.flags |= INCOMPLETE;
        }
    }

    pub(super) fn end(&mut self, id: u32, end: u32) {
        if let Some(item) = self.item_mut(id) {
            item.span.end = end.max(item.span.start);
        }
    }

    pub(super) fn decoded(
        &mut self,
        id: u32,
        decoded: Option<Box<DecodedText<'static>>>,
        flags: u8,
    ) {
        if let Some(item) = self.item_mut(id) {
            item.decoded = decoded;
            item.flags |= flags;
        }
    }

    /// Makes a scalar an invalid value with this span.
    pub(super) fn invalidate(&mut self, id: u32, span: Span) {
        if let Some(item) = self.item_mut(id) {
            item.kind = ItemKind::Scalar(Tag::Invalid);
            item.decoded = None;
            item.flags |= FAULTY;
            item.span = span;
        }
    }

    /// An item outside the document. Its contents are still parsed.
    pub(super) fn loose(&mut self, kind: ItemKind, span: Span) -> u32 {
        let id = self.items.len() as u32;
        self.items.push(Item {
            kind,
            flags: 0,
            depth: 0,
            span,
            name: None,
            key_text: None,
            decoded: None,
            parent: NONE,
            first: NONE,
            last: NONE,
            next: NONE,
        });
        id
    }

    /// Adds an item to an array.
    pub(super) fn element(
        &mut self,
        array: u32,
        kind: ItemKind,
        span: Span,
    ) -> Result<u32, InsertError> {
        self.check_depth(array, kind)?;
        Ok(self.append(array, kind, span))
    }

    /// Adds a member to a table.
    pub(super) fn member(
        &mut self,
        table: u32,
        name: Key<'t>,
        kind: ItemKind,
        span: Span,
    ) -> Result<u32, InsertError> {
        self.check_depth(table, kind)?;
        let id = self.items.len() as u32;
        match self.index.entry((table, name.text)) {
            Entry::Occupied(entry) => {
                let by = *entry.get();
                return Err(InsertError::Duplicate { by, at: self.name_span(by) });
            }
            Entry::Vacant(entry) => entry.insert(id),
        };
        self.append(table, kind, span);
        if let Some(item) = self.item_mut(id) {
            item.name = Some((name.span, name.flags));
            item.key_text = name.decoded;
        }
        Ok(id)
    }

    /// The table that a part of a dotted key leads to.
    pub(super) fn descend(
        &mut self,
        table: u32,
        name: Key<'t>,
        by_header: bool,
    ) -> Result<u32, InsertError> {
        let span = name.span;
        let kind = if by_header { ItemKind::ImplicitTable } else { ItemKind::DottedTable };
        let Err(error) = self.member(table, name, kind, span).map_err(|error| match error {
            InsertError::Duplicate { by, at } => (by, at),
            _ => (NONE, span),
        }) else {
            return Ok(self.items.len() as u32 - 1);
        };
        let (id, at) = error;
        let Some(item) = self.item(id) else {
            return Err(InsertError::TooDeep);
        };
        match item.kind {
            ItemKind::ImplicitTable | ItemKind::DottedTable => Ok(id),
            ItemKind::HeaderTable if by_header => Ok(id),
            ItemKind::ArrayOfTables if by_header => Ok(item.last),
            _ => Err(InsertError::NotATable { at }),
        }
    }

    /// The table that a header defines.
    pub(super) fn define(
        &mut self,
        table: u32,
        name: Key<'t>,
        header: Span,
    ) -> Result<u32, InsertError> {
        match self.member(table, name, ItemKind::HeaderTable, header) {
            Err(InsertError::Duplicate { by, .. })
                if self.kind(by) == Some(ItemKind::ImplicitTable) =>
            {
                if let Some(item) = self.item_mut(by) {
                    item.kind = ItemKind::HeaderTable;
                    item.span = header;
                }
                Ok(by)
            }
            defined => defined,
        }
    }

    /// The next table of an array of tables.
    pub(super) fn define_next(
        &mut self,
        table: u32,
        name: Key<'t>,
        header: Span,
    ) -> Result<u32, InsertError> {
        let array = match self.member(table, name, ItemKind::ArrayOfTables, header) {
            Err(InsertError::Duplicate { by, .. })
                if self.kind(by) == Some(ItemKind::ArrayOfTables) =>
            {
                by
            }
            array => array?,
        };
        self.element(array, ItemKind::HeaderTable, header)
    }

    fn item(&self, id: u32) -> Option<&Item> {
        self.items.get(id as usize)
    }

    fn item_mut(&mut self, id: u32) -> Option<&mut Item> {
        self.items.get_mut(id as usize)
    }

    fn name_span(&self, id: u32) -> Span {
        self.item(id).and_then(|item| item.name).map(|(span, _)| span).unwrap_or_default()
    }

    fn check_depth(&self, parent: u32, kind: ItemKind) -> Result<(), InsertError> {
        let is_full = self.item(parent).is_some_and(|item| item.depth as usize >= MAX_DEPTH);
        if is_full && !matches!(kind, ItemKind::Scalar(_)) {
            Err(InsertError::TooDeep)
        } else {
            Ok(())
        }
    }

    fn append(&mut self, parent: u32, kind: ItemKind, span: Span) -> u32 {
        let id = self.loose(kind, span);
        let Some(container) = self.item_mut(parent) else {
            return id;
        };
        let (depth, before) = (container.depth, container.last);
        container.last = id;
        if before == NONE {
            container.first = id;
        } else if let Some(before) = self.item_mut(before) {
            before.next = id;
        }
        if let Some(item) = self.item_mut(id) {
            item.parent = parent;
            item.depth = if depth == 0 { 0 } else { depth + 1 };
        }
        id
    }

    /// Builds the tree. `is_cut_short`: every table that a header could extend may lack something.
    pub(super) fn into_tree(mut self, text: &SharedText, is_cut_short: bool) -> Tree {
        self.cover();
        let mut builder = Builder::new(text);
        let mut at = ROOT;
        while let Some(item) = self.item_mut(at) {
            let (kind, span, flags) = (item.kind, item.span, item.flags);
            let (first, mut next, mut parent) = (item.first, item.next, item.parent);
            let decoded = item.decoded.take().map(|decoded| *decoded);
            let key_text = item.key_text.take().map(|decoded| *decoded);
            if let Some((span, flags)) = item.name {
                builder.scalar(Tag::Key, span, key_text, flags);
            }
            let tag = match kind {
                ItemKind::Scalar(tag) => tag,
                ItemKind::Array | ItemKind::ArrayOfTables => Tag::Array,
                ItemKind::InlineTable
                | ItemKind::HeaderTable
                | ItemKind::ImplicitTable
                | ItemKind::DottedTable => Tag::Object,
            };
            if let ItemKind::Scalar(_) = kind {
                builder.scalar(tag, span, decoded, flags);
            } else {
                builder.open(tag, span.start, kind.is_block());
                if flags & INCOMPLETE != 0 || (is_cut_short && kind.is_block()) {
                    builder.mark_incomplete();
                }
                if first != NONE {
                    at = first;
                    continue;
                }
                builder.close(span.end);
            }
            while next == NONE
                && let Some(container) = self.item(parent)
            {
                builder.close(container.span.end);
                (next, parent) = (container.next, container.parent);
            }
            at = next;
        }
        builder.finish()
    }

    /// A container without brackets spans from its first key or item to the end of its last one.
    fn cover(&mut self) {
        let mut covered: Vec<Option<Span>> = vec![None; self.items.len()];
        for (id, item) in self.items.iter_mut().enumerate().rev() {
            if item.kind.is_block()
                && let Some(covered) = covered.get(id).copied().flatten()
            {
                item.span = covered;
            }
            let whole = item.name.map_or(item.span, |(name, _)| name.cover(item.span));
            if let Some(parent) = covered.get_mut(item.parent as usize) {
                *parent = Some(parent.map_or(whole, |parent| parent.cover(whole)));
            }
        }
    }
}

impl ItemKind {
    /// Whether the container has no brackets.
    const fn is_block(self) -> bool {
        matches!(
            self,
            Self::HeaderTable | Self::ImplicitTable | Self::DottedTable | Self::ArrayOfTables
        )
    }
}
