//! What a rule has read.

/// What a rule has read, with one bit per row. Tables have fewer rows than a set has bits, which the compiler checks where tables
/// are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accessed {
    /// Settings of the effective configuration.
    pub settings: u128,
    /// Settings that were read from the stored configuration, whatever the document contains.
    pub stored: u128,
    /// Settings that were read from the document, whatever is stored.
    pub written: u128,
    /// Fields of the agent.
    pub agent: u128,
    /// Facts about the workspace.
    pub facts: u128,
}
