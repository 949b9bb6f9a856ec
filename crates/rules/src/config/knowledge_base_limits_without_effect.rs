use crate::prelude::*;

without_effect! {
    /// Limits are set for knowledge bases, but the agent has none.
    ///
    /// `kb_max_chunks` and `kb_min_score` choose passages from the knowledge bases of the version. With an empty
    /// `knowledge_base_ids` there are no passages.
    ///
    /// ```json,advice
    /// { "version_number": 3, "knowledge_base_ids": [], "kb_max_chunks": 4 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "kb_max_chunks": 4 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "knowledge_base_ids": ["kb_prices"], "kb_max_chunks": 4 }
    /// ```
    "knowledge-base-limits-without-effect": {
        basis: Inferred("The description does not say how these settings work together."),
        section: "2.3",
        advice: Info,
        fix: Unsafe("Removes the limits. They would matter again with a knowledge base."),
        when: Empty(knowledge_base_ids),
        why: "the agent has no knowledge base",
        help: "add a knowledge base, or remove the setting",
        settings: [kb_max_chunks, kb_min_score],
    }
}
