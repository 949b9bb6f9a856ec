use std::fmt;

/// A text that is not the name of any value of an enum.
///
/// ```
/// use voxlint_schema::DocumentKind;
///
/// let error = "upadte".parse::<DocumentKind>().expect_err("a misspelled name");
/// assert_eq!(error.given(), "upadte");
/// assert!(error.to_string().starts_with("`upadte` is not a kind of document; allowed: update, settings"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    given: String,
    allowed: Vec<&'static str>,
}

impl UnknownName {
    /// An unknown name. `what` is the noun for the names, with its article.
    pub fn new(
        what: &'static str,
        given: impl Into<String>,
        allowed: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self { what, given: given.into(), allowed: allowed.into_iter().collect() }
    }

    /// The text that was given.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The names that are allowed.
    pub fn allowed(&self) -> &[&'static str] {
        &self.allowed
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, given, allowed } = self;
        write!(formatter, "`{given}` is not {what}; allowed: {}", allowed.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// Gives the values of an enum their names: `ALL`, `name`, `Display` and `FromStr`. A value may need a feature, in brackets before it.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal: $($([$feature:literal])? $variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// Every value, in the order of their declaration.
            pub const ALL: [Self; [$($(#[cfg(feature = $feature)])? $name),+].len()] =
                [$($(#[cfg(feature = $feature)])? Self::$variant),+];

            /// The name that the command line and the reports use.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$variant => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> ::std::result::Result<Self, Self::Err> {
                let value = Self::ALL.into_iter().find(|value| value.name() == name);
                value.ok_or_else(|| {
                    $crate::UnknownName::new($what, name, Self::ALL.map(Self::name))
                })
            }
        }
    };
}
