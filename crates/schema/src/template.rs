//! A text in a file of its own, usually the prompt.

use crate::table::table;
use crate::{Role, Spec, Text, UnknownFields, string};

table! {
    /// A text in a file of its own. The file has no fields. This row describes all of it.
    pub static TABLE: "a template", UnknownFields::Allow;

    "2.3 Prompts and conversation" {
        /// A Handlebars template, from the first character of the file to the last.
        template: Text = string().role(Role::Prompt);
    }
}
