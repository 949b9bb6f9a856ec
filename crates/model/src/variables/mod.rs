//! The variables of templates: where they are used, what they mean there, and which of them are known.

pub mod flow;
pub mod known;
pub mod mentions;
pub mod oddity;
pub mod placeholder;
pub mod scope;

pub use flow::GapCause;
pub use flow::{FlowUse, FlowVariable, VariableFlow};
pub use known::KnownVariables;
pub use known::{SERVICE_VARIABLES, VariableSource};
pub use oddity::odd_name;
pub use scope::TemplateVariables;
pub use scope::VariableRole;
