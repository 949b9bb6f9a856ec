//! The errors after the first one, each of the text in which those before it are corrected.

use super::{
    description::Description,
    error::{TemplateError, TemplateErrorKind as Kind},
    verify,
};
use crate::{
    parse::{
        parser::{Checkpoint, Parser},
        span::TemplateSpan,
    },
    parsed::{ParsedTemplate, parse_rest},
};

/// The maximum number of bytes that are copied to correct one error after the other.
const MAX_COPIED: usize = 128 << 20;

/// How many bytes are read at once.
const READ: usize = 2 << 10;

/// How many bytes after an error its description looks at.
const AHEAD: usize = 1 << 10;

/// An error that shows when those before it are corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FurtherError {
    /// The characters to mark.
    pub span: TemplateSpan,
    /// The description, with a correction.
    pub description: Description,
}

/// The errors of a template after its first one. Each is the first error of the text in which the errors
/// before it are corrected as their descriptions say. They end where an error has no correction, or one that changes what
/// another one has corrected, and where too many blocks are open. All spans are those of `text`.
///
/// The corrected text is not parsed again from its beginning, so many errors take little longer than one. A correction that
/// changes how the text before it is read is not noticed: parse the corrected text to be certain.
///
/// ```
/// use voxlint_template::{further_errors, parse};
///
/// let text = "Hi {{name}, it is {{agent} at {{place}!";
/// assert_eq!(parse(text).error.unwrap().tag.of(text), "{{name}");
/// let further = further_errors(text);
/// let corrections = further.iter().filter_map(|error| error.description.correction.as_ref());
/// let corrected: Vec<_> = corrections.map(|correction| correction.span.of(text)).collect();
/// assert_eq!(corrected, ["{{agent}", "{{place}"]);
/// assert_eq!(further[1].description.correction.as_ref().unwrap().text, "{{place}}");
/// ```
pub fn further_errors(text: &str) -> Vec<FurtherError> {
    let mut further = Vec::new();
    if u32::try_from(text.len()).is_err() {
        return further;
    }
    let (_, Some(from)) = parse_rest(Parser::new(text)) else { return further };
    let Some((before, rest)) = text.split_at_checked(from.at as usize) else { return further };
    let mut chain =
        Chain { text: before.to_owned(), rest, corrected: 0, added: 0, copies: MAX_COPIED };
    let mut next = chain.next(&from);
    let mut is_first = true;
    while let (ParsedTemplate { error: Some(error), .. }, Some(checkpoint)) = next
        && let Some((found, after)) = chain.correct(&error, &checkpoint)
    {
        // The first error is known.
        if !is_first {
            further.push(found);
        }
        is_first = false;
        next = after;
    }
    further
}

/// A text in which one error after the other is corrected.
struct Chain<'t> {
    /// The text as far as it is read, with its corrections.
    text: String,
    /// The text that is not read yet.
    rest: &'t str,
    /// The end of the last correction.
    corrected: u32,
    /// How many bytes the corrections have added.
    added: i64,
    /// How many more bytes may be copied.
    copies: usize,
}

impl Chain<'_> {
    /// The first error after a checkpoint. A correction moves all that is read after it, so no more is read than what the error
    /// depends on.
    fn next(&mut self, from: &Checkpoint) -> (ParsedTemplate, Option<Checkpoint>) {
        loop {
            let next = parse_rest(Parser::resume(&self.text, from));
            if self.rest.is_empty() || next.0.error.as_ref().is_some_and(|it| self.is_certain(it)) {
                return next;
            }
            let more = READ.max(self.text.len() - from.at as usize);
            let end = (more..self.rest.len()).find(|at| self.rest.is_char_boundary(*at));
            let (read, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            self.text.push_str(read);
            self.rest = rest;
        }
    }

    /// Whether an error and its correction do not depend on what is not read yet.
    fn is_certain(&self, error: &TemplateError) -> bool {
        let is_local = matches!(
            error.kind,
            Kind::UnclosedMustache | Kind::OneBrace | Kind::TwoBraces | Kind::ExtraBrace
        );
        let end = error.tag.end.max(error.span.end).max(error.offset) as usize;
        let at = self.text.as_bytes().get(error.offset as usize);
        // A quote or bracket may be closed far away.
        is_local && end + AHEAD <= self.text.len() && !matches!(at, Some(b'"' | b'\'' | b'['))
    }

    /// Corrects an error. Returns it as one of the first text, and what follows; `None` if there is no correction after the last
    /// one.
    fn correct(
        &mut self,
        error: &TemplateError,
        from: &Checkpoint,
    ) -> Option<(FurtherError, (ParsedTemplate, Option<Checkpoint>))> {
        let draft = error.draft(&self.text);
        let correction = &draft.fix.as_ref()?.correction;
        let span = correction.span;
        if span.start < from.at.max(self.corrected) || error.span.start < self.corrected {
            return None;
        }
        self.copies = self.copies.checked_sub(self.text.len() - span.start as usize)?;
        let (original, place) = (self.origin(error.span)?, self.origin(span)?);
        self.text.replace_range(span.range(), &correction.text);
        self.corrected = span.start + correction.text.len() as u32;
        self.added += i64::from(correction.text.len() as u32) - i64::from(span.len());
        let next = self.next(from);
        let is_fixed = verify::is_fixed(correction, &self.text, &next.0);
        let mut description = draft.finish(is_fixed);
        description.correction.as_mut()?.span = place;
        Some((FurtherError { span: original, description }, next))
    }

    /// Where characters after the last correction are in the first text.
    fn origin(&self, span: TemplateSpan) -> Option<TemplateSpan> {
        let offset = |at: u32| u32::try_from(i64::from(at) - self.added).ok();
        Some(TemplateSpan { start: offset(span.start)?, end: offset(span.end)? })
    }
}
