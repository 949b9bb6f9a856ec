//! One look at a text before anything is decoded: which characters it has, and so what rules could object to.
//!
//! A glance may show more than there is, but never less: a rule that it skips would have reported nothing.

use std::str::Chars;
use std::sync::LazyLock;

use memchr::{memchr, memchr2, memchr2_iter, memchr3, memmem};
use voxlint_schema::{Role, TextFormat, TextShape};
use voxlint_syntax::Node;

use crate::text::placeholders::may_have_marker;

/// The characters in a text that rules look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glance(u8);

impl Glance {
    /// A character that opens the markup of a template or marks a merge conflict: `{`, `[`, `<` or `%`.
    pub(crate) const OPENER: Self = Self(1);
    /// A sign between a name and a value: `=` or `:`.
    pub(crate) const SIGN: Self = Self(2);
    /// All of them.
    const ALL: Self = Self(3);

    /// Looks at a string or a name.
    pub(crate) fn at(node: Node<'_>) -> Self {
        // Other escapes may stand for any of the characters.
        node.legible().map_or(Self::ALL, Self::of)
    }

    /// Looks at a text without escapes.
    pub(crate) fn of(text: &str) -> Self {
        /// The length from which a search for each group of characters is faster than a look at each byte.
        const LONG: usize = 64;
        let text = text.as_bytes();
        if text.len() < LONG {
            return Self(text.iter().fold(0, |seen, byte| seen | class_of(*byte)));
        }
        let opener = memchr3(b'{', b'[', b'<', text).or_else(|| memchr(b'%', text));
        let opener = opener.map_or(0, |_| Self::OPENER.0);
        let sign = memchr2(b'=', b':', text).map_or(0, |_| Self::SIGN.0);
        Self(opener | sign)
    }

    /// Whether the text has one of these characters.
    pub(crate) const fn has(self, characters: Self) -> bool {
        self.0 & characters.0 != 0
    }
}

/// The bit of a character in [`Glance`].
#[expect(clippy::indexing_slicing, reason = "a byte is always inside the table")]
fn class_of(byte: u8) -> u8 {
    static CLASSES: [u8; 256] = {
        let mut classes = [0; 256];
        (classes[b'{' as usize], classes[b'[' as usize]) = (Glance::OPENER.0, Glance::OPENER.0);
        (classes[b'<' as usize], classes[b'%' as usize]) = (Glance::OPENER.0, Glance::OPENER.0);
        (classes[b'=' as usize], classes[b':' as usize]) = (Glance::SIGN.0, Glance::SIGN.0);
        classes
    };
    CLASSES[usize::from(byte)]
}

/// Something about a text without which a rule has nothing to object to: about its row, or about its characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Trait {
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
    /// The text may have more than 32 bytes.
    Long = 1 << 10,
    /// The text may contain a placeholder that was never filled in: it has such a bracket, or a word such as `TODO`.
    Placeholder = 1 << 11,
    /// The text may consist of white space.
    Blank = 1 << 12,
    /// A prompt, a message or an instruction that may mention a password, a PIN or the like.
    Credential = 1 << 13,
    /// A prompt, a message or an instruction that may mention a year.
    Year = 1 << 14,
}

/// A set of [`Trait`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traits(u16);

impl Traits {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn of(all: &[Trait]) -> Self {
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

    /// Whether all of `needed` are in the set.
    pub(crate) const fn include(self, needed: Self) -> bool {
        self.0 & needed.0 == needed.0
    }

