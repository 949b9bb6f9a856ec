//! A text that is kept in a file of its own: the prompt, most often.

use crate::table::table;
use crate::{Extra, Role, Spec, Text, string};

table! {
    /// A text in a file of its own. The file has no members: this row describes all of it.
    pub static TABLE: "a template", Extra::Free;

    "2.3 Prompts and conversation" {
        /// A Handlebars template, from the first character of the file to the last.
        template: Text = string().role(Role::Prompt);
    }
}
