//! The template parser has its own table of invisible characters, because it does not depend on `voxlint-syntax`.

use voxlint::syntax::Invisible;

#[test]
fn templates_and_documents_escape_the_same_characters() {
    let is_quote = |character: &char| ('\u{2018}'..='\u{201f}').contains(character);
    let characters: Vec<char> = ('\u{a0}'..='\u{1ffff}')
        .chain('\u{e0000}'..='\u{e1000}')
        .filter(|character| !is_quote(character))
        .collect();
    for characters in characters.chunks(16) {
        let text: String = characters.iter().collect();
        let template = format!("{{{{x \"a{text}b}}}}");
        let parsed = voxlint_template::parse(&template);
        let message = parsed.error.expect("an error").describe(&template).message;
        let escaped: String = characters
            .iter()
            .map(|character| match Invisible::of(*character) {
                Some(Invisible::Space | Invisible::Hidden) => {
                    character.escape_unicode().to_string()
                }
                _ => character.to_string(),
            })
            .collect();
        assert!(message.contains(&format!("a{escaped}b")), "{message}");
    }
}
