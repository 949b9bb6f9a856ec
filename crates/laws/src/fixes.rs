//! Fixes.

use voxlint::Safety;
use voxlint::fixes::fix;
use voxlint::syntax::edit::apply;

use crate::texts::Texts;

/// Holds if the edits of fixes produce the fixed text, and a complete run leaves nothing to fix.
pub fn fixes(bytes: &[u8]) {
    let mut texts = Texts::new(bytes);
    let safety = [Safety::Safe, Safety::Unsafe][texts.choose(2)];
    let inputs = texts.inputs();
    let fixed = fix(&inputs, safety, &mut |report, _| report);
    let (before, after) = (inputs.document().text(), fixed.inputs.document().text());
    let edited = apply(before, &fixed.edits).expect("edits of the text");
    assert_eq!(String::from_utf8(edited).as_deref(), Ok(after), "{:#?}", fixed.applied);
    assert_eq!(fixed.rounds == 0, fixed.applied.is_empty());
    if fixed.is_complete {
        let again = fix(&fixed.inputs, safety, &mut |report, _| report);
        assert!(again.applied.is_empty(), "{before}\n{after}\n{:#?}", again.applied);
        assert_eq!(again.report, fixed.report);
    }
}
