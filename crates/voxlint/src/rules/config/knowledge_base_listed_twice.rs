use voxlint_schema::settings::knowledge_base_ids;

use super::repeated;
use crate::engine::effective::Effective;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// A knowledge base is listed twice.
    ///
    /// The second entry has no effect, and was probably meant to be another knowledge base.
    ///
    /// ```json,advice
    /// { "version_number": 3, "knowledge_base_ids": ["kb_menu", "kb_prices", "kb_menu"] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "knowledge_base_ids": ["kb_menu", "kb_prices"] }
    /// ```
    "knowledge-base-listed-twice": Config {
        group: Suspicious,
        basis: Inferred("An entry that is repeated adds nothing."),
        section: "2.3",
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
            Finding::new(
                Place::of(place.origin, again),
                format!("{} is listed twice", quote(&name)),
            )
            .also(Place::of(place.origin, first), "first here")
            .help("remove one of the two")
            .advice()
        }));
    }
    verdicts
}
