use std::fmt;

use voxlint::Severity;

/// How loudly the findings of a rule are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not at all.
    Off,
    /// As worth knowing.
    Info,
    /// As worth a look.
    Warning,
    /// As what fails a run.
    Error,
}

impl Level {
    /// Every level, from quiet to loud.
    pub const ALL: [Self; 4] = [Self::Off, Self::Info, Self::Warning, Self::Error];

    /// The name in configurations and on the command line.
    pub const fn name(self) -> &'static str {
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

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl std::str::FromStr for Level {
    type Err = String;

    /// ```
    /// use voxlint_config::Level;
    ///
    /// assert_eq!("warning".parse(), Ok(Level::Warning));
    /// let message = "warn".parse::<Level>().unwrap_err();
    /// assert_eq!(message, "`warn` is not a valid level: did you mean `warning`?");
    /// ```
    fn from_str(name: &str) -> Result<Self, String> {
        let level = Self::ALL.into_iter().find(|level| level.name() == name);
        level.ok_or_else(|| {
            let shown = crate::diagnostic::quote(name);
            match voxlint::suggest::nearest_or_prefix(name, &Self::ALL.map(Self::name)) {
                Some(near) => format!("{shown} is not a valid level: did you mean `{near}`?"),
                None => format!("{shown} is not a valid level: use off, info, warning or error"),
            }
        })
    }
}
