//! What a configuration can only have so much of. Each of these is compared with much of every document, one by one, so the time
//! of a check grows with the product of both.

use crate::diagnostic::ConfigDiagnostic;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limited {
    /// House rules.
    HouseRules,
    /// Suppressions.
    Suppressions,
    /// File patterns with wildcards.
    Patterns,
    /// Names of variables and fields with more than one `*`. Others are found by how they begin and end.
    Names,
}

impl Limited {
    pub(crate) const ALL: [Self; 4] =
        [Self::HouseRules, Self::Suppressions, Self::Patterns, Self::Names];

    /// The largest number in a configuration and the files that it extends.
    pub(crate) const fn most(self) -> usize {
        match self {
            Self::HouseRules | Self::Suppressions | Self::Patterns => 1000,
            Self::Names => 100,
        }
    }

    /// The fault of the first one that is too many.
    pub(crate) fn fault(self) -> ConfigDiagnostic {
        let (what, help) = match self {
            Self::HouseRules => ("house rules", "combine some of them, or remove some"),
            Self::Suppressions => ("suppressions", "record the findings in a baseline"),
            Self::Patterns => ("file patterns with wildcards", "combine some of them"),
            Self::Names => ("names with more than one `*`", "write names with one `*`, or without"),
        };
        let most = self.most();
        let message = format!("a configuration has at most {most} {what}, and this is one more");
        ConfigDiagnostic::new(message).help(help)
    }
}
