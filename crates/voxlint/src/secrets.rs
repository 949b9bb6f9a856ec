//! Secrets in documents and texts, and texts without them.

pub use voxlint_engine::findings;
pub use voxlint_model::masking::{Mask, masked_json, spans};
pub use voxlint_model::secret::mask_text;
