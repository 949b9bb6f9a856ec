//! Builds the tree of a document from its events.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::core_schema::{self, ResolvedScalar};
use super::events::{Event, SpannedEvent, YamlTag};
use super::expand::{self, References};
use super::scalar::{DecodedScalar, RawScalar};
use super::{Style, masks};
use crate::builder::Builder;
use crate::error::report;
use crate::text::TextBuilder;
use crate::tree::{BARE, FAULTY, INCOMPLETE, Tag};
use crate::{
    DecodedText, Kind, MAX_DEPTH, SharedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind,
    Tree, Unread, UnreadReason, unread,
};

/// A document under construction.
pub(super) struct Composer {
    builder: Builder,
    frames: Vec<Frame>,
    /// The nodes with an anchor, by its number.
    anchors: BTreeMap<usize, u32>,
    references: References,
    errors: Vec<SyntaxError>,
    /// The end of the last value or indicator.
    after: u32,
    /// The end of the last node.
    end: u32,
    /// A container that is being skipped.
    skipped: Option<Skipped>,
    unread: Vec<Unread>,
    /// The place of the missing value of an empty document.
    missing: Option<Span>,
}

/// A container that is not part of the tree: a key that is not a scalar, or a value that is nested too deep.
#[derive(Clone, Copy)]
struct Skipped {
    start: u32,
    /// The number of open containers, including itself.
    open: usize,
    is_name: bool,
}

/// An open container.
#[derive(Clone, Copy)]
struct Frame {
    id: u32,
    is_object: bool,
    is_block: bool,
    /// Whether a key comes next.
    expects_name: bool,
}

impl Composer {
    /// Starts a document with this event. `from` is the end of the previous document.
    pub(super) fn new(text: &SharedText, begin: &SpannedEvent<'_>, from: u32) -> Self {
        // For a document without `---`, the library reports the start of its first text.
        let explicit = matches!(begin.event, Event::Begin { explicit: true });
        let after = if explicit { begin.span.end } else { from };
        Self {
            builder: Builder::new(text),
            frames: Vec::new(),
            anchors: BTreeMap::new(),
            references: References::default(),
            errors: Vec::new(),
            after,
            end: after,
            skipped: None,
            unread: Vec::new(),
            missing: None,
        }
    }

    /// Adds the next event. `masked` is the text with spaces in place of `masks`.
    pub(super) fn add(&mut self, item: &SpannedEvent<'_>, masked: &str, masks: &[Span]) {
        if self.skipped.is_some() {
            self.skip(item);
        } else {
            match &item.event {
                Event::Begin { .. } | Event::End => {}
                Event::Open { tag, anchor } => {
                    self.tab_before(item, masked);
                    self.open(item, *tag, *anchor);
                }
                Event::Close => self.close(item.span),
                Event::Scalar { value, style, anchor } => {
                    let found = RawScalar {
                        text: masked,
                        value,
                        style: *style,
                        span: item.span,
                        column: item.column,
                        after: self.after,
                    };
                    self.scalar(found, *anchor, item.tag_before, masks);
                }
                Event::Alias(anchor) => self.alias(item.span, self.anchors.get(anchor).copied()),
                Event::UnknownAlias => {
                    self.error(ErrorKind::UnknownAlias, item.span);
                    self.alias(item.span, None);
                }
            }
        }
        self.after = self.after.max(item.span.end);
    }

    fn error(&mut self, kind: ErrorKind, span: Span) {
        report(&mut self.errors, SyntaxError::new(kind, span));
    }

