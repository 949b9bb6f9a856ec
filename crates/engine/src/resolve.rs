//! Turns verdicts into diagnostics: places become spans and pointers.

use std::collections::BTreeMap;
use std::ops::Range;

use voxlint_model::Document;
use voxlint_model::diagnostic::{INVALID_STORED_VALUE, MAX_FIXES};
use voxlint_model::place::{Part, Place};
use voxlint_model::pointer::escape_token;
use voxlint_model::readings::{SetReading, by_readings};
use voxlint_model::rule::Property;
use voxlint_model::verdict::{
    Condition, Finding, ProposedEdit, ProposedFix, Replacement, Subject, Verdict,
};
use voxlint_model::{
    Diagnostic, Fix, Inputs, Origin, Related, RuleRef, Safety, VerdictKind, counted,
};
use voxlint_schema::DocumentKind;
use voxlint_syntax::edit::Editor;
use voxlint_syntax::{DecodedText, Format, Kind, Node, NodeId, Pointers, Span};

use super::found::{Found, MAX_LISTED, Unlisted};
use super::{dedup, note};
use crate::fixes::guarded::is_guarded;
use crate::{Gate, Trace};
use voxlint_syntax::TextEdit;

/// The number of new parts of a string from which on they are read back together.
const MANY_PARTS: usize = 8;

/// Turns the places of findings into spans and pointers.
pub struct Resolver<'a> {
    kind: DocumentKind,
    inputs: &'a Inputs,
    /// The inputs that a finding points into.
    read: BTreeMap<Origin, Input<'a>>,
    decoded: Option<(Origin, NodeId, DecodedText<'a>)>,
    offers_fixes: bool,
    /// The number of fixes that may follow.
    fixes_left: usize,
}

/// One of the inputs, and the pointers to its values, computed on first use.
struct Input<'a> {
    document: &'a Document,
    pointers: Option<Pointers>,
    editor: Editor<'a>,
}

impl<'a> Input<'a> {
    fn new(document: &'a Document) -> Self {
        Self { document, pointers: None, editor: Editor::new(document.tree(), document.format()) }
    }

    fn pointer(&mut self, node: NodeId) -> String {
        let tree = self.document.tree();
        self.pointers.get_or_insert_with(|| tree.pointers()).pointer(tree, node)
    }
}

impl<'a> Resolver<'a> {
    /// A resolver for these inputs.
    pub fn new(kind: DocumentKind, inputs: &'a Inputs) -> Self {
        Self {
            kind,
            inputs,
            read: BTreeMap::new(),
            decoded: None,
            offers_fixes: inputs.offers_fixes,
            // A run that applies them applies all at once, instead of checking a long list again after each thousand.
            fixes_left: if inputs.looks_ahead { usize::MAX } else { MAX_FIXES },
        }
    }

    /// The diagnostics in the order of the text.
    pub(crate) fn resolve(mut self, found: Found, trace: &mut Trace) -> Vec<Diagnostic> {
        let (listed, unlisted) = found.into_parts();
        self.read_parts(&listed);
        let mut diagnostics = Vec::with_capacity(listed.len());
        let mut repeated = Vec::new();
        for (rule, mut verdict) in listed {
            let key = verdict.finding_mut().and_then(|finding| finding.merge_key.take());
            let Some(diagnostic) = self.diagnostic(rule, verdict) else { continue };
            match key {
                Some(key) => repeated.push((key, diagnostic)),
                None => diagnostics.push(diagnostic),
            }
        }
        let before = trace.places(&diagnostics);
        if !self.inputs.keeps_weaker {
            dedup::drop_weaker(&mut diagnostics);
        }
        trace.dropped(before, &diagnostics, Gate::Weaker, |place| {
            let left = diagnostics.iter().find(|left| (left.origin, left.span) == place);
            left.map_or_else(String::new, |left| left.rule.id.to_string())
        });
        let before = trace.places(repeated.iter().map(|(_, found)| found));
        let merged = dedup::merge_repeated(repeated);
        trace.dropped(before, &merged, Gate::Merged, |_| String::new());
        diagnostics.extend(merged);
        for unlisted in unlisted {
            trace.add(&unlisted.rule, None, Gate::Unlisted, &unlisted.count);
            diagnostics.extend(self.unlisted(unlisted));
        }
        diagnostics.sort_by(dedup::text_order);
        diagnostics
    }

