//! What templates read: a table of the variables, and every place where the name of one is written.

mod names;
mod table;

pub use names::{
    NameGap, NameScope, TemplateName, VariableName, VariableNames, is_odd_variable_name,
    template_names, variable_names,
};
pub use table::{
    TemplateVariable, VariableGap, VariablePlace, VariableReference, VariableTable,
    template_variables,
};
