use std::fmt;
use std::sync::Arc;

/// Where a setting was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In a configuration file.
    File {
        /// The file's path, as it was loaded.
        path: Arc<str>,
        /// The line, counted from 1.
        line: u32,
    },
    /// On the command line, with this option.
    CommandLine(&'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => write!(formatter, "{path}:{line}"),
            Self::CommandLine(option) => formatter.write_str(option),
        }
    }
}

/// A setting, and where it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated<T> {
    /// What was set.
    pub value: T,
    /// Where.
    pub place: Place,
}

impl<T> Stated<T> {
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Stated<U> {
        Stated { value: change(self.value), place: self.place }
    }
}
