use crate::prelude::*;

without_effect! {
    /// The fallback language model is set up while it is off.
    ///
    /// `llm_fallback_model` and `llm_fallback_delay_ms` only matter while `fallback_llm_enabled` is true. A model that is named
    /// while the fallback is off suggests that the switch was forgotten.
    ///
    /// ```json,advice
    /// { "version_number": 3, "fallback_llm_enabled": false, "llm_fallback_model": "llm_backup" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "llm_fallback_model": "llm_backup" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "fallback_llm_enabled": true, "llm_fallback_model": "llm_backup" }
    /// ```
    "fallback-model-without-effect": {
        basis: Inferred("The description names the switch, but does not say what else it affects."),
        section: "2.3",
        fix: Unsafe("Removes the settings that have no effect. They would matter again if `fallback_llm_enabled` were switched on."),
        when: Off(fallback_llm_enabled),
        why: "the fallback language model is off",
        help: "set `fallback_llm_enabled` to true, or remove the setting",
        settings: [llm_fallback_model, llm_fallback_delay_ms],
    }
}
