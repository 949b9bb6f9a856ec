//! The variables of templates: where they are used, what they mean there, and which of them are known.

pub mod flow;
pub mod known;
pub mod mentions;
pub mod oddity;
pub mod placeholder;
pub mod scope;

/// What tells most names apart without comparing all their letters: the length and the first ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn of(name: &str) -> Self {
        let first = match name.as_bytes().first_chunk::<8>() {
            Some(first) => u64::from_le_bytes(*first),
            None => name.bytes().fold(0, |all, byte| all << 8 | u64::from(byte)),
        };
        // The first letter of a long name is the one that tells the least.
        Self(first << 8 | name.len().min(0xff) as u64)
    }
}

pub use flow::GapCause;
pub use flow::{FlowUse, FlowVariable, VariableFlow};
pub use known::KnownVariables;
pub use known::{SERVICE_VARIABLES, VariableSource};
pub use oddity::odd_name;
pub use scope::TemplateVariables;
pub use scope::VariableRole;