    /// The traits of a string, of which only the characters are looked at.
    pub(crate) fn at(node: Node<'_>, shape: &TextShape) -> Self {
        /// The length of the quotes around a text, at least.
        const QUOTES: u32 = 2;
        let is_read = matches!(shape.role, Role::Prompt | Role::Speech | Role::Instruction);
        // Other escapes may stand for any letter.
        let may = |mention: fn(&str) -> bool| is_read && node.legible().is_none_or(mention);
        Self::of_shape(shape)
            .with_if(Glance::at(node).has(Glance::OPENER), Trait::Opener)
            .with_if(node.span().len() > 32 + QUOTES, Trait::Long)
            .with_if(may_have_placeholder(node, shape), Trait::Placeholder)
            .with_if((is_read || shape.role == Role::Label) && may_be_blank(node), Trait::Blank)
            .with_if(may(may_mention_credential), Trait::Credential)
            .with_if(may(may_mention_year), Trait::Year)
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

/// Whether a text that callers or the language model get may contain a placeholder.
fn may_have_placeholder(node: Node<'_>, shape: &TextShape) -> bool {
    let is_read = matches!(shape.role, Role::Prompt | Role::Speech | Role::Instruction);
    is_read && (Glance::at(node).has(Glance::OPENER) || node.legible().is_none_or(may_have_marker))
}

/// Whether a text mentions a credential: `OTP`, `otp`, `CVV`, `PIN` or a word such as `password`.
fn may_mention_credential(text: &str) -> bool {
    static WORDS: LazyLock<[memmem::Finder<'static>; 2]> =
        LazyLock::new(|| ["assw", "otp"].map(memmem::Finder::new));
    let bytes = text.as_bytes();
    // Few texts have these capitals, so one search for them finds four words.
    let is_capital = |at: usize| {
        let from = |start: usize| bytes.get(start..).unwrap_or_default();
        from(at).starts_with(b"PIN")
            || from(at).starts_with(b"PASSW")
            || from(at.saturating_sub(1)).starts_with(b"CVV")
            || from(at.saturating_sub(2)).starts_with(b"OTP")
    };
    memchr2_iter(b'P', b'V', bytes).any(is_capital)
        || WORDS.iter().any(|word| word.find(bytes).is_some())
}

/// Whether a text mentions a year of these decades.
fn may_mention_year(text: &str) -> bool {
    static YEARS: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("202"));
    YEARS.find(text.as_bytes()).is_some()
}

/// Whether a text may consist of white space. The first other character decides, so this is cheap.
fn may_be_blank(node: Node<'_>) -> bool {
    let Some(text) = node.legible() else { return true };
    let mut characters = text.chars();
    loop {
        match characters.next() {
            None => return true,
            Some('\\') => match characters.next() {
                Some('n' | 't' | 'r') => {}
                // It may stand for any character.
                Some('u') => characters = skip(characters, 4),
                _ => return false,
            },
            Some(character) if character.is_whitespace() => {}
            Some(_) => return false,
        }
    }
}

fn skip(mut characters: Chars<'_>, count: usize) -> Chars<'_> {
    characters.by_ref().take(count).for_each(drop);
    characters
}

/// Whether a rule may be skipped when a glance shows that it has nothing to object to. Only tests say no, to compare.
#[cfg(not(test))]
#[inline]
pub(crate) const fn may_skip() -> bool {
    true
}

#[cfg(test)]
pub(crate) use tests::may_skip;

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::path::Path;

    use voxlint_schema::{DocumentKind, Items, Row, Shape, Table};
    use voxlint_syntax::Format;
    use voxlint_testing::generated_inputs::Random;
    use voxlint_testing::{case_files, cases, files_below};

    use crate::{Document, Inputs, check};

    thread_local! {
        static SKIPS: Cell<bool> = const { Cell::new(true) };
    }

    pub(crate) fn may_skip() -> bool {
        SKIPS.get()
    }

    /// Asserts that the report is the same if no rule is skipped.
    fn assert_nothing_is_silenced(text: &str, format: Format, kind: Option<DocumentKind>) {
        let report = || {
            let inputs = Inputs::new(Document::parse_as(text, format)).optional_rules(true);
            format!("{:#?}", check(&kind.map_or(inputs.clone(), |kind| inputs.kind(kind))))
        };
        let usual = report();
        SKIPS.set(false);
        let complete = report();
        SKIPS.set(true);
        assert_eq!(usual, complete, "{text}");
    }

    fn format_of(path: &Path) -> Format {
        match path.extension().and_then(|it| it.to_str()) {
            #[cfg(feature = "yaml")]
            Some("yaml" | "yml") => Format::Yaml,
            #[cfg(feature = "toml")]
            Some("toml") => Format::Toml,
            Some("jsonc") => Format::Jsonc,
            _ => Format::Json,
        }
    }

    /// Parts of texts that one rule or another objects to, some of them escaped, and parts that look like them.
    const PARTS: [&str; 74] = [
        "{{name}}",
        "{{#if vip}}",
        "{{/if}}",
        "{{first name}}",
        "{{",
        "}}",
        "{name}",
        "${name}",
        "[name]",
        "[[name]]",
        "<<name>>",
        "%name%",
        "{% if x %}",
        "\\u007bname}",
        "\\u007B{x}}",
        "\\u003c",
        "<<<<<<< a\\n",
        "=======\\n",
        ">>>>>>> b\\n",
        "\\u003c<<<<<< a\\n=======\\n>>>>>>> b\\n",
        " ",
        ",",
        ";",
        "|",
        "+14155552671",
        "+919876543210",
        "12:30",
        "Front desk",
        "caf\\u00e9",
        "é",
        "हिन्दी",
        "😀",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\n",
        "\\t",
        "\\\\",
        "\\\"",
        "\\/",
        "api_key=",
        "password: ",
        "\\u0061pi_key=",
        "Zk3vT9qLr2Xw8YbN5mHd7PcS",
        "sk-live-0123456789",
        "sk\\u002dlive-0123456789",
        "8f3a9c2b1d4e5f60:",
        "https://ann:hunter22@example.com/",
        "Bearer ",
        "eyJhbGciOiJIUzI1NiJ9.eyJz",
        "-----BEGIN PRIVATE KEY-----",
        "-----END",
        "Asia/Kolkata",
        "asia/kolkata",
        "Cascaded",
        "cascaded",
        "2025-01-31T09:30:00Z",
        "2025-02-31",
        "{\\\"a\\\": 1}",
        "STRING",
        "custom_function",
        "a term that is longer than any other",
        "\\u200b",
        "\u{200b}",
        "\\ufffd",
        "â€™",
        "\\u00c3\\u00bc",
        "\\udb40\\udc41",
        "\\u0007",
        "\\u0020",
        "Ask for the OTP.",
        "Ask for the \\u004fTP.",
        "Today is 3 March 2025.",
        "+12125550123",
        "EST",
    ];

    const NUMBERS: [&str; 24] = [
        "0",
        "-0",
        "1",
        "2",
        "5",
        "10",
        "11",
        "70",
        "0.0",
        "0.5",
        "1.0",
        "1.5",
        "5.0",
        "5.1",
        "-1",
        "-0.5",
        "1e1",
        "1.5e1",
        "1e400",
        "01",
        "999999999999999",
        "9007199254740993",
        "123456789012345678901234567890",
        "3600",
    ];

    fn text(random: &mut Random) -> String {
        let count = random.below(4) + if random.percent(10) { 12 } else { 0 };
        let parts: String = (0..count).map(|_| random.pick(&PARTS)).collect();
        format!("\"{parts}\"")
    }

    /// A value for a row, often of the right type.
    fn value(random: &mut Random, row: &Row) -> String {
        if random.percent(15) {
            let values = ["null", "true", "\"\"", "[]", "{}", "7", "[1]", "[\"a\", null]"];
            return random.pick(&values).to_owned();
        }
        match row.shape {
            Shape::Text(shape) if !shape.choices.is_empty() && random.percent(50) => {
                format!("\"{}\"", random.pick(shape.choices))
            }
            Shape::Text(_) | Shape::TextOrTexts | Shape::List(Items::Texts(_))
                if random.percent(70) =>
            {
                let one = text(random);
                if matches!(row.shape, Shape::List(_)) { format!("[{one}]") } else { one }
            }
            Shape::Number(_) => random.pick(&NUMBERS).to_owned(),
            Shape::Flag => random.pick(&["true", "false"]).to_owned(),
            Shape::Map(Some(table)) => object(random, table),
            Shape::Entries(table) | Shape::EntriesOrFirst(table) => {
                format!("{{{}: {}}}", text(random), object(random, table))
            }
            Shape::List(Items::Maps(table)) => format!("[{}]", object(random, table)),
            _ => text(random),
        }
    }

    fn object(random: &mut Random, table: &Table) -> String {
        let mut members = Vec::new();
        for row in table.rows {
            if random.percent(40) {
                members.push(format!("\"{}\": {}", row.name, value(random, row)));
            }
        }
        if random.percent(30) {
            members.push(format!("{}: {}", text(random), text(random)));
        }
        format!("{{{}}}", members.join(", "))
    }

    #[test]
    fn a_glance_never_silences_a_rule() {
        for case in case_files() {
            let source = fs::read_to_string(&case.path).unwrap_or_default();
            assert_nothing_is_silenced(&source, format_of(&case.path), None);
        }
        for path in
            ["json", "yaml", "toml"].iter().flat_map(|it| files_below("fixtures/agents", it))
        {
            let source = fs::read_to_string(&path).unwrap_or_default();
            assert_nothing_is_silenced(&source, format_of(&path), None);
        }
        for seed in 0..cases(300, 100_000) {
            let mut random = Random::new(seed);
            let kind = random.pick(&DocumentKind::ALL);
            let document = object(&mut random, kind.table());
            assert_nothing_is_silenced(&document, Format::Json, Some(kind));
            #[cfg(feature = "yaml")]
            assert_nothing_is_silenced(&document, Format::Yaml, Some(kind));
        }
    }
}
