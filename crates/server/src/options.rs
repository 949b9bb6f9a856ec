//! How a server is started, and how it ends.

use voxlint_project::ConfigurationSource;

/// What the program that starts the server decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Where the configuration of a file comes from, unless the editor names one.
    pub configuration: ConfigurationSource,
    /// The address of the documentation, for links to the pages of rules.
    pub documentation: Option<String>,
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client has asked for it, with `shutdown` and then `exit`.
    Regularly,
    /// The client has gone, or has sent `exit` without `shutdown`.
    Early,
}
