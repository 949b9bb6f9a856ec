//! Suggestions for misspelled names: did you mean.

/// The candidate that a misspelled name most likely means; `None` if none is near enough.
///
/// Names that differ only in case, hyphens, spaces, full stops or underscores are always near. Beyond that, a name of four
/// characters may have one typo, one of eight two, and one of fourteen three.
///
/// ```
/// assert_eq!(voxlint::suggest::nearest("waring", ["info", "warning", "error"]), Some("warning"));
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = flatten(name);
    let mut nearest = None;
    // Of equally near candidates, the first one counts.
    let mut most = typos_in(&plain);
    let mut other = String::new();
    for candidate in candidates {
        flatten_into(candidate, &mut other);
        if let Some(distance) = distance(&plain, &other, most) {
            nearest = Some(candidate);
            let Some(fewer) = distance.checked_sub(1) else { break };
            most = fewer;
        }
    }
    nearest
}

/// The number of typos that a flattened name may have.
fn typos_in(plain: &str) -> usize {
    match plain.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        8..=13 => 2,
        _ => 3,
    }
}

/// Whether a misspelled name is nearer to one candidate than to all others. Only then a fix may replace it.
pub fn is_only_nearest<'a>(
    name: &str,
    near: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> bool {
    let plain = flatten(name);
    let Some(typos) = distance(&plain, &flatten(near), typos_in(&plain)) else {
        // It was found in another way, such as by its beginning.
        return true;
    };
    let mut other = String::new();
    candidates.into_iter().all(|candidate| {
        flatten_into(candidate, &mut other);
        candidate == near || distance(&plain, &other, typos).is_none()
    })
}

/// The candidate that a text most likely means: the [`nearest`] one, or the only one that begins with the text.
///
/// ```
/// assert_eq!(voxlint::suggest::nearest_or_prefix("warn", &["info", "warning", "error"]), Some("warning"));
/// ```
pub fn nearest_or_prefix<'a>(text: &str, candidates: &[&'a str]) -> Option<&'a str> {
    nearest(text, candidates.iter().copied()).or_else(|| abbreviated(text, candidates))
}

/// The only candidate that begins with the text: `warning` for `warn`.
fn abbreviated<'a>(text: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let mut longer = candidates.iter().filter(|candidate| candidate.starts_with(text));
    let only = longer.next().filter(|_| text.len() > 2)?;
    longer.next().is_none().then_some(*only)
}

/// Whether a name is at most one typo away from another: one character added, left out or changed, or two exchanged. Case and
/// separators do not count.
pub fn is_one_typo(name: &str, other: &str) -> bool {
    distance(&flatten(name), &flatten(other), 1).is_some()
}

/// Whether a flattened name is the target or certainly a typo of it. Stricter than [`nearest`]: the target has five characters
/// or more, and both begin with the same one.
pub(crate) fn is_clear_typo(flat: &str, target: &str) -> bool {
    flat == target
        || (target.len() >= 5
            && flat.len().abs_diff(target.len()) <= 1
            && flat.bytes().next() == target.bytes().next()
            && distance(flat, target, 1).is_some())
}

/// Whether two names are the same but for case and separators.
pub fn is_respelling(name: &str, other: &str) -> bool {
    // The first letters tell most names apart.
    let differ = |one: u8, other: u8| {
        one.is_ascii_alphanumeric()
            && other.is_ascii_alphanumeric()
            && !one.eq_ignore_ascii_case(&other)
    };
    match (name.as_bytes(), other.as_bytes()) {
        ([one, ..], [other, ..]) if differ(*one, *other) => false,
        _ => flat(name).eq(flat(other)),
    }
}

/// A name in lower case, without the characters that separate words.
pub fn flatten(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    flatten_into(name, &mut text);
    text
}

/// Writes such a name in the place of a text.
pub fn flatten_into(name: &str, text: &mut String) {
    text.clear();
    if name.is_ascii() {
        let letters = name.chars().filter(|c| !is_separator(*c));
        text.extend(letters.map(|c| c.to_ascii_lowercase()));
    } else {
        text.extend(flat(name));
    }
}

