//! What was changed in the service since the repository last knew its stored configuration.

use std::fmt::Write as _;

use voxlint_engine::states::{ThreeStates, ThreeWay};
use voxlint_model::equality::{Side, are_same};
use voxlint_model::masking::{DocumentSecrets, Mask};
use voxlint_model::{Inputs, Stored, quote};

use super::agent_plan::{Drift, DriftKind, PlannedChange};
use crate::diff::{excerpt, short_value};
use crate::{ChangeKind, DocumentKind};

/// Whether two states are spelled alike, as most are, so that nothing was changed.
pub(super) fn is_unchanged(base: &Stored, stored: &Stored) -> bool {
    let [base, stored] = [base, stored].map(Stored::document);
    base.format() == stored.format()
        && base.extent().slice(base.text()) == stored.extent().slice(stored.text())
}

/// Finds the settings that were changed in the service, and marks the changes that overwrite one.
///
/// A setting whose value is unknown on one side may have changed or not, so it is left out.
pub(super) fn find(
    document: &Inputs,
    base: &Stored,
    mask: &mut Mask,
    changes: &mut [PlannedChange],
) -> Vec<Drift> {
    let Some(states) = ThreeStates::of(document, Some(base)) else { return Vec::new() };
    DocumentSecrets::of(base.document(), DocumentKind::Stored).collect(mask);
    let goes_live = changes.iter().any(|change| change.kind == ChangeKind::Publishing);
    let mut found = Vec::new();
    for ThreeWay { row, base, stored, desired } in states.settings() {
        let (Some(was), Some(is)) = (base, stored) else { continue };
        if are_same(was, is) {
            continue;
        }
        let field = format!("/{}", row.name);
        let change = changes
            .iter_mut()
            .find(|change| change.field == field && change.kind != ChangeKind::Repeated);
        let is_overwritten = change.is_some();
        let kind = match desired {
            Some(wanted) if are_same(wanted, is) => DriftKind::Same,
            Some(wanted) if !are_same(wanted, was) => DriftKind::Conflict,
            _ => DriftKind::Service,
        };
        if let Some(change) = change {
            change.overwrites = true;
            change.sentence.push_str(", which overwrites a change made in the service");
        }
        let short = |side: Side<'_>| side.map(|node| mask.value(&excerpt(node)));
        let wanted = desired.flatten();
        let is_published = goes_live && kind == DriftKind::Service && !is_overwritten;
        let mut sentence = sentence(row.name, kind, [was, is], wanted, is_overwritten);
        if is_published {
            sentence.push_str(", and the update publishes that");
        }
        found.push(Drift {
            field,
            kind,
            base: short(was),
            stored: short(is),
            desired: short(wanted),
            sentence: mask.sentence(&sentence),
            is_overwritten,
            is_published,
        });
    }
    let published = found.iter().filter(|drift| drift.is_published);
    let names: Vec<&str> = published.filter_map(|drift| drift.field.strip_prefix('/')).collect();
    let publishing = changes.iter_mut().find(|change| change.kind == ChangeKind::Publishing);
    if let Some(publishing) = publishing.filter(|_| !names.is_empty()) {
        let what = if names.len() == 1 { "a change" } else { "changes" };
        let names = quote::all(names);
        let _ = write!(publishing.sentence, ", with {what} that only the service has: {names}");
    }
    found
}

fn sentence(
    name: &str,
    kind: DriftKind,
    [was, is]: [Side<'_>; 2],
    wanted: Side<'_>,
    is_overwritten: bool,
) -> String {
    let in_service = match (was.map(short_value), is.map(short_value)) {
        (Some(was), Some(is)) => format!("changed in the service from {was} to {is}"),
        (None, Some(is)) => format!("set in the service to {is}"),
        (was, _) => format!("unset in the service (it was {})", was.unwrap_or_default()),
    };
    match kind {
        DriftKind::Same => format!("`{name}` was {in_service}, as it was here"),
        DriftKind::Conflict => {
            let here = wanted.map(short_value);
            let here = here.map_or_else(|| "unset here".to_owned(), |it| format!("{it} here"));
            format!("`{name}` was {in_service}, and is {here}")
        }
        DriftKind::Service if is_overwritten => {
            format!("`{name}` was {in_service}, and the update changes it back")
        }
        DriftKind::Service => format!("`{name}` was {in_service}"),
    }
}
