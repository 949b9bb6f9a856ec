//! Parsing and rendering of templates.

use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Inputs, check, render, template_names};
use voxlint_template::{NodeKind, TemplateNode, TemplateSpan, further_errors, parse};

/// Holds if every node and every error of a template is inside its text, and templates without errors can be rendered.
pub fn templates(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse(&text);
    let mut last = 0;
    for statement in parsed.tree.statements() {
        assert!(statement.span().start >= last, "{statement:?} begins before {last}");
        last = statement.span().end;
        sound(&text, statement);
    }
    if let Some(error) = &parsed.error {
        let related = error.related.map(|(span, _)| span);
        for span in [Some(error.span), Some(error.tag), related].into_iter().flatten() {
            inside(&text, span);
        }
        let description = error.describe(&text);
        for words in [&description.message, &description.help] {
            assert!(!words.is_empty() && !words.contains('\n'), "{description:?}");
        }
    }
    for error in further_errors(&text) {
        inside(&text, error.span);
    }
    for name in template_names(&text, &parsed) {
        assert!(text.get(name.span.start as usize..name.span.end as usize).is_some(), "{name:?}");
    }
    let document = Document::parse_as(&*text, Format::Text);
    let inputs = Inputs::new(document).kind(DocumentKind::Template);
    let report = check(&inputs);
    let is_rejected = report.diagnostics.iter().any(|it| &*it.rule.id == "template-syntax-error");
    assert_eq!(is_rejected, parsed.error.is_some(), "{:?}", parsed.error);
    render(&inputs, None);
}

fn sound(text: &str, root: TemplateNode<'_>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        inside(text, node.span());
        for child in node.children() {
            let (inner, outer) = (child.span(), node.span());
            let is_inside = outer.start <= inner.start && inner.end <= outer.end;
            assert!(is_inside, "{child:?} extends beyond {node:?}");
            open.push(child);
        }
        if node.kind() == NodeKind::Segment {
            let _ = node.value(text);
        }
    }
}

fn inside(text: &str, span: TemplateSpan) {
    assert!(
        text.get(span.start as usize..span.end as usize).is_some(),
        "{span:?} is not inside the text"
    );
}
