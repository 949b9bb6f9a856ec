use voxlint_model::json;
use voxlint_model::place::Part;

use crate::prelude::*;

rule! {
    /// A `#` cuts off the rest of a YAML text.
    ///
    /// In text without quotes, a space and a `#` begin a comment: of `prompt_text: Press #1 for sales` only `Press` is sent.
    /// voxlint warns where the `#` is followed by a character other than a space (`#1`, `#sales`), and where the text before
    /// it stops in the middle of a sentence (`Press # to go back`). It does not warn about other comments, such as
    /// `title: Claims # the evening team`, nor about `#TODO`. Fields that hold an id or one of a few values are not checked.
    ///
    /// ```yaml,advice
    /// version_number: 3
    /// prompt_text: Press #1 for sales
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Press #1 for sales" }
    /// ```
    "yaml-comment-cuts-text": Document {
        group: Suspicious,
        basis: Inferred("The service never sees YAML, and a comment is not sent."),
        section: "1",
        fix: Unsafe("Puts the text and the comment after it in quotes, as one text."),
    }
}

/// Words that cannot end a sentence.
const UNFINISHED: [&str; 16] = [
    "press", "hit", "dial", "enter", "push", "tap", "type", "say", "the", "a", "or", "and", "then",
    "by", "with", "to",
];

/// Words that begin a comment, with or without a space before them.
const COMMENT_WORDS: [&str; 6] = ["todo", "fixme", "xxx", "note", "noqa", "voxlint"];

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    if !document.format().is_yaml() || !kind.is_sent() {
        return Verdicts::none();
    }
    document.tree().nodes().filter(|node| may_be_cut(*node)).map(check_text).collect()
}

/// Whether a node is text without quotes, other than an id or one of a few allowed values.
fn may_be_cut(node: Node<'_>) -> bool {
    if node.kind() != Kind::String || !node.is_plain() || node.is_faulty() {
        return false;
    }
    is_free_text(node)
}

/// Whether a node is not an id or one of a few allowed values.
pub(super) fn is_free_text(node: Node<'_>) -> bool {
    let row = node.name().and_then(Node::as_str).and_then(|name| settings::TABLE.row(&name));
    match row.map(|row| row.shape) {
        Some(Shape::Text(text)) => text.choices.is_empty() && !matches!(text.role, Role::Id(_)),
        Some(_) => false,
        None => true,
    }
}

fn check_text(node: Node<'_>) -> Verdict {
    let after = node.tree().text().get(node.span().end as usize..).unwrap_or_default();
    if !after.trim_start_matches([' ', '\t']).starts_with('#') {
        // Many values may share a line, so its rest is not read for each.
        return Verdict::Holds;
    }
    let rest = node.rest_of_line();
    let comment = rest.trim_start_matches([' ', '\t']);
    let said = comment.trim_start_matches('#');
    let next = said.chars().next();
    if !comment.starts_with('#') || comment.len() == rest.len() || next.is_none() {
        return Verdict::Holds;
    }
    let is_comment = COMMENT_WORDS.iter().any(|mark| {
        said.trim_start().get(..mark.len()).is_some_and(|word| word.eq_ignore_ascii_case(mark))
    });
    let last = node.source().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_unfinished = UNFINISHED.iter().any(|word| last.eq_ignore_ascii_case(word));
    let is_text = !said.starts_with([' ', '\t', '!']) && comment.len() - said.len() == 1;
    if is_comment || !(is_text || is_unfinished) {
        return Verdict::Holds;
    }
    let start = node.span().end + (rest.len() - comment.len()) as u32;
    let whole = format!("{}{}", node.source(), rest.trim_end());
    let line = Part::Bytes(Span::new(node.span().start, node.span().start + whole.len() as u32));
    let fix = (!whole.contains('\n')).then(|| {
        ProposedFix::replace(
            "put the whole text in quotes",
            Safety::Unsafe,
            Place { part: line, ..Place::of(Origin::Document, node) },
            Replacement::Literal(format!("\"{}\"", json::escaped(&whole))),
        )
    });
    let finding = Finding::new(
        Place::bytes(Span::new(start, start + 1)),
        "the `#` begins a comment, so the rest of this line is not part of the text",
    )
    .about_value(Place::of(Origin::Document, node))
    .label("a comment from here on")
    .help(if is_text {
        "put the whole text in quotes, or write a space after the `#` if it is a comment"
    } else {
        "put the whole text in quotes"
    });
    finding.fix(fix).advice()
}
