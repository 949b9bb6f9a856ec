use voxlint_schema::settings::post_call_analysis_item;

use super::shared::{NamedItems, same_names};
use crate::prelude::*;

rule! {
    /// Two items of the analysis have the same name.
    ///
    /// The result of an item is kept under its `field_name`, so one of the two results is lost. Names that differ only in case
    /// and separators, such as `Outcome` and `outcome`, are reported too: readers of the results are likely to confuse them.
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
    ///     { "field_name": "next_step", "field_type": "STRING", "field_description": "What was agreed." }
    ///   ]
    /// }
    /// ```
    "analysis-field-listed-twice": Config {
        group: Suspicious,
        basis: Inferred("Results are kept under their names."),
        section: "2.3",
        fix: Unsafe("Removes the second item if it is the same as the first in every field. Otherwise one of them needs another name."),
        reads: [post_call_analysis, postcall_analysis],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    const ITEMS: NamedItems =
        NamedItems { plural: "items of the analysis", help: "remove one, or rename it" };
    let mut verdicts = Verdicts::none();
    for field in [&post_call_analysis, &postcall_analysis] {
        let Value::Known(list, place) = config.written(field) else { continue };
        let names = |item| Node::field(item, post_call_analysis_item::field_name.row);
        verdicts.extend(same_names((list, &place), names, &ITEMS).into_iter());
    }
    verdicts
}
