use crate::prelude::*;

rule! {
    /// The fallback language model is on, but no model is named.
    ///
    /// With `fallback_llm_enabled` a second language model steps in for a slow first one. Without `llm_fallback_model` there is
    /// no model to fall back to.
    ///
    /// ```json,advice
    /// { "version_number": 3, "fallback_llm_enabled": true, "llm_fallback_model": null }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "fallback_llm_enabled": true }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "fallback_llm_enabled": true, "llm_fallback_model": "llm_backup" }
    /// ```
    "fallback-model-missing": Config {
        group: Ineffective,
        basis: Inferred("The description requires a fallback transcriber, but does not say whether a fallback model is required."),
        section: "2.3",
        reads: [fallback_llm_enabled, llm_fallback_model],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let (at_model, is_known) = match config.get(&llm_fallback_model) {
        Value::Known(..) => return Verdict::Holds,
        Value::Absent(at) => (at.filter(Place::is_in_document), true),
        Value::Unknown(_) => (None, false),
    };
    let at_switch = match config.get(&fallback_llm_enabled) {
        Value::Known(true, at) => at,
        Value::Unknown(_) if at_model.is_some() => return Verdict::Undecided,
        _ => return Verdict::Holds,
    };
    // A stored combination is left alone.
    if at_model.is_none() && !at_switch.is_in_document() {
        return Verdict::Holds;
    }
    if !is_known {
        return Verdict::Undecided;
    }
    let message = "the fallback language model is on, but `llm_fallback_model` is not set";
    let finding = match at_model {
        Some(at) => Finding::new(at, message).also(at_switch, "switched on"),
        None => Finding::new(at_switch, message),
    };
    finding
        .about(&llm_fallback_model)
        .help("set `llm_fallback_model`, or set `fallback_llm_enabled` to false")
        .advice()
}
