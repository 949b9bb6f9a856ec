use crate::prelude::*;

rule! {
    /// The fallback language model is the language model itself.
    ///
    /// With `fallback_llm_enabled` a second language model steps in for a slow first one. If both have the same id, a slow model
    /// is replaced by itself.
    ///
    /// ```json,advice
    /// { "version_number": 3, "fallback_llm_enabled": true, "llm_id": "llm_main", "llm_fallback_model": "llm_main" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "fallback_llm_enabled": true, "llm_fallback_model": "llm_main" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "fallback_llm_enabled": true, "llm_id": "llm_main", "llm_fallback_model": "llm_backup" }
    /// ```
    "fallback-model-same": Config {
        group: Ineffective,
        basis: Inferred("The description says that a fallback transcriber must differ, but not whether a fallback model must."),
        section: "2.3",
        reads: [llm_id, fallback_llm_enabled, llm_fallback_model],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let switch = config.get(&fallback_llm_enabled);
    if matches!(switch, Value::Known(false, _) | Value::Absent(_)) {
        return Verdict::Holds;
    }
    let (fallback, model) = (config.get(&llm_fallback_model), config.get(&llm_id));
    // A stored combination is left alone.
    if !(is_in_document(&fallback) || is_in_document(&model) || is_in_document(&switch)) {
        return Verdict::Holds;
    }
    let ((fallback, at), (model, beside)) = match (fallback, model) {
        (Value::Known(fallback, at), Value::Known(model, beside)) => {
            ((fallback, at), (model, beside))
        }
        (Value::Absent(_), _) | (_, Value::Absent(_)) => return Verdict::Holds,
        _ => return Verdict::Undecided,
    };
    // An empty id is reported by `empty-id`.
    if fallback != model || fallback.is_empty() {
        return Verdict::Holds;
    }
    if switch.known().is_none() {
        return Verdict::Undecided;
    }
    let (at, beside) =
        if at.is_in_document() || !beside.is_in_document() { (at, beside) } else { (beside, at) };
    Finding::new(at, "the fallback language model is the language model itself")
        .about(&llm_fallback_model)
        .also(beside, "the same model")
        .help("choose another model, or set `fallback_llm_enabled` to false")
        .advice()
}

fn is_in_document<T>(value: &Value<T>) -> bool {
    value.known().is_some_and(|(_, at)| at.is_in_document())
}
