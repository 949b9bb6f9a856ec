//! Selection ranges.

use std::ops::Range;

use voxlint::syntax::{Kind, Node, Span};
use voxlint_template::ParsedTemplate;

use crate::File;
use crate::templates::template_at;

/// The number of ranges from the innermost one on. Editors read them as nested objects, and templates may be nested without limit.
const MAX_RANGES: usize = 200;

/// The parts of a text around an offset, the innermost first: the word, the parts of a mustache, the line, the text, the value, the
/// field, the object that it is in, and so on to the whole text. Each contains the one before and is longer.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{File, selection_ranges};
///
/// let text = r#"{ "welcome_message": "Hello {{name}}" }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// let ranges = selection_ranges(File::new(&inputs), text.find("name").unwrap() as u32);
/// let ranges: Vec<_> = ranges.iter().map(|range| range.slice(text)).collect();
/// assert_eq!(
///     ranges,
///     [
///         "name",
///         "{{name}}",
///         "Hello {{name}}",
///         r#""Hello {{name}}""#,
///         r#""welcome_message": "Hello {{name}}""#,
///         text
///     ]
/// );
/// ```
pub fn selection_ranges(file: File<'_>, offset: u32) -> Vec<Span> {
    let source = file.text();
    let mut offset = (offset as usize).min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    let offset = offset as u32;
    let touches = |span: Span| span.start <= offset && offset <= span.end;
    let mut spans = Vec::new();
    let mut leaf: Option<Node<'_>> = None;
    for node in file.document().tree().nodes() {
        let span = node.span();
        if let Some(key) = node.name().filter(|key| key.span().end <= span.start) {
            spans.push(key.span().cover(span));
        }
        if !touches(span) {
            continue;
        }
        spans.push(span);
        let is_leaf = !matches!(node.kind(), Kind::Object | Kind::Array);
        // Between two values, the one that begins there.
        if is_leaf && leaf.is_none_or(|leaf| leaf.span().end <= span.start) {
            leaf = Some(node);
        }
    }
    if let Some((leaf, text)) = leaf.and_then(|leaf| Some((leaf, leaf.text()?))) {
        let at = text.to_decoded(offset);
        let mut ranges = vec![0..text.as_str().len(), line(text.as_str(), at)];
        ranges.extend(word(text.as_str(), at));
        let template = template_at(file.document(), leaf);
        ranges.extend(template.iter().flat_map(|it| nodes(&it.parsed, at)));
        // The last line break of a block of YAML is behind the value.
        let value = leaf.span();
        spans.extend(ranges.into_iter().map(|range| {
            let Span { start, end } = text.to_source(range);
            Span::new(start.clamp(value.start, value.end), end.clamp(value.start, value.end))
        }));
    }
    spans.retain(|span| touches(*span) && !span.is_empty());
    spans.sort_by_key(|span| (span.len(), span.start));
    let mut nested: Vec<Span> = Vec::new();
    for span in spans {
        let is_wider = |last: &Span| span.contains(*last) && span != *last;
        if nested.len() < MAX_RANGES && nested.last().is_none_or(is_wider) {
            nested.push(span);
        }
    }
    let whole = Span::new(0, source.len() as u32);
    if nested.last() != Some(&whole) {
        nested.push(whole);
    }
    nested
}

/// The word around an offset.
fn word(text: &str, at: usize) -> Option<Range<usize>> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let (before, behind) = text.split_at_checked(at)?;
    let start = before.trim_end_matches(is_word).len();
    let end = text.len() - behind.trim_start_matches(is_word).len();
    (start < end).then_some(start..end)
}

/// The line around an offset, without the spaces at its ends.
fn line(text: &str, at: usize) -> Range<usize> {
    let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before.rfind(['\n', '\r']).map_or(0, |line_break| line_break + 1);
    let end = at + behind.find(['\n', '\r']).unwrap_or(behind.len());
    let line = text.get(start..end).unwrap_or_default();
    let start = start + (line.len() - line.trim_start().len());
    start..start + line.trim().len()
}

/// The parts of a template around an offset, the outermost first.
fn nodes(parsed: &ParsedTemplate, at: usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut node = parsed.tree.root();
    while let Some(inner) = node {
        let mut next = None;
        for child in inner.children() {
            let range = child.span().range();
            if range.start <= at && at <= range.end {
                next = Some(child);
            }
            if range.end > at {
                break;
            }
        }
        ranges.extend(next.map(|next| next.span().range()));
        node = next;
    }
    ranges
}
