//! The body of a refusal (section 7).

use crate::table::table;
use crate::{Extra, Number, Spec, Text};
use crate::{number, string, string_or_strings};

table! {
    /// The body of an answer other than 200.
    pub static TABLE: "an error body", Extra::Remarkable;

    "7" {
        /// The HTTP status.
        statusCode: Number = number().whole().required();
        /// What is wrong, as one text or several.
        message: Text = string_or_strings().required();
        /// The reason phrase of the status.
        error: Text = string().required();
    }
}
