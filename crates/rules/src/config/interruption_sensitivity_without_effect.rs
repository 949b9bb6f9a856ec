use crate::prelude::*;

without_effect! {
    /// The interruption sensitivity is set while interruptions are off.
    ///
    /// `interruption_sensitivity` says how readily the agent falls silent when the caller speaks. With
    /// `allow_interruptions: false` it never does.
    ///
    /// ```json,advice
    /// { "version_number": 3, "allow_interruptions": false, "interruption_sensitivity": 0.8 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "interruption_sensitivity": 0.8 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "allow_interruptions": true, "interruption_sensitivity": 0.8 }
    /// ```
    "interruption-sensitivity-without-effect": {
        basis: Inferred("The description does not say how the two settings work together."),
        section: "2.3",
        advice: Info,
        fix: Unsafe("Removes the sensitivity. It would matter again if `allow_interruptions` were switched on."),
        when: Off(allow_interruptions),
        why: "interruptions are off",
        help: "set `allow_interruptions` to true, or remove the setting",
        settings: [interruption_sensitivity],
    }
}
