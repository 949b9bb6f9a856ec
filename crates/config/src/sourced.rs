//! Where settings come from.

use std::fmt;
use std::sync::Arc;

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SettingSource {
    /// A configuration file.
    File {
        /// The file's path, as it was loaded.
        path: Arc<str>,
        /// The line, counted from 1.
        line: u32,
    },
    /// An argument with this name, such as `--level`.
    Argument(&'static str),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => write!(formatter, "{path}:{line}"),
            Self::Argument(name) => formatter.write_str(name),
        }
    }
}

/// The value of a setting and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: SettingSource,
}

impl<T> Sourced<T> {
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced { value: change(self.value), source: self.source }
    }
}
