//! The tables of a document under construction. A table may be defined in several places of the text, so the tree is made
//! of them only once all of it is read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::builder::Builder;
use crate::tree::{INCOMPLETE, Tag, Tree};
use crate::{MAX_DEPTH, Span, Text};

/// A name as it is written in one place.
#[derive(Debug)]
pub(super) struct Name<'t> {
    pub(super) span: Span,
    pub(super) flags: u8,
    pub(super) says: Option<Box<Text<'static>>>,
    pub(super) text: Cow<'t, str>,
}

/// What a cell is, and of a table, what has defined it: that decides what else may add to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Tag),
    /// An array in brackets.
    Array,
    /// A table in braces.
    Inline,
    /// A table with a header of its own, or the document.
    Defined,
    /// A table that a header has named on the way to another one.
    Implicit,
    /// A table that a dotted name has named on the way to its last part.
    Dotted,
    /// An array of tables that have headers.
    Tables,
}

/// Why something cannot be added.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refusal {
    /// The name is taken, by this cell and here.
    Taken { by: u32, at: Span },
    /// The name of a value that takes no members from here on.
    Closed { at: Span },
    /// Containers are nested too deep.
    TooDeep,
}

const NONE: u32 = u32::MAX;

/// The document.
pub(super) const ROOT: u32 = 0;

#[derive(Debug)]
struct Cell {
    kind: Kind,
    flags: u8,
    /// How many containers there are from the document to this one; 0 for what belongs to no place in it.
    depth: u32,
    span: Span,
    name: Option<(Span, u8)>,
    name_says: Option<Box<Text<'static>>>,
    says: Option<Box<Text<'static>>>,
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
}

#[derive(Debug)]
pub(super) struct Tables<'t> {
    /// A container before what it contains.
    cells: Vec<Cell>,
    /// The members of the tables, by name.
    index: HashMap<(u32, Cow<'t, str>), u32>,
}

impl<'t> Tables<'t> {
    pub(super) fn new() -> Self {
        let mut tables = Self { cells: Vec::new(), index: HashMap::new() };
        let root = tables.loose(Kind::Defined, Span::at(0));
        if let Some(root) = tables.cell_mut(root) {
            root.depth = 1;
        }
        tables
    }

    pub(super) fn kind(&self, id: u32) -> Option<Kind> {
        self.cell(id).map(|cell| cell.kind)
    }

    /// Where a cell begins.
    pub(super) fn start(&self, id: u32) -> u32 {
        self.cell(id).map_or(0, |cell| cell.span.start)
    }

    /// Something may be missing from this container.
    pub(super) fn mark_incomplete(&mut self, id: u32) {
        if let Some(cell) = self.cell_mut(id) {
            cell.flags |= INCOMPLETE;
        }
    }

    pub(super) fn end(&mut self, id: u32, end: u32) {
        if let Some(cell) = self.cell_mut(id) {
            cell.span.end = end.max(cell.span.start);
        }
    }

    pub(super) fn says(&mut self, id: u32, says: Option<Box<Text<'static>>>, flags: u8) {
        if let Some(cell) = self.cell_mut(id) {
            cell.says = says;
            cell.flags |= flags;
        }
    }

    /// A cell that belongs to no place in the document: what it contains is read all the same.
    pub(super) fn loose(&mut self, kind: Kind, span: Span) -> u32 {
        let id = self.cells.len() as u32;
        self.cells.push(Cell {
            kind,
            flags: 0,
            depth: 0,
            span,
            name: None,
            name_says: None,
            says: None,
            parent: NONE,
            first: NONE,
            last: NONE,
            next: NONE,
        });
        id
    }

    /// Adds an element to an array.
    pub(super) fn element(&mut self, array: u32, kind: Kind, span: Span) -> Result<u32, Refusal> {
        self.check_depth(array, kind)?;
        Ok(self.append(array, kind, span))
    }

    /// Adds a member to a table.
    pub(super) fn member(
        &mut self,
        table: u32,
        name: Name<'t>,
        kind: Kind,
        span: Span,
    ) -> Result<u32, Refusal> {
        self.check_depth(table, kind)?;
        let id = self.cells.len() as u32;
        match self.index.entry((table, name.text)) {
            Entry::Occupied(entry) => {
                let by = *entry.get();
                return Err(Refusal::Taken { by, at: self.name_span(by) });
            }
            Entry::Vacant(entry) => entry.insert(id),
        };
        self.append(table, kind, span);
        if let Some(cell) = self.cell_mut(id) {
            cell.name = Some((name.span, name.flags));
            cell.name_says = name.says;
        }
        Ok(id)
    }

