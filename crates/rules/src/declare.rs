//! How a rule and a family of rules are declared.

/// Declares the rule of a file: its page, its id, its data, and the family of its `check` function. It imports the fields that the
/// rule reads.
#[macro_export]
macro_rules! rule {
    (
        $(#[doc = $line:literal])+
        $id:literal: $family:ident {
            group: $group:ident,
            $(default: $default:ident,)?
            $(basis: $basis:ident $(($why:literal))?,)?
            section: $section:literal,
            $(status: $status:literal $(or $other_status:literal)?,)?
            $(advice: $advice:ident,)?
            $(unshown: [$($unshown:ident),+ $(,)?],)?
            $(fix: $fix:ident($fixes:literal),)?
            $(table: $table:path,)?
            $(reads: [$($field:ident),+ $(,)?],)?
            $(reads_agent: [$($agent:path),+ $(,)?],)?
            $(reads_facts: [$($fact:path),+ $(,)?],)?
            $(readings: [$($reading:ident),+ $(,)?],)?
            $(properties: [$($property:ident),+ $(,)?],)?
            $(needs: [$($needed:ident),+ $(,)?],)?
        }
    ) => {
        // A rule names the fields that it reads once. Some are read for it, as those with templates.
        $(#[allow(unused_imports)] use $crate::schema::settings::{$($field),+};)?

        #[doc = concat!("The id of the rule `", $id, "`.")]
        pub const ID: &str = $id;

        pub(crate) static RULE: $crate::model::Rule = $crate::model::Rule {
            id: std::borrow::Cow::Borrowed(ID),
            group: $crate::model::rule::Group::$group,
            basis: $crate::rule!(@basis $($basis $($why)?)?),
            is_recommended: $crate::rule!(@recommended $group $($default)?),
            section: $section,
            status: $crate::rule!(@status $($status)?),
            other_status: $crate::rule!(@status $($($other_status)?)?),
            advice: $crate::rule!(@advice $($advice)?),
            fix: $crate::rule!(@fix $($fix $fixes)?),
            reads: &[$($($crate::schema::settings::$field.row),+)?],
            reads_agent: &[$($($agent.row),+)?],
            reads_facts: &[$($($fact.row),+)?],
            readings: &[$($(&$crate::schema::readings::$reading),+)?],
            internal: $crate::model::rule::Internal {
                unshown: &[$($($crate::model::Severity::$unshown),+)?],
                table: $crate::rule!(@table $($table)?),
                reads_rows: 0 $($(| $crate::model::fields::bit($crate::schema::settings::$field.row))+)?,
                properties: &[$($($crate::model::rule::Property::$property),+)?],
                needs: $crate::model::text_traits::Traits::of(&[$($($crate::model::text_traits::Trait::$needed),+)?]),
                page: $crate::model::rule::Page::Comment(concat!($($line, "\n"),+)),
                family: $crate::model::rule::Family::$family,
            },
        };
        $crate::rule!(@checked $family);
    };
    (@basis $basis:ident $($why:literal)?) => { Some($crate::model::rule::Basis::$basis $(($why))?) };
    (@basis) => { None };
    (@recommended Style) => { false };
    (@recommended $group:ident Off) => { false };
    (@recommended $group:ident) => { true };
    (@checked Suppression) => {};
    (@checked Fleet) => { $crate::rule!(@checked super::Check, check); };
    (@checked Document) => { $crate::rule!(@checked $crate::check::Document, check); };
    (@checked $family:ident) => {
        $crate::rule!(@checked $crate::check::$family, |checked| check(checked).into());
    };
    (@checked $check:path, $run:expr) => {
        pub(super) const CHECKED: (&$crate::model::Rule, $check) = (&RULE, $run);
    };
    (@status $status:literal) => { Some($status) };
    (@status) => { None };
    (@table $table:path) => { Some(&$table) };
    (@table) => { None };
    (@fix Safe $about:literal) => { $crate::rule!(@fix [Safe] $about) };
    (@fix Unsafe $about:literal) => { $crate::rule!(@fix [Unsafe] $about) };
    (@fix Both $about:literal) => { $crate::rule!(@fix [Safe, Unsafe] $about) };
    (@fix [$($safety:ident),+] $about:literal) => {
        Some($crate::model::rule::fix(&[$($crate::model::Safety::$safety),+], $about))
    };
    (@fix) => { None };
    (@advice $advice:ident) => { $crate::model::Severity::$advice };
    (@advice) => { $crate::model::Severity::Warning };
}

/// Declares a rule about settings that take no effect because of another one. A fix removes the settings if one is described:
/// what somebody wrote for callers or for the model is left to its author.
macro_rules! without_effect {
    (
        $(#[doc = $line:literal])+
        $id:literal: {
            basis: $basis:ident($doubt:literal),
            section: $section:literal,
            $(advice: $advice:ident,)?
            $(fix: $fix:ident($fixes:literal),)?
            when: $when:ident($switch:ident $(, $values:expr)?),
            why: $why:literal,
            help: $help:literal,
            settings: [$($setting:ident),+ $(,)?],
        }
    ) => {
        rule! {
            $(#[doc = $line])+
            $id: Config {
                group: Ineffective,
                basis: $basis($doubt),
                section: $section,
                $(advice: $advice,)?
                $(fix: $fix($fixes),)?
                reads: [$switch, $($setting),+],
            }
        }

        pub(super) static IDLE: WithoutEffect = WithoutEffect {
            when: When::$when(&$switch $(, $values)?),
            why: $why,
            help: $help,
            removable: RULE.fix.is_some(),
            settings: &[$($setting.row),+],
        };

        fn check(config: &Effective<'_>) -> Verdicts {
            IDLE.check(config)
        }
    };
}

/// The rules of a family with their functions, in the order in which they run, and the names of their ids.
#[macro_export]
macro_rules! family {
    ($check:path: $($name:ident = $rule:ident,)+) => {
        /// The rules of the family.
        pub static RULES: &[(&$crate::model::Rule, $check)] = &[$($rule::CHECKED),+];
        $crate::family!(@ids $($name = $rule,)+);
    };
    ($($name:ident = $rule:ident,)+) => {
        /// The rules of the family.
        pub static RULES: &[&$crate::model::Rule] = &[$(&$rule::RULE),+];
        $crate::family!(@ids $($name = $rule,)+);
    };
    (@ids $($name:ident = $rule:ident,)+) => {
        pub(crate) mod ids {
            $(pub use super::$rule::ID as $name;)+

            #[cfg(test)]
            pub(crate) const NAMES: &[(&str, &str)] = &[$((stringify!($name), $name)),+];
        }
    };
}
