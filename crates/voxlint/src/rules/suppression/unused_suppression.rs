use crate::rule::rule;

rule! {
    /// A suppression hides no finding.
    ///
    /// The mistake that it was written for is gone, or its files, pointer or rule never matched the finding. Left in place,
    /// it would silently hide the next mistake at the same place.
    ///
    /// If an entry names several rules, each of them is judged separately. An entry is reported only if every file that it
    /// could match has been checked, with the rule switched on and decided: a partial run does not report it. A comment
    /// beside a value is judged whenever its document is checked.
    ///
    /// ```json,document
    /// { "version_number": 3, "kb_max_chunks": 5 }
    /// ```
    ///
    /// ```toml,reported
    /// [[suppressions]]
    /// files = "agents/en.json"
    /// rules = "out-of-range"
    /// reason = "the limit is to be raised"
    /// ```
    ///
    /// ```json,document
    /// { "version_number": 3, "kb_max_chunks": 12 }
    /// ```
    ///
    /// ```toml,holds
    /// [[suppressions]]
    /// files = "agents/en.json"
    /// pointer = "/kb_max_chunks"
    /// rules = "out-of-range"
    /// reason = "the limit is to be raised"
    /// ```
    ///
    /// ```yaml,reported
    /// version_number: 3
    /// kb_max_chunks: 5 # voxlint-ignore out-of-range: the limit is to be raised
    /// ```
    "unused-suppression": Suppression {
        section: "",
        properties: [UnusedSuppressions],
    }
}
