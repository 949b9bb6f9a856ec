//! Predictions of the service's answer, for people and for other tools.

mod json;
mod text;

pub use json::write_prediction_json;
pub use text::render_prediction;

/// The author of the messages in the body of an error.
const MESSAGE_AUTHOR: &str = "voxlint";
