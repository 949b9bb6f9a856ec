//! Suppressing a finding where it is.

use voxlint::syntax::edit::line_break;
use voxlint::syntax::{Format, Kind, LineIndex, Node, Span};
use voxlint::{Diagnostic, Document, Inputs, Origin, Report, SuppressionComment, TextEdit, check};
use voxlint_engine::fixes::{Promise, prove};
use voxlint_template::{NodeKind, parse};

use crate::File;

/// The edit that suppresses a finding of a text with a comment and a reason: above its line, above the field or item that it is in, or
/// at the end of its line. In a template, the comment is one of Handlebars, which renders nothing.
///
/// Where one comment cannot tell the findings of a rule apart, as with two misspelled variables in one prompt, it suppresses the finding
/// together with the rule's other findings in the same field or on the same line. Also returns how many findings that are.
///
/// `None` if the format has no comments, if the reason is empty, or if every comment would suppress something else. The edit is proven:
/// the edited text has the same values and the same findings.
///
/// ```
/// use voxlint::syntax::Format;
/// use voxlint::syntax::edit::apply;
/// use voxlint::{Document, Inputs, check};
/// use voxlint_ide::{File, suppress};
///
/// let text = "version_number: 3\nkb_max_chunks: 12\n";
/// let inputs = Inputs::new(Document::parse_as(text, Format::Yaml));
/// let found = &check(&inputs).diagnostics[0];
/// let (edits, count) = suppress(File::new(&inputs), found, "raised for us").expect("an edit");
/// assert_eq!(count, 1);
/// let edited = String::from_utf8(apply(text, &edits).unwrap()).unwrap();
/// assert_eq!(edited, "version_number: 3\n# voxlint-ignore out-of-range: raised for us\nkb_max_chunks: 12\n");
/// ```
pub fn suppress(
    file: File<'_>,
    found: &Diagnostic,
    reason: &str,
) -> Option<(Vec<TextEdit>, usize)> {
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_writable = !reason.is_empty() && !reason.contains(char::is_control);
    if !is_writable || found.origin != file.origin || found.rule.is_syntax() || found.count != 1 {
        return None;
    }
    let document = file.inputs.document_of(file.origin)?;
    let comment = format!("voxlint-ignore {}: {reason}", found.rule.id);
    let comment = match document.format() {
        Format::Jsonc => format!("// {comment}"),
        Format::Text => {
            if reason.contains("--") || reason.contains("}}") {
                return None;
            }
            format!("{{{{!-- {comment} --}}}}")
        }
        format if format.is_yaml() || format.is_toml() => format!("# {comment}"),
        _ => return None,
    };
    let inputs = file.inputs.clone().without_fixes();
    let report = check(&inputs);
    let is_it = |it: &&Diagnostic| {
        (it.origin, it.span, &it.rule.id, &it.field)
            == (found.origin, found.span, &found.rule.id, &found.field)
    };
    let proof =
        Proof { inputs: &inputs, report: &report, found: report.diagnostics.iter().find(is_it)? };
    let places = places(document, found.span.start);
    let edits = places.into_iter().map(|place| place.edit(document.text(), &comment));
    let mut together = None;
    for edit in edits {
        match proof.suppressed_by(&edit) {
            Some(1) => return Some((vec![edit], 1)),
            Some(count) => together = together.or_else(|| Some((vec![edit], count))),
            None => {}
        }
    }
    together
}

/// A place for a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommentPlace {
    /// On a line of its own above the line that begins at an offset.
    Above(u32),
    /// At the end of a line.
    After(u32),
}

impl CommentPlace {
    fn edit(self, text: &str, comment: &str) -> TextEdit {
        match self {
            Self::Above(start) => {
                let behind = text.get(start as usize..).unwrap_or_default();
                let words = behind.trim_start_matches([' ', '\t']);
                let indentation = behind.get(..behind.len() - words.len()).unwrap_or_default();
                let line_break = line_break(text);
                TextEdit::new(Span::at(start), format!("{indentation}{comment}{line_break}"))
            }
            Self::After(end) => TextEdit::new(Span::at(end), format!(" {comment}")),
        }
    }
}