    fn expects_name(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.expects_name)
    }

    /// Records that a key or a value was added.
    fn added(&mut self, end: u32) {
        self.end = self.end.max(end);
        if let Some(frame) = self.frames.last_mut() {
            frame.expects_name = frame.is_object && !frame.expects_name;
        }
    }

    fn open(&mut self, item: &SpannedEvent<'_>, tag: Tag, anchor: usize) {
        let is_name = self.expects_name();
        let is_too_deep = self.builder.depth() >= MAX_DEPTH;
        if is_too_deep {
            self.too_deep(item.span);
        }
        if is_name || is_too_deep {
            self.skipped = Some(Skipped { start: item.span.start, open: 1, is_name });
            return;
        }
        match (item.tag_before, tag) {
            (None, _)
            | (Some((YamlTag::Object, _)), Tag::Object)
            | (Some((YamlTag::Array, _)), Tag::Array) => {}
            (Some((YamlTag::Other, place)), _) => self.error(ErrorKind::UnknownTag, place),
            (Some((_, place)), _) => self.error(ErrorKind::TagMismatch, place),
        }
        let id = self.builder.next_id();
        let is_object = tag == Tag::Object;
        let is_block = item.span.is_empty();
        self.frames.push(Frame { id, is_object, is_block, expects_name: is_object });
        self.builder.open(tag, item.span.start, is_block);
        self.end = self.end.max(item.span.end);
        self.anchor(anchor, id);
    }

    /// Reports a tab that indents the first key or item of a block container. The library reports it only if there are
    /// several.
    fn tab_before(&mut self, item: &SpannedEvent<'_>, masked: &str) {
        let at = item.span.start as usize;
        if !item.span.is_empty() {
            return;
        }
        let before = masked.get(..at).unwrap_or_default();
        let space = before.len() - before.trim_end_matches([' ', '\t']).len();
        let indentation = before.get(at - space..).unwrap_or_default();
        let Some(tab) = indentation.find('\t') else { return };
        // After an anchor or a tag, a tab is allowed.
        if before.get(..at - space).is_some_and(|before| {
            before.is_empty() || before.ends_with(['\n', '\r', '-', '?', ':', '\u{feff}'])
        }) {
            let tab = at - space + tab;
            self.error(ErrorKind::TabIndentation, Span::of(tab, tab + 1));
        }
    }

    /// Reports a container that is nested too deep. All of them are one error.
    fn too_deep(&mut self, span: Span) {
        // A block container has no opening bracket, so its first character is marked.
        let span = if span.is_empty() { Span::new(span.start, span.start + 1) } else { span };
        unread::note(&mut self.unread, UnreadReason::Depth, span);
        match self.errors.iter_mut().find(|error| error.kind == ErrorKind::TooDeep) {
            Some(first) => first.more += 1,
            None => self.error(ErrorKind::TooDeep, span),
        }
    }

    fn close(&mut self, span: Span) {
        let Some(frame) = self.frames.pop() else { return };
        // The library ends a block container at the beginning of the next token.
        let end = if frame.is_block { self.end } else { span.end };
        self.builder.close(end);
        self.added(end);
    }

    fn anchor(&mut self, anchor: usize, id: u32) {
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
    }

    /// Handles an event inside a skipped container.
    fn skip(&mut self, item: &SpannedEvent<'_>) {
        let Some(mut skipped) = self.skipped else { return };
        match item.event {
            Event::Open { .. } => skipped.open += 1,
            Event::Close => skipped.open -= 1,
            _ => {}
        }
        let is_block_end = matches!(item.event, Event::Close) && item.span.is_empty();
        if !is_block_end {
            self.end = self.end.max(item.span.end);
        }
        self.skipped = Some(skipped);
        if skipped.open == 0 {
            self.end_skipped();
        }
    }

    /// Ends a skipped container.
    fn end_skipped(&mut self) {
        let Some(Skipped { start, is_name, .. }) = self.skipped.take() else { return };
        let span = Span::new(start, self.end.max(start));
        if is_name {
            self.name_not_text(span);
        } else {
            self.builder.scalar(Tag::Invalid, span, None, FAULTY | INCOMPLETE);
            self.added(span.end);
        }
    }

    fn name_not_text(&mut self, span: Span) {
        let text = self.builder.text();
        let before = text.get(..span.start as usize).unwrap_or_default();
        if before.ends_with('{') && span.slice(text).starts_with('{') {
            // The two braces that begin a template.
            let rest = text.get(span.end as usize..).unwrap_or_default();
            let end = span.end + u32::from(rest.starts_with('}'));
            self.error(ErrorKind::UnquotedTemplate, Span::new(span.start - 1, end));
        } else {
            self.error(ErrorKind::NameNotText, span);
        }
        self.builder.mark_incomplete();
        self.builder.scalar(Tag::Key, span, None, FAULTY | BARE);
        self.added(span.end);
    }

    fn scalar(
        &mut self,
        found: RawScalar<'_>,
        anchor: usize,
        tag_before: Option<(YamlTag, Span)>,
        masks: &[Span],
    ) {
        let is_missing = found.span.is_empty() && found.style == Style::Plain;
        // The library reports missing values as `~`.
        let place = if is_missing { self.place_of_nothing(found) } else { found.span };
        let value = if is_missing { "" } else { found.value };
        let found = RawScalar { span: place, value, ..found };
        if is_missing && tag_before.is_none() && anchor == 0 && self.missing(found, masks) {
            return;
        }
        let mut decoded = found.decode();
        if decoded.text.is_some() && masks::is_masked(decoded.span, masks) {
            // Some of its text is masked.
            decoded.text = Some(whole(found.value, decoded.span));
        }
        let id = self.builder.next_id();
        if self.expects_name() {
            self.name(found, decoded, tag_before);
        } else {
            self.value(found, decoded, tag_before);
        }
        self.anchor(anchor, id);
    }

    /// The place of a missing value: after the colon or the dash, before a comment.
    fn place_of_nothing(&self, found: RawScalar<'_>) -> Span {
        let at = found.span.start as usize;
        let rest = found.text.get(at..).unwrap_or_default();
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let is_value =
            self.frames.last().is_some_and(|frame| frame.is_object && !frame.expects_name);
        if is_value && rest.get(spaces..).is_some_and(|rest| rest.starts_with(':')) {
            return Span::of(at + spaces + 1, at + spaces + 1);
        }
        // The last line since the previous value that is not only a comment.
        let from = (self.after as usize).min(at);
        let mut end = None;
        let mut start = from;
        for line in found.text.get(from..at).unwrap_or_default().split_inclusive(['\n', '\r']) {
            let comment = line.find(" #").or_else(|| line.starts_with('#').then_some(0));
            let said = comment.and_then(|comment| line.get(..comment)).unwrap_or(line).trim_end();
            if !said.is_empty() {
                end = Some(start + said.len());
            }
            start += line.len();
        }
        match end {
            Some(end) => Span::of(end, end),
            None if is_value => Span::at(self.end),
            None => found.span,
        }
    }

    /// Handles a missing value, if it was masked or if the document is empty; otherwise it is null. Returns whether it
    /// was handled.
    fn missing(&mut self, found: RawScalar<'_>, masks: &[Span]) -> bool {
        if let Some(mask) = masks::mask_at(found.text, found.span.start, masks)
            && !self.expects_name()
            && !self.frames.is_empty()
        {
            self.builder.scalar(Tag::Invalid, mask, None, FAULTY);
            self.added(mask.end);
            return true;
        }
        if self.frames.is_empty() {
            self.missing = Some(found.span);
            return true;
        }
        false
    }

    fn name(
        &mut self,
        found: RawScalar<'_>,
        decoded: DecodedScalar,
        tag_before: Option<(YamlTag, Span)>,
    ) {
        let is_plain = found.style == Style::Plain && tag_before.is_none();
        if is_plain && core_schema::resolve(found.value) == ResolvedScalar::Null {
            // Parsers disagree about null keys, and they are rarely intended.
            self.name_not_text(decoded.span);
            return;
        }
        if is_plain
            && found.value == "<<"
            && let Some(frame) = self.frames.last()
        {
            self.references.merges.push((frame.id, self.builder.next_id()));
        }
        self.check_tag(tag_before, None);
        let DecodedScalar { span, text, flags } = decoded;
        self.builder.scalar(Tag::Key, span, text, flags);
        self.added(span.end);
    }

    fn value(
        &mut self,
        found: RawScalar<'_>,
        decoded: DecodedScalar,
        tag_before: Option<(YamlTag, Span)>,
    ) {
        let DecodedScalar { span, text, mut flags } = decoded;
        let mut resolved = match tag_before {
            None if found.style != Style::Plain => ResolvedScalar::String,
            Some((YamlTag::String, _)) => ResolvedScalar::String,
            // A value with an unknown tag is treated as text.
            Some((YamlTag::Other, _)) if !span.is_empty() => ResolvedScalar::String,
            _ => core_schema::resolve(found.value),
        };
        if !self.check_tag(tag_before, Some(&resolved)) {
            flags |= FAULTY;
        }
        if resolved == ResolvedScalar::NotFinite {
            self.error(ErrorKind::NotFinite, span);
            flags |= FAULTY;
        }
        if span.is_empty() {
            flags &= !BARE;
        }
        let text = match &mut resolved {
            // An empty text without quotes.
            ResolvedScalar::String if span.is_empty() => Some(TextBuilder::at(span.start).finish()),
            ResolvedScalar::String => text,
            // The span of a quoted number with a tag is not the number.
            ResolvedScalar::Int(spelled) | ResolvedScalar::Float(spelled) => {
                let number = spelled.take();
                let differs = number.is_some() || found.style != Style::Plain;
                differs.then(|| whole(&number.unwrap_or_else(|| found.value.to_owned()), span))
            }
            _ => None,
        };
        self.builder.scalar(resolved.tag(), span, text, flags);
        self.added(span.end);
    }

    /// Checks a tag against the value after it. A key has no resolved value. Returns whether they agree.
    fn check_tag(
        &mut self,
        tag_before: Option<(YamlTag, Span)>,
        resolved: Option<&ResolvedScalar>,
    ) -> bool {
        let Some((tag_before, place)) = tag_before else { return true };
        let agrees = match tag_before {
            YamlTag::String => true,
            YamlTag::Other => {
                self.error(ErrorKind::UnknownTag, place);
                return false;
            }
            YamlTag::Int => matches!(resolved, Some(ResolvedScalar::Int(_)) | None),
            YamlTag::Float => {
                matches!(
                    resolved,
                    Some(
                        ResolvedScalar::Int(_)
                            | ResolvedScalar::Float(_)
                            | ResolvedScalar::NotFinite
                    ) | None
                )
            }
            YamlTag::Bool => {
                matches!(resolved, Some(ResolvedScalar::True | ResolvedScalar::False) | None)
            }
            YamlTag::Null => matches!(resolved, Some(ResolvedScalar::Null) | None),
            YamlTag::Object | YamlTag::Array => false,
        };
        if !agrees {
            self.error(ErrorKind::TagMismatch, place);
        }
        agrees
    }

    /// Adds the value of an alias again, or an invalid value if its anchor is unknown.
    fn alias(&mut self, span: Span, target: Option<u32>) {
        if self.expects_name() {
            self.alias_as_name(span, target);
            return;
        }
        let Some(target) = target else {
            self.builder.scalar(Tag::Invalid, span, None, FAULTY);
            self.added(span.end);
            return;
        };
        if self.name_again(span, target) {
            return;
        }
        if self.builder.is_open(target) {
            let place = self.builder.node(target).map_or(span, |node| Span::at(node.span().start));
            let error = SyntaxError::new(ErrorKind::UnknownAlias, span).related(place);
            report(&mut self.errors, error);
            self.builder.scalar(Tag::Invalid, span, None, FAULTY);
        } else {
            self.references.aliases.push((self.builder.next_id(), target));
            self.builder.scalar(Tag::Invalid, span, None, 0);
        }
        self.added(span.end);
    }

    /// Adds a key again as a value, if the anchor is on a key. Returns whether it is.
    fn name_again(&mut self, alias: Span, target: u32) -> bool {
        let Some(name) = self.builder.node(target).filter(|node| node.kind() == Kind::Key) else {
            return false;
        };
        let Some(text) = name.text() else { return false };
        if !self.references.may_copy(text.as_str(), self.builder.text()) {
            self.too_many_copies(alias);
            self.builder.scalar(Tag::Invalid, alias, None, FAULTY);
            self.added(alias.end);
            return true;
        }
        let (text, span, is_plain) = (text.into_owned(), name.span(), name.is_plain());
        let resolved =
            if is_plain { core_schema::resolve(text.as_str()) } else { ResolvedScalar::String };
        let text = match &resolved {
            ResolvedScalar::Int(Some(spelled)) | ResolvedScalar::Float(Some(spelled)) => {
                whole(spelled, span)
            }
            _ => text,
        };
        let flags = if is_plain { BARE } else { 0 };
        self.builder.scalar(resolved.tag(), span, Some(text), flags);
        self.added(span.end);
        true
    }

    /// Adds an alias as a key.
    fn alias_as_name(&mut self, span: Span, target: Option<u32>) {
        let name = target.and_then(|target| self.builder.node(target)).and_then(|node| match node
            .kind()
        {
            Kind::String | Kind::Key => node.as_str(),
            Kind::Number | Kind::Bool => Some(Cow::Borrowed(node.source())),
            _ => None,
        });
        let Some(name) = name else {
            if target.is_some() {
                self.name_not_text(span);
            } else {
                self.unknown_name(span);
            }
            return;
        };
        if self.references.may_copy(&name, self.builder.text()) {
            let name = whole(&name, span);
            self.builder.scalar(Tag::Key, span, Some(name), 0);
            self.added(span.end);
        } else {
            self.too_many_copies(span);
            self.unknown_name(span);
        }
    }

    fn unknown_name(&mut self, span: Span) {
        self.builder.mark_incomplete();
        self.builder.scalar(Tag::Key, span, None, FAULTY | BARE);
        self.added(span.end);
    }

    /// Reports the first alias that is not expanded because the limit is reached.
    fn too_many_copies(&mut self, span: Span) {
        unread::note(&mut self.unread, UnreadReason::Aliases, span);
        if self.errors.iter().all(|error| error.kind != ErrorKind::TooManyNodes) {
            self.error(ErrorKind::TooManyNodes, span);
        }
    }

    /// Returns the tree, the errors and the unread parts.
    pub(super) fn finish(mut self, masks: &[Span]) -> (Tree, Vec<SyntaxError>, Vec<Unread>) {
        self.end_skipped();
        let is_cut_short = !self.frames.is_empty();
        if self.frames.last().is_some_and(|frame| frame.is_object && !frame.expects_name) {
            // Parsing stopped between a key and its value.
            self.builder.scalar(Tag::Invalid, Span::at(self.end), None, FAULTY);
        }
        let mut tree = self.builder.finish();
        if let (Some(place), true) = (self.missing, tree.is_empty() && !is_cut_short) {
            let is_skipped = masks.iter().any(|mask| mask.start >= place.start);
            if !is_skipped {
                report(&mut self.errors, SyntaxError::new(ErrorKind::Empty, place));
            }
        }
        masks::mark_touched(&mut tree, masks);
        let mut errors = self.errors;
        let tree = expand::expand(tree, &self.references, &mut errors, &mut self.unread);
        (tree, errors, self.unread)
    }
}

/// A decoded text that maps to a whole span.
fn whole(text: &str, span: Span) -> DecodedText<'static> {
    let mut builder = TextBuilder::at(span.start);
    builder.spelled(text, span);
    builder.finish()
}
