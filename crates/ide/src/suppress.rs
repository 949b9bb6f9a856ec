use voxlint::{Diagnostic, TextEdit};

use crate::File;

/// The edits that suppress a finding of a text at its place, with a reason; `None` if the format has no comments.
pub fn suppress_edits(
    _file: File<'_>,
    _found: &Diagnostic,
    _reason: &str,
) -> Option<Vec<TextEdit>> {
    None
}
