//! Names as they are written in texts, and the edits that replace them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use voxlint::syntax::{DecodedText, NodeId, Span};
use voxlint::{Inputs, Origin, TextEdit};

use super::new_name::{self, Form};
use super::place::{NamePlace, PlaceRole, is_editable};
use super::rename_error::RenameError;

/// A place where a name is written: that of a template variable or of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) name: String,
    /// The input that it is in.
    pub(super) origin: Origin,
    /// The text or key.
    pub(super) node: NodeId,
    /// The name as bytes of the decoded text, with its brackets or quotes in a tag of a template.
    pub(super) range: Range<usize>,
    /// The name as bytes of the file.
    pub(super) span: Span,
    /// The same name in the closing tag of a section.
    pub(super) closing: Option<(Range<usize>, Span)>,
    /// Whether it is in a tag of a template, where it may have brackets.
    pub(super) is_in_tag: bool,
    pub(super) role: PlaceRole,
}

impl Found {
    /// Whether a rename changes it.
    pub(super) fn is_renamed(&self) -> bool {
        is_editable(self.origin) && self.role != PlaceRole::Possible
    }

    pub(super) fn place(&self, span: Span) -> NamePlace {
        NamePlace { origin: self.origin, span, role: self.role }
    }
}

/// The name at an offset of a text, and its place there.
pub(super) fn at(
    inputs: &Inputs,
    all: &[Found],
    origin: Origin,
    offset: u32,
) -> Option<(String, Span)> {
    let touches = |span: Span| span.start <= offset && offset <= span.end;
    let is_near = |found: &&Found| {
        let closing = found.closing.as_ref().is_some_and(|(_, span)| touches(*span));
        found.origin == origin && (touches(found.span) || closing)
    };
    let found = all.iter().find(is_near)?;
    let places = Texts::of(inputs).places(found);
    let place = places.into_iter().find(|place| touches(place.outer))?;
    Some((found.name.clone(), place.span))
}

/// The places of names, each once.
pub(super) fn places(inputs: &Inputs, all: impl IntoIterator<Item = Found>) -> Vec<NamePlace> {
    let mut texts = Texts::of(inputs);
    let place = |found: Found| {
        let span = texts.places(&found).first().map_or(found.span, |place| place.span);
        found.place(span)
    };
    let mut places: Vec<NamePlace> = all.into_iter().map(place).collect();
    // Aliases of YAML have the same text.
    places.dedup();
    places
}

/// The text with a syntax error, which may hide names.
pub(super) fn check_syntax(inputs: &Inputs) -> Result<(), RenameError> {
    let texts = inputs.text_files().iter().zip(0..);
    let texts = texts.map(|(text, at)| (Origin::Text(at), text.document()));
    let mut all = [(Origin::Document, inputs.document())].into_iter().chain(texts);
    match all.find(|(_, document)| document.has_errors()) {
        Some((origin, _)) => {
            let text =
                if matches!(origin, Origin::Text(_)) { "a text file" } else { "the document" };
            let why = format!("{text} has a syntax error that may hide uses; fix it first");
            Err(RenameError::new(why).at(origin, None))
        }
        None => Ok(()),
    }
}

/// The inputs after a rename, if every text then has the same names in the same order, with the new one in the places of the
/// old one.
pub(super) fn renamed(
    inputs: &Inputs,
    edits: &Edits,
    all: impl Fn(&Inputs) -> Vec<Found>,
    [name, to]: [&str; 2],
) -> Result<Inputs, RenameError> {
    let edit = |inputs: Inputs, (origin, edits): (&Origin, &Vec<TextEdit>)| {
        inputs.with_edits(*origin, edits)
    };
    let names = |inputs: &Inputs, own: &str| -> Vec<_> {
        let found = all(inputs).into_iter();
        // A plain word that is called like a function is not renamed.
        let found = found.filter(|it| it.name != own || it.role != PlaceRole::Possible);
        let place = |it: Found| {
            let is_own = it.name == own && it.is_renamed();
            (it.origin, it.node, it.role, it.is_in_tag, (!is_own).then_some(it.name))
        };
        found.map(place).collect()
    };
    let after = edits.iter().try_fold(inputs.clone(), edit);
    after
        .filter(|after| names(inputs, name) == names(after, to))
        .ok_or_else(|| RenameError::changes_meaning(name, to))
}

/// The edits of each text, in its order.
pub(super) type Edits = BTreeMap<Origin, Vec<TextEdit>>;

/// The edits that write another name in some places.
pub(super) fn edits<'f>(
    inputs: &Inputs,
    own: impl IntoIterator<Item = &'f Found>,
    to: &str,
) -> Result<Edits, RenameError> {
    let mut texts = Texts::of(inputs);
    let mut edits = Edits::new();
    let mut seen = BTreeSet::new();
    for found in own.into_iter().filter(|found| found.is_renamed()) {
        for place in texts.places(found) {
            if !seen.insert((found.origin, place.span)) {
                continue;
            }
            if !place.form.can_write(to) {
                return Err(RenameError::not_a_variable(to));
            }
            let is_plain = place.form == Form::Key && place.outer == place.span;
            let format = inputs.document_of(found.origin).map(voxlint::Document::format);
            let needs_quotes = |format| is_plain && new_name::needs_quotes(to, format);
            if !place.is_exact || format.is_some_and(needs_quotes) {
                return Err(RenameError::spelling().at(found.origin, place.span));
            }
            edits.entry(found.origin).or_default().push(TextEdit::new(place.span, to));
        }
    }
    for edits in edits.values_mut() {
        edits.sort_by_key(|edit| edit.span);
        edits.dedup();
    }
    Ok(edits)
}

/// A name as it is written.
struct Written {
    /// The name with its brackets or quotes.
    outer: Span,
    /// The name.
    span: Span,
    /// Whether the bytes of the file are those of the name.
    is_exact: bool,
    form: Form,
}

/// The texts that names are in. Names in one text follow each other, so the last one is kept.
struct Texts<'a> {
    inputs: &'a Inputs,
    last: Option<((Origin, NodeId), DecodedText<'a>)>,
}

impl<'a> Texts<'a> {
    const fn of(inputs: &'a Inputs) -> Self {
        Self { inputs, last: None }
    }

    /// A name and its closing tag.
    fn places(&mut self, found: &Found) -> Vec<Written> {
        let at = (found.origin, found.node);
        if self.last.as_ref().is_none_or(|(last, _)| *last != at) {
            let document = self.inputs.document_of(found.origin);
            let node = document.and_then(|document| document.tree().node(found.node));
            self.last = node.and_then(|node| Some((at, node.text()?)));
        }
        let source = self.inputs.document_of(found.origin).map_or("", |it| it.text());
        let Some((_, text)) = &self.last else { return Vec::new() };
        let own = (found.range.clone(), found.span);
        let all = [own].into_iter().chain(found.closing.clone());
        let written = |(range, outer): (Range<usize>, Span)| {
            let written = text.as_str().get(range.clone()).unwrap_or_default();
            let form = if found.is_in_tag { Form::of(written) } else { Form::Key };
            let inner = match form {
                Form::Bracketed | Form::Quoted => {
                    range.start + 1..range.end.saturating_sub(1).max(range.start + 1)
                }
                Form::Bare | Form::Key => range,
            };
            let span = text.to_source(inner.clone());
            let is_exact = text.as_str().get(inner) == Some(span.slice(source))
                && span.slice(source) == found.name;
            Written { outer, span, is_exact, form }
        };
        all.map(written).collect()
    }
}
