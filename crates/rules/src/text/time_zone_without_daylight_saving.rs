use crate::prelude::*;

rule! {
    /// A time zone is an abbreviation that has no daylight saving time.
    ///
    /// `EST` and `MST` are names in the IANA database, so the service should accept them. But they have the same
    /// offset all year: in summer, an agent in New York with `EST` tells a time that is one hour behind. The description
    /// asks for an IANA name and does not mention abbreviations. Other abbreviations are not IANA names, and
    /// `unknown-time-zone` reports them.
    ///
    /// ```json,advice
    /// { "version_number": 3, "timezone": "EST" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "timezone": "America/New_York" }
    /// ```
    "time-zone-without-daylight-saving": Text {
        group: Suspicious,
        basis: Inferred("The names are in the IANA database, but rarely what was meant."),
        section: "2.1",
        needs: [TimeZone],
    }
}

/// The abbreviations, their offset in hours, and the zones that are usually meant.
const ABBREVIATIONS: [(&str, &str, &str); 2] = [
    ("EST", "UTC-5", "write `America/New_York` for the east of the United States"),
    (
        "MST",
        "UTC-7",
        "write `America/Denver` for the Rocky Mountains, or `America/Phoenix` for Arizona",
    ),
];

fn check(text: &TextValue<'_>) -> Verdict {
    let found = ABBREVIATIONS.iter().find(|(name, ..)| *name == text.text);
    let Some((name, offset, help)) = found else { return Verdict::Holds };
    if text.shape.format != TextFormat::TimeZone {
        return Verdict::Holds;
    }
    let message = format!("{} is {offset} all year, without daylight saving time", quote(name));
    let finding =
        Finding::new(text.value.place(), message).label("no daylight saving time").help(*help);
    finding.advice()
}
