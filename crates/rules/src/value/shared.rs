//! What several rules about values use.

/// Limits in words, after a noun or a verb.
pub(super) fn range(min: Option<i64>, max: Option<i64>) -> Option<String> {
    Some(match (min, max) {
        (Some(min), Some(max)) if min == max => format!(" of {min}"),
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of {min} or more"),
        (None, Some(max)) => format!(" of {max} or less"),
        (None, None) => return None,
    })
}

/// The name of a type with its article.
pub(super) fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}
