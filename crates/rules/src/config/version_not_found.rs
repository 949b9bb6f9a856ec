use super::shared::is_unlisted;
use crate::prelude::*;

rule! {
    /// The agent has no version with this number.
    ///
    /// `version_number` selects the version that an update changes, and the agent lists one summary for each of its
    /// versions. With an empty or omitted list, nothing is reported.
    ///
    /// ```json,stored
    /// {
    ///   "id": "ag_front_desk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "versions": [{ "version_number": 2 }, { "version_number": 3 }]
    /// }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 9, "title": "Front desk" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 9, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent", "versions": [{ "version_number": 9 }] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 9, "title": "Front desk" }
    /// ```
    "version-not-found": Config {
        group: Correctness,
        basis: Stated,
        section: "7",
        status: 404,
        reads: [version_number],
        reads_agent: [agent::versions],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (number, at) = config.written(&version_number).or_holds()?;
    if !config.is_update() || !number.is_whole() {
        return Err(NoFinding::Holds);
    }
    match is_unlisted(config, number) {
        Some(true) if config.unlisted_version().is_some() => {
            return Ok(Verdict::Undecidable(
                format!(
                    "the agent does not list version {}, but other parts of the stored configuration contain it",
                    excerpt(number.literal())
                )
                .into(),
            ));
        }
        Some(true) => {}
        Some(false) => return Err(NoFinding::Holds),
        None if config.is_version_stored() => return Err(NoFinding::Holds),
        None => return Err(NoFinding::Undecided),
    }
    Ok(Finding::new(at, format!("the agent has no version {}", excerpt(number.literal())))
        .about(&version_number)
        .help(super::shared::name_a_draft(config, number))
        .reject())
}
