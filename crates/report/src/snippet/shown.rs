//! A file as its lines are drawn.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar as _;

use super::window::MaskedRanges;
use crate::source_map::SourceFile;

const TAB_WIDTH: usize = 4;

pub(super) struct ShownFile<'a> {
    pub(super) source: &'a SourceFile<'a>,
    /// The path without characters that steer a terminal.
    pub(super) path: Cow<'a, str>,
    pub(super) secrets: MaskedRanges,
    /// The columns for the text of a line.
    pub(super) width: usize,
}

pub(super) fn without_tabs(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + TAB_WIDTH);
    let mut column = 0;
    for c in text.chars() {
        let width = char_width(c, column);
        column += width;
        if c == '\t' {
            out.extend(std::iter::repeat_n(' ', width));
        } else {
            out.push(c);
        }
    }
    out.into()
}

pub(super) fn char_width(c: char, column: usize) -> usize {
    if c == '\t' { TAB_WIDTH - column % TAB_WIDTH } else { c.width().unwrap_or(0) }
}
