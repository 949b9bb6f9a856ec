//! JSON Pointers (RFC 6901) with wildcards.

use std::borrow::Cow;
use std::fmt;

use crate::Wildcard;

/// A JSON Pointer (RFC 6901) with wildcards: `*` in a name matches any characters, so that a name `*` matches any one name or
/// number, and `**` matches any number of names, also none.
///
/// ```
/// use voxlint::PointerPattern;
///
/// let names = PointerPattern::parse("/functions/*/name")?;
/// assert!(names.matches("/functions/3/name"));
/// assert!(!names.matches("/functions/3/config/name"));
/// assert!(PointerPattern::parse("/functions/**")?.matches("/functions/3/config/name"));
/// assert!(PointerPattern::parse("title").is_err());
/// # Ok::<(), voxlint::PointerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointerPattern {
    text: String,
    tokens: Vec<Token>,
}

/// One step of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Token {
    /// A name or a number.
    One(Wildcard),
    /// Any number of them.
    Many,
}

/// Why a text is not a valid pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PointerError {
    /// It does not begin with `/`.
    NoSlash,
    /// A `~`, at this offset in bytes, is followed by neither `0` nor `1`.
    Tilde(usize),
}

impl fmt::Display for PointerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoSlash => "a JSON Pointer begins with `/`",
            Self::Tilde(_) => "a `~` in a JSON Pointer is written `~0`, and a `/` in a name `~1`",
        })
    }
}

impl std::error::Error for PointerError {}

impl PointerPattern {
    /// The pattern of the whole document.
    pub(crate) const fn whole() -> Self {
        Self { text: String::new(), tokens: Vec::new() }
    }

    /// Parses a pattern. The empty text matches the whole document.
    ///
    /// # Errors
    ///
    /// If the text is not a JSON Pointer.
    pub fn parse(text: &str) -> Result<Self, PointerError> {
        if !text.is_empty() && !text.starts_with('/') {
            return Err(PointerError::NoSlash);
        }
        let stray = text
            .match_indices('~')
            .find(|(at, _)| !matches!(text.as_bytes().get(at + 1), Some(b'0' | b'1')));
        if let Some((at, _)) = stray {
            return Err(PointerError::Tilde(at));
        }
        let token = |token: &str| match token {
            "**" => Token::Many,
            token => Token::One(Wildcard::new(unescape_token(token))),
        };
        Ok(Self { text: text.to_owned(), tokens: text.split('/').skip(1).map(token).collect() })
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it matches at most one value.
    pub fn is_literal(&self) -> bool {
        self.tokens.iter().all(Token::is_literal)
    }

    /// Whether its last step is a name and no step is `**`. Only then can the value be missing.
    pub fn names_a_field(&self) -> bool {
        self.tokens.last().is_some_and(Token::is_literal) && !self.tokens.contains(&Token::Many)
    }

    /// Whether it matches a JSON Pointer.
    pub fn matches(&self, pointer: &str) -> bool {
        // Each name is spelled in one way, so all text before the first star is in the pointer, and all text after the last one.
        let (Some(first), Some(last)) = (self.text.find('*'), self.text.rfind('*')) else {
            return self.text == pointer;
        };
        let (start, end) = (self.text.get(..first), self.text.get(last + 1..));
        // `/a/**` matches `/a`, too.
        let start = start.map(|start| start.strip_suffix('/').unwrap_or(start));
        if !start.is_some_and(|start| pointer.starts_with(start))
            || !end.is_some_and(|end| pointer.ends_with(end))
        {
            return false;
        }
        let names: Vec<Cow<'_, str>> = pointer.split('/').skip(1).map(unescape_token).collect();
        matches(&self.tokens, &names)
    }

    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }
}

impl Token {
    pub(crate) fn is_literal(&self) -> bool {
        matches!(self, Self::One(name) if name.is_literal())
    }
}

/// A name as a step of a JSON Pointer: the opposite of [`unescape_token`].
///
/// ```
/// assert_eq!(voxlint::pointer::escape_token("a/b~"), "a~1b~0");
/// ```
pub fn escape_token(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        name.replace('~', "~0").replace('/', "~1").into()
    } else {
        name.into()
    }
}

/// The name that a step of a JSON Pointer (RFC 6901) spells.
///
/// ```
/// assert_eq!(voxlint::pointer::unescape_token("a~1b~0"), "a/b~");
/// ```
pub fn unescape_token(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        token.replace("~1", "/").replace("~0", "~").into()
    } else {
        token.into()
    }
}

/// Whether the steps match the names. The time is proportional to the product of both lengths.
fn matches(tokens: &[Token], names: &[Cow<'_, str>]) -> bool {
    // Which numbers of names the tokens so far can match.
    let mut reached = vec![false; names.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for token in tokens {
        reached = match token {
            Token::Many => {
                let mut any = false;
                reached
                    .into_iter()
                    .map(|here| {
                        any |= here;
                        any
                    })
                    .collect()
            }
            Token::One(wildcard) => std::iter::once(false)
                .chain(
                    reached.iter().zip(names).map(|(here, name)| *here && wildcard.matches(name)),
                )
                .collect(),
        };
    }
    reached.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_pointers() {
        for (pattern, pointers) in [
            ("", &[""][..]),
            ("/", &["/"]),
            ("/title", &["/title"]),
            ("/a~1b/~0", &["/a~1b/~0"]),
            ("/functions/*/name", &["/functions/0/name", "/functions/x/name"]),
            ("/functions/**", &["/functions", "/functions/0", "/functions/0/config/a"]),
            ("/**", &["", "/a", "/a/b"]),
            ("/**/name", &["/name", "/functions/0/name"]),
            ("/**/a/**/b", &["/a/b", "/x/a/y/z/b", "/a/a/b/b"]),
            ("/crm_*", &["/crm_id"]),
        ] {
            for pointer in pointers {
                assert!(
                    PointerPattern::parse(pattern).unwrap().matches(pointer),
                    "{pattern} {pointer}"
                );
            }
        }
        for (pattern, pointer) in [
            ("", "/a"),
            ("/title", "/title/a"),
            ("/title", ""),
            ("/functions/*/name", "/functions/name"),
            ("/**/a/**/b", "/b/a"),
            ("/a~1b", "/a/b"),
        ] {
            assert!(
                !PointerPattern::parse(pattern).unwrap().matches(pointer),
                "{pattern} {pointer}"
            );
        }
    }

    #[test]
    fn invalid_pointers_are_reported_with_their_place() {
        assert_eq!(PointerPattern::parse("title"), Err(PointerError::NoSlash));
        assert_eq!(PointerPattern::parse("/a~b"), Err(PointerError::Tilde(2)));
        assert_eq!(PointerPattern::parse("/a~"), Err(PointerError::Tilde(2)));
    }

    #[test]
    fn only_names_can_be_missing() {
        let names = |pattern| PointerPattern::parse(pattern).unwrap().names_a_field();
        assert!(names("/title") && names("/functions/*/name"));
        assert!(!names("") && !names("/functions/*") && !names("/**/name"));
    }
}
