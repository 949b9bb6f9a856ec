//! What the service's description leaves open: each passage that can be read in several ways, by name, with its possible values.
//!
//! Rules say under which values the service rejects something. A team that knows a value, because it has seen answers of the service,
//! sets it, and rules are then as certain as the team.

/// A passage of the description that can be read in several ways.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    /// The name in `[readings]` and in reports.
    pub name: &'static str,
    /// The section of the service's description.
    pub section: &'static str,
    /// What is open, as a complete clause.
    pub question: &'static str,
    /// The possible values, at most eight.
    pub values: &'static [ReadingValue],
}

/// One way to read a passage.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadingValue {
    /// The name in `[readings]` and in reports.
    pub name: &'static str,
    /// What the service then does, as a complete clause.
    pub meaning: &'static str,
}

impl Reading {
    /// The reading of this name.
    ///
    /// ```
    /// use voxlint_schema::readings::Reading;
    ///
    /// let reading = Reading::named("unknown-fields").expect("a reading");
    /// let values: Vec<&str> = reading.values.iter().map(|value| value.name).collect();
    /// assert_eq!(values, ["rejected", "ignored", "stored"]);
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().copied().find(|reading| reading.name == name)
    }

    /// The value under which the service rejects the most: the first one. `None` if each value rejects something that another one
    /// accepts.
    ///
    /// ```
    /// use voxlint_schema::readings::{SILENCE_ARITHMETIC, UNKNOWN_FIELDS};
    ///
    /// assert_eq!(UNKNOWN_FIELDS.strictest().map(|value| value.name), Some("rejected"));
    /// assert_eq!(SILENCE_ARITHMETIC.strictest(), None);
    /// ```
    pub fn strictest(&self) -> Option<&'static ReadingValue> {
        // Each way to round is now above and now below the limit.
        self.values.first().filter(|_| self.name != SILENCE_ARITHMETIC.name)
    }

    /// The index of the value of this name.
    pub fn index_of(&self, value: &str) -> Option<usize> {
        self.values.iter().position(|it| it.name == value)
    }
}

macro_rules! readings {
    ($($id:ident = $name:literal, $section:literal, $question:literal { $($value:literal: $meaning:literal,)+ })+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $question, ".")]
            pub static $id: Reading = Reading {
                name: $name,
                section: $section,
                question: $question,
                values: &[$(ReadingValue { name: $value, meaning: $meaning },)+],
            };
        )+

        /// All readings, in the order of the description.
        pub static ALL: &[&Reading] = &[$(&$id,)+];
    };
}

