//! The text that a template renders to, as it grows.

use super::value::Value;
use crate::parse::span::TemplateSpan;

/// A template that was filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendering {
    /// The text that the reference renders. A variable that is missing or null leaves nothing in it.
    pub text: String,
    /// The variables that are missing or null, in the order of the text. One in a loop occurs several times.
    pub missing: Vec<Missing>,
    /// The tags that HTML escaping changed, in the order of the text.
    pub escaped: Vec<TemplateSpan>,
}

/// A tag whose variable has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The variable as the template writes it, such as `customer.name`, or a call such as `lookup orders 0`.
    pub name: String,
    /// The variable, or the call with its arguments.
    pub span: TemplateSpan,
    /// Where its value would be in [`Rendering::text`].
    pub at: usize,
}

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
