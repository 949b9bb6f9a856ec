//! The variables of templates: where they are used, what they mean there, and which of them are known.

pub(crate) mod flow;
pub(crate) mod known;
pub(crate) mod mentions;
pub(crate) mod names;
pub(crate) mod oddity;
pub(crate) mod placeholder;
pub(crate) mod scope;
pub(crate) mod table;

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
pub(crate) use flow::{FlowUse, FlowVariable, VariableFlow};
pub(crate) use known::KnownVariables;
pub use known::{SERVICE_VARIABLES, VariableSource};
pub use names::{
    NameGap, NameScope, TemplateName, VariableName, VariableNames, is_odd_variable_name,
    template_names, variable_names,
};
pub(crate) use oddity::odd_name;
pub(crate) use scope::TemplateVariables;
pub use scope::VariableRole;
pub use table::{
    TemplateVariable, VariableGap, VariablePlace, VariableReference, VariableTable,
    template_variables,
};
