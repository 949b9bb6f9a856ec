//! Which characters of boosted keywords the service rejects, or may reject.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_segmentation::UnicodeSegmentation as _;

/// Whether a character is allowed in a boosted keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterClass {
    /// An ASCII letter or digit, or a space.
    Allowed,
    /// A letter, mark or number outside ASCII.
    NonAscii,
    /// White space other than the space.
    WhiteSpace,
    /// A joiner between letters.
    Joiner,
    /// Any other character, such as punctuation.
    Forbidden,
}

/// Adjacent characters of one class.
#[derive(Clone, Copy, Debug)]
pub struct CharacterRun<'t> {
    /// What they are.
    pub class: CharacterClass,
    /// Where it begins, in bytes.
    pub start: usize,
    /// The characters.
    pub text: &'t str,
}

/// The first forbidden characters of a keyword, or else the first that may be rejected.
pub fn first_not_allowed(keyword: &str) -> Option<CharacterRun<'_>> {
    first_run(keyword, |class| class == CharacterClass::Forbidden)
        .or_else(|| first_run(keyword, |class| class != CharacterClass::Allowed))
}

/// The first run of a class that is wanted. Marks belong to the letters that they change.
fn first_run(
    keyword: &str,
    is_wanted: impl Fn(CharacterClass) -> bool,
) -> Option<CharacterRun<'_>> {
    let mut found: Option<(CharacterClass, usize, usize)> = None;
    let mut before = None;
    for (offset, grapheme) in keyword.grapheme_indices(true) {
        let end = offset + grapheme.len();
        let after = keyword.get(end..).and_then(|rest| rest.chars().next());
        let class = class_of_grapheme(before, grapheme, after);
        before = grapheme.chars().last();
        match &mut found {
            None if is_wanted(class) => found = Some((class, offset, end)),
            Some((of, _, run_end)) if *of == class => *run_end = end,
            Some(_) => break,
            None => {}
        }
    }
    let (class, start, end) = found?;
    Some(CharacterRun { class, start, text: keyword.get(start..end)? })
}

/// The class of a visible character: forbidden if one of its code points is, or else that of the first one that is not allowed.
fn class_of_grapheme(
    mut before: Option<char>,
    grapheme: &str,
    after: Option<char>,
) -> CharacterClass {
    let mut first = CharacterClass::Allowed;
    let mut characters = grapheme.chars().peekable();
    while let Some(character) = characters.next() {
        match class_of(before, character, characters.peek().copied().or(after)) {
            CharacterClass::Forbidden => return CharacterClass::Forbidden,
            class if first == CharacterClass::Allowed => first = class,
            _ => {}
        }
        before = Some(character);
    }
    first
}

/// The class of a character between two others.
pub fn class_of(before: Option<char>, character: char, after: Option<char>) -> CharacterClass {
    use GeneralCategoryGroup::{Letter, Mark, Number};
    let is_letter =
        |c: Option<char>| c.is_some_and(|c| matches!(c.general_category_group(), Letter | Mark));
    match character {
        ' ' => CharacterClass::Allowed,
        _ if character.is_ascii_alphanumeric() => CharacterClass::Allowed,
        _ if character.is_whitespace() => CharacterClass::WhiteSpace,
        '\u{200c}' | '\u{200d}' if is_letter(before) && is_letter(after) => CharacterClass::Joiner,
        _ => match character.general_category_group() {
            Letter | Mark | Number => CharacterClass::NonAscii,
            _ => CharacterClass::Forbidden,
        },
    }
}
