//! The names of all fields, each with a number.
//!
//! A name is compared with the fields of the tables once, when it gets its number. From then on, a lookup of a field
//! compares numbers. The compiler builds the dictionary, so a program does not spend time on it when it starts.

/// The names of the fields of all tables, each once. The compiler reports a row whose name is not here.
const NAMES: &[&str] = names! {
    version_number title version_title description folder_id timezone pipeline_type webhook_id language_id
    node_positions agent_identity agent_background is_published update_deployment prompt_text system_prompt_text
    welcome_message voicemail_message conversation_start_type allow_interruptions structured_output
    json_output_instructions default_dynamic_variables llm_id llm_temperature knowledge_base_ids kb_max_chunks
    kb_min_score prompt_caching_enabled predictive_preprocessing_enabled voice_id voice_model_id transcriber_id
    fallback_stt_enabled stt_fallback_transcriber_id stt_fallback_wait_ms transcription_mode denoising_mode
    speech_normalization transcript_formatting boosted_keywords audio_cache_enabled background_sound
    background_sound_volume ambient_noise responsiveness interruption_sensitivity response_eagerness backchanneling
    backchannel_frequency backchannel_keywords reminder_message_interval reminder_message_frequency
    end_call_on_silence_sec max_call_duration_sec fallback_llm_enabled llm_fallback_delay_ms llm_fallback_model
    inbound_phone_number_id outbound_phone_number_id post_call_analysis_llm_id post_call_analysis postcall_analysis
    agent_functions agent_transfer_destinations field_name field_type field_description displayName type config id
    current_version_number agent_type current_version versions created_at updated_at agent_id data meta name
    last_used_at is_expired page limit total statusCode message error agent version complete template agents voices
    transcribers fallback_transcribers llms knowledge_bases phone_numbers webhooks folders languages features
    boosted_keyword_providers response_eagerness_provider campaigns workflows provider models prompt_caching state
    outbound_phone_number_ids root extends include exclude expect baseline base facts group_comments variables rules
    documents overrides suppressions house_rules level allow files kind stored text_files pointer reason expires
    field help required must_match must_not_match one_of max_length readings value evidence since
};

macro_rules! names {
    ($($name:tt)*) => { &[$(stringify!($name)),*] };
}
use names;

/// The number of different names, and 1 for the number 0, which no name has.
pub const COUNT: usize = DICTIONARY.count as usize;

/// The least number of names that are not fields.
pub const UNKNOWN: u16 = 1 << 15;

/// The number of rows of the longest table. A set of rows is one bit each in a `u128`.
pub const LONGEST_TABLE: usize = 64;

/// The maximum number of names, with room to spare: at least three of four slots are free, so few names share one.
const MAX_NAMES: usize = 256;
const SLOTS: usize = 4 * MAX_NAMES;

static LOOKUP: Dictionary = DICTIONARY;
const DICTIONARY: Dictionary = Dictionary::new();

/// A hash table from names to their numbers.
struct Dictionary {
    /// The names by their numbers. The first one is not used.
    names: [&'static str; MAX_NAMES],
    count: u16,
    /// Each name is in the slot that its hash names, or in the next free one.
    slots: [Slot; SLOTS],
}

/// A name of the dictionary, or a free slot.
#[derive(Clone, Copy)]
struct Slot {
    /// The number of the name. 0 marks a free slot.
    id: u16,
    /// A part of the name's hash, so that most other names are not compared with it.
    tag: u16,
}

#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
impl Dictionary {
    const fn new() -> Self {
        let free = Slot { id: 0, tag: 0 };
        let mut all = Self { names: [""; MAX_NAMES], count: 1, slots: [free; SLOTS] };
        let mut at = 0;
        while at < NAMES.len() {
            all.add(NAMES[at]);
            at += 1;
        }
        all
    }

    /// Adds a name, unless it is there.
    const fn add(&mut self, name: &'static str) {
        let hash = hash(name.as_bytes());
        let mut at = slot_of(hash);
        while self.slots[at].id != 0 {
            if is_same(self.names[self.slots[at].id as usize], name) {
                return;
            }
            at = (at + 1) % SLOTS;
        }
        self.slots[at] = Slot { id: self.count, tag: tag_of(hash) };
        self.names[self.count as usize] = name;
        self.count += 1;
    }
}

/// The number of a name. Each field name has its own, less than [`COUNT`]. Any other name has a number from [`UNKNOWN`] on,
/// which it may share with other names. So two names with different numbers differ.
///
/// ```
/// use voxlint_schema::{names, settings};
///
/// assert_eq!(names::id("voice_id"), settings::voice_id.row.name_id);
/// assert!(names::id("voice") >= names::UNKNOWN);
/// ```
#[inline]
pub fn id(name: &str) -> u16 {
    let hash = hash(name.as_bytes());
    let tag = tag_of(hash);
    let mut at = slot_of(hash);
    // Most slots are free, so this ends.
    while let Some(slot) = LOOKUP.slots.get(at % SLOTS)
        && slot.id != 0
    {
        if slot.tag == tag && LOOKUP.names.get(usize::from(slot.id)) == Some(&name) {
            return slot.id;
        }
        at += 1;
    }
    UNKNOWN | tag
}

/// Whether a number is that of a field name.
///
/// ```
/// use voxlint_schema::{names, settings};
///
/// assert!(names::is_field(settings::voice_id.row.name_id));
/// assert!(!names::is_field(names::id("voice")));
/// ```
#[inline]
pub const fn is_field(id: u16) -> bool {
    0 < id && id < UNKNOWN
}

/// The names of all fields.
pub fn all() -> impl Iterator<Item = &'static str> {
    LOOKUP.names.iter().take(COUNT).skip(1).copied()
}

