use crate::rule::rule;

rule! {
    /// A comment that should hide a finding cannot be followed.
    ///
    /// It names no rule, or none that there is, or gives no reason, or the last day on which it is to hold is none. It hides
    /// nothing, and whoever wrote it believes that it does.
    ///
    /// ```yaml,reported
    /// version_number: 3
    /// kb_max_chunks: 12 # voxlint-ignore out-of-range
    /// ```
    ///
    /// ```yaml,reported
    /// version_number: 3
    /// kb_max_chunks: 12 # voxlint-ignore out-of-rage: the limit is to be raised
    /// ```
    ///
    /// ```yaml,holds
    /// version_number: 3
    /// kb_max_chunks: 12 # voxlint-ignore out-of-range: the limit is to be raised
    /// ```
    "malformed-suppression": Upkeep {
        section: "",
    }
}
