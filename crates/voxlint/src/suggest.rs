//! Did you mean.

/// The candidate that `name` was most likely meant to be; `None` when none is near enough to be worth saying.
///
/// Spelling that differs only in case, hyphens or underscores is always near. Beyond that, one slip is allowed in a
/// short name and two in a long one.
///
/// ```
/// assert_eq!(voxlint::suggest::nearest("waring", ["info", "warning", "error"]), Some("warning"));
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = flatten(name);
    let slips = match plain.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        8..=13 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = flatten(candidate);
            if other.len().abs_diff(plain.len()) > 2 * slips {
                return None;
            }
            let distance = strsim::osa_distance(&plain, &other);
            (distance <= slips).then_some((distance, candidate))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The candidate that `text` was most likely meant to be, as [`nearest`] finds it, or the only one that it abbreviates.
///
/// ```
/// assert_eq!(voxlint::suggest::nearest_or_prefix("warn", &["info", "warning", "error"]), Some("warning"));
/// ```
pub fn nearest_or_prefix<'a>(text: &str, candidates: &[&'a str]) -> Option<&'a str> {
    nearest(text, candidates.iter().copied()).or_else(|| abbreviated(text, candidates))
}

/// The only candidate that the text is the beginning of: `warning` for `warn`.
fn abbreviated<'a>(text: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let mut longer = candidates.iter().filter(|candidate| candidate.starts_with(text));
    let only = longer.next().filter(|_| text.len() > 2)?;
    longer.next().is_none().then_some(*only)
}

/// Whether a name is at most one slip away from another: a character too many, too few or wrong, or two exchanged, besides
/// case and separators.
pub(crate) fn is_one_slip(name: &str, other: &str) -> bool {
    strsim::osa_distance(&flatten(name), &flatten(other)) <= 1
}

/// Lower case, without the characters that only separate words.
fn flatten(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{is_one_slip, nearest};

    const NAMES: [&str; 4] = ["version_number", "title", "voice_id", "max_call_duration_sec"];

    #[test]
    fn a_slip_of_the_pen_is_near() {
        assert_eq!(nearest("verison_number", NAMES), Some("version_number"));
        assert_eq!(nearest("versionNumber", NAMES), Some("version_number"));
        assert_eq!(nearest("max_call_duration_secs", NAMES), Some("max_call_duration_sec"));
        assert_eq!(nearest("titel", NAMES), Some("title"));
    }

    #[test]
    fn one_slip_is_told_from_two() {
        for name in ["verison_number", "versionNumber", "version_numbr", "versoon_number"] {
            assert!(is_one_slip(name, "version_number"), "{name}");
        }
        assert!(!is_one_slip("verison_numbr", "version_number"));
    }

    #[test]
    fn another_word_is_not() {
        assert_eq!(nearest("name", NAMES), None);
        assert_eq!(nearest("id", NAMES), None);
        assert_eq!(nearest("voice", NAMES), None);
        assert_eq!(nearest("", NAMES), None);
    }
}
