//! Answers to the requests of editors.

use voxlint::Origin;
use voxlint::syntax::Span;
use voxlint_ide::{
    CompletionOptions, File, complete, hover, name_at, occurrences, rename, symbols, tokens,
};

use crate::texts::Texts;

/// Holds if answers about a position in a text are inside the text. The last text of the input selects the position.
pub fn editors(bytes: &[u8]) {
    let mut texts = Texts::new(bytes);
    let inputs = texts.inputs();
    let place =
        texts.next().iter().fold(0_usize, |all, byte| all % 0xffff * 31 + usize::from(*byte));
    let file = File::new(&inputs);
    let text = file.text();
    let offset = (place % (text.len() + 2)) as u32;
    let inside = |span: Span, what: &str| {
        let range = span.start as usize..span.end as usize;
        assert!(text.get(range).is_some(), "{what} at {span:?} is not inside the text");
    };
    for symbol in symbols(file.document()) {
        inside(symbol.span, "a symbol");
    }
    let tokens = tokens(file);
    for token in &tokens {
        inside(token.span, "a token");
    }
    assert!(tokens.is_sorted_by(|a, b| a.span.end <= b.span.start), "{tokens:?}");
    if let Some(hover) = hover(file, offset) {
        inside(hover.span, "a hover");
    }
    for completion in complete(file, offset, CompletionOptions::default()) {
        for edit in completion.additional.iter().chain([&completion.edit]) {
            inside(edit.span, "a completion");
        }
    }
    if let Some((name, span)) = name_at(file, offset) {
        inside(span, "a name");
        for place in occurrences(&inputs, &name) {
            if place.origin == Origin::Document {
                inside(place.span, "an occurrence");
            }
        }
        let _ = rename(&inputs, &name, "renamed");
    }
}
