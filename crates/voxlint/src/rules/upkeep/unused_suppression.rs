use crate::rule::rule;

rule! {
    /// A suppression hides no finding.
    ///
    /// The fault that it was written for is gone, or the entry never reached it: its files, its pointer or its rule are not
    /// those of the finding. What stays behind would hide the next fault at the same place without a word.
    ///
    /// An entry that names several rules is judged by each of them. It is called unused only where every file that it could
    /// be about has been looked at, with the rule switched on and decided: a run over some of the files says nothing of it.
    /// A comment beside a value is judged whenever its document is.
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
    "unused-suppression": Upkeep {
        section: "",
    }
}
