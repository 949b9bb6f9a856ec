use crate::prelude::*;

rule! {
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
    "interruption-sensitivity-without-effect": Config {
        group: Ineffective,
        basis: Inferred("The description does not say how the two settings work together."),
        section: "2.3",
        advice: Info,
        fix: Unsafe("Removes the sensitivity. It would matter again if `allow_interruptions` were switched on."),
        reads: [allow_interruptions, interruption_sensitivity],
    }
}

pub(super) static IDLE: WithoutEffect = WithoutEffect {
    when: When::Off(&allow_interruptions),
    why: "interruptions are off",
    help: "set `allow_interruptions` to true, or remove the setting",
    removable: true,
    settings: &[interruption_sensitivity.row],
};

fn check(config: &Effective<'_>) -> Verdicts {
    IDLE.check(config)
}