    /// Reads back the new parts of each string together, where there are many.
    fn read_parts(&mut self, listed: &[(RuleRef, Verdict)]) {
        type NewPart<'a> = (Range<usize>, &'a str);
        if !self.offers_fixes {
            return;
        }
        let mut strings: BTreeMap<(Origin, NodeId), Vec<NewPart<'_>>> = BTreeMap::new();
        let findings = listed.iter().filter_map(|(_, verdict)| verdict.finding());
        let fixes = findings.filter_map(|finding| finding.fix.as_ref()).take(self.fixes_left);
        for edit in fixes.flat_map(|fix| &fix.edits) {
            if let ProposedEdit::Replace { at, replacement: Replacement::Part(text) } = edit
                && let (Part::Decoded(range), Some(node)) = (&at.part, at.node)
            {
                strings.entry((at.origin, node)).or_default().push((range.clone(), text));
            }
        }
        for ((origin, node), mut parts) in strings {
            if parts.len() < MANY_PARTS {
                continue;
            }
            parts.sort_by_key(|(range, _)| (range.start, range.end));
            let mut end = 0;
            parts.retain(|(range, _)| {
                let is_after = range.start >= end;
                end = if is_after { range.end } else { end };
                is_after
            });
            if let Some(input) = self.input_mut(origin)
                && let Some(node) = input.document.tree().node(node)
            {
                input.editor.read_parts(node, &parts);
            }
        }
    }

    /// The finding that stands for those that are not listed: as severe as the worst of them, and about the whole document, so
    /// that nothing that hides one of them hides the others.
    fn unlisted(&mut self, unlisted: Unlisted) -> Option<Diagnostic> {
        let Unlisted { rule, count, worst } = unlisted;
        let id = rule.id.clone();
        let verb = if count == 1 { "is" } else { "are" };
        let more = counted(count, "more finding");
        let message = format!(
            "{more} of `{id}` {verb} not listed: a report lists at most {MAX_LISTED} of one rule"
        );
        let root = self.inputs.document.tree().root();
        let one = self.diagnostic(rule, worst)?;
        let span = root.map_or_else(Span::default, Node::opening);
        let mut all = Diagnostic::new(one.rule, one.verdict, span, message);
        all.severity = one.severity;
        (all.status, all.other_status) = (one.status, one.other_status);
        all.count = count;
        Some(all)
    }

    fn diagnostic(&mut self, rule: RuleRef, verdict: Verdict) -> Option<Diagnostic> {
        let (mut finding, condition, verdict) = match verdict {
            Verdict::Holds
            | Verdict::Undecided
            | Verdict::Undecidable(_)
            | Verdict::Unreported(..) => return None,
            Verdict::Reject(finding) => (finding, None, VerdictKind::Reject),
            Verdict::Possible(finding, condition) => {
                (finding, Some(condition), VerdictKind::Possible)
            }
            Verdict::Advice(finding) => (finding, None, VerdictKind::Advice),
        };
        // The service receives JSON, whatever format the file has.
        let is_unseen = finding.at.origin == Origin::Document
            && !matches!(self.inputs.document.format(), Format::Json | Format::Jsonc)
            && rule.has(Property::Writing);
        let is_answered = self.kind.is_sent() && verdict != VerdictKind::Advice && !is_unseen;
        let status = rule.status.filter(|_| is_answered);
        let section = finding.section.unwrap_or(rule.section);
        let is_reading =
            matches!(condition, Some(Condition::Readings(_) | Condition::Unknowable(_)));
        let assumes = match &condition {
            Some(condition) => condition.assumptions().to_vec(),
            None => std::mem::take(&mut finding.assumes),
        };
        let depends_on = condition.map(|condition| condition.to_clause());
        let other_status = finding.other_status.or(rule.other_status);
        let statuses = status.zip(Some(other_status));
        let mut note = note::note(self.kind, verdict, statuses, section, depends_on.as_deref());
        let team = &self.inputs.readings;
        let settled_by: Vec<SetReading> = match verdict {
            VerdictKind::Reject => {
                assumes.iter().filter_map(|it| team.get(it.reading).cloned()).collect()
            }
            _ => Vec::new(),
        };
        if let (Some(note), Some(words)) = (&mut note, by_readings(&settled_by)) {
            note.push_str(", ");
            note.push_str(&words);
        }
        let origin = finding.at.origin;
        if origin == Origin::Stored && verdict != VerdictKind::Advice {
            note = note.map(|note| format!("{INVALID_STORED_VALUE}, and {note}"));
        }
        let field = self.field(&finding);
        let related = finding
            .related
            .iter()
            .map(|(place, words)| {
                Related::new(place.origin, self.pointer(place), self.span(place), words.to_string())
            })
            .collect();
        let span = self.span(&finding.at);
        let mut diagnostic = Diagnostic::new(rule, verdict, span, finding.message);
        if let Some(severity) = finding.severity {
            diagnostic.severity = severity;
        }
        diagnostic.status = status;
        diagnostic.other_status = other_status.filter(|_| status.is_some());
        (diagnostic.field, diagnostic.origin) = (field, origin);
        diagnostic.label = finding.label.map(std::borrow::Cow::into_owned);
        (diagnostic.help, diagnostic.note) = (finding.help, note);
        diagnostic.depends_on = depends_on;
        diagnostic.is_reading = is_reading || !settled_by.is_empty();
        (diagnostic.assumes, diagnostic.settled_by) = (assumes, settled_by);
        diagnostic.unless = finding.unless.map(|it| it.assumptions().to_vec());
        diagnostic.related = related;
        diagnostic.fixes = finding.fix.and_then(|fix| self.fix(fix)).into_iter().collect();
        diagnostic.count = finding.count;
        Some(diagnostic)
    }

    fn field(&mut self, finding: &Finding) -> String {
        match &finding.field {
            Subject::Here => self.effective_pointer(&finding.at),
            Subject::Value(value) => self.effective_pointer(value),
            Subject::MissingMember(name) => {
                format!("{}/{name}", self.effective_pointer(&finding.at))
            }
            Subject::MissingFrom(object, name) => {
                format!("{}/{name}", self.effective_pointer(object))
            }
            Subject::Setting(row) => format!("/{}", row.name),
            Subject::Root => String::new(),
        }
    }

    /// The pointer to a place in its own input.
    fn pointer(&mut self, place: &Place) -> String {
        let (Some(node), Some(input)) = (place.node, self.input_mut(place.origin)) else {
            return String::new();
        };
        input.pointer(node)
    }

    /// The pointer of a place in the effective configuration. Settings may be inside a stored configuration.
    pub fn effective_pointer(&mut self, place: &Place) -> String {
        let pointer = self.pointer(place);
        if let Origin::Text(at) = place.origin {
            let row = self.inputs.texts.get(usize::from(at)).map(|text| text.field.name);
            return row.map_or(pointer, |name| format!("/{name}"));
        }
        if place.origin != Origin::Stored {
            return pointer;
        }
        let names = voxlint_schema::stored::version.row.name;
        match pointer.strip_prefix('/').and_then(|rest| rest.strip_prefix(names)) {
            Some(inner) if inner.starts_with('/') => inner.to_owned(),
            _ => pointer,
        }
    }

    fn input_mut(&mut self, origin: Origin) -> Option<&mut Input<'a>> {
        let document = self.inputs.document_of(origin)?;
        Some(self.read.entry(origin).or_insert_with(|| Input::new(document)))
    }

    /// The characters of a place.
    pub fn span(&mut self, place: &Place) -> Span {
        let input = self.inputs.document_of(place.origin);
        let node = || input?.tree().node(place.node?);
        match &place.part {
            Part::Bytes(span) => *span,
            Part::Whole => node().map_or_else(Span::default, Node::span),
            Part::Name => {
                node().map_or_else(Span::default, |node| node.name().unwrap_or(node).span())
            }
            Part::FirstLine => node().map_or_else(Span::default, |node| {
                let span = node.span();
                let line = node.source().lines().next().unwrap_or_default();
                Span::new(span.start, span.start + line.len() as u32)
            }),
            Part::Opening => node().map_or_else(Span::default, Node::opening),
            Part::Decoded(range) => node()
                .and_then(|node| self.text(place.origin, node))
                .map_or_else(Span::default, |text| text.to_source(range.clone())),
        }
    }

    /// A string with the map back to the file, decoded once for all places in it.
    fn text(&mut self, origin: Origin, node: Node<'a>) -> Option<&DecodedText<'a>> {
        let is_known =
            matches!(&self.decoded, Some((of, id, _)) if (*of, *id) == (origin, node.id()));
        if !is_known {
            self.decoded = Some((origin, node.id(), node.text()?));
        }
        self.decoded.as_ref().map(|(.., text)| text)
    }

    /// The fix with byte spans; `None` if the format cannot express it there.
    fn fix(&mut self, fix: ProposedFix) -> Option<Fix> {
        if !self.offers_fixes || self.fixes_left == 0 {
            return None;
        }
        let origin = fix.edits.first()?.place().origin;
        // Stored values and facts cannot be edited in a file.
        let is_editable =
            |edit: &ProposedEdit| edit.place().is_in_document() && edit.place().origin == origin;
        if !fix.edits.iter().all(is_editable) {
            return None;
        }
        let (mut edits, mut changes, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        let mut safety = fix.safety;
        for edit in fix.edits {
            changes.extend(self.changes(&edit));
            match edit {
                ProposedEdit::Remove { at } => removed.push(at),
                edit => edits.extend(self.edit(edit)?),
            }
        }
        if !removed.is_empty() {
            let (removal, has_comment) = self.remove(&removed)?;
            edits.extend(removal);
            // A comment may say what the author meant.
            if has_comment {
                safety = Safety::Unsafe;
            }
        }
        // What publishes, moves a number or changes a function is for a person to decide.
        if changes.iter().any(|pointer| is_guarded(pointer)) {
            safety = Safety::Unsafe;
        }
        edits.sort_by_key(|edit| edit.span);
        if !edits.is_sorted_by(|a, b| a.span.end <= b.span.start) {
            return None;
        }
        self.fixes_left -= 1;
        let mut fix = Fix::new(fix.title, safety, origin, edits);
        fix.changes = changes;
        Some(fix)
    }

    /// The pointers to the values that a change of a fix is about.
    fn changes(&mut self, edit: &ProposedEdit) -> Vec<String> {
        let place = edit.place();
        // The correction of a syntax error is to change no value, but the whole of a text file is one.
        if place.node.is_none() && !matches!(place.origin, Origin::Text(_)) {
            return Vec::new();
        }
        let pointer = self.effective_pointer(place);
        let sibling = |name: &str| {
            let object = pointer.rsplit_once('/').map_or("", |(object, _)| object);
            format!("{object}/{}", escape_token(name))
        };
        match edit {
            ProposedEdit::Replace { at, replacement: Replacement::Text(name) }
                if self.is_name(at) =>
            {
                vec![pointer.clone(), sibling(name)]
            }
            ProposedEdit::Insert { name, .. } => vec![format!("{pointer}/{}", escape_token(name))],
            ProposedEdit::Replace { .. } | ProposedEdit::Remove { .. } => vec![pointer],
        }
    }

    /// Whether a place is the name of a member.
    fn is_name(&self, place: &Place) -> bool {
        let node = || self.inputs.document_of(place.origin)?.tree().node(place.node?);
        place.part == Part::Name || node().is_some_and(|node| node.kind() == Kind::Key)
    }

    /// The edits of a change.
    fn edit(&mut self, edit: ProposedEdit) -> Option<Vec<TextEdit>> {
        match edit {
            ProposedEdit::Replace { at, replacement } => self.replace(&at, &replacement),
            ProposedEdit::Remove { at } => self.remove(&[at]).map(|(edits, _)| edits),
            ProposedEdit::Insert { object, name, value } => {
                let input = self.input_mut(object.origin)?;
                let node = input.document.tree().node(object.node?)?;
                input.editor.insert(node, name, value.value()?)
            }
        }
    }

    fn replace(&mut self, at: &Place, replacement: &Replacement) -> Option<Vec<TextEdit>> {
        if let (Part::Bytes(span), Replacement::Literal(text)) = (&at.part, replacement) {
            return Some(vec![TextEdit::new(*span, text.as_str())]);
        }
        let input = self.input_mut(at.origin)?;
        let node = input.document.tree().node(at.node?)?;
        match (&at.part, replacement) {
            (Part::Decoded(range), Replacement::Part(text)) => {
                input.editor.replace_part(node, range.clone(), text)
            }
            (Part::Name, replacement) => input.editor.replace(node.name()?, replacement.value()?),
            (Part::Whole, replacement) => input.editor.replace(node, replacement.value()?),
            _ => None,
        }
    }

    /// Removes values together: what is between them depends on what stays. Also returns whether a comment goes with them.
    fn remove(&mut self, places: &[Place]) -> Option<(Vec<TextEdit>, bool)> {
        let input = self.input_mut(places.first()?.origin)?;
        let tree = input.document.tree();
        let nodes: Vec<Node<'_>> =
            places.iter().map(|place| tree.node(place.node?)).collect::<Option<_>>()?;
        let edits = input.editor.remove(&nodes)?;
        let has_comment = input.editor.removes_comment(&edits);
        Some((edits, has_comment))
    }
}