    /// The table that a name leads to on the way to another one.
    pub(super) fn descend(
        &mut self,
        table: u32,
        name: Name<'t>,
        by_header: bool,
    ) -> Result<u32, Refusal> {
        let span = name.span;
        let kind = if by_header { Kind::Implicit } else { Kind::Dotted };
        let Err(refusal) = self.member(table, name, kind, span).map_err(|refusal| match refusal {
            Refusal::Taken { by, at } => (by, at),
            _ => (NONE, span),
        }) else {
            return Ok(self.cells.len() as u32 - 1);
        };
        let (id, at) = refusal;
        let Some(cell) = self.cell(id) else { return Err(Refusal::TooDeep) };
        match cell.kind {
            Kind::Implicit | Kind::Dotted => Ok(id),
            Kind::Defined if by_header => Ok(id),
            Kind::Tables if by_header => Ok(cell.last),
            _ => Err(Refusal::Closed { at }),
        }
    }

    /// The table that a header defines.
    pub(super) fn define(
        &mut self,
        table: u32,
        name: Name<'t>,
        header: Span,
    ) -> Result<u32, Refusal> {
        match self.member(table, name, Kind::Defined, header) {
            Err(Refusal::Taken { by, .. }) if self.kind(by) == Some(Kind::Implicit) => {
                if let Some(cell) = self.cell_mut(by) {
                    cell.kind = Kind::Defined;
                    cell.span = header;
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
        name: Name<'t>,
        header: Span,
    ) -> Result<u32, Refusal> {
        let array = match self.member(table, name, Kind::Tables, header) {
            Err(Refusal::Taken { by, .. }) if self.kind(by) == Some(Kind::Tables) => by,
            array => array?,
        };
        self.element(array, Kind::Defined, header)
    }

    fn cell(&self, id: u32) -> Option<&Cell> {
        self.cells.get(id as usize)
    }

    fn cell_mut(&mut self, id: u32) -> Option<&mut Cell> {
        self.cells.get_mut(id as usize)
    }

    fn name_span(&self, id: u32) -> Span {
        self.cell(id).and_then(|cell| cell.name).map(|(span, _)| span).unwrap_or_default()
    }

    fn check_depth(&self, parent: u32, kind: Kind) -> Result<(), Refusal> {
        let is_full = self.cell(parent).is_some_and(|cell| cell.depth as usize >= MAX_DEPTH);
        if is_full && !matches!(kind, Kind::Scalar(_)) { Err(Refusal::TooDeep) } else { Ok(()) }
    }

    fn append(&mut self, parent: u32, kind: Kind, span: Span) -> u32 {
        let id = self.loose(kind, span);
        let Some(container) = self.cell_mut(parent) else { return id };
        let (depth, before) = (container.depth, container.last);
        container.last = id;
        if before == NONE {
            container.first = id;
        } else if let Some(before) = self.cell_mut(before) {
            before.next = id;
        }
        if let Some(cell) = self.cell_mut(id) {
            cell.parent = parent;
            cell.depth = if depth == 0 { 0 } else { depth + 1 };
        }
        id
    }

    /// The tree. `is_cut_short`: something may be missing from every table that a header could have added to.
    pub(super) fn into_tree(mut self, text: &Arc<str>, is_cut_short: bool) -> Tree {
        self.cover();
        let mut builder = Builder::new(text);
        let mut at = ROOT;
        while let Some(cell) = self.cell_mut(at) {
            let (kind, span, flags) = (cell.kind, cell.span, cell.flags);
            let (first, mut next, mut parent) = (cell.first, cell.next, cell.parent);
            let says = cell.says.take().map(|says| *says);
            let name_says = cell.name_says.take().map(|says| *says);
            if let Some((span, flags)) = cell.name {
                builder.scalar(Tag::Key, span, name_says, flags);
            }
            let tag = match kind {
                Kind::Scalar(tag) => tag,
                Kind::Array | Kind::Tables => Tag::Array,
                Kind::Inline | Kind::Defined | Kind::Implicit | Kind::Dotted => Tag::Object,
            };
            if let Kind::Scalar(_) = kind {
                builder.scalar(tag, span, says, flags);
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
                && let Some(container) = self.cell(parent)
            {
                builder.close(container.span.end);
                (next, parent) = (container.next, container.parent);
            }
            at = next;
        }
        builder.finish()
    }

    /// A container without brackets reaches from its first name or element to the end of its last one.
    fn cover(&mut self) {
        let mut covered: Vec<Option<Span>> = vec![None; self.cells.len()];
        for (id, cell) in self.cells.iter_mut().enumerate().rev() {
            if cell.kind.is_block()
                && let Some(covered) = covered.get(id).copied().flatten()
            {
                cell.span = covered;
            }
            let whole = cell.name.map_or(cell.span, |(name, _)| name.cover(cell.span));
            if let Some(parent) = covered.get_mut(cell.parent as usize) {
                *parent = Some(parent.map_or(whole, |parent| parent.cover(whole)));
            }
        }
    }
}

impl Kind {
    /// Whether the container has no brackets.
    const fn is_block(self) -> bool {
        matches!(self, Self::Defined | Self::Implicit | Self::Dotted | Self::Tables)
    }
}
