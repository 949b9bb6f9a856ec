//! Rules across documents: what no document shows alone. Only a plan runs them.

mod draft_edited_while_another_is_published;
mod phone_number_claimed_twice;
mod phone_number_held_by_another_agent;
mod shared;
mod version_planned_twice;

use voxlint_rules::family;

use crate::plan::fleet::Check;

family! {
    Check:
    VERSION_PLANNED_TWICE = version_planned_twice,
    DRAFT_EDITED_WHILE_ANOTHER_IS_PUBLISHED = draft_edited_while_another_is_published,
    PHONE_NUMBER_CLAIMED_TWICE = phone_number_claimed_twice,
    PHONE_NUMBER_HELD_BY_ANOTHER_AGENT = phone_number_held_by_another_agent,
}
