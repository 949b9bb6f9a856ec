//! What no safe fix may set: whether an update publishes, the numbers that it moves, and what its functions do.

use voxlint_model::equality::is_same;
use voxlint_model::fields::GetField as _;
use voxlint_model::{Diagnostic, Fix, Inputs, Origin, Report, Safety};
use voxlint_schema::{Row, settings};
use voxlint_syntax::Member;

use super::batch::corrects_syntax;
use voxlint_syntax::TextEdit;

/// The fields whose values decide what callers reach.
static GUARDED: [&Row; 6] = [
    settings::is_published.row,
    settings::update_deployment.row,
    settings::inbound_phone_number_id.row,
    settings::outbound_phone_number_id.row,
    settings::default_dynamic_variables.row,
    settings::agent_functions.row,
];

/// Whether a pointer leads to a guarded value or into it.
pub(crate) fn is_guarded(pointer: &str) -> bool {
    let name = pointer.split('/').nth(1);
    name.is_some_and(|name| GUARDED.iter().any(|row| row.name == name))
}

/// The maximum number of corrections that are tried to see what they set.
const MAX_TRIED: usize = 16;

/// Makes those corrections of syntax errors unsafe that set a guarded value: one that no reader could read before, or one that a
/// moved quote may take into another text.
pub(super) fn demote(inputs: &Inputs, report: &mut Report) {
    let mut tried = 0;
    for finding in &mut report.diagnostics {
        let Diagnostic { fixes, .. } = &*finding;
        let is_safe = |fix: &Fix| {
            fix.safety == Safety::Safe
                && fix.origin == Origin::Document
                && corrects_syntax(finding, fix)
        };
        let sets: Vec<bool> = fixes
            .iter()
            .map(|fix| is_safe(fix) && sets_guarded(inputs, &fix.edits, &mut tried))
            .collect();
        for (fix, sets) in finding.fixes.iter_mut().zip(sets) {
            if sets {
                fix.safety = Safety::Unsafe;
            }
        }
    }
}

fn sets_guarded(inputs: &Inputs, edits: &[TextEdit], tried: &mut usize) -> bool {
    let document = &inputs.document;
    let Some(root) = document.tree().root() else { return false };
    let text = document.text();
    let is_before = |member: &Member<'_>, edit: &TextEdit| {
        let (start, end) = (member.key.span().start, edit.span.end);
        let between = text.get(end as usize..start as usize);
        between.is_some_and(|between| !between.contains('\n'))
    };
    let is_around = |member: &Member<'_>, edit: &TextEdit| {
        member.key.span().start <= edit.span.end && edit.span.start <= member.value.span().end
    };
    let quotes = |text: &str| text.bytes().filter(|byte| matches!(byte, b'"' | b'\'')).count();
    let moves_quote = |edit: &TextEdit| quotes(&edit.text) != quotes(edit.span.slice(text));
    let members =
        || root.members().filter(|member| GUARDED.iter().any(|row| row.name == member.name()));
    if edits.iter().any(|edit| moves_quote(edit) && members().any(|it| is_before(&it, edit))) {
        return true;
    }
    if !edits.iter().any(|edit| members().any(|member| is_around(&member, edit))) {
        return false;
    }
    *tried += 1;
    let after =
        if *tried <= MAX_TRIED { inputs.edited(Origin::Document, edits, false) } else { None };
    let Some(after) = after else { return true };
    let new = after.document.tree().root();
    let flag = settings::is_published.row;
    let sets_flag = members().any(|member| {
        member.name() == flag.name
            && edits.iter().any(|edit| {
                let value = member.value.span();
                edit.span.start < value.end && value.start < edit.span.end
            })
    });
    sets_flag
        || GUARDED.iter().any(|row| match (root.field(row), new.and_then(|new| new.field(row))) {
            (Some(old), Some(new)) => !is_same(old, new),
            (old, new) => old.is_some() != new.is_some(),
        })
}
