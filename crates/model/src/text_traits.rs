//! One look at a text before anything is decoded: which characters it has, and so what rules could object to.
//!
//! The look may show more than there is, but never less: a rule that it skips would have reported nothing.

use std::sync::LazyLock;

use aho_corasick::packed;
use memchr::{memchr, memchr3};
use voxlint_schema::{Role, TextFormat, TextShape};
use voxlint_syntax::Node;
use wide::u8x16;

/// Whether a string or a name may have a character that opens the markup of a template or marks a merge conflict.
fn may_have_opener(node: Node<'_>) -> bool {
    // Other escapes may stand for any of the characters.
    node.legible().is_none_or(|text| has_opener(text.as_bytes()))
}

/// Whether there is one of the characters `{`, `[`, `<` and `%`.
fn has_opener(text: &[u8]) -> bool {
    /// The number of bytes that are compared at once.
    const BLOCK: usize = 16;
    /// The length from which a search for several characters is faster than a look at each block.
    const LONG: usize = 64;
    if text.len() >= LONG {
        return memchr3(b'{', b'[', b'<', text).is_some() || memchr(b'%', text).is_some();
    }
    let is_it = |block: &[u8; BLOCK]| {
        let is = |byte: u8| u8x16::new(*block).cmp_eq(u8x16::splat(byte));
        (is(b'{') | is(b'[') | is(b'<') | is(b'%')).any()
    };
    match text.last_chunk() {
        Some(last) => is_it(last) || text.as_chunks().0.iter().any(is_it),
        None => text.iter().any(|byte| matches!(byte, b'{' | b'[' | b'<' | b'%')),
    }
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

/// What a text mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mentions(u8);

impl Mentions {
    const NONE: Self = Self(0);
    const MARKER: u8 = 1;
    const YEAR: u8 = 1 << 1;
    /// All of them: nothing is known about the text.
    const ANY: Self = Self(Self::MARKER | Self::YEAR);

    /// What is searched for. The search compares the first three bytes of eight groups of words at once, so it is fast if these are rare,
    /// and if words that share a group are alike: their order decides that.
    const NEEDLES: [Needle; 8] = [
        Needle::new("202", Self::YEAR),
        Needle::new("TODO", Self::MARKER),
        Needle::new("FIXME", Self::MARKER),
        Needle::new("TBD", Self::MARKER),
        Needle::new("XXXX", Self::MARKER),
        Needle::new(" NAME", Self::MARKER),
        Needle::new(" ipsum", Self::MARKER).after(&["orem"]),
        Needle::new(" IPSUM", Self::MARKER).after(&["OREM"]),
    ];

    /// Searches a text for all of them at once.
    fn of(text: &str) -> Self {
        /// `None` on a processor that cannot search for several words at once.
        static SEARCH: LazyLock<Option<packed::Searcher>> =
            LazyLock::new(|| packed::Searcher::new(Mentions::NEEDLES.map(|needle| needle.word)));
        let Some(search) = &*SEARCH else { return Self::ANY };
        let mut mentions = Self::NONE;
        let mut rest = aho_corasick::Span { start: 0, end: text.len() };
        while mentions != Self::ANY
            && let Some(found) = search.find_in(text, rest)
        {
            let before = text.get(..found.start()).unwrap_or_default();
            mentions.0 |= match Self::NEEDLES.get(found.pattern().as_usize()) {
                Some(needle) if needle.may_follow(before) => needle.what,
                Some(_) => 0,
                None => Self::ANY.0,
            };
            // Words may overlap.
            rest.start = found.start() + 1;
        }
        mentions
    }

    const fn has(self, what: u8) -> bool {
        self.0 & what != 0
    }
}

/// A part of a word or phrase that few other words have.
#[derive(Clone, Copy, Debug)]
struct Needle {
    word: &'static str,
    what: u8,
    /// What may be before it. Empty if that does not matter.
    after: &'static [&'static str],
}

impl Needle {
    const fn new(word: &'static str, what: u8) -> Self {
        Self { word, what, after: &[] }
    }

    const fn after(self, after: &'static [&'static str]) -> Self {
        Self { after, ..self }
    }

    fn may_follow(&self, before: &str) -> bool {
        self.after.is_empty() || self.after.iter().any(|end| before.ends_with(end))
    }
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

    /// Those that depend on what it mentions.
    const OF_MENTIONS: Self = Self::of(&[Trait::Placeholder, Trait::Year, Trait::Marker]);

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
        let mentioned = if is_read && wanted.intersect(Self::OF_MENTIONS) {
            // Other escapes may stand for any letter.
            node.legible().map_or(Mentions::ANY, Mentions::of)
        } else {
            Mentions::NONE
        };
        let has_opener = may_have_opener(node);
        let has_marker = mentioned.has(Mentions::MARKER);
        of_shape
            .with_if(has_opener, Trait::Opener)
            .with_if(
                is_read && (has_opener || has_marker || may_have_blank(node)),
                Trait::Placeholder,
            )
            .with_if(has_marker, Trait::Marker)
            .with_if(mentioned.has(Mentions::YEAR), Trait::Year)
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

/// Whether a text may have a line of underscores to fill in.
fn may_have_blank(node: Node<'_>) -> bool {
    node.legible().is_none_or(|text| memchr(b'_', text.as_bytes()).is_some())
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
    fn what_a_text_mentions_is_found_wherever_it_is() {
        for Needle { word, what, after } in Mentions::NEEDLES {
            for before in ["", "T", "TO", "the word ", "PI", "O"] {
                for between in if after.is_empty() { &[""] } else { after } {
                    for rest in
                        ["", "O", "202", " and so on, for many more words than one block holds"]
                    {
                        let text = format!("{before}{between}{word}{rest}");
                        assert!(Mentions::of(&text).has(what), "{text}");
                    }
                }
            }
        }
        let text = "Ask for the name, and say \"Thank you\" 2 times. ".repeat(20);
        assert_eq!(Mentions::of(&text), Mentions(0));
        for words in ["TODO:", "FIXME", "TBD", "Lorem ipsum", "lorem ipsum", "LOREM IPSUM"] {
            assert!(Mentions::of(words).has(Mentions::MARKER), "{words}");
        }
        for words in ["ipsum", "STANDARD"] {
            assert_eq!(Mentions::of(words), Mentions::NONE, "{words}");
        }
    }
}
