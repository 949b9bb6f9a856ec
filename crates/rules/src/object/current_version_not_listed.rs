use voxlint_schema::agent::{TABLE, current_version_number};

use super::shared::{is_listed, listed_versions, may_list_more};
use crate::prelude::*;

rule! {
    /// The current version of an agent is not among its versions.
    ///
    /// `versions` has one summary per version, the current one included. An agent that lists no versions at all is not
    /// reported.
    ///
    /// ```json,advice
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "current_version_number": 3,
    ///   "versions": [{ "version_number": 1 }, { "version_number": 2 }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "current_version_number": 2,
    ///   "versions": [{ "version_number": 1 }, { "version_number": 2 }]
    /// }
    /// ```
    "current-version-not-listed": Object {
        group: Suspicious,
        basis: Stated,
        section: "9 rule 2",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Checked<Verdict> {
    let (current, place) = object.whole(&current_version_number).ok_or(NoFinding::Holds)?;
    let listed = listed_versions(object);
    if listed.is_empty() || is_listed(&listed, current) || may_list_more(object) {
        return Err(NoFinding::Holds);
    }
    let (least, most) = (
        listed.iter().map(|version| version.number).min().unwrap_or(current),
        listed.iter().map(|version| version.number).max().unwrap_or(current),
    );
    let numbers = if least == most {
        format!("only version {} is listed", least.literal())
    } else {
        format!("versions from {} to {} are listed", least.literal(), most.literal())
    };
    Ok(Finding::new(
        place,
        format!("the current version {} is not in `versions`; {numbers}", current.literal()),
    )
    .help("fetch the agent again, or correct the number")
    .advice())
}
