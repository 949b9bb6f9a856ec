//! What can be done about findings: their fixes, all safe fixes, suppressions, and the page of the rule.

use std::iter;
use std::sync::Arc;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command,
    Diagnostic, NumberOrString, Range, WorkspaceEdit,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use similar::TextDiff;
use voxlint::fixes::solved;
use voxlint::syntax::edit::apply;
use voxlint::syntax::file_path::is_absolute;
use voxlint::syntax::{Format, Span};
use voxlint::{Document, Origin, Safety, TextEdit};
use voxlint_ide as ide;
use voxlint_ide::File;
use voxlint_project::LintedDocument;
use voxlint_project::paths::{folder_of, relative_or_absolute};

use crate::analysis::{TextPlace, key_of, place_of};
use crate::client::Client;
use crate::context::Context;
use crate::error::Error;
use crate::handlers::commands;
use crate::open_text::LinedText;
use crate::project::{FixedText, Project};
use crate::sync::OpenText;
use crate::{from_protocol, to_protocol};

/// The kind of the action that applies all safe fixes, so that an editor can run it when a file is saved.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.voxlint");

/// The rule about variables that are not in the list of the configuration.
const UNKNOWN_VARIABLE: &str = "unknown-template-variable";

/// The most findings of a request whose actions are offered: each suppression is proven by another check, and no one reads more.
const MAX_FINDINGS: usize = 50;

/// The maximum number of bytes of the documents with these findings: for a longer document, fewer are offered, but always one.
const MAX_BYTES: usize = 2 << 20;

/// The reason of a suppression until the user writes one.
const REASON: &str = "say why";

pub(crate) fn actions(
    context: &Context<'_>,
    project: &mut Project,
    parameters: &CodeActionParams,
) -> Option<CodeActionResponse> {
    let open = context.open.clone()?;
    let only = parameters.context.only.as_deref();
    let is_wanted = |kind: &CodeActionKind| is_wanted(only, kind);
    let client = &context.shared.client;
    let documents = project.with_fixes(&open);
    let mut all = Ranked::default();
    if is_wanted(&CodeActionKind::QUICKFIX) {
        let shown = &parameters.context.diagnostics;
        for document in &documents {
            let actions = Actions { context, open: &open, document, shown };
            let added = actions.in_range(parameters.range, &mut all);
            let mut configured: Vec<(&str, &str)> = Vec::new();
            for (found, place) in added {
                let quick = |title: String| actions.quick(found, &place, title);
                let key = (&*found.rule.id, &*found.field);
                if may_configure(document, found, &open) && !configured.contains(&key) {
                    configured.push(key);
                    let suppression =
                        configured_suppression(context, project, &open, document, found);
                    if let Some((edit, count)) = suppression {
                        let title = format!("suppress `{}` in voxlint.toml", found.rule.id);
                        let action = quick(with_count(title, count));
                        all.add(Rank::Suppress, CodeAction { edit: Some(edit), ..action });
                    }
                }
                if let Some((title, edit)) = add_variable(context, project, &open, document, found)
                {
                    let action = CodeAction { edit: Some(edit), ..quick(title) };
                    all.add(Rank::AddVariable, action);
                }
            }
        }
    }
    let has_safe = documents.iter().any(|document| has_safe_fix(document, &open, context));
    if has_safe && is_wanted(&FIX_ALL) {
        let action = CodeAction {
            title: "apply all safe fixes".to_owned(),
            kind: Some(FIX_ALL),
            data: Wanted::FixAll.in_text(&open),
            ..CodeAction::default()
        };
        all.add(Rank::FixAll, action);
    }
    let mut all = all.finish();
    if !client.resolves_actions {
        all.retain_mut(|action| {
            let resolved = action.data.take().map(|data| edit(context, project, &documents, &data));
            match resolved {
                Some(Ok(edit)) => action.edit = edit,
                Some(Err(_)) => return false,
                None => {}
            }
            true
        });
    }
    Some(all.into_iter().map(CodeActionOrCommand::CodeAction).collect())
}

/// The title of an action, with the number of findings if there are several.
fn with_count(title: String, count: usize) -> String {
    if count > 1 { format!("{title} ({count} findings)") } else { title }
}

