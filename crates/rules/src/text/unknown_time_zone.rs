use voxlint_model::suggest::is_only_nearest;
use voxlint_model::text::time_zones;
use voxlint_model::text::time_zones::Suggestion;

use crate::prelude::*;

rule! {
    /// A time zone is not in the IANA database.
    ///
    /// Names come from the IANA time zone database, such as `Asia/Kolkata`; older names are allowed. Abbreviations, offsets
    /// and Windows names are not. The description does not say whether the service checks the name at once. The database
    /// grows, and voxlint has the names of the day it was built.
    ///
    /// ```json,possible
    /// { "version_number": 3, "timezone": "IST" }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "timezone": "asia/kolkata" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "timezone": "Asia/Calcutta" }
    /// ```
    "unknown-time-zone": Text {
        group: Correctness,
        basis: Read("It does not say whether names are validated, and the list of names grows."),
        section: "2.1",
        status: 400,
        fix: Unsafe("Writes the IANA name if exactly one is meant: the same name in capital or small letters, a misspelled name, a city, or the zone of a \
                     Windows name. Abbreviations and offsets have several meanings, and are left alone."),
        readings: [TIME_ZONE_NAMES],
        needs: [TimeZone],
    }
}

fn check(text: &TextValue<'_>) -> Verdict {
    if text.shape.format != TextFormat::TimeZone || time_zones::is_known(text.text) {
        return Verdict::Holds;
    }
    let name = text.value.name();
    let shown = quote(text.text);
    let change = |to: &str| {
        ProposedFix::replace(
            format!("write `{to}`"),
            Safety::Unsafe,
            text.value.place(),
            Replacement::Text(to.to_owned()),
        )
    };
    let finding = |message: String| Finding::new(text.value.place(), message);
    let no_zone = || finding(format!("{shown} is not an IANA time zone"));
    let finding = match time_zones::suggest(text.text) {
        _ if text.text.trim().is_empty() => {
            finding(format!("{name} is empty, but must be an IANA time zone"))
                .help(format!("write a name such as `Asia/Kolkata`, or remove {name}"))
        }
        Suggestion::Zone(zone) => {
            let finding = no_zone().help(format!("did you mean `{zone}`?"));
            let names = time_zones::time_zones().filter(|name| name.contains('/'));
            if is_only_nearest(text.text, zone, names) {
                finding.fix(change(zone))
            } else {
                finding
            }
        }
        Suggestion::Abbreviation(zone, place) => {
            finding(format!("{shown} is an abbreviation, not an IANA time zone"))
                .help(format!("write `{zone}` for {place}"))
        }
        Suggestion::Windows(zone) => {
            let finding = finding(format!("{shown} is a Windows time zone, not an IANA time zone"));
            match zone {
                Some(zone) => finding.help(format!("write `{zone}`")).fix(change(zone)),
                None => finding.help("write the IANA name of a place in that zone"),
            }
        }
        Suggestion::Offset(zone) => finding(format!("{shown} is an offset, not an IANA time zone"))
            .help(match zone {
                Some(zone) if zone.starts_with("Etc/") => format!(
                    "write the IANA name of a place, or `{zone}`, which has the opposite sign"
                ),
                Some(zone) => format!("write the IANA name of a place, such as `{zone}`"),
                None => "write the IANA name of a place in that zone".to_owned(),
            }),
        Suggestion::Nothing => {
            no_zone().help("write the IANA name of a place, such as `Asia/Kolkata`")
        }
    };
    finding
        .label("not an IANA name")
        .section(text.value.section())
        .possible(Condition::first(&readings::TIME_ZONE_NAMES))
}
