//! What was changed in the service since the repository last knew its stored configuration.

use std::fmt::Write as _;

use voxlint_engine::states::{Desired, States, is_compared, version_of};
use voxlint_model::effective::StoredSetting;
use voxlint_model::equality::is_same;
use voxlint_model::masking::{DocumentSecrets, Mask};
use voxlint_model::{Inputs, Stored, quote};
use voxlint_schema::settings;
use voxlint_syntax::Node;

use super::agent_plan::{Drift, DriftKind, PlannedChange};
use crate::diff::{excerpt, short_value};
use crate::{ChangeKind, DocumentKind};

/// A value of a setting on one side; `None` if it is not set.
type Side<'a> = Option<Node<'a>>;

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
    let Some(stored) = &document.stored else { return Vec::new() };
    let parts = [document.document.tree().root(), stored.parts().version];
    let numbers = parts.into_iter().flatten();
    let mut numbers = numbers.filter_map(|it| it.get(settings::version_number.row.name));
    let Some(number) = numbers.find(|number| number.decimal().is_some()) else {
        return Vec::new();
    };
    DocumentSecrets::of(base.document(), DocumentKind::Stored).collect(mask);
    let (in_base, in_stored) = (version_of(base, number), version_of(stored, number));
    let before = States::new(base, &in_base, &document.document, &document.texts);
    let now = States::new(stored, &in_stored, &document.document, &document.texts);

    let goes_live = changes.iter().any(|change| change.kind == ChangeKind::Publishing);
    let mut found = Vec::new();
    for row in settings::TABLE.rows.iter().copied().filter(|row| is_compared(row)) {
        let setting = now.setting(row);
        let (Some(was), Some(is)) = (side(before.setting(row).old), side(setting.old)) else {
            continue;
        };
        if are_same(was, is) {
            continue;
        }
        let wanted = match setting.new {
            Desired::Value(node) => Some(Some(node)),
            Desired::Empty => Some(None),
            Desired::Omitted => None,
        };
        let field = format!("/{}", setting.row.name);
        let change = changes
            .iter_mut()
            .find(|change| change.field == field && change.kind != ChangeKind::Repeated);
        let is_overwritten = change.is_some();
        let kind = match wanted {
            Some(wanted) if are_same(wanted, is) => DriftKind::Same,
            Some(wanted) if !are_same(wanted, was) => DriftKind::Conflict,
            _ => DriftKind::Service,
        };
        if let Some(change) = change {
            change.overwrites = true;
            change.sentence.push_str(", which overwrites a change made in the service");
        }
        let short = |side: Side<'_>| {
            side.map(|node| {
                let mut value = excerpt(node);
                value = mask.value(&value);
                value
            })
        };
        let is_published = goes_live && kind == DriftKind::Service && !is_overwritten;
        let mut sentence =
            sentence(setting.row.name, kind, [was, is], wanted.flatten(), is_overwritten);
        if is_published {
            sentence.push_str(", and the update publishes that");
        }
        sentence = mask.sentence(&sentence);
        found.push(Drift {
            field,
            kind,
            base: short(was),
            stored: short(is),
            desired: short(wanted.flatten()),
            sentence,
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

fn side(setting: StoredSetting<'_>) -> Option<Side<'_>> {
    match setting {
        StoredSetting::Value(node) => Some(Some(node)),
        StoredSetting::Unset => Some(None),
        StoredSetting::Unknown => None,
    }
}

fn are_same(one: Side<'_>, other: Side<'_>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => is_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
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