/// The number of a field name, for constants.
///
/// # Panics
///
/// If no field has the name. In a constant, the compiler reports it.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
pub const fn id_of_field(name: &str) -> u16 {
    let mut id = 1;
    while id < COUNT && !is_same(DICTIONARY.names[id], name) {
        id += 1;
    }
    assert!(id < COUNT, "`NAMES` does not list this field");
    id as u16
}

/// The index in one table of each row, by the number of its name.
#[derive(Debug)]
pub(crate) struct RowIndex {
    /// The index and 1; 0 for the names of other tables.
    rows: [u8; COUNT],
}

impl RowIndex {
    /// The index of a table with these names.
    #[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
    pub(crate) const fn new(names: &[&str]) -> Self {
        assert!(names.len() <= LONGEST_TABLE, "`LONGEST_TABLE` is too small");
        let mut rows = [0; COUNT];
        let mut row = 0;
        while row < names.len() {
            let id = id_of_field(names[row]) as usize;
            assert!(rows[id] == 0, "two rows have the same name");
            row += 1;
            rows[id] = row as u8;
        }
        Self { rows }
    }

    /// The row with a name.
    #[inline]
    pub(crate) fn get(&self, name_id: u16) -> Option<usize> {
        usize::from(*self.rows.get(usize::from(name_id))?).checked_sub(1)
    }
}

/// A hash of the length and up to sixteen letters from both ends: enough to tell fields apart.
#[inline]
const fn hash(name: &[u8]) -> u64 {
    let (first, last) = if let (Some(first), Some(last)) =
        (name.first_chunk::<8>(), name.last_chunk::<8>())
    {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64)
    } else if let ([first, ..], [.., last]) = (name, name) {
        (*first as u64, *last as u64)
    } else {
        (0, 0)
    };
    // The multiplier is that of Fibonacci hashing: 2^64 divided by the golden ratio.
    (first ^ last.rotate_left(29))
        .wrapping_add(name.len() as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The slot of a name with this hash, if it is free. The high bits of a product depend on all bits of its factors.
#[inline]
const fn slot_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SLOTS.trailing_zeros())) as usize
}

/// A part of the hash that the slot does not tell.
#[inline]
const fn tag_of(hash: u64) -> u16 {
    (hash >> 32) as u16 & !UNKNOWN
}

/// `one == other`, for the compiler.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{DocumentKind, Items, Shape, Table, settings};

    /// A table and all tables of the objects inside, each as often as it occurs.
    fn tables(table: &'static Table) -> Vec<&'static Table> {
        let inner = table.rows.iter().filter_map(|row| match row.shape {
            Shape::Map(inner) => inner,
            Shape::Entries(inner)
            | Shape::EntriesOrFirst(inner)
            | Shape::List(Items::Maps(inner)) => Some(inner),
            _ => None,
        });
        inner.flat_map(tables).chain([table]).collect()
    }

    #[test]
    fn every_field_name_has_one_number() {
        let mut names: HashMap<u16, &str> = HashMap::new();
        for table in DocumentKind::ALL.into_iter().flat_map(|kind| tables(kind.table())) {
            for row in table.rows {
                assert_eq!(id(row.name), row.name_id, "{}", row.name);
                assert_eq!(*names.entry(row.name_id).or_insert(row.name), row.name);
                let found = table.row_by_name_id(row.name_id).expect("the row");
                assert!(std::ptr::eq(found, *row), "{}", row.name);
            }
            let known = 0..COUNT as u16;
            let rows = known.filter(|id| table.row_by_name_id(*id).is_some()).count();
            assert_eq!(rows, table.rows.len());
        }
        assert_eq!(names.len() + 1, COUNT, "a name of no table has a number");
        const { assert!(COUNT < MAX_NAMES && LONGEST_TABLE < 128) };
    }

    #[test]
    fn other_names_have_other_numbers() {
        for name in ["", "a", "voice", "voice_idd", "VOICE_ID", "voice_id ", "vöice_id"] {
            assert!(id(name) >= UNKNOWN, "{name}");
            assert!(settings::TABLE.row(name).is_none());
        }
    }

    #[test]
    fn every_name_is_found_with_few_comparisons() {
        let distances =
            LOOKUP.slots.iter().enumerate().filter(|(_, slot)| slot.id != 0).map(|(at, slot)| {
                let name = LOOKUP.names[usize::from(slot.id)];
                (at + SLOTS - slot_of(hash(name.as_bytes()))) % SLOTS
            });
        let all: usize = distances.sum();
        assert!(all < COUNT / 2, "{all} comparisons more than names");
    }
}