/// What comes first in the list of actions. Editors keep this order, and some apply the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Preferred,
    SafeFix,
    Fix,
    FixAll,
    Suppress,
    AddVariable,
    Explain,
}

/// Actions, each once.
#[derive(Default)]
struct Ranked(Vec<(Rank, CodeAction)>);

impl Ranked {
    fn add(&mut self, rank: Rank, action: CodeAction) {
        // One comment may be for several findings.
        let is_edit = rank == Rank::Suppress && action.edit.is_some();
        let is_same = |known: &CodeAction| {
            *known == action || is_edit && known.title == action.title && known.edit == action.edit
        };
        if !self.0.iter().any(|(_, known)| is_same(known)) {
            self.0.push((rank, action));
        }
    }

    /// The actions in the order of their ranks, and else of their findings.
    fn finish(mut self) -> Vec<CodeAction> {
        self.0.sort_by_key(|(rank, _)| *rank);
        self.0.into_iter().map(|(_, action)| action).collect()
    }
}

/// Adds the edit to an action that was sent without it.
pub(crate) fn resolve(
    context: &Context<'_>,
    project: &mut Project,
    action: &CodeAction,
) -> Result<CodeAction, Error> {
    let mut action = action.clone();
    if let (Some(data), Some(open)) = (&action.data, &context.open) {
        let documents = project.with_fixes(open);
        action.edit = edit(context, project, &documents, data)?;
    }
    Ok(action)
}

/// The edit of an action with this data for documents of a text; `None` for a text that is not open.
fn edit(
    context: &Context<'_>,
    project: &mut Project,
    documents: &[LintedDocument],
    data: &Value,
) -> Result<Option<WorkspaceEdit>, Error> {
    let wanted = data.get("wanted").and_then(|wanted| Wanted::deserialize(wanted).ok());
    let (Some(open), Some(wanted)) = (context.open.clone(), wanted) else { return Ok(None) };
    let version = data.get("version").and_then(Value::as_i64);
    if version.is_some_and(|version| version != i64::from(open.version)) {
        return Err(Error::Modified);
    }
    Ok(Some(match wanted {
        Wanted::FixAll => fix_all(context, project, &open),
        Wanted::Suppression { rule, start, end } => {
            let client = &context.shared.client;
            let span = Span::new(start, end.max(start));
            let edit = documents.iter().find_map(|document| {
                document.report.diagnostics.iter().find_map(|found| {
                    let is_it = *found.rule.id == *rule && found.span == span;
                    let place = is_it
                        .then(|| place_of(document, found.origin, &context.texts, client.encoding));
                    let place = place.flatten().filter(|place| place.key == open.key)?;
                    suppression(document, found, &place, client).map(|(edit, _)| edit)
                })
            });
            let message =
                "no comment can suppress it here: add it to `suppressions` in voxlint.toml";
            edit.ok_or_else(|| Error::failed(message))?
        }
    }))
}

/// Whether a client asks for actions of this kind. A kind includes those below it.
fn is_wanted(only: Option<&[CodeActionKind]>, kind: &CodeActionKind) -> bool {
    let includes = |wanted: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(wanted.as_str());
        rest.is_some_and(|rest| {
            rest.is_empty() || rest.starts_with('.') || wanted.as_str().is_empty()
        })
    };
    only.is_none_or(|only| only.is_empty() || only.iter().any(includes))
}

fn has_safe_fix(document: &LintedDocument, open: &OpenText, context: &Context<'_>) -> bool {
    let encoding = context.shared.client.encoding;
    let is_here = |origin| {
        place_of(document, origin, &context.texts, encoding).is_some_and(|it| it.key == open.key)
    };
    let mut fixes = document.report.diagnostics.iter().flat_map(|found| &found.fixes);
    fixes.any(|fix| fix.safety == Safety::Safe && is_here(fix.origin))
}

/// The actions for the findings of one document.
struct Actions<'a> {
    context: &'a Context<'a>,
    open: &'a OpenText,
    document: &'a LintedDocument,
    /// The findings that the client shows.
    shown: &'a [Diagnostic],
}

