use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::TextEdit;
use super::commas::List;
#[cfg(feature = "yaml")]
use super::yaml::Entry;
use crate::{Format, Kind, Node, Tree, Trivia};

/// The number of bytes that an [`Editor`] reads back at most. Each change to a text reads it once.
const MAX_WORK: usize = 64 << 20;

/// Writes changes to one document.
///
/// The work of one editor is limited, so that thousands of changes to a long text do not take minutes: after 64 MiB, every
/// further change is `None`.
///
/// ```
/// use voxlint_syntax::edit::{Editor, NewValue, apply};
/// use voxlint_syntax::{Format, parse};
///
/// let text = "{\n  \"speed\": \"900\", // fast\n  \"voice\": \"a\"\n}\n";
/// let parsed = parse(text, Format::Jsonc);
/// let root = parsed.documents[0].root().expect("an object");
/// let editor = Editor::new(&parsed.documents[0], Format::Jsonc);
///
/// let speed = root.get("speed").expect("a member");
/// let edits = editor.replace(speed, NewValue::Literal("900")).expect("a number");
/// assert_eq!(
///     apply(text, &edits).as_deref(),
///     Some(&b"{\n  \"speed\": 900, // fast\n  \"voice\": \"a\"\n}\n"[..])
/// );
///
/// let edits = editor.remove(&[root.get("voice").expect("a member")]).expect("a line");
/// assert_eq!(
///     apply(text, &edits).as_deref(),
///     Some(&b"{\n  \"speed\": \"900\" // fast\n}\n"[..])
/// );
/// ```
#[derive(Debug)]
pub struct Editor<'a> {
    pub(super) tree: &'a Tree,
    pub(super) format: Format,
    /// Whether a text that aliases refer to is edited, so that all of them change.
    pub(super) is_sharing: bool,
    /// How much has been read back.
    pub(super) work: Cell<usize>,
    /// Whether nodes stand for text elsewhere, as aliases of YAML do.
    pub(super) has_references: OnceCell<bool>,
    /// The comments.
    trivia: OnceCell<Rc<Trivia>>,
    /// What is in the containers that were looked at, so that a thousand changes to one list read it once.
    pub(super) values: RefCell<HashMap<usize, Rc<[Node<'a>]>>>,
    /// The container between brackets of which something was removed last.
    pub(super) list: Last<List<'a>>,
    /// The same for one without brackets.
    #[cfg(feature = "yaml")]
    pub(super) block: Last<Vec<Entry<'a>>>,
    /// The new parts of strings that are read back already, by [`Self::read_parts`], with their edits.
    pub(super) parts: RefCell<KnownParts>,
}

/// By the number of the string and the decoded bytes that are replaced: the new text, and the edit that writes it.
pub(super) type KnownParts = HashMap<(usize, Range<usize>), (String, TextEdit)>;

/// What was read of the last container; `None` if nothing can be removed from it.
#[derive(Debug)]
pub(super) struct Last<T>(RefCell<Option<(usize, Option<Rc<T>>)>>);

impl<T> Last<T> {
    pub(super) fn of(
        &self,
        container: Node<'_>,
        read: impl FnOnce() -> Option<T>,
    ) -> Option<Rc<T>> {
        let id = container.id().index();
        let mut last = self.0.borrow_mut();
        if last.as_ref().is_none_or(|(known, _)| *known != id) {
            *last = Some((id, read().map(Rc::new)));
        }
        last.as_ref().and_then(|(_, known)| known.clone())
    }
}

impl<T> Default for Last<T> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<'a> Editor<'a> {
    /// An editor of a document that was read in a format.
    pub fn new(tree: &'a Tree, format: Format) -> Self {
        Self {
            tree,
            format,
            is_sharing: false,
            work: Cell::new(0),
            has_references: OnceCell::new(),
            trivia: OnceCell::new(),
            values: RefCell::default(),
            list: Last::default(),
            #[cfg(feature = "yaml")]
            block: Last::default(),
            parts: RefCell::default(),
        }
    }

    /// The same editor for a caller that compares all values afterwards: it also edits texts to which aliases of YAML refer.
    #[must_use]
    pub const fn sharing(mut self) -> Self {
        self.is_sharing = true;
        self
    }

    /// Records work, and returns whether it is still allowed.
    pub(super) fn may_read(&self, bytes: usize) -> bool {
        self.work.set(self.work.get().saturating_add(bytes));
        self.work.get() <= MAX_WORK
    }

    /// The comments of the text.
    pub(super) fn trivia(&self) -> &Rc<Trivia> {
        let trivia = || Rc::new(Trivia::of(std::slice::from_ref(self.tree), self.format));
        self.trivia.get_or_init(trivia)
    }

    /// The container of a key or a value, and its number there.
    pub(super) fn place(&self, node: Node<'_>) -> Option<(Node<'a>, usize)> {
        let path = self.path(node)?;
        let (last, at) = path.last()?;
        Some((*last, *at))
    }

    /// The containers of a node, from the root on, each with the number of the next one in it.
    pub(super) fn path(&self, node: Node<'_>) -> Option<Vec<(Node<'a>, usize)>> {
        let is_key = node.kind() == Kind::Key;
        let id = if is_key { node.id().index() + 1 } else { node.id().index() };
        let mut path = Vec::new();
        let mut at = self.tree.root()?;
        while at.id().index() != id {
            let mut known = self.values.borrow_mut();
            let values = known.entry(at.id().index()).or_insert_with(|| at.values().collect());
            let index = values.partition_point(|value| value.after().index() <= id);
            path.push((at, index));
            at = *values.get(index)?;
        }
        Some(path)
    }

    /// Whether a node stands for text elsewhere.
    pub(super) fn has_references(&self) -> bool {
        *self.has_references.get_or_init(|| {
            let mut before: Option<Node<'_>> = None;
            self.tree.nodes().any(|node| {
                let is_behind = before.is_some_and(|before| {
                    let is_empty = before.after().index() == before.id().index() + 1;
                    let end = if is_empty { before.span().end } else { before.span().start };
                    node.span().start < end
                });
                before = Some(node);
                is_behind
            })
        })
    }

    /// Whether the text of a node is also that of another node.
    pub(super) fn is_shared(&self, node: Node<'a>) -> bool {
        // The text may be inside a value that is referred to.
        !self.is_sharing
            && self.format.name() == "yaml"
            && self.has_references()
            && (!self.may_read(self.tree.len())
                || self.tree.nodes().any(|other| {
                    other.id() != node.id()
                        && other.span() == node.span()
                        && other.kind() == node.kind()
                }))
    }
}
