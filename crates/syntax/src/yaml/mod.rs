//! The YAML parser.
//!
//! Most documents are read directly, a line at a time (`direct`). What needs more than block style, and every text with
//! an error, is read with a library. It parses the grammar into events (`events`). The events of each document are
//! composed into a tree (`compose`): scalars are resolved (`core_schema`) and decoded with their positions
//! (`flow_scalar`, `block_scalar`), and aliases and merge keys are expanded (`expand`). The library stops at the first
//! error. `recover` then reports it and selects the characters to skip, and the document is parsed again with spaces in
//! their place (`masks`), so that all offsets stay those of the file.

mod block_scalar;
mod compose;
mod core_schema;
mod delimiters;
mod direct;
mod events;
mod expand;
mod fix;
mod flow_scalar;
mod lines;
mod masks;
mod message;
mod recover;
mod scalar;

pub(crate) use fix::propose;
pub(crate) use message::describe;

use std::borrow::Cow;

use compose::Composer;
use events::{Event, Events, FailureKind, ParseFailure, Style};
use recover::{ParserState, Recovery};

use crate::conflict;
use crate::error::report;
use crate::{
    Parsed, SharedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Tree, Unread,
    UnreadReason, unread,
};

/// The maximum number of times that a text is parsed again after an error. Each pass finds one error.
const MAX_PASSES: usize = crate::MAX_ERRORS;

/// The maximum number of bytes that are parsed again after errors. Large texts are parsed again less often.
const MAX_REPARSED_BYTES: usize = 12 << 20;

/// Parses a YAML text.
pub(crate) fn read(text: &SharedText) -> Parsed {
    if let Some(tree) = direct::read(text) {
        return Parsed { documents: vec![tree], errors: Vec::new(), unread: Vec::new() };
    }
    read_with_library(text)
}

fn read_with_library(text: &SharedText) -> Parsed {
    // Only a scalar at the root could contain a line that looks like a conflict marker.
    let resolved = conflict::resolve(text, b'\n', |_| false);
    let mut reading = StreamReader {
        text,
        masked: resolved.text,
        masks: resolved.replaced,
        from: 0,
        before: 0,
        documents: Vec::new(),
        errors: resolved.errors,
        unread: Vec::new(),
        recovery: Recovery::default(),
    };
    reading.mask_all('\0', 0);
    reading.run();
    reading.finish()
}

struct StreamReader<'t> {
    text: &'t SharedText,
    /// The text with spaces in place of the masks.
    masked: Cow<'t, str>,
    /// The skipped parts, in order and without overlaps.
    masks: Vec<Span>,
    /// The start of the current document.
    from: u32,
    /// The start of the previous document.
    before: u32,
    documents: Vec<Tree>,
    errors: Vec<SyntaxError>,
    unread: Vec<Unread>,
    recovery: Recovery,
}

/// A document whose parsing stopped early.
struct Interrupted {
    failure: ParseFailure,
    state: ParserState,
    document: Option<Composer>,
}

