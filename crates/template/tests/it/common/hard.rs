//! Hand-written templates, each for a combination that a simple scanner misreads.

use std::sync::LazyLock;

use voxlint_testing::texts::lines;

/// Valid and invalid templates. Their verdicts are stored, or come from the reference.
pub static HARD: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../../hard.txt")));

/// Templates whose rendering is easily got wrong.
pub static RENDERED: LazyLock<Vec<&str>> =
    LazyLock::new(|| lines(include_str!("../../rendered.txt")));
