//! The errors after the first one, each of the text in which those before it are corrected.

use super::{description::Description, error::TemplateError};
use crate::{
    parse::{
        parser::{Checkpoint, Parser},
        span::TemplateSpan,
    },
    parsed::{ParsedTemplate, parse_rest},
};

/// The maximum number of bytes that are copied to correct one error after the other.
const MAX_COPIED: usize = 128 << 20;

/// An error that shows when those before it are corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FurtherError {
    /// The characters to mark.
    pub span: TemplateSpan,
    /// The description, with a correction.
    pub description: Description,
}

/// The errors of a template after its first one, at most `limit`. Each is the first error of the text in which the errors
/// before it are corrected as their descriptions say. They end where an error has no correction, or one that changes what
/// another one has corrected. All spans are those of `text`.
///
/// The corrected text is not parsed again from its beginning, so many errors take little longer than one. A correction that
/// changes how the text before it is read is not noticed: parse the corrected text to be certain.
///
/// ```
/// use voxlint_template::{further_errors, parse};
///
/// let text = "Hi {{name}, it is {{agent} at {{place}!";
/// assert_eq!(parse(text).error.unwrap().tag.of(text), "{{name}");
/// let further = further_errors(text, 10);
/// let corrections = further.iter().filter_map(|error| error.description.correction.as_ref());
/// let corrected: Vec<_> = corrections.map(|correction| correction.span.of(text)).collect();
/// assert_eq!(corrected, ["{{agent}", "{{place}"]);
/// assert_eq!(further[1].description.correction.as_ref().unwrap().text, "{{place}}");
/// ```
pub fn further_errors(text: &str, limit: usize) -> Vec<FurtherError> {
    let mut further = Vec::new();
    let limit = limit.min(MAX_COPIED / text.len().max(1));
    if limit == 0 || u32::try_from(text.len()).is_err() {
        return further;
    }
    let mut chain = Chain { text: text.to_owned(), corrected: 0, added: 0 };
    let mut next = parse_rest(Parser::new(text));
    let mut is_first = true;
    // The first error is known.
    while let (ParsedTemplate { error: Some(error), .. }, Some(checkpoint)) = next
        && further.len() < limit
        && let Some(found) = chain.correct(&error, &checkpoint)
    {
        if !is_first {
            further.push(found);
        }
        is_first = false;
        next = parse_rest(Parser::resume(&chain.text, &checkpoint));
    }
    further
}

/// A text in which one error after the other is corrected.
struct Chain {
    text: String,
    /// The end of the last correction.
    corrected: u32,
    /// How many bytes the corrections have added.
    added: i64,
}

impl Chain {
    /// Corrects an error. Returns it as one of the first text; `None` if there is no correction after the last one.
    fn correct(&mut self, error: &TemplateError, from: &Checkpoint) -> Option<FurtherError> {
        let parse = |text: &str| parse_rest(Parser::resume(text, from)).0;
        let mut description = error.describe_with(&self.text, parse);
        let correction = description.correction.as_mut()?;
        let span = correction.span;
        if span.start < from.at.max(self.corrected) || error.span.start < self.corrected {
            return None;
        }
        correction.span = self.origin(span)?;
        let original = self.origin(error.span)?;
        self.text.replace_range(span.range(), &correction.text);
        self.corrected = span.start + correction.text.len() as u32;
        self.added += i64::from(correction.text.len() as u32) - i64::from(span.len());
        Some(FurtherError { span: original, description })
    }

    /// Where characters after the last correction are in the first text.
    fn origin(&self, span: TemplateSpan) -> Option<TemplateSpan> {
        let offset = |at: u32| u32::try_from(i64::from(at) - self.added).ok();
        Some(TemplateSpan { start: offset(span.start)?, end: offset(span.end)? })
    }
}
