//! Recognises what the service answers with, and voxlint's own formats.

use voxlint_schema::{DocumentKind, Row, agent, error, facts, settings, stored};
use voxlint_syntax::{Kind, Node};

use super::field_names::FieldCounts;
use super::outcome::Unrecognised;
use super::score::recognise_update;
use crate::quote::quote;

/// Whether this is an error body: a status with a message. Mocks and responses of functions have a `statusCode` as well, but
/// with a body or headers, or for success.
pub(super) fn is_error_body(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let Some(status) = root.get(error::statusCode.row.name) else { return false };
    let is_success = status.decimal().is_some_and(|status| status < 400);
    let has_both = has("message") && has("error");
    (has_both || (!is_success && (has("message") || has("error"))))
        && !["body", "headers", "isBase64Encoded"].into_iter().any(has)
}

/// Why an error body belongs to another service. This one answers with three fields and a status of section 7.
pub(super) fn error_veto(root: Node<'_>) -> Option<Unrecognised> {
    let veto = |why: String| Some(Unrecognised::resembling(DocumentKind::Error, why));
    let mut members = root.members();
    if let Some(member) = members.find(|it| error::TABLE.row(&it.name()).is_none()) {
        return veto(format!("{} belongs to another service", quote(&member.name())));
    }
    if let Some(row) = error::TABLE.rows.iter().find(|row| root.get(row.name).is_none()) {
        return veto(format!("`{}` is missing", row.name));
    }
    let status = root.get(error::statusCode.row.name)?;
    let is_known = |known: u16| match status.kind() {
        Kind::Number => status.decimal().is_none_or(|status| status == i64::from(known)),
        Kind::String => status.as_str().is_none_or(|text| text.trim() == known.to_string()),
        _ => true,
    };
    if error::STATUSES.iter().any(|(known, _)| is_known(*known)) {
        return None;
    }
    veto(format!("the service does not answer {}", quote(status.source())))
}

/// Whether this is a stored state: an agent and a version side by side and nothing else, one of which is certainly of this
/// service.
pub(super) fn is_stored(root: Node<'_>) -> bool {
    let counts = FieldCounts::of(root, &stored::TABLE);
    let part = |row: &Row| root.get(row.name).filter(|part| part.kind() == Kind::Object);
    counts.unknown == 0
        && (part(stored::agent.row).is_some_and(|agent| has_agent_fields(agent) && is_agent(agent))
            || part(stored::version.row).is_some_and(|version| recognise_update(version).is_ok()))
}

/// Whether this is a file of facts: only facts of a workspace, one of which no other file has.
pub(super) fn is_facts(root: Node<'_>) -> bool {
    let telling = [
        facts::fallback_transcribers.row,
        facts::boosted_keyword_providers.row,
        facts::response_eagerness_provider.row,
        facts::transcribers.row,
        facts::knowledge_bases.row,
        facts::phone_numbers.row,
    ];
    let counts = FieldCounts::of(root, &facts::TABLE);
    let caching = facts::features::prompt_caching.row.name;
    let tells_of_caching =
        root.get(facts::features.row.name).is_some_and(|features| features.get(caching).is_some());
    counts.unknown == 0
        && ((counts.known >= 2 && telling.into_iter().any(|row| root.get(row.name).is_some()))
            || tells_of_caching)
}

/// Whether this has the type of an agent or the number of its version, beside another field that only agents have.
pub(super) fn has_agent_fields(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let lists_versions = has("versions") || has("current_version");
    (has("agent_type") && (has("id") || lists_versions || has("current_version_number")))
        || (has("current_version_number") && lists_versions)
}

/// Whether no field belongs to the settings of a version alone. An update that repeats an agent is still an update.
pub(super) fn is_agent(root: Node<'_>) -> bool {
    root.members().all(|member| {
        let name = member.name();
        settings::TABLE.row(&name).is_none() || agent::TABLE.row(&name).is_some()
    })
}

/// Whether no field belongs to the settings of a version alone.
pub(super) fn is_summary(root: Node<'_>) -> bool {
    root.members().all(|member| {
        let name = member.name();
        settings::TABLE.row(&name).is_none() || agent::version_summary::TABLE.row(&name).is_some()
    })
}
