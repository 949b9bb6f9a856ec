use std::fmt;
use std::sync::Arc;

/// Where a setting was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SettingSource {
    /// In a configuration file.
    File {
        /// The file's path, as it was loaded.
        path: Arc<str>,
        /// The line, counted from 1.
        line: u32,
    },
    /// In an argument of this name, such as `--level`.
    Argument(&'static str),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => write!(formatter, "{path}:{line}"),
            Self::Argument(option) => formatter.write_str(option),
        }
    }
}

/// A setting, and where it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// What was set.
    pub value: T,
    /// Where.
    pub source: SettingSource,
}

impl<T> Sourced<T> {
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced { value: change(self.value), source: self.source }
    }
}
