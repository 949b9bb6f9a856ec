use voxlint_model::value::MAX_EXACT_INTEGER;

use crate::prelude::*;

rule! {
    /// The temperature of the language model is not between 0 and 2.
    ///
    /// Common language models accept temperatures from 0 to 2, and most agents use less than 1. The default is 0.1. A value
    /// such as 70 was probably meant as a percentage.
    ///
    /// ```json,advice
    /// { "version_number": 3, "llm_temperature": 70 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "llm_temperature": 0.7 }
    /// ```
    "temperature-out-of-range": Config {
        group: Suspicious,
        basis: Inferred("The description gives a default of 0.1 and no limits."),
        section: "2.3",
        reads: [llm_temperature],
    }
}

/// The highest temperature that common language models accept.
const MOST: i64 = 2;

fn check(config: &Effective<'_>) -> Verdicts {
    match config.written(&llm_temperature) {
        // `number-too-large` reports greater numbers.
        Value::Known(temperature, place)
            if temperature < 0 || (temperature > MOST && temperature <= MAX_EXACT_INTEGER) =>
        {
            let written = excerpt(temperature.literal());
            Finding::new(place, format!("a temperature of {written} is outside 0 to {MOST}"))
                .help(format!("write a number from 0 to {MOST}; the default is 0.1"))
                .advice()
                .into()
        }
        _ => Verdict::Holds.into(),
    }
}
