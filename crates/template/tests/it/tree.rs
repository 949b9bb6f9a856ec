//! The shape of the tree, its spans and its accessors.

use std::fmt::Write as _;

use crate::common::{
    generator::{Random, template},
    stored,
};
use voxlint_template::{NodeKind, SegmentKind, Stage, TemplateNode, parse};

/// The kinds of the tree's nodes, with the text of its leaves.
fn outline(text: &str) -> String {
    fn add<'a>(nodes: impl Iterator<Item = TemplateNode<'a>>, text: &str, outline: &mut String) {
        for node in nodes {
            if !outline.is_empty() && !outline.ends_with('(') {
                outline.push(' ');
            }
            write!(outline, "{:?}", node.kind()).expect("strings grow");
            if node.children().next().is_some() {
                outline.push('(');
                add(node.children(), text, outline);
                outline.push(')');
            } else {
                write!(outline, "`{}`", node.span().of(text)).expect("strings grow");
            }
        }
    }
    let mut outline = String::new();
    add(parse(text).tree.statements(), text, &mut outline);
    outline
}

#[test]
fn trees_have_this_shape() {
    assert_eq!(outline("a{{b}}"), "Text`a` Mustache(Path(Segment`b`))");
    assert_eq!(
        outline("{{f 1 \"s\" k=@a.b}}"),
        "Mustache(Path(Segment`f`) Number`1` String`\"s\"` HashArgument(Key`k` Path(Segment`a` Segment`b`)))"
    );
    assert_eq!(
        outline("{{#if (g x)}}a{{else y}}b{{else}}c{{/if}}"),
        "Block(Opening(Path(Segment`if`) SubExpression(Path(Segment`g`) Path(Segment`x`))) Body(Text`a`) \
         Else(Path(Segment`y`)) Body(Text`b`) Else`{{else}}` Body(Text`c`) \
         Closing(Path(Segment`if`)))"
    );
    assert_eq!(
        outline("{{#each xs as |x i|}}{{/each}}"),
        "Block(Opening(Path(Segment`each`) Path(Segment`xs`) BlockParam`x` BlockParam`i`) Body`` \
         Closing(Path(Segment`each`)))"
    );
    assert_eq!(
        outline("{{{{r}}}} {{x}} {{{{/r}}}}"),
        "RawBlock(Opening(Path(Segment`r`)) Body(Text` {{x}} `) Closing`{{{{/r}}}}`)"
    );
    assert_eq!(
        outline("{{> (f) k=1}}{{!c}}{{*d}}{{^}}"),
        "Partial(SubExpression(Path(Segment`f`)) HashArgument(Key`k` Number`1`)) Comment`{{!c}}` Decorator(Path(Segment`d`))"
    );
}

#[test]
fn the_tree_contains_the_statements_before_the_error() {
    let text = "Hi {{name}} {{#if vip}}dear {{#each xs}}{{x}} {{f (g";
    let tree = parse(text).tree;
    let block = tree.statements().last().expect("the block is there");
    assert!(block.children().all(|node| node.kind() != NodeKind::Closing));
    assert_eq!(block.span().of(text), "{{#if vip}}dear {{#each xs}}{{x}} ");
    assert_eq!(tree.nodes().filter(|node| node.kind() == NodeKind::Mustache).count(), 2);
}

#[test]
fn accessors_return_values() {
    let text = "{{../this.[a \\]b]}}{{@index}}{{f 'it\\'s'}}";
    let tree = parse(text).tree;
    let segments: Vec<_> = tree
        .nodes()
        .filter(|node| node.kind() == NodeKind::Segment)
        .map(|node| (node.segment_kind(text), node.value(text).into_owned()))
        .collect();
    assert_eq!(segments[0], (SegmentKind::Parent, "..".to_owned()));
    assert_eq!(segments[1], (SegmentKind::This, "this".to_owned()));
    assert_eq!(segments[2], (SegmentKind::Name, "a ]b".to_owned()));
    let data: Vec<_> =
        tree.nodes().filter(|node| node.is_data()).map(|node| node.span().of(text)).collect();
    assert_eq!(data, ["@index"]);
    let string =
        tree.nodes().find(|node| node.kind() == NodeKind::String).expect("there is a string");
    assert_eq!(string.value(text), "it's");
}

#[test]
fn text_values_are_unescaped() {
    let text = "a\\{{b}} \\\\{{c}}\\{{d";
    let tree = parse(text).tree;
    let values: Vec<_> = tree
        .statements()
        .filter(|node| node.kind() == NodeKind::Text)
        .map(|node| node.value(text).into_owned())
        .collect();
    assert_eq!(values, ["a", "{{b}} ", "\\", "{{d"]);
}

#[test]
fn spans_nest_without_gaps() {
    let mut random = Random::new(99);
    let generated = (0..5_000).map(|_| template(&mut random));
    for text in stored().into_iter().map(|verdict| verdict.template).chain(generated) {
        let parsed = parse(&text);
        let root = parsed.tree.root().expect("the text is short");
        assert_eq!(root.span().start, 0);
        if parsed.error.as_ref().is_none_or(|error| error.stage == Stage::Precompile) {
            assert_eq!(root.span().end as usize, text.len(), "{text:?}");
        }
        tiles(root, &text);
        for node in parsed.tree.nodes() {
            let mut end = node.span().start;
            for child in node.children() {
                assert!(
                    node.span().contains(child.span()),
                    "{text:?}: {node:?} does not contain {child:?}"
                );
                assert!(child.span().start >= end, "{text:?}: {child:?} overlaps its sibling");
                end = child.span().end;
            }
            let source = text.get(node.span().start as usize..node.span().end as usize);
            assert!(source.is_some(), "{text:?}: {node:?} cuts a character");
            if node.kind() == NodeKind::Body || node.kind().is_block() {
                tiles(node, &text);
            }
        }
    }
}

fn tiles(node: TemplateNode<'_>, text: &str) {
    let mut at = node.span().start;
    for child in node.children() {
        assert_eq!(child.span().start, at, "{text:?}: a gap before {child:?} in {node:?}");
        at = child.span().end;
    }
    let has_children = node.children().next().is_some();
    assert!(
        !has_children || at == node.span().end,
        "{text:?}: {node:?} goes on after its children"
    );
}
