use crate::prelude::*;

without_effect! {
    /// Backchanneling is set up while it is off.
    ///
    /// `backchannel_frequency` and `backchannel_keywords` only matter while `backchanneling` is true.
    ///
    /// ```json,advice
    /// { "version_number": 3, "backchanneling": false, "backchannel_frequency": 0.5 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "backchannel_frequency": 0.5 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "backchanneling": true, "backchannel_frequency": 0.5 }
    /// ```
    "backchanneling-without-effect": {
        basis: Inferred("The description names the switch, but does not say what else it affects."),
        section: "2.3",
        advice: Info,
        fix: Unsafe("Removes the settings that have no effect. They would matter again if `backchanneling` were switched on."),
        when: Off(backchanneling),
        why: "backchanneling is off",
        help: "set `backchanneling` to true, or remove the setting",
        settings: [backchannel_frequency, backchannel_keywords],
    }
}