impl Actions<'_> {
    fn place(&self, origin: Origin) -> Option<TextPlace> {
        place_of(self.document, origin, &self.context.texts, self.context.shared.client.encoding)
    }

    /// Adds the actions for the findings in a range, or at it. Returns the findings and their places.
    fn in_range(&self, range: Range, all: &mut Ranked) -> Vec<(&voxlint::Diagnostic, TextPlace)> {
        let mut added = Vec::new();
        let mut places: Vec<(Origin, Option<TextPlace>)> = Vec::new();
        let length = self.document.inputs.document().text().len();
        let most = (MAX_BYTES / length.max(1)).clamp(1, MAX_FINDINGS);
        for found in &self.document.report.diagnostics {
            if added.len() == most {
                break;
            }
            let known = places.iter().find(|(origin, _)| *origin == found.origin);
            let place = if let Some((_, place)) = known {
                place.clone()
            } else {
                let place = self.place(found.origin).filter(|it| it.key == self.open.key);
                places.push((found.origin, place.clone()));
                place
            };
            let Some(place) = place else { continue };
            let wanted = from_protocol::span(&place, range);
            let is_before = range.end.line < place.lines_before;
            if is_before || found.span.start > wanted.end || found.span.end < wanted.start {
                continue;
            }
            self.of_finding(found, &place, all);
            added.push((found, place));
        }
        added
    }

    /// A quick fix for a finding, and for what the client shows of it.
    fn quick(&self, found: &voxlint::Diagnostic, place: &TextPlace, title: String) -> CodeAction {
        let range = to_protocol::range(place, found.span);
        let id = NumberOrString::String(found.rule.id.to_string());
        let is_it = |it: &&Diagnostic| it.code.as_ref() == Some(&id) && it.range == range;
        CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: self.shown.iter().find(is_it).map(|shown| vec![shown.clone()]),
            ..CodeAction::default()
        }
    }

    fn of_finding(&self, found: &voxlint::Diagnostic, place: &TextPlace, all: &mut Ranked) {
        let client = &self.context.shared.client;
        let quick = |title: String| self.quick(found, place, title);
        let preferred = found.fix(Safety::Safe).map(|fix| &fix.title);
        for fix in &found.fixes {
            let Some(at) = self.place(fix.origin) else { continue };
            let is_safe = fix.safety == Safety::Safe;
            let is_preferred = is_safe && preferred == Some(&fix.title);
            let rank = match (is_preferred, is_safe) {
                (true, _) => Rank::Preferred,
                (false, true) => Rank::SafeFix,
                (false, false) => Rank::Fix,
            };
            let action = CodeAction {
                edit: Some(to_protocol::workspace_edit([(at, fix.edits.clone())], client)),
                is_preferred: Some(is_preferred),
                ..quick(fix.title.clone())
            };
            all.add(rank, action);
        }
        if self.may_suppress(found) {
            let title = format!("suppress `{}` here", found.rule.id);
            if self.has_sibling(found) {
                // One comment may be for all of them, which its title should say.
                if let Some((edit, count)) = suppression(self.document, found, place, client) {
                    let action = quick(with_count(title, count));
                    all.add(Rank::Suppress, CodeAction { edit: Some(edit), ..action });
                }
            } else {
                let data = Wanted::Suppression {
                    rule: found.rule.id.to_string(),
                    start: found.span.start,
                    end: found.span.end,
                };
                let action = quick(title);
                all.add(Rank::Suppress, CodeAction { data: data.in_text(self.open), ..action });
            }
        }
        let command = self.explain(&found.rule.id);
        let action = CodeAction { command: Some(command.clone()), ..quick(command.title) };
        all.add(Rank::Explain, action);
    }

    /// Whether the format has comments, so that one may suppress a finding. Whether it does is found out by another check.
    fn may_suppress(&self, found: &voxlint::Diagnostic) -> bool {
        let format = self.document.inputs.document_of(found.origin).map(Document::format);
        !found.rule.is_syntax() && found.count == 1 && !matches!(format, Some(Format::Json) | None)
    }

    /// Whether the rule has another finding in the same field or on the same line.
    fn has_sibling(&self, found: &voxlint::Diagnostic) -> bool {
        let text = self.document.inputs.document_of(found.origin).map_or("", Document::text);
        let is_on_line = |other: &voxlint::Diagnostic| {
            let first = found.span.start.min(other.span.start);
            let last = found.span.start.max(other.span.start);
            !Span::new(first, last).slice(text).contains(['\n', '\r'])
        };
        let mut all = self.document.report.diagnostics.iter();
        all.any(|other| {
            !std::ptr::eq(other, found)
                && (other.origin, &other.rule.id) == (found.origin, &found.rule.id)
                && (other.field == found.field || is_on_line(other))
        })
    }

    fn explain(&self, rule: &str) -> Command {
        Command {
            title: format!("explain `{rule}`"),
            command: commands::EXPLAIN.to_owned(),
            arguments: Some(vec![json!({ "rule": rule, "uri": self.open.uri })]),
        }
    }
}

