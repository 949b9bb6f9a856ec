use std::fmt;

use voxlint::Severity;
use voxlint::suggest::nearest_or_prefix;

use crate::diagnostic::quote;

/// The severity that a configuration gives to a rule, or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The rule is disabled.
    Off,
    /// Findings are reported as `info`.
    Info,
    /// Findings are reported as warnings.
    Warning,
    /// Findings are reported as errors, which fail a run by default.
    Error,
}

impl Level {
    /// Every level, from the lowest to the highest.
    pub const ALL: [Self; 4] = [Self::Off, Self::Info, Self::Warning, Self::Error];

    /// The name in configurations and arguments.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity of the findings; `None` for a rule that is off.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Info => Some(Severity::Info),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A text is not a [`Level`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError {
    name: String,
}

impl fmt::Display for LevelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not a valid level: ", quote(&self.name))?;
        match nearest_or_prefix(&self.name, &Level::ALL.map(Level::as_str)) {
            Some(near) => write!(formatter, "did you mean `{near}`?"),
            None => formatter.write_str("use off, info, warning or error"),
        }
    }
}

impl std::error::Error for LevelError {}

impl std::str::FromStr for Level {
    type Err = LevelError;

    /// ```
    /// use voxlint_config::Level;
    ///
    /// assert_eq!("warning".parse(), Ok(Level::Warning));
    /// let error = "warn".parse::<Level>().unwrap_err();
    /// assert_eq!(error.to_string(), "`warn` is not a valid level: did you mean `warning`?");
    /// ```
    fn from_str(name: &str) -> Result<Self, LevelError> {
        let level = Self::ALL.into_iter().find(|level| level.as_str() == name);
        level.ok_or_else(|| LevelError { name: name.to_owned() })
    }
}
