use crate::prelude::*;

without_effect! {
    /// A volume is set for a background sound that does not exist.
    ///
    /// `background_sound_volume` is the volume of `background_sound`. Without a sound there is nothing to play.
    ///
    /// ```json,advice
    /// { "version_number": 3, "background_sound": "", "background_sound_volume": 0.5 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "background_sound_volume": 0.5 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "background_sound": "office.mp3", "background_sound_volume": 0.5 }
    /// ```
    "background-volume-without-effect": {
        basis: Inferred("The description does not say how the two settings work together."),
        section: "2.3",
        advice: Info,
        fix: Unsafe("Removes the volume."),
        when: Unset(background_sound),
        why: "there is no background sound",
        help: "set `background_sound`, or remove the setting",
        settings: [background_sound_volume],
    }
}