/// The edit that suppresses a finding at its place, alone or else with those that a comment cannot tell apart from it, and how
/// many it suppresses.
fn suppression(
    document: &LintedDocument,
    found: &voxlint::Diagnostic,
    place: &TextPlace,
    client: &Client,
) -> Option<(WorkspaceEdit, usize)> {
    let file = File { inputs: &document.inputs, origin: found.origin };
    let (edits, count) = ide::suppress(file, found, REASON)?;
    Some((to_protocol::workspace_edit([(place.clone(), edits)], client), count))
}

/// What an action does whose edit comes later, in the data of the action.
#[derive(Debug, Deserialize, Serialize)]
enum Wanted {
    FixAll,
    Suppression { rule: String, start: u32, end: u32 },
}

impl Wanted {
    fn in_text(&self, open: &OpenText) -> Option<Value> {
        let wanted = serde_json::to_value(self).ok()?;
        Some(json!({ "uri": open.uri, "version": open.version, "wanted": wanted }))
    }
}

/// Whether only the configuration can suppress a finding, because the format of the document has no comments.
fn may_configure(document: &LintedDocument, found: &voxlint::Diagnostic, open: &OpenText) -> bool {
    found.origin == Origin::Document
        && !found.rule.is_syntax()
        && found.count == 1
        && document.document.format() == Format::Json
        && key_of(&document.path) == open.key
}

/// The edit of the project's configuration that suppresses a finding, with the rule's other findings in the same field, and how
/// many these are. It is proven by a check with the edited configuration: all other findings are still there.
fn configured_suppression(
    context: &Context<'_>,
    project: &mut Project,
    open: &Arc<OpenText>,
    document: &LintedDocument,
    found: &voxlint::Diagnostic,
) -> Option<(WorkspaceEdit, usize)> {
    let (path, text) = project.configuration_of(&open.path)?;
    let file = relative_or_absolute(folder_of(&path), &open.key);
    if is_absolute(&file) || file.starts_with("../") {
        return None;
    }
    let new = ide::NewSuppression {
        file: &file,
        pointer: &found.field,
        rule: &found.rule.id,
        reason: REASON,
    };
    let edits = ide::add_suppression(&text, new)?;
    let edited = String::from_utf8(apply(&text, &edits)?).ok()?;
    let findings = |documents: &[LintedDocument]| -> Vec<voxlint::Diagnostic> {
        let own = documents.iter().filter(|it| key_of(&it.path) == key_of(&document.path));
        own.flat_map(|it| it.report.diagnostics.iter().cloned()).collect()
    };
    let before = findings(&project.with_fixes(open));
    let after = findings(&project.check_with_configuration(open, (&path, &edited)));
    let is_covered = |it: &&voxlint::Diagnostic| {
        (it.origin, &it.rule.id, &it.field) == (found.origin, &found.rule.id, &found.field)
    };
    let own = document.report.diagnostics.iter().filter(is_covered);
    let own: Vec<voxlint::Diagnostic> = own.cloned().collect();
    let gone = |before: &[_], after: &[_]| solved(before, after, |_, span| span);
    let count = own.iter().map(|it| it.count).sum();
    let is_proven = count > 0
        && [gone(&before, &after), gone(&own, &after), gone(&after, &before)] == [count, count, 0];
    if !is_proven {
        return None;
    }
    let client = &context.shared.client;
    let place = TextPlace::of_file(path, &text, &context.texts, client.encoding)?;
    Some((to_protocol::workspace_edit([(place, edits)], client), own.len()))
}

