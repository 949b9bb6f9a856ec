//! How the file of a rule declares it.

/// Declares the rule of a file: its page, its id, its data, and the family of its `check` function.
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
            $(reads: [$($field:path),+ $(,)?],)?
            $(reads_agent: [$($agent:path),+ $(,)?],)?
            $(reads_facts: [$($fact:path),+ $(,)?],)?
            $(properties: [$($property:ident),+ $(,)?],)?
            $(needs: [$($needed:ident),+ $(,)?],)?
        }
    ) => {
        #[doc = concat!("The id of the rule `", $id, "`.")]
        pub const ID: &str = $id;

        pub(crate) static RULE: voxlint_model::Rule = voxlint_model::Rule {
            id: std::borrow::Cow::Borrowed(ID),
            group: voxlint_model::rule::Group::$group,
            basis: rule!(@basis $($basis $($why)?)?),
            is_recommended: rule!(@recommended $group $($default)?),
            section: $section,
            status: rule!(@status $($status)?),
            other_status: rule!(@status $($($other_status)?)?),
            advice: rule!(@advice $($advice)?),
            fix: rule!(@fix $($fix $fixes)?),
            reads: &[$($($field.row),+)?],
            reads_agent: &[$($($agent.row),+)?],
            reads_facts: &[$($($fact.row),+)?],
            internal: voxlint_model::rule::Internal {
                unshown: &[$($(voxlint_model::Severity::$unshown),+)?],
                table: rule!(@table $($table)?),
                reads_rows: 0 $($(| voxlint_model::fields::bit($field.row))+)?,
                properties: &[$($(voxlint_model::rule::Property::$property),+)?],
                needs: voxlint_model::text_traits::Traits::of(&[$($(voxlint_model::text_traits::Trait::$needed),+)?]),
                page: voxlint_model::rule::Page::Comment(concat!($($line, "\n"),+)),
                family: voxlint_model::rule::Family::$family,
            },
        };
        rule!(@checked $family);
    };
    (@basis $basis:ident $($why:literal)?) => { Some(voxlint_model::rule::Basis::$basis $(($why))?) };
    (@basis) => { None };
    (@recommended Style) => { false };
    (@recommended $group:ident Off) => { false };
    (@recommended $group:ident) => { true };
    (@checked Suppression) => {};
    (@checked Fleet) => { rule!(@checked as super::Check); };
    (@checked $family:ident) => { rule!(@checked as crate::rules::check::$family); };
    (@checked as $check:path) => {
        pub(super) const CHECKED: (&voxlint_model::Rule, $check) = (&RULE, check);
    };
    (@status $status:literal) => { Some($status) };
    (@status) => { None };
    (@table $table:path) => { Some(&$table) };
    (@table) => { None };
    (@fix Safe $about:literal) => { rule!(@fix [Safe] $about) };
    (@fix Unsafe $about:literal) => { rule!(@fix [Unsafe] $about) };
    (@fix Both $about:literal) => { rule!(@fix [Safe, Unsafe] $about) };
    (@fix [$($safety:ident),+] $about:literal) => {
        Some(voxlint_model::rule::fix(&[$(voxlint_model::Safety::$safety),+], $about))
    };
    (@fix) => { None };
    (@advice $advice:ident) => { voxlint_model::Severity::$advice };
    (@advice) => { voxlint_model::Severity::Warning };
}
