use std::marker::PhantomData;

use crate::names;
use crate::readings::Reading;

/// One field of a document, as the service describes it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Row {
    /// The field's name, as the service spells it.
    pub name: &'static str,
    /// The number of the name, as [`names::id`](crate::names::id) counts them.
    pub name_id: u16,
    /// The place in the description: a section number and, if there is one, the heading of the block.
    pub section: &'static str,
    /// The meaning of the field in sentences, one item per line.
    pub doc: &'static [&'static str],
    /// The row's index in its table.
    pub index: usize,
    /// The JSON type and the limits of a value.
    pub shape: Shape,
    /// The meaning of null.
    pub null: Null,
    /// Whether a document may leave the field out.
    pub presence: Presence,
    /// Whether the service validates the stored value again when an update omits the field (update agent, rule 6).
    pub revalidated: bool,
}

/// The fields of one kind of object, in the service's order.
#[derive(Debug)]
pub struct Table {
    /// The object's name with its article: `"an update"`, `"a function"`.
    pub noun_phrase: &'static str,
    /// The fields. A table has fewer than 128, so that a set of them fits into a `u128`.
    pub rows: &'static [&'static Row],
    /// The rows that are not optional, one bit each.
    pub expected: u128,
    /// How to treat fields that no row names.
    pub unknown_fields: UnknownFields,
    /// Finds a row by the number of its name.
    pub(crate) index: names::RowIndex,
}

/// How an object treats fields that its table does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownFields {
    /// The description does not say whether the service rejects, drops or keeps it.
    Unspecified,
    /// The object has more fields than the description shows: at most a warning.
    Warn,
    /// Any field is allowed.
    Allow,
    /// It is an error. The format belongs to voxlint, and a misspelled field would silently disable checks.
    Reject,
}

impl Table {
    /// The row with this name.
    ///
    /// ```
    /// use voxlint_schema::settings;
    /// assert!(settings::TABLE.row("voice_id").is_some());
    /// assert!(settings::TABLE.row("voice").is_none());
    /// ```
    pub fn row(&self, name: &str) -> Option<&'static Row> {
        self.row_by_name_id(names::id(name))
    }

    /// The row whose name has this number, as [`names::id`] counts them.
    ///
    /// ```
    /// use voxlint_schema::settings;
    ///
    /// let row = settings::voice_id.row;
    /// assert!(settings::TABLE.row_by_name_id(row.name_id).is_some_and(|it| std::ptr::eq(it, row)));
    /// ```
    #[inline]
    pub fn row_by_name_id(&self, name_id: u16) -> Option<&'static Row> {
        self.rows.get(self.index.get(name_id)?).copied()
    }
}

/// A [`Row`] whose value has the Rust-side type `T`, so that a rule cannot read a flag as a text.
#[derive(Debug)]
pub struct Field<T> {
    /// The row itself.
    pub row: &'static Row,
    kind: PhantomData<fn() -> T>,
}

impl<T> Field<T> {
    /// A typed handle to `row`. The table macro is the only caller.
    pub(crate) const fn new(row: &'static Row) -> Self {
        Self { row, kind: PhantomData }
    }
}

/// Marks a field whose value is a string.
#[derive(Debug)]
pub enum Text {}
/// Marks a field whose value is a number.
#[derive(Debug)]
pub enum Number {}
/// Marks a field whose value is true or false.
#[derive(Debug)]
pub enum Flag {}
/// Marks a field whose value is an object.
#[derive(Debug)]
pub enum Map {}
/// Marks a field whose value is an array.
#[derive(Debug)]
pub enum List {}

/// The JSON type of a field and the limits of its values.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string.
    Text(TextShape),
    /// A number.
    Number(NumberShape),
    /// true or false.
    Flag,
    /// An object: its fields follow a table, or are free if there is none.
    Map(Option<&'static Table>),
    /// An object with fields of any name, each an object that follows the table.
    Entries(&'static Table),
    /// An object with fields of any name, each an object that follows the table, or the value of the table's first field
    /// alone.
    EntriesOrFirst(&'static Table),
    /// An array.
    List(Items),
    /// A string, or an array of strings.
    TextOrTexts,
}

/// The items of an array.
#[derive(Clone, Copy, Debug)]
pub enum Items {
    /// Strings.
    Texts(TextShape),
    /// Objects that follow a table.
    Maps(&'static Table),
}

/// The limits of a string.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TextShape {
    /// The allowed values, in the service's order. Empty if any text is allowed.
    pub choices: &'static [&'static str],
    /// The greatest length. The description says "characters" without a unit.
    pub max_characters: Option<u32>,
    /// The purpose of the text.
    pub role: Role,
    /// The format of the text.
    pub format: TextFormat,
    /// The limits of the terms that the text lists.
    pub terms: Option<TermLimits>,
}

/// The limits of a list of terms of letters, digits and spaces, separated by commas. They apply "after normalization", which
/// the description does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermLimits {
    /// The greatest number of terms.
    pub most: u32,
    /// The greatest length of one term, in characters.
    pub max_characters: u32,
    /// The greatest length of all terms together, in characters.
    pub max_total: u32,
}

