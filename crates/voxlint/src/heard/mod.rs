//! What callers hear: the texts of an agent as people read them, for the rules of the group `heard`.
//!
//! Everything here works on decoded text and knows nothing of documents but their places. The words of each language are data:
//! a rule keeps those it needs, and each of them is in a real prompt.

mod actions;
pub(crate) mod calendar;
mod calls;
pub(crate) mod language;
pub(crate) mod prompt_clues;
mod prose;
mod quantities;
mod sentences;
pub(crate) mod speakers;
pub(crate) mod words;

pub(crate) use calls::{called_names, shown_name};
pub(crate) use prompt_clues::PromptClue;
pub(crate) use prose::Prose;
pub(crate) use quantities::first_duration;
pub(crate) use sentences::{is_negated, line_at, lines, sentence_at};
pub(crate) use words::{Words, is_whole_word, words};
