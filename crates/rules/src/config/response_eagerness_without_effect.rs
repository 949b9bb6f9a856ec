use voxlint_schema::facts::{response_eagerness_provider, transcriber, transcribers};

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// The response eagerness is set, and the transcriber ignores it.
    ///
    /// Only one recognition provider uses `response_eagerness`. The description does not name it, so the workspace facts
    /// must name it, and the provider of each transcriber; without them the rule is undecided.
    ///
    /// ```json,facts
    /// { "response_eagerness_provider": "northwind", "transcribers": { "tr_nova": { "provider": "eastwind" } } }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "transcriber_id": "tr_nova", "response_eagerness": 0.5 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "transcriber_id": "tr_nova", "response_eagerness": 0.5 }
    /// ```
    ///
    /// ```json,facts
    /// { "response_eagerness_provider": "northwind", "transcribers": { "tr_nova": { "provider": "northwind" } } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "transcriber_id": "tr_nova", "response_eagerness": 0.5 }
    /// ```
    "response-eagerness-without-effect": Config {
        group: Ineffective,
        basis: Stated,
        section: "2.3",
        fix: Unsafe("Removes the setting. It would matter again with a transcriber that supports it."),
        reads: [transcriber_id, response_eagerness],
        reads_facts: [transcribers, response_eagerness_provider],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (_, at) = config.written(&response_eagerness).or_holds()?;
    let supporting = config.fact(&response_eagerness_provider);
    let known = config.fact(&transcribers);
    let (id, beside) = config.get(&transcriber_id).or_undecided()?;
    let (Some((supporting, _)), Some((known, _))) = (supporting, known) else {
        return Err(NoFinding::Undecided);
    };
    let provider = known.get(&id).and_then(|entry| text_of(entry, &transcriber::provider));
    Ok(match provider {
        Some(provider) if provider != supporting => Finding::new(
            at.clone().name(),
            format!(
                "`response_eagerness` has no effect: the transcriber is from {}, which ignores it",
                quote(&provider)
            ),
        )
        .about(&response_eagerness)
        .also(beside, "the transcriber in effect")
        .help("remove it, or choose a transcriber that supports it")
        .fix(ProposedFix::remove("remove `response_eagerness`", Safety::Unsafe, at))
        .advice(),
        Some(_) => Verdict::Holds,
        None => Verdict::Undecided,
    })
}
