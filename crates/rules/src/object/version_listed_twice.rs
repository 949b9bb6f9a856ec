use voxlint_schema::agent::TABLE;

use super::shared::listed_versions;
use crate::prelude::*;

rule! {
    /// An agent lists two versions with the same number.
    ///
    /// `versions` has one summary per version, so two of them are a contradiction or a repetition. Numbers are compared by
    /// value: 2 and 2.0 are the same.
    ///
    /// ```json,advice
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "versions": [{ "version_number": 2 }, { "version_number": 2.0 }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "versions": [{ "version_number": 1 }, { "version_number": 2 }]
    /// }
    /// ```
    "version-listed-twice": Object {
        group: Suspicious,
        basis: Stated,
        section: "2.1",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Verdicts {
    let mut listed = listed_versions(object);
    // The sort is stable: of equal numbers the first in the text stays first.
    listed.sort_by_key(|version| version.number);
    listed
        .chunk_by(|one, other| one.number == other.number)
        .filter_map(<[_]>::split_first)
        .flat_map(|(first, again)| again.iter().map(move |version| (first, version)))
        .map(|(first, version)| {
            Finding::new(
                version.place.clone(),
                format!("version {} is listed more than once", version.number.literal()),
            )
            .label("listed again")
            .also(first.place.clone(), "first listed here")
            .help("keep one summary of each version")
            .advice()
        })
        .collect()
}
