//! A closer look at the places of a search, in the text as it is written in the file. It tells that there is no secret in most
//! texts.
//!
//! A look may see more than there is, but never less: [`patterns::find`] would find nothing in a text without such a place.

use voxlint_schema::names;
use voxlint_syntax::{Kind, Node, Tree};

use crate::marks::{Mark, Marks};
use crate::secret::field_names::may_name_a_secret;
use crate::secret::patterns::{MAX_NAME, authority, name_before};
use crate::text_traits::may_skip;

/// A look at one node after another.
pub(super) struct Look<'s> {
    source: &'s [u8],
    marks: &'s Marks,
}

impl<'s> Look<'s> {
    pub(super) fn new(tree: &'s Tree, marks: &'s Marks) -> Self {
        Self { source: tree.text().as_bytes(), marks }
    }

    /// The names and strings that may contain a secret. `None` if that depends on their places, because there is a name that may be
    /// that of a secret, or if the tree is not written as it is.
    pub(super) fn plain_nodes<'t>(&self, tree: &'t Tree) -> Option<Vec<Node<'t>>> {
        if self.marks.has_private_key || !tree.is_as_written() || !may_skip() {
            return None;
        }
        let is_name = |node: &Node<'_>| node.kind() == Kind::Key;
        if tree.nodes().filter(is_name).any(may_be_named_like_a_secret) {
            return None;
        }
        let signs = self.marks.places(Mark::Sign).iter();
        let signs = signs.filter(|at| is_assignment(self.source, **at as usize));
        let places = signs.chain(self.marks.places(Mark::Run));
        let mut seen: Vec<Node<'_>> = places.filter_map(|at| tree.leaf_at(*at)).collect();
        seen.retain(|node| match node.kind() {
            Kind::Key => !is_field(*node),
            kind => kind == Kind::String,
        });
        seen.sort_unstable_by_key(|node| node.id());
        seen.dedup();
        Some(seen)
    }

    /// Whether a string or a name may contain a secret, whatever its place.
    #[inline]
    pub(super) fn sees_secret(&self, node: Node<'_>) -> bool {
        let may_assign = |at: &u32| is_assignment(self.source, *at as usize);
        matches!(node.kind(), Kind::String | Kind::Key)
            && (self.marks.has_private_key
                || self.marks.may_be_in(Mark::Run, node)
                || self
                    .marks
                    .inside(Mark::Sign, node)
                    .is_none_or(|signs| signs.iter().any(may_assign)))
    }
}

/// Whether the value of a secret may be assigned to its name at a sign, or an address may have a password.
fn is_assignment(source: &[u8], at: usize) -> bool {
    /// The longest escape that may stand before a name.
    const MAX_ESCAPE: usize = 12;
    let rest = source.get(at..).unwrap_or_default();
    match rest {
        [b':', b'/', b'/', address @ ..] => authority(address).contains(&b'@'),
        [b':' | b'=', ..] => name_before(source, at, MAX_NAME + MAX_ESCAPE)
            .and_then(|name| source.get(name))
            .is_some_and(may_name_a_secret),
        _ => false,
    }
}

/// Whether a name is that of a field. None of them is a secret.
pub(super) fn is_field(name: Node<'_>) -> bool {
    names::is_field(name.name_id()) && may_skip()
}

/// Whether a name may be that of a secret.
pub(super) fn may_be_named_like_a_secret(name: Node<'_>) -> bool {
    !is_field(name) && may_name_a_secret(name.source().as_bytes())
}
