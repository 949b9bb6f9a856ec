//! Semantic tokens of mustaches.

use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Inputs};
use voxlint_ide::{File, TokenKind, tokens};

/// Each token with a letter for its kind.
fn shown(text: &str, format: Format) -> String {
    let inputs = Inputs::new(Document::parse_as(text, format)).kind(DocumentKind::Update);
    let letter = |kind| match kind {
        TokenKind::Delimiter => 'd',
        TokenKind::Keyword => 'k',
        TokenKind::Function => 'f',
        TokenKind::Variable => 'v',
        TokenKind::Parameter => 'p',
        TokenKind::Property => 'a',
        TokenKind::String => 's',
        TokenKind::Number => 'n',
        TokenKind::Comment => 'c',
        TokenKind::Operator => 'o',
    };
    let tokens = tokens(File::new(&inputs));
    let shown = tokens.iter().map(|it| format!("{}:{}", letter(it.kind), it.span.slice(text)));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_part_of_a_mustache_has_its_kind() {
    for (text, expected) in [
        ("Hi {{name}}!", "d:{{ v:name d:}}"),
        ("{{{~ name ~}}}", "d:{{{~ v:name d:~}}}"),
        ("{{customer.name}}", "d:{{ v:customer o:. a:name d:}}"),
        (
            "{{#if vip}}a{{else if b}}b{{else}}c{{/if}}",
            "d:{{# k:if v:vip d:}} d:{{ k:else k:if v:b d:}} d:{{ k:else d:}} d:{{/ k:if d:}}",
        ),
        (
            "{{#each a as |b|}}{{b}}{{b.c}}{{d}}{{../e}}{{@root.f}}{{@index}}{{/each}}{{b}}",
            "d:{{# k:each v:a k:as o:| p:b o:| d:}} d:{{ v:b d:}} d:{{ v:b o:. a:c d:}} d:{{ v:d d:}} \
             d:{{ o:. o:. o:/ v:e d:}} d:{{ o:@ k:root o:. a:f d:}} d:{{ o:@ k:index d:}} d:{{/ k:each d:}} \
             d:{{ v:b d:}}",
        ),
        ("{{#vip}}x{{/vip}}", "d:{{# v:vip d:}} d:{{/ v:vip d:}}"),
        (
            "{{format date (f true) style=\"short\" n=12}}",
            "d:{{ f:format v:date o:( f:f k:true o:) a:style o:= s:\"short\" a:n o:= n:12 d:}}",
        ),
        ("{{! note }}{{!-- a}}b --}}", "c:{{! note }} c:{{!-- a}}b --}}"),
        (
            "{{[first name]}}{{\"a\"}}{{this}}",
            "d:{{ v:[first name] d:}} d:{{ s:\"a\" d:}} d:{{ k:this d:}}",
        ),
        ("\\{{a}} {{{{raw}}}}{{b}}{{{{/raw}}}}", "d:{{{{ v:raw d:}}}} d:{{{{/ v:raw d:}}}}"),
        ("{{> card}}{{^}}", "d:{{> f:card d:}} d:{{^ d:}}"),
    ] {
        assert_eq!(shown(text, Format::Text), expected, "{text}");
    }
}

/// An author sees the rest of the prompt in colour while a tag is half-written.
#[test]
fn tags_behind_a_mistake_have_tokens_by_their_characters() {
    for (text, expected) in [
        (
            "{{a}} {{b\n{{#if c}}{{d.e}}",
            "d:{{ v:a d:}} d:{{ v:b d:{{# k:if v:c d:}} d:{{ v:d o:. a:e d:}}",
        ),
        (
            "{{/if}} {{! x }} {{f \"s\" 12}}",
            "d:{{/ k:if d:}} c:{{! x }} d:{{ f:f s:\"s\" n:12 d:}}",
        ),
        ("{{a} \\{{b}} {{! x", "d:{{ v:a o:} o:\\ c:{{! x"),
    ] {
        assert_eq!(shown(text, Format::Text), expected, "{text}");
    }
}

#[test]
fn tokens_are_bytes_of_the_file() {
    // Escapes belong to the token that they spell a part of.
    assert_eq!(
        shown(r#"{"prompt_text": "{{f \"s\" n\u0061me}}\n{{a}}"}"#, Format::Json),
        r#"d:{{ f:f s:\"s\" v:n\u0061me d:}} d:{{ v:a d:}}"#
    );
    // The indentation of a block is not part of a comment over several lines.
    assert_eq!(
        shown("prompt_text: |\r\n  {{! one\r\n     two }}{{a}}\r\n", Format::Yaml),
        "c:{{! one c:   two }} d:{{ v:a d:}}"
    );
    assert_eq!(
        shown("prompt_text: >\n  {{#if\n  a}}{{/if}}\n", Format::Yaml),
        "d:{{# k:if v:a d:}} d:{{/ k:if d:}}"
    );
    assert_eq!(shown("prompt_text: '{{f ''s''}}'\n", Format::Yaml), "d:{{ f:f s:''s'' d:}}");
    assert_eq!(
        shown("prompt_text = \"\"\"\n{{! a \\\n   b }}{{c}}\"\"\"\n", Format::Toml),
        "c:{{! a  c:b }} d:{{ v:c d:}}"
    );
    // Text that two names refer to has its tokens once, and other texts have none.
    assert_eq!(
        shown("prompt_text: &p '{{a}}'\nwelcome_message: *p\ntitle: '{{b}}'\n", Format::Yaml),
        "d:{{ v:a d:}}"
    );
}
