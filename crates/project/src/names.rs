//! The names of files and folders that mean something everywhere.

/// The name of a configuration file.
pub const CONFIGURATION_NAME: &str = "voxlint.toml";

/// Is in the root of a repository. git never commits a folder of this name.
pub(crate) const GIT: &str = ".git";

/// Is in the root of a repository if no folder above is one: git commits a folder of this name like any other, and it must not cut
/// the settings of the repository off.
pub(crate) const JJ: &str = ".jj";
