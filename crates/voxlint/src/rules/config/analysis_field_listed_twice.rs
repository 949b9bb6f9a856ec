use voxlint_schema::settings::{post_call_analysis, post_call_analysis_item, postcall_analysis};

use super::repeated;
use crate::engine::effective::Effective;
use crate::fields::GetField as _;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// Two items of the analysis have the same name.
    ///
    /// The result of an item is kept under its `field_name`, so one of the two results is lost.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "post_call_analysis": [
    ///     { "field_name": "outcome", "field_type": "STRING", "field_description": "What the caller wants." },
    ///     { "field_name": "outcome", "field_type": "STRING", "field_description": "What the caller wants." }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "post_call_analysis": [
    ///     { "field_name": "outcome", "field_type": "STRING", "field_description": "What the caller wants." },
    ///     { "field_name": "next_step", "field_type": "STRING", "field_description": "What the caller wants." }
    ///   ]
    /// }
    /// ```
    "analysis-field-listed-twice": Config {
        group: Suspicious,
        basis: Inferred("Results are kept under their names."),
        section: "2.3",
        reads: [post_call_analysis, postcall_analysis],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for field in [&post_call_analysis, &postcall_analysis] {
        let Value::Known(list, place) = config.written(field) else { continue };
        let repeated = repeated(list, |item| item.field(post_call_analysis_item::field_name.row));
        verdicts.extend(repeated.into_iter().map(|(again, first)| {
            let name = again.as_str().unwrap_or_default();
            Finding::new(
                Place::of(place.origin, again),
                format!("two items of the analysis are called {}", quote(&name)),
            )
            .also(Place::of(place.origin, first), "first here")
            .help("give each item a name of its own")
            .advice()
        }));
    }
    verdicts
}
