use voxlint_model::quote::{label_of_difference, quoted_value};
use voxlint_schema::agent::version_summary;

use crate::prelude::*;

rule! {
    /// The stored configuration contradicts itself about the version that is updated.
    ///
    /// The settings of a version, its summary in the agent's list of versions and the summary of the current version repeat
    /// each other. If two of them give different values, one is stale, and nothing shows which: voxlint treats the value as
    /// unknown, and no prediction that depends on it is certain. The same applies to a version that the agent's own list
    /// does not have. Each contradiction is reported once, in the stored configuration.
    ///
    /// ```json,stored
    /// {
    ///   "agent": {
    ///     "id": "ag_front_desk",
    ///     "agent_type": "Single_Prompt_Agent",
    ///     "versions": [{ "version_number": 3, "is_published": true }]
    ///   },
    ///   "version": { "version_number": 3, "is_published": false }
    /// }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": {
    ///     "id": "ag_front_desk",
    ///     "agent_type": "Single_Prompt_Agent",
    ///     "versions": [{ "version_number": 3, "is_published": false }]
    ///   },
    ///   "version": { "version_number": 3, "is_published": false }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "contradictory-stored-state": Config {
        group: Suspicious,
        basis: Inferred("The service answers with one state, but files can be stale."),
        section: "2.2",
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    if !config.is_update() {
        return Verdicts::none();
    }
    let found = [values(config), list(config), current_version(config)];
    found.into_iter().flatten().map(Finding::advice).collect()
}

/// The first field with two values, and the number of further ones.
fn values(config: &Effective<'_>) -> Option<Finding> {
    let rows = version_summary::TABLE.rows.iter();
    let rows = rows.filter_map(|row| settings::TABLE.row(row.name));
    let mut differing =
        rows.filter_map(|row| config.disagreement(row).map(|(one, other)| (row.name, one, other)));
    let (name, one, other) = differing.next()?;
    let label = label_of_difference(differing.count());
    let message = format!(
        "`{name}` of the same version is {} here and {} elsewhere in the stored configuration",
        quoted_value(one),
        quoted_value(other)
    );
    Some(
        Finding::new(Place::of(Origin::Stored, one), message)
            .label(label)
            .also(Place::of(Origin::Stored, other), "the other value")
            .help("fetch the agent again, because one of the values is stale"),
    )
}

/// A version that the agent's own list does not have.
fn list(config: &Effective<'_>) -> Option<Finding> {
    let number = config.unlisted_version()?;
    let message =
        format!("version {} is not in the agent's own list of versions", excerpt(number.source()));
    let list = config.version_list().map(|list| Place::of(Origin::Stored, list).opening());
    let finding = Finding::new(Place::of(Origin::Stored, number), message)
        .label("not listed")
        .help("fetch the agent again, because the list or this number is stale");
    Some(finding.also(list, "the list"))
}

/// Two numbers for the current version.
fn current_version(config: &Effective<'_>) -> Option<Finding> {
    let (own, beside) = config.ambiguous_current_version()?;
    let message = format!(
        "`current_version` is version {}, but `current_version_number` is {}",
        excerpt(own.source()),
        excerpt(beside.source())
    );
    Some(
        Finding::new(Place::of(Origin::Stored, own), message)
            .label("another version")
            .also(Place::of(Origin::Stored, beside), "the current version")
            .help("fetch the agent again, because one of the numbers is stale"),
    )
}
