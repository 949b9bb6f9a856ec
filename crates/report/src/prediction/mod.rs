//! What the service will answer, for people and for other tools.

mod full;
mod json;

pub use full::render_prediction;
pub use json::write_prediction_json;

/// Whose words the messages of an error body are.
const WORDS: &str = "voxlint";
