//! Complete documents in eight languages whose texts, functions, numbers and languages agree.

use std::fs;

use voxlint::syntax::Format;
use voxlint::{Document, Group, Inputs, check};
use voxlint_testing::files_below;

#[test]
fn nothing_that_callers_hear_is_reported_in_clean_documents_of_eight_languages() {
    let files = files_below("fixtures/heard-clean", "json");
    assert!(files.len() >= 8, "{files:?}");
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let report = check(&Inputs::new(Document::parse_as(&*text, Format::Json)));
        let heard = report.diagnostics.iter().filter(|it| it.rule.group == Group::Heard);
        let found: Vec<_> = heard.map(|it| (it.rule.id.to_string(), &it.message)).collect();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}
