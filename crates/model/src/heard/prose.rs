use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use voxlint_schema::{Row, settings};

use super::prompt_clues::{self, PromptClue};
use crate::place::Place;
use crate::text::comments;

/// A prompt or a message of the effective configuration, as people read it.
#[derive(Debug)]
pub struct Prose<'a> {
    /// The setting that has the text.
    pub row: &'static Row,
    /// The decoded text, with spaces in place of its template comments, so that all offsets are those of the value.
    pub text: Cow<'a, str>,
    /// The value.
    pub at: Place,
    /// The clues and names, found on first use.
    found: OnceCell<prompt_clues::Found>,
    /// The text in lower case, made on first use.
    lower: OnceCell<String>,
}

impl<'a> Prose<'a> {
    pub(crate) fn new(row: &'static Row, text: Cow<'a, str>, at: Place) -> Self {
        let without = match comments::without_comments(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(without) => Some(without),
        };
        let text = without.map_or(text, Cow::Owned);
        Self { row, text, at, found: OnceCell::new(), lower: OnceCell::new() }
    }

    /// The words of a prompt at which rules begin to read, from left to right.
    pub fn clues(&self) -> &[(Range<usize>, PromptClue)] {
        &self.found.get_or_init(|| prompt_clues::find(&self.text)).clues
    }

    /// The parts that look like names of functions, fields and variables, from left to right.
    pub fn names(&self) -> &[Range<usize>] {
        &self.found.get_or_init(|| prompt_clues::find(&self.text)).names
    }

    /// The text with its ASCII letters in lower case.
    pub fn lower(&self) -> &str {
        self.lower.get_or_init(|| self.text.to_ascii_lowercase())
    }

    /// Whether callers hear the text word for word.
    pub fn is_spoken(&self) -> bool {
        !std::ptr::eq(self.row, settings::prompt_text.row)
    }

    /// The characters of the file that spell a part of the text.
    pub fn place(&self, range: Range<usize>) -> Place {
        self.at.clone().decoded(range)
    }

    /// A part of the text for a message.
    pub fn quote(&self, range: Range<usize>) -> String {
        crate::quote::quote(self.text.get(range).unwrap_or_default())
    }
}