/// The action that adds a variable to the configuration, if a finding says that it is unknown.
fn add_variable(
    context: &Context<'_>,
    project: &mut Project,
    open: &OpenText,
    document: &LintedDocument,
    found: &voxlint::Diagnostic,
) -> Option<(String, WorkspaceEdit)> {
    if found.rule.id != UNKNOWN_VARIABLE {
        return None;
    }
    let file = File { inputs: &document.inputs, origin: found.origin };
    let (ide::Name::Variable(name), _) = ide::name_at(file, found.span.start)? else {
        return None;
    };
    let (path, text) = project.configuration_of(&open.path)?;
    let edits = ide::add_known_variable(&text, &name)?;
    let client = &context.shared.client;
    let place = TextPlace::of_file(path, &text, &context.texts, client.encoding)?;
    let title = format!("add `{name}` to the variables of voxlint.toml");
    Some((title, to_protocol::workspace_edit([(place, edits)], client)))
}

/// The edit that applies all safe fixes.
fn fix_all(context: &Context<'_>, project: &mut Project, open: &OpenText) -> WorkspaceEdit {
    let changes = project.fix_all(open).into_iter().map(|change| {
        let FixedText { key: _, lines_before, before, after } = change;
        let mut place = TextPlace::of_open(open);
        if lines_before > 0 || before != open.text.text() {
            place.lines_before = u32::try_from(lines_before).unwrap_or(u32::MAX);
            place.text = LinedText::of_file(&*before, open.text.encoding());
        }
        (place, changed_lines(&before, &after))
    });
    to_protocol::workspace_edit(changes, &context.shared.client)
}

/// The maximum number of lines that are compared one by one. In a longer text, one edit goes from the first line that differs to
/// the last.
const MAX_LINES: usize = 10_000;

/// The edits that turn a text into another one, by lines, so that the cursor stays where it is.
fn changed_lines(before: &str, after: &str) -> Vec<TextEdit> {
    let lines = |text| similar::DiffableStr::tokenize_lines(text);
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(before), lines(after));
    let changed = if old.len().max(new.len()) > MAX_LINES {
        let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let ends = old.iter().skip(first).rev().zip(new.iter().skip(first).rev());
        let last = ends.take_while(|(old, new)| old == new).count();
        vec![(first..old.len() - last, first..new.len() - last)]
    } else {
        let diff = TextDiff::from_slices(&old, &new);
        diff.ops().iter().map(|it| (it.old_range(), it.new_range())).collect()
    };
    let starts = |lines: &[&str]| {
        let ends = lines.iter().scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let (old, new) = (starts(&old), starts(&new));
    let at = |starts: &[usize], line: usize| starts.get(line).copied().unwrap_or_default();
    let edits = changed.into_iter().map(|(from, to)| {
        let span = Span::new(at(&old, from.start) as u32, at(&old, from.end) as u32);
        (span, after.get(at(&new, to.start)..at(&new, to.end)).unwrap_or_default())
    });
    let edits = edits.filter(|(span, text)| span.slice(before) != *text);
    edits.map(|(span, text)| TextEdit::new(span, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_includes_those_below_it() {
        let wanted = |only: &[CodeActionKind]| is_wanted(Some(only), &FIX_ALL);
        assert!(wanted(&[CodeActionKind::SOURCE]) && wanted(&[CodeActionKind::SOURCE_FIX_ALL]));
        assert!(wanted(&[FIX_ALL]) && wanted(&[CodeActionKind::EMPTY]) && wanted(&[]));
        assert!(!wanted(&[CodeActionKind::QUICKFIX, CodeActionKind::new("source.fix")]));
    }

    #[test]
    fn changed_lines_turn_one_text_into_the_other() {
        for (before, after) in
            [("a\nb\nc\n", "a\nB\nc\nd"), ("", "x"), ("x\r\ny\r\n", ""), ("a", "a")]
        {
            let mut text = before.to_owned();
            for edit in changed_lines(before, after).iter().rev() {
                text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            }
            assert_eq!(text, after);
        }
        let (before, after) = ("a\n".repeat(MAX_LINES), "a\n".repeat(MAX_LINES - 2) + "b\na\n");
        let edits = changed_lines(&before, &after);
        assert_eq!((edits.len(), edits[0].text.as_str()), (1, "b\n"));
        assert_eq!(changed_lines(&before, &before), []);
        let (before, after) = ("a\r".repeat(MAX_LINES + 1), "a\r".repeat(MAX_LINES) + "b\r");
        assert_eq!(changed_lines(&before, &after)[0].span.start as usize, 2 * MAX_LINES);
    }
}
