use voxlint_schema::settings::{post_call_analysis, postcall_analysis};

use crate::engine::effective::Effective;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// An update gives the analysis under both of its names.
    ///
    /// `postcall_analysis` is another name of `post_call_analysis`. Which of the two the service follows when an update has
    /// both is not described, so one of them may never take effect.
    ///
    /// ```json,advice
    /// { "version_number": 3, "post_call_analysis": [], "postcall_analysis": [] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "postcall_analysis": [] }
    /// ```
    "analysis-given-twice": Config {
        group: Suspicious,
        basis: Read("It does not say which of the two names wins."),
        section: "2.3",
        reads: [post_call_analysis, postcall_analysis],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let names = (config.get(&post_call_analysis), config.get(&postcall_analysis));
    let (Value::Known(_, one), Value::Known(_, other)) = names else {
        return Verdict::Holds.into();
    };
    if !one.is_in_document() || !other.is_in_document() {
        return Verdict::Holds.into();
    }
    let (first, second) = if one.node < other.node { (one, other) } else { (other, one) };
    Finding::new(second.name(), "the analysis is given under both of its names")
        .label("given again")
        .also(first.name(), "given here")
        .help("keep `post_call_analysis` and remove `postcall_analysis`")
        .advice()
        .into()
}
