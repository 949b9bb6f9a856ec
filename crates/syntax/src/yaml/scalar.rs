//! Decodes scalars, with the positions of their characters.

use super::block_scalar::{self, BlockHeader};
use super::{Style, flow_scalar};
use crate::text::TextBuilder;
use crate::tree::{BARE, BLOCK};
use crate::{DecodedText, Span};

/// A decoded scalar.
#[derive(Debug)]
pub(super) struct DecodedScalar {
    /// Its span, with quotes or header.
    pub(super) span: Span,
    /// The decoded text, if it differs from the source.
    pub(super) text: Option<DecodedText<'static>>,
    /// The flags of its node.
    pub(super) flags: u8,
}

/// A scalar as the library reports it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawScalar<'m> {
    /// The whole text, with masks.
    pub(super) text: &'m str,
    /// The value as the library decodes it.
    pub(super) value: &'m str,
    pub(super) style: Style,
    pub(super) span: Span,
    /// Its column. For a block scalar, the indentation of its lines.
    pub(super) column: usize,
    /// The end of the previous value.
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
        // For a block scalar without text, the library reports the column of the next token.
        let is_empty = self.value.bytes().all(|byte| byte == b'\n');
        let indent = if is_empty { usize::MAX } else { self.column };
        let (text, end) = block_scalar::decode(self.text, header, indent, self.style);
        let span = Span::of(header.at, end.max(header.at + 1));
        DecodedScalar { span, text: Some(self.checked(text, span)), flags: BLOCK }
    }

    /// The decoded text if it equals the value of the library. Otherwise the positions are uncertain, and the whole
    /// text maps to the whole scalar.
    fn checked(self, text: DecodedText<'static>, span: Span) -> DecodedText<'static> {
        if text.as_str() == self.value { text } else { self.whole(span) }
    }

    fn whole(self, span: Span) -> DecodedText<'static> {
        let mut text = TextBuilder::at(span.start);
        text.spelled(self.value, span);
        text.finish()
    }
}
