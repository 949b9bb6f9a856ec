rule! {
    /// A comment that should suppress a finding is invalid.
    ///
    /// It is misspelled, names no rule or an unknown one, gives no reason, or has an invalid last day. It suppresses nothing, although its
    /// author expects it to.
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
    /// ```yaml,reported
    /// version_number: 3
    /// kb_max_chunks: 12 # voxlint: disable=out-of-range
    /// ```
    ///
    /// ```yaml,holds
    /// version_number: 3
    /// kb_max_chunks: 12 # voxlint-ignore out-of-range: the limit is to be raised
    /// ```
    "malformed-suppression": Suppression {
        group: Correctness,
        section: "",
    }
}
