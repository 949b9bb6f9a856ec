//! Counts what fixes have solved.

use std::collections::BTreeMap;

use voxlint_model::{Diagnostic, Origin};
use voxlint_syntax::Span;

/// How many of the findings of a document are gone after its fixes: a rule has found something at a place, and finds less
/// there now. Each counts as often as [`Diagnostic::count`] says.
///
/// `place` is where something in an input after the fixes was before, as [`Composition::origin`](super::Composition::origin)
/// says.
///
/// ```
/// use voxlint::fixes::solved;
/// use voxlint::{check_text, syntax::Span};
///
/// let before = check_text(r#"{ "version_number": 3, "titel": "a", "promt_text": "b" }"#);
/// let after = check_text(r#"{ "version_number": 3, "titel": "a" }"#);
/// assert_eq!(solved(&before.diagnostics, &after.diagnostics, |_, span: Span| span), 1);
/// ```
pub fn solved(
    before: &[Diagnostic],
    after: &[Diagnostic],
    place: impl Fn(Origin, Span) -> Span,
) -> u32 {
    let mut left: BTreeMap<(&str, Origin, u32), u32> = BTreeMap::new();
    for found in after {
        let start = place(found.origin, found.span).start;
        *left.entry((&found.rule.id, found.origin, start)).or_default() += found.count;
    }
    let mut gone = 0;
    for found in before {
        let key = (&*found.rule.id, found.origin, found.span.start);
        let mut none = 0;
        let left = left.get_mut(&key).unwrap_or(&mut none);
        let stays = found.count.min(*left);
        *left -= stays;
        gone += found.count - stays;
    }
    gone
}
