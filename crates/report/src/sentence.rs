//! A finding on one line, for people.

use std::fmt::Write as _;

use voxlint::{Diagnostic, Origin};

use crate::CheckedDocument;
use crate::escape::escape_terminal;
use crate::full::elsewhere;
use crate::places::{Place, Places};

/// Where in the document a finding stands, and what is wrong there as it may be shown. The line always has a place in the
/// document, because that is what tells editors that it is a finding; what lies in another file is told in words.
pub(crate) fn sentence(
    checked: &CheckedDocument<'_>,
    places: &Places<'_>,
    diagnostic: &Diagnostic,
) -> (Place, String) {
    let mut message = escape_terminal(&diagnostic.message).into_owned();
    let Some(input) = elsewhere(diagnostic.origin) else {
        return (places.place(places.range(diagnostic.span).start), message);
    };
    // Writing to a string cannot fail.
    let _ = match checked.input(diagnostic.origin) {
        Some(partner) => {
            let places = Places::new(partner.text);
            let place = places.place(places.range(diagnostic.span).start);
            let path = escape_terminal(partner.path);
            // The path of a text file says enough.
            let input = match diagnostic.origin {
                Origin::Text(_) => String::new(),
                _ => format!("{input}, "),
            };
            write!(message, " (in {input}{path}:{}:{})", place.line, place.column)
        }
        None => write!(message, " (in {input}, at {})", escape_terminal(&diagnostic.field)),
    };
    (places.place(0), message)
}
