//! The text of a scalar, with the way back to the file.

use super::block_scalar::{self, BlockHeader};
use super::{Style, flow_scalar};
use crate::text::TextBuilder;
use crate::tree::{BARE, BLOCK};
use crate::{Span, Text};

/// How a scalar is spelled.
#[derive(Debug)]
pub(super) struct DecodedScalar {
    /// The bytes that spell it, quotes and header included.
    pub(super) span: Span,
    /// What it text, where the span does not spell that as a JSON string or a bare name does.
    pub(super) text: Option<Text<'static>>,
    /// Those of `tree`.
    pub(super) flags: u8,
}

/// A scalar as the library found it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawScalar<'m> {
    /// The text, with blanks in place of what is passed over.
    pub(super) text: &'m str,
    /// What the library reads.
    pub(super) value: &'m str,
    pub(super) style: Style,
    pub(super) span: Span,
    /// How many characters of its line stand before it: of a block scalar, what its lines are indented by.
    pub(super) column: usize,
    /// Where the value before it ends.
    pub(super) after: u32,
}

impl RawScalar<'_> {
    pub(super) fn decode(self) -> DecodedScalar {
        match self.style {
            Style::Plain | Style::Single | Style::Double => self.folded(),
            Style::Literal | Style::Folded => self.block(),
        }
    }

    fn folded(self) -> DecodedScalar {
        let span = self.span;
        let quotes = u32::from(self.style != Style::Plain);
        let flags = if self.style == Style::Plain { BARE } else { 0 };
        let inner = Span::new(span.start + quotes, span.end.saturating_sub(quotes));
        let spelled = inner.slice(self.text);
        if spelled == self.value {
            return DecodedScalar { span, text: None, flags };
        }
        let text = self.checked(flow_scalar::decode(spelled, inner.start, self.style), span);
        DecodedScalar { span, text: Some(text), flags }
    }

    fn block(self) -> DecodedScalar {
        let header = BlockHeader::find(self.text, self.after as usize, self.style);
        let Some(header) = header else {
            let text = self.whole(self.span);
            return DecodedScalar { span: self.span, text: Some(text), flags: BLOCK };
        };
        // Of a scalar without text the column is that of what comes after it.
        let is_empty = self.value.bytes().all(|byte| byte == b'\n');
        let indent = if is_empty { usize::MAX } else { self.column };
        let (text, end) = block_scalar::decode(self.text, header, indent, self.style);
        let span = Span::of(header.at, end.max(header.at + 1));
        DecodedScalar { span, text: Some(self.checked(text, span)), flags: BLOCK }
    }

    /// The text, if it is what the library reads. A way back that is not sure is none: all of the text comes from all of
    /// the scalar then.
    fn checked(self, text: Text<'static>, span: Span) -> Text<'static> {
        if text.as_str() == self.value { text } else { self.whole(span) }
    }

    fn whole(self, span: Span) -> Text<'static> {
        let mut text = TextBuilder::at(span.start);
        text.spelled(self.value, span);
        text.finish()
    }
}
