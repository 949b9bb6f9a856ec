use voxlint_schema::settings::prompt_caching_enabled;

use crate::effective::Effective;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Hinge, Verdict, Verdicts};

rule! {
    /// Prompt caching is switched on, and the workspace may not have it.
    ///
    /// An update that sets `prompt_caching_enabled` in a workspace without the feature is refused. Which features a
    /// workspace has, no document tells. What is stored and not sent again is fine.
    ///
    /// ```json,possible
    /// { "version_number": 3, "prompt_caching_enabled": true }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_caching_enabled": false }
    /// ```
    "prompt-caching-unavailable": Config {
        section: "4.1 rule 7",
        status: 403,
        reads: [prompt_caching_enabled],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    match config.written(&prompt_caching_enabled) {
        Value::Known(true, place) => {
            Finding::new(place, "prompt caching is not available in every workspace")
                .about(&prompt_caching_enabled)
                .help("leave it out, unless prompt caching is enabled for the workspace")
                .possible(Hinge::reading("it hangs on whether the workspace has the feature"))
        }
        _ => Verdict::Holds,
    }
    .into()
}
