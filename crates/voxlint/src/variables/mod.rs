//! The variables of templates: where they are used, what they mean there, and which of them are known.

pub(crate) mod flow;
pub(crate) mod known;
pub(crate) mod oddity;
pub(crate) mod placeholder;
pub(crate) mod scope;
pub(crate) mod table;

pub(crate) use flow::{FlowUse, FlowVariable, VariableFlow};
pub(crate) use known::KnownVariables;
pub use known::VariableSource;
pub(crate) use oddity::odd_name;
pub(crate) use scope::TemplateVariables;
pub use scope::VariableRole;
pub use table::{
    TemplateVariable, VariablePlace, VariableReference, VariableTable, template_variables,
};
