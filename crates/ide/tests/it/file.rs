use voxlint::syntax::Format;
use voxlint::{Document, Facts, Inputs, Origin, Stored, TextFile, schema::settings};
use voxlint_ide::File;

#[test]
fn a_file_is_the_text_of_its_origin() {
    let text = TextFile::new(settings::prompt_text.row, Document::parse_as("t", Format::Text));
    let inputs = Inputs::new(Document::parse("{}"))
        .stored(Stored::new(Document::parse("{ }")))
        .facts(Facts::new(Document::parse("{  }")))
        .texts([text]);
    let text = |origin| File { inputs: &inputs, origin }.text();
    assert_eq!(text(Origin::Document), "{}");
    assert_eq!(text(Origin::Stored), "{ }");
    assert_eq!(text(Origin::Facts), "{  }");
    assert_eq!(text(Origin::Text(0)), "t");
    assert_eq!(text(Origin::Text(1)), "{}");
}
