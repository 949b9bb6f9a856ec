//! One look at a text before anything is decoded: which characters it has, and so what rules could object to.
//!
//! The look may show more than there is, but never less: a rule that it skips would have reported nothing.

use std::sync::LazyLock;

use aho_corasick::packed;
use memchr::memchr3;
use voxlint_schema::{Role, TextFormat, TextShape};
use voxlint_syntax::Node;

/// Whether there is a character that opens the markup of a template or marks a merge conflict.
fn has_opener(text: &str) -> bool {
    memchr3(b'{', b'[', b'<', text.as_bytes()).is_some() || text.contains('%')
}

/// The words of [`Trait::Marker`], or their beginnings and ends.
const MARKERS: [&str; 7] = ["TODO", "FIXME", "TBD", "XXXX", " NAME", "rem ipsum", "REM IPSUM"];

/// Whether there may be one of the words, which are searched for at once.
fn may_have_marker(text: &str) -> bool {
    /// `None` on a processor that cannot search for several words at once.
    static SEARCH: LazyLock<Option<packed::Searcher>> =
        LazyLock::new(|| packed::Searcher::new(MARKERS));
    SEARCH.as_ref().is_none_or(|search| search.find(text).is_some())
}

/// Something about a text without which a rule has nothing to object to: about its row, or about its characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Trait {
    /// A Handlebars template.
    Template = 1,
    /// Plain text that the language model reads.
    Instruction = 1 << 1,
    /// A name or note for people.
    Label = 1 << 2,
    /// An id from a catalogue.
    Id = 1 << 3,
    /// A list of terms with limits.
    Terms = 1 << 4,
    /// Phone numbers to transfer calls to.
    Destinations = 1 << 5,
    /// JSON, written as a string.
    Json = 1 << 6,
    /// The name of a time zone.
    TimeZone = 1 << 7,
    /// A date and time.
    DateTime = 1 << 8,
    /// The text may have a character that opens markup: `{`, `[`, `<` or `%`.
    Opener = 1 << 9,
    /// The text may contain a placeholder that was never filled in: it has such a bracket, a blank, or a word such as `TODO`.
    Placeholder = 1 << 10,
    /// A prompt, a message or an instruction that may mention a year.
    Year = 1 << 11,
    /// The text may contain a word such as `TODO` or ` NAME`, a number with `XXXX`, or dummy text.
    Marker = 1 << 12,
}

/// A set of [`Trait`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits(u16);

impl Traits {
    pub(crate) const NONE: Self = Self(0);

    /// A set of traits.
    pub const fn of(all: &[Trait]) -> Self {
        let mut traits = Self::NONE;
        let mut rest = all;
        while let [first, others @ ..] = rest {
            traits = traits.with(*first);
            rest = others;
        }
        traits
    }

    const fn with(self, one: Trait) -> Self {
        Self(self.0 | one as u16)
    }

    const fn with_if(self, condition: bool, one: Trait) -> Self {
        if condition { self.with(one) } else { self }
    }

    /// Whether a trait is in the set.
    pub const fn has(self, one: Trait) -> bool {
        self.0 & one as u16 != 0
    }

    /// Those that depend on the characters of a text.
    const OF_CHARACTERS: Self =
        Self::of(&[Trait::Opener, Trait::Placeholder, Trait::Year, Trait::Marker]);

