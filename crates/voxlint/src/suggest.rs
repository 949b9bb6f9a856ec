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
    let typos = match plain.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        8..=13 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = flatten(candidate);
            if other.len().abs_diff(plain.len()) > 2 * typos {
                return None;
            }
            let distance = strsim::osa_distance(&plain, &other);
            (distance <= typos).then_some((distance, candidate))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
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
pub(crate) fn is_one_typo(name: &str, other: &str) -> bool {
    strsim::osa_distance(&flatten(name), &flatten(other)) <= 1
}

/// Whether a flattened name is the target or certainly a typo of it. Stricter than [`nearest`]: the target has five characters
/// or more, and both begin with the same one.
pub(crate) fn is_clear_typo(flat: &str, target: &str) -> bool {
    flat == target
        || (target.len() >= 5
            && flat.len().abs_diff(target.len()) <= 1
            && flat.bytes().next() == target.bytes().next()
            && strsim::osa_distance(flat, target) <= 1)
}

/// A name in lower case, without the characters that separate words.
pub(crate) fn flatten(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{is_one_typo, nearest};

    const NAMES: [&str; 4] = ["version_number", "title", "voice_id", "max_call_duration_sec"];

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
}
