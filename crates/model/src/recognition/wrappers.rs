//! Updates inside wrappers: `{"update": {…}}`.

use std::cell::OnceCell;

use voxlint_syntax::{Member, Node};

use super::field_names::foreign;
use super::score::{WRAPPER_MEMBERS, WRAPPERS, wrapped_weight};

/// The fields of an object that wrap one or more updates.
#[derive(Debug)]
pub struct Wrappers<'a> {
    root: Node<'a>,
    /// Whether the object has a name of another service. Then none of its fields counts as a wrapper.
    has_foreign_name: OnceCell<bool>,
}

impl<'a> Wrappers<'a> {
    /// The wrappers at the root of a document.
    pub const fn of(root: Node<'a>) -> Self {
        Self { root, has_foreign_name: OnceCell::new() }
    }

    /// Whether an unknown field is a wrapper.
    pub fn has(&self, member: Member<'a>) -> bool {
        wrapped_weight(member.value, WRAPPERS).is_some()
            && !*self
                .has_foreign_name
                .get_or_init(|| self.root.members().any(|member| foreign(&member.name()).is_some()))
    }
}

/// Whether a wrapper contains a field, directly or in another wrapper.
pub fn is_wrapped_in(value: Node<'_>, name: &str) -> bool {
    contains(value, name, WRAPPERS)
}

fn contains(value: Node<'_>, name: &str, wrappers: usize) -> bool {
    if wrappers == 0 {
        return false;
    }
    let is_small = || value.members().nth(WRAPPER_MEMBERS).is_none();
    value.get(name).is_some()
        || value.elements().any(|element| contains(element, name, wrappers - 1))
        || (is_small() && value.members().any(|member| contains(member.value, name, wrappers - 1)))
}