fn flat(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !is_separator(*c)).flat_map(char::to_lowercase)
}

/// The words of a name in lower case: `firstMessage`, `first-message` and `FIRST_MESSAGE` have two, and so do `voiceID` and
/// `HTTPStatus`.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let mut rest = name.chars().peekable();
    while let Some(character) = rest.next() {
        let is_capital = character.is_uppercase()
            && (before.is_lowercase()
                || before.is_ascii_digit()
                || (before.is_uppercase() && rest.peek().is_some_and(|next| next.is_lowercase())));
        before = character;
        if is_capital || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

pub(crate) const fn is_separator(c: char) -> bool {
    matches!(c, '_' | '-' | ' ' | '.')
}

/// The number of typos between two texts, if it is at most `most`: characters added, left out or changed, and neighbors
/// exchanged.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let is_near = a.len().abs_diff(b.len()) <= 4 * most;
    is_near.then(|| strsim::osa_distance(a, b)).filter(|typos| *typos <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["version_number", "title", "voice_id", "max_call_duration_sec"];

    #[test]
    fn a_name_between_two_candidates_has_no_only_one() {
        let names = ["first_name", "firstName", "last_name"];
        assert!(is_only_nearest("lastname", "last_name", names));
        assert!(!is_only_nearest("first-name", "first_name", names));
        assert!(is_only_nearest("first_nam", "first_name", ["first_name", "first_numb"]));
        assert!(!is_only_nearest("card", "care", ["care", "cars"]));
        // The only candidate that begins with the text is far from it.
        assert!(is_only_nearest("warn", "warning", ["warning", "info"]));
    }

    #[test]
    fn a_name_with_one_typo_is_near() {
        assert_eq!(nearest("verison_number", NAMES), Some("version_number"));
        assert_eq!(nearest("versionNumber", NAMES), Some("version_number"));
        assert_eq!(nearest("max_call_duration_secs", NAMES), Some("max_call_duration_sec"));
        assert_eq!(nearest("titel", NAMES), Some("title"));
    }

    #[test]
    fn one_typo_is_distinguished_from_two() {
        for name in ["verison_number", "versionNumber", "version_numbr", "versoon_number"] {
            assert!(is_one_typo(name, "version_number"), "{name}");
        }
        assert!(!is_one_typo("verison_numbr", "version_number"));
    }

    #[test]
    fn other_words_are_not_near() {
        assert_eq!(nearest("name", NAMES), None);
        assert_eq!(nearest("id", NAMES), None);
        assert_eq!(nearest("voice", NAMES), None);
        assert_eq!(nearest("", NAMES), None);
    }

    #[test]
    fn the_first_of_the_nearest_names_is_suggested() {
        let names = voxlint_schema::settings::TABLE.rows.iter().map(|row| row.name);
        let names: Vec<&str> =
            names.chain(["ÉTAT", "Straße", "\u{212a}ey", "a-b", "A.B c"]).collect();
        for name in &names {
            let letters: Vec<char> = name.chars().collect();
            for at in 0..letters.len() {
                for (from, to, with) in [
                    (at, at + 1, ""),
                    (at, at, "q"),
                    (at, at + 1, "é"),
                    (at, at + 2, "zz"),
                    (at, at + 4, "_"),
                    (0, at, ""),
                ] {
                    let to = to.min(letters.len());
                    let mut changed = letters.clone();
                    changed.splice(from..to, with.chars());
                    let changed: String = changed.into_iter().collect();
                    assert_eq!(
                        nearest(&changed, names.iter().copied()),
                        plainly_nearest(&changed, &names),
                        "{changed}"
                    );
                }
            }
        }
    }

    /// [`nearest`], as it is described.
    fn plainly_nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
        let plain = flatten(name);
        let typos = match plain.chars().count() {
            0..=3 => 0,
            4..=7 => 1,
            8..=13 => 2,
            _ => 3,
        };
        let near = candidates.iter().filter_map(|candidate| {
            let other = flatten(candidate);
            let distance = strsim::osa_distance(&plain, &other);
            (distance <= typos).then_some((distance, *candidate))
        });
        near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
    }
}
