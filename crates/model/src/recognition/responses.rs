//! Recognises what the service answers with, and voxlint's own formats.

use voxlint_schema::{DocumentKind, Row, agent, error, facts, settings, stored};
use voxlint_syntax::{Kind, Node};

use super::field_names::{FieldCounts, FieldNames};
use super::outcome::Unrecognised;
use super::score::recognise_update;
use crate::fields::{GetField as _, RowOf as _};
use crate::quote::quote;
use crate::secret::mask_text;

/// Whether this is an error body: a status with a message. Mocks and responses of functions have a `statusCode` as well, but
/// with a body or headers, or for success.
pub(super) fn is_error_body(root: Node<'_>, names: &FieldNames) -> bool {
    let texts = [error::message.row, error::error.row];
    if !names.has(error::statusCode.row) || !names.has_any(&texts) {
        return false;
    }
    let status = root.field(error::statusCode.row).and_then(Node::decimal);
    let is_success = status.is_some_and(|status| status < 400);
    let has_both = texts.into_iter().all(|row| names.has(row));
    (has_both || !is_success)
        && !["body", "headers", "isBase64Encoded"].into_iter().any(|name| root.get(name).is_some())
}

/// Why an error body belongs to another service. This one answers with three fields and a status of section 7.
pub(super) fn error_veto(root: Node<'_>) -> Option<Unrecognised> {
    let veto = |why: String| Some(Unrecognised::resembling(DocumentKind::Error, why));
    let mut members = root.members();
    if let Some(member) = members.find(|it| error::TABLE.row_of(*it).is_none()) {
        return veto(format!("{} belongs to another service", quote(&mask_text(&member.name()))));
    }
    if let Some(row) = error::TABLE.rows.iter().find(|row| root.field(row).is_none()) {
        return veto(format!("`{}` is missing", row.name));
    }
    let status = root.field(error::statusCode.row)?;
    let is_known = |known: u16| match status.kind() {
        Kind::Number => status.decimal().is_none_or(|status| status == i64::from(known)),
        Kind::String => status.as_str().is_none_or(|text| text.trim() == known.to_string()),
        _ => true,
    };
    if error::STATUSES.iter().any(|(known, _)| is_known(*known)) {
        return None;
    }
    veto(format!("the service does not answer {}", quote(&mask_text(status.source()))))
}

/// Whether this is a stored configuration: an agent and a version side by side and nothing else, one of which is certainly of this
/// service.
pub(super) fn is_stored(root: Node<'_>, names: &FieldNames) -> bool {
    let part = |row: &Row| root.field(row).filter(|part| part.kind() == Kind::Object);
    let is_an_agent = |part| has_agent_fields(&FieldNames::of(part)) && is_agent(part);
    names.has_any(&[stored::agent.row, stored::version.row])
        && FieldCounts::of(root, &stored::TABLE).unknown == 0
        && (part(stored::agent.row).is_some_and(is_an_agent)
            || part(stored::version.row).is_some_and(|version| recognise_update(version).is_ok()))
}

/// Whether this is a file of facts: only facts of a workspace, one of which no other file has.
pub(super) fn is_facts(root: Node<'_>, names: &FieldNames) -> bool {
    let telling = names.has_any(&[
        facts::fallback_transcribers.row,
        facts::boosted_keyword_providers.row,
        facts::response_eagerness_provider.row,
        facts::transcribers.row,
        facts::knowledge_bases.row,
        facts::phone_numbers.row,
    ]);
    if !telling && !names.has(facts::features.row) {
        return false;
    }
    let counts = FieldCounts::of(root, &facts::TABLE);
    let caching = facts::features::prompt_caching.row;
    let tells_of_caching =
        || root.field(facts::features.row).is_some_and(|it| it.field(caching).is_some());
    counts.unknown == 0 && ((counts.known >= 2 && telling) || tells_of_caching())
}

/// Whether this has the type of an agent or the number of its version, beside another field that only agents have.
pub(super) fn has_agent_fields(names: &FieldNames) -> bool {
    let has_type = names.has(agent::agent_type.row);
    let has_number = names.has(agent::current_version_number.row);
    let lists_versions = names.has_any(&[agent::versions.row, agent::current_version.row]);
    (has_type && (names.has(agent::id.row) || lists_versions || has_number))
        || (has_number && lists_versions)
}

/// Whether this has the number of a version and the id of its agent.
pub(super) fn has_summary_fields(names: &FieldNames) -> bool {
    use agent::version_summary::{agent_id, version_number};

    names.has(agent_id.row) && names.has(version_number.row)
}

/// Whether no field belongs to the settings of a version alone. An update that repeats an agent is still an update.
pub(super) fn is_agent(root: Node<'_>) -> bool {
    root.members().all(|member| {
        settings::TABLE.row_of(member).is_none() || agent::TABLE.row_of(member).is_some()
    })
}

/// Whether no field belongs to the settings of a version alone.
pub(super) fn is_summary(root: Node<'_>) -> bool {
    root.members().all(|member| {
        settings::TABLE.row_of(member).is_none()
            || agent::version_summary::TABLE.row_of(member).is_some()
    })
}
