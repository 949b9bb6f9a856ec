use crate::rule::rule;

rule! {
    /// A comment that should hide a finding cannot be followed.
    ///
    /// It names no rule, or none that there is, or gives no reason. It hides nothing, and whoever wrote it believes that it
    /// does.
    "malformed-suppression": Upkeep {
        section: "",
    }
}
