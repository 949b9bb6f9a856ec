//! Semantic tokens: the parts of the mustaches in templates.
//!
//! A token is the bytes of the file that spell a part, so in a string of JSON the quotes of `{{lookup a \"b\"}}` are coloured with their
//! backslashes. A part that goes over several lines is one token for each line, without the indentation of a block scalar.

mod lexical;

pub use self::lexical::TokenKind;

use std::collections::HashMap;
use std::ops::Range;

use voxlint::syntax::Span;
use voxlint::{NameScope, template_names};
use voxlint_template::{
    BUILT_IN_HELPERS, NodeKind, ParsedTemplate, SegmentKind, TemplateNode, TemplateSpan,
};

use crate::File;
use crate::templates::templates;

/// A part of a mustache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it is, on one line.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// The parts of all mustaches in the templates of a text, in its order and without overlaps.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{File, TokenKind, tokens};
///
/// let text = r#"{ "welcome_message": "Hello {{name}}" }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// let tokens: Vec<_> =
///     tokens(File::new(&inputs)).iter().map(|token| (token.span.slice(text), token.kind)).collect();
/// assert_eq!(
///     tokens,
///     [("{{", TokenKind::Delimiter), ("name", TokenKind::Variable), ("}}", TokenKind::Delimiter)]
/// );
/// ```
pub fn tokens(file: File<'_>) -> Vec<Token> {
    let text = file.text();
    let mut tokens: Vec<Token> = Vec::new();
    for template in templates(file.document()) {
        let parts = parts(template.text.as_str(), &template.parsed);
        for (range, kind) in parts {
            for span in template.text.to_source_parts(range) {
                push_lines(&mut tokens, text, span, kind);
            }
        }
    }
    tokens
}

/// Adds a token for each line of a span.
fn push_lines(tokens: &mut Vec<Token>, text: &str, span: Span, kind: TokenKind) {
    let end_before = tokens.last().map_or(0, |last| last.span.end);
    let mut start = span.start.max(end_before);
    for line in Span::new(start, span.end).slice(text).split(['\n', '\r']) {
        let end = start + line.len() as u32;
        if !line.trim().is_empty() {
            tokens.push(Token { span: Span::new(start, end), kind });
        }
        start = end + 1;
    }
}

/// The parts of a template in its order.
fn parts(text: &str, parsed: &ParsedTemplate) -> Vec<(Range<usize>, TokenKind)> {
    let mut names = HashMap::new();
    for found in template_names(text, parsed) {
        names.insert(found.span.start, found.scope);
        names.extend(found.closing.map(|closing| (closing.start, found.scope)));
    }
    let mut walk = Walk { text, names, ..Walk::default() };
    let mut end = 0;
    for node in parsed.tree.nodes() {
        walk.visit(node);
        end = end.max(node.span().end);
    }
    walk.end_tag();
    if parsed.error.is_some() {
        // The tree ends before the error, and the author goes on writing behind it.
        lexical::rest(text, end as usize, &mut walk.parts);
    }
    walk.parts
}

#[derive(Default)]
struct Walk<'t> {
    text: &'t str,
    /// What the names are read from, by their starts.
    names: HashMap<u32, NameScope>,
    parts: Vec<(Range<usize>, TokenKind)>,
    /// The tag around the current node: what of it has no part yet.
    tag: Option<Range<u32>>,
    /// Whether the next expression is the head of a tag or a subexpression.
    is_head: bool,
    /// Whether the current path is a head, begins with `@`, and has had a name.
    path: (bool, bool, bool),
    /// The parameters of the last tag.
    pending: Vec<&'t str>,
    /// The bodies around the current node with their ends, and how many parameters each has.
    bodies: Vec<(u32, Vec<&'t str>)>,
    /// How often each parameter is defined around the current node.
    params: HashMap<&'t str, u32>,
}

impl Walk<'_> {
    fn visit(&mut self, node: TemplateNode<'_>) {
        let span = node.span();
        self.leave(span.start);
        let was_head = std::mem::take(&mut self.is_head);
        match node.kind() {
            NodeKind::Comment => self.parts.push((span.range(), TokenKind::Comment)),
            NodeKind::Mustache
            | NodeKind::Decorator
            | NodeKind::Partial
            | NodeKind::Opening
            | NodeKind::Else
            | NodeKind::Closing => {
                self.end_tag();
                self.tag = Some(span.start..span.end);
                lexical::start(self.text, &mut self.tag, &mut self.parts);
                self.pending.clear();
                self.is_head = true;
            }
            NodeKind::SubExpression => self.is_head = true,
            NodeKind::Body => {
                let params = std::mem::take(&mut self.pending);
                for param in &params {
                    *self.params.entry(param).or_default() += 1;
                }
                self.bodies.push((span.end, params));
            }
            NodeKind::Path => self.path = (was_head, node.is_data(), false),
            NodeKind::Segment => {
                let kind = self.kind_of(node);
                self.path.2 = true;
                self.leaf(span, kind);
            }
            NodeKind::String if self.names.contains_key(&span.start) => {
                self.leaf(span, TokenKind::Variable);
            }
            NodeKind::String => self.leaf(span, TokenKind::String),
            NodeKind::Number => self.leaf(span, TokenKind::Number),
            NodeKind::Boolean | NodeKind::Undefined | NodeKind::Null => {
                self.leaf(span, TokenKind::Keyword);
            }
            NodeKind::Key => self.leaf(span, TokenKind::Property),
            NodeKind::BlockParam => {
                self.pending.push(span.of(self.text));
                self.leaf(span, TokenKind::Parameter);
            }
            _ => {}
        }
    }

    /// Ends the tag and the bodies that end before an offset.
    fn leave(&mut self, offset: u32) {
        if self.tag.as_ref().is_some_and(|tag| tag.end <= offset) {
            self.end_tag();
        }
        while let Some((_, params)) = self.bodies.pop_if(|(end, _)| *end <= offset) {
            for param in params {
                if let Some(count) = self.params.get_mut(param) {
                    *count -= 1;
                }
            }
        }
    }

    fn end_tag(&mut self) {
        if let Some(tag) = self.tag.take() {
            lexical::end(self.text, tag.start as usize..tag.end as usize, &mut self.parts);
        }
    }

    /// Adds a part of the current tag, and what is before it.
    fn leaf(&mut self, span: TemplateSpan, kind: TokenKind) {
        if let Some(tag) = &mut self.tag {
            let before = tag.start as usize..span.start as usize;
            tag.start = span.end;
            lexical::between(self.text, before, &mut self.parts);
        }
        self.parts.push((span.range(), kind));
    }

    fn kind_of(&self, segment: TemplateNode<'_>) -> TokenKind {
        let (is_head, is_data, has_name) = self.path;
        let name = segment.span().of(self.text);
        match self.names.get(&segment.span().start) {
            Some(NameScope::Value) => TokenKind::Property,
            None if segment.segment_kind(self.text) != SegmentKind::Name => TokenKind::Keyword,
            None if has_name => TokenKind::Property,
            None if is_data => TokenKind::Keyword,
            None if self.params.get(name).is_some_and(|count| *count > 0) => TokenKind::Parameter,
            None if BUILT_IN_HELPERS.contains(&name) => TokenKind::Keyword,
            None if is_head => TokenKind::Function,
            // Also a word of a call that is not valid.
            _ => TokenKind::Variable,
        }
    }
}
