rule! {
    /// A suppression has expired.
    ///
    /// Its last day is over, so the finding is reported again. Fix it, or set a later last day.
    ///
    /// ```json,document
    /// { "version_number": 3, "kb_max_chunks": 12 }
    /// ```
    ///
    /// ```toml,reported
    /// [[suppressions]]
    /// files = "agents/en.json"
    /// rules = "out-of-range"
    /// reason = "the limit is to be raised"
    /// expires = "2019-12-31"
    /// ```
    ///
    /// ```json,document
    /// { "version_number": 3, "kb_max_chunks": 12 }
    /// ```
    ///
    /// ```toml,holds
    /// [[suppressions]]
    /// files = "agents/en.json"
    /// rules = "out-of-range"
    /// reason = "the limit is to be raised"
    /// expires = "2999-12-31"
    /// ```
    "expired-suppression": Suppression {
        group: Correctness,
        section: "",
    }
}
