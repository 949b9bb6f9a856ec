//! What callers hear: the texts of an agent as people read them, for the rules of the group `heard`.
//!
//! Everything here works on decoded text and knows nothing of documents but their places. The words of each language are data:
//! a rule keeps those it needs, and each of them is in a real prompt.

mod actions;
pub mod calendar;
mod calls;
pub mod language;
pub mod prompt_clues;
mod prose;
mod quantities;
mod sentences;
pub mod speakers;
pub mod words;

pub use calls::{
    MAX_NAME, Mention, called_names, is_function_expected, is_in_accepted_name, is_like_function,
    mentions, shown_name,
};
pub use prompt_clues::PromptClue;
pub use prose::Prose;
pub use quantities::first_duration;
pub use sentences::{is_negated, line_at, lines, sentence_at};
pub use words::{Words, is_whole_word, words};