readings! {
    // How JSON is read.
    BYTE_ORDER_MARK = "byte-order-mark", "1",
        "JSON allows a reader to reject the mark or to ignore it" {
        "rejected": "a body that begins with a byte order mark is not JSON",
        "ignored": "the mark is ignored",
    }
    REPEATED_FIELDS = "repeated-fields", "1",
        "JSON readers treat repeated fields differently" {
        "rejected": "an object with the same field twice is rejected",
        "last-counts": "the last of several fields with the same name counts",
    }
    UNPAIRED_SURROGATES = "unpaired-surrogates", "1",
        "JSON readers treat unpaired surrogates differently" {
        "rejected": "a text with half of a surrogate pair is rejected",
        "accepted": "a text with half of a surrogate pair is accepted",
    }
    HUGE_NUMBERS = "huge-numbers", "1",
        "JSON readers reject such a number or make it infinite" {
        "rejected": "a number that no floating point number holds is rejected",
        "infinite": "it becomes infinite, and is accepted where no range is stated",
    }
    // Settings (2.3).
    VERSION_NUMBER_MINIMUM = "version-number-minimum", "2.3",
        "no version below 1 is described" {
        "1": "a version number below 1 is rejected",
        "none": "a version number below 1 is accepted if there is such a version",
    }
    TEXT_LENGTH_UNIT = "text-length-unit", "2.3",
        "the description does not say how characters are counted" {
        "utf-16": "an emoji counts twice, as in JavaScript",
        "code-points": "each code point counts once, so a combining mark counts",
        "graphemes": "what readers see as one character counts once",
    }
    TIME_ZONE_NAMES = "time-zone-names", "2.3",
        "the description asks for an IANA name but does not say whether it is checked" {
        "checked": "a name that is not in the IANA database is rejected",
        "free": "any text is accepted",
    }
    NODE_POSITIONS = "node-positions", "2.3",
        "the description does not say whether this JSON is checked when it is set" {
        "checked": "a text that is not JSON is rejected",
        "free": "any text is accepted",
    }
    FLOW_AGENT_FIELDS = "flow-agent-fields", "2.3",
        "the description requires the field in updates, but also says that omitted fields keep their stored values" {
        "in-each-update": "each update of a conversational flow agent needs the field",
        "kept": "an omitted field keeps its stored value",
    }
    EMPTY_FLOW_AGENT_FIELDS = "empty-flow-agent-fields", "2.3",
        "the description does not say whether an empty text counts" {
        "rejected": "an empty text counts as missing",
        "accepted": "an empty text is a text",
    }
    MINIMAL_PUBLISH = "minimal-publish", "4.1",
        "according to the description, a minimal publish needs only `version_number` and `is_published`" {
        "checked": "a conversational flow agent's required fields must be set before a minimal publish",
        "exempt": "a minimal publish needs no other field",
    }
    COUNT_FRACTIONS = "count-fractions", "2.3",
        "the description does not say whether a count may have a fraction" {
        "rejected": "a count with a fraction is rejected",
        "accepted": "a count with a fraction is accepted",
    }
    RESPONSIVENESS_MAXIMUM = "responsiveness-maximum", "2.3",
        "the service's schema says 0 to 5 and its text says 0 to 1" {
        "1": "a number over 1 is rejected",
        "5": "a number from 1 to 5 is accepted",
    }
    KEYWORD_LETTERS = "keyword-letters", "2.3",
        "the description does not say which letters and digits are allowed" {
        "ascii": "only A to Z, a to z and 0 to 9 are letters and digits",
        "any-script": "letters, marks and digits of every script are allowed",
    }
    KEYWORD_SPACES = "keyword-spaces", "2.3",
        "the description does not say whether other white space counts as a space" {
        "one": "only the ordinary space is a space",
        "any": "tabs, line breaks and other white space are spaces, too",
    }
    KEYWORD_JOINERS = "keyword-joiners", "2.3",
        "the description does not say whether a joiner counts as part of a letter" {
        "rejected": "a zero width joiner is not part of a letter",
        "accepted": "a zero width joiner between letters is a part of them",
    }
    UNSUPPORTED_KEYWORDS = "unsupported-keywords", "2.3",
        "the description does not say whether boosted keywords are rejected or ignored where nothing uses them" {
        "rejected": "boosted keywords are rejected where the pipeline or the transcriber does not support them",
        "ignored": "they are ignored there",
    }
    DESTINATION_SPACES = "destination-spaces", "2.3",
        "the description does not say whether white space around a number is dropped" {
        "rejected": "white space around a transfer destination is rejected",
        "dropped": "it is dropped",
    }
    DESTINATION_DIGITS = "destination-digits", "2.3",
        "the description does not say which digits are allowed" {
        "ascii": "only 0 to 9 are digits",
        "any-script": "digits of other scripts are digits, too",
    }
    EMPTY_DESTINATIONS = "empty-destinations", "2.3",
        "the description does not say whether empty destinations are skipped" {
        "rejected": "a bar with no number beside it is rejected",
        "skipped": "empty destinations are skipped",
    }
    NO_DESTINATIONS = "no-destinations", "2.3",
        "the description does not say whether an empty text means no numbers" {
        "rejected": "an empty text is rejected",
        "accepted": "an empty text means that there are no destinations",
    }
    NULL_DESTINATIONS = "null-destinations", "2.3",
        "the description does not say what null means here" {
        "rejected": "null is rejected",
        "accepted": "null means that there are no destinations",
    }
    REPEATED_DESTINATIONS = "repeated-destinations", "2.3",
        "the description does not say whether repeated numbers count" {
        "counted": "each number counts as often as it is written",
        "once": "repeated numbers count once",
    }
    DEFAULT_VARIABLES = "default-variables", "4.1",
        "the description does not say whether the object is replaced or merged with the stored one" {
        "merged": "stored variables that an update omits stay, and are checked again",
        "replaced": "the object of an update replaces the stored one",
    }
    EMPTY_IDS = "empty-ids", "2.3",
        "the description does not say what an empty id means" {
        "rejected": "an empty id is rejected",
        "accepted": "an empty id clears the field",
    }
    INCOMPLETE_ITEMS = "incomplete-items", "2.3",
        "the description lists this field without saying whether it is required" {
        "rejected": "an item without the field is rejected",
        "accepted": "the field may be omitted",
    }
    // What is checked together (4.1).
    UNKNOWN_FIELDS = "unknown-fields", "4.1",
        "the description does not say whether unknown fields are rejected, ignored or stored" {
        "rejected": "an update with such a field is rejected",
        "ignored": "such a field is dropped",
        "stored": "such a field is stored",
    }
    STORED_LIMITS = "stored-limits", "4.1",
        "the description does not say whether limits other than those of update agent, rule 6, are checked again" {
        "checked": "stored values over such a limit are rejected with the next update",
        "not-checked": "only values that an update sets are compared with such limits",
    }
    DEFAULT_SILENCE = "default-silence", "2.3",
        "`end_call_on_silence_sec` is not set, and the description does not give its default" {
        "set": "calls end after some time of silence, although none is set",
        "none": "without a setting, silence never ends a call",
    }
    SILENCE_ARITHMETIC = "silence-arithmetic", "4.1",
        "in binary floating point, the difference is on the other side of the limit" {
        "decimal": "numbers are compared as they are written",
        "difference": "the floating point difference is compared with 5",
        "sum": "the timeout is compared with the floating point sum of interval and 5",
    }
    REMINDER_FREQUENCY_ZERO = "reminder-frequency-zero", "4.1",
        "a frequency of 0 may mean that no reminder is configured" {
        "configured": "an interval is a reminder, whatever the frequency is",
        "off": "with a frequency of 0 no reminder is configured",
    }
    DEFAULT_PIPELINE = "default-pipeline", "2.3",
        "the description does not say which pipeline an agent without `pipeline_type` has" {
        "Speech_To_Speech": "an agent without `pipeline_type` has the limits of `Speech_To_Speech`",
        "Cascaded": "it has the limits of `Cascaded`",
    }
    FLOW_AGENT_PIPELINE = "flow-agent-pipeline", "4.1",
        "the description mentions no pipeline of conversational flow agents, so the limit may not apply" {
        "counts": "a `pipeline_type` limits the calls of a conversational flow agent, too",
        "ignored": "a conversational flow agent has no pipeline, whatever is set",
    }
    FALLBACK_WHILE_OFF = "fallback-while-off", "4.1",
        "the description does not say whether the ids may be equal while fallback is off" {
        "compared": "the fallback transcriber must differ from the transcriber even while fallback is off",
        "free": "the ids are compared only while fallback is on",
    }
    FALLBACK_LIST_WHILE_OFF = "fallback-list-while-off", "4.1",
        "fallback is off, and the description mentions the list only for when it is on" {
        "checked": "the fallback transcriber must be on the list even while fallback is off",
        "free": "the list counts only while fallback is on",
    }
    UNLISTED_MODELS = "unlisted-models", "4.1",
        "a model that no voice lists may belong to any provider" {
        "rejected": "a voice model that no voice lists is rejected",
        "accepted": "it is accepted",
    }
    UNKNOWN_IDS = "unknown-ids", "4.1",
        "the description does not say whether the id is looked up when it is set" {
        "rejected": "an id that the workspace does not have is rejected",
        "accepted": "any id is accepted",
    }
    FALSE_PROMPT_CACHING = "false-prompt-caching", "4.1",
        "the description does not say whether `false` is also rejected" {
        "rejected": "without the feature, an update that sets `prompt_caching_enabled` at all is rejected",
        "accepted": "without the feature, `false` is accepted",
    }
    // Publishing (3).
    PUBLISHING_AGAIN = "publishing-again", "3",
        "the description does not say what publishing again does" {
        "rejected": "publishing a published version is rejected",
        "accepted": "it is accepted, and changes nothing",
    }
    UPDATE_DEPLOYMENT = "update-deployment", "3",
        "the description does not say what `update_deployment` permits" {
        "permits-nothing": "a published version cannot be edited, whatever the flag says",
        "permits-edits": "with the flag, a published version can be edited",
    }
    NUMBERS_WITHOUT_PUBLISHING = "numbers-without-publishing", "3",
        "without publishing, the number is ignored and may not be looked up" {
        "looked-up": "a phone number is looked up in each update",
        "ignored": "a phone number is looked up only when the version is published",
    }
    CALLS_WITHOUT_PUBLISHING = "calls-without-publishing", "3",
        "according to the description, a number that is sent without publishing is ignored" {
        "checked": "an outbound number that an active workflow calls from cannot be changed by any update",
        "ignored": "only publishing checks which workflows call from a number",
    }
    STATE_SPELLING = "state-spelling", "3",
        "the description does not say how states are spelled" {
        "any": "letter case and separators in the names of states do not matter",
        "exact": "only the states in lower case are those of the description",
    }
}