    const fn intersect(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The traits of a string that are among the `wanted` ones, and maybe others. Only the characters are looked at.
    pub(crate) fn at(node: Node<'_>, shape: &TextShape, wanted: Self) -> Self {
        let of_shape = Self::of_shape(shape);
        if !wanted.intersect(Self::OF_CHARACTERS) {
            return of_shape;
        }
        let is_read = matches!(shape.role, Role::Prompt | Role::Speech | Role::Instruction);
        // Other escapes may stand for any letter.
        let may = |test: fn(&str) -> bool| node.legible().is_none_or(test);
        let has_opener = may(has_opener);
        let has_marker = is_read && may(may_have_marker);
        let has_blank = || may(|text| text.contains('_'));
        of_shape
            .with_if(has_opener, Trait::Opener)
            .with_if(is_read && (has_opener || has_marker || has_blank()), Trait::Placeholder)
            .with_if(has_marker, Trait::Marker)
            .with_if(is_read && may(|text| text.contains("202")), Trait::Year)
    }

    /// The traits that all texts of a row have.
    const fn of_shape(shape: &TextShape) -> Self {
        let by_role = match shape.role {
            Role::Prompt | Role::Speech => Self::of(&[Trait::Template]),
            Role::Instruction => Self::of(&[Trait::Instruction]),
            Role::Label => Self::of(&[Trait::Label]),
            Role::Id(_) => Self::of(&[Trait::Id]),
            Role::Keywords | Role::Free => Self::NONE,
        };
        let by_format = match shape.format {
            TextFormat::Any => by_role,
            TextFormat::TimeZone => by_role.with(Trait::TimeZone),
            TextFormat::DateTime => by_role.with(Trait::DateTime),
            TextFormat::Json => by_role.with(Trait::Json),
            TextFormat::Destinations { .. } => by_role.with(Trait::Destinations),
        };
        by_format.with_if(shape.terms.is_some(), Trait::Terms)
    }
}

/// What each rule of a list needs to have something to object to. Sets of rules have a bit for each, in the order of the list.
#[derive(Clone, Debug)]
pub struct Needs {
    /// The rules of the list that run.
    all: u64,
    /// Those of them that need nothing.
    always: u64,
    /// What each rule needs.
    of_rule: [Traits; u64::BITS as usize],
    /// The rules that need a trait and none after it, for each bit of [`Traits`]. So each rule is found by one trait, which few texts
    /// have.
    by_last: [u64; u16::BITS as usize],
    /// What any rule needs.
    pub any: Traits,
}

impl Needs {
    /// What rules need, `None` for one that does not run. There are at most 64.
    pub fn of(rules: impl Iterator<Item = Option<Traits>>) -> Self {
        let mut needs = Self {
            all: 0,
            always: 0,
            of_rule: [Traits::NONE; u64::BITS as usize],
            by_last: [0; u16::BITS as usize],
            any: Traits::NONE,
        };
        for ((at, rule), of_rule) in (0..u64::BITS).zip(rules).zip(&mut needs.of_rule) {
            if let Some(traits) = rule {
                *of_rule = traits;
                needs.all |= 1 << at;
                needs.any.0 |= traits.0;
                let last = traits.0.checked_ilog2();
                let by_last = last.and_then(|last| needs.by_last.get_mut(last as usize));
                *by_last.unwrap_or(&mut needs.always) |= 1 << at;
            }
        }
        needs
    }

    /// The rules that may object to a text with these traits.
    #[inline]
    pub fn met_by(&self, traits: Traits) -> u64 {
        if !may_skip() {
            return self.all;
        }
        let by_last = |last: usize| self.by_last.get(last).copied().unwrap_or(0);
        let rules = bits_of(u64::from(traits.0)).fold(0, |rules, last| rules | by_last(last));
        let is_met = |rule: &usize| self.of_rule.get(*rule).is_some_and(|it| it.0 & !traits.0 == 0);
        bits_of(rules).filter(is_met).fold(self.always, |met, rule| met | 1 << rule)
    }
}

/// The numbers of the bits that are set.
fn bits_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let one = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        one
    })
}

/// Whether a rule may be skipped when a look shows that it has nothing to object to. Only tests say no, to compare.
#[cfg(not(debug_assertions))]
#[inline]
pub const fn may_skip() -> bool {
    true
}

#[cfg(debug_assertions)]
pub use switch::may_skip;

/// The switch that tests compare with. Released programs have none.
#[cfg(debug_assertions)]
pub mod switch {
    use std::cell::Cell;

    thread_local! {
        static SKIPS: Cell<bool> = const { Cell::new(true) };
    }

    /// Whether rules may be skipped on this thread.
    pub fn may_skip() -> bool {
        SKIPS.get()
    }

    /// What `run` gives if no rule is skipped.
    pub fn without_skipping<T>(run: impl FnOnce() -> T) -> T {
        SKIPS.set(false);
        let result = run();
        SKIPS.set(true);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_found_wherever_it_is() {
        for word in MARKERS {
            for before in ["", "T", "TO", "the word ", "PI", "O"] {
                for rest in ["", "O", "202", " and so on, for many more words than one block holds"]
                {
                    let text = format!("{before}{word}{rest}");
                    assert!(may_have_marker(&text), "{text}");
                }
            }
        }
        let text = "Ask for the name, and say \"Thank you\" 2 times. ".repeat(20);
        assert!(!may_have_marker(&text));
        for words in ["TODO:", "FIXME", "TBD", "Lorem ipsum", "lorem ipsum", "LOREM IPSUM"] {
            assert!(may_have_marker(words), "{words}");
        }
        for words in ["ipsum", "STANDARD"] {
            assert!(!may_have_marker(words), "{words}");
        }
    }
}
