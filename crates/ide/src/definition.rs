//! Where an id is listed in the facts.

use voxlint::schema::{Catalogue, Role, facts};
use voxlint::syntax::{Kind, Node, Span};

use crate::File;
use crate::cursor::{At, Cursor, boundary};
use crate::slot::What;

/// The place in the facts of the id at an offset, such as a voice, a phone number or a knowledge base.
///
/// ```
/// use voxlint::{Document, Facts, Inputs};
/// use voxlint_ide::{File, id_in_facts};
///
/// let facts = r#"{ "transcribers": { "tr_a": {} } }"#;
/// let text = r#"{ "version_number": 3, "transcriber_id": "tr_a" }"#;
/// let inputs = Inputs::new(Document::parse(text)).facts(Facts::new(Document::parse(facts)));
/// let place = id_in_facts(File::new(&inputs), text.find("tr_a").unwrap() as u32).expect("an id");
/// assert_eq!(place.slice(facts), "\"tr_a\"");
/// ```
pub fn id_in_facts(file: File<'_>, offset: u32) -> Option<Span> {
    let text = file.text();
    let offset = boundary(text, offset);
    let cursor = Cursor::under(file.document().tree(), file.document().format(), offset);
    let At::Value(value) = &cursor.at else { return None };
    let What::Text(shape) = file.slot(file.kind(), &cursor.path)?.what else { return None };
    let Role::Id(catalogue) = shape.role else { return None };
    let id = value.inner.slice(text);
    let root = file.inputs.known_facts()?.document().tree().root()?;
    let is_it = |node: &Node<'_>| node.as_str().is_some_and(|text| text == id);
    if catalogue == Catalogue::VoiceModels {
        let voices = root.get(facts::voices.row.name)?.members();
        let models = voices.filter_map(|voice| voice.value.get(facts::voice::models.row.name));
        return models.flat_map(Node::elements).find(is_it).map(Node::span);
    }
    let list = root.get(catalogue.fact()?.name)?;
    match list.kind() {
        Kind::Object => list.get(id)?.name().map(Node::span),
        _ => list.elements().find(is_it).map(Node::span),
    }
}