/// The places where a comment may suppress a finding, the best first.
fn places(document: &Document, at: u32) -> Vec<CommentPlace> {
    let text = document.text();
    let lines = LineIndex::new(text);
    let line = |offset: u32| lines.line_span(text, lines.line_of(offset));
    // An edit cannot come before the mark that begins the file.
    let start = |line: Span| {
        let has_mark = line.start == 0 && text.starts_with('\u{feff}');
        CommentPlace::Above(if has_mark { '\u{feff}'.len_utf8() as u32 } else { line.start })
    };
    let mut places = Vec::new();
    let own = line(at);
    let value = innermost(document, at);
    let first = value.map(|value| value.name().unwrap_or(value).span().start);
    let is_text = document.format() == Format::Text;
    for line in [own, first.and_then(line).filter(|_| !is_text)].into_iter().flatten() {
        let place = start(line);
        // A line inside a text of several lines is part of it.
        let is_inside = !is_text
            && value.is_some_and(|it| it.span().start < line.start && line.start < it.span().end);
        if !is_inside && !places.contains(&place) {
            places.push(place);
        }
    }
    if let Some(line) = own.filter(|_| !is_text) {
        places.push(CommentPlace::After(line.start + line.slice(text).trim_end().len() as u32));
    }
    places
}

/// The innermost value or name with an offset, except for objects and lists.
fn innermost(document: &Document, at: u32) -> Option<Node<'_>> {
    let is_leaf = |node: &Node<'_>| !matches!(node.kind(), Kind::Object | Kind::Array);
    let has_it = |node: &Node<'_>| node.span().start <= at && at < node.span().end;
    document.tree().nodes().filter(is_leaf).find(has_it)
}

/// What is known before the edit.
struct Proof<'a> {
    inputs: &'a Inputs,
    report: &'a Report,
    found: &'a Diagnostic,
}

impl Proof<'_> {
    /// How many findings of the rule an edit suppresses, if it adds a comment that covers the finding and changes nothing else.
    fn suppressed_by(&self, edit: &TextEdit) -> Option<usize> {
        let origin = self.found.origin;
        let edited = self.inputs.with_edits(origin, std::slice::from_ref(edit))?;
        let old = self.inputs.document_of(origin)?;
        let new = edited.document_of(origin)?;
        let report = check(&edited);
        // The comment is in the text of a template.
        let template = match origin {
            Origin::Text(at) => {
                format!("/{}", self.inputs.text_files().get(usize::from(at))?.field().name)
            }
            _ => String::new(),
        };
        let is_text = old.format() == Format::Text;
        let pointers = [&*template];
        let promise = Promise::values(pointers.get(usize::from(!is_text)..)?);
        if !prove(self.inputs, &edited, &promise.same_findings(self.report, &report))
            || is_text && !renders_the_same(old.text(), new.text())
        {
            return None;
        }
        let mut comments = new.suppression_comments();
        let added = Span::new(edit.span.start, edit.span.start + edit.text.len() as u32);
        let comment =
            comments.remove(comments.iter().position(|comment| added.contains(comment.span))?);
        let at = self.report.diagnostics.iter().position(|it| std::ptr::eq(it, self.found))?;
        // The numbers of the findings that a comment covers, which are the same before and after.
        let covered = |report: &Report, comment: &SuppressionComment| -> Vec<usize> {
            let Span { start, end } = comment.covers;
            let findings = report.diagnostics.iter().enumerate();
            let here = findings
                .filter(|(_, it)| it.origin == origin && (start..end).contains(&it.span.start));
            here.map(|(at, _)| at).collect()
        };
        let own = covered(&report, &comment).into_iter();
        let rule = |at: &usize| report.diagnostics.get(*at).map(|it| &it.rule.id);
        let own: Vec<usize> = own.filter(|it| rule(it) == Some(&self.found.rule.id)).collect();
        let others = old.suppression_comments();
        let mut before = others.iter().map(|it| covered(self.report, it));
        let is_alone = comments.len() == others.len()
            && comments.iter().all(|it| before.next() == Some(covered(&report, it)));
        (is_alone && own.contains(&at)).then_some(own.len())
    }
}

/// Whether a template with another comment on a line of its own renders to the same text: Handlebars removes such a line.
fn renders_the_same(old: &str, new: &str) -> bool {
    let outline = |text: &str| {
        let parsed = parse(text);
        let mut text_length = 0;
        let mut kinds = Vec::new();
        for node in parsed.tree.nodes() {
            match node.kind() {
                NodeKind::Comment => {}
                NodeKind::Text => text_length += node.span().len() as usize,
                kind => kinds.push((kind, node.span().of(text).len())),
            }
        }
        (parsed.error.map(|error| error.kind), text_length, kinds.len())
    };
    let (old_error, old_length, old_count) = outline(old);
    let (new_error, new_length, new_count) = outline(new);
    let line_break = line_break(old).len();
    // The line break behind the comment is the only new text.
    (old_error, old_count) == (new_error, new_count) && old_length + line_break == new_length
}
