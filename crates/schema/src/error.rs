//! The body of an error response (section 7).

use crate::table::table;
use crate::{Number, Spec, Text, UnknownFields};
use crate::{number, string, string_or_strings};

/// The statuses of error responses and their reason phrases.
pub const STATUSES: [(u16, &str); 7] = [
    (400, "Bad Request"),
    (401, "Unauthorized"),
    (403, "Forbidden"),
    (404, "Not Found"),
    (409, "Conflict"),
    (429, "Too Many Requests"),
    (500, "Internal Server Error"),
];

/// The reason phrase of an error status; `None` if the service does not use the status.
///
/// ```
/// assert_eq!(voxlint_schema::error::reason_phrase(429), Some("Too Many Requests"));
/// assert_eq!(voxlint_schema::error::reason_phrase(418), None);
/// ```
pub fn reason_phrase(status: u16) -> Option<&'static str> {
    STATUSES.iter().find(|(known, _)| *known == status).map(|(_, phrase)| *phrase)
}

table! {
    /// The body of a response other than 200.
    pub static TABLE: "an error body", UnknownFields::Warn;

    "7" {
        /// The HTTP status.
        statusCode: Number = number().whole().required();
        /// What is wrong, as one text or several.
        message: Text = string_or_strings().required();
        /// The reason phrase of the status.
        error: Text = string().required();
    }
}
