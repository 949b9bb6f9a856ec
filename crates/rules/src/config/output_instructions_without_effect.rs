use crate::prelude::*;

without_effect! {
    /// Instructions for structured output are given while it is off.
    ///
    /// `json_output_instructions` describe the structure that answers must follow. With `structured_output: false`,
    /// answers need not follow it.
    ///
    /// ```json,advice
    /// { "version_number": 3, "structured_output": false, "json_output_instructions": {"intent": "one word"} }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "json_output_instructions": {"intent": "one word"} }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "structured_output": true, "json_output_instructions": {"intent": "one word"} }
    /// ```
    "output-instructions-without-effect": {
        basis: Inferred("The description does not say how the two settings work together."),
        section: "2.3",
        advice: Info,
        fix: Unsafe("Removes the instructions. They would matter again if `structured_output` were switched on."),
        when: Off(structured_output),
        why: "structured output is off",
        help: "set `structured_output` to true, or remove the setting",
        settings: [json_output_instructions],
    }
}
