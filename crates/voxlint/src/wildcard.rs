/// A name in which `*` matches any characters, also none.
///
/// ```
/// use voxlint::Wildcard;
///
/// let names = Wildcard::new("crm_*");
/// assert!(names.matches("crm_id"));
/// assert!(!names.matches("my_crm_id"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wildcard(String);

impl Wildcard {
    /// A wildcard. Any text is valid, and one without `*` only matches itself.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the wildcard has no `*`.
    pub fn is_literal(&self) -> bool {
        !self.0.contains('*')
    }

    /// Whether it matches the name.
    pub fn matches(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else { return false };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        // Each part is matched at its first occurrence, which leaves the most for the parts after it.
        for part in parts {
            let Some((_, behind)) = rest.split_once(part) else { return false };
            rest = behind;
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_characters_or_none() {
        for (pattern, names) in [
            ("name", &["name"][..]),
            ("*", &["", "a", "é*"]),
            ("crm_*", &["crm_", "crm_id"]),
            ("*_id", &["_id", "crm_id", "a_id_id"]),
            ("a*b*c", &["abc", "a-b-c", "abbc", "abcbc"]),
            ("**", &["", "x"]),
        ] {
            for name in names {
                assert!(Wildcard::new(pattern).matches(name), "{pattern} {name}");
            }
        }
        for (pattern, name) in
            [("name", "names"), ("name", "nam"), ("a*a", "a"), ("a*b*c", "acb"), ("*b", "ba")]
        {
            assert!(!Wildcard::new(pattern).matches(name), "{pattern} {name}");
        }
    }
}