/// The limits of a number. All bounds are inclusive.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NumberShape {
    /// The least value allowed.
    pub min: Option<i64>,
    /// The greatest value allowed.
    pub max: Option<i64>,
    /// A narrower range that the description states elsewhere.
    pub disputed: Option<DisputedRange>,
    /// Whether a fraction makes sense.
    pub fractions: Fractions,
    /// The unit, in the plural, for messages: `"seconds"`.
    pub unit: Option<&'static str>,
    /// Whether a string or an array of strings is allowed as well.
    pub or_texts: bool,
}

/// A second, narrower range of a number. Whether the service rejects values outside it depends on how it reads its
/// description.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DisputedRange {
    /// The least value inside the narrower range.
    pub min: Option<i64>,
    /// The greatest value inside the narrower range.
    pub max: Option<i64>,
    /// The reading of the description under whose first value the narrower range counts.
    pub reading: &'static Reading,
}

/// Whether a number may have a fraction. `15.0` and `1.5e1` are whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fractions {
    /// Fractions are fine.
    Allowed,
    /// The field counts things. The description does not say what the service does with a fraction.
    Unspecified,
    /// A fraction is rejected.
    Rejected,
}

/// The meaning of null for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// Null is rejected: the description does not mark the field nullable.
    Rejected,
    /// Null is legal and clears the value.
    Clears,
    /// The description neither allows nor clearly rejects null.
    Unspecified,
}

/// Whether a document may omit a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The field may be omitted.
    Optional,
    /// The description calls the field required.
    Required,
    /// The description says "each item has" the field, without calling it required.
    Expected,
}

/// The purpose of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A Handlebars template that the language model reads.
    Prompt,
    /// A Handlebars template that callers hear word for word.
    Speech,
    /// Plain text that the language model reads.
    Instruction,
    /// A name or note for people.
    Label,
    /// The id of an entry in a catalogue of the workspace.
    Id(Catalogue),
    /// Recognition hints, separated by commas.
    Keywords,
    /// Anything else.
    Free,
}

impl Role {
    /// Whether the text must be a valid Handlebars template (update agent, rule 6).
    pub const fn is_template(self) -> bool {
        matches!(self, Self::Prompt | Self::Speech)
    }
}

/// The lists of the workspace that ids come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Catalogue {
    /// Agents.
    Agents,
    /// Folders.
    Folders,
    /// Webhooks.
    Webhooks,
    /// Languages.
    Languages,
    /// Language models.
    Llms,
    /// Knowledge bases.
    KnowledgeBases,
    /// Voices.
    Voices,
    /// The models of a voice.
    VoiceModels,
    /// Transcribers.
    Transcribers,
    /// Transcribers that may replace another one.
    FallbackTranscribers,
    /// Phone numbers.
    PhoneNumbers,
    /// API keys.
    ApiKeys,
}

impl Catalogue {
    /// The name of the list, for pages and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agents => "agents",
            Self::Folders => "folders",
            Self::Webhooks => "webhooks",
            Self::Languages => "languages",
            Self::Llms => "LLMs",
            Self::KnowledgeBases => "knowledge bases",
            Self::Voices => "voices",
            Self::VoiceModels => "voice models",
            Self::Transcribers => "transcribers",
            Self::FallbackTranscribers => "fallback transcribers",
            Self::PhoneNumbers => "phone numbers",
            Self::ApiKeys => "API keys",
        }
    }
}

/// The format of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// Any text.
    Any,
    /// The name of an IANA time zone.
    TimeZone,
    /// An RFC 3339 date and time.
    DateTime,
    /// JSON, written as a string.
    Json,
    /// Phone numbers separated by `|`.
    Destinations {
        /// The greatest number of numbers.
        most: u32,
    },
}

impl Row {
    /// The type, as the pages about fields show it: `string`, `number or null`, `array of objects`.
    pub fn type_name(&self) -> String {
        let null = if self.null == Null::Clears { " or null" } else { "" };
        format!("{}{null}", self.shape.name())
    }

    /// Whether the value is a string without a list of allowed values.
    pub const fn is_free_text(&self) -> bool {
        matches!(self.shape, Shape::Text(text) if text.choices.is_empty())
    }

    /// The purpose of a string; `None` for values of another type.
    pub const fn text_role(&self) -> Option<Role> {
        match self.shape {
            Shape::Text(text) => Some(text.role),
            _ => None,
        }
    }

    /// The meaning of the field, as one text.
    pub fn description(&self) -> String {
        self.doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }
}

impl Shape {
    /// Whether an array of strings is allowed beside something else.
    pub const fn allows_texts(&self) -> bool {
        matches!(self, Self::TextOrTexts | Self::Number(NumberShape { or_texts: true, .. }))
    }

    /// The JSON type in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text(_) => "string",
            Self::Number(number) if number.or_texts => "number, string or array of strings",
            Self::Number(number) => match number.fractions {
                Fractions::Rejected => "whole number",
                Fractions::Allowed | Fractions::Unspecified => "number",
            },
            Self::Flag => "boolean",
            Self::Map(_) | Self::EntriesOrFirst(_) => "object",
            Self::Entries(_) => "object of objects",
            Self::List(Items::Texts(_)) => "array of strings",
            Self::List(Items::Maps(_)) => "array of objects",
            Self::TextOrTexts => "string or array of strings",
        }
    }
}
