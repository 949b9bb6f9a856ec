use crate::prelude::*;

rule! {
    /// Prompt caching is on, but the workspace may not have this feature.
    ///
    /// An update that sets `prompt_caching_enabled` in a workspace without the feature is rejected. The facts list the
    /// features of the workspace. A stored value that is not sent again is fine.
    ///
    /// ```json,facts
    /// { "features": { "prompt_caching": false } }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "prompt_caching_enabled": true }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "prompt_caching_enabled": true }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "prompt_caching_enabled": false }
    /// ```
    ///
    /// ```json,facts
    /// { "features": { "prompt_caching": true } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_caching_enabled": true }
    /// ```
    "prompt-caching-unavailable": Config {
        group: Correctness,
        basis: Read("It does not say whether switching the feature off is rejected as well."),
        section: "4.1 rule 7",
        status: 403,
        fix: Unsafe("Removes the setting if the facts say that the workspace does not have the feature."),
        reads: [prompt_caching_enabled],
        reads_facts: [facts::features],
        readings: [FALSE_PROMPT_CACHING],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (wanted, place) = config.written(&prompt_caching_enabled).or_holds()?;
    let features = config.fact(&facts::features);
    let has_feature = features
        .as_ref()
        .and_then(|(features, _)| features.field(facts::features::prompt_caching.row)?.as_bool());
    Ok(match (wanted, has_feature) {
        (_, Some(true)) => Verdict::Holds,
        (false, None) => Verdict::Undecided,
        (true, Some(false)) => finding(
            place.clone(),
            "prompt caching is on, but the workspace does not have this feature",
        )
        .fix(removal(place))
        .reject(),
        (true, None) => finding(place, "prompt caching is not available in every workspace")
            .possible(Condition::unknowable("depends on whether the workspace has the feature")),
        (false, Some(false)) => {
            finding(place.clone(), "the workspace does not have prompt caching")
                .fix(removal(place))
                .possible(Condition::first(&readings::FALSE_PROMPT_CACHING))
        }
    })
}

fn removal(place: Place) -> ProposedFix {
    ProposedFix::remove("remove `prompt_caching_enabled`", Safety::Unsafe, place)
}

fn finding(place: Place, message: &str) -> Finding {
    Finding::new(place, message)
        .about(&prompt_caching_enabled)
        .help("remove it unless prompt caching is enabled for the workspace")
}
