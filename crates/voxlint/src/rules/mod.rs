//! The rules, one per file. To add a rule, write its file and add its two lines to the `mod.rs` of its family.

/// The rules of a family with their functions, in the order in which they run, and the names of their ids.
macro_rules! family {
    ($check:path: $($name:ident = $rule:ident,)+) => {
        pub(crate) static RULES: &[(&voxlint_model::Rule, $check)] = &[$($rule::CHECKED),+];
        family!(@ids $($name = $rule,)+);
    };
    ($($name:ident = $rule:ident,)+) => {
        pub(crate) static RULES: &[&voxlint_model::Rule] = &[$(&$rule::RULE),+];
        family!(@ids $($name = $rule,)+);
    };
    (@ids $($name:ident = $rule:ident,)+) => {
        pub(crate) mod ids {
            $(pub use super::$rule::ID as $name;)+

            #[cfg(test)]
            pub(crate) const NAMES: &[(&str, &str)] = &[$((stringify!($name), $name)),+];
        }
    };
}

#[macro_use]
mod declare;
pub(crate) mod check;
pub(crate) mod config;
mod document;
mod fleet;
mod object;
mod suppression;
pub(crate) mod template;
mod text;
mod value;

/// The ids of the rules as constants.
pub mod ids {
    pub use super::config::ids::*;
    pub use super::document::ids::*;
    pub use super::fleet::ids::*;
    pub use super::object::ids::*;
    pub use super::suppression::ids::*;
    pub use super::template::ids::*;
    pub use super::text::ids::*;
    pub use super::value::ids::*;
}

pub use suppression::{EXPIRED_SUPPRESSION, MALFORMED_SUPPRESSION, UNUSED_SUPPRESSION};
pub use voxlint_model::rule::{RECOMMENDED, group_names};

pub(crate) use check::of;
pub(crate) use config::{RULES as CONFIG, WITHOUT_EFFECT};
pub(crate) use document::{RULES as DOCUMENT, in_stored, in_text_file};
pub(crate) use fleet::RULES as FLEET;
pub(crate) use object::RULES as OBJECT;
pub(crate) use suppression::RULES as SUPPRESSION;
pub(crate) use template::{RULES as TEMPLATE, TEMPLATE_SYNTAX_ERROR, further_syntax_errors};
pub(crate) use text::{BOOSTED_KEYWORD_CHARACTER, RULES as TEXT, TRANSFER_DESTINATION_MALFORMED};
pub(crate) use value::{OUT_OF_RANGE, RULES as VALUE, TEXT_TOO_LONG, is_plainly_allowed};
use voxlint_model::secret::mask_text;
use voxlint_model::{Rule, RuleRef};

/// Every rule, in the order in which the rules run.
///
/// ```
/// assert!(voxlint::rules::all().any(|rule| rule.id == "out-of-range"));
/// ```
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let values =
        of(DOCUMENT).chain(of(OBJECT)).chain(of(VALUE)).chain(of(TEXT)).chain(of(TEMPLATE));
    values.chain(of(CONFIG)).chain(of(FLEET)).chain(SUPPRESSION.iter().copied())
}

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

/// The ids of rules of earlier versions, which configurations may still name.
pub const REMOVED: [&str; 1] = ["asks-for-credential"];

/// The rule with this id among some, such as those of a project.
///
/// # Errors
///
/// If there is none: a message with the id that is probably meant, or else with `hint`.
pub fn find_among<'r>(id: &str, rules: &'r [RuleRef], hint: &str) -> Result<&'r RuleRef, String> {
    rules.iter().find(|rule| rule.id == id).ok_or_else(|| {
        let near = voxlint_model::suggest::nearest(id, rules.iter().map(|rule| &*rule.id));
        let meant = near.map_or_else(|| hint.to_owned(), |near| format!("did you mean `{near}`?"));
        format!("there is no rule `{}`: {meant}", mask_text(id))
    })
}

/// The id that a misspelled one most likely means.
///
/// ```
/// assert_eq!(voxlint::rules::nearest("out-of-rnage"), Some("out-of-range"));
/// ```
pub fn nearest(id: &str) -> Option<&'static str> {
    voxlint_model::suggest::nearest(id, all().map(|rule| &*rule.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constant_of_an_id_has_its_name() {
        let families = [
            config::ids::NAMES,
            document::ids::NAMES,
            fleet::ids::NAMES,
            object::ids::NAMES,
            suppression::ids::NAMES,
            template::ids::NAMES,
            text::ids::NAMES,
            value::ids::NAMES,
        ];
        let mut count = 0;
        for (name, id) in families.into_iter().flatten() {
            assert_eq!(name.to_lowercase().replace('_', "-"), *id);
            count += 1;
        }
        assert_eq!(count, all().count());
    }
}
