//! The text that a template renders to, as it grows.

use super::{rendering::Missing, value::Value};
use crate::parse::span::TemplateSpan;

#[derive(Debug)]
pub(super) struct Output {
    pub(super) text: String,
    pub(super) missing: Vec<Missing>,
    pub(super) escaped: Vec<TemplateSpan>,
    /// Numbers and booleans that are not text yet: in JavaScript, `{{{a}}}{{{b}}}` adds two numbers.
    pending: Vec<Value>,
    /// The indentation of the partials around, outermost first, and whether a line starts.
    indents: Vec<(String, bool)>,
    limit: usize,
}

/// The text exceeds the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLong;

impl Output {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            missing: Vec::new(),
            escaped: Vec::new(),
            pending: Vec::new(),
            indents: Vec::new(),
            limit,
        }
    }

    /// Writes text, after everything that is pending.
    pub(super) fn write(&mut self, text: &str) -> Result<(), TooLong> {
        self.settle()?;
        self.push(text)
    }

    /// Notes that the value of a tag is missing here.
    pub(super) fn miss(&mut self, span: TemplateSpan, name: &str) -> Result<(), TooLong> {
        self.settle()?;
        self.missing.push(Missing { name: name.to_owned(), span, at: self.text.len() });
        Ok(())
    }

    /// Makes everything that is pending text.
    pub(super) fn settle(&mut self) -> Result<(), TooLong> {
        for value in std::mem::take(&mut self.pending) {
            if let Ok(text) = value.to_text() {
                self.push(&text)?;
            }
        }
        Ok(())
    }

    /// The number of pending values. It falls to 0 when text is written.
    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    pub(super) fn postpone(&mut self, value: Value) {
        self.pending.push(value);
    }

    pub(super) fn take_pending(&mut self) -> Option<Value> {
        self.pending.pop()
    }

    pub(super) fn indent(&mut self, indent: &str) {
        self.indents.push((indent.to_owned(), true));
    }

    pub(super) fn unindent(&mut self) {
        self.indents.pop();
    }

    fn push(&mut self, text: &str) -> Result<(), TooLong> {
        if self.indents.is_empty() {
            return self.push_line(text);
        }
        for line in text.split_inclusive('\n') {
            let mut indents = std::mem::take(&mut self.indents);
            for (indent, starts_line) in &mut indents {
                if std::mem::replace(starts_line, line.ends_with('\n')) {
                    self.push_line(indent)?;
                }
            }
            self.indents = indents;
            self.push_line(line)?;
        }
        Ok(())
    }

    fn push_line(&mut self, text: &str) -> Result<(), TooLong> {
        if self.text.len() + text.len() > self.limit {
            return Err(TooLong);
        }
        self.text.push_str(text);
        Ok(())
    }
}
