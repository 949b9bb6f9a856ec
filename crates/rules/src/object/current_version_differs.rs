use voxlint_model::quote::{label_of_difference, quoted_value};
use voxlint_schema::agent::version_summary::{TABLE as SUMMARY, agent_id, version_number};
use voxlint_schema::agent::{TABLE, current_version, current_version_number};

use super::shared::{is_listed, listed_versions};
use crate::prelude::*;

rule! {
    /// The current version of an agent contradicts the rest of the agent.
    ///
    /// `current_version` is the summary of the version that `current_version_number` names, and `versions` repeats that
    /// summary. If two of the three contradict each other, one is stale.
    ///
    /// ```json,advice
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "current_version_number": 2,
    ///   "current_version": { "version_number": 1 }
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "current_version_number": 2,
    ///   "current_version": { "version_number": 2, "voice_id": "vo_asha" },
    ///   "versions": [{ "version_number": 2, "voice_id": "vo_ravi" }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "current_version_number": 2,
    ///   "current_version": { "version_number": 2, "voice_id": "vo_asha" },
    ///   "versions": [{ "version_number": 2, "voice_id": "vo_asha" }]
    /// }
    /// ```
    "current-version-differs": Object {
        group: Suspicious,
        basis: Stated,
        section: "2.1",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Checked<Verdict> {
    let (summary, _) = object.get(&current_version).ok_or(NoFinding::Holds)?;
    let summary = object.inner(summary, &SUMMARY);
    let (number, number_at) = summary.whole(&version_number).ok_or(NoFinding::Holds)?;
    let listed = listed_versions(object);
    if let Some((named, named_at)) = object.whole(&current_version_number)
        && named != number
    {
        // `current-version-not-listed` reports a number that no version has.
        let is_unlisted = !listed.is_empty() && !is_listed(&listed, named);
        return Ok(if is_unlisted {
            Verdict::Holds
        } else {
            another(named, named_at, number, number_at)
        });
    }
    let mut same = listed.iter().filter(|version| version.number == number);
    let (Some(version), None) = (same.next(), same.next()) else { return Err(NoFinding::Holds) };
    Ok(contradiction(object, number, summary.node, version.summary))
}

fn another(named: Decimal<'_>, named_at: Place, number: Decimal<'_>, number_at: Place) -> Verdict {
    let (named, number) = (named.literal(), number.literal());
    Finding::new(
        number_at,
        format!("`current_version` is version {number}, but `current_version_number` is {named}"),
    )
    .label("another version")
    .also(named_at, "the current version")
    .help("fetch the agent again, or correct one of the numbers")
    .advice()
}

/// The first field in which two summaries of one version contradict each other, and the number of further ones.
fn contradiction(
    object: &ObjectValue<'_>,
    number: Decimal<'_>,
    current: Node<'_>,
    listed: Node<'_>,
) -> Verdict {
    // `summary-of-another-agent` reports the id of another agent.
    let compared = SUMMARY.rows.iter().filter(|row| row.name != agent_id.row.name);
    let mut differing = compared.filter_map(|row| {
        let (one, other) = (current.field(row)?, listed.field(row)?);
        differ(row, one, other).then_some((row.name, one, other))
    });
    let Some((name, one, other)) = differing.next() else { return Verdict::Holds };
    let label = label_of_difference(differing.count());
    let (current, listed) = (quoted_value(one), quoted_value(other));
    let number = number.literal();
    Finding::new(
        Place::of(object.origin, one),
        format!(
            "`{name}` of the current version is {current}, but {listed} in the list of versions"
        ),
    )
    .label(label)
    .also(Place::of(object.origin, other), format!("version {number} in the list"))
    .help("fetch the agent again, because one of the summaries is stale")
    .advice()
}

/// Whether two values of a field contradict each other. Values of a wrong type do not count.
fn differ(row: &Row, one: Node<'_>, other: Node<'_>) -> bool {
    if one.is_faulty() || other.is_faulty() {
        return false;
    }
    match (one.kind(), other.kind()) {
        (Kind::Null, Kind::Null) => false,
        (Kind::Null, other) | (other, Kind::Null) => is_kind(row, other),
        _ => match row.shape {
            Shape::Text(_) => unequal(one.as_str(), other.as_str()),
            Shape::Number(_) => unequal(one.decimal(), other.decimal()),
            Shape::Flag => unequal(one.as_bool(), other.as_bool()),
            _ => false,
        },
    }
}

fn is_kind(row: &Row, kind: Kind) -> bool {
    row.null == voxlint_schema::Null::Clears
        && matches!(
            (row.shape, kind),
            (Shape::Text(_), Kind::String) | (Shape::Number(_), Kind::Number)
        )
}

fn unequal<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}
