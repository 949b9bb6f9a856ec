//! Folding ranges.

use voxlint::Document;
use voxlint::syntax::{Format, Kind, LineIndex, Node, NodeId, Span};
use voxlint_template::{NodeKind, TemplateNode, TemplateSpan};

use crate::templates::templates;

/// A part of a document that an editor can fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoldingRange {
    /// From the line that stays visible to the last line that is hidden: the line with a closing bracket, tag or `else` is not part of
    /// it.
    pub span: Span,
    /// What it is.
    pub kind: FoldingKind,
}

/// What a [`FoldingRange`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FoldingKind {
    /// An object.
    Object,
    /// A list.
    List,
    /// A text of several lines.
    Text,
    /// A comment of several lines.
    Comment,
    /// A block of a template, or one of its branches.
    Block,
}

/// The parts of a document that can be folded, in the order of the text. Each spans several lines.
///
/// ```
/// use voxlint::Document;
/// use voxlint_ide::folding_ranges;
///
/// let text = "{\n  \"tags\": [\n    1\n  ]\n}";
/// let ranges = folding_ranges(&Document::parse(text));
/// let ranges: Vec<_> = ranges.iter().map(|range| range.span.slice(text)).collect();
/// assert_eq!(ranges, ["{\n  \"tags\": [\n    1\n  ]", "\"tags\": [\n    1"]);
/// ```
pub fn folding_ranges(document: &Document) -> Vec<FoldingRange> {
    let text = document.text();
    let mut ranges: Vec<FoldingRange> = document
        .tree()
        .nodes()
        .filter_map(|node| of_value(node, text, document.format()))
        .collect();
    for template in templates(document) {
        let to_source = |span: TemplateSpan| template.text.to_source(span.range());
        let blocks = template.parsed.tree.nodes().filter(|node| node.kind().is_block());
        for branch in blocks.flat_map(TemplateNode::branches) {
            let body = branch.body.span().of(template.text.as_str());
            let end = branch.body.span().start as usize + body.trim_end().len();
            let end = template.text.to_source(end..end).start;
            let start = to_source(branch.tag.span()).start;
            ranges.push(FoldingRange { span: Span::new(start, end), kind: FoldingKind::Block });
        }
        for comment in template.parsed.tree.nodes().filter(|it| it.kind() == NodeKind::Comment) {
            let span = to_source(comment.span());
            ranges.push(FoldingRange { span, kind: FoldingKind::Comment });
        }
    }
    // A file may have many documents, and each has the whole text.
    let extent = document.extent();
    let lines = LineIndex::new(extent.slice(text));
    let line_of = |offset: u32| lines.line_of(offset.saturating_sub(extent.start));
    comments(document, &lines, &mut ranges);
    ranges.retain(|range| {
        let Span { start, end } = range.span;
        start < end && line_of(start) < line_of(end)
    });
    ranges.sort_unstable_by_key(|range| (range.span.start, u32::MAX - range.span.end, range.kind));
    ranges.dedup();
    ranges
}

fn of_value(node: Node<'_>, text: &str, format: Format) -> Option<FoldingRange> {
    let kind = match node.kind() {
        Kind::Object => FoldingKind::Object,
        Kind::Array => FoldingKind::List,
        // The text of a file of its own is the whole file.
        Kind::String if format != Format::Text => FoldingKind::Text,
        _ => return None,
    };
    // A document without brackets is folded field by field, and tables of TOML one by one.
    let is_root = node.id() == NodeId::default();
    if node.is_block() && (is_root || kind == FoldingKind::List && format.is_toml()) {
        return None;
    }
    let span = node.span();
    // The value of an alias is elsewhere, where it is folded.
    let start = match node.name().map(Node::span) {
        Some(key) if span.start < key.end => return None,
        Some(key) => key.start,
        None => span.start,
    };
    let source = span.slice(text).trim_end();
    let is_text = kind == FoldingKind::Text;
    let inner = source.strip_suffix(['}', ']']).filter(|_| !is_text && !node.is_block());
    let end = inner.unwrap_or(source).trim_end().len() as u32;
    Some(FoldingRange { span: Span::new(start, span.start + end), kind })
}

/// Adds the comments: those in a row that each have a line, and those that go over several lines. `lines` are those of the extent.
fn comments(document: &Document, lines: &LineIndex, ranges: &mut Vec<FoldingRange>) {
    let format = document.format();
    let marker = match format.name() {
        "jsonc" => "//",
        "yaml" | "toml" => "#",
        _ => return,
    };
    let extent = document.extent();
    let text = extent.slice(document.text());
    let mut values: Vec<Span> = document
        .tree()
        .nodes()
        .filter(|node| !matches!(node.kind(), Kind::Object | Kind::Array))
        .map(Node::span)
        .collect();
    values.sort_unstable();
    let is_inside = |at: u32| {
        let at = at + extent.start;
        let after = values.partition_point(|value| value.start < at);
        let before = after.checked_sub(1).and_then(|index| values.get(index));
        before.is_some_and(|value| at < value.end)
    };
    let mut row: Option<Span> = None;
    // The end of the last comment between `/*` and `*/`.
    let mut end = 0;
    let mut has_end = true;
    let mut push = |span: Span| {
        let span = Span::new(span.start + extent.start, span.end + extent.start);
        ranges.push(FoldingRange { span, kind: FoldingKind::Comment });
    };
    for line in 1..=lines.line_count() {
        let Some(span) = lines.line_span(text, line) else { continue };
        let source = span.slice(text);
        let words = source.trim();
        let start = span.start + (source.len() - source.trim_start().len()) as u32;
        let is_free = start >= end && !is_inside(start);
        if is_free && words.starts_with(marker) {
            let whole = Span::new(start, start + words.len() as u32);
            row = Some(row.map_or(whole, |row| row.cover(whole)));
            continue;
        }
        row.take().into_iter().for_each(&mut push);
        if is_free && has_end && format == Format::Jsonc && words.starts_with("/*") {
            let behind = text.get(start as usize..).unwrap_or_default();
            match behind.find("*/") {
                Some(length) => {
                    end = start + length as u32 + 2;
                    push(Span::new(start, end));
                }
                None => has_end = false,
            }
        }
    }
    row.into_iter().for_each(push);
}
