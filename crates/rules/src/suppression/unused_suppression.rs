rule! {
    /// A suppression suppresses no finding.
    ///
    /// The mistake that it was written for is gone, or its files, pointer or rule never matched the finding. Left in place,
    /// it would silently suppress the next mistake there.
    ///
    /// If an entry names several rules, each of them is checked separately. An entry is reported only if every file that it
    /// could match has been checked, with the rule enabled and decided. A partial run does not report it. A comment beside a
    /// value is checked with its document.
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
        group: Correctness,
        section: "",
        properties: [UnusedSuppressions],
    }
}
