use std::fmt;
use std::str::FromStr;

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Strict JSON (RFC 8259).
    Json,
    /// Plain text: the whole file is one string.
    Text,
    /// TOML 1.0 and 1.1. A table is an object. Dates, `inf` and `nan` are errors, because JSON does not have them.
    #[cfg(feature = "toml")]
    Toml,
    /// JSON with comments (`//` and `/* */`) and trailing commas.
    Jsonc,
    /// YAML 1.2 with its core schema (specification, chapter 10.3) and merge keys (`<<`), as far as JSON can represent it.
    #[cfg(feature = "yaml")]
    Yaml,
}

impl Format {
    /// Whether the format is YAML. Never true without the feature `yaml`.
    pub fn is_yaml(self) -> bool {
        self.name() == "yaml"
    }

    /// Whether the format is TOML. Never true without the feature `toml`.
    pub fn is_toml(self) -> bool {
        self.name() == "toml"
    }

    /// Every format that the enabled features can read.
    pub const ALL: &[Self] = &[
        Self::Json,
        Self::Text,
        #[cfg(feature = "toml")]
        Self::Toml,
        Self::Jsonc,
        #[cfg(feature = "yaml")]
        Self::Yaml,
    ];

    /// The name of the format, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            #[cfg(feature = "toml")]
            Self::Toml => "toml",
            Self::Jsonc => "jsonc",
            #[cfg(feature = "yaml")]
            Self::Yaml => "yaml",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let format = Self::ALL.iter().copied().find(|format| format.name() == name);
        format.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A text that is not the name of a [`Format`], or one of a format whose feature is not enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        write!(
            formatter,
            "`{}` is not a format of documents; allowed: {}",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownFormat {}