impl StreamReader<'_> {
    fn run(&mut self) {
        let mut rounds = 0;
        let mut reread = 0;
        while let Some(interrupted) = self.read_documents() {
            rounds += 1;
            reread += interrupted.failure.at.saturating_sub(self.from) as usize;
            let may_go_on = rounds < MAX_PASSES && reread < MAX_REPARSED_BYTES;
            let was_masked = self.recover(interrupted.failure, &interrupted.state);
            if may_go_on && was_masked {
                continue;
            }
            let rest = self.masked.get(interrupted.failure.at as usize..).unwrap_or_default();
            if was_masked || !rest.trim_start().is_empty() {
                let at = interrupted.failure.at + (rest.len() - rest.trim_start().len()) as u32;
                unread::note(&mut self.unread, UnreadReason::Errors, Span::at(at));
            }
            // The document is kept as far as it was parsed.
            if let Some(document) = interrupted.document {
                self.add(document, self.from, u32::MAX);
            }
            return;
        }
    }

    /// Parses documents up to the end of the text, or until the library stops.
    fn read_documents(&mut self) -> Option<Interrupted> {
        let masked = std::mem::take(&mut self.masked);
        let mut events = Events::new(&masked, self.from);
        let mut document: Option<Composer> = None;
        // The last complete document and its start. Masks before the next document belong to it.
        let mut ended: Option<(Composer, u32)> = None;
        let mut state = ParserState::new(self.from);
        let interrupted = loop {
            let item = match events.next() {
                None => break None,
                Some(Err(failure)) => break Some(Interrupted { failure, state, document }),
                Some(Ok(item)) => item,
            };
            state.pass(&item);
            match (&item.event, &mut document) {
                (Event::Begin { .. }, _) => {
                    if let Some((document, from)) = ended.take() {
                        self.add(document, from, item.span.start);
                    }
                    document = Some(Composer::new(self.text, &item, self.from));
                }
                (Event::End, _) => {
                    self.before = std::mem::replace(&mut self.from, item.span.end);
                    state = ParserState::new(self.from);
                    ended = document.take().map(|document| (document, self.before));
                }
                (_, Some(composer)) => {
                    composer.add(&item, &masked, &self.masks);
                }
                _ => {}
            }
        };
        if let Some((document, from)) = ended {
            self.add(document, from, u32::MAX);
        }
        self.masked = masked;
        interrupted
    }

    /// Reports the error and masks the text to skip. Returns whether anything new was masked.
    fn recover(&mut self, failure: ParseFailure, state: &ParserState) -> bool {
        if let FailureKind::Character(character) = failure.kind
            && masks::is_forbidden(character)
        {
            return self.mask_all(character, failure.at);
        }
        let step = self.recovery.step(&self.masked, self.text, failure, state);
        if let Some(error) = step.error {
            report(&mut self.errors, error);
        }
        let rest = step.masks.first().copied().unwrap_or_default();
        if failure.kind == FailureKind::AfterEnd
            && let Some(tree) = self.documents.last_mut()
        {
            let document = Span::new(self.before, self.from.min(rest.start));
            if document.len() < rest.len() {
                // The rest is longer, so it is the document, and the part parsed so far is skipped.
                self.documents.pop();
                self.from = self.before;
                return self.mask(&[document]);
            }
            tree.mark_root_incomplete();
        }
        self.mask(&step.masks)
    }

    /// Masks a forbidden character everywhere after an offset.
    fn mask_all(&mut self, character: char, from: u32) -> bool {
        let rest = self.masked.get(from as usize..).unwrap_or_default();
        let found: Vec<Span> = rest
            .match_indices(character)
            .map(|(at, found)| Span::of(from as usize + at, from as usize + at + found.len()))
            .collect();
        if let Some(first) = found.first() {
            let more = found.len() as u32 - 1;
            let error = SyntaxError::new(ErrorKind::Unexpected, *first);
            report(&mut self.errors, SyntaxError { more, ..error });
        }
        self.mask(&found)
    }

    fn mask(&mut self, spans: &[Span]) -> bool {
        let is_left = |character: char| !matches!(character, ' ' | '\n' | '\r');
        let is_unread = |span: &&Span| span.slice(&self.masked).contains(is_left);
        let spans: Vec<Span> = spans.iter().filter(is_unread).copied().collect();
        if spans.is_empty() {
            return false;
        }
        masks::fill_with_spaces(self.masked.to_mut(), &spans);
        self.masks.extend(spans);
        self.masks.sort_unstable();
        // Overlapping masks are merged.
        self.masks.dedup_by(|next, last| {
            let overlap = next.start < last.end;
            if overlap {
                *last = last.cover(*next);
            }
            overlap
        });
        true
    }

    /// Adds the document between two offsets.
    fn add(&mut self, document: Composer, from: u32, end: u32) {
        // The masks between the end of the previous document and the end of this one.
        let first = self.masks.partition_point(|mask| mask.start < from);
        let masks = self.masks.get(first..).unwrap_or_default();
        let count = masks.partition_point(|mask| mask.start < end);
        let (tree, errors, unread) = document.finish(masks.get(..count).unwrap_or_default());
        self.documents.push(tree);
        self.unread.extend(unread);
        for error in errors {
            report(&mut self.errors, error);
        }
    }

    fn finish(mut self) -> Parsed {
        if self.documents.is_empty() {
            self.documents.push(Tree::of(self.text.clone()));
            if self.errors.is_empty() {
                let end = Span::of(self.text.len(), self.text.len());
                self.errors.push(SyntaxError::new(ErrorKind::Empty, end));
            }
        }
        self.errors.sort_by_key(|error| error.span);
        self.unread.sort_by_key(|part| part.span);
        Parsed { documents: self.documents, errors: self.errors, unread: self.unread }
    }
}
