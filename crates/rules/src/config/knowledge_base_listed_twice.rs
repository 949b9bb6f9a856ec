use super::shared::repeated;
use crate::prelude::*;

rule! {
    /// A knowledge base is listed twice.
    ///
    /// The second entry has no effect, and was probably meant to be another knowledge base.
    ///
    /// ```json,advice
    /// { "version_number": 3, "knowledge_base_ids": ["kb_menu", "kb_prices", "kb_menu"] }
    /// ```
    ///
    /// ```yaml,advice
    /// version_number: 3
    /// knowledge_base_ids:
    ///   - kb_menu
    ///   - kb_menu # drinks
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "knowledge_base_ids": ["kb_menu", "kb_prices"] }
    /// ```
    "knowledge-base-listed-twice": Config {
        group: Suspicious,
        basis: Inferred("An entry that is repeated adds nothing."),
        section: "2.3",
        fix: Both("Removes the second entry. The agent has the same knowledge bases as before. A comment on the \
                   line of the entry is removed with it, and then the fix is unsafe."),
        reads: [knowledge_base_ids],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for field in [&knowledge_base_ids] {
        let Value::Known(list, place) = config.written(field) else { continue };
        let repeated = repeated(list, Some);
        verdicts.extend(repeated.into_iter().map(|(again, first)| {
            let name = again.as_str().unwrap_or_default();
            let at = Place::of(place.origin, again);
            Finding::new(at.clone(), format!("{} is listed twice", quote(&name)))
                .also(Place::of(place.origin, first), "first here")
                .help("remove one of the two")
                .fix(ProposedFix::remove("remove the second one", Safety::Safe, at))
                .advice()
        }));
    }
    verdicts
}
